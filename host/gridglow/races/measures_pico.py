"""What ``gridglow bench --engine pico`` measures: the firmware with its drivers on an emulated Pico, in emulated time.

Times are the emulated clock's; a real Pico takes about 1.15 times as long, and the figures say so. Ratios need no factor.
Erasing and writing flash takes no time in the emulator, so nothing is told about saves.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gridglow.hardware.boardfile import Board, board_json, load_board
from gridglow.races.measures import largest_race
from gridglow.races.startup import race_setup
from shared_rules.errors import GridglowError
from shared_rules.setup import Setup

PRESS_EVERY_US = 260_000
PRESS_LIMIT_US = 1_000_000
BOOT_S = 60.0

# On the board, through its raw REPL. Names that start with an underscore are others in the image, so none are used.
NEOPIXEL = """
import gc, json, sys, time
from machine import Pin
from neopixel import NeoPixel
strip = NeoPixel(Pin(22), {pixels})
for place in range({pixels}):
    strip[place] = (place & 255, 0, 60)
begun = time.ticks_us()
strip.write()
print(time.ticks_diff(time.ticks_us(), begun))
del strip
gc.collect()
"""
START = """
gc.collect()
heap = gc.mem_free()
gc.threshold(8192)
T = time.ticks_us
def since(begun): return time.ticks_diff(T(), begun)
begun = T()
from glow.app import App
from hal.pico import PicoHal
hal = PicoHal()
app = App(hal)
boot = since(begun)
gc.collect()
idle = gc.mem_free()
with open("bench.json") as file:
    setup = json.load(file)
begun = T()
say = app.start_race(setup)
start = since(begun)
gc.collect()
print(json.dumps({"heap": heap, "idle": idle, "boot_us": boot, "start_us": start, "say": say, "race": gc.mem_free()}))
"""
RACE = """
lights, ticks, rests, polls, limits, answers, least, ended = [], [], [], [], [], [], [heap], [0]
def timed(call, found):
    def run(*args):
        begun = T()
        try:
            return call(*args)
        finally:
            found.append(since(begun))
    return run
app.lights.tick = timed(app.lights.tick, lights)
app.lights.limits.show = timed(app.lights.limits.show, limits)
def loop(ms):
    race = None
    end = time.ticks_add(time.ticks_ms(), ms)
    while time.ticks_diff(end, time.ticks_ms()) > 0 and app.state not in ("idle", "podium"):
        if app.race and app.race is not race:
            race = app.race
            race.answer = timed(race.answer, answers)
        now = hal.ticks_ms()
        begun = T(); hal.poll(now); polls.append(since(begun))
        begun = T(); app.tick(now); ticks.append(since(begun))
        begun = T(); hal.sleep_ms(0); rests.append(since(begun))
        for found in (lights, ticks, rests, polls, limits):
            if len(found) > 150: found.pop(0)
        if len(ticks) % 50 == 0:
            gc.collect(); least[0] = min(least[0], gc.mem_free())
