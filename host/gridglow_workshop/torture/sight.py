"""Every car and every option is distinguishable in grey, at the lowest brightness, with protan, deutan and tritan vision.

Nothing comes from a list of rhythms: the firmware lights every game's cars, offered spaces, marks and painted spaces, and
the output is measured. Two things differ in colour if their brightest lights differ by `APART`, and in
rhythm if within *any* second they differ for 100 ms or more, each measured against its own brightest.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridglow import paths
from gridglow.races.startup import race_setup
from gridglow.tomlfile import read_toml
from gridglow.tracks import CompiledTrack
from gridglow_workshop.torture.seeing import JUST_NOTICED, SIGHTS, apart, luminance
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from gridglow_workshop.torture.watched import Frame, WatchedBoard
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.race import Race
from shared_rules.track_paint import colours_of

NAME = "sight"
WHAT = "Cars and options are distinguishable in grey, at the lowest brightness, and with protan, deutan and tritan vision."
#: Delta E 1976 from which colour alone is enough: ten times the just noticeable difference.
APART = 10 * JUST_NOTICED
#: A share of its own brightest: what one thing shows and the other doesn't. Eyes notice a few hundredths.
UNLIKE = 0.3
UNLIKE_MS = 100
LOWEST = 1  # what somebody may set; the board applies its own minimum
LANGUAGES = {"en": "words.js", "de": "words_de.js"}
RHYTHMS = 8
LEGEND = ("offered", "chosen", "dials", "low", "costs", "mark", "dips")
ROUND_MS = 3400  # longer than the longest rhythm
FRAME_MS = 33


@dataclass(frozen=True)
class Thing:
    """Something lit: its kind ("car", "offered", "chosen", "mark", "paint", "line"), its name, its pixel."""

    kind: str
    name: str
    pixel: int


@dataclass(frozen=True)
class Look:
    """One view: a board and a track in this light."""

    game: str
    board: str
    track: str
    brightness: int
    calm: bool

    def __str__(self) -> str:
        calm = ", calm mode" if self.calm else ""
        bright = "lowest brightness" if self.brightness == LOWEST else f"brightness {self.brightness}"
        return f"{self.game} on {self.track}, board {self.board}, {bright}{calm}"


class Tally:
    """How many pairs were checked, and how they differed."""

    def __init__(self) -> None:
        self.tried = self.survived = 0
        self.by = {"colour and rhythm": 0, "rhythm alone": 0, "colour alone": 0}
        self.failures: list[str] = []

    def add(self, colour: bool, rhythm: bool, needs_rhythm: bool, sentence: str) -> None:
        """One pair under one sight."""
        self.tried += 1
        if not (colour or rhythm) or needs_rhythm and not rhythm:
            self.failures.append(sentence)
            return
        self.survived += 1
        self.by["colour and rhythm" if colour and rhythm else "rhythm alone" if rhythm else "colour alone"] += 1


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Every game on both boards, at the lowest and the highest brightness, with and without calm mode; quick: one
    board less, and not in calm mode."""
    quick = amount == QUICK
    tally = Tally()
    looks = 0
    names: set[tuple] = set()
    for name in ("full",) if quick else ("full", "mini"):
        with WatchedBoard(name) as board:
            for game in games.NAMES:
                tracks = board.tracks_of(game)
                for track in tracks[:1] if quick else tracks:
                    cars = _cars(game, track)
                    if cars is None:
                        continue
                    for brightness in (LOWEST, board.board.brightness_max):
                        for calm in (False,) if quick else (False, True):
                            look = Look(game, name, track.source.id, brightness, calm)
                            say(str(look))
                            names |= {(game, row[3], row[4]) for row in cars}
                            _look(board, track, cars, look, tally)
                            looks += 1
    words_failures, words = _words()
    facts = [
        f"{looks} screens with {len(names)} cars were checked: grey, {', '.join(key for key in SIGHTS if key != 'grey')}.",
        f"Colour is enough if Delta E 1976 is {APART:g} or more (ten times {JUST_NOTICED}, the just noticeable difference), "
        f"rhythm if two lights differ by {UNLIKE:g} of their brightest for {UNLIKE_MS} ms of any second (of two, in "
        "calm mode).",
        "Distinguished by " + ", ".join(f"{key}: {count}" for key, count in tally.by.items()) + ".",
        f"{words} sentences of the legend name the rhythms and what else is lit.",
    ]
    again = f"; run: gridglow torture --only sight --seed {seed}" + (" --quick" if quick else "")
    failures = [f"{failure}{again}." for failure in tally.failures + words_failures]
    survived = tally.survived + words - len(words_failures)
    return Outcome(NAME, tally.tried + words, survived, "pairs and words", facts, failures)


