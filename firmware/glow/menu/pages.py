"""Pages of the race menu: a player's own hand, correcting an answer, a player who leaves. Each is loaded when opened.

A hand can be looked at any time, on the one display: a neutral screen names the seat, and the cards
are shown while that seat's WHY is held.
"""

from glow.board.screen import WIDTH
from glow.table.pick import make
from glow.table.place import Place
from glow.texts.texts import fit, wrap
from shared_rules import rewind
from shared_rules.marks import line_of, seat_of, words_of
from shared_rules.notation import ENGINE_VERBS

#: How many of the last answers can be corrected.
MOST_BACK = 40


class Hand:
    """The race menu's hand page for the panel that asked; PREV and NEXT go on to the panel's next
    seat or, while a hand is shown, through its cards."""

    def __init__(self, table, panel):
        self.table = table
        self.panel = panel
        setup = table.race.setup
        self.seats = [seat for seat in table.app.panels.seats(panel)
                      if seat <= len(setup.players) and not setup.is_bot(seat) and seat not in table.race.left]
        self.at = 0
        self.first = 0

    def press(self, press):
        """Handles a key; False when the page closes."""
        if press.key == "WHY" or press.kind not in ("press", "repeat"):
            self.first = 0
            return True
        if press.panel != self.panel or press.key not in ("PREV", "NEXT"):
            return False
        step = 1 if press.key == "NEXT" else -1
        if self._shown():
            self.first = max(0, self.first + step)
        elif self.seats:
            self.at = (self.at + step) % len(self.seats)
        return True

    def _shown(self):
        return self.table.app.panels.held(self.panel, "WHY")

    def lines(self):
        """The six lines; sets the private seat if they show anything hidden."""
        speech = self.table.app.speech
        if not self.seats:
            return [speech.text("board.menu_hand")] + wrap(speech.text("board.hand_none"), WIDTH, 5)
        seat = self.seats[self.at]
        head = speech.seat(seat)
        if not self._shown():
            return [head] + wrap(speech.text("board.hold_why_hand", ("seat:%d" % seat,)), WIDTH, 5)
        self.table.view.private_seat = seat
        shown = self.table.view.hand(seat)
        self.first = min(self.first, max(0, len(shown) - 5))
        return [head] + (shown[self.first:self.first + 5] or [speech.text("board.hand_empty")])


class Mend:
    """The page for the panel that asked. PREV and NEXT go through the choices; OK takes one: the
    question of that answer is asked again; a player who leaves is asked to confirm."""

    def __init__(self, table, panel, item):
        self.table = table
        self.panel = panel
        self.item = item
        self.at = 0
        self.sure = False
        self.place = None                          # with the question of an answer, once chosen
        self.note = ""
        self._opened = {}                          # places of sealed answers: whether all have seen them
        seats = self.seats = [seat for seat in table.questions.seats_of(panel) if seat not in table.race.left]
        if not seats:
            self.rows = []
            self.note = table.app.texts.get("board.hand_none")
        else:
            self.rows = seats if item == "leave" else self._answers()
            self.sure = item == "leave" and len(seats) == 1
        self._seen = self._state()

    def _state(self):
        """A value that changes when the race goes on: somebody may answer on a page while this one is open."""
        race = self.table.race
        return race.lines, len(race.pending_answers()), race.asking is None

    def _follow(self):
        """Starts again when the race has gone on: a listed answer may no longer count, and no
        question is asked again while others are still to answer."""
        if self.item == "correct" and self.seats and self._seen != self._state():
            self._seen = self._state()
            self.at = 0
            self.place = None
            self.note = ""
            self._opened = {}
            self.rows = self._answers()

    def _answers(self):
        """[the number of answers up to this one, its mark] for what people answered, the last one
        first; of hidden answers only those of this panel's own seats."""
        race = self.table.race
        if race.asking or race.pending_answers():
            self.note = self.table.app.texts.get("engine.wait_for_others")
            return []
        rows = self._known(race)
        if not rows and race.base:
            rewind.recall(race, 0)
            rows = self._known(race)
        if not rows:
            self.note = self.table.app.texts.get("board.correct_none")
        return rows

    def _known(self, race):
        rows = []
        for back, mark in enumerate(reversed(race.taken[-MOST_BACK:])):
            verb = words_of(race, mark)[0]
            seat = seat_of(mark)
            if seat in self.seats or not (seat and race.setup.is_bot(seat) or race.line(line_of(mark)).secret):
                if verb not in ENGINE_VERBS and rewind.by_hand(race, verb):
                    rows.append((race.taken_count() - back, mark))
        return rows

    def press(self, press):
        """Handles a key; False when the page closes."""
        if press.panel != self.panel or press.kind not in ("press", "repeat"):
            return True
        self._follow()
        key = press.key
        if key in ("PREV", "NEXT"):
            step = 1 if key == "NEXT" else -1
            if self.place:
                self.place.pick.move(step)
            elif self.rows:
                self.at = (self.at + step) % len(self.rows)
                self.sure = False
            return True
        if press.kind == "repeat":
            return True
        if key == "UNDO" and self.place:
            if not self.place.pick.back():
                self.place = None
            return True
        return key == "OK" and self.rows and self._ok()

    def _ok(self):
        if self.item == "leave":
            if self.sure:
                return self._offer(self.rows[self.at], "leave")
            self.sure = True
        elif self.place is None:
            self._ask()
        else:
            text = self.place.pick.ok()
            if text is not None:
                own = self.place.seat in self.seats
                return self._offer(self.place.seat if own else self.seats[0], "correct %d %s" % (self._back(), text))
        return True

    def _offer(self, seat, text):
        self.table.close_menu()
        self.table.answering.offer(seat, 0, text, None, self.table.questions.places[self.panel - 1])
        return False

    def _back(self):
        """How many answers back the chosen one is."""
        return self.table.race.taken_count() - self.rows[self.at][0] + 1

    def _ask(self):
        """Asks that answer's question again."""
        self.place = Place(self.panel)
        self.place.seat = seat_of(self.rows[self.at][1])
        rewind.asked_then(self.table.race, self._back(), self._take)

    def _is_open(self):
        """Whether everybody has seen the chosen answer, although it is sealed."""
        if self.at not in self._opened:
            self._opened[self.at] = rewind.asked_then(self.table.race, self._back(), lambda prompt: prompt.laid_open)
        return self._opened[self.at]

    def _take(self, prompt):
        race = self.table.race
        space = [row[1] for row in race.scene().cars if row[0] == prompt.car]
        self.place.prompt = prompt
        self.place.pick = make(prompt, race.track, (space + [-1])[0])

    def lines(self):
        """The six lines."""
        table = self.table
        self._follow()
        if self.place:
            return table.view.asked(self.place)
        texts = table.app.texts
        count = len(self.rows)
        head = fit(texts.get("board.menu_" + self.item), "%d/%d" % (self.at + 1, count) if count > 1 else "")
        if not count:
            say = self.note
        elif self.item == "leave":
            say = "> " + table.app.speech.seat(self.rows[self.at])
            if self.sure:
                say += ": " + texts.get("board.menu_sure")
        else:
            mark = self.rows[self.at][1]
            line = table.race.line(line_of(mark))
            line.text = " ".join(words_of(table.race, mark))
            say = "> " + table.app.speech.line(line, 0, line.secret and self._is_open())
        return [head] + wrap(say, WIDTH, 5)
