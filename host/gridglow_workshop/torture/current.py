"""No frame draws more than its supply and its wire can deliver, whatever is drawn; and after a power cut or a crash a
board starts dim."""

from __future__ import annotations

import random

from gridglow.boards.boardfile import board_path
from gridglow.races.startup import race_setup
from gridglow.tomlfile import read_toml
from gridglow_workshop.torture.flashes import mixes
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from gridglow_workshop.torture.watched import Frame, Note, WatchedBoard
from shared_rules import games
from shared_rules.errors import GridglowError

NAME = "current"
WHAT = "No frame draws more than the supply and the wires can deliver, and a board that broke down starts dim."
WHITE_MS = {QUICK: 400, "long": 5000}
DIM = 4  # a start after a breakdown has at most the usual light divided by this
START_MS = 1200


class Meter:
    """The current of frames, by the board file's own figures: mA of a channel at full and of a dark pixel,
    of the board itself; the supply's limit, and each output's limit and fuse."""

    def __init__(self, name: str) -> None:
        table, _ = read_toml(board_path(name), "board file")
        self.supply = table["supply"]
        self.outputs = table["output"]
        self.brightest = table["brightness_max"]
        self.most_ma = 0.0
        self.frames = 0

    def output_ma(self, number: int, frame: bytes) -> float:
        """The current of an output's pixels with this frame."""
        supply = self.supply
        light = supply["red_ma"] * sum(frame[0::3]) + supply["green_ma"] * sum(frame[1::3]) + supply["blue_ma"] * sum(
            frame[2::3])
        return light / 255 + self.outputs[number]["pixels_max"] * supply["dark_ma"]

    def wrong(self, frame: Frame) -> str:
        """One sentence if a frame draws too much, else ""."""
        each = [self.output_ma(number, sent) for number, sent in enumerate(frame.outputs)]
        total = self.supply["base_ma"] + sum(each)
        self.frames += 1
        self.most_ma = max(self.most_ma, total)
        if total > self.supply["limit_ma"]:
            return f"the board draws {total:.0f} mA of {self.supply['limit_ma']}"
        for number, (ma, output) in enumerate(zip(each, self.outputs)):
            bound = min(output.get("limit_ma", total), output.get("fuse_ma", total))
            if ma > bound:
                return f"output {number + 1} draws {ma:.0f} mA of {bound:.0f}"
        level = max((max(sent) for sent in frame.outputs if sent), default=0)
        return f"a channel has the level {level} of {self.brightest}" if level > self.brightest else ""


def run(amount: str, seed: int, say: Say) -> Outcome:
    """All white on each output and both, noise, effects at full brightness, races; then starts after a breakdown."""
    quick = amount == QUICK
    chance = random.Random(seed)
    tried = survived = 0
    facts: list[str] = []
    failures: list[str] = []
    for name in ("mini", "full"):
        with WatchedBoard(name) as board:
            meter = Meter(name)
            for what, steps in _programmes(board, chance, quick):
                say(f"{name}: {what}")
                wrong = _measured(board, meter, what, steps, seed)
                tried += 1
                survived += not wrong
                failures += wrong
            facts.append(f"On {name} the most demanding frame draws {meter.most_ma:.0f} mA of "
                         f"{meter.supply['limit_ma']} ({meter.frames} frames).")
            usual = _brightest_at_start(board, "", seed)
            for ended in ("power", "watchdog"):
                dim = _brightest_at_start(board, ended, seed)
                tried += 1
                good = 0 < dim * DIM <= usual
                survived += good
                if not good:
                    failures.append(f"after a race ended by {ended} the board {name} starts with the level {dim}, usually "
                                    f"{usual}")
            facts.append(f"On {name} a start after a breakdown has at most the level {dim}, a usual one {usual}.")
    again = f"; run: gridglow torture --only current --seed {seed}" + (" --quick" if quick else "")
    return Outcome(NAME, tried, survived, "shows and starts", facts, [failure + again + "." for failure in failures])


def _programmes(board: WatchedBoard, chance: random.Random, quick: bool) -> list[tuple[str, list]]:
    """(name, steps) of everything that is measured, at the highest possible brightness setting, and above."""
    ms = WHITE_MS[QUICK if quick else "long"]
    bright = ["lights", [[0, "set_brightness", [255]]], 40]
    found = [(f"all white on {words}", [bright, ["raw", ms, "white", outputs]])
             for words, outputs in (("output 1", [0]), ("output 2", [1]), ("both outputs", [0, 1]))]
    found.append(("noise and strobes", [bright, *(["raw", ms, kind, [0, 1]] for kind in ("noise", "strobe", "colours"))]))
    found.append(("mixes of effects", [bright, *_bright(mixes(board, chance, quick))]))
    for game in games.NAMES:
        tracks = board.tracks_of(game)
        if tracks and (not quick or game == games.NAMES[0]):
            about = games.about(game)
            variant = about.VARIANTS[0]
            track = next((track for track in tracks if _fits(game, variant, track.source.id)), tracks[0])
            plain = race_setup(game, variant, track.source.id, seats=about.SEATS[1], bots="all",
                               seed="current").setup.plain()
            found.append((f"a race of {game} to its podium", [["set", "brightness", 64], ["podium", plain, 2500],
                                                              ["race", plain, None, 9000 if quick else 120000, 0]]))
    return found


def _fits(game: str, variant: str, track: str) -> bool:
    try:
        race_setup(game, variant, track, bots="all", seed="current")
    except GridglowError:
        return False
    return True


def _bright(steps) -> list:
    """The same steps; if an effect changes the brightness, it raises it."""
    out = []
    for step in steps:
        if step[0] == "lights":
            up = {"set_brightness": [255], "set_calm": [False]}
            step = [step[0], [[ms, method, up.get(method, args)] for ms, method, args in step[1]], step[2]]
        out.append(step)
    return out


def _measured(board: WatchedBoard, meter: Meter, what: str, steps: list, seed: int) -> list[str]:
    """At most one sentence, about the first frame that draws too much."""
    doing = what
    wrong: list[str] = []
    for one in board.watch(steps, seed):
        if isinstance(one, Note):
            doing = f"{what}: {one.words[1]}" if one.words[0] == "doing" else doing
        else:
            said = meter.wrong(one)
            if said and not wrong:
                wrong.append(f"{said} on {board.board.id} at {one.ms} ms of {doing}")
    return wrong


def _brightest_at_start(board: WatchedBoard, ended: str, seed: int) -> int:
    """The highest level of a channel in the first second after a start."""
    most = 0
    for one in board.watch([["run", START_MS]], seed, ended=ended):
        if isinstance(one, Frame):
            most = max([most, *(max(sent) for sent in one.outputs if sent)])
    return most

