"""A track's drawing as a list of layers of marks: paths, discs and words in millimetres, y down.

Made from ``page_geometry``, so it shows what the page and the rules see. ``svg.py`` writes it as SVG, the printed sheets
as PDF; a ``Look`` defines the colours. Colour and number show the difficulty, the darkness of spaces the racing
line, a light dot a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

KERBS = ("#d6323c", "#f4f4ef")
DIFFICULTIES = {1: "#f7d038", 2: "#f08a24", 3: "#e5383b"}
SIGN_INK = {1: "#1b1b1b", 2: "#1b1b1b", 3: "#ffffff"}
HILL_SIGN, DARK_INK, PALE_INK = "#dfe9f5", "#101215", "#f4f4ef"
#: Print colours of painted spaces.
PAINTS = {
    "black": "#17181b", "gold": "#c9962b", "red": "#d8282f", "purple": "#7d3aa8",
    "blue": "#2765c8", "yellow": "#ffe14a", "green": "#2f9a4b", "white": "#f5f4ee",
}
PALE_PAINTS = ("gold", "yellow", "white")
FEWEST_ARROW_ROWS = 3
CHECKS_A_LANE = 6

Points = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Look:
    """Colours: of the road and its border, of gaps between spaces, of spaces by their rank on the racing line (the first
    if a game has none), of words."""

    asphalt: str
    edge: str
    gap: str
    spaces: tuple[str, ...]
    ink: str
    faint_ink: str
    sign: str


SCREEN = Look("#565d68", PALE_INK, "#6a717d", ("#3f454f", "#272b32", "#3c424c", "#525965", "#666d79"), PALE_INK, "#b9c9c1",
              "#ffcf3f")
PAPER = Look("#d9dce1", "#3c424c", "#8b919b", ("#ffffff", "#c9ced6", "#dde1e6", "#eceef1", "#f6f7f8"), DARK_INK, "#4f5661",
             "#9c2a00")


@dataclass(frozen=True)
class Path:
    """Rings of points, filled and stroked. ``dash`` is the length of dashes and of the gaps between them, 0 for none."""

    rings: Sequence[Points]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    closed: bool = True
    opacity: float = 1.0
    dash: float = 0.0
    round: bool = False
    title: str = ""


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str = ""
    width: float = 0.0
    title: str = ""


@dataclass(frozen=True)
class Words:
    """A line of text; ``y`` is its baseline, ``anchor`` "middle" or "end"."""

    x: float
    y: float
    size: float
    text: str
    fill: str
    bold: bool = False
    anchor: str = "middle"


Mark = Path | Disc | Words
Layer = tuple[str, list[Mark]]


def layers(shape: dict, look: Look) -> list[Layer]:
    """Everything drawn of a track, from bottom to top; ``shape`` is its ``page_geometry``. Side roads and ramps emerge
    from below the rows, in layers of the same names."""
    return [
        ("asphalt", _roads(shape, look)),
        ("spaces", _spaces(shape, look, True)),
        ("kerbs", _kerbs(shape)),
        ("asphalt", _asphalt(shape, look)),
        ("spaces", _spaces(shape, look, False)),
        ("veils", [mark for section in shape["sections"] if section["difficulty"] for mark in _veil(shape, section)]),
        ("solid", [Path([line], "", look.edge, shape["lane_mm"] * 0.08, False) for line in shape["solid"]]),
        ("signs", _signs(shape, look)),
        ("pixels", _pixels(shape)),
        ("grid", _grid(shape, look)),
        ("finish", _finish(shape)),
        ("barriers", _barriers(shape)),
        ("rows", _row_numbers(shape, look)),
        ("corners", _corner_signs(shape)),
        ("hills", _hill_signs(shape)),
        ("indicators", _indicators(shape)),
        ("overpasses", _overpasses(shape, look)),
        ("direction", _arrow(shape, look)),
    ]


def asphalt_rings(shape: dict) -> list[Points]:
    """The borders of the main road: two rings for a loop, one for a road with ends."""
    left, right = shape["outline"]["left"], shape["outline"]["right"]
    return [left, right] if shape["closed"] else [left + right[::-1]]


# The road


def _kerbs(shape: dict) -> list[Mark]:
    return [Path([stripe], KERBS[i % 2]) for kerb in shape["kerbs"] for i, stripe in enumerate(kerb["stripes"])
            if not folds(stripe)]


def folds(stripe: Points) -> bool:
    """Whether a bend is so tight that the inner border of this piece of kerb runs backwards."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = stripe[0], stripe[len(stripe) // 2 - 1], stripe[-1], stripe[len(stripe) // 2]
    return (bx - ax) * (dx - cx) + (by - ay) * (dy - cy) <= 0


