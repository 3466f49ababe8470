"""The USB line of a Pico and its serial port's buffers: nothing waits, nothing is lost, all sizes arrive complete."""

import subprocess
import textwrap

import pytest
from pico_bench import LIB, ROOT

#: The serial port of a Pico as in shared/tinyusb/mp_usbd_cdc.c: 256 bytes, of which USB takes 64 at a time.
BEGIN = """
import sys
sys.path[:] = [{lib!r}, {firmware!r}, {root!r}, ".frozen"]
from fake_pico import board
board.fake_clock()
import random

class Line:
    FIFO = 256
    def __init__(self):
        self.fifo = b""
        self.packet = b""
        self.host = b""
        self.reads = True
        self.open = True
        self.stalls_ms = 0
        self.come = b""
    def move(self):
        if self.packet and self.reads:
            self.host += self.packet
            self.packet = b""
        if not self.packet and self.fifo:
            self.packet = self.fifo[:64]
            self.fifo = self.fifo[64:]
    def write(self, data):
        data = bytes(data)
        taken = 0
        while taken < len(data):
            room = self.FIFO - len(self.fifo)
            if not self.open and room < len(data) - taken:
                self.fifo = self.fifo[len(data) - taken - room:]
                room = len(data) - taken
            part = data[taken:taken + room]
            self.fifo += part
            taken += len(part)
            self.move()
            if taken < len(data):
                if not part:
                    self.stalls_ms += 500
                    board.advance(500000)
                    return taken
        return taken
    def readinto(self, buffer):
        assert self.come, "a read without a byte waits for ever"
        buffer[0] = self.come[0]
        self.come = self.come[1:]
        return 1
line = Line()

class Poll:
    def __init__(self):
        self.out = False
    def register(self, what, flags):
        self.out = flags == 4
    def ipoll(self, wait_ms):
        assert wait_ms == 0
        ready = (not line.open or len(line.fifo) < line.FIFO) if self.out else len(line.come) > 0
        return iter([(self, 1)] if ready else [])

import hal.usb as module
class select:
    POLLIN, POLLOUT, poll = 1, 4, Poll
module.select = select
usb = module.Usb()
usb._source = usb._sink = line
def send(data, whole=True):
    while not usb.idle():
        pump()
    usb.begin(data, whole)
def pump():
    said = usb.pump()
    for _ in range(3):
        line.move()
    return said
"""


