"""The crash box: what happened last on the board, in a file that outlives a reset. Loaded when there is something to write.

`save/crash` is text: why it was written, the board's state, where the error came from, and the last events (screens,
parts, numbers of answers; never names, answers or hands). Each fault rewrites it, within limits, because flash wears.
"""

import gc
import io
import os
import sys

from glow import FIRMWARE
from glow.link.file_pieces import part
from glow.store import files

NAME = "save/crash"
#: The most faults written between two starts.
WRITES_MOST = 20
#: The most notes among them; notes may never end, such as for a plug that keeps coming loose.
NOTES_MOST = 10
#: A note doesn't lengthen a file that is longer than this.
LONG_BYTES = 6000
CHUNK_BYTES = 600


def failed(app, what, error):
    """A part has failed, and the board goes on."""
    _write(app.hal, app.events, "A part failed: " + what, error)


def note(app, why):
    """Adds a line for something worth keeping that isn't an error, behind what is kept of the last error."""
    path = app.hal.path(NAME)
    try:
        size = os.stat(path)[6]
    except OSError:
        size = LONG_BYTES
    if getattr(app.hal, "crashes", 0) >= NOTES_MOST:
        return
    if size >= LONG_BYTES:
        _write(app.hal, app.events, why, None)
        return
    app.hal.crashes = getattr(app.hal, "crashes", 0) + 1
    try:
        with open(path, "ab") as file:
            file.write(("%d %s\n" % (app.now, why)).encode())
    except OSError:
        pass                                       # as below


def crashed(hal, events, error):
    """An error has left the loop: the board is about to restart."""
    hal.crashes = 0
    _write(hal, events, "The board stopped: " + type(error).__name__, error)


def _write(hal, events, why, error):
    written = getattr(hal, "crashes", 0)
    if written >= WRITES_MOST:
        return
    try:
        files.make_folder(hal.path("save"))
        texts = pieces(hal, events, why, error)
        files.write(hal.path(NAME), hal.path(NAME + ".new"), (text.encode() for text in texts))
        hal.crashes = written + 1
    except OSError:
        pass                                       # a full flash: the message to the host has to be enough


def pieces(hal, events, why, error):
    """Yields the text."""
    here = sys.implementation
    yield "%s\nfirmware %s, board %s, %s %s, start %s\n" % (
        why, FIRMWARE, hal.board.get("id", "?"), here.name, ".".join([str(n) for n in here.version[:3]]),
        getattr(hal, "reset_cause", "?"))
    free = gc.mem_free() if hasattr(gc, "mem_free") else 0
    yield "uptime %d ms, heap free %d\n" % (hal.ticks_ms(), free)
    if error is not None:
        yield traceback(error)
    for moment, what in events:
        yield "%d %s\n" % (moment, what)


def traceback(error):
    """An error and where it happened, as text."""
    if not hasattr(sys, "print_exception"):        # CPython
        return "%s: %s\n" % (type(error).__name__, error)
    text = io.StringIO()
    sys.print_exception(error, text)
    return text.getvalue()


def parts(app):
    """Yields the messages of a file with what was written last and the board's present state."""
    texts = []
    try:
        with open(app.hal.path(NAME)) as file:
            for line in file:
                texts.append(line)
    except OSError:
        texts.append("Nothing has failed.\n")
    texts.append("\n")
    texts.extend(pieces(app.hal, app.events, "Now", None))
    size = sum([len(text.encode()) for text in texts])
    of = (size + CHUNK_BYTES - 1) // CHUNK_BYTES
    waiting = b""
    k = 0
    for number in range(len(texts)):
        waiting += texts[number].encode()
        while len(waiting) >= CHUNK_BYTES or waiting and number + 1 == len(texts):
            yield part("crash", k, of, waiting[:CHUNK_BYTES])
            waiting = waiting[CHUNK_BYTES:]
            k += 1
