"""The pixel string of a track module: which of the available wire lengths reaches from hole to hole, and between
which pixels to insert a longer wire."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, pairwise

from gridglow.hardware.making import Build

EXTENSION_STEP_MM = 10
WEB_MM = 4  # of board between two holes: less would crack
MOVE_RATIO = 1 / 8  # of a lane, by which a hole may be off the middle of its space, to keep a web
ROUNDS = 50
SAME_MM = 0.01

Point = tuple[float, float]


@dataclass(frozen=True)
class Hole:
    """A hole of the module, in wire order: its ``pixel`` (from 1), its place (mm from the board's top left
    corner, y down), the spaces that it lights, a car's heading there (degrees clockwise from "to the right"), and the
    distance from the previous hole, 0 for the first."""

    pixel: int
    x: float
    y: float
    spaces: tuple[int, ...]
    heading_deg: float
    hop_mm: float


@dataclass(frozen=True)
class Extension:
    """A wire of ``wire_mm`` to insert between two pixels (from 1), as the string's own doesn't reach."""

    before: int
    after: int
    hop_mm: float
    wire_mm: int


@dataclass(frozen=True)
class StringPlan:
    """``wire_mm`` from pixel to pixel of the string to buy, the number of ``pixels`` on it (dark ones too)."""

    wire_mm: int
    pixels: int
    holes: tuple[Hole, ...]
    extensions: tuple[Extension, ...]


def plan_string(build: Build) -> StringPlan:
    """The string that a build needs: with the shortest wire that reaches everywhere, else the longest one sold."""
    holes = _holes(build)
    wires = build.board.string.wires_mm
    # A pixel that lights nothing hangs between two holes: the wires of both its sides count.
    hops = [(one, other, other.hop_mm, other.pixel - one.pixel) for one, other in pairwise(holes)]
    wire = next((wire for wire in wires if all(hop <= wire * steps for _, _, hop, steps in hops)), wires[-1])
    extensions = tuple(
        Extension(one.pixel, other.pixel, hop, math.ceil(hop / EXTENSION_STEP_MM) * EXTENSION_STEP_MM)
        for one, other, hop, steps in hops if hop > wire * steps
    )
    return StringPlan(wire, build.led_map.pixels, tuple(holes), extensions)


def _holes(build: Build) -> list[Hole]:
    spaces = build.drawing["spaces"]
    holes: list[Hole] = []
    leds = [led for led in build.drawing["leds"] if led["centre"]]
    least = build.board.string.hole_mm + WEB_MM
    places = _apart([tuple(led["centre"]) for led in leds], least, build.drawing["lane_mm"] * MOVE_RATIO)
    for led, (x, y) in zip(leds, places):
        hop = math.dist((x, y), (holes[-1].x, holes[-1].y)) if holes else 0.0
        holes.append(Hole(led["led"] + 1, x, y, tuple(led["spaces"]), spaces[led["spaces"][0]]["heading_deg"], hop))
    return holes


def _apart(middles: list[Point], least: float, most: float) -> list[Point]:
    """The middles, moved apart where two are closer than ``least``, none by more than ``most``; all others
    stay as they are. If that isn't enough they stay too close, which a check reports."""
    places = list(middles)
    near = [(a, b) for a, b in combinations(range(len(places)), 2) if math.dist(places[a], places[b]) < least + 2 * most]
    for _ in range(ROUNDS):
        close = [(a, b) for a, b in near if math.dist(places[a], places[b]) < least]
        if not close:
            break
        for a, b in close:
            (ax, ay), (bx, by) = places[a], places[b]
            apart = math.dist(places[a], places[b])
            if not SAME_MM < apart < least:
                continue
            half = (least + SAME_MM - apart) / 2 / apart
            for at, x, y in ((a, ax - (bx - ax) * half, ay - (by - ay) * half),
                             (b, bx + (bx - ax) * half, by + (by - ay) * half)):
                if math.dist((x, y), middles[at]) <= most:
                    places[at] = round(x, 3), round(y, 3)
    # Moved in vain: two may now be closer than any were before.
    nearest = [min((math.dist(all_[a], all_[b]) for a, b in near), default=0.0) for all_ in (middles, places)]
    return places if nearest[1] >= nearest[0] else list(middles)


def extension_note(extension: Extension) -> str:
    """The instruction for an extension, without a full stop."""
    return (f"wire of {extension.wire_mm} mm or more from pixel {extension.before} to pixel {extension.after}, as the holes "
            f"are {extension.hop_mm:.0f} mm apart")
