"""The printed parts as solids, made with manifold3d: always watertight.

They are drawn as seen from the front: x to the right, y up, z from the face into the depth. That is a mirror image
of the real part with its face on the printer's bed, so ``to_bed`` mirrors each once, at the end; otherwise
all words and numbers would be mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridglow.boards.boardfile import Board
from gridglow.boards.prints import BAFFLE, PLAY, WALL, Point, Prints, bezel_of, bezels_of
from gridglow.hardware.making import load_extra
from gridglow.hardware.panel_plan import CORNER, TRAY_EAR, PanelPlan, plan_dice_pad, plan_panel, tray_size
from gridglow.hardware.strokes import write

if TYPE_CHECKING:
    from manifold3d import CrossSection, Manifold

MAKES = "stl/*.stl"
FACE = 2.0  # thickness of a bezel's flange
CHAMBER = 5.0  # from the face to the LEDs' board, so that light spreads
POCKET = 4.0  # for the LEDs' board
ENGRAVED = 0.6  # three printed layers: deep enough to see, and to fill with paint
LINE = 0.9  # the width of an engraved line; finer in small words
FINE = 0.65
PANEL = 3.0
CLIP = 1.5  # the panel's thickness where a key's clips snap in
CLIP_ROOM = 1.0
# A card must be at most 3 mm above the coil: this plate, plus the reader's board, whose back is against the plate.
TRAY_PLATE = 1.2
READER_BOARD = 1.6
TRAY_TALL = 6.0
TRAY_ENGRAVED = 0.4
HEADER = (24.0, 6.0)  # the room for the reader's pins
SIGN, WORD = 5.5, 3.6  # heights of a key's sign above it, and of its word below
SPREAD = 1.15  # small words are spread out, as their lines would touch
SIGN_UP, WORD_DOWN = 14.5, 13.6  # their middles, measured from the key's
# A key's sign, for those who can't read small letters: lines on a 10 by 10 grid, y up.
SIGNS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "PREV": (((7, 0.5), (2.5, 5), (7, 9.5)),),
    "NEXT": (((3, 0.5), (7.5, 5), (3, 9.5)),),
    "OK": (((0.5, 5), (3.7, 1.5), (9.5, 8.5)),),
    "UNDO": (((4, 9.7), (0.7, 6.5), (4, 3.3)), ((0.7, 6.5), (6.2, 6.5), (8.4, 5.8), (9.4, 3.7), (8.4, 1.5), (6.2, 0.7),
                                               (3.5, 0.7))),
    "WHY": (((2, 7), (2.9, 9), (5, 9.8), (7.1, 9), (8, 7.2), (7.2, 5.4), (5, 4.1), (5, 2.9)), ((5, 0.5), (5, 0.4))),
    "MENU": (((0.5, 1), (9.5, 1)), ((0.5, 5), (9.5, 5)), ((0.5, 9), (9.5, 9))),
    **{
        number: tuple(((x, y), (x, y)) for x, y in points)
        for number, points in {
            "1": [(5, 5)], "2": [(1, 9), (9, 1)], "3": [(1, 9), (5, 5), (9, 1)], "4": [(1, 1), (1, 9), (9, 1), (9, 9)],
            "5": [(1, 1), (1, 9), (5, 5), (9, 1), (9, 9)], "6": [(1, 1), (1, 5), (1, 9), (9, 1), (9, 5), (9, 9)],
        }.items()
    },
}


def solids_of(board: Board) -> dict[str, Manifold]:
    """Every printed part by name, as placed on the bed: face down, in the middle."""
    prints = board.prints
    made = {name: bezel(prints, shape, leds) for (shape, leds), name in bezels_of(board.dials).items()}
    made["panel"] = panel(prints, plan_panel(board))
    if board.wiring.get("dice_pad"):
        made["dice_pad"] = panel(prints, plan_dice_pad(board))
    if "reader_on" in board.wiring:
        made["reader_tray"] = tray(prints)
    return {name: to_bed(solid) for name, solid in made.items()}


def to_bed(seen: Manifold) -> Manifold:
    """What was drawn as seen from the front, as the real part with its face on the bed."""
    return seen.mirror((1, 0, 0))


def bezel(prints: Prints, shape: str, leds: int) -> Manifold:
    """The front of a dial: a flange with windows and numbers, behind it walls between the LEDs, open at the back."""
    plan = bezel_of(prints, shape, leds)
    body_top, chamber_top = FACE + CHAMBER + POCKET, FACE + CHAMBER
    if shape == "ring":
        inner = prints.ring_mm / 2 + PLAY
        shell = _circle(inner + WALL) - _circle(inner)
        apart = _spokes(inner + WALL / 2, leds)
        hub = prints.ring_leds_mm / 2 - plan.window / 2 - 1
        if hub > 2 * BAFFLE:
            apart = (apart - _circle(hub - BAFFLE)) + (_circle(hub) - _circle(hub - BAFFLE))
        flange = _circle(plan.size[0] / 2, 96)
    else:
        length, width = prints.bar_mm[0] + 2 * PLAY, prints.bar_mm[1] + 2 * PLAY
        shell = _box(length + 2 * WALL, width + 2 * WALL) - _box(length, width)
        middles = [(a[0] + b[0]) / 2 for a, b in zip(plan.windows, plan.windows[1:])]
        apart = _union([_box(BAFFLE, width + WALL).translate((x, 0)) for x in middles])
        flange = _rounded(*plan.size, 4)
    windows = _union([_circle(plan.window / 2, 32).translate(at) for at in plan.windows])
    screws = _union([_circle(prints.screw_mm / 2, 32).translate(at) for at in plan.screws])
    numbers = _lines([line for text, at in plan.labels for line in _text(text, at, plan.text)])
    solid = _slab(flange - windows - screws, 0, FACE) + _slab(shell, FACE, body_top)
    if leds > 1:
        solid += _slab(apart, FACE, chamber_top)
    return solid - _slab(numbers, 0, ENGRAVED)


def panel(prints: Prints, plan: PanelPlan) -> Manifold:
    """A plate with holes for bezels and keys; each key's sign is above it, its word below."""
    holes = [_circle(prints.screw_mm / 2, 32).translate(at) for at in plan.screws]
    for dial, (x, y) in plan.dials:
        hole = _circle(dial.hole[0] / 2, 96) if dial.shape == "ring" else _box(*dial.hole)
        holes.append(hole.translate((x, y)))
        holes += [_circle(prints.screw_mm / 2, 32).translate((x + dx, y + dy)) for dx, dy in dial.screws]
    side = prints.key_mm
    holes += [_box(side, side).translate(at) for _, at in plan.keys]
    clips = _union([_box(side + 2 * CLIP_ROOM, side + 2 * CLIP_ROOM).translate(at) for _, at in plan.keys])
    signs = [line for key, (x, y) in plan.keys for line in _sign(key, (x, y + SIGN_UP), SIGN)]
    words = [line for key, (x, y) in plan.keys for line in _text(key, (x, y - WORD_DOWN), WORD, SPREAD)]
    plate = _slab(_rounded(plan.width, plan.height, 4) - _union(holes), 0, PANEL)
    return plate - _slab(clips, CLIP, PANEL) - _slab(_lines(signs) + _lines(words, FINE), 0, ENGRAVED)


