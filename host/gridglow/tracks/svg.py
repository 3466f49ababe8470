"""A track as an SVG drawing to scale: one user unit is one millimetre of the board.

Drawn from ``page_geometry``, so it shows what the page and the rules see. Difficulty is told by colour and
number, the racing line by how dark its spaces are, a pixel by a light dot.
"""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from gridglow.tracks.compiled import CompiledTrack, page_geometry

BOARD, BOARD_RIM, SHADOW = "#22382f", "#2f4b40", "#16251f"
ASPHALT, EDGE_LINE, GAP = "#565d68", "#f4f4ef", "#6a717d"
SPACES = {0: "#3f454f", 1: "#272b32", 2: "#3c424c", 3: "#525965", 4: "#666d79"}
KERBS = ("#d6323c", "#f4f4ef")
DIFFICULTIES = {1: "#f7d038", 2: "#f08a24", 3: "#e5383b"}
SIGN_INK = {1: "#1b1b1b", 2: "#1b1b1b", 3: "#ffffff"}
HILL_SIGN, HILL_INK = "#dfe9f5", "#101215"
INK, FAINT_INK, SIGN = "#f4f4ef", "#b9c9c1", "#ffcf3f"
#: Printed colours of painted spaces.
PAINTS = {
    "black": "#17181b", "gold": "#c9962b", "red": "#d8282f", "purple": "#7d3aa8",
    "blue": "#2765c8", "yellow": "#ffe14a", "green": "#2f9a4b", "white": "#f5f4ee",
}
PALE, DARK_INK = ("gold", "yellow", "white"), "#101215"
FONT = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
FEWEST_ARROW_ROWS = 3


def draw_svg(compiled: CompiledTrack) -> str:
    """The drawing as text of an SVG file. Raises BadTrack for a track without angles."""
    shape = page_geometry(compiled)
    width, height = shape["width_mm"], shape["height_mm"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">',
        f"<title>{escape(shape['name'])}</title>",
        f"<desc>{escape(_describe(shape))}</desc>",
        f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{BOARD}"/>',
        f'<rect x="4" y="4" width="{width - 8:g}" height="{height - 8:g}" rx="9" fill="none" '
        f'stroke="{BOARD_RIM}" '
        'stroke-width="1.5"/>',
    ]
    for draw in (_road, _spaces, _grid, _finish, _barriers, _row_numbers, _corner_signs, _hill_signs, _indicators, _arrow,
                 _title):
        parts += draw(shape)
    return "\n".join(parts) + "\n</svg>\n"


def _describe(shape: dict) -> str:
    corners = [section for section in shape["sections"] if section["kind"] == "corner"]
    return (
        f"{shape['row_count']} rows, {shape['lanes']} lanes, {len(corners)} corners, {shape['laps']} laps; "
        f"pitch {shape['pitch_mm']:.1f} mm"
    )


# The road


def _road(shape: dict) -> list[str]:
    lane = shape["lane_mm"]
    left, right = shape["outline"]["left"], shape["outline"]["right"]
    asphalt = f"{_path(left, True)} {_path(right, True)}" if shape["closed"] else _path(left + right[::-1], True)
    parts = [
        f'<path d="{asphalt}" fill="{SHADOW}" fill-rule="evenodd" stroke="{SHADOW}" stroke-width="{lane * 0.7:.2f}" '
        'stroke-linejoin="round"/>',
        '<g id="kerbs">',
    ]
    for kerb in shape["kerbs"]:
        for i, stripe in enumerate(kerb["stripes"]):
            parts.append(f'<path d="{_path(stripe, True)}" fill="{KERBS[i % 2]}"/>')
    parts.append("</g>")
    parts.append(f'<path d="{asphalt}" fill="{ASPHALT}" fill-rule="evenodd"/>')
    edges = [(edge, shape["closed"]) for edge in (left, right)]
    for road in shape["roads"]:
        parts.append(f'<path d="{_path(road["outline"], True)}" fill="{ASPHALT}"/>')
        edges.append((road["outline"], True))
    for edge, closed in edges:
        parts.append(
            f'<path d="{_path(edge, closed)}" fill="none" stroke="{EDGE_LINE}" '
            f'stroke-width="{lane * 0.035:.2f}"/>'
        )
    return parts


