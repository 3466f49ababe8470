"""A strip on the pins of the computer that plays: the real NeoPixel class on Blinka's board without hardware,
and what may be missing."""

import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
from commands import call

from gridglow.boards.boardfile import load_board
from gridglow.cli.page import _Serving
from gridglow.virtual.strip import HostStrip, open_strip, parse_strip
from shared_rules.errors import GridglowError

ROOT = Path(__file__).resolve().parents[2]

# Blinka detects its computer when it is imported: hence a separate process.
REAL = '''
import json, sys
sent = []
import neopixel
class Heard(neopixel.NeoPixel):
    def _transmit(self, buffer):
        sent.append(bytes(buffer).hex())
        super()._transmit(buffer)
neopixel.NeoPixel = Heard
from gridglow.boards.boardfile import load_board
from gridglow.virtual.strip import open_strip
strip = open_strip("neopixel:NEOPIXEL", load_board("mini"))
pixels = strip._pixels
strip.take({"t": "px", "o": 0, "d": "010203" + "0a0b0c" + "000000" * 62})
strip.take({"t": "px", "o": 1, "d": "ffffff" * 64})
strip.take({"t": "px", "o": 0, "d": "0f0000" * 70})
shown = [list(pixels[0]), list(pixels[63])]
strip.take({"t": "show", "lines": [], "private": 0})
strip.close()
print(json.dumps({"base": [one.__name__ for one in neopixel.NeoPixel.__mro__], "count": len(pixels), "shown": shown,
                  "sent": sent, "problem": strip.problem}))
'''


def in_blinka(code, **environment):
    child = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120,
                           env={**os.environ, "PYTHONPATH": f"{ROOT / 'host'}{os.pathsep}{ROOT}", **environment})
    return child


def test_the_real_class_gets_the_frames_of_the_track():
    child = in_blinka(REAL, BLINKA_OS_AGNOSTIC="1")
    assert child.returncode == 0, child.stderr
    found = json.loads(child.stdout)
    assert "NeoPixel" in found["base"] and "PixelBuf" in found["base"] and found["count"] == 64
    assert found["shown"] == [[15, 0, 0], [15, 0, 0]] and found["problem"] == ""
    dark, frame, reds, end = found["sent"]  # green comes first on the wire
    assert frame == "020103" + "0b0a0c" + "000000" * 62 and reds == "000f00" * 64
    assert dark == end == "000000" * 64


def test_a_pin_that_is_not_there():
    code = ("from gridglow.virtual.strip import open_strip\nfrom gridglow.boards.boardfile import load_board\n"
            "open_strip('neopixel:NEOPIXLE', load_board('mini'))\n")
    child = in_blinka(code, BLINKA_OS_AGNOSTIC="1")
    assert "no pin 'NEOPIXLE'" in child.stderr and "NEOPIXEL" in child.stderr.splitlines()[-1]


def test_a_computer_without_such_pins_says_so():
    """On any computer: without the environment variable it either drives pixels, or one sentence says why it can't."""
    code = ("from gridglow.virtual.strip import open_strip\nfrom gridglow.boards.boardfile import load_board\n"
            "from shared_rules.errors import GridglowError\n"
            "try:\n    open_strip('neopixel:D18', load_board('mini'))\nexcept GridglowError as error:\n    print(error)\n")
    child = in_blinka(code)
    assert child.returncode == 0, child.stderr
    assert not child.stdout or "D18" in child.stdout and child.stdout.count("\n") == 1


@pytest.mark.parametrize("text", ["D18", "neopixel", "neopixel:", "neopixel:18", "dotstar:D18", "neopixel:D18;x"])
def test_a_strip_is_named_by_its_pin(text):
    with pytest.raises(GridglowError, match="neopixel:PIN, such as neopixel:D18, got"):
        parse_strip(text)
    assert parse_strip("neopixel:D18") == "D18"


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "board", None)
    with pytest.raises(GridglowError, match=r'adafruit-blinka isn.t installed; run: pip install "gridglow\[pi\]"'):
        open_strip("neopixel:D18", load_board("mini"))
    monkeypatch.setitem(sys.modules, "board", types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(GridglowError, match="adafruit-circuitpython-neopixel isn.t installed"):
        open_strip("neopixel:D18", load_board("mini"))


class FakePixels(list):
    """What HostStrip sees of the real class; ``fails`` is raised by show."""

    def __init__(self, count, bpp=3, fails=None):
        super().__init__([None] * count)
        self.bpp = bpp
        self.fails = fails
        self.shown = 0

    def show(self):
        if self.fails:
            raise self.fails
        self.shown += 1

    def deinit(self):
        self.shown = -1


def test_without_the_right_to_drive_pins_the_start_fails_in_one_sentence(monkeypatch):
    made = FakePixels(64, fails=RuntimeError("ws2811_init failed with code -5 (mmap() failed)"))
    monkeypatch.setitem(sys.modules, "board", types.SimpleNamespace(D18=18))
    monkeypatch.setitem(sys.modules, "neopixel", types.SimpleNamespace(NeoPixel=lambda *args, **words: made))
    with pytest.raises(GridglowError, match=r"D18 can't be lit: ws2811_init failed .* start with sudo"):
        open_strip("neopixel:D18", load_board("mini"))


def test_a_strip_that_fails_in_the_race_is_told_once_and_the_race_goes_on(capsys):
    pixels = FakePixels(4)
    strip = HostStrip(pixels, "D18")
    serving = _Serving(None, load_board("mini"), "cpython", ROOT, None, False, strip=strip)
    frame = {"t": "px", "o": 0, "d": "010203" * 4}
    serving._message(frame)
    assert pixels == [(1, 2, 3)] * 4 and pixels.shown == 1
    pixels.fails = OSError("the wire is cut")
    for _ in range(3):
        serving._message(frame)
    told = capsys.readouterr().err
    assert told.count("the wire is cut") == 1 and "The race goes on." in told


def test_white_channels_stay_dark_and_all_is_dark_at_the_end():
    pixels = FakePixels(2, bpp=4)
    strip = HostStrip(pixels, "D18")
    strip.take({"t": "px", "o": 0, "d": "ff0000" * 2})
    assert pixels == [(255, 0, 0, 0)] * 2
    strip.close()
    assert pixels.shown == -1


def test_the_command():
    result = call("play", "--strip", "D18")
    assert result.exit_code == 1 and "neopixel:PIN" in result.stderr
    result = call("play", "--strip", "neopixel:D18", "--headless", "--bots", "all")
    assert result.exit_code == 2 and "--headless shows no frames" in result.stderr