def tray(prints: Prints) -> Manifold:
    """Holds the card reader under its plate: the coil's place is marked on the face, its pins have a hole beside it."""
    length, width = (one + 2 * PLAY for one in prints.reader_mm)
    outer, ear = tray_size(prints), prints.screw_mm / 2 + WALL
    corners = [(x * (outer[0] / 2 - CORNER), y * (outer[1] / 2 - CORNER)) for x in (-1, 1) for y in (-1, 1)]
    inside = _box(length, width)
    posts = _union([_circle(ear, 32).translate(at) for at in corners])
    wall = _box(length + 2 * WALL, width + 2 * WALL) - inside
    pins = _box(HEADER[1], HEADER[0]).translate((length / 2 - HEADER[1] / 2 - 1, 0))
    gap = _box(2 * WALL + 2 * TRAY_EAR, HEADER[0]).translate((length / 2 + WALL + TRAY_EAR, 0))
    screws = _union([_circle(prints.screw_mm / 2, 32).translate(at) for at in corners])
    # The coil is the square at the end without pins.
    coil = (-(length - width) / 2, 0.0)
    across = width * 0.36
    lines = [_ring_line(coil, across)] + _text("CARD", coil, min(6.0, across / 2))
    plate = _rounded(*outer, CORNER) - pins
    solid = _slab(plate, 0, TRAY_PLATE) + _slab((wall + posts - inside) - gap, TRAY_PLATE, TRAY_TALL)
    return solid - _slab(screws, 0, TRAY_TALL) - _slab(_lines(lines), 0, TRAY_ENGRAVED)


