"""Looking at one's own hand at any time, on the one display: a neutral screen that names the seat, and the cards while that
seat's WHY is held. Loaded for that only.
"""

from glow.table_view import WIDTH
from glow.texts import wrap


class Hand:
    """The page of the race's menu for the panel that has asked; PREV and NEXT go on to the panel's next seat, or through
    what is held while it is shown."""

    def __init__(self, table, panel):
        self.table = table
        self.panel = panel
        setup = table.race.setup
        self.seats = [seat for seat in table.app.panels.seats(panel)
                      if seat <= len(setup.players) and not setup.is_bot(seat) and seat not in table.race.left]
        self.at = 0
        self.first = 0

    def press(self, press):
        """Takes a key; False where the page is to be left."""
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
        """The six lines; names the private seat where they show anything hidden."""
        speech = self.table.app.speech
        if not self.seats:
            return [speech.text("board.menu_hand")] + wrap(speech.text("board.hand_none"), WIDTH, 5)
        seat = self.seats[self.at]
        head = speech.seat(seat)
        if not self._shown():
            return [head] + wrap(speech.text("board.hold_why_hand", ("seat:%d" % seat,)), WIDTH, 5)
        self.table.private_seat = seat
        shown = []
        for item in self.table.race.view(seat)["private"]:
            shown += wrap(speech.say(item), WIDTH)
        self.first = min(self.first, max(0, len(shown) - 5))
        return [head] + (shown[self.first:self.first + 5] or [speech.text("board.hand_empty")])
