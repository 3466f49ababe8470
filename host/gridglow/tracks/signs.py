"""Where a sign is printed on its space: beside the pixel, and inside the space however narrow it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Points = Sequence[Sequence[float]]
AWAY = 0.26  # lanes from the pixel to the middle of the sign
HALF = 0.15  # lanes from there to its upper edge
#: Degrees by which a sign may turn round its pixel, starting right above it: the row's number is below.
TURNS = (0, 30, -30, 60, -60, 90, -90, 120, -120)


def sign_place(polygon: Points, pixel: Sequence[float], lane_mm: float) -> tuple[float, float]:
    """(x, y) of the middle of a sign: the first place round the pixel where it fits in the space, else where it fits
    best."""
    best = (-math.inf, 0.0, 0.0)
    for turn in TURNS:
        angle = math.radians(turn - 90)
        x, y = pixel[0] + AWAY * lane_mm * math.cos(angle), pixel[1] + AWAY * lane_mm * math.sin(angle)
        room = room_inside(polygon, x, y)
        if room >= HALF * lane_mm:
            return x, y
        best = max(best, (room, x, y))
    return best[1:]


def room_inside(polygon: Points, x: float, y: float) -> float:
    """The distance of a point from the border of its polygon; below 0 if it's outside."""
    near = math.inf
    odd = False
    for (ax, ay), (bx, by) in pairwise([*polygon, polygon[0]]):
        long = (bx - ax) ** 2 + (by - ay) ** 2
        part = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long)) if long else 0.0
        near = min(near, math.dist((x, y), (ax + part * (bx - ax), ay + part * (by - ay))))
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return near if odd else -near