def _asphalt(shape: dict, look: Look) -> list[Mark]:
    marks: list[Mark] = [Path(asphalt_rings(shape), look.asphalt)]
    edges = [(shape["outline"][side], shape["closed"]) for side in ("left", "right")]
    for road in shape["roads"]:
        if road["kind"] == "start":
            marks.append(Path([road["outline"]], look.asphalt))
            edges.append((road["outline"], True))
    width = shape["lane_mm"] * 0.035
    return marks + [Path([edge], "", look.edge, width, closed) for edge, closed in edges]


def _roads(shape: dict, look: Look) -> list[Mark]:
    roads = [road["outline"] for road in shape["roads"] if road["kind"] != "start"]
    marks: list[Mark] = [Path([outline], look.asphalt) for outline in roads]
    return marks + [Path([outline], "", look.edge, shape["lane_mm"] * 0.07) for outline in roads]


def _spaces(shape: dict, look: Look, beside: bool) -> list[Mark]:
    """The spaces of the rows and the start, or those of the roads beside them."""
    marks: list[Mark] = []
    for space in shape["spaces"]:
        if beside != (space["lane"] > shape["lanes"] and not space["start"]):
            continue
        title = " ".join([space["name"], *space["colours"], *space["marks"]])
        fill = PAINTS[space["colours"][0]] if space["colours"] else look.spaces[space["rank"]]
        gap = shape["lane_mm"] * 0.05
        marks.append(Path([space["polygon"]], fill, look.gap, gap, round=True, title=title))
        if space["further"]:
            marks.append(Path([space["further"]], PAINTS[space["colours"][1]], look.gap, gap, round=True))
    return marks


def space_ink(space: dict, look: Look) -> str:
    """The colour for text on a space."""
    if not space["colours"]:
        return look.ink
    return DARK_INK if space["colours"][-1] in PALE_PAINTS else PALE_INK


def _veil(shape: dict, section: dict) -> list[Mark]:
    """A thin veil of the difficulty's colour over a corner's spaces, and a line of it where the corner begins."""
    colour = DIFFICULTIES[section["difficulty"]]
    rows = range(section["first_row"], section["first_row"] + section["rows"])
    first = _row_of(shape, section["first_row"])
    start, end = first[0]["polygon"][0], first[-1]["polygon"][-1]
    return [
        Path([space["polygon"] for space in shape["spaces"] if space["row"] in rows], colour, opacity=0.2),
        Path([[start, end]], "", colour, shape["lane_mm"] * 0.09, False, round=True),
    ]


def _signs(shape: dict, look: Look) -> list[Mark]:
    lane = shape["lane_mm"]
    return [
        Words(space["sign_at"][0], space["sign_at"][1] + lane * 0.11, lane * 0.3, space["sign"],
              space_ink(space, look) if space["colours"] else look.sign, True)
        for space in shape["spaces"] if space["sign"]
    ]


def _pixels(shape: dict) -> list[Mark]:
    return [Disc(*led["centre"], shape["lane_mm"] * 0.085, "#fffbe6") for led in shape["leds"] if led["centre"]]


def _grid(shape: dict, look: Look) -> list[Mark]:
    """Brackets for the start positions: two rows behind the line of a loop, or the whole start card."""
    lane, pitch = shape["lane_mm"], shape["pitch_mm"]
    wide, front, back = lane * 0.34, pitch * 0.32, pitch * 0.17
    starts = any(space["start"] for space in shape["spaces"])
    return [
        Path([[offset(space, along, left) for along, left in ((back, wide), (front, wide), (front, -wide), (back, -wide))]],
             "", look.edge, lane * 0.06, False, opacity=0.9)
        for space in shape["spaces"]
        if space["start"] or shape["closed"] and not starts and space["row"] > shape["row_count"] - 2
    ]


