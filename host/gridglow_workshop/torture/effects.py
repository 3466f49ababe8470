"""Programmes for a watched board: every effect of the lights, alone, in pairs and in heaps, at random.

Each effect is a function of a `random.Random` and a stage that returns calls of the lights, ``[ms, method, arguments]``,
with times counted from its start.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from gridglow.tracks import CompiledTrack

Calls = list[list]
COLOURS = ("blue", "yellow", "red", "green", "white", "orange", "cyan", "magenta")


@dataclass(frozen=True)
class Stage:
    """What the effects play on."""

    track: CompiledTrack
    seats: int  # with dials of their own
    cars: int = 6

    def rows(self) -> list[list]:
        """The cars as ``set_cars`` takes them."""
        return [[car, 1 + (car - 1) % max(1, self.seats), "car", COLOURS[(car - 1) % 8], (car - 1) % 8]
                for car in range(1, self.cars + 1)]

    def space(self, chance: random.Random) -> int:
        """Any space."""
        return chance.randrange(self.track.track.count)

    def car(self, chance: random.Random) -> int:
        """Any car."""
        return 1 + chance.randrange(self.cars)

    def seat(self, chance: random.Random) -> int:
        """Any seat."""
        return 1 + chance.randrange(max(1, self.seats))

    def path(self, chance: random.Random, longest: int = 14) -> list[int]:
        """A path over spaces."""
        first = self.space(chance)
        count = self.track.track.count
        return [(first + self.track.track.lanes * step) % count for step in range(2 + chance.randrange(longest - 1))]

    def scene(self, chance: random.Random, events: list) -> dict:
        """A scene with these events."""
        low = chance.random() < 0.3
        return {
            "cars": [[car, self.space(chance), "run"] for car in range(1, self.cars + 1)],
            "events": events,
            "marks": [[self.space(chance), chance.choice(("oil", "rock", "bonus"))] for _ in range(4)],
            "dials": [[row[1], row[0], key, chance.randrange(2) if low else chance.randrange(9), 8]
                      for row in self.rows() for key in ("a", "b", "c")],
        }


def _event(kind: str, *args: Callable) -> Callable:
    def make(chance: random.Random, stage: Stage) -> Calls:
        events = [[kind, *(arg(chance, stage) for arg in args)] for _ in range(chance.choice((1, 1, 2, 6)))]
        return [[0, "scene", [stage.scene(chance, events)]]]
    return make


def _car(chance: random.Random, stage: Stage) -> int:
    return stage.car(chance)


def _path(chance: random.Random, stage: Stage) -> list[int]:
    return stage.path(chance)


def _small(chance: random.Random, _stage: Stage) -> int:
    return 1 + chance.randrange(3)


def _key(chance: random.Random, _stage: Stage) -> str:
    return chance.choice("abc")


def _spent(chance: random.Random, stage: Stage) -> Calls:
    car = stage.car(chance)
    events: list = []
    for _ in range(3):
        events += [["moved", car, stage.path(chance, 5)], ["spent", car, "a", 2]]
    return [[0, "scene", [stage.scene(chance, events)]]]


def _ends(chance: random.Random, stage: Stage) -> Calls:
    """Options offered while NEXT is held: the cursor runs through them."""
    spaces = [stage.space(chance) for _ in range(1 + chance.randrange(12))]
    return [[40 * step, "ends", [spaces, step % len(spaces)]] for step in range(30)] + [[1240, "ends", [[], -1]]]


def _asked(chance: random.Random, stage: Stage) -> Calls:
    """Seats are asked and answer, faster than anybody could."""
    return [[step * 90, "acting", [[stage.seat(chance)] if step % 2 else [], []]] for step in range(12)]


def _acks(chance: random.Random, stage: Stage) -> Calls:
    return [[step * chance.choice((40, 90, 170)), "ack", [stage.seat(chance)]] for step in range(10)]


def _signals(chance: random.Random, stage: Stage) -> Calls:
    return [[step * chance.choice((70, 150, 420)), "signal", ["wrong", stage.seat(chance)]] for step in range(8)]


def _spend(chance: random.Random, stage: Stage) -> Calls:
    """A cursor that runs over options with and without a cost."""
    return [[step * 120, "spend", [stage.seat(chance), [["a", 2]] if step % 2 else []]] for step in range(9)]


def _entry(chance: random.Random, stage: Stage) -> Calls:
    """A number is turned back and forth while being entered."""
    seat = stage.seat(chance)
    turns = [[step * 60, "entry", [seat, 8 if step % 2 else 0, 8]] for step in range(16)]
    return [*turns, [1000, "entry", [seat, 0, 0]]]


def _screens(*names: str) -> Callable:
    def make(chance: random.Random, stage: Stage) -> Calls:
        cars = list(range(1, min(4, stage.cars + 1)))
        return [[step * chance.choice((50, 120, 300)), name, [cars] if name == "show_podium" else []]
                for step, name in enumerate(names * 3)]
    return make


def _settings(chance: random.Random, _stage: Stage) -> Calls:
    """Brightness and calm mode are switched back and forth in the menu."""
    return [[step * 80, *chance.choice((("set_brightness", [8]), ("set_brightness", [255]), ("set_calm", [step % 2 == 0]),
                                         ("set_speed", [50]), ("set_speed", [200])))] for step in range(10)] + [
        [900, "set_calm", [False]], [900, "set_brightness", [255]]]


def _unplugged(chance: random.Random, stage: Stage) -> Calls:
    """Panels vanish and come back: their dials are reassigned."""
    all_ = [[seat] for seat in range(1, stage.seats + 1)]
    one = [list(range(1, stage.seats + 1))]
    turns = [[step * 100, "set_panels", [chance.choice((all_, one, []))]] for step in range(9)]
    return [*turns, [950, "set_panels", [all_]]]


def _reload(_chance: random.Random, stage: Stage) -> Calls:
    """The race's track is released and loaded again, as often as somebody restarts."""
    calls: Calls = []
    for step in range(4):
        calls += [[step * 200, "drop_track", []], [step * 200 + 100, "load", [stage.track.source.id]],
                  [step * 200 + 100, "set_cars", [stage.rows()]], [step * 200 + 100, "show_race", []]]
    return calls


