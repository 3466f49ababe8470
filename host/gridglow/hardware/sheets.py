"""``track.pdf``: a track module on paper at true scale, on as many sheets of A4 or Letter as needed, with a cover that
says how to print and glue them.

It shows the page's drawing (``tracks/picture.py``) in colours for paper; names and pixel numbers come from
``labels.py``.
"""

from __future__ import annotations

import io
import math

from gridglow.hardware import sheets_cover
from gridglow.hardware.labels import Label, Point, middle_of, place_labels, wide
from gridglow.hardware.making import Build, Made
from gridglow.hardware.sheets_ink import BAR_MM, LINE_MM, Ink, scale_bar
from gridglow.hardware.string_plan import plan_string
from gridglow.hardware.tiling import MARGIN_MM, TAB_MM, Box, Sheet, Thing, Tiling, cut
from gridglow.tracks.picture import PAPER, Disc, Layer, Mark, Path, Words, layers, space_ink

LEFT_OUT = ("rows", "signs", "pixels")  # labels and holes show these on paper
#: What seams avoid besides spaces and holes, and what else needs paper although no space is there.
SPARED, MORE = ("barriers", "corners", "hills", "indicators", "direction"), ("kerbs", "grid", "finish", "overpasses")
BLEED_MM = 3.0
HOLE_RIM_MM = 1.5  # a seam's distance from a hole
CROSS_MM = 3.0
FAR_MM = 20.0  # more than words and holes are wide
MARK_MM, MARK_GAP_MM = 3.0, 1.0
SHORT_MM = 40.0  # a shorter seam has one cross, and only a number on its tab
LEAST_WORDS_MM, TAB_WORDS_MM = 8.0, 1.9
GREY, LIGHT = "#6a717d", "#b4bac3"


def make(build: Build) -> list[Made]:
    """The PDF. Raises NeedsExtra if reportlab is missing."""
    art = Art(build)
    tiling = art.tiling
    out = io.BytesIO()
    ink = Ink(out, tiling.page_mm, f"{build.drawing['name']}, {build.paper}")
    sheets_cover.draw(ink, build, tiling, art.layers)
    for sheet in tiling.sheets:
        _draw_sheet(ink, art, sheet)
    ink.close()
    return [("track.pdf", out.getvalue())]


class Art:
    """Everything printed of a module, and its division into sheets."""

    def __init__(self, build: Build):
        self.build = build
        self.shape = build.drawing
        self.layers: list[Layer] = [one for one in layers(self.shape, PAPER) if one[0] not in LEFT_OUT]
        self.labels: list[Label] = place_labels(build, pixels=True)
        self.holes = plan_string(build).holes
        self.radius = build.board.string.hole_mm / 2
        self.marks: list[tuple[Box, Mark]] = [(_box(mark), mark) for _, marks in self.layers for mark in marks]
        self.tiling = cut(self._things(), build.paper)
        #: The places of each seam's registration crosses, the same on both sheets.
        self.crosses: list[list[Point]] = [self._crosses(seam) for seam in self.tiling.seams]

    def _crosses(self, seam: Box) -> list[Point]:
        """At about a quarter and three quarters of a seam, clear of holes and words."""
        x0, y0, x1, y1 = seam
        long = x1 - x0 + y1 - y0
        taken = [(hole.x, hole.y, self.radius) for hole in self.holes]
        taken += [(*middle_of(label), wide(label.text, label.size) / 2) for label in self.labels]
        near = [one for one in taken if x0 - FAR_MM < one[0] < x1 + FAR_MM and y0 - FAR_MM < one[1] < y1 + FAR_MM]

        def costs(part: float, wish: float) -> tuple[float, float]:
            x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
            room = min((math.dist((x, y), (a, b)) - r for a, b, r in near), default=FAR_MM)
            return max(0.0, CROSS_MM + 1 - room), abs(part - wish)

        parts = [i / max(int(long), 1) for i in range(int(long) + 1) if CROSS_MM < i < long - CROSS_MM] or [0.5]
        best = []
        for wish in (0.25, 0.75) if long > SHORT_MM else (0.5,):
            part = min((part for part in parts if abs(part - wish) < 0.24), key=lambda part: (costs(part, wish), part))
            best.append((round(x0 + (x1 - x0) * part, 3), round(y0 + (y1 - y0) * part, 3)))
        return best

    def _things(self) -> list[Thing]:
        around = self.radius + HOLE_RIM_MM
        things = [Thing((hole.x - around, hole.y - around, hole.x + around, hole.y + around), "hole") for hole in self.holes]
        for space in self.shape["spaces"]:
            things.append(Thing(_box(Path([space["polygon"]])), "space"))
        for name, marks in self.layers:
            if name in SPARED + MORE:
                things += [Thing(_box(mark), "mark" if name in SPARED else "edge") for mark in marks]
        return things


