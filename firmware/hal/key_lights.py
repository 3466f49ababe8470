"""Lights a pixel for each press at once, from the timer that scans the keys: the loop may be in the middle of something.

The pixel belongs to the first dial of the panel whose key went down, in the colour of a press, another one
each time: quick presses can all be seen, and none is a flash. It stays until the loop has taken the press;
from then on the frames decide what is lit (glow.lights.dials marks the same pixel). So it is never there
alone for longer than the loop's longest work.
"""

from array import array

from hal import ticks_diff

BOUNCE_MS = 60  # bouncing contacts make no further press


class KeyLights:
    """`output` is the driver's output with the dials; `each` is the number of pixels a panel, the first `span`
    of them its first dial; `colour` (r, g, b) of a press, `bright` the limits' value for each level."""

    def __init__(self, output, panels, each, span, colour, bright):
        self._output = output
        self._each = each
        self._span = span
        self._colour = colour
        self._bright = bright
        self._turns = bytearray(panels)
        self._lit = bytearray(panels)  # for each panel: 0, or its pixel, counted from 1
        self._taken = bytearray(panels)
        self._pressed_ms = array("i", [0] * panels)
        output.marks = array("h", [-1] * panels)

    def press(self, panel, now_ms):
        """A key of a panel (from 1) went down. For the timer. If the loop hasn't taken the previous
        press yet, the light moves on to the next pixel."""
        place = panel - 1
        if not 0 <= place < len(self._lit):
            return
        if self._lit[place] and 0 <= ticks_diff(now_ms, self._pressed_ms[place]) < BOUNCE_MS:
            return
        self._pressed_ms[place] = now_ms
        turn = self._turns[place] = (self._turns[place] + 1) % self._span
        self._lit[place] = turn + 1
        bright = self._bright
        red, green, blue = self._colour
        self._output.mark(place, place * self._each + turn, bright[red], bright[green], bright[blue])

    def take(self):
        """The loop takes the presses made so far."""
        for place in range(len(self._lit)):
            self._taken[place] = self._lit[place]

    def lit(self, panel):
        """Which pixel of a panel's first dial is lit for a press that the loop has taken; -1 for none."""
        return self._taken[panel - 1] - 1 if panel <= len(self._lit) else -1

    def release(self):
        """The loop's frame now shows the presses that it took; a later press keeps its own light."""
        for place in range(len(self._lit)):
            taken = self._taken[place]
            if taken:
                self._taken[place] = 0
                if taken == self._lit[place]:
                    self._lit[place] = 0
                    self._output.unmark(place)
