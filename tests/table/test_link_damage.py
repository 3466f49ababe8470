"""A race over a line that damages what passes over it, both ways: every answer counts once, nothing is lost,
and the journal is that of a sound line. The board's own firmware and the host's own end of the link."""

import asyncio
import random
import time

import pytest

from glow.app import App
from gridglow.lines import GONE, Lines
from gridglow.virtual.engines import engine_named
from hal import outbox
from hal.virtual import VirtualHal
from shared_rules.link_table import PROTOCOL

PLAIN = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1, "seed": "damage", "salt": "s",
         "players": [["person", "Ann"], ["bot", "Bo"], ["bot", "Cy"]]}
PRINTED = b"\r\nRuntimeError: maximum recursion depth exceeded\r\n"
TICK_MS = 10


class Wire:
    """Bytes on their way to one end; `percent` of the pieces put on it are damaged somewhere."""

    def __init__(self, seed, percent):
        self.chance = random.Random(seed)
        self.percent = percent
        self.bytes = b""
        self.damaged = 0

    def put(self, data):
        data = bytes(data)
        if data and self.chance.random() * 100 < self.percent:
            self.damaged += 1
            at = self.chance.randrange(len(data))
            data = self.chance.choice((
                data[:at] + bytes([33 + self.chance.randrange(90)]) + data[at + 1:],  # a wrong letter
                data[:at] + data[at + 1:],                                             # one too few
                data[:at] + data[at + 40:],                                            # a gap, perhaps across a line's end
                data[:at] + PRINTED + data[at:],                                       # other output printed into it
            ))
        self.bytes += data

    def take(self):
        data, self.bytes = self.bytes, b""
        return data


class Pipe:
    """The board's end of both wires."""

    def __init__(self, to_board, from_board):
        self.to_board = to_board
        self.from_board = from_board

    def read(self, wait_ms=0):
        return self.to_board.take()

    def write(self, data):
        piece = bytes(data[:512])
        self.from_board.put(piece)
        return len(piece)


