"""What every torture trial is: its own module with ``NAME``, ``WHAT`` (one sentence) and ``run``.

``run(amount, seed, say)`` tries to break one promise and returns an `Outcome`. ``amount`` is "quick" (a sample that the test
suite runs) or "long" (everything); the same ``seed`` tries the same; ``say(sentence)`` informs a waiting person.
A fault found is a line of `Outcome.failures`, never an exception; an exception means that the trial couldn't run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

QUICK = "quick"
LONG = "long"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """The result of one trial."""

    name: str  # "cuts"
    tried: int  # number of attempts, in the unit
    survived: int
    unit: str  # "power cuts"
    facts: list[str] = field(default_factory=list)  # further lines: figures, each a sentence
    failures: list[str] = field(default_factory=list)
    """Each one sentence: what, where (seed, tick), how to run it again; empty when survived == tried."""

    @property
    def failed(self) -> bool:
        """Whether anything broke, or nothing was tried at all."""
        return bool(self.failures) or self.survived != self.tried or not self.tried

    def plain(self) -> dict:
        """For --json."""
        return {"name": self.name, "tried": self.tried, "survived": self.survived, "unit": self.unit,
                "facts": self.facts, "failures": self.failures}
