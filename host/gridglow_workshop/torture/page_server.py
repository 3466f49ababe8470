"""The server that the trial `page` attacks: the page's own, with a board that only records what reaches it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
import string
from collections.abc import AsyncIterator

from aiohttp import web

from gridglow.virtual.access import Access
from gridglow.virtual.board import VirtualBoard
from gridglow.virtual.server import PAGE, application
from gridglow_workshop.torture.link_host import HELLO, RACE, Mute
from shared_rules.link_table import TO_BOARD, decode

#: The computer's address in a network: one reserved for documentation.
LAN = "192.0.2.77"
PLAYERS = [["person", "Ann"], ["person", "Zoë"], ["person", "Ida"], ["bot", "Bo"]]
#: Panel 3 serves two seats.
PANELS = [[1], [2], [3, 4]]
PROMPTS = [{"seat": 1, "serial": 7, "kind": "roll", "secret": False, "choices": None, "dice": []},
           {"seat": 3, "serial": 8, "kind": "choose", "secret": True, "choices": None, "dice": []}]
FOREIGN = ("http://example.org", "null", "http://[", "http://127.0.0.1.example.org", "http://localhost:1", "https://[::1",
           "x", "http://127.0.0.1:1", "file://", "http://user@127.0.0.1:80", "", "http://\x7f", "http://127.0.0.1:99999999")
ANSWER_S = 10.0


class Seasons:
    """A page's seasons: all that matters is whether somebody had a race counted."""

    def __init__(self) -> None:
        self.counted = 0

    def due(self, _language: str) -> list[dict]:
        return []

    def of(self, _journal: str) -> None:
        return None

    def count(self, _journal: str) -> dict:
        self.counted += 1
        return {"name": "x", "number": 1}


class Board(Mute):
    """Answers what the server needs to go on: a journal, and a seat's view."""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: set[asyncio.Task] = set()

    def _write(self, data: bytes) -> bool:
        super()._write(data)
        message = decode(TO_BOARD, data.rstrip(b"\n"))
        replies = {"journal": {"t": "file", "name": "journal", "k": 0, "of": 1, "d": "eA=="},
                   "view": {"t": "view", "seat": message.get("seat", 0), "private": [f"SECRET-OF-{message.get('seat', 0)}"],
                            "prompt": None}}
        reply = replies.get(message["t"])
        if reply:
            task = asyncio.get_running_loop().create_task(self.say(reply))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return True


class Served:
    """A running server, and what can be seen of it from outside and inside."""

    def __init__(self, board: VirtualBoard, access: Access, seasons: Seasons) -> None:
        self.board = board
        self.engine: Board = board.engine
        self.access = access
        self.seasons = seasons
        self.port = access.port
        self.own = f"127.0.0.1:{access.port}"
        self.pages = {path.read_bytes() for path in PAGE.rglob("*") if path.is_file()}

    def seat_keys(self) -> list[str]:
        """The keys of all seats."""
        return [path.rpartition("/")[2] for _seat, _name, path in self.board.keys.links()]

    def key(self, seat: int = 1) -> str:
        """The key of a seat."""
        return self.seat_keys()[seat - 1]

    def near(self, chance: random.Random) -> str:
        """An almost correct key."""
        key = self.key()
        letter = chance.choice(string.ascii_letters)
        return chance.choice((key[:-1], key + "x", key.swapcase(), key[::-1], letter + key[1:] if letter != key[0] else "-",
                              key[:-1] + "%00", "0" * 22, "none", key[:11] + self.key(2)[11:]))

    def names(self, host: str) -> bool:
        """Whether this is a name of ours."""
        return host.rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]", LAN)

    def here(self, host: str) -> bool:
        """Whether a request under this name comes from this computer (all in this trial come over the loopback)."""
        return self.names(host) and not host.startswith(LAN)

    def state(self) -> str:
        """Everything that a request could change."""
        return json.dumps([self.board.picture.snapshot(), self.seat_keys(), self.board.engine.alive], sort_keys=True)

    def take_sent(self) -> list[dict]:
        """The messages that reached the board since the last call."""
        sent, self.engine.sent[:] = [decode(TO_BOARD, data.rstrip(b"\n")) for data in self.engine.sent if data.strip()], []
        return sent

    @property
    def counted(self) -> int:
        """How often a race was counted."""
        return self.seasons.counted

    @counted.setter
    def counted(self, value: int) -> None:
        self.seasons.counted = value

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the server."""
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    async def request(self, method: str, path: str, host: str, origin: str | None, body: bytes,
                      chance: random.Random) -> tuple[int, dict, bytes]:
        """(status, headers, text) for a raw request, valid or not; status 0 if the server hung up."""
        rows = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
        rows += [f"Origin: {origin}"] if origin is not None else []
        odd = chance.randrange(30)
        if odd == 0:
            rows.append("Content-Length: 99999999999")
        elif odd == 1:
            rows += ["Transfer-Encoding: chunked", "Content-Length: 3"]
        elif odd == 2:
            rows.append("X" * chance.choice((10, 9000)))
        elif odd == 3:
            rows.append("Range: bytes=0-99999999999,5-1")
        elif body or method in ("POST", "PUT", "PATCH"):
            rows.append(f"Content-Length: {len(body)}")
        data = "\r\n".join(rows).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body
        return await self.talk(data)

    async def talk(self, data: bytes) -> tuple[int, dict, bytes]:
        """The answer to these bytes."""
        reader, writer = await self.open()
        try:
            writer.write(data)
            if b"Content-Length: 99999999999" in data:  # don't wait for a body that never comes
                writer.write_eof()
            raw = await asyncio.wait_for(reader.read(4_000_000), ANSWER_S)
            while raw and (more := await asyncio.wait_for(reader.read(4_000_000), ANSWER_S)):
                raw += more
        except (ConnectionError, asyncio.TimeoutError):
            raw = b""
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        head, _, text = raw.partition(b"\r\n\r\n")
        words = head.split(b" ", 2)
        status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        headers = dict(row.split(": ", 1) for row in head.decode("latin-1").split("\r\n")[1:] if ": " in row)
        return status, headers, text


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[Served]:
    """A server on a free port of the loopback address, with a running race."""
    access = Access(LAN)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    access.port = listener.getsockname()[1]
    seasons = Seasons()
    board = VirtualBoard(Board(), lambda track: {"id": track})
    runner = web.AppRunner(application(board, access, seasons), access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    try:
        starting = asyncio.create_task(board.start())
        await asyncio.sleep(0)
        await board.engine.say(HELLO)
        await starting
        await board.engine.say({**RACE, "seats": PLAYERS, "panels": PANELS})
        await board.engine.say({"t": "prompts", "list": PROMPTS})
        while not board.picture.prompts:
            await asyncio.sleep(0)
        board.engine.sent.clear()
        yield Served(board, access, seasons)
    finally:
        await board.stop()
        await runner.cleanup()
        listener.close()
