"""The pixels of a track module: pre-wired ones, each pushed into a hole. This is the table ``[string]`` of a board
file, which may be missing.

::

    [string]
    wires_mm = [75, 100]   # wire from one pixel to the next, in the lengths sold
    extension_mm = 200     # for holes farther apart, a wire up to this length is inserted; 0: none
    pixel_mm = 12          # the pixel's diameter
    hole_mm = 12           # the hole's diameter
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridglow.tomlfile import Checker

STRING_KEYS = ("wires_mm", "extension_mm", "pixel_mm", "hole_mm")
WIRE_MM = (20, 1000)
MOST_WIRES = 4
PIXEL_MM = (4, 40)
EXTENSION_MM = (0, 2000)


@dataclass(frozen=True)
class PixelString:
    """Lengths in mm; ``wires_mm`` from short to long; ``extension_mm`` is the longest wire that may be inserted between two
    pixels, 0 for none. A hole may be as wide as its pixel, or smaller if the pixel sits behind it."""

    wires_mm: tuple[int, ...] = (75, 100)
    pixel_mm: int = 12
    hole_mm: int = 12
    extension_mm: int = 0


def take_string(check: Checker, table: dict) -> PixelString:
    """A board file's pixel strings; errors are noted."""
    usual = PixelString()
    string = check.take(table, (), "string", dict, {})
    if string is None:
        return usual
    check.known(string, ("string",), STRING_KEYS)
    wires = check.take(string, ("string",), "wires_mm", list, list(usual.wires_mm))
    low, high = WIRE_MM
    if wires is not None and (
        not 1 <= len(wires) <= MOST_WIRES
        or any(type(one) is not int or not low <= one <= high for one in wires)
        or wires != sorted(set(wires))
    ):
        check.note(("string", "wires_mm"), f"Expected 1 to {MOST_WIRES} lengths of {low} to {high} mm, from short to long, "
                   f"found {wires!r}.")
        wires = None
    extension = check.take_int(string, ("string",), "extension_mm", *EXTENSION_MM, usual.extension_mm)
    pixel = check.take_int(string, ("string",), "pixel_mm", *PIXEL_MM, usual.pixel_mm)
    hole = check.take_int(string, ("string",), "hole_mm", *PIXEL_MM, usual.hole_mm)
    if pixel and hole and hole > pixel:
        check.note(("string", "hole_mm"), f"Expected at most {pixel}, the pixel's diameter, found {hole}; a pixel would "
                   "fall through.")
    return PixelString(tuple(wires or usual.wires_mm), pixel or usual.pixel_mm, hole or usual.hole_mm,
                       EXTENSION_MM[1] if extension is None else extension)
