"""Files over the link: tracks and texts come in and wait in new/; files without secrets go out.

A set of files becomes valid all at once: `put` brings the parts of its files and of its manifest into
new/, `commit` checks everything and makes new/ready, and the board installs it when no race runs (at
its next start at the latest). Code never comes this way, or part of what is running would be new.
"""

import binascii
import os
import sys

from glow import step
from glow.lights.lights import Lights
from glow.link.file_pieces import part
from glow.store import files
from hal.data_files import frozen

MANIFEST = "manifest.txt"
NEW = "new/"
READY = "new/ready"
SET = "new/set"
#: Lists what is frozen into the firmware, a line "CRC-32 name" each; "" if nothing is.
FROZEN_LIST = "modules.txt"
#: Bytes in each part of a file except the last.
PUT_BYTES = 1024
READ_BYTES = 600
#: What must stay free for saves.
RESERVE_BYTES = 65536
OPEN_FOLDERS = ("tracks/", "text/")
#: Files that hold no secret; a race's own files hold its seed and everybody's hand.
READABLE = ("board.json", MANIFEST, NEW + MANIFEST, "save/settings", "save/cards", "save/season")
READABLE_FIRST = ("save/leds-", "save/season-")


def take(link, message):
    """Handles put, commit and read."""
    try:
        if message["t"] == "put":
            _put(link, message)
        elif message["t"] == "commit":
            _commit(link, message)
        else:
            _read(link, message)
    except OSError as error:
        if files.reason_of(error) == "save.full":
            link.no(message, "board.no_room", (message.get("name", ""),))
        else:
            link.no(message, "board.no_file", (message.get("name", ""),))


def install(app):
    """Installs what is waiting; the texts are closed meanwhile, and read again."""
    import install as installer  # a module of the start: it is unloaded again at once
    app.texts.close()
    try:
        installer.apply(app.hal.path(""))
    finally:
        sys.modules.pop("install", None)
        app.open_texts()
        app.light(Lights.drop_track)
    app.link.hello()


# In

def _put(link, message):
    """Adds a part to a file in new/."""
    name = message["name"]
    k = message["k"]
    if name != MANIFEST and not _may_come(name):
        link.no(message, "board.file_name", (name,))
        return
    try:
        data = binascii.a2b_base64(message["d"])
    except ValueError:
        data = None
    path = link.app.hal.path(NEW + name)
    last = k + 1 == message["of"]
    if data is None or k >= message["of"] or len(data) > PUT_BYTES or (len(data) < PUT_BYTES and not last):
        link.no(message, "board.put_order", (name,))
        return
    if k == 0:
        files.remove(link.app.hal.path(SET))       # code that a host has begun to send
        if _free_bytes(link.app.hal.path("") or "/") < RESERVE_BYTES + message["of"] * PUT_BYTES:
            link.no(message, "board.no_room", (name,))
            return
        files.remove(link.app.hal.path(READY))     # the set waiting there is no longer complete
        files.make_folder(link.app.hal.path("new"))
        files.make_folder(link.app.hal.path(NEW + name.split("/")[0]) if "/" in name else link.app.hal.path("new"))
    else:
        size = _size(path)
        if size == k * PUT_BYTES + len(data):      # it has come before; only our reply was lost
            link.ok(message)
            return
        if size != k * PUT_BYTES:
            link.no(message, "board.put_order", (name,))
            return
    with open(path, "ab" if k else "wb") as file:
        files.write_all(file, data)
    link.ok(message)


def _may_come(name):
    """Whether a file with this name may come over the link: tracks/NAME or text/NAME."""
    folder, _, rest = name.partition("/")
    return folder + "/" in OPEN_FOLDERS and 0 < len(rest) <= 60 and rest[0] != "." and _is_plain(rest)


def _is_plain(name):
    """Whether a name has only letters, digits, - _ and . in it."""
    return all(["a" <= c <= "z" or "A" <= c <= "Z" or "0" <= c <= "9" or c in "-_." for c in name])


def _commit(link, message):
    """Checks that the set in new/ is complete and changes only tracks and texts; then it is ready."""
    hal = link.app.hal
    if message["name"] != MANIFEST or _crc(hal.path(NEW + MANIFEST)) != message["crc"]:
        link.no(message, "board.set_broken", (MANIFEST,))
        return
    wrong = _other_changes(hal)
    if wrong:
        link.no(message, "board.set_code", (wrong,))
        return
    wrong = _not_whole(hal)
    if wrong:
        link.no(message, "board.set_broken", (wrong,))
        return
    files.write(hal.path(READY), hal.path(READY + ".new"), (message["crc"].encode(),))
    link.ok(message)
    if link.app.state == "idle":
        link.app.go("idle")                        # which installs it