def _spaces(shape: dict) -> list[str]:
    lane = shape["lane_mm"]
    parts = [f'<g id="spaces" stroke="{GAP}" stroke-width="{lane * 0.05:.2f}" stroke-linejoin="round">']
    for space in shape["spaces"]:
        parts.append(
            f'<path d="{_path(space["polygon"], True)}" fill="{_fill(space)}">'
            f"<title>{' '.join([space['name'], *space['colours'], *space['marks']])}</title></path>"
        )
        if space["further"]:
            parts.append(f'<path d="{_path(space["further"], True)}" fill="{PAINTS[space["colours"][1]]}"/>')
    parts.append("</g>")
    for section in shape["sections"]:
        if section["difficulty"]:
            parts += _tint(shape, section)
    parts.append(f'<g id="signs" font-size="{lane * 0.3:.2f}" font-weight="bold" text-anchor="middle" fill="{SIGN}">')
    for space in shape["spaces"]:
        if space["sign"]:
            x, y = _offset(space, 0, 0)
            ink = f' fill="{_ink(space)}"' if space["colours"] else ""
            parts.append(f'<text x="{x:.2f}" y="{y - lane * 0.15:.2f}"{ink}>{escape(space["sign"])}</text>')
    parts.append("</g>")
    parts.append('<g id="pixels" fill="#fffbe6">')
    for led in shape["leds"]:
        x, y = led["centre"]
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{lane * 0.085:.2f}"/>')
    parts.append("</g>")
    return parts


def _fill(space: dict) -> str:
    return PAINTS[space["colours"][0]] if space["colours"] else SPACES[space["rank"]]


def _ink(space: dict) -> str:
    """What can be read on a painted space."""
    return DARK_INK if space["colours"][-1] in PALE else INK


def _tint(shape: dict, section: dict) -> list[str]:
    """A corner's spaces under a thin veil of its colour, and a line of it where the corner begins."""
    colour = DIFFICULTIES[section["difficulty"]]
    rows = range(section["first_row"], section["first_row"] + section["rows"])
    veil = "".join(_path(space["polygon"], True) for space in shape["spaces"] if space["row"] in rows)
    first = _row_of(shape, section["first_row"])
    start, end = first[0]["polygon"][0], first[-1]["polygon"][-1]
    return [
        f'<path d="{veil}" fill="{colour}" fill-opacity="0.2"/>',
        f'<path d="{_path([start, end], False)}" stroke="{colour}" '
        f'stroke-width="{shape["lane_mm"] * 0.09:.2f}" stroke-linecap="round"/>',
    ]


def _grid(shape: dict) -> list[str]:
    """Brackets for the start positions: two rows behind the line of a loop, or the whole start card."""
    lane, pitch = shape["lane_mm"], shape["pitch_mm"]
    parts = [f'<g id="grid" fill="none" stroke="{EDGE_LINE}" stroke-width="{lane * 0.06:.2f}" opacity="0.9">']
    wide, front, back = lane * 0.34, pitch * 0.32, pitch * 0.17
    starts = any(space["start"] for space in shape["spaces"])
    for space in shape["spaces"]:
        if space["start"] or shape["closed"] and not starts and space["row"] > shape["row_count"] - 2:
            points = [
                _offset(space, along, left)
                for along, left in ((back, wide), (front, wide), (front, -wide), (back, -wide))
            ]
            parts.append(f'<path d="{_path(points, False)}"/>')
    parts.append("</g>")
    return parts


