"""``track.svg`` and ``track.dxf``: a track module for a laser cutter, at true scale in mm.

``laser_art.py`` decides what is drawn on which layer. The DXF is release 12, which everything can read.
"""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from gridglow.hardware.laser_art import LAYERS, Circle, Line, Point, laser_items
from gridglow.hardware.making import Build, Made, made_text

HAIRLINE_MM = 0.1
INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"  # marks groups as layers


def make(build: Build) -> list[Made]:
    """Both files."""
    items = laser_items(build)
    size = build.drawing["width_mm"], build.drawing["height_mm"]
    name = build.drawing["name"]
    return [made_text("track.svg", write_svg(items, size, name)), ("track.dxf", write_dxf(items, size).encode("ascii"))]


# SVG


def write_svg(items: list[Line | Circle], size: Point, name: str) -> str:
    """An SVG with one user unit per mm, and a group for each layer."""
    width, height = size
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="{INKSCAPE}" '
             f'width="{width:g}mm" height="{height:g}mm" '
             f'viewBox="0 0 {width:g} {height:g}">', f"<title>{escape(name)}</title>"]
    for layer, (_, colour) in LAYERS.items():
        parts.append(f'<g id="{layer}" inkscape:groupmode="layer" inkscape:label="{layer}" fill="none" stroke="{colour}" '
                     f'stroke-width="{HAIRLINE_MM}">')
        for item in items:
            if item.layer != layer:
                continue
            if isinstance(item, Circle):
                parts.append(f'<circle cx="{item.x:.3f}" cy="{item.y:.3f}" r="{item.radius:.3f}"/>')
            else:
                parts.append(f'<path d="{_path(item)}"/>')
        parts.append("</g>")
    return "\n".join(parts) + "\n</svg>\n"


def _path(line: Line) -> str:
    out = [f"M{line.points[0][0]:.3f} {line.points[0][1]:.3f}"]
    ends = line.points[1:] + (line.points[:1] if line.closed else [])
    for i, ((x0, y0), (x, y)) in enumerate(zip(line.points, ends)):
        bulge = line.bulges[i] if line.bulges else 0.0
        if bulge:
            radius = math.dist((x0, y0), (x, y)) * (1 + bulge**2) / (4 * abs(bulge))
            out.append(f"A{radius:.3f} {radius:.3f} 0 0 {1 if bulge > 0 else 0} {x:.3f} {y:.3f}")
        else:
            out.append(f"L{x:.3f} {y:.3f}")
    return "".join(out) + ("Z" if line.closed else "")


# DXF


def write_dxf(items: list[Line | Circle], size: Point) -> str:
    """A release 12 DXF in mm, y up from the lower left corner of the board."""
    width, height = size
    tags: list[tuple[int, object]] = [
        (0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4), (9, "$MEASUREMENT"),
        (70, 1), (9, "$EXTMIN"), (10, 0.0), (20, 0.0), (30, 0.0), (9, "$EXTMAX"), (10, width), (20, height), (30, 0.0),
        (0, "ENDSEC"),
        (0, "SECTION"), (2, "TABLES"),
        (0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"), (72, 65), (73, 0),
        (40, 0.0), (0, "ENDTAB"),
        (0, "TABLE"), (2, "LAYER"), (70, len(LAYERS) + 1),
    ]
    for name, colour in [("0", 7), *((name, colour) for name, (colour, _) in LAYERS.items())]:
        tags += [(0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS")]
    tags += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "BLOCKS"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for layer in LAYERS:
        for item in items:
            if item.layer == layer:
                tags += _entity(item, height)
    tags += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3d}\n{_value(value)}\n" for code, value in tags)


def _entity(item: Line | Circle, height: float) -> list[tuple[int, object]]:
    if isinstance(item, Circle):
        return [(0, "CIRCLE"), (8, item.layer), (10, item.x), (20, height - item.y), (30, 0.0), (40, item.radius)]
    tags: list[tuple[int, object]] = [
        (0, "POLYLINE"), (8, item.layer), (66, 1), (10, 0.0), (20, 0.0), (30, 0.0), (70, 1 if item.closed else 0)]
    for i, (x, y) in enumerate(item.points):
        tags += [(0, "VERTEX"), (8, item.layer), (10, x), (20, height - y), (30, 0.0)]
        if item.bulges and item.bulges[i]:
            tags.append((42, -item.bulges[i]))  # a right turn with y down is a left turn with y up
    return [*tags, (0, "SEQEND"), (8, item.layer)]


def _value(value: object) -> str:
    return f"{round(value, 3) + 0.0:.3f}" if isinstance(value, float) else str(value)
