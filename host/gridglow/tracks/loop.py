"""The centre line of a track: straights of n pitches and arcs of n pitches with constant curvature, for a pitch of 1.

Requested angles hardly ever close a loop, so they are corrected a little: closure is three equations (x, y and a heading of
plus or minus 360 degrees) in the corner angles, solved by Newton's method with the least-norm step. No angle is corrected
by more than ``MOST_CORRECTION_DEG``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gridglow.tracks.source import TrackSource
from shared_rules.errors import BadTrack

MOST_CORRECTION_DEG = 5.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """The centre line for a pitch of 1, y up: signed angles in radians (left positive), 0 for straights."""

    lengths: list[int]
    angles: list[float]
    correction_deg: float
    gap: float

    def at(self, distance: float) -> tuple[float, float, float]:
        """(x, y, heading) at this distance from the line."""
        x = y = heading = 0.0
        left = distance
        for length, angle in zip(self.lengths, self.angles):
            part = min(left, length)
            dx, dy = _arc(part, angle * part / length, heading)
            x, y, heading = x + dx, y + dy, heading + angle * part / length
            left -= part
            if left <= 0:
                break
        return x, y, heading

    @property
    def length(self) -> int:
        """The number of rows of the track, in pitches."""
        return sum(self.lengths)

    def tightest(self) -> tuple[float, int]:
        """(radius, section) of the tightest arc."""
        return (
            min(
                (length / abs(angle), i)
                for i, (length, angle) in enumerate(zip(self.lengths, self.angles))
                if angle
            )
            if any(self.angles)
            else (math.inf, 0)
        )


def _arc(length: float, angle: float, heading: float) -> Point:
    """The end of a piece of road: sin(a/2)/(a/2) of its length, along its mean heading."""
    half = angle / 2
    chord = length * (math.sin(half) / half if abs(half) > 1e-9 else 1.0)
    return chord * math.cos(heading + half), chord * math.sin(heading + half)


def close_loop(source: TrackSource) -> Line:
    """The centre line with the requested angles corrected so that it closes; an open road keeps its angles."""
    lengths = [section.rows for section in source.sections]
    wishes = [
        math.radians(section.angle) * (1 if section.turn == "left" else -1)
        if section.kind == "corner"
        else 0.0
        for section in source.sections
    ]
    corners = [i for i, section in enumerate(source.sections) if section.kind == "corner"]
    if not source.closed:
        return Line(lengths, wishes, 0.0, 0.0)
    if len(corners) < 3:
        raise BadTrack(
            f"A loop needs at least three corners with an angle, but {source.id} has {len(corners)}; add corners."
        )
    full_turn = math.copysign(math.tau, sum(wishes))
    angles = list(wishes)
    for _ in range(20):
        miss, slopes = _closure(lengths, angles, corners, full_turn)
        if max(abs(one) for one in miss) < 1e-14 * sum(lengths):
            break
        step = _least_norm(slopes, miss)
        if step is None:
            break
        for i, change in zip(corners, step):
            angles[i] -= change
    miss, _ = _closure(lengths, angles, corners, full_turn)
    gap = math.hypot(miss[0], miss[1])
    worst = max(corners, key=lambda i: abs(angles[i] - wishes[i]))
    correction = math.degrees(abs(angles[worst] - wishes[worst]))
    total = sum(math.degrees(wish) for wish in wishes)
    if gap > 1e-9 or abs(miss[2]) > 1e-9 or not correction <= MOST_CORRECTION_DEG:
        asked = (
            f"{correction:.1f} degrees in section {worst + 1}" if correction < 360 else "no angles near them"
        )
        full = math.degrees(full_turn)
        if round(total) != round(full):
            why = f"the requested angles add up to {total:+.0f} instead of {full:+.0f} degrees or the straights don't match"
        else:
            why = "the requested angles add up, but the straights don't match them"
        raise BadTrack(
            f"The loop of {source.id} doesn't close: corrections of up to {MOST_CORRECTION_DEG:.0f} degrees are "
            f"possible, but this needs {asked}; {why}; change them."
        )
    for i in corners:
        if angles[i] * wishes[i] <= 0:
            raise BadTrack(
                f"Section {i + 1} of {source.id} would turn the other way to close the loop; "
                f"request a larger angle than {source.sections[i].angle} degrees."
            )
    return Line(lengths, angles, correction, gap)


def _closure(lengths, angles, corners, full_turn):
    """How far the loop misses (x, y, heading), and how each corner's angle affects that."""
    points = [(0.0, 0.0, 0.0)]
    for length, angle in zip(lengths, angles):
        x, y, heading = points[-1]
        dx, dy = _arc(length, angle, heading)
        points.append((x + dx, y + dy, heading + angle))
    end_x, end_y, end_heading = points[-1]
    slopes = []
    for i in corners:
        length, angle = lengths[i], angles[i]
        half, heading = angle / 2, points[i][2]
        if abs(half) > 1e-6:
            chord = length * math.sin(half) / half
            growth = length * (math.cos(half) * half - math.sin(half)) / half**2 / 2
        else:
            chord, growth = length, 0.0
        along_x, along_y = math.cos(heading + half), math.sin(heading + half)
        after_x, after_y = end_x - points[i + 1][0], end_y - points[i + 1][1]
        slopes.append(
            (
                growth * along_x - chord * along_y / 2 - after_y,
                growth * along_y + chord * along_x / 2 + after_x,
                1.0,
            )
        )
    return (end_x, end_y, end_heading - full_turn), slopes


def _least_norm(slopes, miss):
    """The smallest step with slopes · step = miss: step = Jᵗ (J Jᵗ)⁻¹ miss; None if there is no solution."""
    rows = [[sum(slope[r] * slope[c] for slope in slopes) for c in range(3)] + [miss[r]] for r in range(3)]
    for r in range(3):
        pivot = max(range(r, 3), key=lambda k: abs(rows[k][r]))
        rows[r], rows[pivot] = rows[pivot], rows[r]
        if abs(rows[r][r]) < 1e-12:
            return None
        for k in range(3):
            if k != r:
                factor = rows[k][r] / rows[r][r]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[r])]
    weights = [rows[r][3] / rows[r][r] for r in range(3)]
    return [sum(slope[r] * weights[r] for r in range(3)) for slope in slopes]
