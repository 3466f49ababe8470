# ruff: noqa: F811 what is removed was there
"""Runs bytecode where it lies in the flash, so that the heap has room for a race.

The image brings the bytecode of all functions in the file code.pool (host/gridglow/device/code_pool.py has its form). The
board copies it once into pool.live, with a random number in each block's head, and then removes code.pool. It looks the
blocks up in the flash by that number: only blocks of the file that is there now have it. Where anything is not as it
should be, all code stays in the heap: the board then has less memory left and is otherwise the same.

`settle` must be called from main.py alone, between two ticks: of a function that runs meanwhile the bytecode would be
given away. So this module isn't in the pool itself.
"""

import os
import struct
import sys
from array import array

SOURCE = "code.pool"
LIVE = "pool.live"
MAGIC = b"GGcp"
HEAD_BYTES = 16
BLOCK_BYTES = 4096
MOST_POINTERS = 8  # words of a block's head that are littlefs': enough for files of a megabyte
XIP = 0x10000000  # where the flash begins in the address space
RAM = 0x20000000


class Pool:
    """The blocks of the pool in the flash, and the heap's borders. `moved_bytes`: bytecode that left the heap so far."""

    def __init__(self, blocks, start, end):
        import uctypes

        from hal.code_move import move
        self.moved_bytes = 0
        self._move = move
        self._known = 0
        self._blocks = blocks
        self._start = start
        self._end = end
        self._word = struct.calcsize("P")
        waiting = _some()
        next(waiting)
        self._kinds = b""
        for one in (_add, _some, waiting):
            self._kinds += bytes(uctypes.bytearray_at(id(one), self._word))
        if self._word == 4:
            self._kinds = b"".join([self._kinds[at:at + 4] + b"\0\0\0\0" for at in (0, 4, 8)])
        self._address = uctypes.addressof(blocks)

    def settle(self):
        """After modules were loaded: has their functions run out of the flash. Costs next to nothing when none were, else
        a Pico some ms."""
        count = len(sys.modules)
        if count != self._known:
            self._known = count
            self.moved_bytes += self._move(self._start + (id(self) - self._start) % (4 * self._word), self._end, self._word,
                                           self._kinds, self._address, len(self._blocks))


def _add(one, two):
    return one + two


def _some():
    yield 1
    yield 2


def prepare():
    """The `Pool` of this Pico, or None where it has none. The first start after an installation copies the pool, which
    takes some seconds. There is only one `Pool` a start: what makes it goes with that."""
    global prepare, ready, number_of, first_address, find, pointer_bytes, _add, _some
    if not ready(SOURCE, LIVE):
        return None
    import rp2
    flash = rp2.Flash()
    base = first_address(flash)
    if not base:
        return None
    blocks = find(LIVE, base, flash.ioctl(4, 0))
    if not blocks:
        return None
    ram = 0x82000 if "RP2350" in sys.implementation._machine else 0x42000
    pool = Pool(blocks, RAM, RAM + ram)
    del prepare, ready, number_of, first_address, find, pointer_bytes, _add, _some  # a race has the room
    return pool


def ready(source, live):
    """Whether `live` stands as a board's own copy. A `source` that is there is copied first, where it is a newer one."""
    try:
        os.stat(source)
    except OSError:
        return bool(number_of(live))
    from hal.code_copy import copy
    made = copy(source, live)
    del sys.modules["hal.code_copy"]
    return made


def number_of(live):
    """The bytes by which a board's own copy can be told from that of another pool; b"" where it is none."""
    try:
        with open(live, "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return b""
    return head[:8] if head[:4] == MAGIC and head[8:12] != b"\0\0\0\0" else b""


def first_address(flash):
    """Where the file system's first block lies in the address space: it ends with the flash, whose size is looked for.
    0 where it isn't found."""
    import uctypes
    blocks = flash.ioctl(4, 0)
    size = flash.ioctl(5, 0)
    part = bytearray(64)
    for megabytes in (2, 4, 8, 16, 1):
        base = XIP + (megabytes << 20) - blocks * size
        if base < XIP:
            continue
        right = True
        for block in (0, 1, 2, blocks // 2):
            flash.readblocks(block, part, 0)
            right = right and bytes(part) == bytes(uctypes.bytearray_at(base + block * size, 64))
        if right:
            return base
    return 0


def find(live, base, count):
    """The addresses of a pool's heads in the flash, an array in the order of its blocks; None unless each block is found,
    and found once. `base`: where block 0 of `count` lies."""
    import uctypes
    with open(live, "rb") as file:
        wanted = file.read(12)
    total = -(-os.stat(live)[6] // BLOCK_BYTES)
    found = array("L", bytes(total * struct.calcsize("L")))
    for block in range(count):
        at = base + block * BLOCK_BYTES
        start = uctypes.bytearray_at(at, 4 * MOST_POINTERS + HEAD_BYTES)
        for skip in range(0, 4 * MOST_POINTERS, 4):
            if start[skip] == 0x47 and start[skip:skip + 12] == wanted:
                number = start[skip + 12] | start[skip + 13] << 8
                if number >= total or found[number] or skip != pointer_bytes(number):
                    return None
                found[number] = at + skip
                break
    for address in found:
        if not address:
            return None
    return found


def pointer_bytes(block):
    """How much of a file's n-th block littlefs takes for itself."""
    size = 0
    while block:
        size += 4
        if block & 1:
            break
        block >>= 1
    return size
