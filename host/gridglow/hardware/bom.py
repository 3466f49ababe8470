"""The parts list: ``bom.csv`` and ``bom.md``. Quantities follow from the board and from the track module's pixels."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from gridglow.boards.boardfile import Board
from gridglow.boards.building import ROLES, Part
from gridglow.hardware.circuit import Circuit
from gridglow.hardware.making import Build, Made, made_csv, made_text
from gridglow.hardware.nets import circuit_of
from gridglow.hardware.panel_plan import printed_parts
from gridglow.hardware.string_plan import plan_string

HEAD = ("reference", "part", "value", "quantity", "part number", "note")
ANY = "any"
NOT_CONFIRMED = "not confirmed: check it before you order"
OPTIONAL_PULL_UP = "4.7 kΩ"
BY_VALUE = ("resistor", "fuse", "track_fuse", "dials_fuse", "track_socket", "track_plug")
WIRE_EACH_MM = 100  # per wire on or between boards
SCREWS_EACH = 4  # per board, display and reader
BEZEL_SCREWS = 2


@dataclass(frozen=True)
class Row:
    """A line of the list."""

    role: str
    reference: str
    part: str
    value: str
    quantity: int
    number: str
    note: str


def make(build: Build) -> list[Made]:
    """The list as a table for programs and one for people."""
    rows = bom_rows(build)
    plain = [(row.reference, row.part, row.value, row.quantity, row.number, row.note) for row in rows]
    return [made_csv("bom.csv", HEAD, plain), made_text("bom.md", _markdown(build, plain))]


def bom_rows(build: Build) -> list[Row]:
    """Everything to buy or print, in the order of the board's parts."""
    circuit = circuit_of(build.board, build.led_map.pixels)
    soldered = _soldered(circuit)
    needed = [(role, value, refs, len(refs), "") for (role, value), refs in soldered.items()]
    needed += [(role, value, [], quantity, note) for role, value, quantity, note in _besides(build, circuit)]
    rows = []
    for role, value, refs, quantity, note in sorted(needed, key=lambda one: (ROLES.index(one[0]), -one[3], one[1])):
        part = build.board.parts.get(role, Part(role))
        notes = [note, part.note]
        if part.number and not part.confirmed:
            notes.append(NOT_CONFIRMED)
        value = ", ".join(one for one in (part.value, value) if one)
        rows.append(Row(role, short_refs(refs) or "-", part.part, value, quantity, part.number or ANY,
                        "; ".join(one for one in notes if one)))
    rows += [Row("printed", "-", what, f"stl/{name}_x{quantity}.stl", quantity, "printed", "")
             for name, quantity, what in printed_parts(build.board)]
    return rows


def roles_needed(board: Board) -> list[str]:
    """The keys that [parts] must have, in order, whatever the track."""
    circuit = circuit_of(board, 1)
    roles = {role for role, _ in _soldered(circuit)} | {role for role, *_ in _bought(board, circuit)}
    if board.string.extension_mm:
        roles.add("extension")
    return [role for role in ROLES if role in roles]


