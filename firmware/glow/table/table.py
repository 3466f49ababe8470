"""The screen of a race: `Questions`, `Answering` and `View` together, tick by tick.

A press only marks its answer. After the frame that acknowledges it the engine takes the answer, the journal
gets its line, and then the cars move. While they move, OK on any panel skips to the end. Long work is done in
pieces, after the lights of a tick, so that the light for the next press is never late.
"""

from glow.board.screen import Screen
from glow.lights.lights import Lights
from glow.table.answering import Answering
from glow.table.keys import Keys
from glow.table.leading import Leader
from glow.table.questions import Questions
from glow.table.view import View


class Table(Screen):
    """``questions``: what is asked, cursors, panels; ``answering``: an answer from key to journal
    to lights; ``view``: what the display shows; ``leader``: helps people put cars back. ``menu``:
    the open menu, or None. ``done``: the race is over, and everything has been shown."""

    def __init__(self, app):
        super().__init__(app)
        self.race = app.race
        self.done = False
        self.menu = None
        self.view = View(app, self.race)
        self.leader = Leader(app, self.race)
        self.questions = Questions(app, self.race, self)
        self.answering = Answering(app, self.race, self.questions, self.view, self.leader, self)
        self._keys = Keys(app, self.race, self.questions, self.answering, self.view, self)

    def enter(self, now):
        self.app.light(Lights.show_race, now)
        self.answering.begin()
        if self.app.instant:
            self.answering.finish()

    # Time

    def tick(self, now):
        self.view.tell_news()
        if self.menu:
            self.menu.tick(now)
        elif self.answering.works():
            return                                 # the lights haven't been told everything yet
        elif self.answering.moving:
            self.answering.tick(now)
        elif self.race.over:
            self.done = True
        else:
            if self.leader.tick(now):              # bots wait until every car has been shown
                self.answering.bots(now)
            self.questions.turn_focus(now)

    def after_frame(self, now):
        app = self.app
        while (app.instant or not app.busy()) and self.answering.piece() and app.table is self and app.broken is None:
            pass

    def sync(self, now):
        """Asks the open questions."""
        self.view.end_wrong()
        self.answering.asked(now)
        self.questions.ask(now)

    def moves(self, now):
        """The cars begin to move: nothing is asked meanwhile."""
        if not self.menu:
            self.questions.light(now, False)
        self.dirty = True

    def settled(self, now):
        """All effects of an answer have been shown."""
        if not self.menu:
            self.sync(now)
        self.dirty = True

    # Keys

    def light(self, press):
        if press.kind == "wrong" and (press.key != "OK" or self.questions.waits_for_people()):
            self.app.light(Lights.signal, "wrong", press.seat, self.app.now)
        elif press.kind in ("press", "wrong") and not self.app.instant:
            self.app.light(Lights.ack, press.seat, self.app.now)

    def press(self, press):
        if press.kind == "press":
            self.leader.end()
        if self.menu:
            self.menu.press(press)
        else:
            self._keys.press(press)

    def open_menu(self, panel):
        """Opens the race menu."""
        self.menu = self.app.race_menu(self, panel)
        self.app.open_keys()
        self.questions.light(self.app.now, False)
        self.dirty = True

    def close_menu(self):
        """Closes the menu and goes back to the race."""
        self.menu = None
        if self.app.table is self:
            if self.answering.moving:
                self.app.open_keys()
            else:
                self.sync(self.app.now)
        self.dirty = True

    # Display

    def lines(self):
        view = self.view
        view.private_seat = self.private_seat = 0
        if self.menu:
            lines = self.menu.lines()
        else:
            place = self.questions.focused()
            lines = view.watching() if self.answering.moving or place is None else view.asked(place)
        self.private_seat = view.private_seat
        return lines
