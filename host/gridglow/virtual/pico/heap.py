"""MicroPython's heap, read from the emulated RAM while the board runs, without involving the firmware.

Its allocation table has two bits per block of 16 bytes: free, head, tail, and marked (a head that a collection has found in
use). The collector's own record in the RAM gives the table's address; it is found by its consistent numbers.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

RAM_BEGIN = 0x20000000
BLOCK_BYTES = 16
BLOCKS_A_BYTE = 4
#: A table of fewer bytes can't be that of a board's heap.
TABLE_LEAST_BYTES = 256
#: Tables that may follow that of the blocks, each with a pointer in the record: for finalisers, for weak references.
OTHER_TABLES = (0, 1, 2)
_KINDS = [[byte >> 2 * shift & 3 for shift in range(BLOCKS_A_BYTE)] for byte in range(256)]
_FREE_OF = bytes(kinds.count(0) for kinds in _KINDS)
_UNMARKED = bytes(byte for byte, kinds in enumerate(_KINDS) if 3 not in kinds)


@dataclass(frozen=True)
class HeapTable:
    """The addresses of the table and its blocks; a `ram` to read holds the bytes from RAM_BEGIN on."""

    table: int
    table_bytes: int
    pool: int
    pool_end: int

    @property
    def bytes(self) -> int:
        """The size of the heap."""
        return self.pool_end - self.pool

    def read(self, ram) -> tuple[int, bool]:
        """(free bytes, whether a collection is under way): what `gc.mem_free()` would return now."""
        begin = self.table - RAM_BEGIN
        kinds = bytes(ram[begin:begin + self.table_bytes])
        return BLOCK_BYTES * sum(kinds.translate(_FREE_OF)), bool(kinds.translate(None, _UNMARKED))

    def words(self, ram) -> array:
        """The whole heap as 32-bit words."""
        return array("I", bytes(ram[self.pool - RAM_BEGIN:self.pool_end - RAM_BEGIN]))


def find(ram) -> HeapTable | None:
    """The heap's table, or None if there is none yet (MicroPython hasn't started) or several places look like its record."""
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
            # After the table a free byte, then the other tables with one bit per block each.
            if fits and table + size < pool <= table + 2 * size + BLOCK_BYTES:
                found.add(HeapTable(table, size, pool, pool_end))
    return found.pop() if len(found) == 1 else None


class Collections:
    """Detects collections from outside: while one is under way, looks at the table find marked blocks.

    Pass each look to `take`; if it returns a number, that many bytes were free right after a collection. The sweep goes on
    for a moment after the last marked block, and then the board allocates again: so the highest free count shortly after is
    what the collection left.
    """

    swept_us = 2000.0
    #: How often to look during a collection or just after it.
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
        """Takes a look. Returns the bytes that a collection left free, once that is known; else None."""
        left = None
        if marked:
            if self._ended_us is not None:         # the next one has already begun
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
