"""Single-stroke letters for laser cutters, of our own design: they need no font, and a laser follows each line once.

Points are on a grid: letters stand on 0, capitals and digits are 6 high, the widest are 4 wide.
"""

from __future__ import annotations

import unicodedata

HEIGHT = 6
GAP = 1.6
SPACE = 2.5

# Each stroke is a row of points, two digits each: x, y. Nothing goes below the baseline.
_GLYPHS = {
    "0": "10 30 41 45 36 16 05 01 10", "1": "05 16 26 20,10 30", "2": "05 16 36 45 44 00 40",
    "3": "06 46 24 34 43 41 30 10 01", "4": "30 36 02 42", "5": "46 06 04 34 43 41 30 10 01",
    "6": "36 16 05 01 10 30 41 42 33 13 02", "7": "06 46 10", "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "10 30 41 45 36 16 05 04 13 33 44", "A": "00 02 26 42 40,02 42", "B": "00 06 36 45 44 33 03,33 42 41 30 00",
    "C": "45 36 16 05 01 10 30 41", "D": "00 06 26 44 42 20 00", "E": "46 06 00 40,03 33", "F": "46 06 00,03 33",
    "G": "45 36 16 05 01 10 30 41 43 23", "H": "00 06,40 46,03 43", "I": "10 30,20 26,16 36", "J": "46 41 30 10 01",
    "K": "00 06,46 02,13 40", "L": "06 00 40", "M": "00 06 23 46 40", "N": "00 06 40 46",
    "O": "10 30 41 45 36 16 05 01 10", "P": "00 06 36 45 44 33 03", "Q": "10 30 41 45 36 16 05 01 10,22 40",
    "R": "00 06 36 45 44 33 03,23 40", "S": "45 36 16 05 04 13 33 42 41 30 10 01", "T": "06 46,26 20",
    "U": "06 01 10 30 41 46", "V": "06 20 46", "W": "06 10 23 30 46", "X": "00 46,06 40", "Y": "06 23 46,23 20",
    "Z": "06 46 00 40", "a": "04 14 34 43 40,42 12 01 10 20 42", "b": "06 00 20 41 43 24 04",
    "c": "43 34 14 03 01 10 30 41", "d": "46 40 20 01 03 24 44", "e": "02 42 43 34 14 03 01 10 30 41",
    "f": "46 36 25 20,04 44", "g": "44 40 10,44 14 03 02 11 41", "h": "06 00,03 24 34 43 40", "/": "00 46",
    "-": "03 43", "+": "03 43,21 25", ".": "10 11", "'": "26 24", "!": "26 22,20 21",
    "@": "31 10 01 05 16 36 45 42 32 22 13 14 24 34 32", "#": "10 26,20 36,02 42,04 44",
    "&": "40 05 16 26 25 02 01 10 20 43", "(": "36 24 22 30", ")": "16 24 22 10", ",": "11 00", ":": "21 22,24 25",
    "?": "05 16 36 45 44 22,20 21",
}
_ACCENTS = {
    "\u0308": "17 18,37 38", "\u0301": "27 38", "\u0300": "27 18", "\u0302": "17 28 37", "\u0303": "07 18 27 38",
    "\u030a": "18 27 28",
}
_LETTERS = {"ß": "ss", "æ": "ae", "ø": "o", "×": "x", "–": "-", "’": "'", "·": "-"}

Stroke = list[tuple[float, float]]


def _strokes(glyph: str) -> list[Stroke]:
    return [[(float(point[0]), float(point[1])) for point in stroke.split()] for stroke in glyph.split(",")]


def glyphs(text: str) -> list[tuple[list[Stroke], float]]:
    """(strokes, width) of each letter. Small letters other than a to h become capitals, unknown characters a gap."""
    found: list[tuple[list[Stroke], float]] = []
    for letter in unicodedata.normalize("NFD", "".join(_LETTERS.get(one, one) for one in text)):
        if letter in _ACCENTS and found:
            found[-1][0].extend(_strokes(_ACCENTS[letter]))
            continue
        glyph = _GLYPHS.get(letter) or _GLYPHS.get(letter.upper(), "")
        strokes = _strokes(glyph) if glyph else []
        width = max((x for stroke in strokes for x, _ in stroke), default=SPACE)
        found.append((strokes, width))
    return found


def write(text: str, x: float, y: float, size: float, anchor: str = "middle") -> list[Stroke]:
    """The strokes of a line of text with capitals ``size`` mm high; y down, (x, y) is the beginning of its baseline
    ("start") or its middle."""
    scale = size / HEIGHT
    letters = glyphs(text)
    wide = sum(width + GAP for _, width in letters) - GAP if letters else 0.0
    at = -wide / 2 if anchor == "middle" else 0.0
    out = []
    for strokes, width in letters:
        out += [[(x + (at + px) * scale, y - py * scale) for px, py in stroke] for stroke in strokes]
        at += width + GAP
    return out
