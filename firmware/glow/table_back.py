"""Taking back and asking why: the keys UNDO and WHY of a panel; and what leads the real cars back.

After something was taken back, or a saved race goes on, one car after the other swells where it is to stand, the place where
it was glows, and the display says both.
"""

from glow.table_keys import seats_of
from hal import ticks_add, ticks_diff

CAR_MS = 2500


def undo(table, place):
    """Takes back a part of what is being entered, else the last choice of those whom the panel serves."""
    table.touch(place)
    race = table.race
    place.near = None
    place.note = ""
    if place.pick and not table.moving and place.pick.back():
        table.light_ends(table.app.now)
        return
    seats = seats_of(table, place.panel)
    if not seats:
        return
    from shared_rules import rewind
    found = rewind.recall_last_of(race, seats)
    if found:
        table.offer(found[1], 0, "undo %d" % found[0], None, place)
    else:
        place.note = table.app.texts.get("board.nothing_to_undo")


def why(table, place):
    """Shows the next near miss of the prompt, or why there is none."""
    table.touch(place)
    place.note = ""
    if not place.prompt:
        place.note = table.app.texts.get("board.nothing_asked")
        return
    if place.prompt.secret:
        return                                     # WHY held shows the hand
    if place.near is None:
        place.near = place.prompt.refused()
        place.near_at = 0
    else:
        place.near_at += 1
    if place.near_at >= len(place.near):
        none = not place.near
        place.near = None
        if none and place.prompt.told:
            say, clause = place.prompt.told()
            place.note = table.app.speech.say(say) + " (" + clause + ")"
        elif none:
            clause = place.prompt.clause
            place.note = table.app.speech.text("board.no_near_miss", (clause or "-",))
    table.light_ends(table.app.now)


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
