"""3D-printed parts: their measures, as given by ``[prints]`` of a board file, and those that follow from them.

None of this goes to the firmware; the table may be missing. Lengths are mm. Parts are described as seen from the front,
x to the right and y up; ``solids.py`` turns them for printing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridglow.tomlfile import Checker

Point = tuple[float, float]

PRINTS_KEYS = ("bed_mm", "ring_mm", "ring_leds_mm", "bar_mm", "reader_mm", "key_mm", "key_apart_mm", "screw_mm")
# The same in all parts: walls and gaps that any printer with a 0.4 mm nozzle can make.
WALL = 2.0
PLAY = 0.2  # around a part inserted into another, on each side
WINDOW = 5.0  # the opening for a 5 mm LED, if there is room
BAFFLE = 1.2  # walls between two LEDs
BETWEEN = BAFFLE + 0.4  # between windows, so that the wall never shows
LED_LEAST = 3.0  # between LEDs
SCREW_OUT = 3.4  # from a body to the centre of a screw beside it: its nut must not overlap the hole
FLANGE_OUT = 6.6
DIAL_TEXT = 4.5
BAR_TEXT = 4.0
LETTER_WIDE = 0.93  # width of a digit and its gap, relative to its height


@dataclass(frozen=True)
class Prints:
    """Measures of the printer's bed, of the parts that prints hold, and of their holes."""

    bed_mm: float = 200
    ring_mm: float = 32
    ring_leds_mm: float = 25
    bar_mm: Point = (51.1, 10.2)
    reader_mm: Point = (60, 40)
    key_mm: float = 14.0
    key_apart_mm: float = 19.05
    screw_mm: float = 3.2


def take_prints(check: Checker, table: dict) -> Prints:
    """The table [prints]; errors are noted, and the default replaces a wrong measure."""
    usual, where = Prints(), ("prints",)
    one = check.take(table, (), "prints", dict, {}) or {}
    check.known(one, where, PRINTS_KEYS)
    limits = {"bed_mm": (100, 1000), "ring_mm": (15, 180), "ring_leds_mm": (8, 175), "key_mm": (12, 16),
              "key_apart_mm": (18, 30), "screw_mm": (2, 5)}
    found = {key: check.take_number(one, where, key, *limits[key], getattr(usual, key)) for key in limits}
    pairs = {"bar_mm": (5, 180), "reader_mm": (20, 150)}
    found.update({key: _take_pair(check, one, key, *pairs[key]) for key in pairs})
    prints = Prints(**{key: getattr(usual, key) if value is None else value for key, value in found.items()})
    if prints.ring_leds_mm > prints.ring_mm - WINDOW:
        check.note(("prints", "ring_leds_mm"), f"Expected at most {prints.ring_mm - WINDOW:g}, as the LEDs lie inside the "
                   f"{prints.ring_mm:g} mm of ring_mm, found {prints.ring_leds_mm:g}; measure from the middle of an LED to "
                   "the middle of the opposite one.")
    return prints


def _take_pair(check: Checker, table: dict, key: str, low: float, high: float) -> Point | None:
    pair = check.take(table, ("prints",), key, list, None)
    if pair is None:
        return None
    if len(pair) != 2 or any(type(one) not in (int, float) or not low <= one <= high for one in pair) or pair[0] < pair[1]:
        check.note(("prints", key), f"Expected length and width from {low} to {high}, such as [60, 40], found {pair!r}.")
        return None
    return float(pair[0]), float(pair[1])


@dataclass(frozen=True)
class Bezel:
    """The front of a dial: a flange of ``size``, a body behind it that goes through the panel's ``hole``, and on it a
    window and a number for each LED. A ring's size and hole are (diameter, 0)."""

    shape: str
    size: Point
    hole: Point
    windows: tuple[Point, ...]
    window: float
    labels: tuple[tuple[str, Point], ...]  # number and its middle
    text: float  # height of a number
    screws: tuple[Point, ...]

    @property
    def box(self) -> Point:
        """The area that it covers on the panel."""
        return (self.size[0], self.size[0]) if self.shape == "ring" else self.size


