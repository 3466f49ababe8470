"""``netlist.csv``: every soldered pin, by net."""

from __future__ import annotations

from gridglow.hardware.making import Build, Made, made_csv
from gridglow.hardware.nets import circuit_of

HEAD = ("net", "reference", "pin", "label", "part", "value")


def make(build: Build) -> list[Made]:
    """One line per pin, nets in the order of the wires."""
    circuit = circuit_of(build.board, build.led_map.pixels)
    parts = build.board.parts
    rows = []
    for net, ends in circuit.nets().items():
        for ref, number in ends:
            one = circuit.components[ref]
            part = parts[one.role].part if one.role in parts else one.name
            rows.append((net, ref, number, dict(one.pins)[number], part, one.value))
    return [made_csv("netlist.csv", HEAD, rows)]
