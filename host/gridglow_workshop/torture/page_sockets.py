"""Websockets for the trial `page`: who is accepted, what each page may send, and invalid frames."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import struct

from gridglow_workshop.torture.page_server import FOREIGN, LAN, PROMPTS, Served

#: The number of messages that an accepted page sends.
MESSAGES = 20
SETTLE_S = 0.02
VALUES = (0, 1, 2, 3, 4, 9, 255, -1, 1 << 40, 0.5, True, None, "", "1", "roll", "x" * 6000, [], {}, [[1]], {"seat": 1})
TYPES = ("key", "key", "key", "answer", "answer", "answer", "why", "why", "start", "resume", "journal", "view", "hi", "stop",
         "reset", "put", "commit", "read", "service", "try", "crash", "mirror", "info", "px", "__class__", "")
TEXTS = ("roll", "undo", "source dice table")
FRAMES = (
    b"\x81\x05hello",  # not masked
    b"\xc1\x80\x00\x00\x00\x00", b"\xf1\x80\x00\x00\x00\x00",  # reserved bits
    b"\x83\x80\x00\x00\x00\x00", b"\x8b\x80\x00\x00\x00\x00",  # undefined kinds
    b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", b"\x81\xfe\xff\xff\x00\x00\x00\x00",  # far too long
    b"\x89\xfe\x00\x80\x00\x00\x00\x00" + b"x" * 128,  # a ping that is too long
    b"\x80\x80\x00\x00\x00\x00", b"\x01\x82\x00\x00\x00\x00ab",  # a fragment of nothing; one that never ends
    b"\x81\x84\x00\x00\x00\x00\xff\xfe\xed\xa0",  # invalid UTF-8
    b"\x88\x82\x00\x00\x00\x00\x00\x01", b"\x88\x81\x00\x00\x00\x00x",  # closes with undefined codes
    b"\x00" * 40, b"\xff" * 40, b"GET / HTTP/1.1\r\n\r\n",
)


async def try_sockets(served: Served, count: int, chance: random.Random, failures: list[str]) -> tuple[int, int, int]:
    """(how many were accepted, messages and frames sent, messages that reached the board)."""
    opened = messages = reached = 0
    for _ in range(count):
        who = chance.choice(("table", "watch", "seat", "seat", "near"))
        seat = chance.choice((1, 2, 3)) if who == "seat" else 0
        path = f"/seat/{served.key(seat)}/ws" if seat else f"/seat/{served.near(chance)}/ws" if who == "near" else "/ws"
        host = chance.choice((f"{LAN}:{served.port}",) if who == "watch" else (served.own, f"localhost:{served.port}"))
        if chance.random() < 0.1:
            host = "example.org"
        origin = chance.choice((f"http://{host}",) * 20 + (None, *FOREIGN))
        may = who != "near" and served.names(host) and origin in (None, f"http://{host}")
        reader, writer, status = await _shake_hands(served, path, host, origin)
        what = f"the websocket {who}{seat or ''} under {host!r} from {origin!r}"
        if (status == 101) != may:
            failures.append(f"{what} was {'accepted' if status == 101 else 'refused'} ({status})")
        if status >= 500:
            failures.append(f"{what}: the server answered {status}")
        if status == 101:
            opened += 1
            said, got = await _talk(served, reader, writer, who, seat, chance, failures, what)
            messages += said
            reached += got
        writer.close()
        for _ in range(1000):  # a page that leaves releases the keys that it held
            if not served.board.browsers:
                break
            await asyncio.sleep(0.001)
        served.take_sent()
    if not await _still_there(served):
        failures.append("the page was no longer available at the end")
    return opened, messages, reached


async def _shake_hands(served: Served, path: str, host: str, origin: str | None):
    reader, writer = await served.open()
    rows = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
    rows += [f"Origin: {origin}"] if origin is not None else []
    writer.write("\r\n".join(rows).encode("utf-8", "surrogatepass") + b"\r\n\r\n")
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.TimeoutError):
        return reader, writer, 0
    return reader, writer, int(head.split(b" ", 2)[1])


async def _talk(served: Served, reader, writer, who: str, seat: int, chance: random.Random, failures: list[str], what: str):
    """Sends a few messages; returns (how many, how many of them reached the board)."""
    reached = said = 0
    heard = asyncio.create_task(_listen(reader))
    try:
        for _ in range(MESSAGES):
            said += 1
            broken = chance.random() < 0.04
            if broken:
                writer.write(chance.choice(FRAMES))
            else:
                text = json.dumps(message(chance, seat)) if chance.random() < 0.8 else odd_text(chance)
                writer.write(frame(text.encode("utf-8", "surrogatepass")))
            await asyncio.wait_for(writer.drain(), 10)
            if broken:
                break
        await asyncio.sleep(SETTLE_S)
        for _ in range(50):
            if not served.engine.tasks:
                break
            await asyncio.sleep(0.001)
    except (ConnectionError, asyncio.TimeoutError):
        pass
    heard.cancel()
    data = (await asyncio.gather(heard, return_exceptions=True))[0]
    for got in served.take_sent():
        if got["t"] in ("view", "hi"):  # sent by the server itself
            continue
        reached += 1
        if not allowed(who, seat, got):
            failures.append(f"{what}: {got} reached the board")
    data = bytes(data) if isinstance(data, (bytes, bytearray)) else b""
    for other in range(1, 5):
        if other != seat and f"SECRET-OF-{other}".encode() in data:
            failures.append(f"{what} got what only seat {other} may see")
    return said, reached


async def _listen(reader) -> bytes:
    """Reads everything that the server sends until this is cancelled."""
    data = bytearray()
    try:
        while part := await reader.read(65_536):
            data += part
    except (asyncio.CancelledError, ConnectionError):
        pass
    return bytes(data)


async def _still_there(served: Served) -> bool:
    status, _, text = await served.request("GET", "/", served.own, None, b"", random.Random(4))
    return status == 200 and b"<html" in text


def allowed(who: str, seat: int, got: dict) -> bool:
    """Whether this message may come from such a page; the rule as in docs/virtual-board.md."""
    kind = got["t"]
    secret = {one["seat"] for one in PROMPTS if one["secret"]}
    if who == "table":
        return kind in ("key", "answer", "start", "resume") or (kind == "why" and got["seat"] not in secret)
    if who == "seat":
        whose = got.get("seat") == seat and got.get("text", "") != "source dice table"
        return whose and (kind == "answer" or kind == "why" and seat not in secret)
    return False


def message(chance: random.Random, own: int) -> dict:
    """Something that the page of this seat could send, more or less."""
    kind = chance.choice(TYPES)
    seat = own if chance.random() < 0.5 else chance.randrange(5)
    usual = {"key": {"p": chance.choice((1, 2, 3, 4, 201)), "k": chance.choice(("OK", "x")), "d": chance.choice((0, 1))},
             "answer": {"seat": seat, "serial": chance.choice((7, 8)), "text": chance.choice(TEXTS)},
             "why": {"seat": seat}, "view": {"seat": seat}, "start": {"setup": {"game": "x"}}, "reset": {"how": "run"},
             "read": {"name": "save/race.a"}, "mirror": {"on": 1}, "hi": {"v": 1}}
    found = {"t": kind, **usual.get(kind, {})}
    if chance.random() < 0.3:
        found["id"] = chance.choice(VALUES)
    if chance.random() < 0.4:
        found[chance.choice((*found, "n", "seat"))] = chance.choice(VALUES)
    return found


def odd_text(chance: random.Random) -> str:
    """A text that isn't a message."""
    return chance.choice(("", "[]", "{", "null", "1", '"x"', "[" * 3000, '{"t":[]}', '{"t":{}}', '{"t":"key","t":"start"}',
                          "NaN", "\ud800", "{}" * 100, '{"t":"answer","seat":1e400,"serial":1,"text":"x"}', "x" * 5000))


def frame(data: bytes) -> bytes:
    """A masked text frame."""
    size = len(data)
    head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + struct.pack(">H", size)
    return head + b"\x00\x00\x00\x00" + data
