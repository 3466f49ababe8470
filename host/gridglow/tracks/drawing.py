"""A track laid out on its board: every space, road, kerb and border as a shape in mm, once pitch and rotation are known.

Places are given by their distance along the way (in rows from the line) and how far left of its middle they are.
Coordinates returned from this file are mm from the board's top left corner, x to the right, y down; headings are degrees
clockwise from "to the right", as in SVG and CSS.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gridglow.tracks.course import start_places
from gridglow.tracks.loop import Line, Point
from gridglow.tracks.roads import RoadLine
from gridglow.tracks.source import TrackSource

KERB_RATIO = 0.22  # kerb width over lane width
INDICATOR_RATIO = 0.5  # from the border of the road to the middle of a red number, in lanes
DECK_HALF = 0.2  # half of the length of road under an overpass, in pitches
DECK_BEYOND = 0.7  # how far it is drawn beyond the borders, in lanes


@dataclass(frozen=True)
class SpaceShape:
    """A space on the board: its outline (mm), its centre (mm) and the heading of a car on it (degrees)."""

    polygon: list[Point]
    centre: Point
    heading_deg: float


@dataclass(frozen=True)
class Kerb:
    """The kerb along one side of a corner: stripes in two alternating colours."""

    section: int
    side: str
    stripes: list[list[Point]]


@dataclass(frozen=True)
class Geometry:
    """A track laid out on its board; all lengths in mm. ``left_edge`` and ``right_edge`` are the asphalt's
    borders in driving direction, ``spaces`` is in the order of the rules' numbers, ``rows`` holds (middle,
    heading) per row, ``size_mm`` is the area of the drawing with its kerbs, ``board_mm`` the board in the
    orientation used; ``roads`` holds the outline of each road beside the rows, the start card last; ``solid`` the lines
    between lanes that may not be crossed; ``barriers`` (left point, right point) of each speed barrier,
    ``indicators`` (point, section) of each red number, ``overpasses`` the deck of each road that crosses above this one."""

    pitch_mm: float
    lane_mm: float
    board_mm: tuple[float, float]
    size_mm: tuple[float, float]
    angles_deg: list[float]
    correction_deg: float
    gap_mm: float
    spaces: list[SpaceShape]
    rows: list[tuple[Point, float]]
    left_edge: list[Point]
    right_edge: list[Point]
    centre_line: list[Point]
    finish: tuple[Point, Point]
    kerbs: list[Kerb]
    section_middles: list[tuple[Point, float]]
    roads: list[list[Point]]
    solid: list[list[Point]]
    barriers: list[tuple[Point, Point]]
    indicators: list[tuple[Point, int]]
    overpasses: list[list[Point]]


def extent(points: list[Point], turn: float) -> tuple[float, float, float, float]:
    """(least x, least y, width, height) of these points after rotation."""
    cos, sin = math.cos(turn), math.sin(turn)
    xs = [x * cos - y * sin for x, y in points]
    ys = [x * sin + y * cos for x, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def start_place(source: TrackSource, line: Line, row: int, lane_of: int, lane: float) -> tuple[float, float]:
    """(distance from the line, distance to the left) of the middle of a start card's space. On a loop, whose last
    rows are where the card would be, the card is shifted aside."""
    aside = (source.lanes + 0.5) * (1 if sum(line.angles) < 0 else -1) if source.closed else 0.0
    wide = source.row_lanes()[0][1]
    left = source.lanes / 2 if source.left_aligned else wide / 2
    return -row - 0.5, (left - lane_of - 0.5 + aside) * lane


class Drawing:
    """`points` are those that must be on the board, for a pitch of 1; `pitch` and `lane` are mm, `turn` radians."""

    def __init__(self, source: TrackSource, line: Line, roads: list[RoadLine], points: list[Point], pitch: float,
                 lane: float, turn: float, board_mm: tuple[float, float]) -> None:
        self._source, self._line, self._roads = source, line, roads
        self._pitch, self._lane, self._turn = pitch, lane, turn
        self._board_mm = (float(board_mm[0]), float(board_mm[1]))
        self._half = source.lanes * lane / 2
        self._kerb = lane * KERB_RATIO
        self._cos, self._sin = math.cos(turn), math.sin(turn)
        least_x, least_y, width, height = extent(points, turn)
        outer = (self._half + self._kerb) / pitch
        self._size = ((width + 2 * outer) * pitch, (height + 2 * outer) * pitch)
        self._shift_x = (board_mm[0] - width * pitch) / 2 - least_x * pitch
        self._shift_y = (board_mm[1] + height * pitch) / 2 + least_y * pitch
        self._across = source.row_lanes()
        self._reach = _inner_reach(source)
        self._widths = [self._half if self._reach.get(row) else count * lane / 2
                        for row, (_, count) in enumerate(self._across)]
        # How far left of the road's middle the middle of each row is.
        self._shifts = [self._half - wide if source.left_aligned else 0.0 for wide in self._widths]

    def geometry(self) -> Geometry:
        """The whole geometry."""
        source, line = self._source, self._line
        rows = line.length
        kerbs, middles, indicators = self._along_sections()
        border = self._border()
        along = [d for row in range(rows) for d in self._steps(row, row + 1)[:-1]] + [float(rows)]
        return Geometry(
            pitch_mm=self._pitch,
            lane_mm=self._lane,
            board_mm=self._board_mm,
            size_mm=self._size,
            angles_deg=[math.degrees(angle) for angle in line.angles],
            correction_deg=line.correction_deg,
            gap_mm=line.gap * self._pitch,
            spaces=[*self._row_spaces(), *self._road_spaces(), *self._start_spaces()],
            rows=[(self._point(row + 0.5, self._shifts[row]), self._heading_deg(row + 0.5)) for row in range(rows)],
            left_edge=[self._point(d, shift + wide) for d, wide, shift in border],
            right_edge=[self._point(d, shift - wide) for d, wide, shift in border],
            centre_line=[self._point(d) for d in along],
            finish=self._finish(),
            kerbs=kerbs,
            section_middles=middles,
            roads=self._outlines(),
            solid=[[self._point(d) for row in range(first, last) for d in self._steps(row, row + 1)[:-1]]
                   + [self._point(last)] for first, last in _solid_lines(source)],
            barriers=[self._across_behind(row) for row, _ in source.barriers],
            indicators=indicators,
            overpasses=[self._deck(row) for row in source.overpasses],
        )

    # Places

    def _point(self, distance: float, left_mm: float = 0.0, way: Line | RoadLine | None = None) -> Point:
        """The point (mm on the board) at this distance (rows from the line) and this far left of the middle of its way."""
        x, y, heading = (way or self._line).at(distance)
        x = x * self._pitch - left_mm * math.sin(heading)
        y = y * self._pitch + left_mm * math.cos(heading)
        return self._shift_x + x * self._cos - y * self._sin, self._shift_y - (x * self._sin + y * self._cos)

    def _heading_deg(self, distance: float, way: Line | RoadLine | None = None) -> float:
        return (-math.degrees((way or self._line).at(distance)[2] + self._turn)) % 360

    def _steps(self, first: float, last: float) -> list[float]:
        """Distances close enough together for arcs to look round: every 3 degrees or so."""
        bend = abs(self._line.at(last)[2] - self._line.at(first)[2])
        pieces = max(1, math.ceil(math.degrees(bend) / 3))
        return [first + (last - first) * i / pieces for i in range(pieces + 1)]

    def _strip(self, first: float, last: float, left_mm: float, right_mm: float) -> list[Point]:
        """A stretch of road between two distances from the middle."""
        return self._band(self._steps(first, last), left_mm, right_mm)

    def _band(self, along: list[float], left_mm: float, right_mm: float, way: RoadLine | None = None) -> list[Point]:
        return [self._point(d, left_mm, way) for d in along] + [self._point(d, right_mm, way) for d in reversed(along)]

    # Spaces and roads

    def _row_spaces(self) -> list[SpaceShape]:
        lane, shapes = self._lane, []
        for row, (low, count) in enumerate(self._across):
            inner, first, last = self._reach.get(row, (0, 0.0, 0.0))
            for at in range(low, low + count):
                begin, end = (first, last) if at == inner else (row, row + 1)
                edge = self._shifts[row] + self._widths[row] - (at - (1 if row in self._reach else low)) * lane
                middle = (begin + end) / 2
                shapes.append(SpaceShape(self._strip(begin, end, edge, edge - lane), self._point(middle, edge - lane / 2),
                                         self._heading_deg(middle)))
        return shapes

    def _road_spaces(self) -> list[SpaceShape]:
        shapes = []
        for road in self._roads:
            for i in range(road.road.spaces):
                first, last = road.space(i)
                along = [first + (last - first) * k / 8 for k in range(9)]
                middle = (first + last) / 2
                shapes.append(SpaceShape(self._band(along, self._lane / 2, -self._lane / 2, road),
                                         self._point(middle, 0.0, road), self._heading_deg(middle, road)))
        return shapes

    def _start_spaces(self) -> list[SpaceShape]:
        """The spaces of the start card."""
        shapes = []
        for row, at in start_places(self._source):
            along, left = start_place(self._source, self._line, row, at, self._lane)
            half = self._lane / 2
            corners = [self._point(along + x / 2, left + y * half) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
            shapes.append(SpaceShape(corners, self._point(along, left), self._heading_deg(0)))
        return shapes

    def _outlines(self) -> list[list[Point]]:
        """The outline of each road beside the rows, the start card last."""
        outlines = []
        for road in self._roads:
            along = [road.before + road.long * k / 8 for k in range(8 * road.road.spaces + 1)]
            outlines.append(self._band(along, self._lane / 2, -self._lane / 2, road))
        rows = self._source.start_rows
        if rows:
            left = start_place(self._source, self._line, 0, 0, self._lane)[1] + self._lane / 2
            right = left - self._across[0][1] * self._lane
            outlines.append([self._point(0, left), self._point(0, right), self._point(-rows, right),
                             self._point(-rows, left)])
        return outlines

    # Along the road and across it

    def _along_sections(self) -> tuple[list[Kerb], list[tuple[Point, float]], list[tuple[Point, int]]]:
        """(kerbs, the middle of each section, red numbers)."""
        kerbs, middles, indicators, done = [], [], [], 0
        for i, section in enumerate(self._source.sections):
            wide, shift = self._widths[done], self._shifts[done]
            middle = done + section.rows / 2
            middles.append((self._point(middle, shift), self._heading_deg(middle)))
            if section.upgrades:
                outer = 1 if section.turn == "right" else -1
                indicators.append((self._point(middle, shift + outer * (wide + self._lane * INDICATOR_RATIO)), i))
            if section.kind == "corner":
                left, right = shift + wide, shift - wide
                for side, inner, rim in (("left", left, left + self._kerb), ("right", right - self._kerb, right)):
                    stripes = [self._strip(done + n / 2, done + (n + 1) / 2, rim, inner) for n in range(2 * section.rows)]
                    kerbs.append(Kerb(i, side, stripes))
            done += section.rows
        return kerbs, middles, indicators

    def _border(self) -> list[tuple[float, float, float]]:
        """(distance, half width, shift) along the road. A narrow row has its own borders, with a step at each end."""
        rows = self._line.length
        even = len(set(self._widths)) == 1
        border = [(d, self._widths[row], self._shifts[row]) for row in range(rows)
                  for d in self._steps(row, row + 1)[: -1 if even else None]]
        return border + ([(float(rows), self._widths[-1], self._shifts[-1])] if even else [])

    def _finish(self) -> tuple[Point, Point]:
        """The finish line: a loop's is at its start, a road's after its last row if it has a start card, else before it."""
        source, rows = self._source, self._line.length
        if source.closed or not source.start_rows:
            at = 0 if source.closed else rows - 1
            return self._point(at, self._half), self._point(at, -self._half)
        return self._across_behind(rows)

    def _across_behind(self, row: int) -> tuple[Point, Point]:
        """(left, right) border of the road after this many rows."""
        wide, shift = self._widths[row - 1], self._shifts[row - 1]
        return self._point(row, shift + wide), self._point(row, shift - wide)

    def _deck(self, row: int) -> list[Point]:
        """The deck of an overpass above the line behind a row: left border, then right border back."""
        wide, shift, beyond = self._widths[row - 1], self._shifts[row - 1], self._lane * DECK_BEYOND
        left, right = shift + wide + beyond, shift - wide - beyond
        return [self._point(row - DECK_HALF, left), self._point(row - DECK_HALF, right),
                self._point(row + DECK_HALF, right), self._point(row + DECK_HALF, left)]


def _inner_reach(source: TrackSource) -> dict[int, tuple[int, float, float]]:
    """For each row of a turn with a shorter inner lane: (inner lane, start and end of its inner space, in rows from
    the line, if it has one)."""
    found = {}
    done = 0
    for section in source.sections:
        if section.inner:
            lane = 1 if section.turn == "left" else 2
            ends = [done + section.rows * part / section.inner for part in range(section.rows + 1)]
            found.update({done + at: (lane, ends[at], ends[at + 1]) for at in range(section.rows)})
        done += section.rows
    return found


def _solid_lines(source: TrackSource) -> list[tuple[int, int]]:
    """(row behind which it begins, row at whose end it ends) of each line between lanes that may not be crossed: those in
    turns with a shorter inner lane."""
    found, done = [], 0
    for section in source.sections:
        if section.inner:
            found.append((done, done + section.rows))
        done += section.rows
    return found
