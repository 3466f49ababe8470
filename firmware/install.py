"""Replaces the old set of files by the one waiting in the folder new/: all of it or nothing.

Power may be cut at any moment. A set is ready once new/ready is there: it holds the CRC-32 of new/manifest.txt, which
lists every file of the set, a line `crc size path` each after its first line, and that of new/set, if there is one.

new/set has the files that have changed. Its first line is `gridglow set 1 deflate BITS` or `gridglow
set 1 stored`; the rest is deflated with a window of 2 ** BITS bytes, or stored as it is: for each
file its line as in the manifest, then its bytes. A file that lies in new/ by itself counts as well.

boot.py calls `apply` before anything else is imported; if it was cut short, it continues from there.
"""

import binascii
import gc
import os

MANIFEST = "manifest.txt"
NEW = "new/"
READY = "new/ready"
SET = "new/set"
#: The file being unpacked from new/set.
COMING = "new/coming"
#: These belong entirely to us; in the root, only these files and those that a manifest lists do.
FOLDERS = ("code", "text", "tracks")
ROOT_FILES = ("board.json", "safe_pin.txt")

_rename = getattr(os, "replace", None) or os.rename  # Windows' rename doesn't overwrite an existing file


def apply(root=""):
    """Installs what is ready under `root` ("" or a path that ends in "/"). Returns "nothing" if
    nothing is, "done", or "broken" if the set in new/ was incomplete: then it is discarded and the old
    one stays. Raises OSError if the flash can't be written; the next call continues from there."""
    _remove(root + "new/none")                     # littlefs completes an interrupted move only at its next change; until
    wanted = _ready(root)                          # then the file after the moved one can't be seen
    if not wanted:
        return "nothing"
    if crc_size(root + NEW + MANIFEST)[0] != wanted[0]:
        if not _is_file(root + NEW + MANIFEST) and crc_size(root + MANIFEST)[0] == wanted[0]:
            _clear(root)                           # cut short while cleaning up
            return "done"
        return _throw_away(root)
    packed = ()
    if len(wanted) > 1:
        packed = packed_files(root) if crc_size(root + SET)[0] == wanted[1] else None
    if packed is None or not whole(root, packed):
        return _throw_away(root)
    _install(root, packed)
    _rename(root + NEW + MANIFEST, root + MANIFEST)
    _clear(root)
    return "done"


def packed_files(root=""):
    """The content of new/set, as a set of (crc, size, name), once each file has been read out
    correctly; None if one hasn't."""
    found = set()
    try:
        for crc, size, name, source in members(root + SET):
            if _pass_on(source, int(size)) != (crc, size):
                return None
            found.add((crc, size, name))
    except (OSError, EOFError, ValueError, IndexError, ImportError):
        return None
    return found


def members(path):
    """The files of a set as (crc, size, name, source), one by one; each must be read from its source."""
    with open(path, "rb") as file:
        words = str(file.readline(), "utf-8").split()
        if words[:3] != ["gridglow", "set", "1"]:
            raise ValueError(path)
        source = file
        if words[3] == "deflate":
            import deflate  # subset: ok there is no seam before the app; only a board is sent a set in this form
            gc.collect()                           # the window is a single block
            source = deflate.DeflateIO(file, deflate.RAW, int(words[4]))
        count = 0
        while True:
            count += 1
            if not count % 8:
                gc.collect()                       # else what is kept of each file would be scattered over the heap
            line = str(source.readline(), "utf-8")
            if not line:
                return
            words = line.strip().split(" ")
            yield words[0], words[1], words[2], source


def whole(root="", packed=()):
    """Whether each file of the new manifest is packed, or is in new/ or at its destination, as the manifest says."""
    for crc, size, name in entries(root + NEW + MANIFEST):
        if (crc, size, name) in packed:
            continue
        path = root + NEW + name
        if crc_size(path if _is_file(path) else root + name) != (crc, size):
            return False
    return True


def _install(root, packed):
    names = {}
    for crc, _size, name in entries(root + NEW + MANIFEST):
        _take(root, name)
        names[name] = crc
        if not len(names) % 8:
            gc.collect()                           # for the window, see members
    _drop_stale(root, names)
    for crc, size, name, source in members(root + SET) if packed else ():
        if names.get(name) != crc or crc_size(root + name) == (crc, size):
            _pass_on(source, int(size))
        else:
            _unpack(root, crc, size, name, source)


