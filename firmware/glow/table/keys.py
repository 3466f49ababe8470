"""What the six keys of a panel do in a race."""


class Keys:
    """They move the cursors of `Questions`; what is chosen there goes to `Answering`. The ``screen`` opens the menu."""

    def __init__(self, app, race, questions, answering, view, screen):
        self.app = app
        self.race = race
        self.questions = questions
        self.answering = answering
        self.view = view
        self._screen = screen

    def press(self, press):
        """Handles one key of one panel."""
        questions = self.questions
        if press.panel > len(questions.places):
            return
        place = questions.places[press.panel - 1]
        key = press.key
        if press.kind not in ("press", "repeat"):
            self._no_press(press)
        elif key == "MENU":
            self._screen.open_menu(press.panel)
        elif self.answering.moving:
            if key in ("OK", "UNDO"):
                self.answering.skip()
            if key == "UNDO":
                self._undo(place)
        elif place.teach and not place.note:
            if place.seen or questions.focus == place.panel - 1:
                place.teach = ""
            place.seen = True                      # it appears on the display now, if it hadn't yet
            questions.touch(place)
        elif key == "WHY":
            questions.why(place)
        elif place.near is not None or (place.note and key != "UNDO"):
            place.hush()
            questions.touch(place)
            questions.light(self.app.now)
        elif key == "UNDO":
            self._undo(place)
        elif place.pick and press.serial == place.serial and place.seat in (0, press.seat):
            questions.touch(place)
            text = questions.choose(place, key)
            if text is not None:
                seat = place.seat or questions.seat_of(place.panel)
                self.answering.offer(seat, place.serial, text, None, place)

    def _no_press(self, press):
        """A key of somebody who isn't asked, or one that is released; early and long presses say nothing."""
        if press.kind == "wrong":
            if press.key == "OK" and not self.questions.waits_for_people():
                self.answering.skip()              # a bot is thinking: it needn't
            else:
                self.view.tell_wrong()
        elif press.kind == "release" and press.key == "WHY":
            self._screen.dirty = True

    def _undo(self, place):
        """Takes back part of what is being entered, else the last choice of the people served by this panel."""
        questions = self.questions
        questions.touch(place)
        place.hush()
        if place.pick and not self.answering.moving and place.pick.back():
            questions.light(self.app.now)
            return
        seats = questions.seats_of(place.panel)
        if not seats:
            return
        from shared_rules import rewind  # loaded when the first answer is taken back
        found = rewind.recall_last_of(self.race, seats)
        if found:
            self.answering.offer(found[1], 0, "undo %d" % found[0], None, place)
        else:
            place.note = self.app.texts.get("board.nothing_to_undo")
