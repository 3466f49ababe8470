"""``laser/panel_N.svg`` and ``.dxf``: a track module in panels that fit a laser cutter's bed, and ``laser/map.svg``,
which shows where each goes. Made if the bed is given (``--bed``).

Seams run beside holes and words where possible. Along each, dovetails join one panel to the other, so no strip has to be
glued behind a seam, where the pixels are. A hole that a seam does cut is cut in both panels.
"""

from __future__ import annotations

import math
from dataclasses import replace

from gridglow.hardware import strokes, tiling
from gridglow.hardware.hiding import Cover, cut_outside
from gridglow.hardware.labels import middle_of, place_labels, wide
from gridglow.hardware.laser import write_dxf, write_svg
from gridglow.hardware.laser_art import CORNER_MM, Circle, Line, Point, laser_items
from gridglow.hardware.making import Build, Made, made_text
from gridglow.hardware.string_plan import plan_string

NECK_MM, HEAD_MM, DEEP_MM = 10.0, 16.0, 8.0  # the dovetail's measures
KEY_EACH_MM = 70.0  # about one dovetail per this length of seam
END_MM = 6.0  # least distance from a dovetail to the end of a seam
HOLE_RIM_MM = 2.0  # from a hole to a seam or a dovetail
CIRCLE_STEPS = 64

Seam = tuple[float, float, float, float]


def make(build: Build) -> list[Made]:
    """The panels and their map; nothing without a bed."""
    if build.bed_mm is None:
        return []
    items = laser_items(build)
    made = []
    outlines = panel_outlines(build)
    for number, outline in enumerate(outlines, 1):
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        left, top = min(xs), min(ys)
        size = max(xs) - left, max(ys) - top
        inside = [_moved(item, -left, -top) for item in _clipped(items, outline)]
        name = f"{build.drawing['name']}, panel {number} of {len(outlines)}"
        made.append(made_text(f"laser/panel_{number}.svg", write_svg(inside, size, name)))
        made.append((f"laser/panel_{number}.dxf", write_dxf(inside, size).encode("ascii")))
    size = build.drawing["width_mm"], build.drawing["height_mm"]
    return [made_text("laser/map.svg", write_svg(_map(outlines), size, f"{build.drawing['name']}, panels")), *made]


def panel_outlines(build: Build) -> list[list[Point]]:
    """The border of each panel, with its dovetails, clockwise from its upper left corner."""
    assert build.bed_mm is not None
    found = [_panels(build, bed) for bed in (build.bed_mm, build.bed_mm[::-1])]
    boxes, seams, _ = min(found, key=lambda one: (sum(map(len, one[0])), round(one[2], 3)))
    keys = {seam: _keys(build, seam, seams) for seam in seams}
    size = build.drawing["width_mm"], build.drawing["height_mm"]
    return [_outline(box, keys, size) for band in boxes for box in band]


def _panels(build: Build, bed: Point) -> tuple[list[list[tiling.Box]], list[Seam], float]:
    """Bands of panels, their seams, and the cost of these, for a bed in this orientation."""
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    around = build.board.string.hole_mm / 2 + HOLE_RIM_MM
    holes = [(hole.x, hole.y) for hole in plan_string(build).holes]
    words = [(*middle_of(label), wide(label.text, label.size) / 2) for label in place_labels(build, pixels=False)]
    spared = [(x, y, around, "hole") for x, y in holes] + [(x, y, half, "mark") for x, y, half in words]
    # A dovetail needs room on the bed, like a tab on paper.
    bands, cost = tiling.cover([(0.0, height, "edge"), *((y - half, y + half, kind) for _, y, half, kind in spared)],
                               bed[1] - tiling.TAB_MM)
    boxes = []
    for top, bottom in bands:
        here = [(x - half, x + half, kind) for x, y, half, kind in spared if top - half < y < bottom + half]
        spans, more = tiling.cover([(0.0, width, "edge"), *here], bed[0] - tiling.TAB_MM)
        cost += more
        boxes.append([(left, top, right, bottom) for left, right in spans])
    return boxes, tiling.seams_of(boxes), cost


