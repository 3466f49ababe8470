"""What the pages may ask, and the one answer that each of them waits for: the table of requests.

A page numbers its requests. Each has one answer, which carries that number: the type that the table names, or "no" with the
reason.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from gridglow.virtual.access import SEAT, TABLE, WATCH
from shared_rules.link_table import LINE_MAX, TO_BOARD, answer_to, check

#: Who answers: the board, or this computer as soon as it has passed the message on.
BOARD, HERE = "board", "here"
#: Which new connection of a page asks again what has no answer yet: none, one that finds the same race, each.
NEVER, IN_RACE, ALWAYS = "", "race", "any"
#: A page waits so long, for a board that is not slow.
WAIT_S = 12


@dataclass(frozen=True)
class Request:
    """One kind of request. `roles`: whose pages may send it; `again`: on which new connection it is sent once more, where it
    has no answer yet: NEVER (a key is of the moment, and would answer another question then), IN_RACE or ALWAYS."""

    by: str
    roles: tuple[str, ...]
    again: str = NEVER


#: Every request of the pages.
REQUESTS = {
    "key": Request(HERE, (TABLE,)),
    "answer": Request(BOARD, (TABLE, SEAT), IN_RACE),
    "start": Request(BOARD, (TABLE,), ALWAYS),
    "resume": Request(BOARD, (TABLE,), ALWAYS),
    "why": Request(BOARD, (TABLE, SEAT), IN_RACE),
    "page": Request(HERE, (TABLE, SEAT, WATCH)),  # which page this is: the first request on each of its connections
    "beat": Request(HERE, (TABLE, SEAT, WATCH)),  # does the connection still carry anything?
}
#: Those that are no business of the board's.
OF_CONNECTION = ("page", "beat")
#: What a page may not send itself, and gets another way.
NOT_BY_PAGE = {
    "view": "A seat's private view is shown on that seat's own page only; this page shows the public one.",
    "journal": "The journal is a download: open /journal.",
}


def ends(kind: str) -> str:
    """The type of the answer that ends a request of this kind, where it isn't refused."""
    return "ok" if REQUESTS[kind].by == HERE else answer_to(kind)


def told(role: str, slowness: float = 1) -> dict[str, list]:
    """The table as a page of this role gets it: {kind: [type of the answer, where it is sent again, seconds until
    the page gives it up]}. A board that is `slowness` times slower has so much longer."""
    return {kind: [ends(kind), one.again, WAIT_S * (slowness if one.by == BOARD else 1)]
            for kind, one in REQUESTS.items() if role in one.roles}


class Refused(ValueError):
    """What a page may not ask, in one sentence for people: in English, and in German where they come by it in play."""

    def __init__(self, say: str, german: str = "") -> None:
        super().__init__(say)
        self.german = german


def read(text: str) -> tuple[object, int | None]:
    """(the message of a page, its number or None), not checked yet. Raises Refused where the text is none."""
    if len(text) > LINE_MAX[TO_BOARD]:
        raise Refused(f"A message to the board has at most {LINE_MAX[TO_BOARD]} letters; this one has {len(text)}.")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("A message to the board is a JSON object; this one can't be read.") from None
    if not isinstance(message, dict):
        return message, None
    number = message.pop("id", None)
    message.pop("n", None)
    return message, number if type(number) is int else None


def check_request(message: object, role: str, seat: int, prompts: list[dict]) -> str:
    """The kind of a message that a page of this role (and seat) may send while these prompts are open. Raises Refused."""
    kind = message.get("t") if isinstance(message, dict) else None
    if isinstance(kind, str) and kind not in REQUESTS and kind not in NOT_BY_PAGE:
        raise Refused(f"A browser may send {', '.join((*REQUESTS, *NOT_BY_PAGE))}, not {kind[:40]!r}.")
    if kind in OF_CONNECTION:
        return kind
    wrong = check(kind, message, TO_BOARD)
    if wrong:
        raise Refused(wrong)
    if role == WATCH:
        raise Refused("This page only watches; play on a seat's own page, or at the computer of the board.",
                      "Diese Seite schaut nur zu; gespielt wird auf der Seite eines Platzes oder am Computer des Bretts.")
    if role == SEAT:
        _check_seat(message, kind, seat)
    if kind in NOT_BY_PAGE:
        raise Refused(NOT_BY_PAGE[kind])
    if kind == "why" and any(one.get("secret") and one["seat"] in (0, message["seat"]) for one in prompts):
        raise Refused("What may be answered here is secret; hold the WHY key of the seat's own panel.",
                      "Was hier geantwortet werden darf, ist geheim; am Pult des Platzes WHY halten.")
    return kind


def _check_seat(message: dict, kind: str, seat: int) -> None:
    own = [name for name, one in REQUESTS.items() if SEAT in one.roles]
    if kind not in own:
        raise Refused(f"A seat's page may send {', '.join(own)}, not {kind}; that is for the board's computer.")
    if message["seat"] != seat:
        raise Refused(f"This page is for seat {seat} only, not for seat {message['seat']}.")
    if kind == "answer" and message["text"].lower().split()[:1] == ["source"]:
        raise Refused("Who rolls the dice is for the whole table; choose it in the menu of the board.",
                      "Wer würfelt, gilt für den ganzen Tisch; das wird im Menü des Bretts gewählt.")