def _cars(game: str, track: CompiledTrack) -> list[list] | None:
    """The rows of all cars of the fullest race on this track; None if no variant suits it."""
    about = games.about(game)
    most: list[list] | None = None
    for variant in about.VARIANTS:
        for options in ([], [f"{key}={value}" for key, values, _ in about.OPTIONS for value in values if key == "bikes"]):
            for seats in range(about.SEATS[0], about.SEATS[1] + 1):
                try:
                    setup = race_setup(game, variant, track.source.id, seats=seats, bots="all", seed="sight",
                                       options=options[-1:]).setup
                except GridglowError:
                    continue
                cars = [list(row) for row in Race(setup, track.track).game.cars()]
                if most is None or len(cars) > len(most):
                    most = cars
    return most


def _look(board: WatchedBoard, track: CompiledTrack, cars: list[list], look: Look, tally: Tally) -> None:
    rules = games.load(look.game)
    leds = json.loads((board.root / f"tracks/{look.track}.leds").read_text(encoding="utf-8"))
    pixel_of, output = leds["leds"], leds["output"]
    marks = [list(pair) for pair in rules.MARK_COLOURS] or [["bonus", "white"]]
    taken: set[int] = set()
    spaces = _spaces(track, pixel_of, taken)
    car_spaces = [next(spaces) for _ in cars]
    offered, chosen = next(spaces), next(spaces)
    mark_spaces = [next(spaces) for _ in marks]
    things = [Thing("car", f"{row[3]} car {row[0]}", pixel_of[space]) for row, space in zip(cars, car_spaces)]
    things.append(Thing("offered", "an offered space", pixel_of[offered]))
    things.append(Thing("chosen", "the chosen space", pixel_of[chosen]))
    things += [Thing("mark", f"the mark {mark[0]}", pixel_of[space]) for mark, space in zip(marks, mark_spaces)]
    things += _painted(track, pixel_of, taken)
    scene = {"cars": [[row[0], space, "run"] for row, space in zip(cars, car_spaces)],
             "marks": [[space, mark[0]] for mark, space in zip(marks, mark_spaces)]}
    ms = ROUND_MS * (2 if look.calm else 1)
    steps = [["lights", [[0, "load", [look.track]], [0, "marks", [marks]], [0, "set_cars", [cars]], [0, "show_race", []],
                         [0, "set_brightness", [look.brightness]], [0, "set_calm", [look.calm]], [0, "scene", [scene]],
                         [0, "ends", [[offered, chosen], 1]]], 1200 + ms]]
    series: dict[Thing, list[tuple[int, tuple[int, int, int]]]] = {thing: [] for thing in things}
    for one in board.watch(steps, 0, frame_ms=FRAME_MS):
        if isinstance(one, Frame):
            for thing in things:
                at = 3 * thing.pixel
                series[thing].append((one.ms, tuple(one.outputs[output][at:at + 3])))
    begin = next(iter(series.values()))[0][0] + 1100  # by then the flash limits have let everything light up
    lights = {thing: [light for moment, light in rows if moment >= begin] for thing, rows in series.items()}
    white = next(rows for thing, rows in lights.items() if thing.kind == "chosen")
    _compare(lights, max(max(light) for light in white), look, tally)


