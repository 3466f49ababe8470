"""Files on flash in a form that shows whether they are complete: lines and texts with their CRC, written by renaming."""

import binascii
import os

FORMAT = 1
LOG = "race.log"
GENERATIONS = ("race.a", "race.b")
NEW = "race.new"

ENOENT = 2
_NO_SPACE = (28, 122)  # ENOSPC, EDQUOT
TRAILER_BYTES = 11  # "\n*" + 8 hexadecimal digits + "\n"
PART = 512
_LINE_MOST_BYTES = 16384

_replace = getattr(os, "replace", None) or os.rename  # Windows' rename doesn't overwrite an existing file


def crc_of(data, start=0):
    """The CRC-32 of bytes, continuing from `start`."""
    return binascii.crc32(data, start) & 0xFFFFFFFF


def reason_of(error):
    """The text key that says why a write failed."""
    return "save.full" if error.args and error.args[0] in _NO_SPACE else "save.unwritable"


def write(path, temporary, pieces):
    """Write pieces of bytes to a temporary file, close it and rename it to `path`. Raises OSError."""
    with open(temporary, "wb") as file:
        for piece in pieces:
            write_all(file, piece)
    _replace(temporary, path)


def write_all(file, data):
    """Write all of `data`; a flash that takes only part of it is full. Raises OSError."""
    count = file.write(data)
    if count is not None and count != len(data):
        raise OSError(_NO_SPACE[0])


def remove(path):
    """Remove a file if it is there and can be removed."""
    try:
        os.remove(path)
    except OSError:
        pass


def make_folder(folder):
    """Make a folder if there is none, if possible."""
    try:
        os.stat(folder)
    except OSError:
        try:
            os.mkdir(folder)
        except OSError:
            pass


def sealed(body):
    """A line of bytes with its CRC and line end."""
    return body + (" *%08x\n" % crc_of(body)).encode()


def opened(line):
    """The body of a line (without its end), or None if its CRC is wrong."""
    if len(line) < 10 or line[-10:-8] != b" *":
        return None
    body = line[:-10]
    return body if ("%08x" % crc_of(body)).encode() == line[-8:] else None


def lines_of(path):
    """The lines of a file as bytes without their ends, one by one; a last line without an end is included."""
    with open(path, "rb") as file:
        rest = b""
        while True:
            part = file.read(PART)
            if not part:
                break
            rest += part
            at = 0
            end = rest.find(b"\n")
            while end >= 0:
                yield rest[at:end]
                at = end + 1
                end = rest.find(b"\n", at)
            rest = rest[at:]
            if len(rest) > _LINE_MOST_BYTES:  # not a line of ours: what was once text may be anything
                yield rest
                rest = b""
        if rest:
            yield rest


def ints(words):
    """The words (bytes) as whole numbers, or None if one isn't a number."""
    found = []
    for word in words:
        if not 0 < len(word) < 10:
            return None
        for byte in word:
            if not 48 <= byte <= 57:
                return None
        found.append(int(word))
    return found


def snapshot_pieces(head, texts):
    """The bytes of a snapshot, piece by piece: head, the texts, and the CRC of everything."""
    crc = crc_of(head)
    yield head
    for text in texts:
        piece = text.encode()
        crc = crc_of(piece, crc)
        yield piece
    yield ("\n*%08x\n" % crc).encode()