def _finish(shape: dict) -> list[Mark]:
    """Two rows of checks across the road, one on each side of the line."""
    (left_x, left_y), (right_x, right_y) = shape["finish"]
    squares = CHECKS_A_LANE * shape["lanes"]
    step_x, step_y = (right_x - left_x) / squares, (right_y - left_y) / squares
    ahead_x, ahead_y = step_y, -step_x
    marks: list[Mark] = []
    for rank in (-1, 0):
        for i in range(squares):
            x, y = left_x + i * step_x + rank * ahead_x, left_y + i * step_y + rank * ahead_y
            corners = [(x, y), (x + step_x, y + step_y), (x + step_x + ahead_x, y + step_y + ahead_y),
                       (x + ahead_x, y + ahead_y)]
            marks.append(Path([corners], "#ffffff" if (i + rank) % 2 else DARK_INK))
    return marks


def _barriers(shape: dict) -> list[Mark]:
    """A broken red line across the road and its speed beside it."""
    lane = shape["lane_mm"]
    marks: list[Mark] = []
    for barrier in shape["barriers"]:
        (left_x, left_y), (right_x, right_y) = barrier["line"]
        long = math.hypot(right_x - left_x, right_y - left_y)
        x, y = (end + (end - start) / long * lane * 0.5 for start, end in zip(*barrier["line"]))
        for colour, dash in ((PALE_INK, 0.0), (KERBS[0], lane * 0.2)):
            marks.append(Path([barrier["line"]], "", colour, lane * 0.16, False, dash=dash))
        marks += _number(x, y, lane * 0.3, barrier["speed"], PALE_INK, DARK_INK, f"Speed barrier {barrier['speed']}")
    return marks


def _overpasses(shape: dict, look: Look) -> list[Mark]:
    """The deck of another road above this one, with a shadow, a rail on each side and a broken line in the middle."""
    lane = shape["lane_mm"]
    marks: list[Mark] = []
    for deck in shape["overpasses"]:
        middle = [[(a + b) / 2 for a, b in zip(deck[i], deck[3 - i])] for i in (0, 1)]
        marks += [Path([deck], DARK_INK, DARK_INK, lane * 0.16, opacity=0.45), Path([deck], look.asphalt, title="Overpass"),
                  Path([middle], "", look.edge, lane * 0.04, False, dash=lane * 0.16)]
        marks += [Path([rail], "", look.edge, lane * 0.07, False) for rail in (deck[:2], deck[2:])]
    return marks


def _indicators(shape: dict) -> list[Mark]:
    """The red numbers beside the road."""
    size = min(shape["lane_mm"] * 0.28, 8.5)
    return [mark for one in shape["indicators"]
            for mark in _number(*one["centre"], size, one["upgrades"], KERBS[0], PALE_INK, f"{one['upgrades']} upgrades")]


def _number(x: float, y: float, radius: float, number: int, colour: str, ink: str, title: str, rim: str = "") -> list[Mark]:
    """A disc with a number in it."""
    return [Disc(x, y, radius, colour, rim, 0.8 if rim else 0.0, title),
            Words(x, y + radius * 0.46, radius * 1.3, str(number), ink, True)]


# Signs


def _inside(shape: dict) -> int:
    """The side of the loop's inside: 1 left, -1 right; left for a road with ends."""
    turned = 0.0
    rows = shape["rows"]
    for one, other in zip(rows, rows[1:] + rows[:1]):
        turned += (other["heading_deg"] - one["heading_deg"] + 180) % 360 - 180
    return -1 if turned > 0 and shape["closed"] else 1


