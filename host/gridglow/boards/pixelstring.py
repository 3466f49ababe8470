"""The pixels of a track module: pre-wired ones, of which each is pushed into a hole. What ``[string]`` of a board file says
of them; the table may be missing.

::

    [string]
    wires_mm = [75, 100]   # wire from one pixel to the next, in the lengths that strings are sold with
    extension_mm = 200     # where a hole is farther, a wire of at most this is put in; 0: none
    pixel_mm = 12          # across a pixel
    hole_mm = 12           # across its hole
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
    """Lengths in mm; ``wires_mm`` from short to long; ``extension_mm`` is the longest wire that may be put in between two
    pixels, 0 for none. A hole may be as wide as the pixel that it holds, or smaller where the pixel sits behind it."""

    wires_mm: tuple[int, ...] = (75, 100)
    pixel_mm: int = 12
    hole_mm: int = 12
    extension_mm: int = 0


def take_string(check: Checker, table: dict) -> PixelString:
    """What a board file says of pixel strings; mistakes are noted."""
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
        check.note(("string", "hole_mm"), f"Expected at most {pixel}, what the pixel measures, found {hole}; a pixel would "
                   "fall through.")
    return PixelString(tuple(wires or usual.wires_mm), pixel or usual.pixel_mm, hole or usual.hole_mm,
                       EXTENSION_MM[1] if extension is None else extension)
