"""What the pages may ask, and the one answer that each request gets: the table of requests.

A page numbers its requests. Each gets one answer with that number: of the type named in the table, or "no" with the
reason.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from gridglow.virtual.access import SEAT, TABLE, WATCH
from shared_rules.link_table import LINE_MAX, TO_BOARD, answer_to, check

#: Who answers: the board, or this computer as soon as it has passed on the message.
BOARD, HERE = "board", "here"
#: On which new connection a page repeats an unanswered request: never, in the same race, always.
NEVER, IN_RACE, ALWAYS = "", "race", "any"
#: How long a page waits, unless the board is slow.
WAIT_S = 12


@dataclass(frozen=True)
class Request:
    """One kind of request. `roles`: whose pages may send it; `again`: on which new connection it is sent again if it
    has no answer yet: NEVER (a key is of the moment, and might answer another question then), IN_RACE or ALWAYS."""

    by: str
    roles: tuple[str, ...]
    again: str = NEVER


#: Every request that pages can make.
REQUESTS = {
    "key": Request(HERE, (TABLE,)),
    "answer": Request(BOARD, (TABLE, SEAT), IN_RACE),
    "start": Request(BOARD, (TABLE,), ALWAYS),
    "resume": Request(BOARD, (TABLE,), ALWAYS),
    "why": Request(BOARD, (TABLE, SEAT), IN_RACE),
    "page": Request(HERE, (TABLE, SEAT, WATCH)),  # which page this is: the first request on each of its connections
    "beat": Request(HERE, (TABLE, SEAT, WATCH)),  # does the connection still carry anything?
}
#: Requests that don't concern the board.
OF_CONNECTION = ("page", "beat")
#: What a page may not send itself, but gets another way.
NOT_BY_PAGE = {
    "view": "A seat's private view is shown on that seat's own page only; this page shows the public one.",
    "journal": "The journal is a download: open /journal.",
}


def ends(kind: str) -> str:
    """The type of the answer that ends a request of this kind, unless it's refused."""
    return "ok" if REQUESTS[kind].by == HERE else answer_to(kind)


def told(role: str, slowness: float = 1) -> dict[str, list]:
    """The table for a page of this role: {kind: [type of the answer, when it is sent again, seconds until
    the page gives it up]}. A board that is `slowness` times slower gets that much more time."""
    return {kind: [ends(kind), one.again, WAIT_S * (slowness if one.by == BOARD else 1)]
            for kind, one in REQUESTS.items() if role in one.roles}


class Refused(ValueError):
    """What a page may not ask, in one sentence for people: in English, and in German if it can happen during play."""

    def __init__(self, say: str, german: str = "") -> None:
        super().__init__(say)
        self.german = german


def read(text: str) -> tuple[object, int | None]:
    """(a page's message, its number or None), not checked yet. Raises Refused if the text isn't a message."""
    if len(text) > LINE_MAX[TO_BOARD]:
        raise Refused(f"A message to the board has at most {LINE_MAX[TO_BOARD]} characters; this one has {len(text)}.")
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
    """The kind of a message that a page of this role (and seat) may send with these prompts open. Raises Refused."""
    kind = message.get("t") if isinstance(message, dict) else None
    if isinstance(kind, str) and kind not in REQUESTS and kind not in NOT_BY_PAGE:
        raise Refused(f"A browser may send {', '.join((*REQUESTS, *NOT_BY_PAGE))}, not {kind[:40]!r}.")
    if kind in OF_CONNECTION:
        return kind
    wrong = check(kind, message, TO_BOARD)
    if wrong:
        raise Refused(wrong)
    if role == WATCH:
        raise Refused("This page can only watch; play on a seat's own page, or at the board's computer.",
                      "Diese Seite schaut nur zu; gespielt wird auf der Seite eines Platzes oder am Computer des Bretts.")
    if role == SEAT:
        _check_seat(message, kind, seat)
    if kind in NOT_BY_PAGE:
        raise Refused(NOT_BY_PAGE[kind])
    if kind == "why" and any(one.get("secret") and one["seat"] in (0, message["seat"]) for one in prompts):
        raise Refused("The possible answers here are secret; hold the WHY key of the seat's own panel.",
                      "Was hier geantwortet werden darf, ist geheim; am Pult des Platzes WHY halten.")
    return kind


def _check_seat(message: dict, kind: str, seat: int) -> None:
    own = [name for name, one in REQUESTS.items() if SEAT in one.roles]
    if kind not in own:
        raise Refused(f"A seat's page may send {', '.join(own)}, not {kind}; that is for the board's computer.")
    if message["seat"] != seat:
        raise Refused(f"This page is for seat {seat} only, not for seat {message['seat']}.")
    if kind == "answer" and message["text"].lower().split()[:1] == ["source"]:
        raise Refused("Who rolls the dice applies to the whole table; choose it in the board's menu.",
                      "Wer würfelt, gilt für den ganzen Tisch; das wird im Menü des Bretts gewählt.")
