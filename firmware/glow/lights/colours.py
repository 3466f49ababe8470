"""The colours of cars, seats and marks as LED levels.

An LED's light grows evenly with its level, so these are linear RGB values, three bytes each. They differ
in brightness as well as hue, so that they stay distinct with any of the three common colour-vision
deficiencies (a test checks that); and each car has a rhythm too, because colour is never the only mark.
"""

WORDS = ("blue", "yellow", "red", "green", "white", "orange", "cyan", "magenta")
# Red, green and blue of each word, in a single object: on a Pico every object costs some forty bytes.
_LEVELS = bytes((0, 0, 255, 255, 175, 0, 120, 0, 8, 30, 88, 60, 200, 255, 192, 180, 58, 6, 0, 198, 252, 156, 27, 255))

# For what isn't a car: offered spaces, lines, warnings.
WHITE = bytes((255, 240, 200))
WARNING = bytes((255, 0, 0))


def rgb(word):
    """Red, green and blue of a colour word as three bytes; an unknown word is white."""
    if word not in WORDS:
        return WHITE
    at = 3 * WORDS.index(word)
    return _LEVELS[at:at + 3]
