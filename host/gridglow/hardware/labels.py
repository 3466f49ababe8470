"""The places of names, signs and pixel numbers on a track module: beside each space's hole, along the road and never
upside down, as large as there is room for. Sheets and laser files share them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from gridglow.hardware.making import Build
from gridglow.hardware.string_plan import plan_string

NAME_MM, SIGN_MM, LEAST_MM = 2.6, 3.4, 1.5  # heights of capitals
BESIDE_MM = 1.0  # from a hole, or the border of a space
BETWEEN_MM = 2.2
SAME_ROOM_MM = 1.5  # if both sides of a hole have about the same room, the name is above
LETTER_WIDE = 0.8  # a letter's width relative to the height of capitals, in our fonts

Point = tuple[float, float]


@dataclass(frozen=True)
class Label:
    """A word on a space: the middle of its baseline (mm, y down), its rotation (degrees clockwise), the height of its
    capitals; ``kind`` is "name", "sign" or "pixel"."""

    kind: str
    text: str
    x: float
    y: float
    turn_deg: float
    size: float
    space: int


def wide(text: str, size: float) -> float:
    """The approximate width of a text in mm."""
    return len(text) * LETTER_WIDE * size


def middle_of(label: Label) -> Point:
    """The middle of a word."""
    turn = math.radians(label.turn_deg)
    return label.x + label.size / 2 * math.sin(turn), label.y - label.size / 2 * math.cos(turn)


def place_labels(build: Build, pixels: bool) -> list[Label]:
    """All labels of a module; with ``pixels`` also each pixel's number, as #12."""
    shape = build.drawing
    numbers: dict[int, tuple[str, Point]] = {}
    for hole in plan_string(build).holes:
        near = min(hole.spaces, key=lambda s: (math.dist(shape["spaces"][s]["centre"], (hole.x, hole.y)), s))
        for space in hole.spaces:
            numbers[space] = (f"#{hole.pixel}" if pixels and space == near else "", (hole.x, hole.y))
    out = []
    for space in shape["spaces"]:
        number, hole_at = numbers.get(space["space"], ("", tuple(space["centre"])))
        out += _Frame(space, hole_at, build.board.string.hole_mm / 2, shape["overpasses"]).place(space, number)
    return out


