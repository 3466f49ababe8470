"""What ``gridglow bench --engine pico`` measures: the firmware with its drivers on an emulated Pico, in emulated time.

Times are the emulated clock's; a real Pico takes about 1.15 times as long, and the figures allow for that. Ratios need no
factor. Erasing and writing flash takes no time in the emulator, so saves aren't measured.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board, board_json, load_board
from gridglow.virtual.pico.fitting import build_fitting
from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.machine import REAL_FACTOR, EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow_workshop.bench.heaviest import Heavy, of_race, of_specs
from gridglow_workshop.bench.measures import largest_race
from shared_rules.errors import GridglowError
from shared_rules.setup import Setup

PRESS_LIMIT_US = 1_000_000
PRESS_KEYS = ("NEXT", "NEXT", "PREV", "OK", "OK", "WHY")
#: A press that follows another OK more closely is dropped: see `glow.keys.panels`.
OK_APART_US = 450_000
#: Levels of a pixel that acknowledges a press (white), or shows that somebody else is asked (red).
ACK_LEVEL, WRONG_LEVEL = 24, 40
BOOT_S = 60.0
#: Budgets on a real Pico.
BUDGETS = {"free_percent": 45, "raw_percent": 30, "cpu_percent": 40, "frame_ratio_percent": 7, "press_us": 50_000,
           "press_p90_us": 33_000, "piece_us": 80_000, "tick_us": 100_000, "lit_us": 900_000, "menu_us": 1_500_000,
           "start_us": 300_000, "start_light_us": 1_200_000}

# On the board, through its raw REPL.
NEOPIXEL = """
import gc, json, sys, time
from machine import Pin
from neopixel import NeoPixel
strip = NeoPixel(Pin(22), {pixels})
for index in range({pixels}):
    strip[index] = (index & 255, 0, 60)
begun = time.ticks_us()
strip.write()
print(time.ticks_diff(time.ticks_us(), begun))
del strip
gc.collect()
"""
BOOT = """
import gc, json, sys, time
gc.collect()
heap = gc.mem_free()
from main import BOOT_BYTES, RACE_BYTES
gc.threshold(BOOT_BYTES)
T = time.ticks_us
def since(begun): return time.ticks_diff(T(), begun)
begun = T()
from hal.pico import PicoHal
from glow.app import App
hal = PicoHal()
app = App(hal)
gc.threshold(RACE_BYTES)
app.settings.put("teach", 0)
boot = since(begun)
gc.collect()
idle = gc.mem_free()
print(idle)
"""
START = BOOT + """
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

#: Races one after the other: the least free memory in each.
RACES = """
def again(number):
    app.stop_race()
    setup["seed"] = "again-%d" % number
    say = app.start_race(setup)
    if say: raise RuntimeError(say)
    gc.collect(); least[0] = gc.mem_free()
    loop({ms})
    gc.collect(); least[0] = min(least[0], gc.mem_free())
    return least[0]
print("\\n" + json.dumps([again(number) for number in range({races})]))
"""
#: People at the table: a loop as in main.py that reports who is asked, until Ctrl-C.
PEOPLE = """
import array
spans = array.array("H", bytes(600))
def loop():
    last = None
    count = 0
    before = T()
    while app.state not in ("idle", "podium"):
        now = hal.ticks_ms()
        hal.poll(now)
        app.tick(now)
        hal.sleep_ms(5)
        spans[min(since(before) // 1000, 299)] += 1
        before = T()
        count += 1
        race = app.race
        if count & 15 == 0 and race and app.table and race.lines != last and not app.table.answering.moving:
            last = race.lines
            print("@" + ",".join([str(prompt.seat) for prompt in race.prompts if not race.setup.is_bot(prompt.seat)]) + "@")
try:
    loop()
except KeyboardInterrupt:
    pass
gc.collect()
print("\\n" + json.dumps({"state": app.state, "free": gc.mem_free(), "lines": app.race.lines if app.race else 0,
                         "spans": list(spans)}))
"""
HEAVY = """
from shared_rules.race import Race
from shared_rules.track import Track
with open("heavy.pack", "rb") as file:
    track = Track.read(file)
with open("heavy.save") as file:
    text = file.read()
race = Race.load(text, track)
del text
gc.collect()
begun = T(); race.answer({seat}, {text!r}); answer = since(begun)
gc.collect()
prompt = race.prompts[0]
def pieces_of(work):
    found = []
    while work:
        begun = T()
        try:
            next(work)
        except StopIteration:
            work = None
        found.append(since(begun))
    return found
pieces = pieces_of(prompt.prepare and prompt.prepare())
begun = T(); options = prompt.options(); pieces.append(since(begun))
gc.collect()
free = gc.mem_free()
before = []
if prompt.foresee:
    for index in (len(options) // 2, len(options) - 1):
        before.append(pieces_of(prompt.foresee(options[index])))
print(json.dumps({{"answer_us": answer, "options_us": sum(pieces), "piece_us": max(pieces), "pieces": len(pieces),
                  "options": len(options), "free": free, "heap": heap,
                  "foresee_us": max([sum(found) for found in before] + [0]),
                  "foresee_piece_us": max([max(found) for found in before] + [0])}}))
"""


