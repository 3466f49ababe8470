"""Reactions: a player close behind may answer in the middle of another's turn, and be answered in turn.

A turn: the active seat rolls a number and a colour and names its destination. Everybody close behind, at the
same time, lets it pass or holds it up with a token. The seat held up pays tokens, and each one holding it up
says whether that is enough.
"""

from shared_rules import notation
from shared_rules.game import Game as BaseGame
from shared_rules.prompts import D6, Choose, Refusal, Roll
from shared_rules.prompts_cards import Number
from tiny_games.bots import Anyhow

CLAUSES = ("TR-1", "TR-2", "TR-3", "TR-4", "TR-5")
COLOURS = ("red", "green")
TOKENS = 2
CLOSE_ROWS = 4


class Game(BaseGame):
    """One race."""

    ID = "tiny_reactions"
    VARIANTS = ("short",)
    SEATS = (2, 6)
    BOTS = Anyhow

    fields = ("to_act", "rows", "tokens", "places", "gone")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.rows = [0 for _ in setup.players]
        self.tokens = [TOKENS for _ in setup.players]
        self.places = []
        self.gone = []
        self.to_act = setup.seats()

    def racing(self):
        """The seats on the road."""
        return [seat for seat in self.setup.seats() if seat not in self.places and seat not in self.gone]

    def turn(self):
        """One seat's turn (TR-1)."""
        seat = self.to_act[0]
        face, colour = yield Roll(seat, [D6, COLOURS], "tiny_reactions.ask_roll", (), seat, "TR-1")
        rows = yield self.aim(seat, face)
        blockers = yield from self.reactions(seat, rows)
        if blockers:
            rows = yield from self.haggle(seat, rows, blockers)
        if colour == "red" and rows > 1:
            rows -= 1
        start = self.space(seat)
        self.rows[seat - 1] += rows
        self.event("moved", seat, [start, self.space(seat)])
        self.end_of_turn(seat)

    def aim(self, seat, face):
        """The destination (TR-2)."""
        ends = list(range(1, face + 1))
        return Choose(seat, [self.go(seat, rows) for rows in ends], "tiny_reactions.ask_go", (face,), seat, "TR-2",
                      values=ends, near=lambda: [self.go(seat, face + 1)], explain=self.too_far)

    def go(self, seat, rows):
        """The answer that moves this seat forward by this many rows."""
        return notation.show("go", [self.track.space_name(self.space(seat, rows))])

    def too_far(self, text):
        """Why a space can't be chosen."""
        words = text.split(" ")
        if words[0] == "go" and len(words) == 2 and self.track.named(words[1]) >= 0:
            return Refusal(text, "tiny_reactions.too_far", "TR-2", (words[1],))
        return None

    def reactions(self, seat, rows):
        """Seats close behind may hold up (TR-3); returns those that do."""
        end = self.rows[seat - 1] + rows
        behind = [other for other in self.racing() if other != seat and self.tokens[other - 1]
                  and 0 <= end - self.rows[other - 1] <= CLOSE_ROWS]
        if not behind:
            return []
        said = yield [Choose(other, ["pass", "pick hold"], "tiny_reactions.ask_hold", ("seat:%d" % seat,), other,
                             "TR-3") for other in behind]
        return [other for other, text in zip(behind, said) if text == "pick hold"]

    def haggle(self, seat, rows, blockers):
        """The seat held up offers tokens (TR-4); each blocker takes them or holds on (TR-5)."""
        paid = yield Number(seat, 0, self.tokens[seat - 1], "tiny_reactions.ask_pay", (len(blockers),), seat, "TR-4")
        held = 0
        for other in blockers:
            if paid:
                told = yield Choose(other, ["ok", "no"], "tiny_reactions.ask_enough", (paid,), other, "TR-5")
                if told == "ok":
                    self.give(seat, other)
                    paid -= 1
                    continue
            self.give(other, seat)
            held += 1
        return max(1, rows - held)

    def give(self, giver, taker):
        """A token changes hands."""
        self.tokens[giver - 1] -= 1
        self.tokens[taker - 1] += 1

    def end_of_turn(self, seat):
        """Over the line, or to the end of the queue."""
        self.to_act.remove(seat)
        if self.rows[seat - 1] >= self.track.rows * self.setup.laps:
            self.places.append(seat)
            self.event("finished", seat, len(self.places))
        else:
            self.to_act.append(seat)

    def space(self, seat, ahead=0):
        """The space of a car, now or after this many rows; -1 off the road."""
        if seat in self.places or seat in self.gone:
            return -1
        row = (self.rows[seat - 1] + ahead) % self.track.rows + 1
        return self.track.space(row, (seat - 1) % self.track.lanes + 1)

    def over(self):
        return not self.racing()

    def lap(self):
        lead = max([self.rows[seat - 1] for seat in self.racing()] or [self.track.rows * self.setup.laps])
        return min(lead // self.track.rows + 1, self.setup.laps)

    def cars(self):
        return [[seat, seat, "tiny_reactions.car", "red", seat - 1] for seat in self.setup.seats()]

    def standings(self):
        running = [(-self.rows[seat - 1], seat) for seat in self.racing()]
        running.sort()
        order = self.places + [seat for _, seat in running] + self.gone
        return [[seat, seat, at + 1, 0] for at, seat in enumerate(order)]

    def scene(self, scene):
        for seat in self.setup.seats():
            status = "done" if seat in self.places else "out" if seat in self.gone else "run"
            scene.cars.append([seat, self.space(seat), status])
            scene.dials.append([seat, seat, "tiny_reactions.dial_tokens", self.tokens[seat - 1],
                                TOKENS * len(self.tokens)])
        if self.to_act:
            scene.lines.append(["tiny_reactions.line_turn", "seat:%d" % self.to_act[0]])

    def leave(self, seat):
        if seat not in self.places:
            self.gone.insert(0, seat)
            self.to_act.remove(seat)
            self.event("out", seat)

    def inventory(self):
        return str(sum(self.tokens))
