"""What a laser cuts and engraves on a track module, as lines and circles in mm, y down.

Five layers, each with its own colour: HOLES and CUT are cut through (the holes first, while the board is still
in one piece), ENGRAVE, SOLID and TEXT are only drawn. SOLID is lines not to be crossed, and speed barriers, for those who
burn these deeper. Each line appears once, so that nothing is burnt twice, nothing is drawn below what covers it, and letters
are single strokes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gridglow.hardware import strokes
from gridglow.hardware.burn_once import once
from gridglow.hardware.hiding import Cover, cut_away, disc, seen_of
from gridglow.hardware.labels import place_labels
from gridglow.hardware.making import Build
from gridglow.hardware.string_plan import plan_string
from gridglow.tracks.picture import (
    CHECKS_A_LANE,
    DARK_INK,
    PAPER,
    Disc,
    Layer,
    Path,
    Words,
    arrow,
    folds,
    layers,
)

#: Layers in working order, with their colours in a DXF and in an SVG.
LAYERS = {"TEXT": (7, "#000000"), "ENGRAVE": (5, "#0000ff"), "SOLID": (3, "#008000"), "HOLES": (6, "#ff00ff"),
          "CUT": (1, "#ff0000")}
CORNER_MM = 12.0  # radius of the board's corners
SOLID_RATIO = 0.035  # lanes from the border between two lanes to each line of the double line
CAPITAL = 0.72  # the height of capitals relative to the font's size
SAME_MM = 100  # points are the same to a hundredth of a mm
SIGNS = ("barriers", "corners", "hills", "indicators")  # layers of the picture with discs beside the road

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through points; ``bulge`` of each as in a DXF, for arcs to the next point, () if all are straight."""

    layer: str
    points: list[Point]
    closed: bool = False
    bulges: tuple[float, ...] = ()


@dataclass(frozen=True)
class Circle:
    """A round hole."""

    layer: str
    x: float
    y: float
    radius: float


def laser_items(build: Build) -> list[Line | Circle]:
    """All lines and holes, mm from the top left corner of the board, y down."""
    shape = build.drawing
    picture = layers(shape, PAPER)
    signs = [mark for name, marks in picture if name in SIGNS for mark in marks]
    discs = [mark for mark in signs if isinstance(mark, Disc)]
    items: list[Line | Circle] = []
    for label in place_labels(build, pixels=False):
        for stroke in strokes.write(label.text, 0, 0, label.size):
            items.append(Line("TEXT", _turned(stroke, label.x, label.y, label.turn_deg)))
    for mark in signs:
        if isinstance(mark, Words):
            items += [Line("TEXT", stroke) for stroke in strokes.write(mark.text, mark.x, mark.y, mark.size * CAPITAL)]
    below = [disc(mark.x, mark.y, mark.radius) for mark in discs] + [Cover(deck) for deck in shape["overpasses"]]
    solid = [*shape["solid"], *(barrier["line"] for barrier in shape["barriers"])]
    lines = {"ENGRAVE": _road(shape), "SOLID": [(_beside(line, side * shape["lane_mm"] * SOLID_RATIO), False)
                                                for line in solid for side in (-1, 1)]}
    for layer, found in lines.items():
        items += [Line(layer, points, closed) for points, closed in cut_away(found, below)]
    above = [Line("ENGRAVE", points, closed) for points, closed in _above(shape, picture)]
    items = burn_once(items + above)
    items += [Circle("ENGRAVE", mark.x, mark.y, mark.radius) for mark in discs]
    radius = build.board.string.hole_mm / 2
    items += [Circle("HOLES", hole.x, hole.y, radius) for hole in plan_string(build).holes]
    items.append(_board(shape["width_mm"], shape["height_mm"]))
    return items


def burn_once(items: list[Line | Circle]) -> list[Line | Circle]:
    """The same, without the parts of engraved lines that overlap earlier ones."""
    engraved = [item for item in items if isinstance(item, Line) and item.layer == "ENGRAVE"]
    rest = [item for item in items if item.layer != "ENGRAVE"]
    left = once([(one.points, one.closed) for one in engraved])
    return rest + [Line("ENGRAVE", points, closed) for points, closed in left]


def _turned(points: list[Point], x: float, y: float, turn_deg: float) -> list[Point]:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def _road(shape: dict) -> list[tuple[list[Point], bool]]:
    """(points, closed) of the borders of spaces, and of kerbs: other things may cover them."""
    beside = [space["lane"] > shape["lanes"] and not space["start"] for space in shape["spaces"]]
    rows = [space["polygon"] for space, is_beside in zip(shape["spaces"], beside) if not is_beside]
    roads = [space["polygon"] for space, is_beside in zip(shape["spaces"], beside) if is_beside]
    kerbs = [kerb for kerb in shape["kerbs"] if not any(folds(stripe) for stripe in kerb["stripes"])]
    lines = _once(rows + roads, len(rows), [stripe for kerb in kerbs for stripe in kerb["stripes"]])
    for kerb in kerbs:
        outer_first = kerb["side"] == "left"
        for i, stripe in enumerate(kerb["stripes"]):
            half = len(stripe) // 2
            outer, inner = (stripe[:half], stripe[half:][::-1]) if outer_first else (stripe[half:][::-1], stripe[:half])
            last = i == len(kerb["stripes"]) - 1
            lines.append(([inner[0], *outer, inner[-1]] if last else [inner[0], *outer], False))
    return cut_away(lines, [_finish_band(shape)]) + _finish(shape)


