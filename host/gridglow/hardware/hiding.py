"""Which parts of a line are visible with shapes on top of it: a laser draws only those."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Box = tuple[float, float, float, float]
LEAST_MM = 0.05  # shorter pieces are dropped


class Cover:
    """A shape that hides what is below it, given by its border."""

    def __init__(self, border: Sequence[Sequence[float]]):
        self.border: list[Point] = [(x, y) for x, y in border]
        xs, ys = [x for x, _ in self.border], [y for _, y in self.border]
        self.box: Box = (min(xs), min(ys), max(xs), max(ys))

    def meets(self, box: Box) -> bool:
        return self.box[0] < box[2] and self.box[2] > box[0] and self.box[1] < box[3] and self.box[3] > box[1]

    def is_crossed(self, box: Box) -> bool:
        """Whether its border may run through a box: if not, the box is either fully below it or fully outside."""
        left, top, right, bottom = box
        return any(min(ax, bx) <= right and max(ax, bx) >= left and min(ay, by) <= bottom and max(ay, by) >= top
                   for (ax, ay), (bx, by) in pairwise([*self.border, self.border[0]]))

    def holds(self, point: Point) -> bool:
        """Whether a point is below it."""
        x, y = point
        inside = False
        for (ax, ay), (bx, by) in pairwise([*self.border, self.border[0]]):
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                inside = not inside
        return inside

    def crossings(self, one: Point, other: Point) -> list[float]:
        """Where the line from one point (0) to another (1) crosses its border."""
        (x, y), way_x, way_y = one, other[0] - one[0], other[1] - one[1]
        found = []
        for (ax, ay), (bx, by) in pairwise([*self.border, self.border[0]]):
            slope = way_x * (by - ay) - way_y * (bx - ax)
            if slope:
                along = ((ax - x) * (by - ay) - (ay - y) * (bx - ax)) / slope
                across = ((ax - x) * way_y - (ay - y) * way_x) / slope
                if 0 < along < 1 and -1e-9 <= across <= 1 + 1e-9:
                    found.append(along)
        return found


def disc(x: float, y: float, radius: float) -> Cover:
    """A round cover."""
    return Cover([(x + radius * math.cos(i * math.tau / 60), y + radius * math.sin(i * math.tau / 60)) for i in range(60)])


def seen_of(one: Point, other: Point, covers: Sequence[Cover]) -> list[tuple[Point, Point]]:
    """The pieces of a straight line that no cover hides, in order."""
    box = min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])
    near = [cover for cover in covers if cover.meets(box)]
    return _pieces(one, other, near, False)


def _pieces(one: Point, other: Point, near: Sequence[Cover], inside: bool) -> list[tuple[Point, Point]]:
    """The pieces of a line outside all covers, or inside one."""
    cuts = sorted({0.0, 1.0, *(at for cover in near for at in cover.crossings(one, other))})
    way_x, way_y = other[0] - one[0], other[1] - one[1]
    pieces: list[tuple[float, float]] = []
    for begin, end in pairwise(cuts):
        middle = (begin + end) / 2
        if inside != any(cover.holds((one[0] + way_x * middle, one[1] + way_y * middle)) for cover in near):
            continue
        if pieces and pieces[-1][1] == begin:
            pieces[-1] = pieces[-1][0], end
        else:
            pieces.append((begin, end))
    long = math.hypot(way_x, way_y)

    def point(at: float) -> Point:
        return one if at == 0 else other if at == 1 else (one[0] + way_x * at, one[1] + way_y * at)

    return [(point(begin), point(end)) for begin, end in pieces if (end - begin) * long > LEAST_MM]


def cut_away(lines: Sequence[tuple[list[Point], bool]], covers: Sequence[Cover]) -> list[tuple[list[Point], bool]]:
    """The visible parts of lines of (points, closed); those that no cover touches stay as they are."""
    found: list[tuple[list[Point], bool]] = []
    for points, closed in lines:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        near = [cover for cover in covers if cover.meets((min(xs), min(ys), max(xs), max(ys)))]
        found += _cut(points, closed, near, False) if near else [(points, closed)]
    return found


def cut_outside(lines: Sequence[tuple[list[Point], bool]], frame: Cover) -> list[tuple[list[Point], bool]]:
    """The parts of lines of (points, closed) inside a frame."""
    found: list[tuple[list[Point], bool]] = []
    for points, closed in lines:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = min(xs) - LEAST_MM, min(ys) - LEAST_MM, max(xs) + LEAST_MM, max(ys) + LEAST_MM
        if not frame.meets(box):
            continue
        if frame.is_crossed(box):
            found += _cut(points, closed, [frame], True)
        elif frame.holds(points[0]):
            found.append((points, closed))
    return found


def _cut(points: list[Point], closed: bool, covers: Sequence[Cover], inside: bool) -> list[tuple[list[Point], bool]]:
    """A line, cut where covers hide it, or where it leaves them; unchanged if nothing is cut."""
    parts: list[list[Point]] = []
    for one, other in pairwise([*points, points[0]] if closed else points):
        for begin, end in _pieces(one, other, covers, inside):
            if parts and parts[-1][-1] == begin:
                parts[-1].append(end)
            else:
                parts.append([begin, end])
    if len(parts) == 1 and parts[0] == ([*points, points[0]] if closed else points):
        return [(points, closed)]
    if closed and len(parts) > 1 and parts[-1][-1] == parts[0][0]:
        parts[0] = parts.pop() + parts[0][1:]
    return [(part, False) for part in parts]
