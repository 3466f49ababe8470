"""What every screen of the board does; each one overrides what it needs."""

from glow.lights.lights import Lights

#: Characters in a line of the display.
WIDTH = 21


class Screen:
    """One state of the board. Setting ``dirty`` redraws the display.

    ``private_seat`` is the only seat that may read the display, 0 for everybody.
    """

    private_seat = 0

    def __init__(self, app):
        self.app = app
        self.dirty = True

    def enter(self, now):
        """Called once, when the screen has become the app's current one."""

    def leave(self):
        """Called once, before the next screen opens."""

    def light(self, press):
        """The light that acknowledges a key at once; the key's own work may take longer and comes after it."""
        if press.kind == "press" and not self.app.instant:
            self.app.light(Lights.ack, press.seat, self.app.now)

    def press(self, press):
        """A key was pressed; see `glow.keys.panels.Press`."""

    def tick(self, now):
        """Once a tick, before the lights."""

    def after_frame(self, now):
        """Once a tick, after the lights: for work that must not keep a light waiting."""

    def lines(self):
        """The display's lines, at most six."""
        return []
