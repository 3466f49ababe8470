"""The virtual board itself: one engine, any number of browsers, and the traffic between them."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable

from gridglow.lines import GONE
from gridglow.virtual import requests
from gridglow.virtual.access import TABLE, SeatKeys
from gridglow.virtual.asking import Asked, Asking
from gridglow.virtual.browsers import Browser
from gridglow.virtual.engine import Engine, EngineFault
from gridglow.virtual.headless import FileCollector
from gridglow.virtual.picture import Picture
from gridglow.virtual.views import Views
from shared_rules.link_table import PROTOCOL

KEYS_CHANGED = 4001  # closes the page of a seat whose key has expired
RENEWED = 4002  # closes a connection whose page has opened another one
PAGE_WORD_MOST = 64  # characters of the word that identifies a page


class VirtualBoard:
    """Runs an engine for browsers.

    `geometry` takes a track's id and returns the dict that the page draws (it raises KeyError, FileNotFoundError or a
    GridglowError if there is none); `setup` is a plain set-up of a race to start at once; `on_message` sees
    every public message of the board.
    """

    hello_s = 10.0
    journal_s = 10.0
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
        self.odd = 0  # messages from the board that couldn't be handled
        self.views = Views(engine.send, lambda: self.browsers)
        self._reader: asyncio.Task | None = None
        self._starting = asyncio.Lock()
        self._greeted = asyncio.Event()
        self._asking = Asking()
        self._run = ""  # identifies this run of the engine: requests from another run aren't sent again
        self._journal: asyncio.Future | None = None
        self._journal_number = 0
        self._resumed: set[int] = set()
        self._asked_again_at = 0.0
        self._asks_later: asyncio.TimerHandle | None = None
        self._reviving: asyncio.Task | None = None

    # The engine

    async def start(self) -> None:
        """Starts the engine and greets it; with `setup`, starts that race. Raises EngineFault if it can't be started."""
        first = {"t": "start", "setup": self.setup} if self.setup else None
        await self._start(first)

    async def stop(self) -> None:
        """Ends the engine and closes all browsers' connections."""
        if self._asks_later is not None:
            self._asks_later.cancel()
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
        """Starts the engine, waits for its greeting and sends `then`; returns that message's number, 0 for none."""
        await self.engine.start()
        self._run = secrets.token_hex(4)
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
            self.say(f"The board didn't answer within {hello_s:g} s; it may be busy, or not running Gridglow.")
        return self.engine.send(then) if then else 0

    async def _listen(self) -> None:
        async for message in self.engine.messages():
            try:
                self._hear(message)
            except (ValueError, TypeError, KeyError, IndexError, AttributeError):
                self.odd += 1  # valid by the table, but its lists have impossible content: the next may be better
        self._greeted.set()
        self._journal_failed(self.engine.exit_reason)
        self._resumed.clear()
        for asked in self._asking.give_up():
            self._answer(asked, no(self.engine.exit_reason))
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
        elif message["t"] == GONE:  # a line is lost: it may have been anything, even a view
            self.views.lost()
            self._ask_again(later=True)
            return
        elif message["t"] == "race" and self.keys.take(message["seats"]):
            self._end_seat_pages()
        asked = self._asking.take(message) if message["t"] == "why" else None
        if asked is not None:
            self._answer(asked, message)
        public = self.picture.take(message)
        if public is not None:
            self._publish(public, message, asked)
        if message["t"] in ("prompts", "scene", "race"):
            self.views.refresh()
        if self.picture.gap:
            self._ask_again()
        if self.on_message is not None and (public or message["t"] == "done"):
            self.on_message(public or message)

    async def _revive(self) -> None:
        """Starts the engine again as soon as possible: a real board was unplugged, or has reset."""
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

    def _ask_again(self, later: bool = False) -> None:
        """Greets the board again: it then reports its whole state, with all lines of the log. Not twice within seconds;
        `later`: then after those seconds."""
        loop = asyncio.get_running_loop()
        wait_s = self._asked_again_at + self.asked_again_s - loop.time()
        if wait_s <= 0:
            self._asked_again_at = loop.time()
            with contextlib.suppress(EngineFault):
                self.engine.send({"t": "hi", "v": PROTOCOL})
        elif later and (self._asks_later is None or self._asks_later.when() <= loop.time()):
            self._asks_later = loop.call_later(wait_s + 0.01, self._ask_again)

    def state(self) -> dict:
        """The message to browsers about the engine: is it running, and if not, why."""
        return {
            "t": "engine",
            "name": self.engine.name,
            "alive": self.engine.alive,
            "reason": self.engine.exit_reason,
            "skipped": self.engine.skipped + self.odd,
        }

    # The browsers

    def snapshot(self, browser: Browser | None = None) -> list[dict]:
        """Everything that a browser needs when it arrives or has missed something, including the answers to its page's
        requests. What only its seat may see is requested and follows."""
        if browser is not None and browser.seat:
            self.views.refresh(browser.seat)  # for a page that fell behind; for a new one, add() asks
        you = {"t": "you", "role": browser.role if browser else TABLE, "seat": browser.seat if browser else 0}
        asks = {"t": "asks", "run": self._run, "list": requests.told(you["role"], self.engine.slowness)}
        answers = self._asking.answers(browser.page) if browser else []
        return [you, asks, self.state(), self.picture.snapshot(pixels=not you["seat"]), *answers]

    def add(self, browser: Browser) -> None:
        """Adds a browser."""
        self.browsers.add(browser)
        if browser.seat:
            self.views.refresh(browser.seat)

    def _is_page(self, browser: Browser, word: str) -> None:
        """A browser says which page it is: closes an older connection of that page, and repeats answers that the page
        may have missed."""
        browser.is_page(word)
        for other in [one for one in self.browsers if one.page == browser.page and one is not browser]:
            self.remove(other)
            _close(other, RENEWED, b"This page has a new connection.")
        for answer in self._asking.answers(browser.page):
            browser.post(answer)

    def remove(self, browser: Browser) -> None:
        """Removes a browser and releases the keys that it held."""
        self.browsers.discard(browser)
        for panel, key in browser.let_go():
            with contextlib.suppress(EngineFault):
                self.engine.send({"t": "key", "p": panel, "k": key, "d": 0})

    def _publish(self, message: dict, whole: dict | None = None, asked: Asked | None = None) -> None:
        """Sends a message to all except the page that `asked` for it and got its answer; `whole` is the message with private
        content of the display, for that seat's pages only."""
        private = whole["private"] if whole and whole["t"] == "show" else 0
        for browser in self.browsers:
            if asked is None or browser.page != asked.page:
                browser.post(whole if private and browser.seat == private else message)

    def _end_seat_pages(self) -> None:
        """Closes the seats' pages, as their links are for previous players."""
        for browser in [one for one in self.browsers if one.seat]:
            self.remove(browser)
            _close(browser, KEYS_CHANGED, b"Other players, new links.")

    def say(self, say: str, browser: Browser | None = None, clause: str = "") -> None:
        """Sends one sentence to a browser, or to all."""
        for one in self.browsers if browser is None else (browser,):
            one.post({**no(say, clause), "re": None})

    def _reply(self, message: dict) -> None:
        number = message["re"]
        if message["t"] == "no" and self.views.refused(number):
            return
        if number == self._journal_number and message["t"] == "no":
            self._journal_failed(message["say"])
        if number == 0 and message["t"] == "no":  # a refused key: everybody sees it, as on the display
            self.say(message["say"], clause=message["clause"])
        if number in self._resumed and message["t"] == "ok":
            self._asked_again_at = 0.0
            self._ask_again()
        self._resumed.discard(number)
        asked = self._asking.take(message)
        if asked is not None:
            self._answer(asked, message)

    # What the pages ask

    async def take(self, browser: Browser, text: str) -> None:
        """Takes one text from a browser; reports errors to that browser in one sentence."""
        asked = Asked(browser.page, None, "")
        try:
            message, page_number = requests.read(text)
            asked.page_number = page_number
            known = self._asking.known(browser.page, page_number)
            if known is not None:  # sent again; if still open, it gets its answer later
                if known.answer is not None:
                    browser.post(known.answer)
                return
            kind = requests.check_request(message, browser.role, browser.seat, self.picture.prompts)
            if requests.REQUESTS[kind].again:
                asked = self._asking.note(browser.page, page_number, kind, message.get("seat", 0))
            await self._pass_on(browser, kind, message, asked)
        except (EngineFault, ValueError) as error:
            self._answer(asked, no(error))

    async def _pass_on(self, browser: Browser, kind: str, message: dict, asked: Asked) -> None:
        if kind == "start" and self.engine.shared and (self.picture.race or {}).get("state") in ("start", "race"):
            raise requests.Refused("A race is running on the board; only the board can end it, with MENU.",
                                   "Auf dem Brett läuft ein Rennen, das keine Seite beendet; das geht am Brett, mit MENU.")
        number = 0
        if kind == "page":
            self._is_page(browser, str(message.get("word", ""))[:PAGE_WORD_MOST])
            asked.page = browser.page
        elif kind == "beat":
            pass
        elif self.engine.alive:
            number = self.engine.send(message)
        elif kind in ("resume", "start"):
            number = await self._again(message)
        else:
            raise EngineFault(f"{self.engine.exit_reason} Choose Resume to start it again.",
                              "Das Brett ist stehen geblieben; mit Fortsetzen startet es wieder.")
        if kind == "key":
            browser.note_key(message["p"], message["k"], message["d"])
        if requests.REQUESTS[kind].by == requests.HERE:
            self._answer(asked, {"t": requests.ends(kind)})
            return
        if kind == "resume":
            self._resumed.add(number)
        too_old = self._asking.wait(asked, number)
        if too_old is not None:
            self._answer(too_old, no("Too many requests at once; try again."))

    def _answer(self, asked: Asked, message: dict) -> None:
        """Sends the one answer to a request to its page: on the page's current connection, and kept for a later one."""
        asked.answer = {**message, "re": asked.page_number}
        for browser in self.browsers:
            if browser.page == asked.page:
                browser.post(asked.answer)

    async def _again(self, then: dict) -> int:
        async with self._starting:
            if self.engine.alive:  # somebody else was faster
                return self.engine.send(then)
            if self._reader is not None:
                await self._reader
            number = await self._start(then)
            if not number:
                raise EngineFault(self.engine.exit_reason)
            return number

    # The journal

    async def journal(self) -> tuple[str, str]:
        """Asks the board for its journal; returns (file name, text). Raises EngineFault with the reason."""
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
            raise EngineFault("The board didn't send its journal in time; try again when it is less busy.") from None

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
            waiting.set_exception(EngineFault(say or "The board didn't send its journal."))
            waiting.exception()  # mark as seen: perhaps nobody waits any longer


def no(why: object, clause: str = "") -> dict:
    """The answer that refuses a request, with the sentence (or error) that says why."""
    says = {"de": why.german} if getattr(why, "german", "") else None
    return {"t": "no", "say": str(why), "clause": clause, **({"says": says} if says else {})}


def _close(browser: Browser, code: int, why: bytes) -> None:
    browser.closing = asyncio.create_task(browser.socket.close(code=code, message=why))
