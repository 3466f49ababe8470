"""What leads the real cars back, after something was taken back or a saved race goes on.

One car after the other swells where it is to stand, the place where it was glows, and the display says both.
"""

from glow.lights.lights import Lights
from hal import ticks_add, ticks_diff

CAR_MS = 2500


class Leader:
    """Leads people to put cars back; while ``rows`` is empty there is nothing to lead them to."""

    def __init__(self, app, race):
        self.app = app
        self.race = race
        self.rows = []                             # [car, space where it was or -1, space where it belongs or -1]
        self._say = ""
        self._all = False                          # were shown
        self._at = -1
        self._next_ms = app.now

    def lead(self, scene):
        """Leads people to where a scene has the cars that are lit elsewhere yet; None: to where all of them are lit."""
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
        """Shows the next car where it is due; True once all were shown."""
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
        """Leads no more."""
        if self.rows and self.app.note == self._say:
            self.app.note = ""
        self.rows = []