def _spaces(track: CompiledTrack, pixel_of: list[int], taken: set[int]) -> Iterator[int]:
    """Spaces with a pixel that nothing else uses, away from the line."""
    away = [space for space in range(track.track.count) if 1 < track.track.row(space) < track.track.rows - 1]
    for space in [*away[:: max(1, len(away) // 24)], *away]:
        if pixel_of[space] >= 0 and pixel_of[space] not in taken:
            taken.add(pixel_of[space])
            yield space


def _painted(track: CompiledTrack, pixel_of: list[int], taken: set[int]) -> list[Thing]:
    """One space of each painted colour."""
    found: dict[str, Thing] = {}
    for space in range(track.track.count):
        colours = colours_of(track.track, space)
        if len(colours) == 1 and colours[0] not in found and pixel_of[space] >= 0 and pixel_of[space] not in taken:
            found[colours[0]] = Thing("paint", f"the paint {colours[0]}", pixel_of[space])
    return list(found.values())


#: Pairs of kinds that the lights alone must distinguish. (A painted space's colour is also printed on the sheet,
#: and named on the display.)
MUST = {("car", "car"), ("car", "offered"), ("car", "chosen"), ("car", "mark"), ("car", "paint"), ("offered", "chosen"),
        ("offered", "mark"), ("offered", "paint"), ("chosen", "mark"), ("chosen", "paint"), ("mark", "mark")}


def _compare(lights: dict[Thing, list], full: int, look: Look, tally: Tally) -> None:
    bright = {thing: [luminance(*light) for light in rows] for thing, rows in lights.items()}
    most = {thing: max(rows) for thing, rows in bright.items()}
    for thing, level in most.items():
        if not level:
            tally.tried += 1
            tally.failures.append(f"{thing.name} is dark: {look}")
    peaks = {thing: max(rows, key=lambda light: luminance(*light)) for thing, rows in lights.items()}
    window = (2 if look.calm else 1) * 1000 // FRAME_MS
    for one, two in itertools.combinations(lights, 2):
        if not most[one] or not most[two] or not MUST & {(one.kind, two.kind), (two.kind, one.kind)}:
            continue
        unlike = [abs(a / most[one] - b / most[two]) >= UNLIKE for a, b in zip(bright[one], bright[two])]
        least = min(sum(unlike[at:at + window]) for at in range(max(1, len(unlike) - window))) * FRAME_MS
        rhythm = least + FRAME_MS > UNLIKE_MS
        for sight in SIGHTS:
            lit = (tuple(min(1.0, level / full) for level in peaks[thing]) for thing in (one, two))
            difference = apart(*lit, sight)
            tally.add(difference >= APART, rhythm, one.kind == two.kind == "car",
                      f"{one.name} and {two.name} look alike ({sight}: Delta E {difference:.0f}, differ for {least} ms of "
                      f"the worst second): {look}")


def _words() -> tuple[list[str], int]:
    """What the legends lack, and how many sentences were checked: in each language the board's words for every rhythm and
    everything else that is lit, all different, and the same words on the page."""
    failures: list[str] = []
    count = 0
    for language, page in LANGUAGES.items():
        board = read_toml(paths.text_folder() / f"{language}.toml", "text file")[0]["board"]
        on_page = re.findall(r'"((?:[^"\\]|\\.)*)"', _legend_of(paths.page_folder() / page))
        told: set[str] = set()
        for key in (*(f"rhythm_{number}" for number in range(RHYTHMS)), *(f"legend_{what}" for what in LEGEND)):
            count += 1
            words = board.get(key, "")
            if not words or words in told:
                failures.append(f"the board's texts have no distinct text for {key} ({language})")
            elif words.rstrip(".").replace(": {0}", "") not in " ".join(on_page):
                failures.append(f"the page's legend doesn't say {words!r} ({page})")
            told.add(words)
    return failures, count


def _legend_of(path: Path) -> str:
    """The part of a page's words that is its legend."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("legendRhythms: ["):text.index("// end of the legend")]
