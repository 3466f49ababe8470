"""``wiring/*.yml``: one diagram a module, in the words of WireViz. They need no package; ``wireviz_svg.py`` draws them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from gridglow.boards.boardfile import Board
from gridglow.hardware.circuit import Circuit, Component, Wire
from gridglow.hardware.making import Build, Made, made_text
from gridglow.hardware.nets import circuit_of

COLOURS = {"GND": "BK", "3V3": "OG", "VBUS": "RD", "VSYS": "RD"}
SIGNAL_COLOURS = ("YE", "GN", "BU", "VT", "WH", "BN", "GY", "TQ", "PK", "LB")
FIRST_RIBBONS = ("J3", "P1.J1", "P1.J2", "P2.J1")  # all others of a chain are like the second one
FIRST_PANEL = "P1."  # of alike panels the first one is drawn
KEY_MODULES = ("panel_keys", "dice_pad")
GROUND_OF_ALL = "2 of each"
# Of modules that would be too wide for a sheet: what is counted in a reference, what to add, and how many share a diagram.
PARTS = {
    "panel_dials": ((r"\.LED(\d+)$", -1, 3),),
    "track": ((r"\.LED(\d+)$", 0, 2),),  # the first piece is with the plug
    "panels": ((r"^J(\d+)$", -3, 1), (r"^RN(\d+)$", -1, 1)),
}


def make(build: Build) -> list[Made]:
    """A file for each module that the board has; for a large one several, so that each can be read on a sheet of paper."""
    circuit = circuit_of(build.board, build.led_map.pixels)
    return [
        made_text(f"wiring/{name}.yml", diagram_yaml(circuit, build.board, name))
        for module in circuit.titles for name in diagrams_of(circuit, module)
    ]


def diagrams_of(circuit: Circuit, module: str) -> dict[str, list[Wire]]:
    """The wires of a module that are drawn, by the names of its diagrams: panel_dials, panel_dials_2."""
    parts: dict[int, list[Wire]] = {}
    for wire in circuit.wires:
        if wire.module == module and _is_drawn(wire, module):
            parts.setdefault(_part_of(circuit, wire), []).append(wire)
    return {module if at == 0 else f"{module}_{at + 1}": parts[number] for at, number in enumerate(sorted(parts))}


def _part_of(circuit: Circuit, wire: Wire) -> int:
    """Which diagram of its module shows a wire: the one of the last of the numbered things that it goes to."""
    if wire.module == "panels" and "J4" not in circuit.components:
        return 0  # a ribbon from panel to panel: one drawing shows it
    numbers = [(int(found[1]) + shift) // each for pattern, shift, each in PARTS.get(wire.module, ())
               for ref in (wire.a[0], wire.b[0]) if (found := re.search(pattern, ref))]
    return max(numbers, default=0)


def diagram_yaml(circuit: Circuit, board: Board, name: str) -> str:
    """One diagram as YAML."""
    module = next(one for one in circuit.titles if name in diagrams_of(circuit, one))
    diagrams = diagrams_of(circuit, module)
    wires, components = diagrams[name], dict(circuit.components)
    title = circuit.titles[module]
    if len(diagrams) > 1:
        title += f" ({list(diagrams).index(name) + 1} of {len(diagrams)})"
    if module in KEY_MODULES:
        components, wires = _with_one_box_of_keys(components, wires)
    used: dict[str, set[str]] = {}
    cables: dict[tuple[str, str, str], list[Wire]] = {}
    for wire in wires:
        for ref, number in (wire.a, wire.b):
            used.setdefault(ref, set()).add(number)
        cables.setdefault((wire.a[0], wire.b[0], wire.kind if wire.kind in ("ribbon", "string") else ""), []).append(wire)
    colours = _colours(wires)
    document: dict = {
        "metadata": {"title": title},
        "options": {"template_separator": "%", "fontname": "DejaVu Sans"},  # a dot belongs to the names of parts here
        "connectors": {ref: _connector(components[ref], used[ref], board) for ref in components if ref in used},
        "cables": {f"W{at}": _cable(kind, group, board, colours)
                   for at, ((_, _, kind), group) in enumerate(cables.items(), 1)},
        "connections": [
            [{a: [_number(wire.a[1]) for wire in group]}, {f"W{at}": list(range(1, len(group) + 1))},
             {b: [_number(wire.b[1]) for wire in group]}]
            for at, ((a, b, _), group) in enumerate(cables.items(), 1)
        ],
    }
    return f"# {title}\n" + _yaml(document, 0)


def _with_one_box_of_keys(components: dict[str, Component], wires: list[Wire]) -> tuple[dict[str, Component], list[Wire]]:
    """All keys of a panel as one box, whose last pin is the ground of each."""
    keys = [one for ref, one in components.items() if one.role == "key" and any(ref in (w.a[0], w.b[0]) for w in wires)]
    box = f"{keys[0].ref}–{keys[-1].ref.rpartition('.')[2]}"
    ends = {(key.ref, "1"): (box, key.ref.rpartition(".")[2]) for key in keys}
    ends |= {(key.ref, "2"): (box, GROUND_OF_ALL) for key in keys}
    pins = [(key.ref.rpartition(".")[2], key.value) for key in keys] + [(GROUND_OF_ALL, "GND")]
    merged: list[Wire] = []
    for wire in wires:
        new = replace(wire, a=ends.get(wire.a, wire.a), b=ends.get(wire.b, wire.b))
        if new not in merged:
            merged.append(new)
    return {**components, box: replace(keys[0], ref=box, value=f"{len(keys)} of them", pins=tuple(pins))}, merged


def _is_drawn(wire: Wire, module: str) -> bool:
    """Panels are alike, so one is enough; of their ribbons the first two."""
    refs = (wire.a[0], wire.b[0])
    if module in ("panel_keys", "panel_dials"):
        return all(ref.startswith(FIRST_PANEL) for ref in refs)
    if module == "panels" and wire.kind == "ribbon" and refs[0].startswith("P"):
        return all(ref in FIRST_RIBBONS for ref in refs)
    return True


def _connector(one: Component, used: set[str], board: Board) -> dict:
    pins = [(number, label) for number, label in one.pins if number in used]
    part = board.parts.get(one.role)
    words = [part.part if part else one.name]
    value = one.value or (part.value if part else "")
    box: dict = {"type": words[0]}
    if value:
        box["subtype"] = value
    box["pins"] = [_number(number) for number, _ in pins]
    if any(number != label for number, label in pins):
        box["pinlabels"] = [label for _, label in pins]
    box["show_pincount"] = False
    return box


def _number(pin: str) -> int | str:
    """WireViz takes pins that look like numbers for numbers."""
    return int(pin) if pin.isdigit() else pin


def _cable(kind: str, group: list[Wire], board: Board, colours: dict[str, str]) -> dict:
    cable: dict = {"wirecount": len(group), "colors": [colours[wire.net] for wire in group],
                   "wirelabels": [wire.net for wire in group],
                   "show_name": False, "show_wirecount": False, "show_wirenumbers": False}
    if kind == "ribbon":
        cable["type"] = f"Ribbon, {board.wires.ribbon_mm} mm"
    elif kind == "string":
        cable["type"] = "the string's own wire"
    return cable


def _colours(wires: list[Wire]) -> dict[str, str]:
    """By net: red for 5 V, black for ground, orange for 3.3 V; the others by turns."""
    colours: dict[str, str] = {}
    at = 0
    for net in dict.fromkeys(wire.net for wire in wires):
        if net in COLOURS or net.startswith("5V"):
            colours[net] = COLOURS.get(net, "RD")
        else:
            colours[net] = SIGNAL_COLOURS[at % len(SIGNAL_COLOURS)]
            at += 1
    return colours


def _yaml(value: object, depth: int) -> str:
    """Tables of tables as YAML blocks; lists of plain values and short tables in one line."""
    indent = "  " * depth
    if isinstance(value, dict):
        lines = []
        for key, one in value.items():
            name = key if key.isidentifier() else json.dumps(key, ensure_ascii=False)
            if isinstance(one, dict) or (isinstance(one, list) and one and isinstance(one[0], list)):
                lines.append(f"{indent}{name}:\n{_yaml(one, depth + 1)}")
            else:
                lines.append(f"{indent}{name}: {json.dumps(one, ensure_ascii=False)}\n")
        return "".join(lines)
    assert isinstance(value, list)
    return "".join(f"{indent}- {json.dumps(one, ensure_ascii=False)}\n" for one in value)
