"""A track as an SVG drawing to scale: one user unit is one millimetre of the board."""

from __future__ import annotations

from xml.sax.saxutils import escape

from gridglow.tracks.compiled import CompiledTrack, page_geometry
from gridglow.tracks.picture import (
    DIFFICULTIES,
    SCREEN,
    SIGN_INK,
    Disc,
    Mark,
    Path,
    Points,
    asphalt_rings,
    layers,
)

BOARD, BOARD_RIM, SHADOW = "#22382f", "#2f4b40", "#16251f"
FONT = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"


def draw_svg(compiled: CompiledTrack) -> str:
    """The drawing as the text of an SVG file. Raises BadTrack for a track without angles."""
    shape = page_geometry(compiled)
    width, height = shape["width_mm"], shape["height_mm"]
    rings = [asphalt_rings(shape)] + [[road["outline"]] for road in shape["roads"]]
    shadows = [Path(one, SHADOW, SHADOW, shape["lane_mm"] * 0.7, round=True) for one in rings]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">',
        f"<title>{escape(shape['name'])}</title>",
        f"<desc>{escape(_describe(shape))}</desc>",
        f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{BOARD}"/>',
        f'<rect x="4" y="4" width="{width - 8:g}" height="{height - 8:g}" rx="9" fill="none" '
        f'stroke="{BOARD_RIM}" '
        'stroke-width="1.5"/>',
        *map(_mark, shadows),
    ]
    named: set[str] = set()
    for name, marks in layers(shape, SCREEN):
        if marks:  # layers of side roads share their names with others
            parts += [f'<g {"class" if name in named else "id"}="{name}">', *map(_mark, marks), "</g>"]
            named.add(name)
    return "\n".join(parts + _title(shape)) + "\n</svg>\n"


def _describe(shape: dict) -> str:
    corners = [section for section in shape["sections"] if section["kind"] == "corner"]
    return (
        f"{shape['row_count']} rows, {shape['lanes']} lanes, {len(corners)} corners, {shape['laps']} laps; "
        f"pitch {shape['pitch_mm']:.1f} mm"
    )


def _mark(mark: Mark) -> str:
    """A mark as an element."""
    if isinstance(mark, Path):
        ends = 'stroke-linejoin="round" stroke-linecap="round"' if mark.round else ""
        keys = [
            f'd="{"".join(_path(ring, mark.closed) for ring in mark.rings)}" fill="{mark.fill or "none"}"',
            'fill-rule="evenodd"' if mark.fill and len(mark.rings) > 1 else "",
            f'stroke="{mark.stroke}" stroke-width="{mark.width:.2f}"' if mark.stroke else "",
            ends if mark.stroke else "",
            f'stroke-dasharray="{mark.dash:.2f}"' if mark.dash else "",
            f'opacity="{mark.opacity:g}"' if mark.opacity < 1 else "",
        ]
        return _element("path", keys, mark.title)
    if isinstance(mark, Disc):
        rim = f'stroke="{mark.stroke}" stroke-width="{mark.width:.2f}"' if mark.stroke else ""
        return _element("circle", [f'cx="{mark.x:.2f}" cy="{mark.y:.2f}" r="{mark.radius:.2f}" fill="{mark.fill}"', rim],
                        mark.title)
    bold = ' font-weight="bold"' if mark.bold else ""
    return (f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:.2f}" text-anchor="{mark.anchor}"{bold} '
            f'fill="{mark.fill}">{escape(mark.text)}</text>')


def _element(tag: str, keys: list[str], title: str) -> str:
    start = f"<{tag} {' '.join(key for key in keys if key)}"
    return f"{start}><title>{escape(title)}</title></{tag}>" if title else f"{start}/>"


def _title(shape: dict) -> list[str]:
    """Name and key figures, where the loop leaves the most room."""
    words = [
        (shape["name"], 1.0, "bold", SCREEN.ink),
        (
            "  ·  ".join(
                [f"{shape['row_count']} rows"]
                + ([f"{shape['laps']} laps"] if shape["closed"] and shape["laps"] > 1 else [])
                + [shape["level"]]
            ),
            0.5,
            "normal",
            SCREEN.faint_ink,
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
            f'text-anchor="end" fill="{SCREEN.faint_ink}">corner difficulty</text>'
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
                f'fill="{SCREEN.spaces[i + 1]}" stroke="{SCREEN.gap}" stroke-width="{size * 0.04:.2f}"/>'
            )
        parts.append(
            f'<text x="{x - size * 1.0:.1f}" y="{down + size * 0.16:.1f}" font-size="{size * 0.46:.2f}" '
            f'text-anchor="end" fill="{SCREEN.faint_ink}">racing line darkest</text>'
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


def _path(points: Points, closed: bool) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if closed else "")
