"""The page of the virtual board on the loopback address: files, geometry, journal and the websocket."""

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web

from gridglow.virtual.board import VirtualBoard
from gridglow.virtual.browsers import Browser
from gridglow.virtual.engine import Engine, EngineFault
from shared_rules.errors import GridglowError

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8717
PAGE = Path(__file__).parent / "page"
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
TRACK_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
HEADERS = {
    "Cache-Control": "no-cache",  # after an update the page must not mix old modules with new ones
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        # Nothing here evaluates texts; drivers of browser tests do.
        "default-src 'self'; script-src 'self' 'unsafe-eval'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self' ws:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
}


class PortTaken(GridglowError):
    """The port that was asked for can't be had; one sentence."""


def application(board: VirtualBoard) -> web.Application:
    """Return the aiohttp application that serves `board`."""
    pages = _Pages(board)
    app = web.Application(middlewares=[_only_for_us])
    app.on_response_prepare.append(_add_headers)
    app.router.add_get("/", pages.index)
    app.router.add_get("/geometry/{track}.json", pages.geometry)
    app.router.add_get("/journal", pages.journal)
    app.router.add_get("/ws", pages.websocket)
    app.router.add_static("/static/", PAGE)
    return app


@web.middleware
async def _only_for_us(request: web.Request, handler) -> web.StreamResponse:
    """A page of another name that leads here (DNS rebinding) is no page of ours."""
    if _name_of(request.host) not in OWN_NAMES:
        raise web.HTTPForbidden(text="This page is served to this computer only: open http://127.0.0.1 with the port.\n")
    return await handler(request)


def _name_of(host: str) -> str:
    return re.sub(r":\d+$", "", host).lower()


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for key, value in HEADERS.items():
        response.headers[key] = value


class _Pages:
    """The handlers. None of those for GET changes anything on the board."""

    messages_a_second = 100
    frame_bytes = 65_536  # a longer one ends the connection; from 4096 on it is answered with a sentence

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self._geometries: dict[str, dict] = {}

    async def index(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(PAGE / "index.html")

    async def geometry(self, request: web.Request) -> web.StreamResponse:
        track = request.match_info["track"]
        if not TRACK_ID.fullmatch(track):
            raise web.HTTPNotFound(text="A track's id is of small letters, digits and dashes.\n")
        if track not in self._geometries:
            try:
                self._geometries[track] = await asyncio.to_thread(self.board.geometry, track)
            except GridglowError as error:
                raise web.HTTPNotFound(text=f"{error}\n") from error
            except (KeyError, FileNotFoundError) as error:
                raise web.HTTPNotFound(text=f"There is no track {track} on this board.\n") from error
        return web.json_response(self._geometries[track])

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
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
            raise web.HTTPForbidden(text="Only Gridglow's own page may talk to the board.\n")
        answer = web.WebSocketResponse(heartbeat=20, max_msg_size=self.frame_bytes)
        await answer.prepare(request)
        browser = Browser(answer, self.board.snapshot)
        self.board.browsers.add(browser)
        sender = asyncio.create_task(browser.run())
        try:
            await self._read(answer, browser)
        finally:
            self.board.browsers.discard(browser)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
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
                    say = f"More than {self.messages_a_second} messages in a second; the rest of it was left out."
                    self.board.say(say, browser)
            elif message.type == WSMsgType.TEXT:
                await self.board.take(browser, message.data)
            elif message.type == WSMsgType.BINARY:
                self.board.say("A message to the board is a text, not bytes.", browser)


def _listen_on(port: int | None) -> socket.socket:
    """Return a bound socket; without a port the usual one, or any that is free. Raises PortTaken."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows would let two of us share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((LOOPBACK, wanted))
            listener.listen(64)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            if port is None and wanted:
                continue
            reason = getattr(error, "strerror", None) or str(error)
            raise PortTaken(
                f"Port {wanted} of {LOOPBACK} can't be had ({reason}); choose another with --port, or none for a free one."
            ) from error
    raise PortTaken(f"No port of {LOOPBACK} is free.")


async def serve(
    engine: Engine,
    geometry: Callable[[str], dict],
    port: int | None = None,
    on_ready: Callable[[str], None] | None = None,
    start: dict | None = None,
    stop: asyncio.Event | None = None,
    on_message: Callable[[dict], None] | None = None,
) -> None:
    """Serve the virtual board on 127.0.0.1 until `stop` is set or the task is cancelled (Ctrl-C under asyncio.run).

    `port` None takes the usual port or any free one; 0 any free one. `on_ready` gets the page's address once it can be
    opened and the engine runs; `start` is a plain set-up to start at once; `on_message` sees every public message.
    The page stays up when the engine dies and offers to start it again. Raises PortTaken and EngineFault before
    `on_ready`, each with one sentence; ends the engine and closes the port in any case.
    """
    listener = _listen_on(port)
    board = VirtualBoard(engine, geometry, start, on_message)
    runner = web.AppRunner(application(board), access_log=None, shutdown_timeout=1)
    try:
        await runner.setup()
        await web.SockSite(runner, listener).start()
        await board.start()
        if on_ready is not None:
            on_ready(f"http://{LOOPBACK}:{listener.getsockname()[1]}/")
        await (stop or asyncio.Event()).wait()
    finally:
        await board.stop()
        await runner.cleanup()
        listener.close()
