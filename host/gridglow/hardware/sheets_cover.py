"""The first page of ``track.pdf``: how to print, a bar to measure, a map of the sheets, the materials, how to glue."""

from __future__ import annotations

from gridglow.hardware.making import Build
from gridglow.hardware.sheets_ink import Ink, scale_bar
from gridglow.hardware.string_plan import plan_string
from gridglow.hardware.tiling import MARGIN_MM, Tiling
from gridglow.tracks.picture import Layer, Path

INK, GREY, BLUE = "#101215", "#4f5661", "#1d5fbf"
SEEN = ("asphalt", "spaces", "solid", "finish")  # the layers shown on the small map
EXTENSIONS_NAMED = 3


def draw(ink: Ink, build: Build, tiling: Tiling, layers: list[Layer]) -> None:
    """The whole page."""
    page_w, page_h = tiling.page_mm
    left, right = MARGIN_MM + 5, page_w - MARGIN_MM - 5
    ink.words(build.drawing["name"], left, 24, 9, INK, True, "start")
    ink.words(_facts(build, tiling), left, 31, 3.6, GREY, False, "start")
    ink.words("Print at 100 % (“actual size”), not “fit to page”. Then measure the bar: it must be 100 mm long.",
              left, 40, 3.6, INK, True, "start")
    scale_bar(ink, left + 18, 47, 3.6)
    lines = _steps(build, tiling)
    high = 5.2 * len(lines) + 4
    _map(ink, build, tiling, layers, (left, 55, right, page_h - MARGIN_MM - high - 4))
    y = page_h - MARGIN_MM - high + 4
    for line in lines:
        ink.words(line, left, y, 3.4, INK, False, "start")
        y += 5.2
    ink.next_page()


def _facts(build: Build, tiling: Tiling) -> str:
    shape = build.drawing
    how = "one pixel per space" if build.light == "lane" else "one pixel per row"
    return (f"{shape['row_count']} rows, {len(shape['spaces'])} spaces, {how}. Board {shape['width_mm']:.0f} × "
            f"{shape['height_mm']:.0f} mm, {len(tiling.sheets)} sheets of {build.paper}, for the console {build.board.id}.")


def _steps(build: Build, tiling: Tiling) -> list[str]:
    plan, string = plan_string(build), build.board.string
    lines = [
        "1. Cut each sheet along its crop marks. Keep the hatched tabs.",
        "2. Glue each sheet onto the tabs of those to its left and above it, so that the crosses coincide: first the",
        "    sheets of a row, then the rows. The foot of each sheet gives its place on the board.",
        f"3. Drill or cut holes of {string.hole_mm} mm where the circles are; pixels go in from behind.",
        f"4. The string: {plan.pixels} pixels of {string.pixel_mm} mm, {plan.wire_mm} mm of wire between pixels.",
        "    12b is a space, #37 the 37th pixel of the string; #1 is where the console's wire connects.",
    ]
    for extension in plan.extensions[:EXTENSIONS_NAMED]:
        ends = f"#{extension.before} and #{extension.after}"
        lines.append(f"    Between {ends} insert {extension.wire_mm} mm of wire or more.")
    if len(plan.extensions) > EXTENSIONS_NAMED:
        more = len(plan.extensions) - EXTENSIONS_NAMED
        lines.append(f"    {more} more wires must be longer; led_map.csv names them.")
    return lines


def _map(ink: Ink, build: Build, tiling: Tiling, layers: list[Layer], room: tuple[float, float, float, float]) -> None:
    """The board, small, with the outline and number of each sheet."""
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    scale = min((room[2] - room[0]) / width, (room[3] - room[1]) / height)
    x0, y0 = room[0] + (room[2] - room[0] - width * scale) / 2, room[1] + (room[3] - room[1] - height * scale) / 2

    def small(x: float, y: float) -> tuple[float, float]:
        return x0 + x * scale, y0 + y * scale

    ink.box((*small(0, 0), *small(width, height)), "#ffffff", GREY, 0.2)
    for name, marks in layers:
        for mark in marks if name in SEEN else ():
            if isinstance(mark, Path):
                rings = [[small(*point) for point in ring] for ring in mark.rings]
                ink.path(Path(rings, mark.fill, mark.stroke, max(mark.width * scale, 0.05), mark.closed))
    for sheet in tiling.sheets:
        left, top, right, bottom = sheet.box
        ink.box((*small(left, top), *small(right, bottom)), "", BLUE, 0.4)
    for sheet in tiling.sheets:
        left, top, right, bottom = sheet.box
        x, y = small((left + right) / 2, (top + bottom) / 2)
        ink.disc(x, y, 3.6, "#ffffff", BLUE, 0.4)
        ink.words(str(sheet.number), x, y + 1.45, 4.2, BLUE, True)
