"""The drawing of a track in millimetres: lanes offset from the centre line, every space as a shape.

Angles and shape are found for a pitch of 1 (loop.py); then the largest pitch is taken that fits the board, turned on it
where that helps. Coordinates that leave this file are mm from the top left corner of the board, x to the
right, y down; headings are degrees clockwise from "to the right", as SVG and CSS turn things.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gridglow.tracks.course import start_places
from gridglow.tracks.loop import Line, Point, close_loop
from gridglow.tracks.roads import RoadLine, lay_roads
from gridglow.tracks.source import TrackSource
from shared_rules.errors import BadTrack

LANE_RATIO = 0.84  # lane width over pitch, where no width is given
KERB_RATIO = 0.22  # kerb width over lane width
INDICATOR_RATIO = 0.5  # from the border of the road to the middle of a red number, in lanes
DECK_HALF = 0.2  # half of what an overpass covers of a road, in pitches
DECK_BEYOND = 0.7  # how far it is drawn beyond the borders, in lanes
EDGE_MARGIN_MM = 20.0  # free rim of the board: corner signs stand there
NEIGHBOUR_GAP = 0.1  # pitches that must stay free between two stretches, and inside the tightest kerb
NO_BOARD_CM = (60, 80)  # for a layout that names no board
STRAIGHT_WORTH = 0.97  # keep the start straight level if that costs no more than this share of the pitch


@dataclass(frozen=True)
class SpaceShape:
    """A space on the board: its outline (mm), its middle (mm) and where a car on it heads (degrees)."""

    polygon: list[Point]
    centre: Point
    heading_deg: float


@dataclass(frozen=True)
class Kerb:
    """The kerb along one side of a corner: stripes to be painted in two colours by turns."""

    section: int
    side: str
    stripes: list[list[Point]]


@dataclass(frozen=True)
class Geometry:
    """A track laid out on its board; all lengths in mm. ``left_edge`` and ``right_edge`` are the asphalt's
    borders in driving direction, ``spaces`` is in the order of the rules' numbers, ``rows`` holds (middle,
    heading) a row, ``size_mm`` is what the drawing covers with its kerbs, ``board_mm`` the board it lies on
    as it is turned; ``roads`` holds the outline of each road beside the rows, the start card last; ``solid`` the lines
    between lanes that may not be crossed; ``barriers`` (left point, right point) of each speed barrier,
    ``indicators`` (place, section) of each red number, ``overpasses`` the deck of each road that leads over this one."""

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


def can_draw(source: TrackSource) -> bool:
    """Whether every corner wishes an angle."""
    return all(section.kind == "straight" or section.angle for section in source.sections)


def build_geometry(
    source: TrackSource,
    *,
    board_mm: tuple[float, float] | None = None,
    pitch_mm: float | None = None,
    lane_mm: float | None = None,
) -> Geometry:
    """Lay a track out. Raises BadTrack where the loop won't close, bends too tightly or runs into itself.

    ``board_mm`` defaults to the source's board; ``pitch_mm`` to the largest that fits it; ``lane_mm`` to the
    pitch times LANE_RATIO.
    """
    if not can_draw(source):
        raise BadTrack(
            f"The track {source.id} can't be drawn: a corner has no angle; give every corner an angle."
        )
    line = close_loop(source)
    if board_mm is None:
        sides = sorted(source.board_cm) if source.board_cm[0] else NO_BOARD_CM
        board_mm = (sides[1] * 10.0, sides[0] * 10.0)  # lying, as screens do
    roads = lay_roads(source, line, LANE_RATIO)
    points = [line.at(d / 8)[:2] for d in range(8 * line.length + 1)]
    for road in roads:
        points += [road.at(d / 2)[:2] for d in range(1, 2 * road.road.spaces + 3)]
    aside = _start_aside(source, line)
    for row, lane_of in start_places(source):
        along, left = _start_place(source, row, lane_of, aside, LANE_RATIO)
        points.append((along - 0.5, left))  # the first row leads straight to the right
    pitch, turn = _fit(points, source.lanes, board_mm, pitch_mm, lane_mm)
    lane = lane_mm or pitch * LANE_RATIO
    _check_room(source, line, source.lanes * lane / pitch / 2)
    return _lay_out(source, line, roads, points, pitch, lane, turn, board_mm)


def _start_aside(source: TrackSource, line: Line) -> float:
    """How many lanes the start card lies to the left of where its rows would be: beside a loop, whose last rows are
    there."""
    if not source.closed:
        return 0.0
    return (source.lanes + 0.5) * (1 if sum(line.angles) < 0 else -1)


def _start_place(source: TrackSource, row: int, lane_of: int, aside: float, lane: float) -> tuple[float, float]:
    """(distance from the line, distance to the left) of the middle of a space of the start card."""
    wide = source.row_lanes()[0][1]
    left = source.lanes / 2 if source.left_aligned else wide / 2
    return -row - 0.5, (left - lane_of - 0.5 + aside) * lane


def _fit(points: list[Point], lanes: int, board_mm, pitch_mm, lane_mm) -> tuple[float, float]:
    """(pitch, turn): the largest pitch that fits the board and how far these points of the centre line and the roads
    beside it must be turned for it (radians).

    An offset by w makes a smooth loop 2 w wider and higher, so the widest sizes come from the centre line
    alone.
    """
    kerb = 1 + 2 * KERB_RATIO / lanes
    room = [side - 2 * EDGE_MARGIN_MM for side in board_mm]

    def largest(turn: float) -> float:
        sizes = _extent(points, turn)[2:]
        if lane_mm is None:
            return min(side / (size + lanes * LANE_RATIO * kerb) for side, size in zip(room, sizes))
        return min((side - lanes * lane_mm * kerb) / max(size, 1e-9) for side, size in zip(room, sizes))

    def below(turn: float) -> float:
        """How far the road lies above the line: the start straight is best at the bottom."""
        least_y, height = _extent(points, turn)[1::2]
        return round(least_y + height / 2, 6)

    level = max(
        (math.radians(turn) for turn in (0, 90, 180, 270)), key=lambda t: (round(largest(t), 6), below(t), -t)
    )
    free = max((math.radians(turn) for turn in range(180)), key=lambda t: (round(largest(t), 9), -t))
    turn = level if largest(level) >= STRAIGHT_WORTH * largest(free) else free
    most = largest(turn)
    if pitch_mm is None:
        pitch_mm = most
    needs = f"{board_mm[0]:.0f} × {board_mm[1]:.0f} mm board"
    if not 0 < pitch_mm <= most + 1e-9:
        raise BadTrack(
            f"The largest pitch that fits the {needs} is {max(most, 0):.1f} mm, "
            f"{pitch_mm:.1f} mm is asked for; "
            "take a larger board or a smaller pitch."
        )
    return pitch_mm, turn


def _extent(points: list[Point], turn: float) -> tuple[float, float, float, float]:
    """(least x, least y, width, height) of these points, turned."""
    cos, sin = math.cos(turn), math.sin(turn)
    xs = [x * cos - y * sin for x, y in points]
    ys = [x * sin + y * cos for x, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _check_room(source: TrackSource, line: Line, half: float) -> None:
    """Refuse corners that the inner kerb can't follow and stretches that run into each other (half width in
    pitches)."""
    radius, section = line.tightest()
    least = half + NEIGHBOUR_GAP
    if radius < least:
        raise BadTrack(
            f"Section {section + 1} of {source.id} is too tight: its centre line needs a radius of "
            f"{least:.2f} rows, it has {radius:.2f}; give it more rows or a smaller angle."
        )
    needed = 2 * half + NEIGHBOUR_GAP
    steps = 4 * line.length
    points = [line.at(d / 4)[:2] for d in range(steps)]
    apart = math.pi / 2 * needed * 4  # an arc that is not too tight is this long before it has turned round
    closest = (needed - 1e-6, 0, 0)
    for i in range(steps):
        for j in range(i + math.ceil(apart), steps):
            if source.closed and i + steps - j < apart:
                break
            closest = min(closest, (math.dist(points[i], points[j]), i, j))
    if closest[2]:
        raise BadTrack(
            f"Rows {closest[1] // 4 + 1} and {closest[2] // 4 + 1} of {source.id} come within "
            f"{closest[0]:.2f} rows of each other, they need {needed:.2f}; change the angles or the "
            "straights between them."
        )


def _deck(place, row: int, wide: float, shift: float, lane: float) -> list[Point]:
    """The deck of an overpass above the line behind a row: left border, then right border back."""
    left, right = shift + wide + lane * DECK_BEYOND, shift - wide - lane * DECK_BEYOND
    return [place(row - DECK_HALF, left), place(row - DECK_HALF, right), place(row + DECK_HALF, right),
            place(row + DECK_HALF, left)]


def _inner_reach(source: TrackSource) -> dict[int, tuple[int, float, float]]:
    """Of each row of a turn with a shorter inner lane: (inner lane, where its inner space begins and ends, in rows from
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
    """(row behind which it begins, row at whose end it ends) of each line between the lanes that may not be crossed: turns
    with a shorter inner lane."""
    found, done = [], 0
    for section in source.sections:
        if section.inner:
            found.append((done, done + section.rows))
        done += section.rows
    return found


def _lay_out(
    source: TrackSource, line: Line, roads: list[RoadLine], points: list[Point], pitch: float, lane: float, turn: float,
    board_mm,
) -> Geometry:
    lanes, rows = source.lanes, line.length
    half = lanes * lane / 2
    kerb = lane * KERB_RATIO
    outer = (half + kerb) / pitch
    least_x, least_y, width, height = _extent(points, turn)
    size = ((width + 2 * outer) * pitch, (height + 2 * outer) * pitch)
    cos, sin = math.cos(turn), math.sin(turn)
    shift_x = (board_mm[0] - width * pitch) / 2 - least_x * pitch
    shift_y = (board_mm[1] + height * pitch) / 2 + least_y * pitch

    def place(distance: float, left_mm: float = 0.0, way: Line | RoadLine = line) -> Point:
        """mm on the board at this distance (rows from the line) and this far left of the middle of its way."""
        x, y, heading = way.at(distance)
        x = x * pitch - left_mm * math.sin(heading)
        y = y * pitch + left_mm * math.cos(heading)
        return shift_x + x * cos - y * sin, shift_y - (x * sin + y * cos)

    def heading_deg(distance: float) -> float:
        return (-math.degrees(line.at(distance)[2] + turn)) % 360

    def steps(first: float, last: float) -> list[float]:
        """Distances close enough together that an arc looks round: every 3 degrees or so."""
        bend = abs(line.at(last)[2] - line.at(first)[2])
        pieces = max(1, math.ceil(math.degrees(bend) / 3))
        return [first + (last - first) * i / pieces for i in range(pieces + 1)]

    def strip(first: float, last: float, left_mm: float, right_mm: float) -> list[Point]:
        along = steps(first, last)
        return [place(d, left_mm) for d in along] + [place(d, right_mm) for d in reversed(along)]

    shapes = []
    across = source.row_lanes()
    reach = _inner_reach(source)
    widths = [half if reach.get(row) else count * lane / 2 for row, (_, count) in enumerate(across)]
    # How far left of the middle of the road the middle of each row lies.
    shifts = [half - wide if source.left_aligned else 0.0 for wide in widths]
    for row, (low, count) in enumerate(across):
        inner, first, last = reach.get(row, (0, 0.0, 0.0))
        for at in range(low, low + count):
            begin, end = (first, last) if at == inner else (row, row + 1)
            edge = shifts[row] + widths[row] - (at - (1 if row in reach else low)) * lane
            middle = (begin + end) / 2
            shapes.append(
                SpaceShape(strip(begin, end, edge, edge - lane), place(middle, edge - lane / 2), heading_deg(middle))
            )
    outlines = []
    for road in roads:
        for i in range(road.road.spaces):
            first, last = road.space(i)
            along = [first + (last - first) * k / 8 for k in range(9)]
            shapes.append(
                SpaceShape(
                    [place(d, lane / 2, road) for d in along] + [place(d, -lane / 2, road) for d in reversed(along)],
                    place((first + last) / 2, 0.0, road),
                    (-math.degrees(road.at((first + last) / 2)[2] + turn)) % 360,
                )
            )
        along = [road.before + road.long * k / 8 for k in range(8 * road.road.spaces + 1)]
        outlines.append([place(d, lane / 2, road) for d in along] + [place(d, -lane / 2, road) for d in reversed(along)])
    aside = _start_aside(source, line)
    for row, at in start_places(source):
        along, left = _start_place(source, row, at, aside, lane)
        corners = [place(along + x / 2, left + y * lane / 2) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        shapes.append(SpaceShape(corners, place(along, left), heading_deg(0)))
    if source.start_rows:
        wide = across[0][1]
        left = _start_place(source, 0, 0, aside, lane)[1] + lane / 2
        outlines.append([place(0, left), place(0, left - wide * lane), place(-source.start_rows, left - wide * lane),
                         place(-source.start_rows, left)])
    kerbs, middles, indicators, done = [], [], [], 0
    for i, section in enumerate(source.sections):
        wide, shift = widths[done], shifts[done]
        middles.append((place(done + section.rows / 2, shift), heading_deg(done + section.rows / 2)))
        if section.upgrades:
            outer = 1 if section.turn == "right" else -1
            indicators.append((place(done + section.rows / 2, shift + outer * (wide + lane * INDICATOR_RATIO)), i))
        if section.kind == "corner":
            left, right = shift + wide, shift - wide
            for side, inner, rim in (("left", left, left + kerb), ("right", right - kerb, right)):
                stripes = [
                    strip(done + n / 2, done + (n + 1) / 2, rim, inner) for n in range(2 * section.rows)
                ]
                kerbs.append(Kerb(i, side, stripes))
        done += section.rows
    along = [d for row in range(rows) for d in steps(row, row + 1)[:-1]] + [float(rows)]
    # A narrow row has borders of its own, with a step at each end.
    even = len(set(widths)) == 1
    border = [(d, widths[row], shifts[row]) for row in range(rows) for d in steps(row, row + 1)[: -1 if even else None]]
    border += [(float(rows), widths[-1], shifts[-1])] if even else []
    # A loop is over where it began, a road with a start card behind its last row, another road before it.
    finish = 0 if source.closed else rows if source.start_rows else rows - 1
    last = (shifts[-1] + widths[-1], shifts[-1] - widths[-1]) if source.start_rows and not source.closed else (half, -half)
    return Geometry(
        pitch_mm=pitch,
        lane_mm=lane,
        board_mm=(float(board_mm[0]), float(board_mm[1])),
        size_mm=size,
        angles_deg=[math.degrees(angle) for angle in line.angles],
        correction_deg=line.correction_deg,
        gap_mm=line.gap * pitch,
        spaces=shapes,
        rows=[(place(r + 0.5, shifts[r]), heading_deg(r + 0.5)) for r in range(rows)],
        left_edge=[place(d, shift + wide) for d, wide, shift in border],
        right_edge=[place(d, shift - wide) for d, wide, shift in border],
        centre_line=[place(d) for d in along],
        finish=(place(finish, last[0]), place(finish, last[1])),
        kerbs=kerbs,
        section_middles=middles,
        roads=outlines,
        solid=[[place(d) for row in range(first, last) for d in steps(row, row + 1)[:-1]] + [place(last)]
               for first, last in _solid_lines(source)],
        barriers=[(place(row, shifts[row - 1] + widths[row - 1]), place(row, shifts[row - 1] - widths[row - 1]))
                  for row, _ in source.barriers],
        indicators=indicators,
        overpasses=[_deck(place, row, widths[row - 1], shifts[row - 1], lane) for row in source.overpasses],
    )