def _finish(shape: dict) -> list[str]:
    """Three ranks of checks across the road, right behind the line."""
    (left_x, left_y), (right_x, right_y) = shape["finish"]
    squares = 6 * shape["lanes"]
    step_x, step_y = (right_x - left_x) / squares, (right_y - left_y) / squares
    ahead_x, ahead_y = step_y, -step_x
    parts = ['<g id="finish">']
    for rank in (-1, 0):
        for i in range(squares):
            x, y = left_x + i * step_x + rank * ahead_x, left_y + i * step_y + rank * ahead_y
            points = [
                [x, y],
                [x + step_x, y + step_y],
                [x + step_x + ahead_x, y + step_y + ahead_y],
                [x + ahead_x, y + ahead_y],
            ]
            parts.append(
                f'<path d="{_path(points, True)}" fill="{"#ffffff" if (i + rank) % 2 else "#101215"}"/>'
            )
    parts.append("</g>")
    return parts


def _barriers(shape: dict) -> list[str]:
    """A broken red line across the road and its speed beside it."""
    lane = shape["lane_mm"]
    parts = ['<g id="barriers">']
    for barrier in shape["barriers"]:
        (left_x, left_y), (right_x, right_y) = barrier["line"]
        long = math.hypot(right_x - left_x, right_y - left_y)
        x, y = (end + (end - start) / long * lane * 0.5 for start, end in zip(*barrier["line"]))
        for colour, dashes in ((EDGE_LINE, ""), (KERBS[0], f' stroke-dasharray="{lane * 0.2:.2f}"')):
            parts.append(f'<path d="{_path(barrier["line"], False)}" stroke="{colour}" '
                         f'stroke-width="{lane * 0.16:.2f}"{dashes}/>')
        parts.append(_number(x, y, lane * 0.3, barrier["speed"], EDGE_LINE, DARK_INK, f"Speed barrier {barrier['speed']}"))
    parts.append("</g>")
    return parts


def _indicators(shape: dict) -> list[str]:
    """The red numbers beside the road."""
    size = min(shape["lane_mm"] * 0.28, 8.5)
    return ['<g id="indicators">'] + [
        _number(*one["centre"], size, one["upgrades"], KERBS[0], INK, f"{one['upgrades']} upgrades")
        for one in shape["indicators"]
    ] + ["</g>"]


def _number(x: float, y: float, radius: float, number: int, colour: str, ink: str, title: str) -> str:
    """A disc with a number in it."""
    return (f'<g text-anchor="middle"><title>{title}</title>'
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{colour}"/>'
            f'<text x="{x:.2f}" y="{y + radius * 0.46:.2f}" font-size="{radius * 1.3:.2f}" font-weight="bold" fill="{ink}">'
            f"{number}</text></g>")


# Signs


def _inside(shape: dict) -> int:
    """The side where the loop lies: 1 left, -1 right; left of a road."""
    turned = 0.0
    rows = shape["rows"]
    for one, other in zip(rows, rows[1:] + rows[:1]):
        turned += (other["heading_deg"] - one["heading_deg"] + 180) % 360 - 180
    return -1 if turned > 0 and shape["closed"] else 1


def _row_numbers(shape: dict) -> list[str]:
    """In the middle lane, under the pixel: the one place that is never cramped in a corner."""
    lane = shape["lane_mm"]
    middle = (shape["lanes"] + 1) // 2
    parts = [f'<g id="rows" font-size="{lane * 0.25:.2f}" text-anchor="middle" fill="{FAINT_INK}">']
    for space in shape["spaces"]:
        if space["lane"] == middle:
            x, y = space["centre"]
            strong = f' font-weight="bold" fill="{INK}"' if space["row"] % 5 == 0 or space["row"] == 1 else ""
            if space["colours"]:
                strong = f' fill="{_ink(space)}"' + (' font-weight="bold"' if strong else "")
            parts.append(f'<text x="{x:.2f}" y="{y + lane * 0.36:.2f}"{strong}>{space["row"]}</text>')
    parts.append("</g>")
    return parts


