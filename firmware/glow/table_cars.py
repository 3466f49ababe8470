"""Leads the table in putting the real cars where they belong, after something was taken back or a race goes on: one car
after the other swells where it is to stand, the place where it was glows, and the display says both. Loaded for that only.
"""

from hal import ticks_add, ticks_diff

CAR_MS = 2500


class Lead:
    """``rows`` are [car, space where it was or -1, space where it belongs or -1]. ``new``: not every car was shown yet."""

    def __init__(self, table, stood):
        self.table = table
        self.new = True
        self.rows = []
        self.say = ""
        self._at = -1
        self._next_ms = table.app.now
        known = dict([(row[0], row[1]) for row in stood])
        for car, space, _ in table.stood:
            before = known.get(car, -1)
            if before != space:
                self.rows.append((car, before, space))

    def tick(self, now):
        """Shows the next car where it is due."""
        if ticks_diff(now, self._next_ms) < 0:
            return
        app = self.table.app
        self._next_ms = ticks_add(now, app.reading_ms(CAR_MS))
        self._at += 1
        if self._at >= len(self.rows):
            self._at = 0
            self.new = False
        car, before, space = self.rows[self._at]
        name = self.table.race.track.space_name
        args = ["car:%d" % car] + [name(one) for one in (before, space) if one >= 0]
        self.say = app.speech.text("board.cars_" + ("off" if space < 0 else "here" if before < 0 else "back"), args)
        app.tell(self.say)
        app.light("lead", car, [one for one in (space, before) if one >= 0])

    def end(self):
        """The sentence goes."""
        app = self.table.app
        if app.note == self.say:
            app.note = ""
