"""Direct currents and voltages in a small circuit: enough to predict a meter's readings on a partly soldered board.

Diodes follow their curve; transistors are on or off, or half on if neither fits. Volts, amperes and ohms throughout; node
"GND" is zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gridglow.hardware.making import load_extra

GROUND = "GND"
THERMAL_V = 0.02585
LEAK_S = 1e-10  # from every node to ground, so that nothing floats
STEPS, STATES = 400, 40
CLOSE_V = 1e-6
HALF, CALM, OFF = 0.0005, 0.97, 1e8  # last step of a half-on switch, shrink factor of its steps; ohms when off


@dataclass(frozen=True)
class Resistor:
    a: str
    b: str
    ohms: float


@dataclass(frozen=True)
class Source:
    """``volts`` of a over b, with ``ohms`` in series."""

    a: str
    b: str
    volts: float
    ohms: float = 0.02


@dataclass(frozen=True)
class Diode:
    """Saturation current ``amps``; ``leak`` flows in reverse."""

    anode: str
    cathode: str
    amps: float
    leak: float = 1e-9
    bend: float = 1.05


@dataclass(frozen=True)
class Switch:
    """Joins two nodes with ``ohms`` if ``is_on`` says so for the voltages: a transistor."""

    a: str
    b: str
    ohms: float
    is_on: Callable[[Callable[[str], float]], bool]


Element = Resistor | Source | Diode | Switch


class NoAnswer(ArithmeticError):
    """The voltages don't settle."""


def solve(elements: Sequence[Element]) -> dict[str, float]:
    """The voltage of every node relative to GND. Raises NoAnswer if it doesn't settle."""
    nodes = sorted({node for one in elements for node in _nodes(one)} - {GROUND})
    switches = [one for one in elements if isinstance(one, Switch)]
    on = [0.0] * len(switches)
    across = [0.0] * sum(isinstance(one, Diode) for one in elements)
    for _ in range(STATES):
        volts = _with(elements, nodes, on, across)
        wanted = [float(one.is_on(volts.__getitem__)) for one in switches]
        if wanted == on:
            return volts
        # One at a time, in order, as on a real board that powers up.
        at = next(at for at in range(len(on)) if on[at] != wanted[at])
        on[at] = wanted[at]
    # Then one stays half on, like a real transistor that holds itself in balance: found in ever smaller steps.
    step = 0.25
    while step > HALF:
        volts = _with(elements, nodes, on, across)
        for at, one in enumerate(switches):
            on[at] = min(1.0, max(0.0, on[at] + (step if one.is_on(volts.__getitem__) else -step)))
        step *= CALM
    return volts


def _with(elements: Sequence[Element], nodes: list[str], on: Sequence[float], across: list[float]) -> dict[str, float]:
    """The voltages with each switch on as far as ``on`` says, from 0 to 1."""
    place = {node: at for at, node in enumerate(nodes)}
    straight = [one for one in elements if isinstance(one, Resistor | Source)]
    switches = [one for one in elements if isinstance(one, Switch)]
    straight += [Resistor(one.a, one.b, one.ohms * OFF ** (1 - much)) for one, much in zip(switches, on) if much]
    found = _settle(_matrix(straight, place), [one for one in elements if isinstance(one, Diode)], place, across)
    return {**dict(zip(nodes, found)), GROUND: 0.0}


def _nodes(one: Element) -> tuple[str, str]:
    return (one.anode, one.cathode) if isinstance(one, Diode) else (one.a, one.b)


def _matrix(elements: Sequence[Resistor | Source], place: dict[str, int]) -> Any:
    """Conductances between the nodes; in the last column the currents that sources feed into them."""
    numpy = load_extra("numpy", "the table of the gates")
    matrix = numpy.zeros((len(place), len(place) + 1))
    matrix[range(len(place)), range(len(place))] = LEAK_S
    for one in elements:
        volts = one.volts if isinstance(one, Source) else 0.0
        _stamp(matrix, place, (one.a, one.b), 1 / one.ohms, volts / one.ohms)
    return matrix


def _settle(straight: Any, diodes: Sequence[Diode], place: dict[str, int], across: list[float]) -> list[float]:
    """Newton's steps for the diodes; ``across`` has their previous voltages and, afterwards, the current ones."""
    numpy = load_extra("numpy", "the table of the gates")
    before: list[float] = []
    for count in range(STEPS):
        matrix = straight.copy()
        for one, volts in zip(diodes, across):
            siemens, amps = _diode(one, volts)
            _stamp(matrix, place, (one.anode, one.cathode), siemens, siemens * volts - amps)
        now: list[float] = numpy.linalg.solve(matrix[:, :-1], matrix[:, -1]).tolist()
        near = bool(before) and max((abs(a - b) for a, b in zip(now, before)), default=0.0) < CLOSE_V
        before = now
        for at, one in enumerate(diodes):
            wanted = sum(way * now[place[node]] for way, node in ((1, one.anode), (-1, one.cathode)) if node in place)
            reached = _limited(one, wanted, across[at])
            if count > STEPS // 4:  # two diodes that chase each other: each goes half the way
                reached = (reached + across[at]) / 2
            near = near and abs(reached - wanted) < CLOSE_V
            across[at] = reached
        if near:
            return now
    raise NoAnswer("its diodes don't settle")


def _stamp(matrix: Any, place: dict[str, int], ends: tuple[str, str], siemens: float, amps: float) -> None:
    """Adds a conductance between two nodes, and a current flowing from the second to the first."""
    for one, other, way in ((ends[0], ends[1], 1), (ends[1], ends[0], -1)):
        if one in place:
            matrix[place[one], place[one]] += siemens
            matrix[place[one], -1] += way * amps
            if other in place:
                matrix[place[one], place[other]] -= siemens


def _limited(one: Diode, wanted: float, before: float) -> float:
    """How far a diode's voltage may go in one step: at a sharp bend, a long step would overshoot (as in SPICE)."""
    scale = one.bend * THERMAL_V
    knee = scale * math.log(scale / (math.sqrt(2) * one.amps))
    if wanted <= knee or abs(wanted - before) <= 2 * scale:
        return wanted
    if before <= 0:
        return max(scale * math.log(wanted / scale), min(knee, wanted))
    rise = 1 + (wanted - before) / scale
    return before + scale * math.log(rise) if rise > 0 else knee


def _diode(one: Diode, across: float) -> tuple[float, float]:
    """(slope, current) at this voltage."""
    scale = one.bend * THERMAL_V
    if across >= 0:
        forward = one.amps * math.expm1(min(across / scale, 300.0))
        return (forward + one.amps) / scale + 1e-12, forward
    slope = one.leak / 0.1
    return (slope, across * slope) if across > -0.1 else (1e-12, -one.leak)