@pytest.fixture
def run(micropython, tmp_path):
    def run(script):
        text = BEGIN.format(lib=str(LIB), firmware=str(ROOT / "firmware"), root=str(ROOT)) + textwrap.dedent(script)
        (tmp_path / "script.py").write_text(text)
        done = subprocess.run([micropython, "-X", "heapsize=4m", "script.py"], cwd=tmp_path, capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 0, done.stderr + done.stdout

    return run


def test_lines_of_all_sizes_come_whole(run):
    run("""
        sizes = list(range(1, 200)) + [255, 256, 257, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 20001]
        for size in sizes:
            line.host = bytearray()
            send(bytes([65 + size % 26]) * size + b"\\n")
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            assert bytes(line.host).rstrip(b"\\n") == bytes([65 + size % 26]) * size, size
        assert not line.stalls_ms and not usb.slow
    """)


def test_a_line_in_pieces_comes_as_one(run):
    run("""
        for size in (1, 31, 32, 33, 100):
            line.host = b""
            for number in range(5):
                send(b"x" * size, False)
            send(b"end\\n")
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            assert line.host.rstrip(b"\\n") == b"x" * (5 * size) + b"end", (size, line.host)
    """)


def test_a_host_that_stops_reading_never_makes_it_wait(run):
    run("""
        for size in range(1, 90):
            line.reads = True
            line.host = b""
            for _ in range(9):
                line.move()
            line.reads = False
            sent = 0
            while pump() or not usb.idle():
                if usb.idle():
                    usb.begin(b"y" * size + b"\\n")
                    sent += 1
                elif not usb.pump():
                    break
            assert 1 <= sent <= 330 // size + 3 and len(line.fifo) == line.FIFO
            for _ in range(50):
                assert usb.pump() is False
            line.reads = True
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            assert [one for one in line.host.split(b"\\n") if one] == [b"y" * size] * sent
        assert not line.stalls_ms
    """)


def test_words_of_others_between_the_lines_cost_one_wait_at_most(run):
    run("""
        for odd in (1, 7, 31, 45, 63):
            line.reads = False
            line.fifo = b"z" * odd
            line.stalls_ms = 0
            for _ in range(400):
                if usb.idle():
                    usb.begin(b"y" * 50 + b"\\n")
                usb.pump()
            assert line.stalls_ms <= 500, (odd, line.stalls_ms)
            line.reads = True
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            line.reads = False
            before = line.stalls_ms
            for _ in range(400):
                if usb.idle():
                    usb.begin(b"y" * 50 + b"\\n")
                usb.pump()
            assert line.stalls_ms == before
            line.reads = True
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            assert not line.fifo and line.host.replace(b"\\n", b"").strip(b"yz") == b""
            line.host = b""
    """)


def test_after_one_late_write_a_host_that_reads_soon_has_whole_pieces_again(run):
    """A write may come back late for any reason: the board must not whisper for the rest of the evening."""
    run("""
        def late(data):
            board.advance(50000)
            return real(data)
        real = line.write
        for begun, whole in ((0, True), (1, True), (20, True), (0, False), (5, False)):
            send(b"h" * begun, whole)
            line.write = late
            usb.begin(b"y" * 1000, whole) if usb.idle() else None
            usb.pump()
            line.write = real
            pumps = 0
            for _ in range(40):
                if usb.idle():
                    usb.begin(b"y" * 1000 + (b"\\n" if whole else b""), whole)
                pump()
                pumps += 1
            line.host = bytearray()
            for _ in range(10):
                if usb.idle():
                    usb.begin(b"y" * 1000 + (b"\\n" if whole else b""), whole)
                pump()
            assert len(line.host) >= 3000, (begun, whole, len(line.host))
            send(b"end\\n")
            while not usb.idle():
                pump()
            sizes = []
            line.write = lambda data: sizes.append(len(data)) or real(data)
            send(b"z" * 75 + b"\\n")
            while not usb.idle():
                pump()
            line.write = real
            assert sizes == [32, 32, 32], sizes
        assert not line.stalls_ms
    """)


def test_after_single_bytes_lines_are_filled_up_to_pieces_again(run):
    """What was left in the middle of a line must not shift all pieces that follow."""
    run("""
        for odd in range(1, 64):
            line.reads = False
            line.fifo = b"z" * odd
            for _ in range(60):
                if usb.idle():
                    usb.begin(b"y" * 50 + b"\\n")
                usb.pump()
            line.reads = True
            for _ in range(40):
                if usb.idle():
                    usb.begin(b"y" * 50 + b"\\n")
                pump()
            line.reads = False
            before = line.stalls_ms
            for _ in range(60):
                if usb.idle():
                    usb.begin(b"y" * 50 + b"\\n")
                usb.pump()
            assert line.stalls_ms == before, odd
            line.reads = True
            while not usb.idle():
                pump()
            for _ in range(9):
                line.move()
            assert all(one in (b"", b"y" * 50) for one in line.host.lstrip(b"z").split(b"\\n")), (odd, line.host)
            line.host = b""
    """)


def test_without_a_host_words_are_lost_and_nothing_waits(run):
    run("""
        line.open = line.reads = False
        for _ in range(200):
            if usb.idle():
                usb.begin(b"w" * 77 + b"\\n")
            assert usb.pump()
        assert not line.stalls_ms and len(line.fifo) <= line.FIFO
    """)


def test_bytes_that_come_are_read_one_by_one_up_to_a_budget(run):
    run("""
        assert usb.read() == b""
        line.come = bytes([n % 251 for n in range(1000)])
        got = b""
        while True:
            part = bytes(usb.read())
            if not part:
                break
            assert len(part) <= usb.bytes_per_tick
            got += part
        assert got == bytes([n % 251 for n in range(1000)])
    """)
