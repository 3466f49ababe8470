"""What happens if a ribbon's plug goes into a box that it isn't meant for, or in reverse: calculated from the netlists.

``pairings`` has every pair of boxes that accept the same plug; ``faults`` says what would burn. Data come from the parts'
data sheets, see hardware/docs/parts.md. All values are the worst case: drivers are high or low, whichever hurts most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from gridglow.boards.boardfile import Board
from gridglow.hardware.circuit import Circuit, End
from gridglow.hardware.nets import circuit_of

VOLTS = {"5V": 5.25, "3V3": 3.4, "GND": 0.0}  # the rails' maxima
# What a pin withstands, mA: as a driver, and flowing into it when lifted above its own rail (0: not specified).
DRIVES = {("level_shifter", "Y"): ("5V", 25.0), ("shift_register", "QH"): ("3V3", 25.0), ("dial", "DOUT"): ("5V", 10.0),
          ("pico", "GP"): ("3V3", 12.0)}
TAKES = {("shift_register", ""): ("3V3", 20.0), ("dial", "DIN"): ("5V", 0.0), ("pico", "GP"): ("3V3", 0.0)}
RAIL_BEARS = {"5V": 5.5, "3V3": 7.0}  # V: WS2812B and 74HC165, the only parts that a panel has on them
ABOVE_RAIL = 0.5  # V
DIALS = ("ring", "bar")
CONSOLE, PANEL = "console", "panel"


@dataclass(frozen=True)
class Contact:
    """What a pin of a box leads to: ``kind`` is "rail", "driver" or "input"; ``rail`` names the rail, or the one that powers
    the part; ``ohms`` are in between; ``bears`` is in mA."""

    kind: str
    rail: str
    ohms: float
    bears: float
    what: str


@dataclass(frozen=True)
class Box:
    """A box for a ribbon, with what each of its pins leads to on its own board."""

    board: str
    ref: str
    side: str
    pins: tuple[tuple[Contact, ...], ...]

    @property
    def name(self) -> str:
        return f"{self.board} {self.ref}"


@dataclass(frozen=True)
class Pairing:
    """A ribbon from box ``one``, whose side has power, to box ``other``; pin n of one meets pin ``meets[n - 1]`` of
    other."""

    one: Box
    other: Box
    meets: tuple[int, ...]
    turned: bool

    @property
    def name(self) -> str:
        return f"{self.one.name} to {self.other.name}{', reversed' if self.turned else ''}"


def boxes_of(board: Board) -> list[Box]:
    """The boxes of the console board, the first panel and the last one."""
    circuit = circuit_of(board, 1)
    nets = {end: net for net, ends in circuit.nets().items() for end in ends}
    last = f"P{board.panels}."
    return [Box(board.id, ref, PANEL if "." in ref else CONSOLE,
                tuple(_contacts(circuit, nets, board, (ref, number)) for number, _ in one.pins))
            for ref, one in circuit.components.items()
            if one.role == "ribbon_box" and ("." not in ref or ref.startswith(("P1.", last)))]


def pairings(boards: Iterable[Board]) -> Iterator[Pairing]:
    """Every pair of boxes that a ribbon can join, in each orientation. A plug with fewer poles goes into the middle of a
    larger box. A ribbon doesn't join two consoles: that isn't a mix-up that happens."""
    boxes = [box for board in boards for box in boxes_of(board)]
    for one in boxes:
        for other in boxes:
            if CONSOLE in (one.side, other.side) and (one.side, other.side) != (CONSOLE, PANEL):
                continue
            poles = min(len(one.pins), len(other.pins))
            mine, theirs = (len(one.pins) - poles) // 2, (len(other.pins) - poles) // 2
            straight = [pin - mine + theirs for pin in range(1, len(one.pins) + 1)]
            turned = [len(other.pins) + 1 - pin for pin in straight]
            yield Pairing(one, other, tuple(straight), False)
            yield Pairing(one, other, tuple(turned), True)


def faults(pairing: Pairing) -> list[str]:
    """One sentence for each thing that this pairing would damage."""
    wired, driven = _rails(pairing)
    found = [f"{rail} of the panel is on {' and '.join(sorted(names))}" for rail, names in wired.items() if len(names) > 1]
    if "GND" not in wired["GND"]:
        found.append("the panel has no ground")
    if found:
        return found
    most = {rail: max((VOLTS[name] for name in wired[rail] | driven[rail]), default=0.0) for rail in wired}
    least = {rail: max((VOLTS[name] for name in wired[rail]), default=0.0) for rail in wired}
    for joined, (mine, theirs) in enumerate(_nets(pairing), 1):
        volts = [_volts(contact, (VOLTS[contact.rail], VOLTS[contact.rail])) for contact in mine]
        volts += [_volts(contact, (most[contact.rail], least[contact.rail])) for contact in theirs]
        contacts = [*mine, *theirs]
        found += [f"pin {joined}: {say}" for say in _net_faults(contacts, volts, len(mine))]
    found += [f"{rail} of the panel gets {volt:.2f} V" for rail, volt in most.items() if volt > RAIL_BEARS.get(rail, 99.0)]
    return found


def _nets(pairing: Pairing) -> Iterator[tuple[tuple[Contact, ...], tuple[Contact, ...]]]:
    for pin, meets in zip(pairing.one.pins, pairing.meets):
        yield pin, pairing.other.pins[meets - 1] if 0 < meets <= len(pairing.other.pins) else ()


def _rails(pairing: Pairing) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each rail of the plugged-in panel: the rails that it is joined to, and the rails of what drives it."""
    wired: dict[str, set[str]] = {"5V": set(), "3V3": set(), "GND": set()}
    driven: dict[str, set[str]] = {"5V": set(), "3V3": set(), "GND": set()}
    for mine, theirs in _nets(pairing):
        for rail in {contact.rail for contact in theirs if contact.kind == "rail"}:
            wired[rail] |= {contact.rail for contact in mine if contact.kind == "rail"}
            driven[rail] |= {contact.rail for contact in mine if contact.kind == "driver"}
    return wired, driven


