"""The virtual board itself: one engine, any number of browsers, and what passes between them."""

import asyncio
import contextlib
import json
from collections import OrderedDict
from collections.abc import Callable

from gridglow.virtual.access import TABLE, WATCH, SeatKeys
from gridglow.virtual.browsers import Browser
from gridglow.virtual.engine import Engine, EngineFault
from gridglow.virtual.headless import FileCollector
from gridglow.virtual.picture import Picture
from gridglow.virtual.views import Views
from shared_rules.link_table import LINE_MAX, PROTOCOL, TO_BOARD, check

FROM_BROWSER = ("key", "answer", "start", "resume", "why", "journal", "view")
FROM_SEAT = ("answer", "why")
KEYS_CHANGED = 4001  # the code with which a seat's page is closed whose key has ended


class VirtualBoard:
    """Runs an engine for browsers.

    `geometry` takes a track's id and returns the dict that the page draws (it raises KeyError, FileNotFoundError or a
    GridglowError where there is none); `setup` is a plain set-up to start a race with at once; `on_message` sees
    every public message of the board.
    """

    hello_s = 10.0
    journal_s = 10.0
    replies_kept = 256
    asked_again_s = 5.0

    def __init__(
        self,
        engine: Engine,
        geometry: Callable[[str], dict],
        setup: dict | None = None,
        on_message: Callable[[dict], None] | None = None,
    ) -> None:
        self.engine = engine
        self.geometry = geometry
        self.setup = setup
        self.on_message = on_message
        self.picture = Picture()
        self.browsers: set[Browser] = set()
        self.keys = SeatKeys()
        self.odd = 0  # messages of the board that couldn't be taken
        self.views = Views(engine.send, lambda: self.browsers)
        self._reader: asyncio.Task | None = None
        self._starting = asyncio.Lock()
        self._greeted = asyncio.Event()
        self._replies: OrderedDict[int, tuple[Browser, object]] = OrderedDict()
        self._journal: asyncio.Future | None = None
        self._journal_number = 0
        self._resumed: set[int] = set()
        self._asked_again_at = 0.0
        self._reviving: asyncio.Task | None = None

    # The engine

    async def start(self) -> None:
        """Start the engine and greet it; with `setup`, start that race. Raises EngineFault if it can't be started."""
        first = {"t": "start", "setup": self.setup} if self.setup else None
        await self._start(first)

    async def stop(self) -> None:
        """End the engine and let go of all browsers."""
        for task in (self._reviving, self._reader):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self.views.clear()
        await self.engine.stop()
        for browser in list(self.browsers):
            with contextlib.suppress(ConnectionError, RuntimeError):
                await browser.socket.close(code=1001, message=b"The virtual board was stopped.")

    async def _start(self, then: dict | None) -> int:
        """Start the engine, wait for its greeting and send `then`; return the number of that message, 0 for none."""
        await self.engine.start()
        self.odd = 0
        self.picture.clear()
        self.views.clear()
        self._greeted.clear()
        self._reader = asyncio.create_task(self._listen())
        self._publish(self.state())
        self._publish(self.picture.snapshot())
        self.engine.send({"t": "hi", "v": PROTOCOL})
        hello_s = self.hello_s * self.engine.slowness
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._greeted.wait(), hello_s)
        if not self.engine.alive:
            return 0
        if not self._greeted.is_set():
            self.say(f"The board has not said hello within {hello_s:g} s; it may be busy, or not Gridglow.")
        return self.engine.send(then) if then else 0

    async def _listen(self) -> None:
        async for message in self.engine.messages():
            try:
                self._hear(message)
            except (ValueError, TypeError, KeyError, IndexError, AttributeError):
                self.odd += 1  # right by the table, but its lists hold what no board of ours says: the next may be better
        self._greeted.set()
        self._journal_failed(self.engine.exit_reason)
        self._publish(self.state())
        if self.engine.revive_s and (self._reviving is None or self._reviving.done()):
            self._reviving = asyncio.create_task(self._revive())

    def _hear(self, message: dict) -> None:
        if message["t"] == "hello":
            self._greeted.set()
        elif message["t"] in ("ok", "no"):
            self._reply(message)
        elif message["t"] == "file":
            self._file(message)
        elif message["t"] == "view":
            self.views.take(message)
        elif message["t"] == "race" and self.keys.take(message["seats"]):
            self._end_seat_pages()
        public = self.picture.take(message)
        if public is not None:
            self._publish(public, message)
        if message["t"] in ("prompts", "scene", "race"):
            self.views.refresh()
        if self.picture.gap:
            self._ask_again()
        if self.on_message is not None and (public or message["t"] == "done"):
            self.on_message(public or message)

    async def _revive(self) -> None:
        """Start the engine again as soon as that can be: a real board was unplugged, or has reset."""
        told = ""
        while not self.engine.alive:
            await asyncio.sleep(self.engine.revive_s)
            try:
                async with self._starting:
                    if not self.engine.alive:
                        await self._start(None)
            except EngineFault as error:
                if str(error) != told:
                    told = str(error)
                    self._publish(self.state())

    def _ask_again(self) -> None:
        """Greet once more: the board then tells its whole state, with all lines of the log."""
        now = asyncio.get_running_loop().time()
        if now - self._asked_again_at > self.asked_again_s:
            self._asked_again_at = now
            with contextlib.suppress(EngineFault):
                self.engine.send({"t": "hi", "v": PROTOCOL})

    def state(self) -> dict:
        """The message to browsers about the engine: does it run, and if not, why."""
        return {
            "t": "engine",
            "name": self.engine.name,
            "alive": self.engine.alive,
            "reason": self.engine.exit_reason,
            "skipped": self.engine.skipped + self.odd,
        }

    # The browsers

    def snapshot(self, browser: Browser | None = None) -> list[dict]:
        """Everything that a browser needs when it comes; what its seat alone may see is asked for and follows."""
        if browser is not None and browser.seat:
            self.views.refresh(browser.seat)  # for a page that fell behind; one that has just come is asked for by add()
        you = {"t": "you", "role": browser.role if browser else TABLE, "seat": browser.seat if browser else 0}
        return [you, self.state(), self.picture.snapshot(pixels=not you["seat"])]

    def add(self, browser: Browser) -> None:
        """A browser has come."""
        self.browsers.add(browser)
        if browser.seat:
            self.views.refresh(browser.seat)

    def _publish(self, message: dict, whole: dict | None = None) -> None:
        """Tell all; `whole` is the message with what a private screen shows, for the pages of that seat alone."""
        private = whole["private"] if whole and whole["t"] == "show" else 0
        for browser in self.browsers:
            browser.post(whole if private and browser.seat == private else message)

    def _end_seat_pages(self) -> None:
        """Other people play now: the links of those before lead nowhere any more."""
        for browser in [one for one in self.browsers if one.seat]:
            self.browsers.discard(browser)
            browser.closing = asyncio.create_task(
                browser.socket.close(code=KEYS_CHANGED, message=b"Other players, new links.")
            )

    def say(self, say: str, browser: Browser | None = None, answer_to: object = None, clause: str = "") -> None:
        """Tell one sentence to a browser, or to all."""
        message = {"t": "no", "re": answer_to, "say": say, "clause": clause}
        for one in self.browsers if browser is None else (browser,):
            one.post(message)

    def _reply(self, message: dict) -> None:
        if message["t"] == "no" and self.views.refused(message["re"]):
            return
        if message["re"] == self._journal_number and message["t"] == "no":
            self._journal_failed(message["say"])
        if message["re"] == 0 and message["t"] == "no":  # a key was refused: everybody sees it, as on the display
            self.say(message["say"], clause=message["clause"])
        if message["re"] in self._resumed and message["t"] == "ok":
            self._asked_again_at = 0.0
            self._ask_again()
        self._resumed.discard(message["re"])
        browser, answer_to = self._replies.pop(message["re"], (None, None))
        if browser in self.browsers:
            browser.post({**message, "re": answer_to})

    async def take(self, browser: Browser, text: str) -> None:
        """Take one text from a browser; what is wrong with it is told to that browser in one sentence."""
        answer_to = None
        try:
            if len(text) > LINE_MAX[TO_BOARD]:
                raise ValueError(
                    f"A message to the board has at most {LINE_MAX[TO_BOARD]} letters; this one has {len(text)}."
                )
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                raise ValueError("A message to the board is a JSON object; this one can't be read.") from None
            if isinstance(message, dict):
                answer_to = message.pop("id", None)
                answer_to = answer_to if type(answer_to) is int else None
                message.pop("n", None)
            await self._take(browser, message, answer_to)
        except (EngineFault, ValueError) as error:
            self.say(str(error), browser, answer_to)

    async def _take(self, browser: Browser, message: dict, answer_to: object) -> None:
        kind = message.get("t") if isinstance(message, dict) else None
        if isinstance(kind, str) and kind not in FROM_BROWSER:
            raise ValueError(f"A browser may send {', '.join(FROM_BROWSER)}, not {kind[:40]!r}.")
        wrong = check(kind, message, TO_BOARD)
        if wrong:
            raise ValueError(wrong)
        if browser.role != TABLE:
            self._check_seat(browser, kind, message)
        if kind == "view":
            raise ValueError("A seat's private view is shown on that seat's own page only; this page shows the public one.")
        if kind == "why" and any(one.get("secret") and one["seat"] in (0, message["seat"]) for one in self.picture.prompts):
            raise ValueError("What may be answered here is secret; hold the WHY key of the seat's own panel.")
        if kind == "start" and self.engine.shared and (self.picture.race or {}).get("state") in ("start", "race"):
            raise ValueError("A race runs on the board, and a page does not end it; end it at the board, with MENU.")
        if kind == "journal":
            raise ValueError("The journal is a download: open /journal.")
        if self.engine.alive:
            number = self.engine.send(message)
        elif kind in ("resume", "start"):
            number = await self._again(message)
        else:
            raise EngineFault(f"{self.engine.exit_reason} Choose Resume to start it again.")
        self._replies[number] = (browser, answer_to)
        if kind == "resume":
            self._resumed.add(number)
        while len(self._replies) > self.replies_kept:
            self._replies.popitem(last=False)

    def _check_seat(self, browser: Browser, kind: str, message: dict) -> None:
        """Raise ValueError with one sentence for what a seat's page, or one that only watches, may not send."""
        if browser.role == WATCH:
            raise ValueError("This page only watches; play on a seat's own page, or at the computer of the board.")
        if kind not in FROM_SEAT:
            raise ValueError(f"A seat's page may send {', '.join(FROM_SEAT)}, not {kind}; that is for the board's computer.")
        if message["seat"] != browser.seat:
            raise ValueError(f"This page is for seat {browser.seat} only, not for seat {message['seat']}.")
        if kind == "answer" and message["text"].lower().split()[:1] == ["source"]:
            raise ValueError("Who rolls the dice is for the whole table; choose it in the menu of the board.")

    async def _again(self, then: dict) -> int:
        async with self._starting:
            if self.engine.alive:  # somebody else was quicker
                return self.engine.send(then)
            if self._reader is not None:
                await self._reader
            number = await self._start(then)
            if not number:
                raise EngineFault(self.engine.exit_reason)
            return number

    # The journal

    async def journal(self) -> tuple[str, str]:
        """Ask the board for its journal; return (file name, text). Raises EngineFault with the reason."""
        if self._journal is None:
            self._collector = FileCollector()
            self._journal = asyncio.get_running_loop().create_future()
            try:
                self._journal_number = self.engine.send({"t": "journal"})
            except EngineFault:
                self._journal = None
                raise
        waiting = self._journal
        try:
            return await asyncio.wait_for(asyncio.shield(waiting), self.journal_s * self.engine.slowness)
        except asyncio.TimeoutError:
            self._journal_failed("")
            raise EngineFault("The board did not send its journal in time; try again when it is less busy.") from None

    def _file(self, message: dict) -> None:
        if self._journal is None:
            return
        try:
            whole = self._collector.take(message)
        except EngineFault as error:
            self._journal_failed(str(error))
            return
        if whole is not None:
            waiting, self._journal = self._journal, None
            if not waiting.done():
                waiting.set_result((self._collector.name, whole.decode("utf-8", "replace")))

    def _journal_failed(self, say: str) -> None:
        waiting, self._journal = self._journal, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(EngineFault(say or "The board did not send its journal."))
            waiting.exception()  # seen: nobody may be waiting any more