def _section(contours: list[list[Point]]) -> CrossSection:
    m = load_extra("manifold3d", MAKES)
    load_extra("numpy", MAKES)
    return m.CrossSection(contours, m.FillRule.NonZero)


def _union(sections: list[CrossSection]) -> CrossSection:
    m = load_extra("manifold3d", MAKES)
    return m.CrossSection.batch_boolean(sections, m.OpType.Add) if sections else m.CrossSection()


def _slab(section: CrossSection, low: float, high: float) -> Manifold:
    """A flat shape extruded between two heights."""
    m = load_extra("manifold3d", MAKES)
    return m.Manifold.extrude(section, high - low).translate((0, 0, low))


def _circle(radius: float, sides: int = 64) -> CrossSection:
    return _section([[(radius * math.cos(a), radius * math.sin(a)) for a in _turn(sides)]])


def _turn(sides: int) -> list[float]:
    return [2 * math.pi * i / sides for i in range(sides)]


def _box(wide: float, tall: float) -> CrossSection:
    return _section([[(-wide / 2, -tall / 2), (wide / 2, -tall / 2), (wide / 2, tall / 2), (-wide / 2, tall / 2)]])


def _rounded(wide: float, tall: float, radius: float) -> CrossSection:
    """A box with round corners."""
    contour = []
    for i, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(9):
            a = math.pi / 2 * (i + step / 8)
            contour.append((x * (wide / 2 - radius) + radius * math.cos(a), y * (tall / 2 - radius) + radius * math.sin(a)))
    return _section([contour])


def _spokes(radius: float, leds: int) -> CrossSection:
    """A wall from the middle outwards between every two LEDs."""
    spoke = _box(BAFFLE, radius).translate((0, radius / 2))
    return _union([spoke.rotate(360 * (i + 0.5) / leds) for i in range(leds)])


def _lines(lines: Iterable[list[Point]], wide: float = LINE) -> CrossSection:
    """Lines for engraving: with a width and round ends."""
    pieces, caps = [], 5
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:] or line):
            way = math.atan2(by - ay, bx - ax)
            width = wide / 2 if (ax, ay) != (bx, by) else wide * 0.8  # a dot is wider than a line
            ends = [(bx, by, way - math.pi / 2), (ax, ay, way + math.pi / 2)]
            pieces.append(_section([[
                (x + width * math.cos(begin + math.pi * i / caps), y + width * math.sin(begin + math.pi * i / caps))
                for x, y, begin in ends for i in range(caps + (0 if (ax, ay) == (bx, by) else 1))
            ]]))
    return _union(pieces)


def _text(text: str, at: Point, size: float, spread: float = 1) -> list[list[Point]]:
    """The strokes of a word around its middle."""
    x, y = at
    return [[(x + px * spread, y - py) for px, py in line] for line in write(text, 0, size / 2, size)]


def _sign(key: str, at: Point, size: float) -> list[list[Point]]:
    return [[(at[0] + (x - 5) * size / 10, at[1] + (y - 5) * size / 10) for x, y in line] for line in SIGNS[key]]


def _ring_line(at: Point, radius: float) -> list[Point]:
    turn = _turn(48)
    return [(at[0] + radius * math.cos(a), at[1] + radius * math.sin(a)) for a in turn + turn[:1]]
