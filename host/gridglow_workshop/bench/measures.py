"""What ``gridglow bench`` measures: speed of the rules, heap and frames of the whole firmware, sizes.

Counts and ratios from one run on this computer; budgets are shown beside them, but no verdicts. Times depend on the
machine and its load, the ratios between two interpreters much less so.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board, load_board
from gridglow.firmware.image import build
from gridglow.races.interpreters import RULES_HEAP_KB, Interpreter
from gridglow.races.proofs import random_races
from gridglow.races.startup import race_setup
from gridglow.tracks import CompiledTrack, compile_source, parse_layout
from gridglow.virtual.script import run_once
from gridglow_workshop.bench.starts import measure_starts
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.setup import Setup

#: For the whole firmware on 64 bits, with all its code, which a board has in its flash: roomy.
BOARD_HEAP_KB = 2048
#: As many rows as the largest circuit, of a level that every variant can be raced on.
LARGEST_LAYOUT = ("S12 R4d3 R5d1 S6 R4d2 R5d1 S8 L5d2 S5 L4d2 R5d1 S9 R4d3 R5d1 S22 R4d2 R5d1 S7 L4d2 R4d1 S13")
LARGEST_SEATS = 6
LARGEST_LAPS = 5
BOARD_S = 600.0
LOOK_EVERY_TICKS, FRAMES_FROM_TICK, MOST_TICKS = 5, 60, 200_000

# Runs inside a device folder, on both interpreters: bots race on a fake clock, with nobody listening. All modules are
# imported first, so that no race takes heap for code.
BOARD_METER = '''
import gc, json, os, time

class Nobody:
    def read(self, count):
        return b""
    def write(self, data):
        return len(data)

def used():
    gc.collect()
    return gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0

def import_all(folder):
    for name in sorted(os.listdir(folder)):
        path = folder + "/" + name
        if "." not in name:
            if name != "__pycache__":
                import_all(path)
        elif name[:2] != "__":
            __import__(path.split(".")[0].replace("/", "."), None, None, ("x",))

def clock_us():
    return time.ticks_us() if hasattr(time, "ticks_us") else time.perf_counter_ns() // 1000

def since_us(begun):
    return time.ticks_diff(time.ticks_us(), begun) if hasattr(time, "ticks_diff") else clock_us() - begun

def run(job, found):
    for folder in ("glow", "shared_rules"):
        import_all(folder)
    from glow.app import App
    from hal.virtual import VirtualHal
    hal = VirtualHal(".", fake_clock=True, mirror=False, pipe=Nobody())
    app = App(hal, pace="instant", quiet=True)
    if app.lights:
        app.lights.drop_track()
    found["used_idle"] = used()
    for _ in range(job["races"]):
        found["problem"] = app.start_race(job["setup"]) or race(job, found, app, hal)
        if found["problem"]:
            return
        found["answers"] = app.race.lines
        found["digest"] = app.race.digest()

def race(job, found, app, hal):
    ticks = 0
    most = used()
    while app.state != "podium" and app.state != "idle":
        app.tick(hal.ticks_ms())
        hal.poll(hal.ticks_ms())
        hal.advance(34)
        ticks += 1
        if ticks % job["look_every"] == 0:
            most = max(most, used())
        if ticks == job["frames_from"] and not found["frame_us"]:
            found["frame_us"] = frame_us(app, hal, job["frames"])
        if ticks > job["most_ticks"]:
            return "the race has not ended after %d ticks; " % ticks + "; ".join(app.faults)
    if app.state == "idle":
        return "the board left the race: " + "; ".join(app.faults)
    found["used"].append(most)
    return ""

def frame_us(app, hal, count):
    if app.lights is None:
        return 0
    made = app.lights.frames
    begun = clock_us()
    for _ in range(count):
        hal.advance(34)
        app.lights.tick(hal.ticks_ms())
    spent = since_us(begun)
    made = app.lights.frames - made
    return spent // made if made else 0

found = {"used_idle": 0, "used": [], "frame_us": 0, "answers": 0, "digest": "", "problem": ""}
try:
    with open("meter.json") as file:
        run(json.load(file), found)
except MemoryError as error:
    found["problem"] = "out of memory: " + str(error)
print("METER " + json.dumps(found))
'''


def measure(races: int, board_races: int, frames: int, variant: str | None = None) -> dict:
    """Everything, as a dict for JSON (see the functions below). Raises GridglowError if an interpreter is missing."""
    board = load_board("full")
    found = {"decisions": measure_decisions(races)}
    found["board"] = measure_board(board, board_races, frames, variant)
    found["sizes"] = measure_sizes(board)
    found["starts"] = measure_starts()
    return found


def measure_decisions(races: int) -> dict:
    """Random play of all games with journal, digests and checks, one interpreter after the other:
    ``{"races", "answers", "heap_kb", "a_second": {interpreter: decisions per second}, "ratio"}``; ratio: CPython's speed
    divided by MicroPython's, times 100."""
    drawn = [race for game in games.NAMES for race in random_races(game, races)]
    a_second, answers = {}, 0
    for name in ("cpython", "micropython"):
        spent, answers = 0.0, 0
        for game in games.NAMES:  # each in its own heap
            with Interpreter(name) as interpreter:
                for pack in dict.fromkeys(race.pack for race in drawn if race.game == game):
                    interpreter.on_track(pack)
                    for race in [race for race in drawn if race.pack == pack]:
                        begun = time.perf_counter()
                        answers += interpreter.ask(race.job, f"the race {race.seed}")["answers"]
                        spent += time.perf_counter() - begun
        a_second[name] = round(answers / spent)
    return {"races": len(drawn), "answers": answers, "heap_kb": RULES_HEAP_KB, "a_second": a_second,
            "ratio_percent": round(100 * a_second["cpython"] / a_second["micropython"])}


