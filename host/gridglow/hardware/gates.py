"""What a meter reads at the gates T0, T1 and T2 of assembly: on a correctly built board, and with each likely
fault.

Calculated from the netlist and the parts' data (hardware/docs/parts.md); ``table`` formats it for the page gates.md. A gate
detects a fault if, whatever the parts' tolerances, one of its readings is outside the expected range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from gridglow.boards.boardfile import Board
from gridglow.boards.pinouts import PICO, PICO_LABELS, pico_pad
from gridglow.hardware.circuit import Circuit, Component
from gridglow.hardware.dc import GROUND, Diode, Element, Resistor, Source, Switch, solve
from gridglow.hardware.nets import circuit_of

MODULES = ("power", "guard")  # what is soldered by the time of the gates
JOINT_OHMS = 0.01
TEST_OHMS = 1000.0
# A 1N5817 at both extremes: little and much leakage, and with it a high and a low drop at 5 mA: 0.23 V, 0.14 V.
SCHOTTKY = ((1.0e-6, 1e-6), (2.8e-5, 1e-3))
BODY_A, JUNCTION_A = 1e-12, 1e-14  # of a MOSFET's diode, of a transistor's junction
SWITCH_OHMS, SWITCH_V = 0.025, (1.0, 3.0)  # of a MOSFET that is on; the gate voltages where it may be on, and surely is
REFERENCE_V = (2.470, 2.520)  # TL431A
SUPPLY_V, USB_V, BATTERY_V = (4.95, 5.15), (4.75, 5.25), (8.0, 9.6)
METER_A, METER_V = 0.4e-3, 3.0  # of an ohmmeter: its test current, and its open-circuit voltage
OPEN_OHMS = METER_V / METER_A
PICO_LOAD_OHMS = 150.0
OPEN = 500_000.0  # Ω: more than any path through the soldered parts
PICO_DIODE_A = 3e-6


@dataclass(frozen=True)
class Corner:
    """One set of the parts' tolerances: ``low`` or high supply, the diode, the transistors' threshold, the reference."""

    high: bool
    schottky: tuple[float, float]
    threshold_v: float
    reference_v: float


@dataclass(frozen=True)
class Reading:
    """A value on the meter: ``unit`` is V between two nodes or Ω, right from ``low`` to ``high``."""

    what: str
    a: str
    b: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Gate:
    """How the board is powered for it (``feed`` returns the sources), and what is read."""

    name: str
    does: str
    pico: bool
    feed: Callable[[Corner], list[Element]]
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: of a part "missing", "bridged", "reversed", or two of its pins or wires swapped."""

    ref: str
    how: str
    pins: tuple[str, str] = ("", "")

    @property
    def name(self) -> str:
        return f"{self.ref} {self.how}" if self.ref else "correct"


@dataclass
class Row:
    """For a fault (or the correct build), the ``spans`` of each gate's readings, and the gates that detect it."""

    fault: Fault
    spans: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)


RIGHT = Fault("", "")