EFFECTS: dict[str, Callable[[random.Random, Stage], Calls]] = {
    "move": _event("moved", _car, _path),
    "called": _event("called", _car, _path),
    "crossed": _event("crossed", _car, _small),
    "lap": _event("lap", _car, _small),
    "finished": _event("finished", _car, _small),
    "out": _event("out", _car),
    "undone": _event("undone", _small),
    "spent points": _spent,
    "options": _ends,
    "asked": _asked,
    "presses": _acks,
    "wrong presses": _signals,
    "costs": _spend,
    "entry": _entry,
    "podium and race": _screens("show_podium", "show_race"),
    "idle and race": _screens("show_idle", "show_race"),
    "menu and dark": _screens("show_menu", "show_dark", "show_race"),
    "start lights": lambda chance, _stage: [[0, "start_sequence", [chance.randrange(300, 2500)]],
                                            [chance.randrange(1500), "skip", []]],
    "start again": lambda _chance, _stage: [[step * 150, "start_sequence", [300]] for step in range(6)] + [
        [950, "skip", []]],
    "skip": lambda chance, _stage: [[step * 180, "skip", []] for step in range(6)],
    "settings": _settings,
    "unplugged": _unplugged,
    "track anew": _reload,
    "low dials": _event("lap", _car, _small),
}
#: How long to watch the effects of one mix, ms.
MIX_MS = 1500


def opening(stage: Stage) -> list:
    """The step that sets the stage."""
    panels = [[seat] for seat in range(1, stage.seats + 1)]
    return ["lights", [[0, "load", [stage.track.source.id]], [0, "set_cars", [stage.rows(), ["a"]]],
                       [0, "set_panels", [panels]], [0, "show_race", []]], 100]


def mix(names: list[str], chance: random.Random, stage: Stage) -> list:
    """The step in which all these effects run at the same time, started at random moments."""
    calls: Calls = []
    for name in names:
        later = chance.randrange(400)
        calls += [[ms + later, method, args] for ms, method, args in EFFECTS[name](chance, stage)]
    calls.sort(key=lambda call: call[0])
    if chance.random() < 0.8:  # most of them in a race
        calls.insert(0, [0, "show_race", []])
    return ["lights", calls, MIX_MS]


def pairs() -> list[list[str]]:
    """Every two effects, including each with itself."""
    names = list(EFFECTS)
    return [[one, two] for at, one in enumerate(names) for two in names[at:]]