def _row_numbers(shape: dict, look: Look) -> list[Mark]:
    """Row numbers in the middle lane, under the pixel: the one place that is never cramped in a corner. Spaces beside the
    rows show their names there."""
    lane = shape["lane_mm"]
    middle = (shape["lanes"] + 1) // 2
    marks: list[Mark] = []
    for space in shape["spaces"]:
        if space["lane"] == middle:
            x, y = space["centre"]
            strong = space["row"] % 5 == 0 or space["row"] == 1
            ink = space_ink(space, look) if strong or space["colours"] else look.faint_ink
            marks.append(Words(x, y + lane * 0.36, lane * 0.25, str(space["row"]), ink, strong))
        elif space["lane"] > shape["lanes"]:
            x, y = space["centre"]
            ink = space_ink(space, look) if space["colours"] else look.faint_ink
            marks.append(Words(x, y + lane * 0.34, lane * 0.22, space["name"], ink))
    return marks


def _sign_place(shape: dict, row: dict, outer: int) -> tuple[float, float, float]:
    """(x, y, radius) of a disc beside a row."""
    lane = shape["lane_mm"]
    radius = min(lane * 0.34, 8.5)
    x, y = offset(row, 0, outer * (shape["lanes"] * lane / 2 + lane * 0.22 + radius * 0.55))
    return x, y, radius


def _corner_signs(shape: dict) -> list[Mark]:
    """A disc in the colour and with the number of the difficulty, outside the corner's first rows."""
    marks: list[Mark] = []
    for section in shape["sections"]:
        difficulty = section["difficulty"]
        if difficulty:
            outer = -1 if section["turn"] == "left" else 1
            title = f"Corner {section['number']}, {section['turn']}, difficulty {difficulty}"
            marks += _number(*_sign_place(shape, shape["rows"][section["first_row"] - 1], outer), difficulty,
                             DIFFICULTIES[difficulty], SIGN_INK[difficulty], title, DARK_INK)
    return marks


def _hill_signs(shape: dict) -> list[Mark]:
    """A disc with a triangle up or down, or a bar for flat, outside the second row of a section with a hill counter."""
    inside = _inside(shape)
    marks: list[Mark] = []
    for section in shape["sections"]:
        if section["hill"]:
            outer = {"left": -1, "right": 1, "": -inside}[section["turn"]]
            row = shape["rows"][section["first_row"] - 1 + min(1, section["rows"] - 1)]
            x, y, radius = _sign_place(shape, row, outer)
            title = section["hill"].capitalize() + ("" if section["hill"] == "flat" else "hill")
            marks += [Disc(x, y, radius, HILL_SIGN, DARK_INK, 0.8, title),
                      Path([_hill_mark(section["hill"], x, y, radius)], DARK_INK)]
    return marks


def _hill_mark(hill: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    wide, high = radius * 0.6, radius * 0.55
    if hill == "flat":
        return [(x - wide, y - high / 4), (x + wide, y - high / 4), (x + wide, y + high / 4), (x - wide, y + high / 4)]
    point = -high if hill == "up" else high
    return [(x - wide, y - point * 0.8), (x + wide, y - point * 0.8), (x, y + point)]


def arrow(shape: dict) -> list[list[float]]:
    """The outline of the driving direction arrow, beside the first rows; [] if there is no straight for it."""
    lane, pitch = shape["lane_mm"], shape["pitch_mm"]
    if shape["sections"][0]["rows"] < FEWEST_ARROW_ROWS:
        return []
    away = _inside(shape) * (shape["lanes"] * lane / 2 + lane * 0.55)
    thick, head = lane * 0.09, lane * 0.22
    long = 2.4 * pitch
    points = [(0, thick), (long - head * 1.6, thick), (long - head * 1.6, head), (long, 0), (long - head * 1.6, -head),
              (long - head * 1.6, -thick), (0, -thick)]
    return [offset(shape["rows"][0], along - pitch * 0.4, away + left) for along, left in points]


def _arrow(shape: dict, look: Look) -> list[Mark]:
    points = arrow(shape)
    return [Path([points], look.ink, title="Driving direction")] if points else []


# Points


def _row_of(shape: dict, row: int) -> list[dict]:
    return [space for space in shape["spaces"] if space["row"] == row]


def offset(at: dict, along: float, left: float) -> list[float]:
    """A point this far ahead of the middle of a row or space, and this far to its left."""
    heading = math.radians(at["heading_deg"])
    cos, sin = math.cos(heading), math.sin(heading)
    return [at["centre"][0] + along * cos + left * sin, at["centre"][1] + along * sin - left * cos]
