"""The changed files of a board as one file, new/set, which `firmware/install.py` unpacks (it has the form).

One file takes half the room that many small ones take beside the old set, and a copy of it that was broken off can go
on where it stopped: the same files always make the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from gridglow.device.manifest import MOST_FIRST, crc_of

NAME = "new/set"
FIRST_LINE = "gridglow set 1"
#: The board unpacks with a window of so many bits, before anything else is loaded: 16 kB of its heap. Much of code.pool
#: stands in the modules as well: with 12 bits a whole set takes a fifth more.
WINDOW_BITS = 14


def pack(names: Iterable[str], contents: Mapping[str, bytes], deflate: bool = True) -> bytes:
    """The archive of these files; not `deflate` for a board whose MicroPython can't unpack."""
    body = b"".join(b"%b %d %b\n%b" % (crc_of(contents[name]).encode(), len(contents[name]), name.encode(), contents[name])
                    for name in in_order(names))
    if not deflate:
        return f"{FIRST_LINE} stored\n".encode() + body
    packer = zlib.compressobj(9, zlib.DEFLATED, -WINDOW_BITS, 9)
    return f"{FIRST_LINE} deflate {WINDOW_BITS}\n".encode() + packer.compress(body) + packer.flush()


def in_order(names: Iterable[str]) -> list[str]:
    """In the order in which the board unpacks them: the installer itself comes first."""
    return sorted(names, key=lambda name: (MOST_FIRST.index(name) if name in MOST_FIRST else len(MOST_FIRST), name))


__all__ = ["NAME", "in_order", "pack"]