def _keys(build: Build, seam: Seam, seams: list[Seam]) -> list[float]:
    """The positions along a seam of its dovetails' middles: clear of holes, of its ends, and of other seams."""
    x0, y0, x1, y1 = seam
    upright = x0 == x1
    long = y1 - y0 if upright else x1 - x0
    radius = build.board.string.hole_mm / 2 + HOLE_RIM_MM
    # Along the seam and away from it, to the side where dovetails stick out.
    holes = [(hole.y - y0, hole.x - x0) if upright else (hole.x - x0, hole.y - y0) for hole in plan_string(build).holes]
    near = [along for along, away in holes if -radius < away < DEEP_MM + radius]
    # Other seams end at this one.
    ends = [end[1] - y0 if upright else end[0] - x0 for other in seams if other != seam
            for end in (other[:2], other[2:]) if (end[0] == x0 if upright else end[1] == y0)]
    least = HEAD_MM / 2 + END_MM
    free = [at for at in range(int(long) + 1) if least <= at <= long - least
            and all(abs(at - along) > HEAD_MM / 2 + radius for along in near)
            and all(abs(at - end) > least for end in ends)]
    count = max(1, round(long / KEY_EACH_MM))
    taken: list[float] = []
    for index in range(count):
        wish = long * (index + 0.5) / count
        fits = [at for at in free if all(abs(at - other) > HEAD_MM + END_MM for other in taken)]
        best = min(fits, key=lambda at: (abs(at - wish), at), default=None)
        if best is not None and abs(best - wish) <= long / count / 2:
            taken.append(float(best))
    return sorted(taken)


def _outline(box: tiling.Box, keys: dict[Seam, list[float]], size: Point) -> list[Point]:
    left, top, right, bottom = box

    def along(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
        """The dovetails of all seams on a side that runs to the right or down."""
        points: list[Point] = []
        on = [seam for seam in keys if seam[0] >= x0 and seam[1] >= y0 and seam[2] <= x1 and seam[3] <= y1]
        for seam in sorted(on):
            for at in keys[seam]:
                for way, away in ((-NECK_MM, 0), (-HEAD_MM, DEEP_MM), (HEAD_MM, DEEP_MM), (NECK_MM, 0)):
                    along = at + way / 2
                    points.append((seam[0] + away, seam[1] + along) if x0 == x1 else (seam[0] + along, seam[1] + away))
        return points

    return [*_corner(left, top, size, 2), *along(left, top, right, top), *_corner(right, top, size, 3),
            *along(right, top, right, bottom), *_corner(right, bottom, size, 0),
            *along(left, bottom, right, bottom)[::-1], *_corner(left, bottom, size, 1),
            *along(left, top, left, bottom)[::-1]]


def _corner(x: float, y: float, size: Point, quarter: int) -> list[Point]:
    """A corner of a panel, rounded if it is the board's; ``quarter`` is the quarter turn where it begins."""
    if x not in (0, size[0]) or y not in (0, size[1]):
        return [(x, y)]
    middle_x, middle_y = x + (CORNER_MM if x == 0 else -CORNER_MM), y + (CORNER_MM if y == 0 else -CORNER_MM)
    turns = [math.pi / 2 * (quarter + step / 8) for step in range(9)]
    return [(middle_x + CORNER_MM * math.cos(turn), middle_y + CORNER_MM * math.sin(turn)) for turn in turns]


def _clipped(items: list[Line | Circle], outline: list[Point]) -> list[Line | Circle]:
    """The parts of the board's lines inside a panel, and the panel's own outline."""
    panel = Cover(outline)
    found: list[Line | Circle] = []
    for item in items:
        if item.layer == "CUT":
            continue
        if isinstance(item, Circle):
            box = item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius
            if not panel.is_crossed(box):
                found += [item] if panel.holds((item.x, item.y)) else []
                continue
            ring = [(item.x + item.radius * math.cos(i * math.tau / CIRCLE_STEPS),
                     item.y + item.radius * math.sin(i * math.tau / CIRCLE_STEPS)) for i in range(CIRCLE_STEPS)]
            parts = cut_outside([(ring, True)], panel)
            whole = parts == [(ring, True)]
            found += [item] if whole else [Line(item.layer, points, closed) for points, closed in parts]
        else:
            parts = cut_outside([(item.points, item.closed)], panel)
            found += [Line(item.layer, points, closed) for points, closed in parts]
    return [*found, Line("CUT", outline, True)]


def _moved(item: Line | Circle, x: float, y: float) -> Line | Circle:
    if isinstance(item, Circle):
        return replace(item, x=item.x + x, y=item.y + y)
    return replace(item, points=[(a + x, b + y) for a, b in item.points])


def _map(outlines: list[list[Point]]) -> list[Line | Circle]:
    """All panels with their numbers; nothing of it is for cutting."""
    found: list[Line | Circle] = [Line("ENGRAVE", outline, True) for outline in outlines]
    for number, outline in enumerate(outlines, 1):
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        found += [Line("TEXT", stroke) for stroke in strokes.write(str(number), middle[0], middle[1] + 15, 30)]
    return found