def _other_changes(hal):
    """The first name outside our open folders whose line differs between the two manifests, or "". Both are sorted."""
    old = _entries(hal.path(MANIFEST))
    new = _entries(hal.path(NEW + MANIFEST))
    while True:
        one = step(old)
        while one and one[2].startswith(OPEN_FOLDERS):
            one = step(old)
        other = step(new)
        while other and other[2].startswith(OPEN_FOLDERS):
            other = step(new)
        if one != other:
            return min([line[2] for line in (one, other) if line]) or MANIFEST  # a line may lack a name
        if one is None:
            return ""


def _not_whole(hal):
    """The first track or text of the new manifest that is neither in new/ nor on the board as described, or ""."""
    for crc, size, name in _entries(hal.path(NEW + MANIFEST)):
        if name.startswith(OPEN_FOLDERS):
            path = hal.path(NEW + name)
            if _size(path) < 0:
                path = hal.path(name)
            if str(_size(path)) != size or _crc(path) != crc:
                return name
    return ""


def _entries(path):
    """The lines of a manifest as (crc, size, name); nothing if there is no such file."""
    head = True
    try:
        for line in files.lines_of(path):
            words = str(line, "utf-8").split(" ")
            if not head and len(words) == 3:
                yield tuple(words)
            head = False
    except (OSError, UnicodeError):
        return


def _crc(path):
    """The CRC-32 of a file in eight digits, "" if it can't be read."""
    piece = bytearray(512)
    view = memoryview(piece)
    crc = 0
    try:
        with open(path, "rb") as file:
            while True:
                count = file.readinto(piece)
                if not count:
                    return "%08x" % crc
                crc = files.crc_of(view[:count], crc)
    except OSError:
        return ""


def _size(path):
    try:
        return os.stat(path)[6]
    except OSError:
        return -1


def _free_bytes(path):
    if not hasattr(os, "statvfs"):
        return 1 << 29
    found = os.statvfs(path)
    return min(1 << 29, found[0] * found[3])


# Out

def _read(link, message):
    name = message["name"]
    if name == "listing":
        link.files.append(_listing(link.app.hal))
    elif name == FROZEN_LIST:
        link.files.append(_frozen())
    elif name not in READABLE and not (name.startswith(READABLE_FIRST) and _is_plain(name[5:])):
        link.no(message, "board.file_name", (name,))
    elif _size(link.app.hal.path(name)) < 0:
        link.no(message, "board.no_file", (name,))
    else:
        link.files.append(_parts(link.app.hal.path(name), name))


def _parts(path, name):
    """The messages that carry a file, one by one."""
    size = _size(path)
    of = max(1, (size + READ_BYTES - 1) // READ_BYTES)
    with open(path, "rb") as file:
        for k in range(of):
            yield part(name, k, of, file.read(READ_BYTES))


def _frozen():
    """The messages with the list of what is frozen into the firmware."""
    content = frozen(FROZEN_LIST) or b""
    of = max(1, (len(content) + READ_BYTES - 1) // READ_BYTES)
    for k in range(of):
        yield part(FROZEN_LIST, k, of, content[k * READ_BYTES:(k + 1) * READ_BYTES])


def _listing(hal):
    """The messages that carry a list of all files except saves, with their sizes: a line `size path`
    each. Their number is unknown until the last one: until then `of` is one more than have come."""
    text = b""
    k = 0
    for line in _walk(hal, ""):
        text += line.encode()
        if len(text) >= READ_BYTES:
            yield part("listing", k, k + 2, text)
            text = b""
            k += 1
    yield part("listing", k, k + 1, text)


def _walk(hal, folder):
    for name in os.listdir(hal.path(folder) or "/"):
        path = folder + "/" + name if folder else name
        try:
            found = os.stat(hal.path(path))
        except OSError:                            # it disappeared between two messages, as starts.txt does
            continue
        if found[0] & 0x4000 == 0:
            yield "%d %s\n" % (found[6], path)
        elif path != "save":
            for line in _walk(hal, path):
                yield line
