"""A track in millimetres: the largest pitch that fits its board, rotated if that helps.

Angles and shape are found for a pitch of 1 (loop.py); drawing.py draws everything with the pitch chosen here. Loops
that bend too tightly or run into themselves are refused.
"""

from __future__ import annotations

import math

from gridglow.tracks.course import start_places
from gridglow.tracks.drawing import KERB_RATIO, Drawing, Geometry, extent, start_place
from gridglow.tracks.loop import Line, Point, close_loop
from gridglow.tracks.roads import lay_roads
from gridglow.tracks.source import TrackSource
from shared_rules.errors import BadTrack

LANE_RATIO = 0.84  # lane width over pitch, if no width is given
EDGE_MARGIN_MM = 20.0  # free rim of the board, for corner signs
NEIGHBOUR_GAP = 0.1  # pitches that must stay free between two stretches, and inside the tightest kerb
NO_BOARD_CM = (60, 80)  # for a layout that names no board
STRAIGHT_WORTH = 0.97  # keep the start straight level if that costs no more than this share of the pitch


def can_draw(source: TrackSource) -> bool:
    """Whether every corner has a requested angle."""
    return all(section.kind == "straight" or section.angle for section in source.sections)


def build_geometry(
    source: TrackSource,
    *,
    board_mm: tuple[float, float] | None = None,
    pitch_mm: float | None = None,
    lane_mm: float | None = None,
) -> Geometry:
    """Lays out a track. Raises BadTrack if the loop won't close, bends too tightly or runs into itself.

    ``board_mm`` defaults to the source's board; ``pitch_mm`` to the largest that fits; ``lane_mm`` to the
    pitch times LANE_RATIO.
    """
    if not can_draw(source):
        raise BadTrack(
            f"The track {source.id} can't be drawn: a corner has no angle; give every corner an angle."
        )
    line = close_loop(source)
    if board_mm is None:
        sides = sorted(source.board_cm) if source.board_cm[0] else NO_BOARD_CM
        board_mm = (sides[1] * 10.0, sides[0] * 10.0)  # landscape, like screens
    roads = lay_roads(source, line, LANE_RATIO)
    points = [line.at(d / 8)[:2] for d in range(8 * line.length + 1)]
    for road in roads:
        points += [road.at(d / 2)[:2] for d in range(1, 2 * road.road.spaces + 3)]
    for row, lane_of in start_places(source):
        along, left = start_place(source, line, row, lane_of, LANE_RATIO)
        points.append((along - 0.5, left))  # the first row leads straight to the right
    pitch, turn = _fit(points, source.lanes, board_mm, pitch_mm, lane_mm)
    lane = lane_mm or pitch * LANE_RATIO
    _check_room(source, line, source.lanes * lane / pitch / 2)
    return Drawing(source, line, roads, points, pitch, lane, turn, board_mm).geometry()


def _fit(points: list[Point], lanes: int, board_mm, pitch_mm, lane_mm) -> tuple[float, float]:
    """(pitch, turn): the largest pitch that fits the board, and how far these points of the centre line and the roads
    beside it must be rotated for that (radians).

    An offset by w makes a smooth loop 2 w wider and higher, so the centre line alone gives the
    extreme sizes.
    """
    kerb = 1 + 2 * KERB_RATIO / lanes
    room = [side - 2 * EDGE_MARGIN_MM for side in board_mm]

    def largest(turn: float) -> float:
        sizes = extent(points, turn)[2:]
        if lane_mm is None:
            return min(side / (size + lanes * LANE_RATIO * kerb) for side, size in zip(room, sizes))
        return min((side - lanes * lane_mm * kerb) / max(size, 1e-9) for side, size in zip(room, sizes))

    def below(turn: float) -> float:
        """How far the road is above the line: the start straight is best at the bottom."""
        least_y, height = extent(points, turn)[1::2]
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
            f"{pitch_mm:.1f} mm was requested; "
            "use a larger board or a smaller pitch."
        )
    return pitch_mm, turn


def _check_room(source: TrackSource, line: Line, half: float) -> None:
    """Refuses corners whose inner kerb is too tight, and stretches that run into each other (half width in
    pitches)."""
    radius, section = line.tightest()
    least = half + NEIGHBOUR_GAP
    if radius < least:
        raise BadTrack(
            f"Section {section + 1} of {source.id} is too tight: its centre line needs a radius of "
            f"{least:.2f} rows, but has {radius:.2f}; give it more rows or a smaller angle."
        )
    needed = 2 * half + NEIGHBOUR_GAP
    steps = 4 * line.length
    points = [line.at(d / 4)[:2] for d in range(steps)]
    apart = math.pi / 2 * needed * 4  # an arc that isn't too tight needs this length to turn round
    closest = (needed - 1e-6, 0, 0)
    for i in range(steps):
        for j in range(i + math.ceil(apart), steps):
            if source.closed and i + steps - j < apart:
                break
            closest = min(closest, (math.dist(points[i], points[j]), i, j))
    if closest[2]:
        raise BadTrack(
            f"Rows {closest[1] // 4 + 1} and {closest[2] // 4 + 1} of {source.id} come within "
            f"{closest[0]:.2f} rows of each other, but need {needed:.2f}; change the angles or the "
            "straights between them."
        )
