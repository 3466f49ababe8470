"""The colours of cars, seats and marks as LED levels.

An LED's light grows evenly with its level, so these are linear RGB values, three bytes each. They differ in brightness as
well as hue, so that they stay apart with any of the three common colour-vision deficiencies (a test keeps the distance);
and each car has a rhythm too, because colour is never the only mark.
"""

_PALETTE = (
    ("blue", bytes((8, 5, 241))),
    ("yellow", bytes((255, 175, 0))),
    ("red", bytes((120, 0, 8))),
    ("green", bytes((30, 88, 60))),
    ("white", bytes((200, 255, 192))),
    ("orange", bytes((180, 58, 6))),
    ("cyan", bytes((0, 198, 252))),
    ("magenta", bytes((156, 27, 255))),
)

WORDS = tuple([word for word, _rgb in _PALETTE])

# For what is no car: offered spaces, lines, warnings.
WHITE = bytes((255, 240, 200))
WARNING = bytes((255, 0, 0))


def rgb(word):
    """Red, green and blue of a colour word as three bytes; an unknown word is white."""
    for name, levels in _PALETTE:
        if name == word:
            return levels
    return WHITE
