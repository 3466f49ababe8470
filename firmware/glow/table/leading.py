"""Helps people put the real cars back, after an answer was taken back or when a saved race is resumed.

One car after another swells where it should stand, its old place glows, and the display names both.
"""

from glow.lights.lights import Lights
from hal import ticks_add, ticks_diff

CAR_MS = 2500


class Leader:
    """Leads people to put cars back; while ``rows`` is empty, no car is out of place."""

    def __init__(self, app, race):
        self.app = app
        self.race = race
        self.rows = []                             # [car, space where it was or -1, space where it belongs or -1]
        self._say = ""
        self._all = False                          # whether every car has been shown
        self._at = -1
        self._next_ms = app.now

    def lead(self, scene):
        """Leads people to put back the cars that are lit elsewhere than in this scene; None: all lit cars."""
        app = self.app
        self.end()
        rows = []
        for row in app.cars:
            space = before = app.light(Lights.stands, row[0])
            if scene:
                space = [there for car, there, _ in scene.cars if car == row[0]][0]
            if before is not None and (before != space or not scene and space >= 0):
                rows.append((row[0], before if scene else -1, space))
        if rows and not app.instant and "person" in [kind for kind, _ in self.race.setup.players]:
            self.rows = rows
            self._say = ""
            self._all = False
            self._at = -1
            self._next_ms = app.now

    def tick(self, now):
        """Shows the next car when it is due; True once all have been shown."""
        if not self.rows:
            return True
        if ticks_diff(now, self._next_ms) < 0:
            return self._all
        app = self.app
        self._next_ms = ticks_add(now, app.reading_ms(CAR_MS))
        self._at += 1
        if self._at >= len(self.rows):
            self._at = 0
            self._all = True
        car, before, space = self.rows[self._at]
        name = self.race.track.space_name
        args = ["car:%d" % car] + [name(one) for one in (before, space) if one >= 0]
        self._say = app.speech.text("board.cars_" + ("off" if space < 0 else "here" if before < 0 else "back"), args)
        app.tell(self._say)
        app.light(Lights.lead, car, [one for one in (space, before) if one >= 0])
        return self._all

    def end(self):
        """Stops leading."""
        if self.rows and self.app.note == self._say:
            self.app.note = ""
        self.rows = []