def _volts(contact: Contact, rails: tuple[float, float]) -> tuple[float, float]:
    """(the most that it gives, the least that its part's rail has) in V, from the rail's most and least."""
    return (rails[0] if contact.kind != "input" else 0.0), rails[1]


def _net_faults(contacts: list[Contact], volts: list[tuple[float, float]], mine: int) -> list[str]:
    found = []
    for a, b in combinations(range(len(contacts)), 2):
        one, other = contacts[a], contacts[b]
        across = (a < mine) != (b < mine)
        if not across or "input" in (one.kind, other.kind):
            continue
        if one.kind == other.kind == "rail":
            if one.rail != other.rail:
                found.append(f"{one.what} meets {other.what}")
            continue
        most, ohms = max(volts[a][0], volts[b][0]), one.ohms + other.ohms
        bears = min(one.bears, other.bears)
        if not ohms or 1000 * most / ohms > bears:
            ma = f"{1000 * most / ohms:.0f} mA" if ohms else "no resistor between"
            found.append(f"{one.what} meets {other.what}: {ma}, but it withstands {bears:.0f} mA")
    for at, contact in enumerate(contacts):
        if contact.kind != "input":
            continue
        for by, driver in enumerate(contacts):
            over = volts[by][0] - volts[at][1] - ABOVE_RAIL
            if driver.kind == "input" or over <= 0:
                continue
            ohms = driver.ohms + contact.ohms
            if not ohms or 1000 * over / ohms > contact.bears:
                found.append(f"{contact.what} gets {volts[by][0]:.1f} V from {driver.what}, {volts[at][1]:.1f} V is its "
                             "own")
    return found


def _contacts(circuit: Circuit, nets: dict[End, str], board: Board, start: End) -> tuple[Contact, ...]:
    """Everything that a pin of a box leads to on its own board, without ribbons; through resistors too."""
    ways: dict[End, list[End]] = {}
    for wire in circuit.wires:
        if wire.kind != "ribbon" and wire.module != "track":
            ways.setdefault(wire.a, []).append(wire.b)
            ways.setdefault(wire.b, []).append(wire.a)
    owner = start[0].partition(".")[0] if "." in start[0] else ""
    label = dict(circuit.components[start[0]].pins)[start[1]]
    if label in VOLTS:
        return (Contact("rail", label, 0.0, 1e9, f"{label} of {owner or 'the console'}"),)
    found: list[Contact] = []
    seen, left = {start}, [(start, 0.0)]
    while left:
        end, ohms = left.pop()
        here = _contact(circuit, board, end, ohms)
        if here is not None:
            found.append(here)
        part = circuit.components[end[0]]
        after = [(other, ohms) for other in ways.get(end, ())]
        if part.role == "resistor":
            value = float(part.value.split()[0]) * (1000 if "kΩ" in part.value else 1)
            after += [((end[0], "2" if end[1] == "1" else "1"), ohms + value)]
        elif part.role == "pull_ups" and end[1] != "1":
            found.append(Contact("rail", "3V3", ohms + 10_000, 1e9, f"a pull-up of {part.ref}"))
        for other, more in after:
            net = nets.get(other, "")
            if other in seen:
                continue
            seen.add(other)
            if net in ("GND", "3V3") or net.startswith("5V"):
                found.append(Contact("rail", "5V" if net.startswith("5V") else net, more, 1e9, f"{net} through a resistor"))
            else:
                left.append((other, more))
    return tuple(one for one in found if one.kind != "rail" or one.ohms < 1000)  # a pull resistor's current is harmless


def _contact(circuit: Circuit, board: Board, end: End, ohms: float) -> Contact | None:
    """What a part's pin means to whatever is joined to it."""
    part = circuit.components[end[0]]
    label = dict(part.pins)[end[1]]
    what = f"{part.ref} {label}"
    role = "dial" if part.role in DIALS else "pico" if part.role.startswith("pico") else part.role
    kind = "GP" if role == "pico" else "Y" if role == "level_shifter" and label.endswith("Y") else label
    on = board.wiring.get("panels_on", {})
    drives = role != "pico" or label in (f"GP{on.get('clock')}", f"GP{on.get('latch')}")
    if (role, kind) in DRIVES and drives:
        rail, bears = DRIVES[role, kind]
        return Contact("driver", rail, ohms, bears, what)
    takes = TAKES.get((role, kind)) or (TAKES.get((role, "")) if role == "shift_register" else None)
    return Contact("input", takes[0], ohms, takes[1], what) if takes else None


__all__ = ["Box", "Contact", "Pairing", "boxes_of", "faults", "pairings"]