class Bench:
    """A board of the largest build with a race's track, at its prompt."""

    def __init__(self, uf2: Path, board: Board, setup: dict, tracks: list, **files: bytes) -> None:
        with scratch.folder("bench") as folder:
            build_fitting(folder, board, tracks)
            flash = FlashImage.from_folder(folder)
            flash.put("bench.json", json.dumps(setup).encode())
            for name, content in files.items():
                flash.put(name.replace("__", "."), content)
        self.pico = EmulatedPico(uf2, flash)
        self.console = Console(self.pico, board_json(board))
        self.pico.run_s(BOOT_S, lambda: self.pico.usb.connected)
        self.ready_us = self.pico.now_us
        self.pico.run_s(0.4)
        self._prompt(b"\r\x03\x01")
        self._prompt(b"\x04")                       # a fresh heap: main.py doesn't start from here

    def _prompt(self, keys: bytes) -> None:
        pico = self.pico
        pico.take_output()
        pico.write(keys)
        pico.run_s(2, lambda: pico.output.endswith(b"exit\r\n>"))

    def begin(self, code: str) -> None:
        """Starts code on the board."""
        self._prompt(b"\r\x03\x01")
        self.pico.take_output()
        self.pico.write(code.encode() + b"\x04")

    def run(self, code: str, limit_s: float) -> str:
        """Runs code to its end; returns its last output. Raises GridglowError if it fails or takes too long."""
        self.begin(code)
        if not self.pico.run_s(limit_s, lambda: self.pico.output.count(b"\x04") >= 2):
            raise GridglowError(f"The emulated board didn't finish its part of the bench within {limit_s:g} s of its time.")
        said, wrong = self.pico.take_output().split(b"\x04")[:2]
        if wrong:
            raise GridglowError(f"The firmware failed on the emulated board: {wrong.decode().splitlines()[-1]}.")
        return said.decode("utf-8", "replace").strip().splitlines()[-1].removeprefix("OK")


def measure_pico(uf2: Path, race_s: float = 5.0, presses: int = 20, variant: str | None = None, races: int = 1,
                 say: Callable[[str], None] = lambda text: None) -> dict:
    """The figures of the largest race of the largest build, as a dict for JSON; times in emulated microseconds, lists are
    [count, median, 95th percentile, most]. Raises GridglowError."""
    board = load_board("full")
    compiled, setup = largest_race(variant)
    begun = time.monotonic()
    bench = Bench(uf2, board, setup.plain(), [compiled])
    found: dict = {"factor": REAL_FACTOR, "pixels": board.pixels, "ready_us": round(bench.ready_us)}
    found["neopixel_us"] = int(bench.run(NEOPIXEL.format(pixels=board.pixels), 10))
    say("Starting the firmware, and a race of six bots.")
    found.update(json.loads(bench.run(START, 60)))
    if found["say"]:
        raise GridglowError(f"The emulated board didn't start the race: {found['say']}")
    say(f"Running the race for {race_s:g} s of the board's time.")
    found.update(json.loads(bench.run(RACE.replace("{ms}", str(round(race_s * 1000))), 20 * race_s + 60)))
    bench.console.settle()
    found["frames"] = [strip.frames for strip in bench.console.strips]
    found["bad_frames"] = sum(strip.bad for strip in bench.console.strips)
    found["free_percent"] = round(100 * found["least"] / found["heap"])
    found["frame_ratio_percent"] = round(100 * (found["limits"][1] + found["send_us"]) / found["neopixel_us"])
    found["cpu_percent"] = round(found["lights"][1] * REAL_FACTOR * 30 / 10_000)
    found["least_of_races"] = [found["least"]]
    if races > 1:
        say(f"{races - 1} more races of {race_s:g} s each.")
        found["least_of_races"] += json.loads(bench.run(
            RACES.format(ms=round(race_s * 1000), races=races - 1), races * (20 * race_s + 60)))
        found["least"] = min(found["least_of_races"])
        found["free_percent"] = round(100 * found["least"] / found["heap"])
    say("The heaviest questions.")
    found["heavy"] = [measure_heavy(uf2, board, heavy) for heavy in [of_race(setup.plain(), compiled), *of_specs()]]
    if presses:
        found["presses"] = {}
        for bots, name in ((0, "people"), (3, "people and bots")):
            say("People pressing keys." if not bots else "People pressing keys while bots race.")
            found["presses"][name] = measure_presses(uf2, board, setup.plain(), compiled, presses, bots)
    found["took_s"] = round(time.monotonic() - begun)
    return found


