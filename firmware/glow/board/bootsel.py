"""BOOTSEL of a Pico with nothing but a strip: hold it for a second and three bots race on its first
track; hold it again to end the race.

Reading the button takes 40 µs with interrupts off. So it is read only while the board is idle and
between the turns of such a race; at instant pace, in each of its ticks. Only with the frozen board file.
"""

from glow.menu import names
from hal import ticks_add, ticks_diff
from hal.data_files import tracks
from shared_rules import games

LOOK_MS = 50
HELD_MS = 1000
BOTS = 3


class Bootsel:
    """The button. During a race it counts as held if it is down in two successive gaps between turns."""

    def __init__(self, app):
        self.app = app
        self.race = None                           # the race it has started
        self._look_ms = app.now
        self._down_ms = -1                         # since when it has been held; -1: it isn't
        self._done = False                         # this hold has already acted

    def tick(self, now):
        """Reads the button now and then, when that is safe."""
        if not self._may() or ticks_diff(now, self._look_ms) < 0:
            return
        self._look_ms = ticks_add(now, LOOK_MS)
        if not self.app.hal.bootsel():
            self._down_ms = -1
            self._done = False
        elif self._down_ms < 0:
            self._down_ms = now
        elif not self._done and ticks_diff(now, self._down_ms) >= HELD_MS:
            self._done = True
            if self.app.state == "idle":
                self._start()
            else:
                self.app.stop_race()

    def _may(self):
        app = self.app
        if app.state == "idle":
            return True
        if self.race is None or app.race is not self.race:
            return False
        if app.state == "race" and app.table is not None:
            return app.instant or app.table.answering.rests()  # at instant pace the strips have nothing to disturb
        return app.state == "podium"

    def _start(self):
        app = self.app
        entry = tracks(app.hal)[0]
        game = games.about(entry["game"])
        app.begin_race({
            "game": entry["game"], "variant": game.VARIANTS[0], "track": entry["id"], "laps": 1,
            "players": names.fill(app.texts, [["bot", ""] for _ in range(BOTS)])}, None, self._begun)

    def _begun(self, say):
        if say:
            self.app.tell(say)
        else:
            self.race = self.app.race
