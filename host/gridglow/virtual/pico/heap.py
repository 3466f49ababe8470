"""MicroPython's heap, read out of the emulated RAM while the board runs: nothing is asked of the firmware.

Its allocation table has two bits a block of 16 bytes: free, head, tail, and marked (a head that a collection has found in
use). Where the table lies, the collector's own record in the RAM tells; it is found by its numbers, which fit each other.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

RAM_BEGIN = 0x20000000
BLOCK_BYTES = 16
BLOCKS_A_BYTE = 4
#: A table of fewer bytes isn't that of a board's heap.
TABLE_LEAST_BYTES = 256
#: Tables that may lie behind that of the blocks, each with a pointer in the record: for finalisers, for weak references.
OTHER_TABLES = (0, 1, 2)
_KINDS = [[byte >> 2 * shift & 3 for shift in range(BLOCKS_A_BYTE)] for byte in range(256)]
_FREE_OF = bytes(kinds.count(0) for kinds in _KINDS)
_UNMARKED = bytes(byte for byte, kinds in enumerate(_KINDS) if 3 not in kinds)


@dataclass(frozen=True)
class HeapTable:
    """Where the table and its blocks lie, as addresses; what is read of a `ram` are its bytes from RAM_BEGIN on."""

    table: int
    table_bytes: int
    pool: int
    pool_end: int

    @property
    def bytes(self) -> int:
        """The size of the heap."""
        return self.pool_end - self.pool

    def read(self, ram) -> tuple[int, bool]:
        """(free bytes, whether a collection is under way): what `gc.mem_free()` would tell now."""
        begin = self.table - RAM_BEGIN
        kinds = bytes(ram[begin:begin + self.table_bytes])
        return BLOCK_BYTES * sum(kinds.translate(_FREE_OF)), bool(kinds.translate(None, _UNMARKED))

    def words(self, ram) -> array:
        """All of the heap as words of 32 bits."""
        return array("I", bytes(ram[self.pool - RAM_BEGIN:self.pool_end - RAM_BEGIN]))


def find(ram) -> HeapTable | None:
    """The heap's table, None while there is none (MicroPython hasn't begun) or where several places look like its record."""
    words = array("I", bytes(ram))
    end = RAM_BEGIN + 4 * len(words)
    found = set()
    for index in range(len(words) - 5):
        table, size = words[index], words[index + 1]
        if not (RAM_BEGIN < table < end and TABLE_LEAST_BYTES <= size < len(words)):
            continue
        for more in OTHER_TABLES:
            pool, pool_end = words[index + 2 + more], words[index + 3 + more] if index + 3 + more < len(words) else 0
            fits = pool_end - pool == BLOCKS_A_BYTE * BLOCK_BYTES * size and pool_end <= end and not pool_end % BLOCK_BYTES
            # Behind the table a byte that is free, and the others, with a bit a block each.
            if fits and table + size < pool <= table + 2 * size + BLOCK_BYTES:
                found.add(HeapTable(table, size, pool, pool_end))
    return found.pop() if len(found) == 1 else None


class Collections:
    """Tells collections from outside: looks at the table while one is under way find marked blocks.

    `take` each look; where it returns a number, that many bytes were free right after a collection. The sweep goes on for
    a moment behind the last marked block, and then the board takes memory again: so the most that is free shortly after is
    what the collection has left.
    """

    swept_us = 2000.0
    #: How often to look while one is under way or has just ended.
    look_us = 250.0

    def __init__(self) -> None:
        self.count = 0
        self.longest_us = 0.0
        self._begun_us: float | None = None
        self._ended_us: float | None = None
        self._most = 0

    @property
    def watches(self) -> bool:
        """Whether the next look should come soon."""
        return self._begun_us is not None or self._ended_us is not None

    def take(self, now_us: float, free_bytes: int, marked: bool) -> int | None:
        """A look. The bytes that a collection has left free, once that is known; else None."""
        left = None
        if marked:
            if self._ended_us is not None:         # the next one has begun already
                left = self._done()
            if self._begun_us is None:
                self._begun_us = now_us
            return left
        if self._begun_us is not None:
            self.longest_us = max(self.longest_us, now_us - self._begun_us)
            self._begun_us, self._ended_us, self._most = None, now_us, free_bytes
        elif self._ended_us is not None:
            self._most = max(self._most, free_bytes)
            if now_us - self._ended_us >= self.swept_us:
                left = self._done()
        return left

    def _done(self) -> int:
        self.count += 1
        self._ended_us = None
        return self._most
