"""Checks a text pack before it is used; see texts.py."""

import binascii

from glow.texts.texts import HEAD_BYTES

MAGIC = b"GGTX"
FORMAT = 1


def checked(file):
    """How many texts the pack in an open file has. Raises ValueError where it is no whole, sound pack."""
    head = file.read(HEAD_BYTES)
    if len(head) != HEAD_BYTES or head[:4] != MAGIC or head[4] != FORMAT:
        raise ValueError("no text pack")
    found = 0
    left = _big(head[8:12])
    while left > 0:
        part = file.read(min(left, 512))
        if not part:
            raise ValueError("text pack cut short")
        found = binascii.crc32(part, found)
        left -= len(part)
    if left or found & 0xFFFFFFFF != _big(head[12:16]):
        raise ValueError("text pack damaged")
    return _big(head[6:8])


def _big(data):
    return int.from_bytes(data, "big")
