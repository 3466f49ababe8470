"""Leads the table in putting the real cars where they belong, after something was taken back or a race goes on: one car
after the other swells where it is to stand, the place where it was glows, and the display says both. Loaded for that only.
"""

from hal import ticks_add, ticks_diff

CAR_MS = 2500


def lead(table, scene):
    """Leads people to where a scene has the cars that are lit elsewhere yet; None: to where all of them are lit."""
    app = table.app
    if table.led:
        table.led.end()
    rows = []
    for row in app.cars:
        space = before = app.light("stands", row[0])
        if scene:
            space = [there for car, there, _ in scene.cars if car == row[0]][0]
        if before is not None and (before != space or not scene and space >= 0):
            rows.append((row[0], before if scene else -1, space))
    if rows and not app.instant and "person" in [kind for kind, _ in table.race.setup.players]:
        table.led = Lead(table, rows)
    else:
        app.forget("glow.table_cars")


class Lead:
    """``rows`` are [car, space where it was or -1, space where it belongs or -1]."""

    def __init__(self, table, rows):
        self.table = table
        self.rows = rows
        self.say = ""
        self._all = False                          # were shown
        self._at = -1
        self._next_ms = table.app.now

    def tick(self, now):
        """Shows the next car where it is due; True once all were shown."""
        if ticks_diff(now, self._next_ms) < 0:
            return self._all
        app = self.table.app
        self._next_ms = ticks_add(now, app.reading_ms(CAR_MS))
        self._at += 1
        if self._at >= len(self.rows):
            self._at = 0
            self._all = True
        car, before, space = self.rows[self._at]
        name = self.table.race.track.space_name
        args = ["car:%d" % car] + [name(one) for one in (before, space) if one >= 0]
        self.say = app.speech.text("board.cars_" + ("off" if space < 0 else "here" if before < 0 else "back"), args)
        app.tell(self.say)
        app.light("lead", car, [one for one in (space, before) if one >= 0])
        return self._all

    def end(self):
        """Leads no more."""
        app = self.table.app
        if app.note == self.say:
            app.note = ""
        self.table.led = None
        app.forget("glow.table_cars")
