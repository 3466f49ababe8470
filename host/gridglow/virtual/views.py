"""What only one seat may see: requested while a page with its key is open, handed to that page, stored nowhere."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from gridglow.virtual.browsers import Browser
from gridglow.virtual.engine import EngineFault


class Views:
    """`send` takes a message to the board and returns its number; `pages` returns the open browsers."""

    gap_s = 0.08  # a prompt, a scene and a ranking come together: one request is enough
    lost_s = 4.0  # after this an answer won't come

    def __init__(self, send: Callable[[dict], int], pages: Callable[[], Iterable[Browser]]) -> None:
        self._send = send
        self._pages = pages
        self._wanted: set[int] = set()
        self._waiting: dict[int, tuple[int, float]] = {}  # seat -> (number of the question, when)
        self._timer: asyncio.TimerHandle | None = None

    def clear(self) -> None:
        """Forgets all requests: the board restarts, or is gone."""
        self._wanted.clear()
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def refresh(self, seat: int = 0) -> None:
        """Asks again, soon, for one seat or for all with an open page."""
        self._wanted |= {page.seat for page in self._pages() if page.seat and seat in (0, page.seat)}
        if self._wanted and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.gap_s, self._ask)

    def _ask(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        there = {page.seat for page in self._pages()}
        for seat in sorted(self._wanted & there):
            if seat in self._waiting and now - self._waiting[seat][1] < self.lost_s:
                continue  # still wanted: asked for once that answer has come
            self._wanted.discard(seat)
            with contextlib.suppress(EngineFault):
                self._waiting[seat] = (self._send({"t": "view", "seat": seat}), now)
        self._wanted &= there

    def take(self, view: dict) -> None:
        """Hands the board's answer to the pages of its seat. An unrequested one is dropped."""
        seat = view["seat"]
        if self._waiting.pop(seat, None) is None:
            return
        told = {key: value for key, value in view.items() if key != "re"}  # the number is ours, not a page's
        for page in self._pages():
            if page.seat == seat:
                page.post(told)
        if self._wanted:
            self.refresh(seat)

    def lost(self) -> None:
        """Answers may have been lost: asks for all of them again."""
        self._waiting.clear()
        self.refresh()

    def refused(self, number: int) -> bool:
        """Whether message `number` was one of our requests; the board has no such race or seat now."""
        for seat, (asked, _when) in list(self._waiting.items()):
            if asked == number:
                del self._waiting[seat]
                return True
        return False
