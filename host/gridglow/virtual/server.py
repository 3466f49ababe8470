"""The pages of the virtual board: files, geometry, journal, the websocket, and a page for each seat."""

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable
from pathlib import Path

from aiohttp import WSMsgType, web

from gridglow.races.cheatsheets import sheet_html
from gridglow.virtual.access import EVERYWHERE, LOOPBACK, LOOPBACK_V6, SEAT, TABLE, WATCH, Access
from gridglow.virtual.board import KEYS_CHANGED, VirtualBoard
from gridglow.virtual.browsers import Browser
from gridglow.virtual.dice_page import DicePage
from gridglow.virtual.engine import Engine, EngineFault
from gridglow.virtual.season_pages import SeasonPages
from shared_rules.errors import GridglowError

USUAL_PORT = 8717
PAGE = Path(__file__).parent / "page"
LANGUAGES = ("en", "de")
TRACK_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
HEADERS = {
    "Cache-Control": "no-cache",  # after an update the page must not mix old modules with new ones
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        # Nothing here evaluates text as code; drivers of browser tests do.
        "default-src 'self'; script-src 'self' 'unsafe-eval'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self' ws:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
}


# A page for a phone whose link no longer works; an expired link is no secret.
GONE = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Gridglow</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark">
<body style="font: 1.2rem/1.5 system-ui, sans-serif; margin: 2rem; color: #eef2f8; background: #0c0f15"><p>{say}</p>
"""
GONE_SAY = {
    "en": "This link doesn't belong to a seat in this race; get your seat's new link at the board.",
    "de": "Dieser Link gehört zu keinem Platz dieses Rennens; am Brett gibt es den neuen Link des Platzes.",
}


class PortTaken(GridglowError):
    """The requested port isn't available; one sentence."""


def application(board: VirtualBoard, access: Access | None = None, seasons=None) -> web.Application:
    """The aiohttp application that serves `board`; without `access`, to this computer only. `seasons`: see serve."""
    access = access or Access()
    pages = _Pages(board, access)
    season_pages = SeasonPages(board, access, seasons)

    @web.middleware
    async def only_for_us(request: web.Request, handler) -> web.StreamResponse:
        access.check(request)
        return await handler(request)

    app = web.Application(middlewares=[only_for_us])
    app.on_response_prepare.append(_add_headers)
    app.router.add_get("/", pages.index)
    app.router.add_get("/geometry/{track}.json", pages.geometry)
    app.router.add_get("/journal", pages.journal)
    app.router.add_get("/sheet/{game}", pages.sheet)
    app.router.add_get("/ws", pages.websocket)
    app.router.add_get("/dice.json", DicePage(board).counts)
    app.router.add_get("/seats.json", pages.seats)
    app.router.add_get("/seasons.json", season_pages.due)
    app.router.add_get("/season.json", season_pages.of_race)
    app.router.add_post("/season", season_pages.count)
    app.router.add_get("/seat/{key}", pages.seat)
    app.router.add_get("/seat/{key}/ws", pages.seat_websocket)
    app.router.add_static("/static/", PAGE)
    return app


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for key, value in HEADERS.items():
        response.headers.setdefault(key, value)