class Host:
    """A host in the board's own process and time."""

    def __init__(self, root, percent, seed):
        self.to_board, self.from_board = Wire(f"{seed}/to", percent), Wire(f"{seed}/from", percent)
        self.hal = VirtualHal(root, fake_clock=True, pipe=Pipe(self.to_board, self.from_board), mirror=False)
        self.app = App(self.hal, pace="fast")
        self.lines = Lines(self.to_board.put)
        self.heard = []

    def run(self, reached=lambda: False, limit_ms=60000):
        for _ in range(limit_ms // TICK_MS):
            now_s = self.hal.ticks_ms() / 1000
            self.hal.poll(self.hal.ticks_ms())
            self.app.tick(self.hal.ticks_ms())
            self.heard += self.lines.hear(self.from_board.take(), now_s)
            self.heard += self.lines.look(now_s)
            self.hal.advance(TICK_MS)
            if reached():
                return True
        return False

    def ask(self, message, want=("ok", "no")):
        number = self.lines.send(message)
        assert self.run(lambda: self.answers(number, want)), f"{message} got no answer of {want}"
        return self.answers(number, want)

    def greet(self):
        """Greet until the menu comes: when a line can no longer be had, every host greets again."""
        while not [one for one in self.heard if one["t"] == "menu"]:
            self.heard.clear()
            self.lines.send({"t": "hi", "v": PROTOCOL})
            assert self.run(lambda: [one for one in self.heard if one["t"] in ("menu", GONE)]), "a greeting got no answer"

    def answers(self, number, want=("ok", "no")):
        return [one for one in self.heard if one["t"] in want and one.get("re", number) == number]

    def newest(self, kind):
        return [one for one in self.heard if one["t"] == kind][-1]


def raced(root, percent, seed, answers=25):
    """The host after a race with this many answers by a person; its answers depend only on the questions."""
    host = Host(root, percent, seed)
    host.run(limit_ms=300)
    host.greet()
    assert host.ask({"t": "start", "setup": PLAIN})[0]["t"] == "ok"
    host.run(lambda: host.app.state == "race", 20000)
    serials = []

    def asked():
        prompts = [one for one in host.newest("prompts")["list"] if one["seat"] == 1] if serials or host.run(
            lambda: any(one["t"] == "prompts" for one in host.heard)) else []
        return prompts and prompts[0]["serial"] not in serials
    for count in range(answers):
        if not host.run(asked, 120000):
            break
        prompt = [one for one in host.newest("prompts")["list"] if one["seat"] == 1][0]
        serials.append(prompt["serial"])
        text = prompt["choices"][count % len(prompt["choices"])] if prompt["choices"] else prompt["kind"]
        answer = host.ask({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": text})[0]
        assert answer["t"] == "ok", answer
        if count % 5 == 4:
            assert host.ask({"t": "why", "seat": 1}, ("why", "no")) or True
    host.to_board.percent = host.from_board.percent = 0
    host.run(limit_ms=5000)
    return host


def lines_of(host):
    """(number, seat, text) of the journal's lines in the order in which the host heard them. Only the whole picture, which
    begins with a hello and replaces something that the board no longer has, may tell a line again."""
    lines = [(one["i"], one["seat"], one["text"]) for one in host.heard if one["t"] == "line"]
    once = list(dict.fromkeys(lines))
    pictures = sum(one["t"] == "hello" for one in host.heard)
    assert len(lines) == len(once) or pictures > 1, "a line was told twice without a picture"
    return once


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_race_over_a_line_that_damages_is_the_race_over_a_whole_one(root, root_of, seed):
    whole = raced(root_of(), 0, seed)
    assert whole.lines.again == 0 and whole.hal._order.again == 0 and whole.hal._order._asked_ms is None
    host = raced(root, 9, seed)
    assert host.to_board.damaged > 2 and host.from_board.damaged > 10
    assert host.lines.again > 5
    assert host.app.race.journal(True) == whole.app.race.journal(True)
    numbers = [one["n"] for one in host.heard if one["n"]]
    assert numbers == sorted(set(numbers)), "each line once, in order"
    assert lines_of(host) == lines_of(whole)
    events = [[event for one in there.heard if one["t"] == "scene" for event in one["events"]] for there in (host, whole)]
    assert events[0] == events[1]


def test_what_one_seat_alone_may_see_is_not_sent_twice(root_of):
    host = Host(root_of(), 0, 0)
    host.run(limit_ms=300)
    host.ask({"t": "start", "setup": PLAIN})
    host.run(lambda: host.app.state == "race", 20000)
    [view] = host.ask({"t": "view", "seat": 1}, ("view",))
    [info] = host.ask({"t": "info"}, ("info",))
    for message, kinds in ((view, ["gone"]), (info, ["info"])):
        host.from_board.take()
        host.to_board.put(b"")
        host.lines.send({"t": "again", "of": message["n"]})
        host.hal.poll(host.hal.ticks_ms())
        host.app.tick(host.hal.ticks_ms())
        came = Lines(lambda line: None).hear(host.from_board.take(), 0)
        assert [one["t"] for one in came if one["n"] == message["n"]] == kinds


def test_what_is_not_kept_any_more_comes_as_a_whole_picture(root_of, monkeypatch):
    monkeypatch.setattr(outbox, "KEPT_BYTES", 256)
    host = Host(root_of(), 0, 0)
    host.run(limit_ms=300)
    host.ask({"t": "hi", "v": PROTOCOL}, ("menu",))
    host.run(limit_ms=300)
    first = host.newest("menu")["n"]               # longer ago than it remembers
    host.heard.clear()
    host.lines.send({"t": "again", "of": first})
    host.run(limit_ms=500)
    assert [one["t"] for one in host.heard].count("hello") == 1
    host.heard.clear()
    host.lines.send({"t": "again", "of": first})
    host.run(limit_ms=500)
    assert not host.heard, "at most once in a few seconds"


class Damaging:
    """Both directions of an engine's child, damaged."""

    percent = 2  # of pieces of 256 bytes: every fourth LED frame arrives broken

    def damage(self):
        self.wires = Wire("to", self.percent), Wire("from", self.percent)
        write, received = self._write, self._received

        def damaged_write(data):
            self.wires[0].put(data)
            return write(self.wires[0].take())

        async def damaged_received(data):
            for at in range(0, len(data), 256):
                self.wires[1].put(data[at:at + 256])
                await received(self.wires[1].take())
        self._lines._write = self._write = damaged_write
        self._received = damaged_received
        return self


async def race_of_child(engine, damage):
    await engine.start(("--pace", "instant"))
    if damage:
        engine.damage = Damaging.damage.__get__(engine)
        engine.percent = Damaging.percent
        engine.damage()
    messages = engine.messages()
    lines = {}
    serial = 0
    asked = greeted_s = 0

    def greet():
        nonlocal greeted_s
        greeted_s = time.monotonic()
        engine.send({"t": "hi", "v": PROTOCOL})

    async def until(reached):
        """Hears messages until `reached` is true of one; when a line is gone, greets again as every host does."""
        nonlocal asked
        while True:
            message = await asyncio.wait_for(anext(messages), 60)
            if message["t"] == "line":
                lines[message["i"]] = [message["text"], message["pd"]]
            elif message["t"] == "prompts":
                asked = next((one for one in message["list"] if one["seat"] == 1 and one["serial"] > serial), None)
            elif message["t"] == GONE and time.monotonic() - greeted_s > 1:
                greet()
            if reached(message):
                return message
    try:
        greet()
        await until(lambda message: message["t"] == "menu")
        started = engine.send({"t": "start", "setup": PLAIN})
        await until(lambda message: message["t"] == "ok" and message["re"] == started)
        for count in range(12):
            if not asked:
                await until(lambda message: message["t"] == "prompts" and asked)  # noqa: B023
            prompt, asked, serial = asked, None, asked["serial"]
            text = prompt["choices"][count % len(prompt["choices"])] if prompt["choices"] else prompt["kind"]
            number = engine.send({"t": "answer", "seat": 1, "serial": serial, "text": text})
            answer = await until(lambda message, re=number: message["t"] in ("ok", "no") and message["re"] == re)
            assert answer["t"] == "ok", answer
        if damage:
            engine.wires[0].percent = engine.wires[1].percent = 0
        greet()
        await until(lambda _: serial - 1 in lines)
        await until(lambda message: message["t"] == "standings")
        return [lines.get(number) for number in range(1, serial)], engine._lines.again
    finally:
        await engine.stop()


@pytest.mark.parametrize("name", ["micropython", "cpython"])
def test_an_engine_has_broken_lines_sent_again(name, build_device):
    lines = []
    for damage in (False, True):
        root = build_device(name, games=["moto_grand_prix"])
        told, again = asyncio.run(race_of_child(engine_named(name, root), damage))
        assert again > 0 if damage else again == 0
        lines.append(told)
    assert lines[0] == lines[1] and len(lines[0]) > 20