def figures(found):
    found = sorted(found)
    return [len(found), found[len(found) // 2], found[len(found) * 95 // 100], found[-1]] if found else [0, 0, 0, 0]
loop({ms})
gc.collect(); least[0] = min(least[0], gc.mem_free())
rounds = []
for number in range(8):
    for pixels in hal.pixels:
        if pixels.count:
            pixels.show(bytes([number]) * (3 * pixels.count))
    time.sleep_ms(20)
    begun = T(); hal.sleep_ms(0); rounds.append(since(begun))
lights = [us for us in lights if us > 500]  # ticks with a frame
found = {"lights": lights, "ticks": ticks, "rests": rests, "polls": polls, "limits": limits, "answers": answers}
found = dict([(name, figures(found[name])) for name in found])
found["send_us"] = min(rounds)
found["least"] = least[0]
found["state"] = app.state
found["lines"] = app.race.lines if app.race else 0
found["modules"] = sorted(sys.modules)
print("\\n" + json.dumps(found))
"""


class Bench:
    """A board of the largest build with the largest race's track, at its prompt."""

    def __init__(self, uf2: Path, board: Board, setup: dict, tracks: list) -> None:
        from gridglow.device import build
        from gridglow.virtual.pico.flash import FlashImage
        from gridglow.virtual.pico.machine import EmulatedPico
        from gridglow.virtual.pico.parts import Console

        with tempfile.TemporaryDirectory(prefix="gridglow-bench-") as folder:
            self.image = build(Path(folder), board, tracks, target="pico")
            flash = FlashImage.from_folder(folder, leave_out=["main.py", "boot.py"])
            flash.put("bench.json", json.dumps(setup).encode())
        self._lent = _lent_names()
        self.pico = EmulatedPico(uf2, flash)
        self.console = Console(self.pico, board_json(board))
        self.pico.run_s(BOOT_S, lambda: self.pico.usb.connected)
        self.pico.run_s(0.4)

    def begin(self, code: str) -> None:
        """Start code on the board."""
        pico = self.pico
        pico.write(b"\r\x03\x01")
        pico.run_s(1, lambda: pico.output.endswith(b"exit\r\n>"))
        pico.take_output()
        from gridglow.device.romwords import spell

        pico.write(spell(code.encode(), self._lent) + b"\x04")

    def run(self, code: str, limit_s: float) -> str:
        """Run code to its end; returns what it printed last. Raises GridglowError where it fails or takes too long."""
        self.begin(code)
        if not self.pico.run_s(limit_s, lambda: self.pico.output.count(b"\x04") >= 2):
            raise GridglowError(f"The emulated board has not done its part of the bench within {limit_s:g} s of its time.")
        said, wrong = self.pico.take_output().split(b"\x04")[:2]
        if wrong:
            raise GridglowError(f"The firmware broke off on the emulated board: {wrong.decode().splitlines()[-1]}.")
        return said.decode("utf-8", "replace").strip().splitlines()[-1].removeprefix("OK")


def _lent_names() -> dict[str, str]:
    """The words that the firmware's public names are spelt with on a Pico; see `gridglow.device.romwords`."""
    from gridglow.device.image import SOURCES_ALWAYS, source_modules
    from gridglow.device.romwords import lend
    from gridglow.device.shorten import shorten

    sources = source_modules(None, True, "pico", True)
    short = shorten({name: text for name, text in sources.items() if name not in SOURCES_ALWAYS})
    return lend(short, {name: sources[name] for name in SOURCES_ALWAYS if name in sources})


def measure_pico(uf2: Path, race_s: float = 5.0, presses: int = 20, variant: str | None = None,
                 say: Callable[[str], None] = lambda text: None) -> dict:
    """The figures of the largest race of the largest build, as a dict for JSON; times in emulated microseconds, lists are
    [count, median, 95th percentile, most]. Raises GridglowError."""
    from gridglow.virtual.pico.machine import REAL_FACTOR

    board = load_board("full")
    compiled, setup = largest_race(variant)
    begun = time.monotonic()
    bench = Bench(uf2, board, setup.plain(), [compiled])
    found: dict = {"factor": REAL_FACTOR, "pixels": board.pixels, "ready_us": round(bench.pico.now_us - 400_000)}
    found["neopixel_us"] = int(bench.run(NEOPIXEL.format(pixels=board.pixels), 10))
    say("The firmware starts, and a race of six bots.")
    found.update(json.loads(bench.run(START, 60)))
    if found["say"]:
        raise GridglowError(f"The emulated board did not start the race: {found['say']}")
    say(f"The race runs for {race_s:g} s of the board's time.")
    found.update(json.loads(bench.run(RACE.replace("{ms}", str(round(race_s * 1000))), 20 * race_s + 60)))
    bench.console.settle()
    found["frames"] = [strip.frames for strip in bench.console.strips]
    found["bad_frames"] = sum(strip.bad for strip in bench.console.strips)
    found["free_percent"] = round(100 * found["least"] / found["heap"])
    found["frame_ratio_percent"] = round(100 * (found["limits"][1] + found["send_us"]) / found["neopixel_us"])
    found["cpu_percent"] = round(found["lights"][1] * REAL_FACTOR * 30 / 10_000)
    if presses:
        say("People press keys.")
        found["presses"] = measure_presses(uf2, board, compiled, presses)
    found["took_s"] = round(time.monotonic() - begun)
    return found


def measure_presses(uf2: Path, board: Board, compiled, presses: int, seed: int = 1) -> dict:
    """From a key's pin to the first bit on the wire that changes the dials of its seat, in emulated microseconds:
    ``{"presses", "answered", "median_us", "most_us", "all_us"}``. Six people are asked for their first roll."""
    plain = race_setup(seats=6, bots=0, seed="bench").setup.plain()
    setup = Setup.from_plain({**plain, "laps": 1}, compiled.track)
    bench = Bench(uf2, board, setup.plain(), [compiled])
    bench.run("import gc, json, sys, time", 5)
    bench.run(START, 60)
    bench.begin(RACE.split("loop({ms})")[0] + "loop(1000000)\n")
    pico, console = bench.pico, bench.console
    each = 3 * sum(pixels for _, pixels in board.dials)
    pico.run_s(1)
    chosen = random.Random(seed)
    waits: list[float] = []
    for number in range(presses):
        panel = number % 6 + 1
        pico.run_us(PRESS_EVERY_US + chosen.randrange(40_000))
        strip = console.output_strip(board.dials_output - 1)
        span = slice((panel - 1) * each, panel * each)
        console.settle()
        before, pressed_us, seen = bytearray(strip.outputs[-1][span]), pico.now_us, []

        def shown(strip, span=span, before=before, seen=seen, pressed_us=pressed_us):
            after = strip.outputs[-1][span]
            if strip.begun_ns < 1000 * pressed_us:
                before[:] = after  # was on its way already
            elif after != before and not seen:
                first = next(place for place in range(len(after)) if after[place] != before[place])
                seen.append((strip.begun_ns + (span.start + first) * 8 * 1250) / 1000)

        strip.on_frame = shown
        console.press(panel, chosen.choice(("PREV", "NEXT")))
        pico.run_us(PRESS_LIMIT_US, lambda seen=seen: console.settle() or bool(seen))
        strip.on_frame = None
        if seen:
            waits.append(seen[0] - pressed_us)
    waits.sort()
    return {"presses": presses, "answered": len(waits), "median_us": round(waits[len(waits) // 2]) if waits else 0,
            "most_us": round(waits[-1]) if waits else 0, "all_us": [round(wait) for wait in waits]}