class _Pages:
    """The handlers. Those for GET change nothing on the board."""

    messages_a_second = 100
    frame_bytes = 65_536  # a longer one ends the connection; one over 4096 gets a sentence

    def __init__(self, board: VirtualBoard, access: Access) -> None:
        self.board = board
        self.access = access
        self._geometries: dict[str, dict] = {}

    async def index(self, request: web.Request) -> web.StreamResponse:
        return self._page("index.html")

    def _page(self, name: str) -> web.Response:
        """The file, marked with the board's language, from which its scripts choose their words."""
        text = (PAGE / name).read_text("utf-8").replace('<html lang="en">', f'<html lang="{self._lang}">', 1)
        return web.Response(text=text, content_type="text/html")

    @property
    def _lang(self) -> str:
        lang = self.board.picture.lang
        return lang if lang in LANGUAGES else "en"

    async def seat(self, request: web.Request) -> web.StreamResponse:
        self._seat_of(request)
        answer = self._page("seat.html")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def _seat_of(self, request: web.Request) -> int:
        seat = self.board.keys.seat_of(request.match_info["key"])
        if not seat:
            text = GONE.format(lang=self._lang, say=GONE_SAY[self._lang])
            raise web.HTTPNotFound(text=text, content_type="text/html")
        return seat

    async def seats(self, request: web.Request) -> web.StreamResponse:
        """The links of all seats, each with a QR code, for the person at the board's computer."""
        if not self.access.at_this_computer(request):
            raise web.HTTPForbidden(text="The seats' links are shown on the board's computer only.\n")
        import segno  # only when codes are requested: a start needn't wait for it

        rows = []
        for seat, name, path in self.board.keys.links():
            link = self.access.address() + path
            code = segno.make(link, micro=False).svg_data_uri(border=3, scale=4, dark="#000", light="#fff")
            rows.append({"seat": seat, "name": name, "link": link, "qr": code})
        return web.json_response({"lan": bool(self.access.lan), "seats": rows}, headers={"Cache-Control": "no-store"})

    async def geometry(self, request: web.Request) -> web.StreamResponse:
        track = request.match_info["track"]
        if not TRACK_ID.fullmatch(track):
            raise web.HTTPNotFound(text="A track's id consists of small letters, digits and hyphens.\n")
        if track not in self._geometries:
            try:
                self._geometries[track] = await asyncio.to_thread(self.board.geometry, track)
            except GridglowError as error:
                raise web.HTTPNotFound(text=f"{error}\n") from error
            except (KeyError, FileNotFoundError) as error:
                raise web.HTTPNotFound(text=f"There is no track {track} on this board.\n") from error
        return web.json_response(self._geometries[track])

    async def sheet(self, request: web.Request) -> web.StreamResponse:
        """The cheat sheet of a game, in the requested language or the board's."""
        language = request.query.get("language") or self._lang
        try:
            text = await asyncio.to_thread(sheet_html, request.match_info["game"], language)
        except GridglowError as error:
            raise web.HTTPNotFound(text=str(error)) from None
        return web.Response(text=text, content_type="text/html")

    async def journal(self, request: web.Request) -> web.StreamResponse:
        try:
            name, text = await self.board.journal()
        except EngineFault as error:
            raise web.HTTPServiceUnavailable(text=f"{error}\n") from error
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "journal"
        name = name if "." in name else f"gridglow-{name}.txt"
        return web.Response(
            text=text, content_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    async def websocket(self, request: web.Request) -> web.StreamResponse:
        return await self._talk(request, TABLE if self.access.at_this_computer(request) else WATCH)

    async def seat_websocket(self, request: web.Request) -> web.StreamResponse:
        return await self._talk(request, SEAT, self._seat_of(request))

    async def _talk(self, request: web.Request, role: str, seat: int = 0) -> web.StreamResponse:
        self.access.check_origin(request)
        answer = web.WebSocketResponse(heartbeat=20, max_msg_size=self.frame_bytes)
        await answer.prepare(request)
        if seat and not self.board.keys.seat_of(request.match_info["key"]):  # expired during the handshake
            await answer.close(code=KEYS_CHANGED)
            return answer
        browser = Browser(answer, self.board.snapshot, role, seat)
        self.board.add(browser)
        sender = asyncio.create_task(browser.run())
        try:
            await self._read(answer, browser)
        finally:
            self.board.remove(browser)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
            if browser.closing is not None:
                with contextlib.suppress(ConnectionError, RuntimeError):
                    await browser.closing
        return answer

    async def _read(self, answer: web.WebSocketResponse, browser: Browser) -> None:
        loop = asyncio.get_running_loop()
        second, count = loop.time(), 0
        async for message in answer:
            if loop.time() - second > 1:
                second, count = loop.time(), 0
            count += 1
            if count > self.messages_a_second:
                if count == self.messages_a_second + 1:
                    say = f"More than {self.messages_a_second} messages in one second; the rest were dropped."
                    self.board.say(say, browser)
            elif message.type == WSMsgType.TEXT:
                await self.board.take(browser, message.data)
            elif message.type == WSMsgType.BINARY:
                self.board.say("A message to the board must be text, not bytes.", browser)


def _listen_on(port: int | None, name: str = LOOPBACK) -> socket.socket:
    """A bound socket; by default on the usual port, or any free one. Raises PortTaken."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows would let two of us share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((name, wanted))
            listener.listen(64)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            if port is None and wanted:
                continue
            reason = getattr(error, "strerror", None) or str(error)
            raise PortTaken(
                f"Port {wanted} of {name} isn't available ({reason}); choose another with --port, or none for a free one."
            ) from error
    raise PortTaken(f"No port of {name} is free.")


def _listen_on_v6(port: int) -> list[socket.socket]:
    """A socket bound to the same port of ``::1``, where "localhost" may lead; none if this computer has no
    such address, or another program uses that port on it."""
    try:
        listener = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    except OSError:
        return []
    try:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK_V6, port))
        listener.listen(64)
    except OSError:
        listener.close()
        return []
    return [listener]


async def serve(
    engine: Engine,
    geometry: Callable[[str], dict],
    port: int | None = None,
    on_ready: Callable[[str], None] | None = None,
    start: dict | None = None,
    stop: asyncio.Event | None = None,
    on_message: Callable[[dict], None] | None = None,
    lan: str = "",
    seasons=None,
) -> None:
    """Serves the virtual board on 127.0.0.1, and on ::1 if available, until `stop` is set or the task is cancelled (Ctrl-C
    under asyncio.run).

    `port` None takes the usual port or any free one; 0 any free one. `on_ready` gets the page's address once it can be
    opened and the engine is running; with `lan` (see ``lan_address``) other computers may watch under that address, and the
    pages of seats work on phones; `start` is a plain set-up to start at once; `on_message` sees every public message;
    `seasons` has `due(language)`, `of(journal)` and `count(journal)` as `gridglow.seasons.offers`, or is None.
    The page stays up if the engine dies, and offers to start it again. Raises PortTaken and EngineFault before
    `on_ready`, each with one sentence; ends the engine and closes the port in any case.
    """
    access = Access(lan)
    listener = _listen_on(port, EVERYWHERE if lan else LOOPBACK)
    access.port = listener.getsockname()[1]
    listeners = [listener, *_listen_on_v6(access.port)]
    board = VirtualBoard(engine, geometry, start, on_message)
    runner = web.AppRunner(application(board, access, seasons), access_log=None, shutdown_timeout=1)
    try:
        await runner.setup()
        for one in listeners:
            await web.SockSite(runner, one).start()
        await board.start()
        if on_ready is not None:
            on_ready(access.address(LOOPBACK))
        await (stop or asyncio.Event()).wait()
    finally:
        await board.stop()
        await runner.cleanup()
        for one in listeners:
            one.close()
