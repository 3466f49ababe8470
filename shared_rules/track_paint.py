"""The colours of painted spaces. Loaded only for tracks that have some.

A pack keeps one byte per space: the number of a colour in COLOURS, from 1, in its low half and, if the space has two
colours, the number of the second in its high half; 0 is a space without paint.
"""

COLOURS = ("black", "gold", "red", "purple", "blue", "yellow", "green", "white")


def colours_of(track, space):
    """The colours of a space: a tuple of one or two words, () if it has none."""
    painted = track.painted[space] if track.painted else 0
    return tuple([COLOURS[half - 1] for half in (painted & 15, painted >> 4) if half])
