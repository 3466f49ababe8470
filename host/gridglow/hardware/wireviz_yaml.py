"""``wiring/*.yml``: one diagram per module, in WireViz's format. They need no package; ``wireviz_svg.py`` draws them."""

from __future__ import annotations

import json
import textwrap
from dataclasses import replace

from gridglow.boards.boardfile import Board
from gridglow.hardware.circuit import Circuit, Component, Wire
from gridglow.hardware.making import Build, Made, made_text
from gridglow.hardware.nets import circuit_of

COLOURS = {"GND": "BK", "3V3": "OG", "VBUS": "RD", "VSYS": "RD"}
SIGNAL_COLOURS = ("YE", "GN", "BU", "VT", "WH", "BN", "GY", "TQ", "PK", "LB")
STRIPED = tuple(f"{one}{other}" for one, other in zip(SIGNAL_COLOURS, (*SIGNAL_COLOURS[4:], *SIGNAL_COLOURS[:4])))
FIRST_RIBBONS = ("J3", "P1.J1", "P1.J2", "P2.J1")  # all others on a chain are like the second one
FIRST_PANEL = "P1."  # of identical panels the first one is drawn
KEY_MODULES = ("panel_keys", "dice_pad")
GROUND_OF_ALL = "2 of each"
# A sheet has two columns of parts with their wires in between: so 14-point letters become 8 on landscape A4. Heights are in
# points, as dot draws them.
SHEET_HIGH, ROW_HIGH, HEAD_HIGH = 840, 23, 75
KEYS_BOX = "keys"
NAME_WIDE = 28  # characters


def make(build: Build) -> list[Made]:
    """A file for each module of the board; several for a large one, so that each is readable on a sheet of paper."""
    circuit = circuit_of(build.board, build.led_map.pixels)
    return [
        made_text(f"wiring/{name}.yml", diagram_yaml(circuit, build.board, name))
        for module in circuit.titles for name in diagrams_of(circuit, module)
    ]


def diagrams_of(circuit: Circuit, module: str) -> dict[str, list[Wire]]:
    """The drawn wires of a module, by the names of its diagrams: panel_dials, panel_dials_2."""
    return _all_diagrams(circuit)[module]


def _all_diagrams(circuit: Circuit) -> dict[str, dict[str, list[Wire]]]:
    drawn: dict[str, dict[tuple[str, str, str], list[Wire]]] = {module: {} for module in circuit.titles}
    for wire in circuit.wires:
        if wire.module in drawn and _is_drawn(wire, wire.module):
            drawn[wire.module].setdefault(_cable_of(circuit, wire), []).append(wire)
    return {module: {module if at == 0 else f"{module}_{at + 1}": wires for at, wires in enumerate(_sheets(circuit, cables))}
            for module, cables in drawn.items()}


def _cable_of(circuit: Circuit, wire: Wire) -> tuple[str, str, str]:
    """What is drawn as one cable: from where, to where, of which kind. All keys of a panel are one box."""
    a, b = (KEYS_BOX if wire.module in KEY_MODULES and circuit.components[ref].role == "key" else ref
            for ref in (wire.a[0], wire.b[0]))
    return a, b, wire.kind if wire.kind in ("ribbon", "string") else ""


def _sheets(circuit: Circuit, cables: dict[tuple[str, str, str], list[Wire]]) -> list[list[Wire]]:
    """The cables on as few sheets as their order allows: on each, a part is on the left or on the right, and all fit."""
    sheets: list[list[tuple[str, str, str]]] = []
    for cable in cables:
        for sheet in sheets:
            lefts, rights = {one for one, _, _ in sheet}, {other for _, other, _ in sheet}
            if cable[0] not in rights and cable[1] not in lefts and _height([*sheet, cable], cables) <= SHEET_HIGH:
                sheet.append(cable)
                break
        else:
            sheets.append([cable])
    return [[wire for cable in sheet for wire in cables[cable]] for sheet in sheets]


def _height(sheet: list[tuple[str, str, str]], cables: dict[tuple[str, str, str], list[Wire]]) -> int:
    """The height of a sheet: that of its highest column."""
    columns: list[dict[str, set[str]]] = [{}, {}, {}]
    for cable in sheet:
        for wire in cables[cable]:
            key = wire.b[0] if cable[1] == KEYS_BOX else wire.b[1]
            columns[0].setdefault(cable[0], set()).add(wire.a[1])
            columns[1].setdefault("".join(cable), set()).add(f"{wire.a} {wire.b}")
            columns[2].setdefault(cable[1], set()).add(key)
    return max(sum(HEAD_HIGH + ROW_HIGH * len(rows) for rows in column.values()) for column in columns)


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
    colours = net_colours(circuit)
    document: dict = {
        "metadata": {"title": title},
        "options": {"template_separator": "%", "fontname": "DejaVu Sans"},  # names of parts contain dots here
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
    """All keys of a panel as one box, whose last pin is each key's ground."""
    keys = [one for ref, one in components.items() if one.role == "key" and any(ref in (w.a[0], w.b[0]) for w in wires)]
    if not keys:
        return components, wires
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
    """Whether a wire is drawn: panels are identical, so one is enough; of their ribbons the first two."""
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
    box: dict = {"type": "\n".join(textwrap.wrap(words[0], NAME_WIDE))}
    if value:
        box["subtype"] = value
    box["pins"] = [_number(number) for number, _ in pins]
    if any(number != label for number, label in pins):
        box["pinlabels"] = [label for _, label in pins]
    box["show_pincount"] = False
    return box


def _number(pin: str) -> int | str:
    """A pin in the form that WireViz expects: it treats pins that look like numbers as numbers."""
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


def net_colours(circuit: Circuit) -> dict[str, str]:
    """The colour of each net, the same in all drawings: red for 5 V, black for ground, orange for 3.3 V. Any other net
    gets one that no net in the same module has, while they last; then stripes of two."""
    together: dict[str, dict[str, None]] = {}
    modules = [dict.fromkeys(wire.net for wires in sheets.values() for wire in wires)
               for sheets in _all_diagrams(circuit).values()]
    for nets in modules:
        for net in nets:
            together.setdefault(net, {}).update(nets)
    plain = [net for net in together if net in COLOURS or net.startswith("5V")]
    colours = {net: COLOURS.get(net, "RD") for net in plain}
    # Those with the most neighbours first: they have the least choice.
    for net in sorted((net for net in together if net not in colours), key=lambda net: -len(together[net])):
        taken = {colours[other] for other in together[net] if other in colours}
        free = [colour for colour in (*SIGNAL_COLOURS, *STRIPED) if colour not in taken]
        colours[net] = free[0] if free else SIGNAL_COLOURS[0]
    return colours


def _yaml(value: object, depth: int) -> str:
    """Tables of tables as YAML blocks; lists of plain values and short tables on one line."""
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