def gates_of(board: Board) -> list[Gate]:
    """A board's gates that need a meter, in order."""
    def none(corner: Corner) -> list[Element]:
        return []

    def test(node: str) -> Resistor:
        return Resistor(node, GROUND, TEST_OHMS)

    short = (Reading("5 V to GND", "5V", GROUND, "Ω", 1000, float("inf")),
             Reading("3V3 to GND", "3V3", GROUND, "Ω", 200, float("inf")))
    if board.supply.kind == "usb":
        return [
            Gate("T0", "nothing plugged in", False, none, short),
            Gate("T2", "Pico in, USB", True, none, (
                Reading("5 V rail", "5V", GROUND, "V", 4.5, 5.3),
                Reading("VBUS (40) to the 5 V rail", "A1:40", "5V", "V", -0.02, 0.1),
                Reading("3V3 rail", "3V3", GROUND, "V", 3.25, 3.35))),
        ]
    found = [Gate("T0", "nothing plugged in", False, none, short)]
    if board.supply.guard:
        found += [
            Gate("T1a", "reversed 9 V battery at J1, through 10 kΩ; 1 kΩ from 5 V to GND", False, lambda corner: [
                Source("5V_IN", "LEAD", -BATTERY_V[corner.high]), Resistor("LEAD", GROUND, 10_000), test("5V")],
                (Reading("5 V rail", "5V", GROUND, "V", -0.1, 0.1),)),
            Gate("T1b", "9 V battery at J1, through 470 Ω", False, lambda corner: [
                Source("5V_IN", "LEAD", BATTERY_V[corner.high]), Resistor("LEAD", GROUND, 470)],
                (Reading("5 V rail", "5V", GROUND, "V", -0.1, 1.0), Reading("J1", "5V_IN", GROUND, "V", 5.3, 8.0))),
        ]
    found += [
        Gate("T1", "supply on, Pico out, 1 kΩ from VSYS (39) to GND", False, lambda corner: [
            Source("5V_IN", GROUND, SUPPLY_V[corner.high]), test("A1:39")], (
                Reading("5 V rail", "5V", GROUND, "V", 4.9, 5.2),
                Reading("5 V rail to VSYS (39)", "5V", "A1:39", "V", 0.1, 0.3),
                Reading("VBUS (40)", "A1:40", GROUND, "V", -0.1, 0.1),
                *_divider(board))),
        Gate("T2", "Pico in, USB only, 1 kΩ from 5 V to GND", True, lambda corner: [test("5V")], (
            Reading("5 V rail", "5V", GROUND, "V", -0.1, 1.0), Reading("3V3 rail", "3V3", GROUND, "V", 3.25, 3.35))),
    ]
    return found


def _divider(board: Board) -> list[Reading]:
    """The reading of the pin that measures the rail, if there is one."""
    pin = board.wiring.get("sense")
    pad = "" if pin is None else pico_pad(pin)
    return [Reading(f"GP{pin} ({pad})", f"A1:{pad}", GROUND, "V", 2.3, 2.7)] if pad else []


def faults_of(board: Board) -> list[Fault]:
    """Each part reversed, missing or bridged, and each wire to the Pico on the next pin."""
    circuit = circuit_of(board, 1)
    found = []
    for one in _parts(circuit):
        if one.role in ("pico", "pico_2", "") or one.role == "supply_socket":
            continue
        found.append(Fault(one.ref, "missing"))
        if len(one.pins) == 2:
            found.append(Fault(one.ref, "bridged"))
            if one.role in ("diode", "rail_capacitor"):
                found.append(Fault(one.ref, "reversed"))
        else:
            pins = [number for number, _ in one.pins]
            for a, b in ((0, 1), (1, 2), (0, 2)):
                labels = dict(one.pins)
                found.append(Fault(one.ref, f"with {labels[pins[a]]} and {labels[pins[b]]} swapped", (pins[a], pins[b])))
                found.append(Fault(one.ref, f"with {labels[pins[a]]} and {labels[pins[b]]} bridged", (pins[a], pins[b])))
    for wire in circuit.wires:
        pads = [end for end in (wire.a, wire.b) if end[0] == "A1"]
        if wire.module in MODULES and pads and PICO_LABELS[int(pads[0][1]) - 1] != "GND":
            for way in (-1, 1):
                pad = int(pads[0][1]) + way
                if 1 <= pad <= 40 and (pad - 1) // 20 == (int(pads[0][1]) - 1) // 20:
                    fault = Fault("A1", f"with {wire.net} on pin {pad} ({PICO_LABELS[pad - 1]})", (pads[0][1], str(pad)))
                    found += [fault] if fault not in found else []
    for one, other in (("5V", GROUND), ("3V3", GROUND), ("5V", "3V3")):
        found.append(Fault("RAIL", f"with {one} and {other} bridged", (one, other)))
    return found