def _box(mark: Mark) -> Box:
    """The area of a mark."""
    if isinstance(mark, Path):
        half = mark.width / 2 if mark.stroke else 0.0
        xs = [x for ring in mark.rings for x, _ in ring]
        ys = [y for ring in mark.rings for _, y in ring]
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    if isinstance(mark, Disc):
        radius = mark.radius + mark.width / 2
        return mark.x - radius, mark.y - radius, mark.x + radius, mark.y + radius
    wide = len(mark.text) * mark.size * 0.3
    return mark.x - wide, mark.y - mark.size * 0.75, mark.x + wide, mark.y


def _meets(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _draw_sheet(ink: Ink, art: Art, sheet: Sheet) -> None:
    page_w, page_h = art.tiling.page_mm
    left, top, right, bottom = sheet.box
    tab_right, tab_below = TAB_MM if sheet.right else 0.0, TAB_MM if sheet.below else 0.0
    # The drawing is in the middle of the paper.
    ink.origin = ((page_w - (right - left) - tab_right) / 2 - left, (page_h - (bottom - top) - tab_below) / 2 - top)
    _tabs(ink, art.tiling, sheet)
    window = (left - BLEED_MM, top - BLEED_MM, right + BLEED_MM, bottom + BLEED_MM)
    ink.clip(window)
    draw_marks(ink, [mark for box, mark in art.marks if _meets(box, window)])
    _holes(ink, art, window)
    for label in art.labels:
        if window[0] - 5 < label.x < window[2] + 5 and window[1] - 5 < label.y < window[3] + 5:
            _label(ink, label, art.shape["spaces"][label.space])
    ink.unclip()
    _crosses(ink, art, sheet)
    _crop_marks(ink, sheet)
    _footer(ink, art, sheet)
    ink.next_page()


def _label(ink: Ink, label: Label, space: dict) -> None:
    """A word on a space; across two colours on a white plate, as no ink is readable on both."""
    plate = len(space["colours"]) > 1
    on_colour = space["colours"] and not plate
    colours = {"name": PAPER.ink, "sign": PAPER.sign, "pixel": PAPER.faint_ink}
    colour = space_ink(space, PAPER) if on_colour else colours[label.kind]
    ink.label(label.text, label.x, label.y, label.size, label.turn_deg, colour, label.kind != "pixel", plate)


def draw_marks(ink: Ink, marks: list[Mark]) -> None:
    """The marks of a picture."""
    for mark in marks:
        if isinstance(mark, Path):
            ink.path(mark)
        elif isinstance(mark, Disc):
            ink.disc(mark.x, mark.y, mark.radius, mark.fill, mark.stroke, mark.width)
        elif isinstance(mark, Words):
            ink.words(mark.text, mark.x, mark.y, mark.size, mark.fill, mark.bold, mark.anchor)


def _holes(ink: Ink, art: Art, window: Box) -> None:
    """A circle to cut out, with a cross for the drill."""
    r, arm = art.radius, art.radius * 0.4
    for hole in art.holes:
        if _meets((hole.x - r, hole.y - r, hole.x + r, hole.y + r), window):
            ink.disc(hole.x, hole.y, r, "#ffffff", GREY, LINE_MM)
            ink.line(hole.x - arm, hole.y, hole.x + arm, hole.y, GREY, LINE_MM)
            ink.line(hole.x, hole.y - arm, hole.x, hole.y + arm, GREY, LINE_MM)


def _tabs(ink: Ink, tiling: Tiling, sheet: Sheet) -> None:
    """Hatched strips for glue, with the number of the sheet that goes there."""
    left, top, right, bottom = sheet.box
    corner_x, corner_y = right + (TAB_MM if sheet.right else 0), bottom + (TAB_MM if sheet.below else 0)
    if sheet.right:
        ink.hatch((right, top, corner_x, corner_y), LIGHT)
    if sheet.below:
        ink.hatch((left, bottom, corner_x, corner_y), LIGHT)
    half = TAB_WORDS_MM / 2
    middle_x, middle_y = right + (BLEED_MM + TAB_MM) / 2, bottom + (BLEED_MM + TAB_MM) / 2
    for other in tiling.sheets:
        a, b, c, d = other.box
        if sheet.right and a == right and b == top:
            text = _tab_words(other, bottom - top)
            ink.label(text, middle_x - half, (top + bottom) / 2, TAB_WORDS_MM, 90, GREY, False, plate=True)
        low, high = max(a, left), min(c, right)
        if sheet.below and b == bottom and high - low > LEAST_WORDS_MM:
            text = _tab_words(other, high - low)
            ink.label(text, (low + high) / 2, middle_y + half, TAB_WORDS_MM, 0, GREY, False, plate=True)


def _tab_words(other: Sheet, room: float) -> str:
    return f"glue sheet {other.number} on here" if room > SHORT_MM else str(other.number)


def _crosses(ink: Ink, art: Art, sheet: Sheet) -> None:
    """The registration crosses on a sheet's seams."""
    left, top, right, bottom = sheet.box
    for (x0, y0, x1, y1), points in zip(art.tiling.seams, art.crosses):
        beside = x0 == x1 and x0 in (left, right) and y0 == top
        if beside or y0 == y1 and y0 in (top, bottom) and left <= x0 and x1 <= right:
            for x, y in points:
                ink.ring(x, y, CROSS_MM / 2, "#ffffff", 0.9)
                ink.ring(x, y, CROSS_MM / 2, "#000000", LINE_MM)
                ink.line(x - CROSS_MM, y, x + CROSS_MM, y, "#000000", LINE_MM)
                ink.line(x, y - CROSS_MM, x, y + CROSS_MM, "#000000", LINE_MM)


def _crop_marks(ink: Ink, sheet: Sheet) -> None:
    """The cutting lines: along the drawing, or around the tabs."""
    left, top, right, bottom = sheet.box
    right, bottom = right + (TAB_MM if sheet.right else 0), bottom + (TAB_MM if sheet.below else 0)
    for x, way_x in ((left, -1), (right, 1)):
        for y, way_y in ((top, -1), (bottom, 1)):
            ink.line(x + way_x * MARK_GAP_MM, y, x + way_x * (MARK_GAP_MM + MARK_MM), y, "#000000", LINE_MM)
            ink.line(x, y + way_y * MARK_GAP_MM, x, y + way_y * (MARK_GAP_MM + MARK_MM), "#000000", LINE_MM)


def _footer(ink: Ink, art: Art, sheet: Sheet) -> None:
    """The sheet's number and place in the lower margin, and a bar to measure in the upper one."""
    page_w, page_h = art.tiling.page_mm
    left, top, _, _ = sheet.box
    ink.origin = (0.0, 0.0)
    ink.words(f"{art.shape['name']}: sheet {sheet.number} of {len(art.tiling.sheets)}. Its upper left corner is "
              f"{left:.0f} mm from the left and {top:.0f} mm from the upper edge of the board.",
              MARGIN_MM + 6, page_h - 3.4, 2.8, GREY, False, "start")
    scale_bar(ink, page_w - MARGIN_MM - 6 - BAR_MM, 4.8, 2.4)
