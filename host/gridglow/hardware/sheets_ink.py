"""Draws on the pages of a PDF in millimetres with y down, like all track drawings; the only module that knows
reportlab. Pages aren't compressed and have no date, so the same drawing gives the same bytes."""

from __future__ import annotations

from typing import BinaryIO

from gridglow.hardware.making import load_extra
from gridglow.tracks.picture import Path

PT = 72 / 25.4
CAPITAL = 0.718  # the height of Helvetica's capitals relative to the font's size
HATCH_MM = 3.0
LINE_MM = 0.2
BAR_MM = 100.0


class Ink:
    """A PDF in progress; ``origin`` is the place on the page of the point (0, 0) of what follows."""

    def __init__(self, out: BinaryIO, page_mm: tuple[float, float], title: str):
        load_extra("reportlab", "track.pdf")
        from reportlab.pdfgen.canvas import Canvas  # of the extra [hardware]

        self.page_mm = page_mm
        self.origin = (0.0, 0.0)
        self.canvas = Canvas(out, pagesize=(page_mm[0] * PT, page_mm[1] * PT), invariant=1, pageCompression=0)
        self.canvas.setTitle(_printable(title))
        self.canvas.setCreator("Gridglow")
        self.canvas.setViewerPreference("PrintScaling", "None")

    def close(self) -> None:
        self.canvas.save()

    def next_page(self) -> None:
        self.canvas.showPage()
        self.origin = (0.0, 0.0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point in the PDF's units."""
        return round((x + self.origin[0]) * PT, 3), round((self.page_mm[1] - y - self.origin[1]) * PT, 3)

    def clip(self, window: tuple[float, float, float, float]) -> None:
        """Shows what follows only inside this window, until ``unclip``."""
        self.canvas.saveState()
        path = self.canvas.beginPath()
        x, y = self.at(window[0], window[3])
        path.rect(x, y, (window[2] - window[0]) * PT, (window[3] - window[1]) * PT)
        self.canvas.clipPath(path, stroke=0, fill=0)

    def unclip(self) -> None:
        self.canvas.restoreState()

    def path(self, mark: Path) -> None:
        canvas = self.canvas
        path = canvas.beginPath()
        for ring in mark.rings:
            path.moveTo(*self.at(*ring[0]))
            for x, y in ring[1:]:
                path.lineTo(*self.at(x, y))
            if mark.closed:
                path.close()
        canvas.saveState()
        self._pens(mark.fill, mark.stroke, mark.width)
        if mark.opacity < 1:
            canvas.setFillAlpha(mark.opacity)
            canvas.setStrokeAlpha(mark.opacity)
        if mark.dash:
            canvas.setDash(mark.dash * PT, mark.dash * PT)
        if mark.round:
            canvas.setLineJoin(1)
            canvas.setLineCap(1)
        canvas.drawPath(path, stroke=int(bool(mark.stroke)), fill=int(bool(mark.fill)), fillMode=0)
        canvas.restoreState()

    def _pens(self, fill: str, stroke: str, width: float) -> None:
        from reportlab.lib.colors import HexColor

        if fill:
            self.canvas.setFillColor(HexColor(fill))
        if stroke:
            self.canvas.setStrokeColor(HexColor(stroke))
            self.canvas.setLineWidth(round(width * PT, 3))

    def disc(self, x: float, y: float, radius: float, fill: str, stroke: str = "", width: float = 0.0) -> None:
        self._pens(fill, stroke, width)
        self.canvas.circle(*self.at(x, y), round(radius * PT, 3), stroke=int(bool(stroke)), fill=int(bool(fill)))

    def ring(self, x: float, y: float, radius: float, stroke: str, width: float) -> None:
        self.disc(x, y, radius, "", stroke, width)

    def line(self, x0: float, y0: float, x1: float, y1: float, stroke: str, width: float) -> None:
        self._pens("", stroke, width)
        self.canvas.line(*self.at(x0, y0), *self.at(x1, y1))

    def box(self, box: tuple[float, float, float, float], fill: str, stroke: str = "", width: float = 0.0) -> None:
        self._pens(fill, stroke, width)
        x, y = self.at(box[0], box[3])
        self.canvas.rect(x, y, round((box[2] - box[0]) * PT, 3), round((box[3] - box[1]) * PT, 3), stroke=int(bool(stroke)),
                         fill=int(bool(fill)))

    def hatch(self, box: tuple[float, float, float, float], stroke: str) -> None:
        """Slanted lines in a box, and its border."""
        left, top, right, bottom = box
        self.clip(box)
        at = left - (bottom - top)
        while at < right:
            self.line(at, bottom, at + bottom - top, top, stroke, 0.15)
            at += HATCH_MM
        self.unclip()
        self.box(box, "", stroke, 0.15)

    def words(
        self, text: str, x: float, y: float, size: float, fill: str, bold: bool = False, anchor: str = "middle"
    ) -> None:
        """A line of text; ``size`` is the font's size."""
        self._pens(fill, "", 0)
        self.canvas.setFont(_font(bold), round(size * PT, 3))
        draw = {"start": self.canvas.drawString, "middle": self.canvas.drawCentredString, "end": self.canvas.drawRightString}
        draw[anchor](*self.at(x, y), _printable(text))

    def label(
        self, text: str, x: float, y: float, size: float, turn_deg: float, fill: str, bold: bool, plate: bool = False
    ) -> None:
        """A text with capitals ``size`` high, rotated clockwise; with ``plate`` on a white background."""
        if plate:
            wide = (self.canvas.stringWidth(_printable(text), _font(bold), size / CAPITAL) + size * 0.5) * PT
            self.canvas.saveState()
            self.canvas.translate(*self.at(x, y))
            self.canvas.rotate(-turn_deg)
            self._pens("#ffffff", "", 0)
            low, high, round_by = (round(size * part * PT, 3) for part in (-0.25, 1.5, 0.3))
            self.canvas.roundRect(round(-wide / 2, 3), low, round(wide, 3), high, round_by, stroke=0, fill=1)
            self.canvas.restoreState()
        self.turned_words(text, x, y, size / CAPITAL, turn_deg, fill, bold)

    def turned_words(
        self, text: str, x: float, y: float, size: float, turn_deg: float, fill: str, bold: bool = False
    ) -> None:
        self.canvas.saveState()
        self.canvas.translate(*self.at(x, y))
        self.canvas.rotate(-turn_deg)
        self._pens(fill, "", 0)
        self.canvas.setFont(_font(bold), round(size * PT, 3))
        self.canvas.drawCentredString(0, 0, _printable(text))
        self.canvas.restoreState()


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"


def _printable(text: str) -> str:
    """A text in characters that every PDF reader's fonts have."""
    return text.encode("cp1252", "replace").decode("cp1252")


def scale_bar(ink: Ink, x: float, y: float, size: float) -> None:
    """A bar of 100 mm with a tick every 10 mm, labelled with its length."""
    ink.box((x, y - 0.4, x + BAR_MM, y + 0.4), "#000000")
    for i in range(11):
        long = 2.2 if i % 5 == 0 else 1.4
        ink.line(x + i * BAR_MM / 10, y - long, x + i * BAR_MM / 10, y + 0.4, "#000000", LINE_MM)
    ink.words("100 mm", x - 1.5, y + 0.6, size, "#000000", False, "end")
