"""Which pixel each space of a track has: from the track's file, or as found by walking it on this board.

`tracks/ID.leds` comes with the track. `save/leds-ID` is the same with the pixels that `gridglow walk`
found. It applies as long as its head (hash, lighting, output) matches the track's file, whatever is synced.
"""

import json

from glow.store import files
from hal.data_files import open_data

HEAD_MOST = 200
END = b'"leds":'


def load(hal, track):
    """The table of a track, a dict. Raises OSError or ValueError if none can be read."""
    path = "tracks/" + track + ".leds"
    head = _head(hal, path)
    try:
        if head and _head(hal, _walked(track)) == head:
            return _table(hal, _walked(track))
    except (OSError, ValueError):
        pass                                       # nobody has walked this track, or the file is damaged
    return _table(hal, path)


def _table(hal, path):
    with open_data(hal, path) as file:
        leds = json.load(file)
    if not isinstance(leds, dict):
        raise ValueError("no table")
    return leds


def store(hal, track, numbers):
    """Stores the pixels of a track (a text of numbers separated by spaces); "" or why that can't be done."""
    if not is_id(track):
        return "no track"
    try:
        head = _head(hal, "tracks/" + track + ".leds")
    except OSError:
        return "no track"
    body = (numbers.replace(" ", ",") + "]}").encode()
    if not head or not _whole_numbers(numbers):
        return "no numbers"
    files.make_folder(hal.path("save"))
    try:
        path = hal.path(_walked(track))
        files.write(path, path + ".new", (head, END, b"[", body))
    except OSError as error:
        return "full" if files.reason_of(error) == "save.full" else "unwritable"
    return ""


def is_id(track):
    """Whether this can be the id of a track, and so part of a file name."""
    return all(["a" <= c <= "z" or "0" <= c <= "9" or c == "-" for c in track])


def forget(hal, track):
    """Goes back to the track's own file."""
    if is_id(track):
        files.remove(hal.path(_walked(track)))


def _walked(track):
    return "save/leds-" + track


def _head(hal, path):
    """The start of a table up to its pixels, as bytes; empty if there is none."""
    with open_data(hal, path) as file:
        start = file.read(HEAD_MOST)
    return start[:start.find(END)] if END in start else b""


def _whole_numbers(text):
    for word in text.split(" "):
        if word != "-1":
            if not 0 < len(word) < 5:
                return False
            for letter in word:
                if not "0" <= letter <= "9":
                    return False
    return True