def measure_heavy(uf2: Path, board: Board, heavy: Heavy) -> dict:
    """The cost of a question on a board without a running race: ``{"name", "options", "options_us", "piece_us",
    "pieces", "answer_us", "free", "heap", "foresee_us", "foresee_piece_us"}``: the time for its options, the longest of
    the pieces in which they are found, free bytes once they are listed, and the work before an answer from the middle or end
    of the list (0 if there is none)."""
    bench = Bench(uf2, board, {}, [], heavy__save=heavy.save.encode(), heavy__pack=heavy.pack)
    bench.run(BOOT, 60)
    return {"name": heavy.name, **json.loads(bench.run(HEAVY.format(seat=heavy.seat, text=heavy.text), 60))}


def measure_presses(uf2: Path, board: Board, plain: dict, compiled, presses: int, bots: int, seed: int = 1) -> dict:
    """From a key's pin to the first bit on the wire of the acknowledging light, in emulated microseconds. Six seats
    race, ``bots`` of them bots; keys are pressed at random moments on random panels, half of them on one that is asked.
    ``late`` are the presses without a light within a second."""
    players = [["person" if index < 6 - bots else "bot", player[1]] for index, player in enumerate(plain["players"])]
    setup = Setup.from_plain({**plain, "players": players}, compiled.track)
    bench = Bench(uf2, board, setup.plain(), [compiled])
    bench.run("import gc, json, sys, time", 5)
    bench.run(START, 60)
    bench.begin(PEOPLE)
    pico, console = bench.pico, bench.console
    each = 3 * sum(pixels for _, pixels in board.dials)
    dial = 3 * board.dials[0][1]
    strip = console.output_strip(board.dials_output - 1)
    pico.run_s(3)
    console.press(1, "OK")                         # skip the start lights
    pico.run_s(1)
    chosen = random.Random(seed)
    waits: list[float] = []
    late: list[str] = []
    asked, confirmed_us = [1], 0.0
    for _ in range(presses):
        pico.run_us(150_000 + chosen.randrange(450_000))
        told = re.findall(rb"@([0-9,]*)@", bytes(pico.output))
        if told and told[-1]:
            asked = [int(seat) for seat in told[-1].split(b",")]
        panel = chosen.choice(asked) if chosen.randrange(2) else chosen.randrange(6) + 1
        key = chosen.choice(PRESS_KEYS)
        if key == "OK":
            pico.run_us(max(0, round(confirmed_us + OK_APART_US - pico.now_us)))
            confirmed_us = pico.now_us
        waited = wait_for_light(console, pico, strip, slice((panel - 1) * each, (panel - 1) * each + dial), panel, key)
        if waited:
            waits.append(waited)
        else:
            late.append(f"{panel} {key} at {pico.now_us / 1e6:.2f} s")
    pico.write(b"\x03")
    pico.run_s(20, lambda: pico.output.count(b"\x04") >= 2)
    said = pico.take_output().split(b"\x04")[0].decode("utf-8", "replace").strip().splitlines()[-1]
    waits.sort()
    return {"presses": presses, "answered": len(waits), "late": late, "all_us": [round(wait) for wait in waits],
            "median_us": round(waits[len(waits) // 2]) if waits else 0, "p90_us": round(percentile(waits, 90)),
            "p99_us": round(percentile(waits, 99)), "most_us": round(waits[-1]) if waits else 0, **json.loads(said)}


def percentile(figures: Sequence[float], percent: int) -> float:
    """The least of some sorted figures (lowest first) that this percentage doesn't exceed; 0 if there are none."""
    return figures[max(0, -(-percent * len(figures) // 100) - 1)] if figures else 0


def wait_for_light(console, pico, strip, span: slice, panel: int, key: str) -> float:
    """Presses a key; returns how long until its light began to leave for the first dial, 0 if none came."""
    console.settle()
    pressed_us = pico.now_us
    known = set(_marks(strip.outputs[-1][span]))
    seen: list[float] = []

    def shown(strip):
        marks = set(_marks(strip.outputs[-1][span]))
        if strip.begun_ns < 1000 * pressed_us:
            known.update(marks)                    # was already on its way
        elif marks - known and not seen:
            seen.append((strip.begun_ns + (span.start + 3 * min(index for index, _ in marks - known)) * 8 * 1250) / 1000)

    strip.on_frame = shown
    console.press(panel, key)
    pico.run_us(PRESS_LIMIT_US, lambda: console.settle() or bool(seen))
    strip.on_frame = None
    return seen[0] - pressed_us if seen else 0.0


def _marks(pixels) -> list[tuple[int, str]]:
    """The pixels (index, colour) of a dial that show that a press was noticed."""
    found = []
    for index in range(len(pixels) // 3):
        red, green, blue = pixels[3 * index:3 * index + 3]
        if red >= ACK_LEVEL and 5 * green >= 4 * red and 2 * blue >= red:
            found.append((index, "white"))
        elif red >= WRONG_LEVEL and green == blue == 0:
            found.append((index, "red"))
    return found
