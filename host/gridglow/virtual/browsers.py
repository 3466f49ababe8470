"""One browser at the websocket: the queue of its messages, and how a slow one catches up."""

import asyncio
import json
from collections.abc import Callable, Hashable

from aiohttp import web

from gridglow.virtual.access import TABLE


class Browser:
    """Sends messages in batches (one JSON list per frame). Only the newest pixels per output are queued; a browser that
    falls far behind gets a new snapshot instead of what it missed, so that nothing ever waits for a browser.

    `role` is what it may do (see access.py); `seat` is the seat of its page's key, or 0. A seat's page draws
    no LEDs, so it gets no pixels: they are most of the traffic. `page` is the same for every connection of one page."""

    most_waiting = 1000
    answers_most = 64  # kept for a browser that fell behind
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
        self.closing: asyncio.Task | None = None  # the board closes this connection; its handler waits for that
        self._snapshot = snapshot
        self._waiting: list[dict] = snapshot(self)
        self._pixels: dict[int, dict] = {}
        self._wake = asyncio.Event()
        self._wake.set()

    def post(self, message: dict) -> None:
        """Queues one message."""
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
        """Notes the page's own word, which identifies it; no page of another role or seat has it."""
        self.page = (self.role, self.seat, word)

    def note_key(self, panel: int, key: str, down: int) -> None:
        """Notes that a panel's key was pressed or released here."""
        (self._held.add if down else self._held.discard)((panel, key))

    def let_go(self) -> list[tuple[int, str]]:
        """The keys (panel, key) still held here, which are then released."""
        held, self._held = sorted(self._held), set()
        return held

    async def run(self) -> None:
        """Sends queued messages, until cancelled or the browser is gone."""
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
