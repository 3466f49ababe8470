"""The keys of a board file for the builder: parts and wires.

None of this goes to the firmware. A board file without these keys works for playing; ``gridglow hardware`` says what it
still needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from gridglow.tomlfile import Checker

# Each part of a console, a panel or a track module, by its key in [parts].
ROLES = (
    "pico", "pico_2", "pico_socket", "level_shifter", "socket_14", "resistor", "rail_capacitor", "small_capacitor",
    "console_board",
    "diode", "supply", "supply_cord", "supply_socket", "power_switch", "small_pnp", "reference", "usb_cable",
    "fuse", "fuse_holder", "track_fuse", "dials_fuse",
    "track_socket", "track_plug", "track_board", "pixel", "extension", "ribbon_box", "ribbon_socket", "ribbon",
    "shift_register", "socket_16", "pull_ups", "key", "keycap", "panel_capacitor", "panel_board", "ring", "bar",
    "encoder", "knob", "filter_capacitor", "screen", "screen_socket", "reader", "reader_socket", "card", "buzzer",
    "power_wire", "signal_wire", "screw", "nut",
)
# The continuous current for a copper wire of this gauge (AWG) in a bundle behind a panel: mA, with a wide margin.
WIRE_MA = {16: 8000, 18: 5000, 20: 3500, 22: 2500, 24: 1500, 26: 1000, 28: 700}
PART_KEYS = ("part", "value", "number", "confirmed", "note")
GAUGES = ("power_awg", "signal_awg", "string_awg", "ribbon_awg")
TEXT_FORM = r"[^\x00-\x1f\x7f]{1,120}"


@dataclass(frozen=True)
class Part:
    """A part to order. ``number`` is the maker's, or empty for a part from any maker; ``confirmed`` says whether
    somebody has checked it in the maker's documents."""

    part: str
    value: str = ""
    number: str = ""
    confirmed: bool = True
    note: str = ""


@dataclass(frozen=True)
class Wires:
    """Copper: gauges (AWG) of power wires, signal wires, a track's string and a ribbon's wires; ``ribbon_mm`` from
    panel to panel; after ``feed_pixels`` of a string, 5 V and ground are fed in again."""

    power_awg: int = 18
    signal_awg: int = 24
    string_awg: int = 20
    ribbon_awg: int = 28
    ribbon_mm: int = 500
    feed_pixels: int = 100


def take_wires(check: Checker, table: dict) -> Wires | None:
    """The table [wires]; None if something in it is wrong."""
    one = _table(check, table, "wires", (*GAUGES, "ribbon_mm", "feed_pixels"))
    before, where = len(check.problems), ("wires",)
    gauges = [_take_awg(check, one, where, key, getattr(Wires, key)) for key in GAUGES]
    ribbon = check.take_int(one, where, "ribbon_mm", 50, 3000, Wires.ribbon_mm)
    wires = Wires(*gauges, ribbon, check.take_int(one, where, "feed_pixels", 10, 1000, Wires.feed_pixels))
    return wires if len(check.problems) == before else None


def take_parts(check: Checker, table: dict) -> dict[str, Part]:
    """The table [parts]: the valid ones, by role."""
    parts = {}
    for role, one in _table(check, table, "parts", ROLES).items():
        where = ("parts", role)
        if role not in ROLES:
            continue
        if not isinstance(one, dict):
            check.note(where, 'Expected a part such as { part = "Encoder", number = "PEC11R-4220F-S0024" }, found '
                              f"{one!r}.")
            continue
        before = len(check.problems)
        check.known(one, where, PART_KEYS)
        texts = {key: check.take(one, where, key, str, "") for key in ("value", "number", "note")}
        name = check.take_text(one, where, "part", TEXT_FORM, "a description of the part, 1 to 120 characters")
        confirmed = check.take(one, where, "confirmed", bool, not texts["number"])
        if len(check.problems) == before:
            parts[role] = Part(name, texts["value"], texts["number"], confirmed, texts["note"])
    return parts


def _table(check: Checker, table: dict, key: str, keys: tuple[str, ...]) -> dict:
    one = check.take(table, (), key, dict, {}) or {}
    check.known(one, (key,), keys)
    return one


def _take_awg(check: Checker, table: dict, where: tuple, key: str, usual: int) -> int | None:
    gauge = check.take(table, where, key, int, usual)
    if gauge is not None and gauge not in WIRE_MA:
        check.note(where + (key,), f"Expected a wire gauge in AWG ({', '.join(map(str, WIRE_MA))}), found {gauge}.")
        return None
    return gauge
