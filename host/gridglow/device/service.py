"""Service mode of a connected board: entering it, testing parts one by one, and leaving it.

    with Service(talk, end_race=False) as service:
        service.attempt("pixel", 0, 36, 0xFFFFFF)

Raises SaysNo if a race is running and may not be ended; everything raises PortError and NoAnswer once the board is gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from gridglow.device.talk import NoAnswer, Talk
from shared_rules.errors import GridglowError

ANSWER_S = 15.0
#: How long a board that is busy, as when it loads a race, is asked again.
BUSY_S = 30.0
ALL = 255  # as an output number: all outputs


class Service:
    """A board in service mode, for the length of the `with`. ``edges()`` yields its keys, ``cards()`` cards on its reader.

    `say` gets a sentence if the board is busy and must be waited for."""

    def __init__(self, talk: Talk, end_race: bool = False, say: Callable[[str], None] = lambda text: None) -> None:
        self.talk = talk
        self.end_race = end_race
        self._say = say

    def __enter__(self) -> Service:
        message = {"t": "service", "on": 1, "force": 1 if self.end_race else 0}
        try:
            self.talk.ask(message, "ok", ANSWER_S)
        except NoAnswer as error:
            if error.prompt:
                raise
            self._say(f"The board didn't enter service mode within {ANSWER_S:g} s, as it is busy; asking "
                      f"again, for up to {BUSY_S:g} s.")
            self.talk.ask(message, "ok", BUSY_S)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(GridglowError):  # a board that is gone can't be told
            self.talk.ask({"t": "service", "on": 0}, "ok", 2.0)

    def attempt(self, what: str, a: int = 0, b: int = 0, c: int = 0, limit_s: float = ANSWER_S) -> dict[str, Any]:
        """Tests a part; returns the result: at least {"state": "ok"|"missing"|"fault"|…}. Raises GridglowError."""
        message: dict[str, Any] = {"t": "try", "what": what, "a": a, "b": b, "c": c}
        name = what.split(" ")[0]
        end = self.talk.now() + limit_s
        answer = self.talk.ask(message, "tried", limit_s)
        while answer["what"] != name:  # the late answer to an earlier test
            answer = self._next_tried(end)
        return answer["value"]

    def _next_tried(self, end: float) -> dict[str, Any]:
        for message in self.talk.messages(max(0.0, end - self.talk.now())):
            if message["t"] == "tried":
                return message
        raise GridglowError("The board answered a different question; try again.")

    def say(self, *lines: str) -> None:
        """Shows these lines on the board's display; none: its usual content."""
        self.attempt("say " + "|".join(lines) if lines else "say")

    def dark(self) -> None:
        """Turns all lights off and all reports too."""
        self.attempt("dark")

    def edges(self, limit_s: float) -> Iterator[tuple[int, str, int]]:
        """Key presses and releases within `limit_s`, once "keys" is on: (panel, key, down)."""
        for message in self.talk.messages(limit_s):
            if message["t"] == "edge":
                yield message["p"], message["k"], message["d"]

    def cards(self, limit_s: float) -> Iterator[str]:
        """Ids of the cards put down within `limit_s`, once "reader" is on."""
        for message in self.talk.messages(limit_s):
            if message["t"] == "card":
                yield message["uid"]
