"""The requirements for building a track's module: each pixel under its own space, a closed loop, bends
that aren't too tight, wire that reaches, holes that don't run into each other and are on the board."""

from __future__ import annotations

import math
from itertools import combinations

from gridglow.hardware.making import Build
from gridglow.hardware.string_plan import SAME_MM, WEB_MM, Hole, plan_string
from gridglow.tomlfile import Problem

CLOSES_MM = 0.1
# The inner border of a bend: below this, paper and wood can't be cut, and inner spaces end in a point.
LEAST_RADIUS_MM = 4.0
RIM_MM = 3.0  # of board that must remain around a hole at its edge
MOST_NAMED = 3


def check(build: Build) -> list[Problem]:
    """Everything that is wrong with this build's module."""
    if build.track.geometry is None:
        return [build.track_problem("The track has no angles, so its module can't be built; give every corner an angle.")]
    problems = [build.problem(*one) for one in _check_map(build)]
    problems += [build.track_problem(say) for say in _check_loop(build) + _check_bends(build)]
    return problems + _check_hops(build) + _check_holes(build)


def _check_map(build: Build) -> list[tuple[tuple, str]]:
    """Checks that every pixel lights one space, or one row, and every space has one."""
    track, leds = build.track.track, build.led_map.leds
    where = next((("module", i) for i, one in enumerate(build.board.modules) if one.track == track.id), ("output",))
    found = []
    dark = [track.space_name(space) for space, led in enumerate(leds) if led < 0]
    if dark:
        found.append((where, f"Expected a pixel for every space, found none for {_some(dark)} of {track.id}; remove "
                             "this track's [[module]] to build its module again."))
    rows: dict[int, set] = {}
    for space, led in enumerate(leds):
        if led >= 0:
            road = next((i for i, one in enumerate(track.roads) if one[2] <= space < one[2] + one[3]), -1)
            rows.setdefault(led, set()).add(space if build.light == "lane" else (road, track.row(space)))
    twice = sorted(led + 1 for led, lit in rows.items() if len(lit) > 1)
    if twice:
        found.append((where, f"Expected one {'space' if build.light == 'lane' else 'row'} for each pixel; {_some(twice)} of "
                             f"{track.id} would light more; walk the module again with: gridglow walk --track {track.id}"))
    return found


def _check_loop(build: Build) -> list[str]:
    line = build.track.geometry.centre_line
    gap = math.dist(line[0], line[-1])
    if build.track.track.closed and gap > CLOSES_MM:
        return [f"The loop doesn't close: its end misses its beginning by {gap:.1f} mm; change the angles of its corners."]
    return []


def _check_bends(build: Build) -> list[str]:
    geometry, source = build.track.geometry, build.track.source
    found = []
    for i, (section, angle) in enumerate(zip(source.sections, geometry.angles_deg), 1):
        if angle:
            radius = section.rows * geometry.pitch_mm / math.radians(abs(angle)) - source.lanes * geometry.lane_mm / 2
            if radius < LEAST_RADIUS_MM:
                found.append(f"Section {i} bends too tightly: the radius of its inner border is {radius:.1f} mm, it needs "
                             f"{LEAST_RADIUS_MM:.0f} mm; give it more rows or a smaller angle.")
    return found


def _check_hops(build: Build) -> list[Problem]:
    """Checks that the string's wire reaches from hole to hole, or an extension that the board file allows."""
    string, plan = build.board.string, plan_string(build)
    long = sorted((one for one in plan.extensions if one.hop_mm > string.extension_mm), key=lambda one: -one.hop_mm)
    if not long:
        return []
    holes = {hole.pixel: hole for hole in plan.holes}
    far = long[0]
    more = f" ({len(long)} distances are too long)" if len(long) > 1 else ""
    one, other = (_name(build, holes[pixel]) for pixel in (far.before, far.after))
    has = f"the string has {plan.wire_mm} mm of wire"
    if string.extension_mm:
        has += f", and extension_mm allows {string.extension_mm}"
    return [build.problem(
        ("string", "extension_mm" if string.extension_mm else "wires_mm"),
        f"From the hole of {one} to that of {other} of {build.track.id} it is {far.hop_mm:.0f} mm{more}, but {has}; set "
        f"extension_mm = {far.wire_mm} to insert a longer wire, or add a length to wires_mm.",
    )]


def _check_holes(build: Build) -> list[Problem]:
    string = build.board.string
    holes = plan_string(build).holes
    problems = []
    close = sorted((math.dist((a.x, a.y), (b.x, b.y)), a.pixel, b.pixel, a, b) for a, b in _near(holes, string.pixel_mm))
    if close:
        apart, _, _, a, b = close[0]
        more = f" ({len(close)} pairs are too close)" if len(close) > 1 else ""
        problems.append(build.problem(
            ("string", "pixel_mm"),
            f"The holes of {_name(build, a)} and {_name(build, b)} of {build.track.id} are {apart:.1f} mm apart{more}; a "
            f"pixel measures {string.pixel_mm} mm; use smaller pixels, or a larger board for the track.",
        ))
    thin = sorted((math.dist((a.x, a.y), (b.x, b.y)) - string.hole_mm, a.pixel, b.pixel, a, b)
                  for a, b in _near(holes, string.hole_mm + WEB_MM - 2 * SAME_MM))
    if thin and not close:
        web, _, _, a, b = thin[0]
        more = f" ({len(thin)} pairs leave less)" if len(thin) > 1 else ""
        problems.append(build.problem(
            ("string", "hole_mm"),
            f"Between the holes of {_name(build, a)} and {_name(build, b)} of {build.track.id} {web:.1f} mm of board remain"
            f"{more}, but it takes {WEB_MM} mm not to crack; use smaller pixels, or a larger board for the track.",
        ))
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    rim = string.hole_mm / 2 + RIM_MM
    off = [_name(build, hole) for hole in holes
           if not (rim <= hole.x <= width - rim and rim <= hole.y <= height - rim)]
    if off:
        problems.append(build.track_problem(
            f"The holes of {_some(off)} would be closer than {RIM_MM:.0f} mm to the edge of the board of "
            f"{width:.0f} × {height:.0f} mm; give the track a larger board_cm."))
    return problems


def _near(holes: tuple[Hole, ...], apart: float) -> list[tuple[Hole, Hole]]:
    """Pairs of holes that are closer together than this."""
    cells: dict[tuple[int, int], list[Hole]] = {}
    for hole in holes:
        for dx in (0, 1):
            for dy in (0, 1):
                cells.setdefault((int(hole.x // apart) + dx, int(hole.y // apart) + dy), []).append(hole)
    pairs = {(a, b) for here in cells.values() for a, b in combinations(here, 2)}
    return [(a, b) for a, b in pairs if math.dist((a.x, a.y), (b.x, b.y)) < apart]


def _name(build: Build, hole: Hole) -> str:
    name = build.track.track.space_name(hole.spaces[0])
    return name if build.light == "lane" else f"row {build.track.track.row(hole.spaces[0])}"


def _some(names: list) -> str:
    """The first few, and how many more there are."""
    some = ", ".join(map(str, names[:MOST_NAMED]))
    return some if len(names) <= MOST_NAMED else f"{some} and {len(names) - MOST_NAMED} more"
