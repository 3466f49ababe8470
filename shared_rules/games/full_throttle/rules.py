"""Full Throttle!, in the order of its rulebook: preparation, the round with its two steps, the end.

The ids in brackets are clauses of the spec, ``shared_rules/spec/full_throttle.toml``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.games.full_throttle import betting, data, moves_why, scoring
from shared_rules.games.full_throttle.about import About
from shared_rules.games.full_throttle.road import Road, start_spaces
from shared_rules.prompts import TABLE
from shared_rules.prompts_cards import Draw

RACE = "race"
OVER = "over"


class Game(About, BaseGame):
    """One race.

    Cards are letters (see data.py). By table, ``deck`` holds those never revealed, sorted, and ``history`` those of each
    round with bets that haven't come back.
    """

    PASSES_HANDS = True
    OPEN_START = True
    SHARES_PLACES = True

    fields = ("phase", "round", "start", "spaces", "crossings", "finished", "deck", "bets", "row", "row_open", "history",
              "gone")
    secret_fields = ("deck", "bets", "row")

    # GAME PREPARATION

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.road = Road(track)
        self.seats = len(setup.players)
        self.by_table = setup.decks == "table"
        self.phase = RACE
        self.round = 1
        self.finished = []
        self.crossings = [0] * len(data.MOPEDS)
        self.bets = [""] * self.seats
        self.row = self.row_open = ""
        self.history = []
        self.gone = []
        self.drawn = self.hand = ""
        self.holder = 0
        self.last = None                            # [moped, way, spaces counted, spaces taken] of the last card
        self.spaces = start_spaces(track)
        deal.shuffle(self.spaces)               # (FT-02)
        self.start = deal.below(self.seats) + 1     # (FT-06)
        self.deck = data.whole_deck(self.seats, int(setup.option("removed")))
        if not self.by_table:
            cards = list(self.deck)
            deal.shuffle(cards)
            self.deck = "".join(cards)

    # THE ROUND (FT-08)

    def turn(self):
        """Step a) and step b), or the end of the race."""
        self.event("turn", self.round)
        self.drawn = self.hand = ""
        self.last = None
        yield from self.move_mopeds()
        if self.finished or len(self.drawn) < self.limit():
            self.finished = self.race_order()[:data.PODIUM]     # filled up if the cards ran out (FT-35)
            if self.by_table:
                yield from scoring.count_bets(self)
            self.phase = OVER
            return
        yield from betting.bet_on_mopeds(self)
        self.start = self.start % self.seats + 1    # (FT-28)
        self.round += 1

    def limit(self):
        """Cards that this round reveals (FT-09)."""
        return data.REVEALED[self.seats - 2]

    def moves_on(self):
        """Whether another card is to be revealed: up to the round's number or, once a moped has finished, until three
        have (FT-32)."""
        if self.finished:
            return len(self.finished) < data.PODIUM
        return len(self.drawn) < self.limit()

    # STEP a) MOVE THE MOPEDS

    def move_mopeds(self):
        """Reveals cards one by one and carries each out at once (FT-10)."""
        note = None
        while self.moves_on():
            cards = self.next_cards()
            if not cards:
                return                              # (FT-33)
            if self.finished:
                prompt = Draw(TABLE, cards, "full_throttle.ask_final", (data.PODIUM - len(self.finished),), 0, "FT-32")
            else:
                prompt = Draw(TABLE, cards, "full_throttle.ask_reveal", (len(self.drawn) + 1, self.limit()), 0, "FT-09")
            if self.last:
                prompt.note = note
                prompt.told = self.tell_why
            names = yield prompt
            card = data.card_of(names[0])
            self.take_off(card)
            self.drawn = data.ordered(self.drawn + card)
            note = self.carry_out(card)

    def tell_why(self):
        """Why the last moped ended where it is, for WHY."""
        return moves_why.told(self)

    def next_cards(self):
        """The names of the cards that can come next: the deck in order; by table, whatever can lie on top."""
        if not self.by_table or self.deck:
            return data.words(self.deck)
        for cards, came in self.history:
            if came < data.RETURNED:
                return data.words(cards)
        return []

    def take_off(self, card):
        """Takes the card out of the deck."""
        if not self.by_table or self.deck:
            self.deck = data.without(self.deck, card)
            return
        for entry in self.history:
            if entry[1] < data.RETURNED:
                entry[0] = data.without(entry[0], card)
                entry[1] += 1
                return

    def carry_out(self, card):
        """Moves the moped on a card, bonus included (FT-11, FT-20, FT-22); returns what there is to say about it."""
        moped = data.moped_of(card)
        space = self.spaces[moped]
        self.last = [moped, [], [], []]
        if space < 0 or moped in self.finished:
            return ["full_throttle.note_finished", "car:%d" % (moped + 1)]    # (FT-34)
        taken = [other for other in self.spaces if other != space]
        path, counted = self.road.way(space, data.number_of(card), taken)
        self.last = [moped, path, counted, taken]
        note = None if len(path) == len(counted) else ["full_throttle.note_blocked", "car:%d" % (moped + 1)]
        self.event("called", moped + 1, counted)
        self.moved(moped, path)
        whole = path
        used = []
        if len(path) == 1 and self.setup.option("stuck_bonus") == "no":
            used = self.road.bonuses
        while whole[-1] in self.road.bonuses and whole[-1] not in used:
            used.append(whole[-1])                  # each once per card (FT-21)
            path, counted = self.road.way(whole[-1], 2, taken)
            note = ["full_throttle.note_bonus", "car:%d" % (moped + 1)]
            self.event("called", moped + 1, counted)
            self.moved(moped, path)
            whole = whole + path[1:]
        self.spaces[moped] = whole[-1]
        for _ in range(self.road.crossings(whole)):
            self.cross_line(moped)
        return note

    def moved(self, moped, path):
        """Notes the events of a move."""
        if len(path) > 1:
            self.event("moved", moped + 1, path)

    def cross_line(self, moped):
        """A moped has crossed the line: the first time it begins its first lap (FT-22)."""
        before = self.lap()
        self.crossings[moped] += 1
        if self.crossings[moped] > self.setup.laps:
            if moped not in self.finished:
                self.finished.append(moped)
                self.event("finished", moped + 1, len(self.finished))
            return
        self.event("crossed", moped + 1, self.crossings[moped])
        if self.lap() > before:
            self.event("lap", self.lap(), self.setup.laps)

    # GAME END

    def over(self):
        """Whether the race is scored, or nobody is left."""
        return self.phase == OVER or len(self.gone) == self.seats

    def leave(self, seat):
        """A player leaves: the bets stay where they are, and each round a card leaves the game for this seat."""
        self.gone.append(seat)

    # Questions about the race

    def race_order(self):
        """The mopeds from 0, best first: those on the podium, then by laps and the space (FT-35)."""
        rest = [(self._order_key(moped), moped) for moped in range(len(self.spaces)) if moped not in self.finished]
        rest.sort()
        return self.finished + [moped for _, moped in rest]

    def _order_key(self, moped):
        if self.spaces[moped] < 0:
            return (1,)
        return (-self.crossings[moped],) + self.road.order_key(self.spaces[moped])

    def lap(self):
        """The highest number on a lap marker."""
        return max(1, min(max(self.crossings), self.setup.laps))

    def rounds_bet(self):
        """How many bets every player has."""
        return len(self.history) if self.by_table else max([len(bets) for bets in self.bets])

    def standings(self):
        """[seat, 0, place, points], best first; before the end everybody has first place and no points."""
        if self.phase != OVER:
            order = [(seat in self.gone, seat) for seat in self.setup.seats()]
            order.sort()
            return [[seat, 0, at + 1 if left else 1, 0] for at, (left, seat) in enumerate(order)]
        return scoring.standings(self)

    def podium(self):
        """The cars of the podium, best first."""
        return [moped + 1 for moped in self.race_order()]

    def cars(self):
        """The mopeds; nobody drives them."""
        return [[at + 1, 0, "full_throttle.card_" + name, data.COLOURS[at], at] for at, name in enumerate(data.MOPEDS)]

    def scene(self, scene):
        """Mopeds, bonus spaces, the number of bets of each seat, and the lap track."""
        for moped, space in enumerate(self.spaces):
            scene.cars.append([moped + 1, space, "done" if moped in self.finished else "run" if space >= 0 else "out"])
        scene.marks = [[space, "bonus"] for space in self.road.bonuses]
        for seat in self.setup.seats():
            scene.dials.append([seat, 0, "full_throttle.dial_bets", self.bet_count(seat), self.most_bets()])
        scoring.tell(self, scene.lines)

    def bet_count(self, seat):
        """How many bets a seat has."""
        return self.rounds_bet() if self.by_table else len(self.bets[seat - 1])

    def most_bets(self):
        """How many bets a seat can get: each round takes cards out for good."""
        cards = len(data.whole_deck(self.seats, int(self.setup.option("removed"))))
        return (cards - self.limit()) // (self.limit() - data.RETURNED) + 2

    def private(self, seat):
        """The cards in hand, and the bets."""
        out = []
        if self.holder == seat and self.hand:
            out.append(["full_throttle.in_hand", "cards:" + " ".join(data.words(self.hand))])
        if self.bets[seat - 1] and not self.by_table:
            out.append(["full_throttle.bets", "heads:" + " ".join(data.words(data.ordered(self.bets[seat - 1])))])
        return out
