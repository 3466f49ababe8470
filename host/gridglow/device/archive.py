"""A board's changed files as one file, new/set, which `firmware/install.py` unpacks (the format is described there).

Beside the old set, one file takes half the room of many small ones, and an interrupted copy can continue where it
stopped: the same files always make the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from gridglow.device.manifest import crc_of

NAME = "new/set"
FIRST_LINE = "gridglow set 1"
#: The board's decompression window is 2 to this power: 32 kB of its heap, used before anything else is loaded.
WINDOW_BITS = 15


def pack(names: Iterable[str], contents: Mapping[str, bytes], deflate: bool = True) -> bytes:
    """The archive of these files; without `deflate` for a board whose MicroPython can't decompress."""
    body = b"".join(_member(name, contents) for name in sorted(names))
    if not deflate:
        return f"{FIRST_LINE} stored\n".encode() + body
    packer = zlib.compressobj(9, zlib.DEFLATED, -WINDOW_BITS, 9)
    return f"{FIRST_LINE} deflate {WINDOW_BITS}\n".encode() + packer.compress(body) + packer.flush()


def _member(name: str, contents: Mapping[str, bytes]) -> bytes:
    data = contents[name]
    return f"{crc_of(data)} {len(data)} {name}\n".encode() + data


__all__ = ["NAME", "pack"]
