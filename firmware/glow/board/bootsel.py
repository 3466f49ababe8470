"""BOOTSEL of a Pico with nothing but a strip: held for a second three bots race on its first track, held again that ends.

To read the button takes 40 µs with interrupts off, so it is read while the board is idle and between the turns of such a
race alone, at instant pace in each of its ticks. Only with the board file that is frozen in.
"""

from glow.menu import names
from hal import ticks_add, ticks_diff
from hal.data_files import tracks
from shared_rules import games

LOOK_MS = 50
HELD_MS = 1000
BOTS = 3


class Bootsel:
    """The button. A race that goes on from between two turns counts as held on where the button is down at both."""

    def __init__(self, app):
        self.app = app
        self.race = None                           # the race that it has begun
        self._look_ms = app.now
        self._down_ms = -1                         # since when it is held; -1: it is not
        self._done = False                         # this hold has had its effect

    def tick(self, now):
        """Looks at it, where it may be looked at, once in a while."""
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
            return app.instant or app.table.answering.rests()  # at instant pace the strips have nothing to be disturbed in
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
