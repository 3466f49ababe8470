"""Pixels and display of a Pico as messages, for somebody who watches from elsewhere. Loaded when somebody does."""

from hal.output import Output


class Mirror:
    """At most one picture for each call of `look`; nothing while the host hasn't read the last one."""

    def __init__(self, hal):
        self.busy = False  # a frame is waiting or on its way
        self.begun = False  # part of its line has been sent
        self._hal = hal
        self._outputs = [Output(one.count, one.use) for one in hal.pixels]
        self._place = 0
        self.refresh()

    def refresh(self):
        """Send everything again."""
        for output in self._outputs:
            output.late = output.count > 0
        self._hal.display.late = True

    def look(self):
        """Find what has changed since the last look."""
        hal = self._hal
        for output, real in zip(self._outputs, hal.pixels):
            if real.count and real.frame:
                output.show(real.frame)
        if hal.display.late and hasattr(hal.display, "message"):
            hal.display.late = not hal.send(hal.display.message(), True)
        if not self.busy:
            for step in range(1, len(self._outputs) + 1):  # each in turn
                place = (self._place + step) % len(self._outputs)
                if self._outputs[place].late:
                    self._place = place
                    self.busy = True
                    return

    def next_piece(self):
        """The next bytes of the frame's line; only while `busy`."""
        output = self._outputs[self._place]
        if not self.begun:                         # it takes its number only when it goes out: others may have gone before
            self.begun = True
            return output.begin_line(self._place, self._hal._next_number())
        piece = output.next_piece()
        self.busy = self.begun = output.sending
        return piece
