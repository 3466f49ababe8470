"""How a drawing is divided into sheets of paper: as few as possible, none of them empty, seams beside holes and along the
borders of spaces where possible.

The drawing is divided into bands first, and each band into sheets by itself, so seams of neighbouring bands needn't meet.
Lengths are mm on the board, y down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PAGES_MM = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
MARGIN_MM = 10.0  # for the printer's white edge and the crop marks
TAB_MM = 10.0  # glue tab at the right and at the bottom
STEP_MM = 4.0  # seams are tried at this distance, and at the borders of everything drawn
TOUCH_MM = 0.3  # a seam that cuts off no more than this cuts nothing
HOLE_COST, MARK_COST, SPACE_COST = 80.0, 8.0, 2.0
EVEN_COST, SLIM_COST, SLIM = 3.0, 120.0, 0.25  # sheets of similar size are nicer; a quarter sheet is a waste

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Thing:
    """Something drawn that a seam should avoid: its box, and its kind ("hole", "space", "mark", or "edge" for what
    may be cut)."""

    box: Box
    kind: str


@dataclass(frozen=True)
class Sheet:
    """A sheet: its visible part of the board. With ``right`` and ``below`` another one goes on its tab there,
    with ``left`` and ``above`` it goes on another's tab and is cut off along the line."""

    number: int
    box: Box
    left: bool
    above: bool
    right: bool
    below: bool


@dataclass(frozen=True)
class Tiling:
    """``page_mm`` is the paper in its orientation; ``seams`` are the lines where two sheets meet, as boxes of no width."""

    page_mm: tuple[float, float]
    sheets: list[Sheet]
    seams: list[Box]
    cost: float


def cut(things: Sequence[Thing], paper: str) -> Tiling:
    """The sheets for all these things, landscape or portrait: whichever needs fewer sheets, then cuts less."""
    wide, high = sorted(PAGES_MM[paper])
    found = [_cut(things, page) for page in ((high, wide), (wide, high))]
    return min(found, key=lambda one: (len(one.sheets), round(one.cost, 3)))


def _cut(things: Sequence[Thing], page: tuple[float, float]) -> Tiling:
    most = [side - 2 * MARGIN_MM - TAB_MM for side in page]
    strips = _Strips(things, most[0])
    bands, cost = cover([(one.box[1], one.box[3], one.kind) for one in things], most[1], strips.sheets)
    boxes: list[list[Box]] = []
    for top, bottom in bands:
        here = [one for one in things if one.box[1] < bottom - 1e-6 and one.box[3] > top + 1e-6]
        spans, more = cover([(one.box[0], one.box[2], one.kind) for one in here], most[0])
        cost += more
        boxes.append([(left, top, right, bottom) for left, right in spans])
    seams = seams_of(boxes)
    sheets = []
    for box in (box for band in boxes for box in band):
        left, top, right, bottom = box
        sheets.append(Sheet(
            len(sheets) + 1, box,
            left=any(seam[0] == seam[2] == left and seam[1] == top for seam in seams),
            right=any(seam[0] == seam[2] == right and seam[1] == top for seam in seams),
            above=any(seam[1] == seam[3] == top and left <= seam[0] < seam[2] <= right for seam in seams),
            below=any(seam[1] == seam[3] == bottom and left <= seam[0] < seam[2] <= right for seam in seams),
        ))
    return Tiling(page, sheets, seams, cost)


def seams_of(boxes: list[list[Box]]) -> list[Box]:
    """The lines along which the boxes of bands meet."""
    seams: list[Box] = []
    for band, after in zip(boxes, [*boxes[1:], []]):
        for one, other in zip(band, band[1:]):
            if one[2] == other[0]:
                seams.append((one[2], one[1], one[2], one[3]))
        for one in band:
            for other in after:
                left, right = max(one[0], other[0]), min(one[2], other[2])
                if one[3] == other[1] and right - left > 1:
                    seams.append((left, one[3], right, one[3]))
    return seams


