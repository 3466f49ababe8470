"""Pixels and display of a Pico as messages, for somebody who watches from afar. Loaded once somebody does."""

from hal.output import Output


class Mirror:
    """At most one picture each time that `look` is called; nothing while the host hasn't read the last one."""

    def __init__(self, hal):
        self.busy = False  # a frame waits or is on its way
        self.begun = False  # a part of its line has gone
        self._hal = hal
        self._outputs = [Output(one.count, one.use) for one in hal.pixels]
        self._place = 0
        self.refresh()

    def refresh(self):
        """Send all again."""
        for output in self._outputs:
            output.late = output.count > 0
        self._hal.display.late = True

    def look(self):
        """See what has changed since the last look."""
        hal = self._hal
        for output, real in zip(self._outputs, hal.pixels):
            if real.count and real.frame:
                output.show(real.frame)
        if hal.display.late and hasattr(hal.display, "message"):
            hal.display.late = not hal.send(hal.display.message(), True)
        if not self.busy:
            for step in range(1, len(self._outputs) + 1):  # each has its turn
                place = (self._place + step) % len(self._outputs)
                if self._outputs[place].late:
                    self._place = place
                    self.busy = True
                    return

    def next_piece(self):
        """The next bytes of the frame's line; only while `busy`."""
        output = self._outputs[self._place]
        if not self.begun:                         # its number is that of a line that goes now: others may have gone before
            self.begun = True
            return output.begin_line(self._place, self._hal._next_number())
        piece = output.next_piece()
        self.busy = self.begun = output.sending
        return piece
