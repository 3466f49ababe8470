"""Lines for a laser, each burnt once: the parts of a line that overlap an earlier one are left out.

Two lines overlap if they run along the same straight for a while, not if they only cross or touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

Point = tuple[float, float]
Polyline = tuple[list[Point], bool]

APART_MM = 0.05  # closer than this counts as the same line: a laser's beam is wider
SHORTEST_MM = 0.1  # shorter overlaps are ignored
CELL_MM = 20.0


def once(lines: list[Polyline]) -> list[Polyline]:
    """The same lines as (points, closed), without overlaps with earlier lines; a line with gaps becomes several."""
    burnt = _Burnt()
    found: list[Polyline] = []
    for points, closed in lines:
        pieces = list(pairwise([*points, points[0]] if closed else points))
        left = [burnt.left_of(*piece) for piece in pieces]
        whole = all(parts == [piece] for parts, piece in zip(left, pieces))
        if whole:
            found.append((points, closed))
        else:
            found += [(line, False) for line in _joined([part for parts in left for part in parts])]
        for piece in pieces:
            burnt.add(*piece)
    return found


def overlaps(lines: list[Polyline]) -> list[tuple[Point, Point]]:
    """Every piece that would be burnt twice: (from, to) of the overlap with an earlier line."""
    burnt = _Burnt()
    twice: list[tuple[Point, Point]] = []
    for points, closed in lines:
        pieces = list(pairwise([*points, points[0]] if closed else points))
        twice += [piece for piece in pieces if burnt.left_of(*piece) != [piece]]
        for piece in pieces:
            burnt.add(*piece)
    return twice


def _joined(parts: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Joins consecutive pieces into lines."""
    lines: list[list[Point]] = []
    for one, other in parts:
        if lines and lines[-1][-1] == one:
            lines[-1].append(other)
        else:
            lines.append([one, other])
    return lines


class _Burnt:
    """All pieces so far, by the grid cells near them."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], list[tuple[Point, Point]]] = {}

    def add(self, one: Point, other: Point) -> None:
        for cell in _cells(one, other):
            self.cells.setdefault(cell, []).append(((one[0], one[1]), (other[0], other[1])))

    def left_of(self, one: Point, other: Point) -> list[tuple[Point, Point]]:
        """The parts of a piece that overlap none so far, in order; the whole piece if none of it overlaps."""
        long = math.dist(one, other)
        if long < SHORTEST_MM:
            return [(one, other)]
        way = (other[0] - one[0]) / long, (other[1] - one[1]) / long
        covered = []
        for a, b in {piece for cell in _cells(one, other) for piece in self.cells.get(cell, ())}:
            spots = [((x - one[0]) * way[0] + (y - one[1]) * way[1], (y - one[1]) * way[0] - (x - one[0]) * way[1])
                     for x, y in (a, b)]
            (from_, off), (to, away) = sorted(spots)
            low, high = max(from_, 0.0), min(to, long)
            if high - low > SHORTEST_MM and to > from_:
                # Their distance while they run side by side.
                slope = (away - off) / (to - from_)
                if max(abs(off + (at - from_) * slope) for at in (low, high)) < APART_MM:
                    covered.append((low, high))
        if not covered:
            return [(one, other)]
        parts, at = [], 0.0
        for low, high in [*sorted(covered), (long, long)]:
            if low - at > SHORTEST_MM:
                parts.append((_along(one, other, way, at, long), _along(one, other, way, low, long)))
            at = max(at, high)
        return parts


def _along(one: Point, other: Point, way: Point, at: float, long: float) -> Point:
    if at <= 0:
        return one
    return other if at >= long else (one[0] + way[0] * at, one[1] + way[1] * at)


def _cells(one: Point, other: Point) -> Iterator[tuple[int, int]]:
    """The cells that contain a piece or are near it."""
    lows = [math.floor((min(one[axis], other[axis]) - APART_MM) / CELL_MM) for axis in (0, 1)]
    highs = [math.floor((max(one[axis], other[axis]) + APART_MM) / CELL_MM) for axis in (0, 1)]
    for x in range(lows[0], highs[0] + 1):
        for y in range(lows[1], highs[1] + 1):
            yield x, y
