"""The changed files of a board as one file, new/set, which `firmware/install.py` unpacks (it has the form).

One file takes half the room that many small ones take beside the old set, and a copy of it that was broken off can go
on where it stopped: the same files always make the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from gridglow.device import code_files
from gridglow.device.manifest import MOST_FIRST, POOL, crc_of

NAME = "new/set"
FIRST_LINE = "gridglow set 1"
#: The board unpacks with a window of so many bits, before anything else is loaded: 32 kB of its heap.
WINDOW_BITS = 15
#: A part of another file is looked for by so many bytes, and taken where it has so many; shorter ones don't pay.
SEED_BYTES, LEAST_BYTES = 16, 24


def pack(names: Iterable[str], contents: Mapping[str, bytes], deflate: bool = True) -> bytes:
    """The archive of these files; not `deflate` for a board whose MicroPython can't unpack."""
    body = b"".join(_member(name, contents) for name in in_order(names))
    if not deflate:
        return f"{FIRST_LINE} stored\n".encode() + body
    packer = zlib.compressobj(9, zlib.DEFLATED, -WINDOW_BITS, 9)
    return f"{FIRST_LINE} deflate {WINDOW_BITS}\n".encode() + packer.compress(body) + packer.flush()


def _member(name: str, contents: Mapping[str, bytes]) -> bytes:
    data = contents[name]
    line = f"{crc_of(data)} {len(data)} {name}"
    if name != POOL:
        return f"{line}\n".encode() + data
    code = (code_files.END, code_files.MODULE)
    orders = _orders(data, {other: text for other, text in contents.items() if other.endswith(code)})
    return f"{line} {len(orders)}\n".encode() + b"".join(orders) if orders else f"{line}\n".encode()


def _orders(data: bytes, others: Mapping[str, bytes]) -> list[bytes]:
    """How these bytes are made of parts of other files and of bytes of their own: the code in the pool is that of the
    modules, too far away in the archive for deflate to see."""
    places: dict[bytes, tuple[str, int]] = {}
    for name in sorted(others):
        for at in range(len(others[name]) - SEED_BYTES + 1):
            places.setdefault(others[name][at:at + SEED_BYTES], (name, at))
    orders = []
    begin = at = 0  # data[begin:at] is in no order yet
    while at < len(data):
        name, place = places.get(data[at:at + SEED_BYTES], ("", 0))
        count = _same(data, at, others[name], place) if name else 0
        if count < LEAST_BYTES:
            at += 1
            continue
        if at > begin:
            orders.append(b"%d\n%b" % (at - begin, data[begin:at]))
        orders.append(b"%d %d %b\n" % (count, place, name.encode()))
        begin = at = at + count
    if at > begin:
        orders.append(b"%d\n%b" % (at - begin, data[begin:at]))
    return orders


def _same(one: bytes, at: int, other: bytes, place: int) -> int:
    """How many bytes from here on are the same in both."""
    count = 0
    while at + count < len(one) and place + count < len(other) and one[at + count] == other[place + count]:
        count += 1
    return count


def in_order(names: Iterable[str]) -> list[str]:
    """In the order in which the board unpacks them: the installer itself comes first, what is made of others last."""
    def place(name: str) -> tuple[int, str]:
        return MOST_FIRST.index(name) - len(MOST_FIRST) if name in MOST_FIRST else name == POOL, name

    return sorted(names, key=place)


__all__ = ["NAME", "in_order", "pack"]