def _corner_signs(shape: dict) -> list[str]:
    """A disc in the colour and with the number of the difficulty, outside the corner's first rows."""
    lane = shape["lane_mm"]
    radius = min(lane * 0.34, 8.5)
    away = shape["lanes"] * lane / 2 + lane * 0.22 + radius * 0.55
    parts = ['<g id="corners" text-anchor="middle">']
    for section in shape["sections"]:
        if not section["difficulty"]:
            continue
        outer = -1 if section["turn"] == "left" else 1
        x, y = _offset(shape["rows"][section["first_row"] - 1], 0, outer * away)
        colour, ink = DIFFICULTIES[section["difficulty"]], SIGN_INK[section["difficulty"]]
        parts.append(
            f"<g><title>Corner {section['number']}, {section['turn']}, "
            f"difficulty {section['difficulty']}</title>"
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{colour}" stroke="#101215" '
            f'stroke-width="0.8"/><text x="{x:.2f}" y="{y + radius * 0.46:.2f}" '
            f'font-size="{radius * 1.3:.2f}" font-weight="bold" '
            f'fill="{ink}">{section["difficulty"]}</text></g>'
        )
    parts.append("</g>")
    return parts


def _hill_signs(shape: dict) -> list[str]:
    """A disc with a triangle up or down, or a bar for flat, outside the second row of a section with such a counter."""
    lane = shape["lane_mm"]
    radius = min(lane * 0.34, 8.5)
    away = shape["lanes"] * lane / 2 + lane * 0.22 + radius * 0.55
    inside = _inside(shape)
    parts = ['<g id="hills">']
    for section in shape["sections"]:
        if not section["hill"]:
            continue
        outer = {"left": -1, "right": 1, "": -inside}[section["turn"]]
        row = shape["rows"][section["first_row"] - 1 + min(1, section["rows"] - 1)]
        x, y = _offset(row, 0, outer * away)
        parts.append(
            f'<g><title>{section["hill"].capitalize()}{"" if section["hill"] == "flat" else "hill"}</title>'
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{HILL_SIGN}" stroke="{HILL_INK}" '
            f'stroke-width="0.8"/><path d="{_path(_hill_mark(section["hill"], x, y, radius), True)}" '
            f'fill="{HILL_INK}"/></g>'
        )
    parts.append("</g>")
    return parts