class _Strips:
    """Where something is drawn, in strips of the board; says how many sheets a band needs side by side."""

    def __init__(self, things: Sequence[Thing], most: float):
        self.left = min(one.box[0] for one in things)
        self.top = min(one.box[1] for one in things)
        self.cells, self.last = int(most / STEP_MM), int((most + TAB_MM) / STEP_MM)
        self.strips: dict[int, int] = {}
        for one in things:
            left, right = (int((x - self.left) / STEP_MM) for x in (one.box[0], one.box[2]))
            for strip in range(int((one.box[1] - self.top) / STEP_MM), int((one.box[3] - self.top) / STEP_MM) + 1):
                self.strips[strip] = self.strips.get(strip, 0) | (1 << (right + 1)) - (1 << left)

    def sheets(self, low: float, high: float) -> int:
        taken = 0
        for strip in range(int((low - self.top) / STEP_MM), int((high - self.top - 1e-6) / STEP_MM) + 1):
            taken |= self.strips.get(strip, 0)
        count = 0
        while taken:
            lowest = (taken & -taken).bit_length() - 1
            rest = taken >> lowest
            taken = 0 if rest.bit_length() <= self.last else rest >> self.cells << self.cells
            count += 1
        return count


def cover(spans: list[tuple[float, float, str]], most: float, sheets: Callable[[float, float], int] = lambda low, high: 1
          ) -> tuple[list[tuple[float, float]], float]:
    """Pieces of at most this length that cover all spans along one side, with as few sheets as possible, cut where it costs
    least; and the cost."""
    merged = _merge(spans)
    starts = [low for low, _ in merged]
    cuttable = sorted(one for one in spans if one[2] != "edge")
    points, costs = _points(spans, merged, cuttable, most)

    def onward(point: float) -> float | None:
        """Where the next piece begins if everything is covered up to here; None at the end."""
        at = bisect_right(starts, point) - 1
        if at >= 0 and point < merged[at][1]:
            return point
        return starts[at + 1] if at + 1 < len(starts) else None

    best: dict[float | None, tuple[int, float, float]] = {None: (0, 0.0, 0.0)}
    for point in reversed(points):
        if onward(point) != point:
            continue
        choices = []
        # Where nothing follows there is no tab, so the paper holds more.
        for end in points[bisect_right(points, point) : bisect_right(points, point + most + TAB_MM)]:
            after = onward(end)
            if after in best and (end <= point + most or after != end):
                pieces, cost, _ = best[after]
                part = (end - point) / most
                shape = EVEN_COST * part**2 + (SLIM_COST if part < SLIM else 0)
                choices.append((pieces + sheets(point, end), cost + costs[end] + shape, end))
        if choices:
            best[point] = min(choices)
    pieces, at = [], onward(points[0])
    cost = best[at][1]
    while at is not None:
        end = best[at][2]
        pieces.append((at, end))
        at = onward(end)
    return pieces, cost


def _points(spans: list, merged: list, cuttable: list, most: float) -> tuple[list[float], dict[float, float]]:
    """Possible places for seams, with their costs: the best place in every few millimetres, and where full sheets end."""
    ends = {edge for piece in merged for edge in piece}
    full = {round(low + most * count, 3) for low, high in merged for count in range(1, int((high - low) / most) + 1)}
    tried = {round(low + step * STEP_MM, 3) for low, high in merged for step in range(int((high - low) / STEP_MM) + 1)}
    tried |= {round(edge, 3) for low, high, kind in spans for edge in (low, high) if kind != "edge"}
    costs = _costs(cuttable, tried | ends | full) | dict.fromkeys(ends, 0.0)
    cells: dict[int, float] = {}
    for point in sorted(costs):
        cell = int(point / STEP_MM)
        if cell not in cells or costs[point] < costs[cells[cell]]:
            cells[cell] = point
    return sorted(ends | full | set(cells.values())), costs


def _merge(spans: list[tuple[float, float, str]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for low, high, _ in sorted((round(low, 3), round(high, 3), kind) for low, high, kind in spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _costs(spans: list[tuple[float, float, str]], points: set[float]) -> dict[float, float]:
    """What a seam at each of these points cuts; the spans are sorted."""
    costs: dict[float, float] = {}
    begun, here = 0, []
    for point in sorted(points):
        while begun < len(spans) and spans[begun][0] < point:
            here.append(spans[begun])
            begun += 1
        here = [span for span in here if span[1] > point]
        cost = 0.0
        for low, high, kind in here:
            depth = min(point - low, high - point)
            if depth > TOUCH_MM:
                cost += HOLE_COST if kind == "hole" else MARK_COST if kind == "mark" else SPACE_COST + depth
        costs[point] = cost
    return costs