def rows_of(board: Board) -> list[Row]:
    """The correct build, then each fault, with the readings of every gate."""
    circuit, gates = circuit_of(board, 1), gates_of(board)
    rows = []
    for fault in [RIGHT, *faults_of(board)]:
        row = Row(fault)
        for gate in gates:
            passes = []
            seen = [_read(circuit, fault, gate, corner) for corner in _corners()]
            for values in seen:
                passes.append(all(one.low <= value <= one.high for one, value in zip(gate.readings, values)))
            row.spans[gate.name] = [(min(values), max(values)) for values in zip(*seen)]
            if not (all(passes) if fault == RIGHT else any(passes)):
                row.told.append(gate.name)
        rows.append(row)
    return rows


def _corners() -> Iterator[Corner]:
    """Both ends of each tolerance, in two combinations."""
    for at, (high, schottky) in enumerate(product((False, True), SCHOTTKY)):
        yield Corner(high, schottky, SWITCH_V[at % 2], REFERENCE_V[at // 2])


def _parts(circuit: Circuit) -> list[Component]:
    return [one for one in circuit.components.values() if one.module in MODULES]


def _read(circuit: Circuit, fault: Fault, gate: Gate, corner: Corner) -> list[float]:
    elements = [*_elements(circuit, fault, corner), *gate.feed(corner)]
    if gate.pico:
        elements += _pico(USB_V[corner.high])
    values = []
    volts = solve(elements) if gate.readings[0].unit == "V" else {}
    for one in gate.readings:
        if one.unit == "Ω":
            volts = solve([*elements, Source(one.a, "METER", METER_V, 1), Resistor("METER", one.b, OPEN_OHMS)])
            across = volts[one.a] - volts[one.b]
            amps = (METER_V - across) / OPEN_OHMS
            values.append(min(across / amps if amps > 1e-9 else 1e9, 1e6))
        else:
            values.append(volts.get(one.a, 0.0) - volts.get(one.b, 0.0))
    return values


def _elements(circuit: Circuit, fault: Fault, corner: Corner) -> list[Element]:
    """The soldered parts, by their nets; the Pico's pads are nodes of their own."""
    node: dict[tuple[str, str], str] = {}
    found: list[Element] = []
    joined = set()
    for wire in circuit.wires:
        if wire.module not in MODULES:
            continue
        for ref, pin in (wire.a, wire.b):
            if ref == "A1":
                pad = fault.pins[1] if fault.ref == "A1" and fault.pins[0] == pin and wire.net in fault.how else pin
                joined.add((wire.net, f"A1:{pad}"))
            node[ref, pin] = wire.net
    found += [Resistor(net, pad, JOINT_OHMS) for net, pad in sorted(joined)]
    if fault.ref == "RAIL":
        found.append(Resistor(*fault.pins, JOINT_OHMS))
    for one in _parts(circuit):
        pins = {label: node.get((one.ref, number), f"{one.ref}:{number}") for number, label in one.pins}
        if one.ref == fault.ref and "missing" in fault.how:
            continue
        if one.ref == fault.ref and fault.pins[0]:
            a, b = (dict(one.pins)[pin] for pin in fault.pins)
            if "swapped" in fault.how:
                pins[a], pins[b] = pins[b], pins[a]
            else:
                found.append(Resistor(pins[a], pins[b], JOINT_OHMS))
        if one.ref == fault.ref and fault.how == "bridged":
            found.append(Resistor(*list(pins.values())[:2], JOINT_OHMS))
        if one.ref == fault.ref and fault.how == "reversed":
            pins = dict(zip(pins, list(pins.values())[::-1]))
        found += _part(one, pins, corner)
    return found


def _part(one: Component, pins: dict[str, str], corner: Corner) -> list[Element]:
    """A part between its nodes; charged capacitors let nothing through."""
    if one.role == "resistor":
        ohms = float(one.value.split()[0]) * (1000 if "kΩ" in one.value else 1)
        return [Resistor(pins["1"], pins["2"], ohms)]
    if one.role == "fuse":
        return [Resistor(pins["1"], pins["2"], 0.05)]
    if one.role == "diode":
        amps, leak = corner.schottky
        return [Diode(pins["anode"], pins["cathode (ring)"], amps, leak)]
    if one.role == "rail_capacitor":  # reversed, it conducts above what its film withstands
        return [Diode(pins["-"], pins["+"], 1e-9)]
    if one.role == "power_switch":
        gate, drain, source = pins["G"], pins["D"], pins["S"]
        return [Diode(drain, source, BODY_A),
                Switch(drain, source, SWITCH_OHMS, lambda v: max(v(drain), v(source)) - v(gate) > corner.threshold_v)]
    if one.role == "small_pnp":
        emitter, base, collector = pins["E"], pins["B"], pins["C"]
        return [Diode(emitter, base, JUNCTION_A), Diode(collector, base, JUNCTION_A),
                Switch(emitter, collector, 20, lambda v: v(emitter) - v(base) > 0.58 and v(emitter) > v(collector) - 0.1)]
    if one.role == "reference":
        ref, anode, cathode = pins["REF"], pins["anode"], pins["cathode"]
        inside = f"{one.ref}:in"
        return [Diode(anode, cathode, JUNCTION_A), Diode(ref, inside, JUNCTION_A), Resistor(inside, anode, 50_000),
                Switch(cathode, anode, 150, lambda v: v(ref) - v(anode) > corner.reference_v and v(cathode) > v(anode))]
    return []


def _pico(usb_v: float) -> list[Element]:
    """A Pico powered by USB: its diode, its converter (which pin 37 at ground switches off), its grounds."""
    grounds = [f"A1:{number}" for number, label in PICO if label == "GND"]
    return [
        *[Resistor(pad, "A1:38", JOINT_OHMS) for pad in grounds if pad != "A1:38"],
        Source("A1:40", "A1:38", usb_v, 0.1), Diode("A1:40", "A1:39", PICO_DIODE_A, 1e-5),
        Resistor("A1:39", "A1:38", PICO_LOAD_OHMS), Resistor("A1:39", "A1:37", 100_000),
        Source("A1:in", "A1:38", 3.3, 0.3),
        Switch("A1:in", "A1:36", 0.1, lambda v: v("A1:39") - v("A1:38") > 1.8 and v("A1:37") - v("A1:38") > 1.2),
        Resistor("A1:36", "A1:38", 50_000), Resistor("A1:35", "A1:36", 200),
    ]


def told_by(row: Row) -> str:
    """The gates that tell a fault; what none tells must be looked at."""
    return ", ".join(row.told) or ("–" if row.fault == RIGHT else "inspection")


def table(board: Board, rows: list[Row]) -> str:
    """The rows as a table for the page gates.md."""
    gates = gates_of(board)
    heads = [f"{gate.name}: {one.what}" for gate in gates for one in gate.readings]
    right = [_span(one.unit, one.low, one.high) for gate in gates for one in gate.readings]
    out = ["| " + " | ".join(["build", *heads, "caught by"]) + " |", "|---|" + "---|" * (len(heads) + 1),
           "| " + " | ".join(["**expected**", *right, ""]) + " |"]
    for row in rows:
        cells = [_span(one.unit, *span) for gate in gates for one, span in zip(gate.readings, row.spans[gate.name])]
        out.append("| " + " | ".join([row.fault.name, *cells, told_by(row)]) + " |")
    return "\n".join(out) + "\n"


def _span(unit: str, low: float, high: float) -> str:
    if unit == "Ω":
        words = ["open" if one >= OPEN else f"{one:,.0f} Ω" if one > 1 else "0 Ω" for one in (low, high)]
        return f"more than {words[0]}" if high == float("inf") else words[0] if words[0] == words[1] else " to ".join(words)
    ends = [f"{one + 0.0:.2f}".replace("-0.00", "0.00") for one in (low, high)]
    return f"{ends[0]} V" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} V"
