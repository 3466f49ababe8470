"""The page is open to whatever a browser or a program on the network sends: requests, frames and messages of every kind.

A server on this computer's loopback address with a board that records what reaches it. What may reach it is written here
again, independently of the server: a watching page sends nothing, a seat's page for its own seat, the table's page the
rest; a page from another origin, under another name or with another key nothing at all; and no GET changes anything.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random

from gridglow.virtual.server import PAGE
from gridglow_workshop.torture.page_keys import try_keys
from gridglow_workshop.torture.page_server import FOREIGN, LAN, Served, serving
from gridglow_workshop.torture.page_sockets import try_sockets
from gridglow_workshop.torture.trial import LONG, Outcome, Say

NAME = "page"
WHAT = "Requests, frames and messages of every kind for the page: nothing forbidden reaches the board, no key leaks."

#: Requests, websockets (each with some messages), keys.
AMOUNTS = {"quick": (400, 60, 2_000), LONG: (20_000, 4_000, 200_000)}
PATHS = (
    "/", "/dice.json", "/index.html", "/journal", "/seats.json", "/seasons.json", "/season.json", "/season",
    "/geometry/gp-ring.json",
    "/geometry/../x.json", "/geometry/%2e%2e%2fx.json", "/geometry/GP.json", "/geometry/" + "a" * 200 + ".json", "/ws",
    "/static/app.js", "/static/", "/static", "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py",
    "/static/..%5cserver.py", "/static/....//server.py", "/static//etc/passwd", "/static/%00", "/static/app.js%00.py",
    "/static/../../../../../../etc/passwd", "/static/%2e%2e/%2e%2e/%2e%2e/cli/main.py", "/static/./app.js", "/seat/",
    "/seat/ws", "/seat//ws", "/seat/{key}", "/seat/{near}", "/seat/{near}/ws", "/seat/%00", "/seat/%ff%fe",
    "/seat/%ed%a0%80", "/seat/" + "A" * 3000, "/seat/{key}/../x", "/start", "/resume", "/stop", "/answer?seat=1&text=roll",
    "/key?p=1&k=OK", "/ws?t=start", "/?t=start", "//", "/..", "/%", "/%zz", "/\x7f", "*", "http://example.org/",
    "/season?name=x",
)
METHODS = ("GET",) * 6 + ("HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "GeT", "X" * 50)
ORIGINS = (None, None, None, "{own}", "{own}", *FOREIGN)
BODIES = (b"", b"", b"", b"{}", b'{"t":"start","setup":{}}', b"x" * 70_000, b"\x00\xff", b"name=x&go=1")
#: What a GET may ask of the board: its journal, which changes nothing.
ASKED = {"journal"}


def run(amount: str, seed: int, say: Say) -> Outcome:
    """See `trial`."""
    requests, sockets, keys = AMOUNTS[amount]
    quick = "" if amount == LONG else " --quick"
    again = f"seed {seed}; run it again with: gridglow torture --only {NAME} --seed {seed}{quick}"
    log = logging.getLogger("aiohttp")
    before, log.disabled = log.disabled, True  # its complaints about broken requests don't matter here
    server = logging.getLogger("aiohttp.server")
    was, server.disabled = server.disabled, True
    try:
        return asyncio.run(_run(requests, sockets, keys, seed, say, again))
    finally:
        log.disabled, server.disabled = before, was


async def _run(requests: int, sockets: int, keys: int, seed: int, say: Say, again: str) -> Outcome:
    chance = random.Random(f"{seed}/page")
    failures: list[str] = []
    async with serving() as served:
        answers = await _try_requests(served, requests, chance, failures)
        say(f"page: {requests} requests.")
        opened, messages, reached = await try_sockets(served, sockets, chance, failures)
        say(f"page: {sockets} websockets with {messages} messages.")
    made, facts = try_keys(keys, failures)
    tried = requests + sockets + messages + made
    told = [f"{one} ({again})." for one in dict.fromkeys(failures)]
    facts = [f"{requests} requests ({answers}), {sockets} websockets of which {opened} were let in, {messages} messages and "
             f"frames, of which {reached} reached the board, all of them allowed.", *facts]
    return Outcome(NAME, tried, max(0, tried - len(told)), "requests, messages and keys", facts, told)


async def _try_requests(served: Served, count: int, chance: random.Random, failures: list[str]) -> str:
    """Sends this many requests; returns how they were answered, in words."""
    statuses: dict[int, int] = {}
    for _ in range(count):
        method = chance.choice(METHODS)
        path = chance.choice(PATHS).replace("{key}", served.key()).replace("{near}", served.near(chance))
        host = chance.choice((*[served.own] * 8, f"localhost:{served.port}", f"{LAN}:{served.port}",
                              "example.org", "127.0.0.1.example.org", "", "[", f"{served.own}@x", "a" * 500))
        origin = chance.choice(ORIGINS)
        origin = origin.replace("{own}", f"http://{host}") if origin else None
        body = chance.choice(BODIES)
        before = served.state()
        status, headers, text = await served.request(method, path, host, origin, body, chance)
        statuses[status] = statuses.get(status, 0) + 1
        what = f"{method} {path[:60]} under {host[:40]!r} from {origin!r}"
        wrong = _wrong(served, method, path, host, origin, status, text)
        sent = served.take_sent()
        if {one["t"] for one in sent} - ASKED or method != "POST" and served.state() != before:
            wrong = wrong or f"it changed something: {sent}"
        if wrong:
            failures.append(f"{what}: {wrong}")
    return ", ".join(f"{number} times {status or 'closed'}" for status, number in sorted(statuses.items()))


def _wrong(served: Served, method: str, path: str, host: str, origin: str | None, status: int, text: bytes) -> str:
    """What is wrong with an answer, or ""."""
    ours = served.names(host)
    if status >= 500 and status not in (501, 503, 505):
        return f"the server answered {status}"
    if status == 200 and not ours:
        return "another name was accepted"
    told = [key for key in served.seat_keys() if key.encode() in text and f"/seat/{key}" not in path]
    if told and not (path == "/seats.json" and served.here(host)):
        return "the answer holds the key of a seat"
    if path.startswith("/static/") and status == 200 and method == "GET" and text not in served.pages:
        return f"a file from outside of {PAGE.name}/ was served"
    if path.startswith("/seat/") and status == 200 and path != f"/seat/{served.key()}":
        return "a seat's page was opened with an invalid key"
    if status == 200 and path in ("/seats.json", "/seasons.json", "/season.json", "/season") and not served.here(host):
        return "something for this computer only was sent elsewhere"
    if served.counted and not (method == "POST" and path.split("?")[0] == "/season" and served.here(host)
                               and (origin is None or origin == f"http://{host}")):
        return "a race was counted by a forbidden request"
    served.counted = 0
    if status == 200 and text[:1] == b"{":
        json.loads(text)
    return ""
