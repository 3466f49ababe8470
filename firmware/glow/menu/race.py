"""The menu in a race: standings, dice, settings, leaving. Any panel works it."""

from glow.menu import choices
from glow.texts.texts import fit, wrap
from hal import ticks_add, ticks_diff
from shared_rules import notation
from shared_rules.marks import line_of, seat_of
from shared_rules.scene import Scene

CLOSES_MS = 60000
ITEMS = ("back", "correct", "cars", "standings", "dials", "lights", "statistics", "dice") + choices.KEYS + (
    "leave", "quit", "new")
#: Choices that need a confirmation.
TWICE = ("new",)
WINDOW = 5


class RaceMenu:
    """A list of items; OK does or changes one, UNDO and MENU go back."""

    def __init__(self, table, panel):
        self.table = table
        self.app = table.app
        self.panel = panel
        self.at = 0
        self.sure = False
        self.page = None
        self.page_at = 0
        self.hand = None
        self.items = ITEMS
        if table.race.game.secret_fields:          # there are hands to look at
            self.items = ITEMS[:1] + ("hand",) + ITEMS[1:]
        self._closes_ms = ticks_add(self.app.now, CLOSES_MS)

    def tick(self, now):
        """Closes the menu after a minute without a key."""
        if ticks_diff(now, self._closes_ms) >= 0:
            self.table.close_menu()

    def press(self, press):
        """One key of any panel."""
        if self.hand:
            self._closes_ms = ticks_add(self.app.now, CLOSES_MS)
            self.table.dirty = True
            if not self.hand.press(press):
                self.hand = None
            return
        if press.kind not in ("press", "repeat"):
            return
        self._closes_ms = ticks_add(self.app.now, CLOSES_MS)
        self.table.dirty = True
        key = press.key
        if key in ("PREV", "NEXT"):
            step = 1 if key == "NEXT" else -1
            if self.page is not None:
                self.page_at = min(max(0, len(self.page) - WINDOW), max(0, self.page_at + step))
            else:
                self.at = (self.at + step) % len(self.items)
                self.sure = False
        elif press.kind == "repeat":
            return
        elif self.page is not None:
            self.page = None
        elif key == "OK":
            self._do(self.items[self.at], press)
        else:
            self.table.close_menu()

    def _do(self, item, press):
        if item in ("correct", "leave"):
            from glow.menu.pages import Mend  # each of these pages is loaded when it is opened
            self.hand = Mend(self.table, press.panel, item)
            return
        if item in TWICE and not self.sure:
            self.sure = True
            return
        self.sure = False
        app = self.app
        if item == "back":
            self.table.close_menu()
        elif item == "hand":
            from glow.menu.pages import Hand  # as Mend
            self.hand = Hand(self.table, press.panel)
        elif item == "cars":
            self.table.close_menu()
            self.table.leader.lead(None)
        elif item == "standings":
            self._open([fit("%d %s" % (place, app.speech.who(seat, car)), str(points))
                        for seat, car, place, points in self.table.race.standings()]
                       + self._told())
        elif item == "dials":
            from glow.table import dials  # as Mend
            self._open(dials.page(app, self.table.view.dials))
        elif item == "lights":
            from glow.menu import legend  # as Mend
            self._open(legend.page(app, self.table.race.game))
        elif item == "statistics":
            self._open(self._statistics())
        elif item == "dice":
            seat = self._seat(press.panel)
            other = "device" if self._source() == "table" else "table"
            self.table.answering.offer(seat, 0, "source dice " + other)
        elif item == "quit":
            app.stop_race()
        elif item == "new":
            app.drop_race()
            app.go("menu")
        else:
            self.panel = press.panel
            choices.turn(app, item, 1, press.panel)

    def _seat(self, panel):
        """The person served by a panel, so that people leave only for themselves."""
        return self.table.questions.seat_of(panel)

    def _source(self):
        """Where the dice of the next turn come from."""
        return self.table.race.next_source

    def _open(self, lines):
        self.page = lines
        self.page_at = 0

    def _told(self):
        """What else the game says about the race: laps, teams."""
        scene = Scene()
        self.table.race.game.scene(scene)
        lines = []
        for line in scene.lines:
            lines += wrap(self.app.speech.say(line), 21)
        return lines

    def _statistics(self):
        """How often each player has rolled each face, counting only answers still in force."""
        race = self.table.race
        from shared_rules import rewind  # loaded when earlier answers are needed
        rewind.recall(race, 0)
        counts = [{} for _ in race.setup.players]
        for mark in race.taken:
            words = race.line(line_of(mark)).text.split(" ")
            if words[0] == "correct":
                words = words[2:]
            seat = seat_of(mark)
            if words[0] == "roll" and 0 < seat <= len(counts):
                for face in words[1:]:
                    counts[seat - 1][face] = counts[seat - 1].get(face, 0) + 1
        lines = []
        for seat, faces in enumerate(counts):
            lines.append(fit(self.app.speech.seat(seat + 1), str(sum(faces.values()))))
            lines.extend(wrap("  ".join(["%s:%d" % (face, faces[face]) for face in _sorted(faces)]), 21))
        return lines

    def lines(self):
        """The display's lines."""
        texts = self.app.texts
        if self.hand:
            return self.hand.lines()
        if self.page is not None:
            return [texts.get("board.menu_" + self.items[self.at])] + self.page[self.page_at:self.page_at + WINDOW]
        race = self.table.race
        title = self.app.speech.text("board.lap_short", (race.lap, race.laps)) if race.lap else ""
        shown = [fit(texts.get("board.menu"), title)]
        first = min(max(0, self.at - 2), len(self.items) - WINDOW)
        for at in range(first, first + WINDOW):
            item = self.items[at]
            name = texts.get("board.menu_sure") if self.sure and at == self.at else texts.get("board.menu_" + item)
            shown.append(fit((">" if at == self.at else " ") + name, self._value(item)))
        return shown

    def _value(self, item):
        texts = self.app.texts
        if item == "dice":
            return texts.get("board.source_" + self._source())
        return choices.name(self.app, item, self.panel) if item in choices.KEYS else ""


def _sorted(faces):
    keyed = [(notation.number(face) or 0, face) for face in faces]
    keyed.sort()
    return [face for _, face in keyed]
