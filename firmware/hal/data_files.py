"""The only access to files that a board reads but never writes: board file, texts, tracks and LED maps.

On a board they are frozen into the firmware, where they can be read with no copy in the heap. A
file with the same name on the file system comes first. Frozen LED maps and the frozen list of
tracks belong to the frozen board file, and are used with it alone.
"""

import io
import json
import os

try:
    import frozen_data
except ImportError:                                # the virtual board: everything is in its folder
    frozen_data = None

INDEX = "tracks/index.json"


def frozen(name):
    """The bytes of a frozen file, or None."""
    if frozen_data:
        for one, content in frozen_data.FILES:
            if one == name:
                return content
    return None


def frozen_id():
    """The id of what is frozen in, 12 hexadecimal digits; "" if nothing is."""
    if frozen_data is None:
        return ""
    return json.loads(frozen_data.MARK[frozen_data.MARK.find(b":") + 1:])["id"]


def open_data(hal, name):
    """The file, opened for reading bytes. Raises OSError if there is none."""
    try:
        return open(hal.path(name), "rb")
    except OSError:
        found = open_frozen(hal, name)
        if found is None:
            raise
        return found


def open_frozen(hal, name):
    """The frozen file, opened in the same way, whatever the file system has; None if there is none for this board."""
    content = frozen(name) if hal.frozen_board or not _is_of_board(name) else None
    return None if content is None else io.BytesIO(content)


def _is_of_board(name):
    return name == INDEX or name[-5:] == ".leds"


def languages(hal):
    """The languages with texts, sorted."""
    found = [one[5:-5] for one, _ in frozen_data.FILES if one[:5] == "text/"] if frozen_data else []
    try:
        names = os.listdir(hal.path("text"))
    except OSError:
        names = ()
    return sorted(found + [name[:-5] for name in names if name[-5:] == ".pack" and name[:-5] not in found])


def tracks(hal, game=""):
    """The entries of the list of tracks, dicts in menu order, of one game or of all: those of the
    file system, then the frozen ones with other ids. Anything else in a list is left out."""
    return [entry for piece in track_pieces(hal, game) for entry in piece]


def track_pieces(hal, game="", count=100):
    """Yields what `tracks` returns in lists of at most `count`, for a board without room for all of it.
    Between two lists no file is open: code that rewrites the list in between must announce it again."""
    known = []
    fixed = open_frozen(hal, INDEX)
    at = 0
    while at >= 0:
        found = []
        try:
            with open(hal.path(INDEX), "rb") as file:
                found, at = _entries(file, at, b"" if fixed else game.encode(), count)
        except OSError:
            at = -1
        if fixed:
            known += [entry["id"] for entry in found]  # they hide frozen ones, whichever game those belong to
        yield [entry for entry in found if game in ("", entry.get("game"))]
    at = 0 if fixed else -1
    while at >= 0:
        found, at = _entries(fixed, at, game.encode(), count)
        yield [entry for entry in found if entry["id"] not in known and game in ("", entry.get("game"))]


def _entries(file, at, word, count):
    """(some entries of a list, where in the file to continue, or -1). Each has its own line, and
    lines without the word are left out; a list written in another form comes whole."""
    found = []
    try:
        file.seek(at)
        if at == 0 and file.readline() != b"[\n":
            file.seek(0)
            entries = json.load(file)
            return [entry for entry in entries if _is_entry(entry)] if isinstance(entries, list) else [], -1
        while len(found) < count:
            line = file.readline()
            if not line:
                return found, -1
            if word in line and line != b"]\n":
                entry = json.loads(line[:-2] if line[-2:] == b",\n" else line)
                if _is_entry(entry):
                    found.append(entry)
        return found, file.tell()
    except ValueError:
        return found, -1


def _is_entry(entry):
    return isinstance(entry, dict) and isinstance(entry.get("id"), str)
