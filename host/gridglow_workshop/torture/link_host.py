"""The other end of the link: a virtual board that hears hostile messages from its board, for the trial `link`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import string

from gridglow.virtual.access import SEAT, TABLE, WATCH
from gridglow.virtual.board import VirtualBoard
from gridglow.virtual.browsers import Browser
from gridglow.virtual.engine import Engine
from shared_rules.link_lines import line_of
from shared_rules.link_table import FROM_BOARD, LINE_MAX, STATES, ascii_json, fields, types

#: The number of messages between checks that the host still listens.
TOGETHER = 25
TEXTS = ("", "person", "bot", "../x", "race", "podium", "journal", "\x00", "\ud83d", "ü", "x" * 500, "{0}", "12b", "<b>",
         "rolled", "undone", "flipped", "gp-ring", "en", "de")
HELLO = {"t": "hello", "v": 1, "fw": "1", "board": "x", "outputs": [], "panels": 4, "display": [21, 6], "impl": "x"}
RACE = {"t": "race", "state": "race", "game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1, "lap": 1,
        "seats": [["person", "A"], ["person", "B"], ["bot", "C"]], "cars": [], "dice": "device", "decks": "device",
        "seed_hash": "", "panels": [[1], [2], [3]]}


#: What pages ask for meanwhile.
ASKED = ('{"t":"why","seat":1}', '{"t":"key","p":1,"k":"OK","d":1}', '{"t":"key","p":3,"k":"OK","d":0}',
         '{"t":"start","setup":{}}', '{"t":"answer","seat":2,"serial":1,"text":"roll"}')


class Mute(Engine):
    """An engine whose board says what the trial wants; messages to it are recorded."""

    name = "mute"

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    async def _open(self, arguments: tuple[str, ...]) -> None:
        self.sent.clear()

    def _write(self, data: bytes) -> bool:
        self.sent.append(data)
        return True

    async def _close(self) -> None:
        await self._ended("The trial is over.")

    async def say(self, message: dict) -> None:
        """Has the board send this."""
        await self.hear(line(message))

    async def hear(self, data: bytes) -> None:
        """Has these bytes come from the board."""
        await self._received(data)


class Page:
    """A browser's end of a websocket that stores nothing."""

    closed = False

    async def close(self, **_) -> None:
        self.closed = True


def line(message: dict) -> bytes:
    """The line of a board's message, valid or not."""
    return bytes(line_of(FROM_BOARD, [ascii_json(message)]))


def hear(count: int, seed: int) -> tuple[int, list[str]]:
    """(how many messages a virtual board has heard, a sentence for each that broke it)."""
    return asyncio.run(_hear(count, random.Random(f"{seed}/host")))


async def board_with_pages() -> tuple[Mute, VirtualBoard, list[Browser]]:
    """A virtual board with a running race of two people and a bot, and a page of each kind."""
    engine = Mute()
    board = VirtualBoard(engine, lambda track: {})
    starting = asyncio.create_task(board.start())
    await asyncio.sleep(0)
    await engine.say(HELLO)
    await starting
    await engine.say(RACE)
    await asyncio.sleep(0)
    pages = [Browser(Page(), board.snapshot, role, seat) for role, seat in ((TABLE, 0), (WATCH, 0), (SEAT, 1), (SEAT, 2))]
    for page in pages:
        board.add(page)
    return engine, board, pages


async def _hear(count: int, chance: random.Random) -> tuple[int, list[str]]:
    failures: list[str] = []
    heard = 0
    engine, board, pages = await board_with_pages()
    while heard < count and len(failures) < 5:
        last = b""
        for _ in range(TOGETHER):
            heard += 1
            data = last = hostile(chance)
            await engine.hear(data)
            await asyncio.sleep(0)
            broken = await _broken(board, pages)
            if broken:
                failures.append(f"The host failed on a message from its board: {broken} after {last[:300]!r}.")
                await board.stop()
                engine, board, pages = await board_with_pages()
        for page in pages:
            try:
                json.dumps(board.snapshot(page))
                for text_ in ASKED:
                    await board.take(page, text_)
            except Exception as error:  # any exception would have ended the page
                failures.append(f"A page failed: {type(error).__name__} {error} after {last[:300]!r}.")
            page._waiting.clear()
    await board.stop()
    return heard, failures


