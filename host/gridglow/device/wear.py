"""How far saves have worn a board's flash: an estimate from the answers and snapshots that the board has saved.

The counts are in the heads of the saves themselves, so counting writes nothing. They start afresh when a board's saves are
lost, for example when it is flashed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Measured on MicroPython's littlefs, a hundred times: blocks erased per answer, and per snapshot of 5 kB.
ERASED_BY_ANSWERS = 107
ERASED_BY_SNAPSHOTS = 225
#: How often a block of a Pico's flash (W25Q16JV) can be erased, at least.
BLOCK_BEARS = 100_000
BLOCK_BYTES = 4096
#: From here on a board should be replaced, before it fails in the middle of an evening.
WORN_PERCENT = 80


@dataclass(frozen=True)
class Wear:
    """What was saved, the block erasures that it took, and the erasures that the free blocks can take: files that
    stay in place take no part in littlefs's wear levelling."""

    answers: int
    snapshots: int
    erasures: int
    bears: int

    @property
    def percent(self) -> int:
        """How much of that is used up, in percent, rounded up."""
        return -(-self.erasures * 100 // max(1, self.bears))

    @property
    def worn(self) -> bool:
        """Whether little is left."""
        return self.percent >= WORN_PERCENT

    def sentence(self) -> str:
        """The wear in a sentence for people."""
        left = max(0, self.bears - self.erasures)
        return (f"{self.answers + self.snapshots:,} saves ({self.answers:,} answers, {self.snapshots:,} snapshots) took "
                f"about {self.erasures:,} erasures, {self.percent} % of what the free part of the flash can take; {left:,} "
                "are left")

    def plain(self) -> dict[str, int]:
        """For --json."""
        return {"answers": self.answers, "snapshots": self.snapshots, "erasures": self.erasures, "bears": self.bears,
                "percent": self.percent}


def wear_of(counts: Any, free_bytes: int) -> Wear | None:
    """The Wear of a board with these counts (``wear`` in its account of itself); None if it has none."""
    if not isinstance(counts, (list, tuple)) or len(counts) != 2:
        return None
    if not all(isinstance(one, int) and one >= 0 for one in counts):
        return None
    answers, snapshots = counts
    erasures = (answers * ERASED_BY_ANSWERS + snapshots * ERASED_BY_SNAPSHOTS + 99) // 100
    return Wear(answers, snapshots, erasures, free_bytes // BLOCK_BYTES * BLOCK_BEARS)
