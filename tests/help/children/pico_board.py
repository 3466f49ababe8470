"""A Pico on the bench with the whole firmware on it: its panels' keys are pressed, strips and display read from its wires.

Runs under MicroPython (unix). The board's output goes to standard output, as on its USB line; results to
standard error.
"""

import json
import os
import sys

from fake_pico import board
from parts import Rc522, Sh1106


class PicoBoard:
    """The board whose flash is the folder ``root``. ``more`` changes its wiring (None takes a part away)."""

    tick_ms = 5

    def __init__(self, root, pace="fast", without=(), panels=6, **more):
        os.chdir(root)
        with open("board.json") as file:
            table = json.load(file)
        for name in more:
            table["wiring"].pop(name, None)
            if more[name] is not None:
                table["wiring"][name] = more[name]
        with open("board.json", "w") as file:
            json.dump(table, file)
        board.fake_clock()
        board.setup(table)
        for module in range(panels, board.pad if board.pad >= 0 else len(board.modules)):
            board.modules[module] = 0
        self.screen = Sh1106()
        self.reader = Rc522()
        if "screen" not in without:
            board.i2c[0x3C] = self.screen
        if "reader" not in without:
            board.spi[17] = self.reader
        from glow.app import App
        from hal import file_system
        from hal.pico import PicoHal
        file_system.state = "ok"  # as _boot.py has it
        self.hal = PicoHal()
        self.hal.listened = True
        self.app = App(self.hal, pace=pace)
        self.app.settings.put("teach", 0)

    def tick(self):
        """One pass of main.py's loop."""
        now = self.hal.ticks_ms()
        self.hal.poll(now)
        self.app.tick(now)
        self.hal.sleep_ms(self.tick_ms)

    def run(self, ms):
        """Let it run for `ms`."""
        until = board.now_us() + 1000 * ms
        while board.now_us() < until:
            self.tick()

    def until(self, reached, limit_ms=30000):
        """Run until ``reached()``; returns its last value."""
        end = board.now_us() + 1000 * limit_ms
        while not reached() and board.now_us() < end:
            self.tick()
        return reached()

    def press(self, panel, key, ms=60):
        """Press a key and release it."""
        board.press(panel, key)
        self.run(ms)
        board.release(panel, key)
        self.run(160)

    def text(self):
        """The text on the display."""
        return " ".join([line.strip() for line in self.hal.display.message()["lines"]])

    def part(self, name):
        """(state, detail) of a part."""
        for one, state, detail in self.hal.parts:
            if one == name:
                return state, detail

    def start(self, *players, **more):
        """Start a race as a host would: people by name, bots with a star in front."""
        plain = {"game": "moto_grand_prix", "variant": "basic", "track": "fabulous-driving-park", "laps": 1,
                 "seed": "00112233445566778899aabbccddeeff0123",
                 "players": [["bot" if name[0] == "*" else "person", name.lstrip("*")] for name in players]}
        plain.update(more)
        say = self.app.start_race(plain)
        assert not say, say
        assert self.until(lambda: self.app.state == "race" and not self.app.table.answering.moving)

    def asked(self):
        """The panel that is asked now, or 0."""
        for panel in range(1, self.app.panels.count() + 1):
            if self.app.panels.asking(panel)[0]:
                return panel
        return 0

    def play(self, lines, panel=0, key="OK"):
        """Press keys of the panels that are asked (or always the same key) until the journal has this many lines."""
        for _ in range(20 * lines + 40):
            if self.app.race.lines >= lines:
                return
            self.until(lambda: self.asked() > 0, 3000)
            self.press(panel or self.asked(), key)
        raise AssertionError("The race has only reached line %d: %s" % (self.app.race.lines, self.text()))

    def dark(self):
        """Whether no pixel of any wire shows light."""
        return not any(any(wire.words) for wire in board.wires.values())


def say(*words):
    """A result for the test."""
    print(*words, file=sys.stderr)
