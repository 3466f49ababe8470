"""The colours of painted spaces as light: dim and steady, so that cars, offered spaces and animations stand out.

Loaded for painted tracks. A space of two colours alternates between them.
"""

from glow.lights.effects import paint
from glow.lights.quick import put

#: Of 255; only a red or a green car drops below twice this.
LEVEL = 18
#: How long a space of two colours shows each of them.
TURN_MS = 1600
# Red, green and blue in the order of shared_rules.track_paint.COLOURS; black is the faintest light
# that can be seen. A test keeps them distinct for the three common colour-vision deficiencies.
_LEVELS = bytes((40, 10, 42, 174, 47, 0, 170, 0, 12, 171, 40, 220, 10, 0, 160, 255, 178, 0, 0, 111, 60, 220, 255, 252))


def rgb(place):
    """Red, green and blue of a colour at full, given its place in COLOURS, from 1."""
    return _LEVELS[3 * place - 3:3 * place]


def draw(frame, track, painted):
    """Draws the paint of all spaces into a frame; returns the spaces of two colours as ``put_cars``
    takes them: two entries of eight bytes each."""
    twice = bytearray()
    for space in range(len(painted)):
        halves = painted[space]
        pixel = track.pixel(space)
        if not halves or pixel < 0:
            continue
        put(frame, pixel, paint(rgb(halves & 15), LEVEL))
        if halves >> 4:
            for turn, place in enumerate((halves & 15, halves >> 4)):
                colour = paint(rgb(place), LEVEL)
                twice += bytes((pixel & 255, pixel >> 8, colour >> 16, (colour >> 8) & 255, colour & 255, 0, 2, turn))
    return twice