def largest_race(variant: str | None = None) -> tuple[CompiledTrack, Setup]:
    """Six bots on a generated track of 140 rows and three lanes, which suits every variant; None is the first one."""
    compiled = compile_source(parse_layout(LARGEST_LAYOUT, laps=LARGEST_LAPS, track_id="largest", name="Largest"))
    plain = race_setup(variant=variant, seats=LARGEST_SEATS, bots="all", seed="bench").setup.plain()
    return compiled, Setup.from_plain({**plain, "laps": LARGEST_LAPS}, compiled.track)


def measure_board(board: Board, races: int, frames: int, variant: str | None = None) -> dict:
    """The whole firmware with the largest race, on both interpreters.

    ``{"variant", "rows", "spaces", "seats", "pixels", "races", "answers", "idle_bytes", "race_bytes", "each_race_bytes",
    "frame_us": {interpreter: us}, "frame_ratio_percent", "problems"}``; bytes are those of MicroPython's heap, each after a
    collection: in use with all code, without race and track, and the most that a race takes in addition.
    """
    compiled, setup = largest_race(variant)
    meters, problems = {}, []
    for name in ("micropython", "cpython"):
        count = races if name == "micropython" else 1
        meters[name] = run_meter(name, board, compiled, setup, count, frames, BOARD_HEAP_KB)
        if meters[name]["problem"]:
            problems.append(f"The largest race on {name}: {meters[name]['problem']}.")
    small, large = meters["micropython"], meters["cpython"]
    if not problems and small["digest"] != large["digest"]:
        problems.append(f"The largest race ends with digest {large['digest']} on cpython, {small['digest']} on micropython.")
    each = race_bytes(small)
    frame_us = {name: meters[name]["frame_us"] for name in ("cpython", "micropython")}
    return {
        "variant": setup.variant, "rows": compiled.track.rows, "spaces": compiled.track.count,
        "seats": len(setup.players), "pixels": board.pixels,
        "races": len(each), "answers": small["answers"], "idle_bytes": small["used_idle"],
        "race_bytes": max(each, default=0), "each_race_bytes": each, "frame_us": frame_us,
        "frame_ratio_percent": round(100 * frame_us["micropython"] / frame_us["cpython"]) if frame_us["cpython"] else 0,
        "problems": problems,
    }


def race_bytes(found: dict) -> list[int]:
    """The most heap that each race took, beyond all code and what is in use without a race."""
    return [most - found["used_idle"] for most in found["used"]]


def measure_sizes(board: Board) -> dict:
    """The content of a virtual board: ``{"files", "bytes", "modules", "mpy_bytes"}``."""
    with scratch.folder("bench") as folder:
        image = build(Path(folder), board, target="virtual")
    return {"files": image.files, "bytes": image.bytes_, "modules": len(image.modules),
            "mpy_bytes": sum(module.bytes_ for module in image.modules)}


def run_meter(name: str, board: Board, compiled: CompiledTrack, setup: Setup, races: int, frames: int,
              heap_kb: int) -> dict:
    """The meter's result; raises GridglowError if it found nothing."""
    with scratch.folder("bench") as folder:
        root = Path(folder)
        mpy = name == "micropython"
        build(root, board, [compiled], mpy=mpy, target="virtual")
        job = {"setup": setup.plain(), "races": races, "look_every": LOOK_EVERY_TICKS, "frames": frames,
               "frames_from": FRAMES_FROM_TICK, "most_ticks": MOST_TICKS}
        (root / "meter.json").write_text(json.dumps(job), encoding="utf-8")
        (root / "meter.py").write_text(BOARD_METER, encoding="utf-8")
        told = run_once(["meter.py"], root, BOARD_S, heap_kb if mpy else None)
    row = told.row("METER ")
    if row is None:
        raise GridglowError(f"The firmware failed on {name}: {told.why}.")
    return row
