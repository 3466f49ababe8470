"""The result of one of the doctor's steps, and what a step works with: the board, its file, the person in front of it.

The steps know this module alone; `rounds` goes through them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gridglow.boards.boardfile import Board
from gridglow.device.connect import Found
from gridglow.device.person import Person
from gridglow.device.service import Service
from gridglow.device.talk import Talk

OK, FAIL, SKIPPED = "ok", "fail", "skipped"


@dataclass(frozen=True)
class Result:
    """The result of a step: `state` "ok", "fail" or "skipped", `say` what was found and why, `next` what to do."""

    step: str
    title: str
    state: str
    say: str
    next: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The same for --json."""
        return {"step": self.step, "title": self.title, "state": self.state, "say": self.say, "next": self.next,
                "data": self.data}


class Finding(Exception):
    """Raised to end a step with its result."""

    def __init__(self, state: str, say: str, next_: str, data: dict[str, Any]) -> None:
        super().__init__(say)
        self.state, self.say, self.next, self.data = state, say, next_, data


def ok(say: str, /, **data: Any) -> Finding:
    """All is well."""
    return Finding(OK, say, "", data)


def fail(say: str, next_: str, /, **data: Any) -> Finding:
    """Something is wrong: what and why, and what to do."""
    return Finding(FAIL, say, next_, data)


def skip(say: str, next_: str = "", /, **data: Any) -> Finding:
    """It could not be tried."""
    return Finding(SKIPPED, say, next_, data)


class Examiner:
    """What a step works with. `person` is asked once whether a running race may be ended, unless `end_race` says so;
    `again` finds the board again after it was unplugged, and `say` gets messages for somebody who
    waits."""

    def __init__(self, found: Found, board: Board | None, person: Person | None = None, end_race: bool = False,
                 again: Callable[[], Found] | None = None, say: Callable[[str], None] = lambda text: None) -> None:
        self.found = found
        self.board = board
        self.person = person
        self.end_race = end_race
        self.again = again
        self.say = say
        self.about: dict[str, Any] = dict(found.about)
        self._talk: Talk | None = None
        self._service: Service | None = None

    @property
    def talk(self) -> Talk:
        """The link to the board. Raises GridglowError if there is none."""
        if self._talk is None:
            self._talk = self.found.talk()
        return self._talk

    @property
    def service(self) -> Service:
        """The board in service mode. Raises GridglowError if it can't enter it."""
        if self._service is None:
            self._service = Service(self.talk, self._may_end(), self.say).__enter__()
        return self._service

    @property
    def somebody(self) -> Person:
        """The person in front of the board. Raises Finding (skipped) if nobody is there."""
        if self.person is None:
            raise skip("This needs somebody in front of the board; run it at a terminal.")
        return self.person

    def part(self, name: str) -> tuple[str, str]:
        """(state, detail) of a part as the board reports it; "off" if it doesn't."""
        for part in self.about.get("parts") or ():
            if len(part) >= 2 and part[0] == name:
                return str(part[1]), str(part[2]) if len(part) > 2 else ""
        return "off", ""

    def wired(self, *keys: str) -> str:
        """The pins of a part for a sentence, such as "SDA GP8, SCL GP9"; "" if the board file doesn't say."""
        table: Any = self.board.wiring if self.board else {}
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, int):
            return f"GP{table}"
        if not isinstance(table, dict):
            return ""
        names = [key for key in table if isinstance(table[key], int) and key != "address"]
        return ", ".join(f"{name.upper() if len(name) < 5 else name} GP{table[name]}" for name in names)

    def leave(self) -> None:
        """Ends service mode and closes the port; the next step opens both again."""
        if self._service is not None:
            self._service.__exit__(None, None, None)
        if self._talk is not None:
            self._talk.close()
        self._service = self._talk = None

    @property
    def serves(self) -> bool:
        """Whether the board is in service mode now."""
        return self._service is not None

    def lose(self) -> None:
        """The board has vanished: there's nothing left to end or close."""
        self._service = self._talk = None

    def come_back(self) -> None:
        """Finds the board after somebody has plugged it in again. Raises GridglowError if it doesn't come back."""
        if self.again is not None:
            self.found = self.again()
            self.about = dict(self.found.about)

    def _may_end(self) -> bool:
        if self.end_race or not self.found.race_runs:
            return self.end_race
        question = f"{self.found.title} is running a {self.found.doing}. End it? It stays saved."
        if self.person is not None and self.person.yes(question, "no"):
            self.end_race = True
        return self.end_race