def _unpack(root, crc, size, name, source):
    """Replaces the old file by one from new/set; the old one goes first: there may be no room for both."""
    _remove(root + name)
    with open(root + COMING, "wb") as file:
        _pass_on(source, int(size), file)
    if crc_size(root + COMING) != (crc, size):
        raise OSError(5)                           # the flash no longer returns what it did a moment ago
    make_folders(root + name)
    _rename(root + COMING, root + name)


def _drop_stale(root, names):
    """Removes files of ours that aren't in the new set."""
    for name in ROOT_FILES:
        if name not in names:
            _remove(root + name)
    for _crc, _size, name in entries(root + MANIFEST):
        if "/" not in name and name not in names:
            _remove(root + name)
    for folder in FOLDERS:
        _keep_only(root, folder, names)


def entries(path):
    """The lines of a manifest as (crc, size, name), one by one; nothing if there is no such file.
    Other lines, and those that lead out of our folders, are left out."""
    try:
        file = open(path)
    except OSError:
        return
    with file:
        file.readline()
        for line in file:
            words = line.strip().split(" ")
            if len(words) == 3 and len(words[0]) == 8 and allowed(words[2]):
                yield words[0], words[1], words[2]


def allowed(name):
    """Whether a file with this name may be installed: below one of our folders or in the root, never a save."""
    for part in name.split("/"):
        if part in ("", ".", "..", "save", "new"):
            return False
    return "\\" not in name and (name.split("/")[0] in FOLDERS if "/" in name else name != MANIFEST)


def crc_size(path):
    """The CRC-32 of a file in eight hexadecimal digits and its size, both as text; ("", "") if it can't be read."""
    try:
        with open(path, "rb") as file:
            return _pass_on(file, 1 << 29)
    except OSError:
        return "", ""


def _pass_on(source, size, out=None):
    """Reads up to `size` bytes, and writes them to `out` if given. Returns their CRC-32 and how
    many there were, as `crc_size` does. Raises OSError."""
    part = bytearray(512)
    view = memoryview(part)
    crc = 0
    left = size
    while left:
        count = source.readinto(view[:left] if left < 512 else part)
        if not count:
            break
        crc = binascii.crc32(view[:count], crc)
        left -= count
        if out is not None and out.write(view[:count]) != count:
            raise OSError(28)
    return "%08x" % (crc & 0xFFFFFFFF), str(size - left)


def make_folders(path):
    """Makes the folders in a file's path."""
    at = path.find("/", 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError:
            pass                                   # it is there already, or the file's own write says why not
        at = path.find("/", at + 1)


def _ready(root):
    """The words of new/ready, or None if it doesn't exist."""
    try:
        with open(root + READY) as file:
            return file.read(32).split() or ["empty"]
    except OSError:
        return None


def _take(root, name):
    """Moves a file of the new set over the old one, if it is in new/."""
    if _is_file(root + NEW + name):
        make_folders(root + name)
        _rename(root + NEW + name, root + name)


def _keep_only(root, folder, names):
    """Removes files in a folder of ours that aren't listed: old ones, twins (a .py beside its .mpy)."""
    for name in _listed(root + folder):
        name = folder + "/" + name
        if name not in names:
            if _is_file(root + name):
                _remove(root + name)
            else:
                _keep_only(root, name, names)
    _remove_folder(root + folder)


def _throw_away(root):
    """Discards an incomplete set. The mark goes first: with a part of the set gone, it might look complete."""
    _remove(root + READY)
    _clear(root)
    return "broken"


def _clear(root):
    """Removes new/, the mark last of all."""
    for name in _listed(root + NEW[:-1]):
        if name != "ready":
            _clear_tree(root + NEW + name)
    _remove(root + READY)
    _remove_folder(root + NEW[:-1])


def _clear_tree(path):
    if _is_file(path):
        _remove(path)
    else:
        for name in _listed(path):
            _clear_tree(path + "/" + name)
        _remove_folder(path)


def _is_file(path):
    try:
        return os.stat(path)[0] & 0x4000 == 0
    except OSError:
        return False


def _listed(path):
    try:
        return os.listdir(path)
    except OSError:
        return ()


def _remove(path):
    try:
        os.remove(path)
    except OSError:
        pass


def _remove_folder(path):
    """Removes a folder if it is empty."""
    try:
        os.rmdir(path)
    except OSError:
        pass
