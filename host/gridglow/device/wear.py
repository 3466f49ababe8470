"""How far saves have worn a board's flash: an estimate from the answers and snapshots that the board has saved.

The counts stand in the heads of the saves themselves, so that counting writes nothing. They begin anew where a board's saves
are lost, as when it is flashed anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Measured on MicroPython's littlefs, a hundred times: blocks that are erased for an answer, and for a snapshot of 5 kB.
ERASED_BY_ANSWERS = 107
ERASED_BY_SNAPSHOTS = 225
#: So often a block of a Pico's flash (W25Q16JV) may be erased at least.
BLOCK_BEARS = 100_000
BLOCK_BYTES = 4096
#: From here on a board should be replaced before it fails in the midst of an evening.
WORN_PERCENT = 80


@dataclass(frozen=True)
class Wear:
    """What was saved, the erasures of blocks that it took, and those that the blocks that are free now bear: files that
    stay where they are keep their blocks out of the turns that littlefs takes."""

    answers: int
    snapshots: int
    erasures: int
    bears: int

    @property
    def percent(self) -> int:
        """How much of that is used up, rounded up."""
        return -(-self.erasures * 100 // max(1, self.bears))

    @property
    def worn(self) -> bool:
        """Whether little is left."""
        return self.percent >= WORN_PERCENT

    def sentence(self) -> str:
        """For people."""
        left = max(0, self.bears - self.erasures)
        return (f"{self.answers + self.snapshots:,} saves ({self.answers:,} answers, {self.snapshots:,} snapshots) took "
                f"about {self.erasures:,} erasures, {self.percent} % of what the free part of the flash bears; {left:,} are "
                "left")

    def plain(self) -> dict[str, int]:
        """For --json."""
        return {"answers": self.answers, "snapshots": self.snapshots, "erasures": self.erasures, "bears": self.bears,
                "percent": self.percent}


def wear_of(counts: Any, free_bytes: int) -> Wear | None:
    """The Wear of a board that tells these counts (``wear`` in what it says about itself); None where it tells none."""
    if not isinstance(counts, (list, tuple)) or len(counts) != 2:
        return None
    if not all(isinstance(one, int) and one >= 0 for one in counts):
        return None
    answers, snapshots = counts
    erasures = (answers * ERASED_BY_ANSWERS + snapshots * ERASED_BY_SNAPSHOTS + 99) // 100
    return Wear(answers, snapshots, erasures, free_bytes // BLOCK_BYTES * BLOCK_BEARS)
