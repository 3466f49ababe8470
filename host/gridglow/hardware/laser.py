"""``track.svg`` and ``track.dxf``: a track module for a laser cutter, at true scale in mm.

Four layers, each in a colour of its own: HOLES and CUT are cut through (the holes first, while the board still lies
still), ENGRAVE and TEXT are only drawn. Each line is there once, so that nothing is burnt twice, and letters are single
strokes. The DXF is of release 12, which everything reads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

from gridglow.hardware import strokes
from gridglow.hardware.labels import place_labels
from gridglow.hardware.making import Build, Made, made_text
from gridglow.hardware.string_plan import plan_string
from gridglow.tracks.picture import DARK_INK, PAPER, Words, arrow, folds, layers

#: Layers in the order of their work, with their colours in a DXF and in an SVG.
LAYERS = {"TEXT": (7, "#000000"), "ENGRAVE": (5, "#0000ff"), "HOLES": (6, "#ff00ff"), "CUT": (1, "#ff0000")}
CORNER_MM = 12.0  # radius of the board's corners
HAIRLINE_MM = 0.1
SOLID_RATIO = 0.035  # lanes from the border of two lanes to each of the two lines that say: not to be crossed
SAME_MM = 100  # points are the same to a hundredth of a mm

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through points; ``bulge`` of each as a DXF knows it, for arcs to the next point, () where all are straight."""

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


def make(build: Build) -> list[Made]:
    """Both files."""
    items = laser_items(build)
    size = build.drawing["width_mm"], build.drawing["height_mm"]
    name = build.drawing["name"]
    return [made_text("track.svg", write_svg(items, size, name)), ("track.dxf", write_dxf(items, size).encode("ascii"))]


def laser_items(build: Build) -> list[Line | Circle]:
    """All lines and holes, mm from the top left corner of the board, y down."""
    shape = build.drawing
    items: list[Line | Circle] = []
    for label in place_labels(build, pixels=False):
        for stroke in strokes.write(label.text, 0, 0, label.size):
            items.append(Line("TEXT", _turned(stroke, label.x, label.y, label.turn_deg)))
    for text, x, y, size in _words_beside(shape):
        items += [Line("TEXT", stroke) for stroke in strokes.write(text, x, y + size / 2, size)]
    items += [Line("ENGRAVE", points, closed) for points, closed in _engraved(shape)]
    radius = build.board.string.hole_mm / 2
    items += [Circle("HOLES", hole.x, hole.y, radius) for hole in plan_string(build).holes]
    items.append(_board(shape["width_mm"], shape["height_mm"]))
    return items


def _turned(points: list[Point], x: float, y: float, turn_deg: float) -> list[Point]:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def _words_beside(shape: dict) -> list[tuple[str, float, float, float]]:
    """(text, x, y of its middle, size) of what stands beside the road: difficulties, speeds, upgrades."""
    found = []
    for name, marks in layers(shape, PAPER):
        if name in ("corners", "barriers", "indicators"):
            found += [(mark.text, mark.x, mark.y - mark.size * 0.36, mark.size * 0.72) for mark in marks
                      if isinstance(mark, Words)]
    return found


