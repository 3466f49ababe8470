"""What a virtual board has instead of parts: outputs (see hal.output), and a display and buzzer that end in messages."""

DISPLAY_LETTERS = 21
DISPLAY_LINES = 6


class Display:
    """The display of 21 characters and six lines."""

    def __init__(self):
        self._shown = [""] * DISPLAY_LINES
        self._private = 0
        self.late = False

    def lines(self, lines, private_seat=0):
        """Show six lines (longer ones are cut). `private_seat`: the only seat that may read them, 0 for everybody."""
        same = private_seat == self._private
        for row in range(DISPLAY_LINES):
            line = lines[row][:DISPLAY_LETTERS] if row < len(lines) else ""
            if line != self._shown[row]:
                self._shown[row] = line
                same = False
        if not same:
            self._private = private_seat
            self.late = True

    def message(self):
        """The display's content as a message. A private screen isn't mirrored to anybody: its lines stay empty."""
        lines = [""] * DISPLAY_LINES if self._private else list(self._shown)
        return {"t": "show", "lines": lines, "private": self._private}


class Sound:
    """The buzzer. `mute` is checked before anything sounds."""

    def __init__(self, hal):
        self._hal = hal
        self.mute = False

    def play(self, name):
        """Play a named sound, unless muted."""
        if not self.mute:
            self._hal.send({"t": "sound", "name": name}, True)
