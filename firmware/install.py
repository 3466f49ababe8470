"""Puts the set of files that lies ready in the folder new/ in the place of the old one, all of it or nothing.

Power may be cut at any moment. A set is ready once new/ready is there: it holds the CRC-32 of new/manifest.txt, which
lists every file of the set, a line `crc size path` each behind its first line. Files of the set that haven't changed
aren't in new/. boot.py calls `apply` before anything else is imported; where it was cut short it goes on from there.
This stays a source, so that any board can run it; it imports nothing of ours.
"""

import binascii
import os

MANIFEST = "manifest.txt"
NEW = "new/"
READY = "new/ready"
#: These are ours as a whole; in the root only what a manifest lists is.
FOLDERS = ("shared_rules", "glow", "hal", "drivers", "text", "tracks")
#: A board that starts in the middle of an installation goes on by these, so they come first.
FIRST = ("install.py", "boot.py")

_rename = getattr(os, "replace", None) or os.rename  # Windows' rename does not go over an old file


def apply(root=""):
    """Installs what is ready under `root` ("" or a path that ends in "/"). Returns "nothing" where nothing is, "done",
    or "broken" where the set in new/ was not whole: then it is thrown away and the old one stays. Raises OSError where
    the flash can't be written; the next call goes on from there."""
    _remove(root + "new/none")                     # littlefs ends a move that was cut short at its next change; until
    wanted = _ready(root)                          # then the file behind the moved one can't be seen
    if wanted is None:
        return "nothing"
    if crc_size(root + NEW + MANIFEST)[0] != wanted:
        if not _is_file(root + NEW + MANIFEST) and crc_size(root + MANIFEST)[0] == wanted:
            _clear(root)                           # cut short while it tidied up
            return "done"
        return _throw_away(root)
    if not whole(root):
        return _throw_away(root)
    names = set()
    for name in FIRST:
        _take(root, name)
    for _crc, _size, name in entries(root + NEW + MANIFEST):
        _take(root, name)
        names.add(name)
    for _crc, _size, name in entries(root + MANIFEST):
        if "/" not in name and name not in names:
            _remove(root + name)
    for folder in FOLDERS:
        _keep_only(root, folder, names)
    _rename(root + NEW + MANIFEST, root + MANIFEST)
    _clear(root)
    return "done"


def whole(root=""):
    """Whether each file of the new manifest lies in new/, or where it belongs, as the manifest says."""
    for crc, size, name in entries(root + NEW + MANIFEST):
        path = root + NEW + name
        if not _is_file(path):
            path = root + name
        if crc_size(path) != (crc, size):
            return False
    return True


def entries(path):
    """The lines of a manifest as (crc, size, name), one by one; nothing where there is no such file. What is no such
    line, or leads out of our folders, is left out."""
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
    """Whether a file of this name may be installed: below one of our folders or in the root, never a save."""
    for part in name.split("/"):
        if part in ("", ".", "..", "save", "new"):
            return False
    return "\\" not in name and (name.split("/")[0] in FOLDERS if "/" in name else name != MANIFEST)


def crc_size(path):
    """The CRC-32 of a file in eight hexadecimal digits and its size, both as text; ("", "") where it can't be read."""
    part = bytearray(512)
    view = memoryview(part)
    crc = 0
    size = 0
    try:
        with open(path, "rb") as file:
            while True:
                count = file.readinto(part)
                if not count:
                    return "%08x" % (crc & 0xFFFFFFFF), str(size)
                crc = binascii.crc32(view[:count], crc)
                size += count
    except OSError:
        return "", ""


def make_folders(path):
    """Makes the folders that a file's path goes through."""
    at = path.find("/", 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError:
            pass                                   # it is there already, or the file's own write says why not
        at = path.find("/", at + 1)


def _ready(root):
    """What new/ready holds, or None where there is none."""
    try:
        with open(root + READY) as file:
            return file.read(16).strip() or "empty"
    except OSError:
        return None


def _take(root, name):
    """Moves a file of the new set over the old one, if it lies in new/."""
    if _is_file(root + NEW + name):
        make_folders(root + name)
        _rename(root + NEW + name, root + name)


def _keep_only(root, folder, names):
    """Removes what lies in a folder of ours and isn't listed: old files, twins (a .py beside its .mpy)."""
    for name in _listed(root + folder):
        name = folder + "/" + name
        if name not in names:
            if _is_file(root + name):
                _remove(root + name)
            else:
                _keep_only(root, name, names)
    _remove_folder(root + folder)


def _throw_away(root):
    """Drops a set that isn't whole. The mark goes first: with a part of it gone it might look whole."""
    _remove(root + READY)
    _clear(root)
    return "broken"


def _clear(root):
    """Removes new/, the mark at the very end."""
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
    """Removes a folder if nothing is in it."""
    try:
        os.rmdir(path)
    except OSError:
        pass