def _soldered(circuit: Circuit) -> dict[tuple[str, str], list[str]]:
    """References by role and value; a key's value is its label, a dial's or plug's its place: these aren't values of a
    part."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in circuit.components.values():
        if one.role and one.bom and one.role != "pixel":
            value = one.value if one.role in BY_VALUE else ""
            found.setdefault((one.role, value), []).append(one.ref)
    return found


def _besides(build: Build, circuit: Circuit) -> list[tuple[str, str, int, str]]:
    """(role, value, quantity, note) of what also depends on the track."""
    board, pixels = build.board, build.led_map.pixels
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    feeds = sum(wire.module == "track" and wire.kind == "power" for wire in circuit.wires)
    power_m = math.ceil(1 + feeds * (width + height) / 2 / 1000)
    string = plan_string(build)
    more = f"{len(string.extensions)} longer wires are inserted where led_map.csv says so" if string.extensions else ""
    lengths = sorted(one.wire_mm for one in string.extensions)
    longer = [("extension", f"{mm} mm, AWG {board.wires.string_awg}", lengths.count(mm), "between two pixels")
              for mm in dict.fromkeys(lengths)]
    special = {"pixel": (f"{string.wire_mm} mm of wire, AWG {board.wires.string_awg}, between pixels, or longer",
                         pixels, more),
               "track_board": (f"{width:g} × {height:g} mm", 1, ""),
               "power_wire": (f"AWG {board.wires.power_awg}, metres", power_m, "")}
    bought = [(role, *special.get(role, (value, quantity, note))) for role, value, quantity, note in _bought(board, circuit)]
    return bought + longer


def _bought(board: Board, circuit: Circuit) -> list[tuple[str, str, int, str]]:
    """(role, value, quantity, note) of everything outside the circuit."""
    count: dict[str, int] = {}
    for one in circuit.components.values():
        count[one.role] = count.get(one.role, 0) + 1
    boards = (board.panels or 0) + board.wiring.get("dice_pad", 0)
    soldered_mm = sum(WIRE_EACH_MM for wire in circuit.wires if wire.module != "track" and wire.kind in ("signal", "power"))
    wires = board.wires
    psu = board.supply is not None and board.supply.kind == "psu"
    screwed = SCREWS_EACH * (1 + boards + count.get("screen", 0) + count.get("reader", 0))
    screwed += BEZEL_SCREWS * (count.get("ring", 0) + count.get("bar", 0))
    lines = [
        ("pico_socket", "", 2, "so that the Pico can be removed"), ("console_board", "", 1, ""), ("usb_cable", "", 1, ""),
        ("socket_14", "", count.get("level_shifter", 0), ""), ("socket_16", "", count.get("shift_register", 0), ""),
        ("supply", "", int(psu), ""), ("supply_cord", "", int(psu), ""), ("fuse_holder", "", int(psu), ""),
        ("panel_board", "", boards, ""),
        ("keycap", "", count.get("key", 0), ""), ("knob", "", count.get("encoder", 0), ""), ("track_board", "", 1, ""),
        ("pixel", "", 1, ""),
        ("ribbon", f"{wires.ribbon_mm} mm each" if wires else "", boards, ""), ("ribbon_socket", "", 2 * boards, ""),
        ("screen_socket", "", count.get("screen", 0), ""), ("reader_socket", "", count.get("reader", 0), ""),
        ("card", "pack of 10 or more", count.get("reader", 0), ""),
        ("power_wire", "", 1, ""), ("signal_wire", f"AWG {wires.signal_awg}, metres" if wires else "",
                                    math.ceil(soldered_mm / 1000), ""),
        ("screw", "", screwed, ""), ("nut", "", screwed, ""),
    ]
    return [line for line in lines if line[2]]


def short_refs(refs: list[str]) -> str:
    """References in short form: "R1, R2", "P1–P6: S1–S6"."""
    owners: dict[str, list[str]] = {}
    for ref in refs:
        owner, _, own = ref.rpartition(".")
        owners.setdefault(owner, []).append(own)
    alike: dict[tuple[str, ...], list[str]] = {}
    for owner, own in owners.items():
        alike.setdefault(tuple(own), []).append(owner)
    return "; ".join(f"{_ranges(who)}: {_ranges(own)}" if who != [""] else _ranges(own) for own, who in alike.items())


def _ranges(refs: list[str] | tuple[str, ...]) -> str:
    """R1–R4, or R1, R3."""
    runs: list[list[str]] = []
    for ref in refs:
        this = re.fullmatch(r"(\D+)(\d+)", ref)
        last = re.fullmatch(r"(\D+)(\d+)", runs[-1][-1]) if runs else None
        if this and last and this[1] == last[1] and int(this[2]) == int(last[2]) + 1:
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return ", ".join("–".join((run[0], run[-1])) if len(run) > 2 else ", ".join(run) for run in runs)


def _markdown(build: Build, rows: list[tuple]) -> str:
    track = build.track.source
    text = [
        f"# Parts for the {build.board.name} with the track {track.name}",
        "",
        f"Board `{build.board.id}`, track `{build.track.id}`, {build.led_map.pixels} pixels under the track, one per "
        f"{'space' if build.light == 'lane' else 'row'}. A second track needs its own pixels and a "
        "plug, and nothing else.",
        "",
        "| " + " | ".join(HEAD) + " |",
        "|" + "---|" * len(HEAD),
    ]
    text += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    text += [
        "",
        f"- **{NOT_CONFIRMED.split(':')[0]}**: nobody has compared this number with the maker's documents yet. Do so before "
        "you order.",
        f"- **{OPTIONAL_PULL_UP}**: only if the display has none of its own between SDA, SCL and VCC; most do.",
        "- Wire lengths are generous estimates.",
        "",
    ]
    return "\n".join(text)