def bezel_of(prints: Prints, shape: str, leds: int) -> Bezel:
    """The bezel of a dial. Numbers run clockwise from the top on a ring, left to right on a bar: in wire order."""
    return _ring(prints, leds) if shape == "ring" else _bar(prints, leds)


def led_apart(prints: Prints, shape: str, leds: int) -> float:
    """The distance between a dial's LEDs; a single one gets the room of two."""
    length = math.pi * prints.ring_leds_mm if shape == "ring" else prints.bar_mm[0]
    return length / max(leds, 2)


def around(radius: float, turns: float) -> Point:
    """The point on a circle, this many turns clockwise from the top."""
    angle = 2 * math.pi * turns
    return radius * math.sin(angle), radius * math.cos(angle)


def _ring(prints: Prints, leds: int) -> Bezel:
    body = prints.ring_mm / 2 + PLAY + WALL
    window = min(WINDOW, led_apart(prints, "ring", leds) - BETWEEN)
    outer = prints.ring_leds_mm / 2 + window / 2
    text = (outer + body + FLANGE_OUT) / 2
    every = _every(leds, 2 * math.pi * text / leds, DIAL_TEXT, prints.screw_mm)
    shown = range(0, leds, every)
    # Screws go in gaps between two numbers, as nearly opposite each other as possible.
    gaps = (0.25, 0.75) if leds == 1 else [(middle + 0.5) * every / leds for middle in (0, max(1, len(shown) // 2))]
    return Bezel(
        "ring", (2 * (body + FLANGE_OUT), 0), (2 * (body + PLAY), 0),
        tuple(around(prints.ring_leds_mm / 2, i / leds) for i in range(leds)), window,
        tuple((str(i + 1), around(text, i / leds)) for i in shown), DIAL_TEXT,
        tuple(around(body + SCREW_OUT, gap) for gap in gaps),
    )


def _bar(prints: Prints, leds: int) -> Bezel:
    length, width = (one / 2 + PLAY + WALL for one in prints.bar_mm)
    apart = prints.bar_mm[0] / leds
    window = min(WINDOW, led_apart(prints, "bar", leds) - BETWEEN)
    every = _every(leds, apart, BAR_TEXT, 0)
    below = -(window / 2 + 1 + BAR_TEXT / 2)
    xs = [(i + 0.5) * apart - prints.bar_mm[0] / 2 for i in range(leds)]
    half = max(width + WALL, 1.5 - below + BAR_TEXT / 2)
    return Bezel(
        "bar", (2 * (length + FLANGE_OUT), 2 * half), (2 * (length + PLAY), 2 * (width + PLAY)),
        tuple((x, 0.0) for x in xs), window, tuple((str(i + 1), (xs[i], below)) for i in range(0, leds, every)), BAR_TEXT,
        ((-length - SCREW_OUT, 0.0), (length + SCREW_OUT, 0.0)),
    )


def _every(leds: int, apart: float, height: float, room: float) -> int:
    """Every how many LEDs a number fits, so that numbers touch neither each other nor what needs this room between them."""
    return max(1, math.ceil((len(str(leds)) * LETTER_WIDE * height + room) / apart))


def bezels_of(dials: tuple[tuple[str, int], ...]) -> dict[tuple[str, int], str]:
    """The bezel's name for each kind of dial; if rings differ in their number of LEDs, the number is in the name."""
    kinds: dict[tuple[str, int], str] = {}
    for shape, leds in sorted(set(dials), key=lambda one: (one[0] != "ring", one[1])):
        alike = len({other for kind, other in dials if kind == shape}) == 1
        name = "dial_bezel" if shape == "ring" else "bar_bezel"
        kinds[shape, leds] = name if alike else f"{name}_{leds}"
    return kinds
