"""The clock for time limits: an emulated board's own, however slow it is, and the wall clock for everything else."""

import os
import threading
import time
import tty

import pytest

from gridglow.device import board_clock
from gridglow.device.board_clock import BoardClock, Clock, ToldClock, clock_of
from gridglow.device.port import Port
from gridglow.device.talk import NoAnswer, Talk
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, encode

pytest.importorskip("fcntl", reason="only where boards are emulated at a port")
ABOUT = {"name": "Kitchen", "race": None}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(board_clock.tempfile, "gettempdir", lambda: str(tmp_path))


@pytest.fixture
def line():
    """(a port's path, the other end of its line)"""
    board, theirs = os.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs), board
    os.close(theirs)
    os.close(board)


def test_a_port_without_a_told_clock_has_the_wall_clock():
    assert type(clock_of("/dev/ttyACM0")) is Clock


def test_the_time_is_what_the_board_tells():
    told = ToldClock("/dev/pts/999")
    told.tell(1_500_000.7)
    clock = clock_of("/dev/pts/999")
    assert isinstance(clock, BoardClock) and clock.now() == 1.5
    assert clock.now() == 1.5
    told.tell(2_000_000)
    assert clock.now() == 2.0
    told.close()


def test_the_clock_of_one_that_has_gone_is_passed_over(tmp_path):
    told = ToldClock("/dev/pts/999")
    (file,) = (tmp_path / f"gridglow-clocks-{os.getuid()}").iterdir()
    left = file.with_name("left")
    os.link(file, left)
    told.close()
    assert not file.exists()
    os.rename(left, file)                          # as a killed board leaves it
    assert type(clock_of("/dev/pts/999")) is Clock
    told = ToldClock("/dev/pts/999")               # the next board at this port takes its place
    assert isinstance(clock_of("/dev/pts/999"), BoardClock)
    told.close()


def test_where_the_emulation_stands_still_the_wall_clock_goes_on(monkeypatch):
    wall = [100.0]
    monkeypatch.setattr(board_clock.time, "monotonic", lambda: wall[0])
    told = ToldClock("/dev/pts/999")
    told.tell(5e6)
    clock = clock_of("/dev/pts/999")
    seen = [clock.now()]
    for wall[0] in (109.0, 111.0, 130.0):
        seen.append(clock.now())
    told.tell(6e6)
    seen.append(clock.now())
    wall[0] = 139.0
    seen.append(clock.now())
    assert seen == [5.0, 5.0, 6.0, 25.0, 26.0, 26.0]
    told.close()


def test_a_slow_board_has_as_long_as_a_pico(line):
    """Its answer comes after 0.1 s of its own time, while 0.4 s pass here; the limit is 0.2 s."""
    path, board = line
    told, port = ToldClock(path), Port(path)
    talk = Talk(port)

    def run():
        decoder, number = Decoder(TO_BOARD), 0
        while not number:
            number = next((one["n"] for one in decoder.feed(os.read(board, 4096)) if one["t"] == "info"), 0)
        for step in range(10):
            time.sleep(0.04)
            told.tell(10_000 * (step + 1))
        os.write(board, encode(FROM_BOARD, {"t": "info", "about": ABOUT}, 1).encode())

    thread = threading.Thread(target=run)
    thread.start()
    assert talk.info(0.2) == ABOUT
    assert port.now() == 0.1
    thread.join()
    talk.close()
    told.close()


def test_a_silent_board_that_rests_is_given_up_as_soon_as_a_pico(line):
    path, _board = line
    told, port = ToldClock(path), Port(path)
    over = threading.Event()

    def run():
        now_us = 0
        while not over.wait(0.005):
            now_us += 10_000
            told.tell(now_us)

    thread = threading.Thread(target=run)
    thread.start()
    with pytest.raises(NoAnswer, match="said nothing within 0.5 s"):
        Talk(port).info(0.5)
    over.set()
    thread.join()
    port.close()
    told.close()
