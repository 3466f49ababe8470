"""power.md: what each supply of a board must deliver, screen by screen, and the resulting wires and fuses.

The currents aren't guesses: the board's own firmware shows its screens on this computer, on its own clock, and its
limits report what every frame asks for and what they allow. So the table is right for the code that the board runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board
from gridglow.boards.building import WIRE_MA
from gridglow.firmware.image import build as build_image
from gridglow.hardware.checks import output_draws_ma, ribbon_bears
from gridglow.hardware.making import Build, Made, made_text
from gridglow.micropython import plain_environment
from gridglow.races.startup import race_setup
from gridglow.tracks.source import TrackSource
from shared_rules import games
from shared_rules.errors import BadSetup, GridglowError

RUN_S = 120.0
#: Frames per second to look at, on the firmware's own clock.
IDLE_FRAMES, RACE_FRAMES = 600, 1200
# Steps of the clock, ms: one frame while measuring, and longer if the race only has to end.
FRAME_MS, HURRY_MS = 34, 1000
#: The screens' names in the table.
SCREENS = {
    "idle": "Nobody is playing (the idle track's lights)",
    "setup": "Setting up a race",
    "asked": "All panels are asked and answer at once",
    "race": "A race with all seats taken, and everything moving",
    "podium": "The podium",
    "white": "All pixels white (no game shows this; it tests the limit)",
}

# Runs inside a device folder: the firmware on a fake clock, with nobody listening. For each screen the frame that asks for
# the most counts. `asked`: what the frame wants, `shown`: what the limits allow; mA of the light alone.
METER = '''
import json

class Nobody:
    def read(self, ms):
        return b""
    def write(self, data):
        return len(data)

from glow.app import App
from glow.lights.lights import Lights
from glow.lights.limits import LIGHT_AT
from glow.store.store import Store
from hal.virtual import VirtualHal

with open("power.json") as file:
    job = json.load(file)
hal = VirtualHal(".", fake_clock=True, mirror=False, pipe=Nobody())
# The same each time: neither chance (how long the lights of the start wait) nor how busy this computer is.
hal.ticks_us = lambda: hal.ticks_ms() * 1000
hal.urandom = lambda count: bytes(count)
# Saving shows nothing, and takes as long as this computer's disk does.
Store.append = lambda self, line: ""
Store.snapshot = lambda self, texts: ""
app = App(hal, pace="normal", quiet=True)
limits = app.lights.limits
found = {}

def look(screen):
    asked = [-(-strip.numbers[LIGHT_AT] // 255) for strip in limits.strips]
    shown = [-(-strip.out_light() // 255) for strip in limits.strips]
    most = found.setdefault(screen, [[0] * len(asked), [0] * len(asked), 0, 0])
    for at in range(len(asked)):
        most[0][at] = max(most[0][at], asked[at])
        most[1][at] = max(most[1][at], shown[at])
    most[2] = max(most[2], sum(asked))
    most[3] = max(most[3], limits.ma(0))

def run(screen, frames, step=None):
    while frames and not (step and step()):
        frames -= 1
        before = app.lights.frames
        app.tick(hal.ticks_ms())
        hal.poll(hal.ticks_ms())
        hal.advance(job["frame_ms"] if screen else job["hurry_ms"])
        if screen and app.lights.frames != before:
            look(screen)

run("idle", job["idle_frames"])
app.go("menu")
run("setup", 60)
app.start_race(job["people"])
run("race", 60)
seats = list(range(1, len(job["people"]["players"]) + 1))
for _ in range(20):
    app.light(Lights.acting, seats, app.now, seats)
    for seat in seats:
        app.light(Lights.ack, seat, app.now)
    run("asked", 3)
app.stop_race()
app.start_race(job["bots"])
run("race", job["race_frames"], lambda: app.state == "podium")
if app.state != "podium":
    app.stop_race()
    app.start_race(job["short"])
app.instant = True
run("", 100000, lambda: app.state == "podium")
app.instant = False
run("podium", 240)
app.stop_race()
for frame in [strip.frame for strip in limits.strips]:
    for at in range(len(frame)):
        frame[at] = 255
for _ in range(40):
    hal.advance(job["frame_ms"])
    limits.show(hal.ticks_ms())
    look("white")
print("POWER " + json.dumps(found))
'''


@dataclass(frozen=True)
class Screen:
    """The most that a screen draws, mA of light: ``asked`` and ``shown`` for each output with pixels, and ``asked_at_once``,
    the most that one frame asks for in total; ``total_ma``: the most that the board then draws, everything included."""

    name: str
    asked: tuple[int, ...]
    shown: tuple[int, ...]
    asked_at_once: int
    total_ma: int


def make(build: Build) -> list[Made]:
    """power.md."""
    return [made_text("power.md", "\n".join(_text(build, measure(build))) + "\n")]


def measure(build: Build) -> list[Screen]:
    """What each screen draws on this board with this track. Raises GridglowError if the firmware failed."""
    with scratch.folder("power") as folder:
        root = Path(folder)
        source = build.track.source
        build_image(root, build.board, [build.track], mpy=False, games=[source.game], languages=("en",), target="virtual")
        job = {"people": _setup(source, 0), "bots": _setup(source, "all"), "short": _setup(source, "all", 1),
               "idle_frames": IDLE_FRAMES, "race_frames": RACE_FRAMES, "frame_ms": FRAME_MS, "hurry_ms": HURRY_MS}
        (root / "power.json").write_text(json.dumps(job), encoding="utf-8")
        (root / "power.py").write_text(METER, encoding="utf-8")
        kept = plain_environment()
        try:
            child = subprocess.run([sys.executable, "power.py"], cwd=root, capture_output=True, text=True, timeout=RUN_S,
                                   check=False, env={**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"})
        except subprocess.TimeoutExpired:
            raise GridglowError(f"The board's screens were not measured, as its firmware took more than {RUN_S:g} s; try "
                                "again.") from None
    for line in child.stdout.splitlines():
        if line.startswith("POWER "):
            found = json.loads(line[6:])
            return [Screen(name, *(tuple(one) for one in found[name][:2]), *found[name][2:]) for name in SCREENS]
    said = [line for line in child.stderr.splitlines() if line.strip()]
    raise GridglowError("The board's screens were not measured, as its firmware failed: "
                        f"{said[-1] if said else f'code {child.returncode}'}.")


def _setup(source: TrackSource, bots: int | str, laps: int | None = None) -> dict:
    """A race with all seats taken on this track, in the last variant that the track suits: it has the most to
    show on the dials. ``laps``: this many, if the game has laps."""
    about = games.about(source.game)
    for variant, rounds in product(reversed(about.VARIANTS), dict.fromkeys((laps, None))):
        try:
            return race_setup(source.game, variant, source.id, rounds, about.SEATS[1], bots, "power").setup.plain()
        except BadSetup:
            continue
    raise GridglowError(f"The board's screens were not measured, as no variant of {source.game} can be played on "
                        f"{source.id}.")


def _played(build: Build) -> str:
    plain = _setup(build.track.source, 0)
    return f"{plain['game']}, {plain['variant']}, {len(plain['players'])} seats"


def _text(build: Build, screens: list[Screen]) -> list[str]:
    board, supply = build.board, build.board.supply
    lit = [output for output in board.outputs if output.pixels_max]
    pixels = {output.number: output.pixels_max for output in lit}
    dark = sum(pixels.values()) * supply.dark_ma
    from_usb = supply.kind == "usb"
    out = [
        f"# Power: {board.name}, track {build.track.source.name}",
        "",
        "One supply: " + ("USB (VBUS)." if from_usb else f"5 V, {supply.psu_ma:,} mA, from the mains; USB carries data."),
        f"The firmware limits everything together to **{supply.limit_ma:,} mA**: {dark} mA for {sum(pixels.values())} dark "
        f"pixels, {supply.base_ma} mA for the board, and {supply.limit_ma - supply.base_ma - dark:,} mA for light.",
        "",
        "## What each screen draws",
        "",
        f"Measured with the board's firmware on its own clock ({_played(build)}), at the brightness of "
        f"{board.brightness_max} of 255. The requests are for light alone; the last column is the total, after the limits. "
        "All values are means over a frame: pixels switch in pulses, which the capacitors even out.",
        "",
        "| screen | " + " | ".join(f"{output.use} asks" for output in lit) + " | all ask at once | the board then draws |",
        "|---|" + "---|" * (len(lit) + 2),
    ]
    for screen in screens:
        asked = " | ".join(f"{ma:,} mA" for ma in screen.asked)
        out.append(f"| {SCREENS[screen.name]} | {asked} | {screen.asked_at_once:,} mA | {screen.total_ma:,} mA |")
    worst = max(screen.total_ma for screen in screens if screen.name != "white")
    out += [
        "",
        f"The games draw {worst:,} mA at most, and nothing gets more than {supply.limit_ma:,} mA: if a frame "
        "asks for more than that, all its pixels are dimmed alike.",
        "",
        "## Wire and fuse",
        "",
        "| where | draws at most | fuse | wire | wire rating |",
        "|---|---|---|---|---|",
    ]
    for where, draws, fuse, wire, bears in _wires(board, from_usb):
        out.append(f"| {where} | {draws:,} mA | {fuse:,} mA | {wire} | {bears:,} mA |")
    out += ["", "A fuse protects the wire after it: it carries what is drawn, and the wire carries more than the fuse.", ""]
    out += ["Any USB port gives 250 mA. Set `limit_ma` to 400 only if you know that yours gives that much." if from_usb else
            "Never connect this supply to VBUS: the Pico gets it at VSYS through the diode, so USB may stay plugged in."]
    return out


def _wires(board: Board, from_usb: bool) -> list[tuple[str, int, int, str, int]]:
    """(where, mA that it draws, mA of the fuse before it, the wire, the wire's rating in mA) for each current."""
    supply, wires = board.supply, board.wires
    rows = [("USB to the pixels" if from_usb else "supply to the rails", supply.limit_ma, supply.fuse_ma,
             f"AWG {wires.power_awg}", WIRE_MA[wires.power_awg])]
    for output in board.outputs:
        if not output.pixels_max:
            continue
        draws = output_draws_ma(board, output)
        fuse = output.fuse_ma or supply.fuse_ma
        if output.use == "dials":
            count, bears = ribbon_bears(board)
            rows.append(("rail to the panels", draws, fuse, f"{count} × AWG {wires.ribbon_awg} of the ribbon", bears))
        else:
            rows.append((f"rail to the {output.use}", draws, fuse, f"AWG {wires.string_awg}", WIRE_MA[wires.string_awg]))
    return rows
