"""Roll, go, roll, go: two questions strictly in turn, as many as a race has turns. Looking at every second
place shows only rolls, or only choices.
"""

from shared_rules import notation
from shared_rules.game import Game as BaseGame
from shared_rules.prompts import D6, Choose, Refusal, Roll
from tiny_games.bots import Anyhow

CLAUSES = ("RG-1", "RG-2")
#: Turns of a race, of all seats together.
TURNS = 24


class Game(BaseGame):
    """One race."""

    ID = "tiny_roll_and_go"
    VARIANTS = ("short",)
    SEATS = (2, 6)
    LAPS = False
    BOTS = Anyhow

    fields = ("taken", "rows", "gone", "next")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.rows = [0 for _ in setup.players]
        self.gone = []
        self.taken = 0
        self.next = setup.seats()

    def turn(self):
        """One seat's turn: roll (RG-1), and go as far or less (RG-2)."""
        seat = self.next[0]
        face, = yield Roll(seat, [D6], "tiny_roll_and_go.ask_roll", (), seat, "RG-1")
        ends = list(range(face + 1))
        rows = yield Choose(seat, [self.go(seat, end) for end in ends], "tiny_roll_and_go.ask_go", (face,), seat, "RG-2",
                            values=ends, near=lambda: [self.go(seat, face + 1)], explain=self.too_far)
        start = self.space(seat)
        self.rows[seat - 1] += rows
        self.taken += 1
        self.event("moved", seat, [start, self.space(seat)])
        self.next = self.next[1:] + [seat]

    def go(self, seat, rows):
        """The answer that moves this seat forward by this many rows."""
        return notation.show("go", [self.track.space_name(self.space(seat, rows))])

    def too_far(self, text):
        """Why a space can't be chosen."""
        words = text.split(" ")
        if words[0] == "go" and len(words) == 2 and self.track.named(words[1]) >= 0:
            return Refusal(text, "tiny_roll_and_go.too_far", "RG-2", (words[1],))
        return None

    def space(self, seat, ahead=0):
        """The space of a car, now or after this many rows; -1 off the road."""
        if seat in self.gone:
            return -1
        row = (self.rows[seat - 1] + ahead) % self.track.rows + 1
        return self.track.space(row, (seat - 1) % self.track.lanes + 1)

    def over(self):
        return self.taken >= TURNS or not self.next

    def cars(self):
        return [[seat, seat, "tiny_roll_and_go.car", "green", seat - 1] for seat in self.setup.seats()]

    def standings(self):
        order = [(seat in self.gone, -self.rows[seat - 1], seat) for seat in self.setup.seats()]
        order.sort()
        return [[seat, seat, at + 1, self.rows[seat - 1]] for at, (_, _, seat) in enumerate(order)]

    def scene(self, scene):
        for seat in self.setup.seats():
            scene.cars.append([seat, self.space(seat), "out" if seat in self.gone else "run"])

    def leave(self, seat):
        self.gone.append(seat)
        self.next.remove(seat)
        self.event("out", seat)

    def inventory(self):
        return ""