def _hill_mark(hill: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    wide, high = radius * 0.6, radius * 0.55
    if hill == "flat":
        return [(x - wide, y - high / 4), (x + wide, y - high / 4), (x + wide, y + high / 4), (x - wide, y + high / 4)]
    point = -high if hill == "up" else high
    return [(x - wide, y - point * 0.8), (x + wide, y - point * 0.8), (x, y + point)]


def _arrow(shape: dict) -> list[str]:
    """The driving direction, beside the first rows."""
    lane, pitch = shape["lane_mm"], shape["pitch_mm"]
    first = shape["sections"][0]
    if first["rows"] < FEWEST_ARROW_ROWS:
        return []
    side = _inside(shape)
    away = side * (shape["lanes"] * lane / 2 + lane * 0.55)
    start = shape["rows"][0]
    thick, head = lane * 0.09, lane * 0.22
    long = 2.4 * pitch
    points = [
        (0, thick),
        (long - head * 1.6, thick),
        (long - head * 1.6, head),
        (long, 0),
        (long - head * 1.6, -head),
        (long - head * 1.6, -thick),
        (0, -thick),
    ]
    placed = [_offset(start, along - pitch * 0.4, away + left) for along, left in points]
    return [
        f'<path id="direction" d="{_path(placed, True)}" fill="{INK}"><title>Driving direction</title></path>'
    ]


def _title(shape: dict) -> list[str]:
    """Name and key figures, where the loop leaves the most room."""
    words = [
        (shape["name"], 1.0, "bold", INK),
        (
            "  ·  ".join(
                [f"{shape['row_count']} rows"]
                + ([f"{shape['laps']} laps"] if shape["closed"] and shape["laps"] > 1 else [])
                + [shape["level"]]
            ),
            0.5,
            "normal",
            FAINT_INK,
        ),
    ]
    wide = max(len(text) * size * 0.66 for text, size, *_ in words)
    x, y, size = _room(shape, max(wide, 12.5), 4.6)
    parts = ['<g id="title" text-anchor="middle">']
    down = y - size * 1.0
    for text, part, weight, ink in words:
        parts.append(
            f'<text x="{x:.1f}" y="{down:.1f}" font-size="{size * part:.2f}" font-weight="{weight}" '
            f'fill="{ink}">{escape(text)}</text>'
        )
        down += size * 0.95
    radius = size * 0.36
    down += radius * 0.6
    difficult = any(section["difficulty"] for section in shape["sections"])
    if difficult:
        parts.append(
            f'<text x="{x - size * 1.0:.1f}" y="{down + size * 0.16:.1f}" font-size="{size * 0.46:.2f}" '
            f'text-anchor="end" fill="{FAINT_INK}">corner difficulty</text>'
        )
    for i, (difficulty, colour) in enumerate(DIFFICULTIES.items() if difficult else ()):
        at = x + size * (-0.3 + i * 0.95)
        parts.append(
            f'<circle cx="{at:.1f}" cy="{down:.1f}" r="{radius:.2f}" fill="{colour}"/>'
            f'<text x="{at:.1f}" y="{down + radius * 0.46:.1f}" font-size="{radius * 1.3:.2f}" '
            f'font-weight="bold" fill="{SIGN_INK[difficulty]}">{difficulty}</text>'
        )
    if any(space["rank"] for space in shape["spaces"]):
        down += size * 0.95
        for i in range(shape["lanes"]):
            parts.append(
                f'<rect x="{x + size * (-0.66 + i * 0.95):.1f}" y="{down - radius * 0.9:.1f}" '
                f'width="{size * 0.72:.1f}" height="{radius * 1.8:.1f}" rx="{radius * 0.3:.1f}" '
                f'fill="{SPACES[i + 1]}" stroke="{GAP}" stroke-width="{size * 0.04:.2f}"/>'
            )
        parts.append(
            f'<text x="{x - size * 1.0:.1f}" y="{down + size * 0.16:.1f}" font-size="{size * 0.46:.2f}" '
            f'text-anchor="end" fill="{FAINT_INK}">racing line darkest</text>'
        )
    parts.append("</g>")
    return parts


def _room(shape: dict, wide: float, high: float) -> tuple[float, float, float]:
    """(x, y, size) of the largest block of this shape, in font sizes, that stays clear of the road."""
    clear = shape["lanes"] * shape["lane_mm"] / 2 + shape["lane_mm"] * 0.9
    line = shape["centre_line"][::3] + [point for road in shape["roads"] for point in road["outline"][::3]]
    best = (0.0, 0.0, 0.0)
    for column in range(1, 32):
        for line_of in range(1, 24):
            x, y = shape["width_mm"] * column / 32, shape["height_mm"] * line_of / 24
            size = min(_free(px - x, py - y, wide, high, clear) for px, py in line)
            size = min(
                size,
                2 * min(x, shape["width_mm"] - x) / (wide + 1),
                2 * min(y, shape["height_mm"] - y) / (high + 1),
            )
            if size > best[2]:
                best = (x, y, size)
    x, y, size = best
    return x, y, min(max(size, 4.0), shape["width_mm"] / 26)


def _free(away_x: float, away_y: float, wide: float, high: float, clear: float) -> float:
    """The largest font size at which a block around the origin stays clear of a point of the road."""
    return max((abs(away_x) - clear) / wide, (abs(away_y) - clear) / high) * 2


# Points


def _row_of(shape: dict, row: int) -> list[dict]:
    return [space for space in shape["spaces"] if space["row"] == row]


def _offset(at: dict, along: float, left: float) -> list[float]:
    """A point this far ahead of the middle of a row or space, and this far to its left."""
    heading = math.radians(at["heading_deg"])
    cos, sin = math.cos(heading), math.sin(heading)
    return [at["centre"][0] + along * cos + left * sin, at["centre"][1] + along * sin - left * cos]


def _path(points: list, closed: bool) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if closed else "")
