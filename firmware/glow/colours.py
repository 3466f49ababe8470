"""The colours of cars, seats and marks as LED levels.

An LED's light grows evenly with its level, so these are linear RGB values. They differ in brightness as well as hue, so
that they stay apart with any of the three common colour-vision deficiencies (a test keeps the distance); and each car
has a rhythm too, because colour is never the only mark.
"""

_PALETTE = (
    ("blue", (8, 5, 241)),
    ("yellow", (255, 175, 0)),
    ("red", (120, 0, 8)),
    ("green", (30, 88, 60)),
    ("white", (200, 255, 192)),
    ("orange", (180, 58, 6)),
    ("cyan", (0, 198, 252)),
    ("magenta", (156, 27, 255)),
)

WORDS = tuple([word for word, _rgb in _PALETTE])

# For what is no car: offered spaces, lines, warnings.
WHITE = (255, 240, 200)
WARNING = (255, 0, 0)


def rgb(word):
    """(red, green, blue) of a colour word, each 0 to 255; an unknown word is white."""
    for name, levels in _PALETTE:
        if name == word:
            return levels
    return WHITE