async def _broken(board: VirtualBoard, pages: list[Browser]) -> str:
    """What ended the host's listening, or ""."""
    reader = board._reader
    if not reader.done():
        for page in pages:
            with contextlib.suppress(KeyError):
                if any(message["t"] == "view" and message["seat"] != page.seat for message in page._waiting):
                    return "a page got what only another seat may see"
        return ""
    error = reader.exception()
    return f"{type(error).__name__} {error}" if error else "it has ended"


def hostile(chance: random.Random) -> bytes:
    """One line from a board: mostly valid by the table, with odd values; else damaged."""
    kind = chance.choice(types(FROM_BOARD))
    message: dict = {"t": kind, "n": chance.randrange(9999)}
    usual = {"race": RACE, "hello": HELLO}.get(kind, {})
    for name, sort, needed in fields(FROM_BOARD, kind):
        if needed or chance.random() < 0.7:
            message[name] = usual[name] if name in usual and chance.random() < 0.6 else of_sort(chance, sort)
    if chance.random() < 0.1:
        message[chance.choice(list(message))] = anything(chance)
    try:
        data = line(message)
    except ValueError:
        data = b"<{" + b"x" * LINE_MAX[FROM_BOARD] + b"\n"
    if chance.random() < 0.1:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(3):]
    return data


def of_sort(chance: random.Random, sort: str) -> object:
    """A value that the table allows for a field of this kind, but nobody expects."""
    if sort == "int":
        return chance.choice((0, 1, 2, 3, 7, 255, 1 << 30))
    if sort == "hex":
        return "".join(chance.choices("0123456789abcdef", k=2 * chance.randrange(9)))
    if sort == "base64":
        return chance.choice(("", "AAAA", "aGVsbG8=", "YQ=="))
    if sort == "state":
        return chance.choice(STATES)
    if sort == "ints":
        return [chance.randrange(300) for _ in range(chance.randrange(4))]
    if sort == "texts":
        return [text(chance) for _ in range(chance.randrange(8))]
    if sort == "rows":
        return [[anything(chance) for _ in range(chance.randrange(6))] for _ in range(chance.randrange(4))]
    if sort == "objects":
        return [thing(chance) for _ in range(chance.randrange(4))]
    if sort == "object":
        return thing(chance)
    if sort == "list":
        return [anything(chance) for _ in range(chance.randrange(4))]
    return text(chance)


def thing(chance: random.Random) -> dict:
    """An object with some of the keys that objects have."""
    keys = ("seat", "serial", "kind", "secret", "choices", "dice", "source", "car", "ask", "id", "tracks", "variants", "x")
    return {key: anything(chance) for key in chance.sample(keys, chance.randrange(len(keys)))}


def anything(chance: random.Random, deep: int = 3) -> object:
    """Any value."""
    kind = chance.randrange(8)
    if kind == 0:
        return chance.choice((0, 1, -1, 2, 1 << 70, 0.5, -0.0))
    if kind == 1:
        return chance.choice((None, True, False))
    if kind == 2 and deep:
        return [anything(chance, deep - 1) for _ in range(chance.randrange(4))]
    if kind == 3 and deep:
        return {text(chance): anything(chance, deep - 1) for _ in range(chance.randrange(3))}
    return text(chance)


def text(chance: random.Random) -> str:
    """Any text."""
    if chance.random() < 0.7:
        return chance.choice(TEXTS)
    return "".join(chance.choices(string.printable, k=chance.randrange(12)))
