"""Who has asked what: the requests that wait for the board, and for a while the answered ones.

A page that has lost its connection asks again under the same number. An answered request is answered again, an open one
once the board has answered, and the board gets the question only once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from gridglow.virtual.requests import ends


@dataclass
class Asked:
    """One request: `page` is the asking page, `page_number` the page's own number for it (None: none), `number` the one
    under which the board was asked, `answer` the result."""

    page: Hashable
    page_number: int | None
    kind: str
    seat: int = 0
    number: int = 0
    answer: dict | None = None


class Asking:
    """The requests of all pages."""

    pages_kept = 64
    asked_kept = 32  # per page
    waiting_most = 256  # for the board's answer

    def __init__(self) -> None:
        self._pages: OrderedDict[Hashable, OrderedDict[int, Asked]] = OrderedDict()
        self._waiting: OrderedDict[int, Asked] = OrderedDict()

    def known(self, page: Hashable, page_number: int | None) -> Asked | None:
        """The earlier request of this page with this number, or None."""
        return self._pages.get(page, {}).get(page_number)

    def note(self, page: Hashable, page_number: int | None, kind: str, seat: int) -> Asked:
        """Notes a new request."""
        asked = Asked(page, page_number, kind, seat)
        if page_number is not None:
            kept = self._pages.setdefault(page, OrderedDict())
            self._pages.move_to_end(page)
            kept[page_number] = asked
            if len(kept) > self.asked_kept:
                kept.popitem(last=False)
            if len(self._pages) > self.pages_kept:
                self._pages.popitem(last=False)
        return asked

    def wait(self, asked: Asked, number: int) -> Asked | None:
        """Notes that it has gone to the board as message `number`. Returns a request for which there's no more room."""
        asked.number = number
        self._waiting[number] = asked
        return self._waiting.popitem(last=False)[1] if len(self._waiting) > self.waiting_most else None

    def take(self, message: dict) -> Asked | None:
        """The request that this message of the board ends, which then no longer waits; None if there is none."""
        number = message.get("re")
        if number is None:  # an older board doesn't say which question it answers: use their order
            found = [one for one in self._waiting.values()
                     if ends(one.kind) == message["t"] and one.seat == message.get("seat")]
            number = found[0].number if found else 0
        asked = self._waiting.get(number)
        if asked is None or message["t"] not in ("no", ends(asked.kind)):
            return None
        return self._waiting.pop(number)

    def give_up(self) -> list[Asked]:
        """All waiting requests, which then no longer wait: the board has ended."""
        waited, self._waiting = list(self._waiting.values()), OrderedDict()
        return waited

    def answers(self, page: Hashable) -> list[dict]:
        """The answers to a page's requests so far: it may have missed some of them."""
        return [asked.answer for asked in self._pages.get(page, {}).values() if asked.answer is not None]