def _engraved(shape: dict) -> list[tuple[list[Point], bool]]:
    """(points, closed) of all lines that are drawn."""
    beside = [space["lane"] > shape["lanes"] and not space["start"] for space in shape["spaces"]]
    rows = [space["polygon"] for space, is_beside in zip(shape["spaces"], beside) if not is_beside]
    roads = [space["polygon"] for space, is_beside in zip(shape["spaces"], beside) if is_beside]
    lines = _once(rows + roads, len(rows))
    for kerb in shape["kerbs"]:
        outer_first = kerb["side"] == "left"
        if any(folds(stripe) for stripe in kerb["stripes"]):
            continue
        for i, stripe in enumerate(kerb["stripes"]):
            half = len(stripe) // 2
            outer, inner = (stripe[:half], stripe[half:][::-1]) if outer_first else (stripe[half:][::-1], stripe[:half])
            last = i == len(kerb["stripes"]) - 1
            lines.append(([inner[0], *outer, inner[-1]] if last else [inner[0], *outer], False))
    lines += [(_beside(line, side * shape["lane_mm"] * SOLID_RATIO), False) for line in shape["solid"] for side in (-1, 1)]
    lines += [(list(points), True) for points in _finish(shape)]
    lines += [(list(barrier["line"]), False) for barrier in shape["barriers"]]
    for deck in shape["overpasses"]:
        lines += [(deck[: len(deck) // 2], False), (deck[len(deck) // 2 :], False)]
    points = arrow(shape)
    return lines + ([(points, True)] if points else [])


def _beside(line: list[Point], away: float) -> list[Point]:
    """A line that runs this far beside another one."""
    out = []
    for i, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        long = math.dist((ax, ay), (bx, by))
        out.append((x - (by - ay) / long * away, y + (bx - ax) / long * away))
    return out


def _finish(shape: dict) -> list[list[Point]]:
    """Every other square of the checks across the line."""
    return [mark.rings[0] for name, marks in layers(shape, PAPER) if name == "finish"
            for mark in marks if mark.fill == DARK_INK]


def _once(polygons: list[list[Point]], above: int) -> list[tuple[list[Point], bool]]:
    """Lines along all borders of these polygons; where two share a piece, it is there once. The first ``above`` of them
    hide what of the others lies below."""
    ways: dict[Point, list[Point]] = {}
    for i, polygon in enumerate(polygons):
        points = [(round(x * SAME_MM) / SAME_MM, round(y * SAME_MM) / SAME_MM) for x, y in polygon]
        for one, other in pairwise([*points, points[0]]):
            middle = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
            if i >= above and any(_holds(row, middle) for row in polygons[:above]):
                continue
            if one != other and other not in ways.setdefault(one, []):
                ways[one].append(other)
                ways.setdefault(other, []).append(one)
    lines = []
    # From crossings first, so that what is left are rings.
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


def _holds(polygon: list[Point], point: Point) -> bool:
    """Whether a point lies in a polygon."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in pairwise([*polygon, polygon[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _straightest(before: Point | None, here: Point, ways: list[Point]) -> Point:
    if before is None:
        return min(ways)
    came = math.atan2(here[1] - before[1], here[0] - before[0])
    return min(ways, key=lambda point: (
        abs(math.remainder(math.atan2(point[1] - here[1], point[0] - here[0]) - came, math.tau)), point))


def _board(width: float, height: float) -> Line:
    """The outline of the board, its corners round: quarter circles have a bulge of tan(90°/4)."""
    r = CORNER_MM
    points = [(r, 0), (width - r, 0), (width, r), (width, height - r), (width - r, height), (r, height), (0, height - r),
              (0, r)]
    return Line("CUT", points, True, (0.0, math.tan(math.pi / 8)) * 4)


# SVG


def write_svg(items: list[Line | Circle], size: Point, name: str) -> str:
    """An SVG in which a user unit is a mm, with a group for each layer."""
    width, height = size
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
             f'viewBox="0 0 {width:g} {height:g}">', f"<title>{escape(name)}</title>"]
    for layer, (_, colour) in LAYERS.items():
        parts.append(f'<g id="{layer}" fill="none" stroke="{colour}" stroke-width="{HAIRLINE_MM}">')
        for item in items:
            if item.layer != layer:
                continue
            if isinstance(item, Circle):
                parts.append(f'<circle cx="{item.x:.3f}" cy="{item.y:.3f}" r="{item.radius:.3f}"/>')
            else:
                parts.append(f'<path d="{_path(item)}"/>')
        parts.append("</g>")
    return "\n".join(parts) + "\n</svg>\n"


def _path(line: Line) -> str:
    out = [f"M{line.points[0][0]:.3f} {line.points[0][1]:.3f}"]
    ends = line.points[1:] + (line.points[:1] if line.closed else [])
    for i, ((x0, y0), (x, y)) in enumerate(zip(line.points, ends)):
        bulge = line.bulges[i] if line.bulges else 0.0
        if bulge:
            radius = math.dist((x0, y0), (x, y)) * (1 + bulge**2) / (4 * abs(bulge))
            out.append(f"A{radius:.3f} {radius:.3f} 0 0 {1 if bulge > 0 else 0} {x:.3f} {y:.3f}")
        else:
            out.append(f"L{x:.3f} {y:.3f}")
    return "".join(out) + ("Z" if line.closed else "")


# DXF


def write_dxf(items: list[Line | Circle], size: Point) -> str:
    """A DXF of release 12 in mm, y up from the lower left corner of the board."""
    width, height = size
    tags: list[tuple[int, object]] = [
        (0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4), (9, "$MEASUREMENT"),
        (70, 1), (9, "$EXTMIN"), (10, 0.0), (20, 0.0), (30, 0.0), (9, "$EXTMAX"), (10, width), (20, height), (30, 0.0),
        (0, "ENDSEC"),
        (0, "SECTION"), (2, "TABLES"),
        (0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"), (72, 65), (73, 0),
        (40, 0.0), (0, "ENDTAB"),
        (0, "TABLE"), (2, "LAYER"), (70, len(LAYERS) + 1),
    ]
    for name, colour in [("0", 7), *((name, colour) for name, (colour, _) in LAYERS.items())]:
        tags += [(0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS")]
    tags += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "BLOCKS"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for layer in LAYERS:
        for item in items:
            if item.layer == layer:
                tags += _entity(item, height)
    tags += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3d}\n{_value(value)}\n" for code, value in tags)


def _entity(item: Line | Circle, height: float) -> list[tuple[int, object]]:
    if isinstance(item, Circle):
        return [(0, "CIRCLE"), (8, item.layer), (10, item.x), (20, height - item.y), (30, 0.0), (40, item.radius)]
    tags: list[tuple[int, object]] = [
        (0, "POLYLINE"), (8, item.layer), (66, 1), (10, 0.0), (20, 0.0), (30, 0.0), (70, 1 if item.closed else 0)]
    for i, (x, y) in enumerate(item.points):
        tags += [(0, "VERTEX"), (8, item.layer), (10, x), (20, height - y), (30, 0.0)]
        if item.bulges and item.bulges[i]:
            tags.append((42, -item.bulges[i]))  # what turns right with y down turns left with y up
    return [*tags, (0, "SEQEND"), (8, item.layer)]


def _value(value: object) -> str:
    return f"{round(value, 3) + 0.0:.3f}" if isinstance(value, float) else str(value)