class _Frame:
    """A space rotated so that its words are level: x along them, y up, the origin in the hole or the middle of the space."""

    def __init__(self, space: dict, hole: Point, radius: float, decks: list[list[Point]]):
        heading = math.radians(space["heading_deg"])
        cos, sin = math.cos(heading), math.sin(heading)
        if cos < -1e-3 or cos <= 1e-3 and sin > 0:
            cos, sin = -cos, -sin
        self.cos, self.sin = cos, sin
        self.turn_deg = round(math.degrees(math.atan2(sin, cos)), 2)
        self.middle = tuple(space["centre"])
        local = self.local(hole)
        border = [self.local(point) for point in space["polygon"]]
        inside = min(x for x, _ in border) < local[0] < max(x for x, _ in border) and any(
            low < local[1] < high for low, high in [_across(border, local[0])])
        self.origin = hole if inside else self.middle
        self.radius = radius if inside else 0.0
        ox, oy = self.local(self.origin)
        self.border = [(x - ox, y - oy) for x, y in border]
        self.decks = [[(x - ox, y - oy) for x, y in map(self.local, deck)] for deck in decks]
        self.low, self.high = _across(self.border, 0.0)
        if not inside:  # a hole on the border takes up some of the room
            hx, hy = local[0] - ox, local[1] - oy
            if abs(hx) < radius:
                self.low = max(self.low, hy + radius) if hy < 0 else self.low
                self.high = min(self.high, hy - radius) if hy > 0 else self.high

    def local(self, point: Point) -> Point:
        x, y = point[0] - self.middle[0], point[1] - self.middle[1]
        return x * self.cos + y * self.sin, x * self.sin - y * self.cos

    def label(self, kind: str, text: str, x: float, y: float, size: float, space: int) -> Label:
        ox, oy = self.origin
        return Label(kind, text, round(ox + x * self.cos + y * self.sin, 3), round(oy + x * self.sin - y * self.cos, 3),
                     self.turn_deg, round(size, 3), space)

    def place(self, space: dict, number: str) -> list[Label]:
        """The name followed by the sign on the side with more room, the number on the other side of the hole."""
        words = [("name", space["name"], NAME_MM)]
        if space["sign"]:
            words.append(("sign", space["sign"], SIGN_MM))
        if not self.radius:
            if number:
                words.append(("pixel", number, NAME_MM))
            return self._line(words, (self.low + self.high) / 2, space["space"])
        sides = sorted(((self._room(side), side) for side in (1, -1)), key=lambda one: -one[0])
        if sides[0][0] < sides[1][0] + SAME_ROOM_MM:
            sides.sort(key=lambda one: -one[1])
        beside = [("pixel", number, NAME_MM)] if number else []
        if beside and _needs(beside) * 0.75 > sides[1][0]:
            words, beside = words + beside, []
        found = self._line(words, self._middle(sides[0][1]), space["space"])
        return found + (self._line(beside, self._middle(sides[1][1]), space["space"]) if beside else [])

    def _middle(self, side: int) -> float:
        """How far up the middle of the line of words is on this side of the hole."""
        edge = self.high if side > 0 else self.low
        return side * (self.radius + abs(edge)) / 2

    def _room(self, side: int) -> float:
        """The possible width of a line of words on this side of the hole."""
        middle = self._middle(side)
        left, right = self._slot(middle - NAME_MM / 2, middle + NAME_MM / 2)
        return round(right - left, 3)

    def _slot(self, low: float, high: float) -> Point:
        spans = [_along(self.border, y) for y in (low, high)]
        begin, end = max(left for left, _ in spans), min(right for _, right in spans)
        for deck in self.decks:  # the room that a road above this one leaves
            xs = [a + (c - a) * (y - b) / (d - b) for (a, b), (c, d) in pairwise([*deck, deck[0]]) for y in (low, high)
                  if (b > y) != (d > y)]
            if xs and min(xs) < end and max(xs) > begin:
                begin, end = (begin, min(xs)) if min(xs) - begin > end - max(xs) else (max(xs), end)
        return begin + BESIDE_MM / 2, end - BESIDE_MM / 2

    def _line(self, words: list[tuple[str, str, float]], middle: float, space: int) -> list[Label]:
        """Words side by side around a height, smaller if there is little room."""
        room_up = abs((self.high if middle > 0 else self.low) - (math.copysign(self.radius, middle) if middle else 0))
        tall = max(size for *_, size in words)
        part = min(1.0, max((room_up - BESIDE_MM) / tall, 0.3))
        left, right = self._slot(middle - tall * part / 2, middle + tall * part / 2)
        part = min(part, (right - left) / _needs(words))
        part = max(part, LEAST_MM / NAME_MM)
        at = (left + right) / 2 - _needs(words) * part / 2
        found = []
        for kind, text, size in words:
            long = wide(text, size * part)
            found.append(self.label(kind, text, at + long / 2, middle - size * part / 2, size * part, space))
            at += long + BETWEEN_MM * part
        return found


def _needs(words: list[tuple[str, str, float]]) -> float:
    return sum(wide(text, size) for _, text, size in words) + BETWEEN_MM * (len(words) - 1)


def _along(border: list[Point], y: float) -> Point:
    """The crossings of a border at this height, on both sides of its middle."""
    return _crossings([(b, a) for a, b in border], y)


def _across(border: list[Point], x: float) -> Point:
    """The crossings of a border at this x."""
    return _crossings(border, x)


def _crossings(border: list[Point], at: float) -> Point:
    """The second coordinates where the first is ``at``, nearest to 0 on both sides; (0, 0) if there are none."""
    found = []
    for (a, b), (c, d) in pairwise([*border, border[0]]):
        if (a > at) != (c > at):
            found.append(b + (d - b) * (at - a) / (c - a))
    below, above = [one for one in found if one <= 0], [one for one in found if one > 0]
    return (max(below), min(above)) if below and above else (min(found, default=0.0), max(found, default=0.0))
