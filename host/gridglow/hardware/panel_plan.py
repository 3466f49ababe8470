"""The places of dials, keys and screws on a panel, and the sizes of the printed parts: plain arithmetic, as the check before
a build needs it too.

Lengths are mm, seen from the front: x to the right, y up, (0, 0) is the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

from gridglow.boards.boardfile import KEYS, Board
from gridglow.boards.prints import (
    LED_LEAST,
    PLAY,
    WALL,
    Bezel,
    Point,
    Prints,
    bezel_of,
    bezels_of,
    led_apart,
)
from gridglow.tomlfile import Where

EDGE = 9.0  # around everything on a panel; it contains the corners' screws
CORNER = 5.0
GAP = 4.0
KEYS_ABOVE, KEYS_BELOW = 19.0, 16.0  # from the middle of the keys: a cap, plus a sign above, a word below
DICE = tuple("123456")
TRAY_EAR = 5.0  # the tray's corners outside its walls, for screws


@dataclass(frozen=True)
class PanelPlan:
    """A panel: (bezel, middle) of each dial, (purpose, middle) of each key."""

    width: float
    height: float
    dials: tuple[tuple[Bezel, Point], ...]
    keys: tuple[tuple[str, Point], ...]
    screws: tuple[Point, ...]


def plan_panel(board: Board) -> PanelPlan:
    """The panel of a seat: rings, bars below them, the six keys at the bottom."""
    return _plan(board.prints, [(shape, leds) for kind in ("ring", "bar") for shape, leds in board.dials if shape == kind],
                 board.keys)


def plan_dice_pad(board: Board) -> PanelPlan:
    """The panel of the dice pad: six keys, 1 to 6."""
    return _plan(board.prints, [], DICE)


def _plan(prints: Prints, dials: list[tuple[str, int]], keys: tuple[str, ...]) -> PanelPlan:
    rows = _rows([bezel_of(prints, *one) for one in dials], prints.bed_mm - 2 * EDGE)
    keys_wide = (len(keys) - 1) * prints.key_apart_mm + max(prints.key_apart_mm, 18)
    width = max([keys_wide] + [_wide(row) for row in rows]) + 2 * EDGE
    height = sum(max(one.box[1] for one in row) + GAP for row in rows) + KEYS_ABOVE + KEYS_BELOW + 2 * EDGE
    at, placed = height / 2 - EDGE, []
    for row in rows:
        tall = max(one.box[1] for one in row)
        x = -_wide(row) / 2
        for one in row:
            placed.append((one, (x + one.box[0] / 2, at - tall / 2)))
            x += one.box[0] + GAP
        at -= tall + GAP
    first = -(len(keys) - 1) / 2 * prints.key_apart_mm
    return PanelPlan(
        width, height, tuple(placed),
        tuple((key, (first + i * prints.key_apart_mm, at - KEYS_ABOVE)) for i, key in enumerate(keys)),
        tuple((x * (width / 2 - CORNER), y * (height / 2 - CORNER)) for x in (-1, 1) for y in (-1, 1)),
    )


def _wide(row: list[Bezel]) -> float:
    return sum(one.box[0] for one in row) + GAP * (len(row) - 1)


def _rows(bezels: list[Bezel], wide: float) -> list[list[Bezel]]:
    """As many dials per row as fit; rings and bars never share one."""
    rows: list[list[Bezel]] = []
    for one in bezels:
        if rows and rows[-1][0].shape == one.shape and _wide(rows[-1] + [one]) <= wide:
            rows[-1].append(one)
        else:
            rows.append([one])
    return rows


def tray_size(prints: Prints) -> Point:
    """The size of the reader's tray, including its corners for screws."""
    length, width = prints.reader_mm
    return length + 2 * (PLAY + WALL + TRAY_EAR), width + 2 * (PLAY + WALL + TRAY_EAR)


def printed_parts(board: Board) -> list[tuple[str, int, str]]:
    """(name, quantity, description) of the 3D-printed parts; the file is ``stl/NAME_xQUANTITY.stl``."""
    seats = board.seats or 0
    what = {"ring": "Bezel of a dial", "bar": "Bezel of a bar"}
    parts = [(name, board.dials.count(kind) * seats, what[kind[0]]) for kind, name in bezels_of(board.dials).items()]
    parts += [("panel", board.panels or 0, "Panel for keys and dials"),
              ("dice_pad", int(bool(board.wiring.get("dice_pad"))), "Panel of the dice pad"),
              ("reader_tray", int("reader_on" in board.wiring), "Tray of the card reader")]
    return [one for one in parts if one[1]]


def print_faults(board: Board) -> list[tuple[Where, str]]:
    """(where in the board file, what is wrong) for everything that can't be printed."""
    prints, faults = board.prints, []
    for shape, leds in sorted(set(board.dials)):
        key, length = ("ring_leds_mm", prints.ring_leds_mm) if shape == "ring" else ("bar_mm", prints.bar_mm[0])
        apart = led_apart(prints, shape, leds)
        if apart < LED_LEAST:
            faults.append((("prints", key), f"Expected room for {leds} LEDs of at least {LED_LEAST:g} mm each, found "
                           f"{length:g} mm, which leaves {apart:.1f} mm; measure again."))
    if faults or not board.keys or sorted(board.keys) != sorted(KEYS):
        return faults
    plan = plan_panel(board)
    sizes = [("panel", (plan.width, plan.height), "dials")]
    if "reader_on" in board.wiring:
        sizes.append(("tray of the reader", tray_size(prints), "reader_mm"))
    for what, (width, height), key in sizes:
        if max(width, height) > prints.bed_mm:
            where = ("dials", "shapes") if key == "dials" else ("prints", key)
            faults.append((where, f"Expected a {what} that fits the {prints.bed_mm:g} mm of bed_mm, found one of "
                           f"{width:.0f} × {height:.0f} mm; use smaller or fewer parts, or a larger printer."))
    return faults
