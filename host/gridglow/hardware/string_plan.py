"""How the pixel string of a track module runs: which of the sold lengths of wire reaches from hole to hole, and between
which pixels a longer wire is to be put in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from gridglow.hardware.making import Build

EXTENSION_STEP_MM = 10


@dataclass(frozen=True)
class Hole:
    """A hole of the module, in the order of the wire: its ``pixel`` (from 1), where it is (mm from the board's top left
    corner, y down), the spaces that it lights, how a car heads there (degrees clockwise from "to the right"), and how far
    the hole before is, 0 for the first."""

    pixel: int
    x: float
    y: float
    spaces: tuple[int, ...]
    heading_deg: float
    hop_mm: float


@dataclass(frozen=True)
class Extension:
    """A wire of ``wire_mm`` to be put in between two pixels (from 1), as the string's own doesn't reach."""

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
    """The string that a build needs: with the shortest wire that reaches everywhere, else the longest that is sold."""
    holes = _holes(build)
    wires = build.board.string.wires_mm
    # A pixel that lights nothing hangs between two holes: there is the wire of both its sides.
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
    for led in build.drawing["leds"]:
        if led["centre"]:
            x, y = led["centre"]
            hop = math.dist((x, y), (holes[-1].x, holes[-1].y)) if holes else 0.0
            holes.append(Hole(led["led"] + 1, x, y, tuple(led["spaces"]), spaces[led["spaces"][0]]["heading_deg"], hop))
    return holes


def extension_note(extension: Extension) -> str:
    """What is to be done there, in a sentence without a full stop."""
    return (f"wire of {extension.wire_mm} mm or more from pixel {extension.before} to pixel {extension.after}, as the holes "
            f"are {extension.hop_mm:.0f} mm apart")
