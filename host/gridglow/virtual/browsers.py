"""One browser at the websocket: what waits to be sent to it, and how a slow one catches up."""

import asyncio
import json
from collections.abc import Callable, Hashable

from aiohttp import web

from gridglow.virtual.access import TABLE


class Browser:
    """Sends messages in batches (a JSON list a frame). Of pixels only the newest of each output waits; a browser that
    falls far behind gets a new snapshot in place of what it missed, so that nothing ever waits for a browser.

    `role` says what it may do (see access.py); `seat` is the seat whose key its page holds, or 0. A seat's page draws
    no LEDs, so it gets no pixels: they are most of the traffic. `page` is the same for each connection of one page."""

    most_waiting = 1000
    answers_most = 64  # that a browser which fell behind still gets
    batch_s = 0.015

    def __init__(
        self,
        socket: web.WebSocketResponse,
        snapshot: Callable[["Browser"], list[dict]],
        role: str = TABLE,
        seat: int = 0,
    ) -> None:
        self.socket = socket
        self.role = role
        self.seat = seat
        self.page: Hashable = object()
        self._held: set[tuple[int, str]] = set()
        self.closing: asyncio.Task | None = None  # the board ends this connection; who serves it waits for that
        self._snapshot = snapshot
        self._waiting: list[dict] = snapshot(self)
        self._pixels: dict[int, dict] = {}
        self._wake = asyncio.Event()
        self._wake.set()

    def post(self, message: dict) -> None:
        """Queue one message."""
        if message["t"] == "px":
            if self.seat:
                return
            self._pixels[message["o"]] = message
        elif len(self._waiting) >= self.most_waiting:
            answers = [one for one in (*self._waiting, message) if one.get("re") is not None]
            self._waiting = self._snapshot(self)
            self._waiting += [one for one in answers[-self.answers_most:] if one not in self._waiting]
            self._pixels.clear()
        else:
            self._waiting.append(message)
        self._wake.set()

    def is_page(self, word: str) -> None:
        """The page's own word says which one it is; no other role or seat has a page of that word."""
        self.page = (self.role, self.seat, word)

    def note_key(self, panel: int, key: str, down: int) -> None:
        """A key of a panel was pressed or let go here."""
        (self._held.add if down else self._held.discard)((panel, key))

    def let_go(self) -> list[tuple[int, str]]:
        """The keys (panel, key) that are still held here, which then are no longer."""
        held, self._held = sorted(self._held), set()
        return held

    async def run(self) -> None:
        """Send what waits, until cancelled or the browser has gone."""
        while not self.socket.closed:
            await self._wake.wait()
            self._wake.clear()
            batch = self._waiting + list(self._pixels.values())
            self._waiting, self._pixels = [], {}
            try:
                await self.socket.send_str(json.dumps(batch, separators=(",", ":")))
            except (ConnectionError, RuntimeError):
                return
            await asyncio.sleep(self.batch_s)