def _above(shape: dict, picture: list[Layer]) -> list[tuple[list[Point], bool]]:
    """What covers everything else: start positions, hill signs, crossing roads, the arrow."""
    lines: list[tuple[list[Point], bool]] = []
    for name, marks in picture:
        if name in ("grid", "hills"):
            lines += [(list(ring), mark.closed) for mark in marks if isinstance(mark, Path) for ring in mark.rings]
    lines += [(list(deck), True) for deck in shape["overpasses"]]
    points = arrow(shape)
    return lines + ([(points, True)] if points else [])


def _beside(line: list[Point], away: float) -> list[Point]:
    """A line at this distance beside another one."""
    out = []
    for i, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        long = math.dist((ax, ay), (bx, by))
        out.append((x - (by - ay) / long * away, y + (bx - ax) / long * away))
    return out


def _finish(shape: dict) -> list[tuple[list[Point], bool]]:
    """Every second square of the finish line's checks, and the outer sides of the others, where the road ends."""
    squares = [mark for name, marks in layers(shape, PAPER) if name == "finish" for mark in marks if isinstance(mark, Path)]
    last = len(squares) // 2 - 1
    lines: list[tuple[list[Point], bool]] = []
    for i, mark in enumerate(squares):
        ring = list(mark.rings[0])
        if mark.fill == DARK_INK:
            lines.append((ring, True))
        elif i % (last + 1) in (0, last):
            lines.append(([ring[0], ring[3]] if i % (last + 1) == 0 else [ring[1], ring[2]], False))
    return lines


def _finish_band(shape: dict) -> Cover:
    """The area under the checks, and a little more."""
    left, right = shape["finish"]
    long = math.dist(left, right)
    way_x, way_y = (right[0] - left[0]) / long, (right[1] - left[1]) / long
    half, more = long / (CHECKS_A_LANE * shape["lanes"]) + 0.01, long + 0.01
    return Cover([(left[0] + way_x * along + way_y * away, left[1] + way_y * along - way_x * away)
                  for along, away in ((-0.01, -half), (more, -half), (more, half), (-0.01, half))])


def _once(polygons: list[list[Point]], above: int, kerbs: Sequence[list[Point]] = ()) -> list[tuple[list[Point], bool]]:
    """Lines along all borders of these polygons; shared pieces appear once. The first ``above`` of them,
    and kerbs, hide what is below them."""
    covers = [Cover(one) for one in [*polygons[:above], *kerbs]] if above < len(polygons) else []
    ways: dict[Point, list[Point]] = {}
    for i, polygon in enumerate(polygons):
        corners = [_rounded(point) for point in polygon]
        for piece in pairwise([*corners, corners[0]]):
            for ends in [piece] if i < above else seen_of(*piece, covers):
                one, other = map(_rounded, ends)
                if one != other and other not in ways.setdefault(one, []):
                    ways[one].append(other)
                    ways.setdefault(other, []).append(one)
    lines = []
    # Starting at crossings, so that only rings are left.
    for start in sorted(ways, key=lambda point: (len(ways[point]) == 2, point)):
        while ways[start]:
            line = [start]
            while ways[line[-1]]:
                here = line[-1]
                after = _straightest(line[-2] if len(line) > 1 else None, here, ways[here])
                ways[here].remove(after)
                ways[after].remove(here)
                line.append(after)
            closed = len(line) > 3 and line[0] == line[-1]
            lines.append((line[:-1] if closed else line, closed))
    return lines


def _rounded(point: Point) -> Point:
    return round(point[0] * SAME_MM) / SAME_MM, round(point[1] * SAME_MM) / SAME_MM


def _straightest(before: Point | None, here: Point, ways: list[Point]) -> Point:
    if before is None:
        return min(ways)
    came = math.atan2(here[1] - before[1], here[0] - before[0])
    return min(ways, key=lambda point: (
        abs(math.remainder(math.atan2(point[1] - here[1], point[0] - here[0]) - came, math.tau)), point))


def _board(width: float, height: float) -> Line:
    """The outline of the board with rounded corners: quarter circles have a bulge of tan(90°/4)."""
    r = CORNER_MM
    points = [(r, 0), (width - r, 0), (width, r), (width, height - r), (width - r, height), (r, height), (0, height - r),
              (0, r)]
    return Line("CUT", points, True, (0.0, math.tan(math.pi / 8)) * 4)
