"""Hidden cards: a secret draw from a shared deck, secret choices made at the same time, and a secret order of
the cards that go back under the deck.

A turn: the table draws the weather (open), everybody draws a card (secret), everybody plays a card and stakes
chips (secret, at the same time), the table rolls a die of words and one of numbers. If there is a single highest
card, it moves its car, and its player puts the turn's cards under the deck in an order that nobody else sees.
"""

from shared_rules import notation
from shared_rules.game import Game as BaseGame
from shared_rules.prompts import D6, TABLE, Choose, Refusal, Roll
from shared_rules.prompts_cards import Draw, Number
from tiny_games.bots import Anyhow

WEATHERS = ("sun", "sun", "rain")
SKY = ("clear", "grey", "grey")
CLAUSES = ("TH-1", "TH-2", "TH-3", "TH-4", "TH-5")
TURNS_A_LAP = 3
CHIPS = 3


class Game(BaseGame):
    """One race."""

    ID = "tiny_hidden_cards"
    VARIANTS = ("short",)
    OPTIONS = (("hand", ["1", "2"], "2"),)
    SEATS = (2, 4)
    DECKS = True
    BOTS = Anyhow

    fields = ("round", "deck", "hands", "weather_deck", "weather", "moved", "chips", "bank", "gone")
    secret_fields = ("deck", "hands", "weather_deck")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.round = 0
        self.weather_deck = list(WEATHERS)
        deal.shuffle(self.weather_deck)
        self.weather = []
        self.deck = [1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4]
        deal.shuffle(self.deck)
        self.hands = [[] for _ in setup.players]
        if not self.held_at_the_table():
            for _ in range(int(setup.option("hand"))):
                for hand in self.hands:
                    hand.append(self.deck.pop(0))
        self.moved = [0 for _ in setup.players]
        self.chips = [CHIPS for _ in setup.players]
        self.bank = 0
        self.gone = []

    def held_at_the_table(self):
        """Whether real cards are held: then the engine doesn't know the hands."""
        return self.setup.decks == "table"

    def racing(self):
        """The seats that take part."""
        return [seat for seat in self.setup.seats() if seat not in self.gone]

    def turn(self):
        """One round."""
        yield from self.draw_weather()
        yield from self.draw_cards()
        played = yield [self.card_prompt(seat) for seat in self.racing()]
        stakes = yield [Number(seat, 0, self.chips[seat - 1], "tiny_hidden_cards.ask_stake", (), seat, "TH-4", True)
                        for seat in self.racing()]
        sky, face = yield Roll(TABLE, [SKY, D6], "tiny_hidden_cards.ask_sky", (), 0, "TH-3")
        yield from self.reveal(played)
        self.pay(stakes, sky, face)
        self.round += 1
        self.event("turn", self.round)

    def draw_weather(self):
        """The open draw (TH-2)."""
        if not self.weather_deck:
            self.weather_deck = self.weather
            self.weather = []
            self.deal.shuffle(self.weather_deck)
        deck = sorted(self.weather_deck) if self.held_at_the_table() else self.weather_deck
        cards = yield Draw(TABLE, deck, "tiny_hidden_cards.ask_weather", (), 0, "TH-2")
        self.weather_deck.remove(cards[0])
        self.weather.append(cards[0])

    def draw_cards(self):
        """Each seat draws a secret card (TH-1)."""
        if self.held_at_the_table():
            return
        for seat in self.racing():
            cards = yield Draw(seat, self.deck, "tiny_hidden_cards.ask_draw", (), seat, "TH-1", True)
            self.deck.remove(cards[0])
            self.hands[seat - 1].append(cards[0])

    def card_prompt(self, seat):
        """The card to play (TH-4); for a hand held at the table, any card in the deck, or none."""
        known = sorted(set(self.deck if self.held_at_the_table() else self.hands[seat - 1]))
        values = list(known)
        if self.held_at_the_table():
            values.append("none")
        texts = [notation.show("play", [value]) for value in values]
        return Choose(seat, texts, "tiny_hidden_cards.ask_play", (), seat, "TH-4", True, values=values,
                      near=lambda: ["play 0", "play 10"], explain=self.explain)

    def explain(self, text):
        """Why a card can't be played."""
        words = text.split(" ")
        if words[0] == "play" and len(words) == 2:
            return Refusal(text, "tiny_hidden_cards.not_held", "TH-4", (words[1],))
        return None

    def reveal(self, played):
        """A single highest card moves (TH-5); then the cards go under the deck."""
        seats = self.racing()
        cards = [[0 if card == "none" else card, seat] for card, seat in zip(played, seats)]
        if not self.held_at_the_table():
            for card, seat in cards:
                self.hands[seat - 1].remove(card)
        top = max(cards)
        tied = [seat for card, seat in cards if card == top[0]]
        winner = tied[0]
        if len(tied) == 1 and top[0]:
            start = self.space(winner)
            self.moved[winner - 1] += top[0]
            self.event("moved", winner, [start, self.space(winner)])
        if self.held_at_the_table():
            return
        orders = _orders([card for card, _ in cards])
        order = yield Choose(winner, [notation.show("order", order) for order in orders],
                             "tiny_hidden_cards.ask_order", (len(cards),), winner, "TH-5", True, values=orders)
        self.deck.extend(order)

    def pay(self, stakes, sky, face):
        """Chips staked on a grey sky are lost, a stake of half the face comes back with one more."""
        for seat, stake in zip(self.racing(), stakes):
            if sky == "grey":
                self.chips[seat - 1] -= stake
                self.bank += stake
            elif stake and stake == face // 2 and self.bank:
                self.chips[seat - 1] += 1
                self.bank -= 1

    def space(self, seat):
        """The space of a seat's car, -1 if it is out."""
        if seat in self.gone:
            return -1
        row = self.moved[seat - 1] % self.track.rows + 1
        return self.track.space(row, (seat - 1) % self.track.lanes + 1)

    def over(self):
        return self.round >= TURNS_A_LAP * self.setup.laps or not self.racing()

    def lap(self):
        return min(self.round // TURNS_A_LAP + 1, self.setup.laps)

    def cars(self):
        return [[seat, seat, "tiny_hidden_cards.car", "blue", seat - 1] for seat in self.setup.seats()]

    def standings(self):
        order = [(seat in self.gone, -self.moved[seat - 1], seat) for seat in self.setup.seats()]
        order.sort()
        return [[seat, seat, at + 1, self.moved[seat - 1]] for at, (_, _, seat) in enumerate(order)]

    def scene(self, scene):
        for seat in self.setup.seats():
            scene.cars.append([seat, self.space(seat), "out" if seat in self.gone else "run"])
            scene.dials.append([seat, seat, "tiny_hidden_cards.dial_chips", self.chips[seat - 1],
                                CHIPS * len(self.chips)])
        if self.weather:
            scene.lines.append(["tiny_hidden_cards.line_weather", self.weather[-1]])

    def private(self, seat):
        return [["tiny_hidden_cards.in_hand", card] for card in self.hands[seat - 1]]

    def leave(self, seat):
        self.gone.append(seat)
        self.deck.extend(self.hands[seat - 1])
        self.hands[seat - 1] = []
        self.bank += self.chips[seat - 1]
        self.chips[seat - 1] = 0
        self.event("out", seat)

    def inventory(self):
        cards = list(self.deck)
        for hand in self.hands:
            cards.extend(hand)
        return "%s %d %s" % (sorted(cards), sum(self.chips) + self.bank, sorted(self.weather_deck + self.weather))


def _orders(cards):
    if len(cards) < 2:
        return [list(cards)]
    out = []
    for at, card in enumerate(cards):
        for rest in _orders(cards[:at] + cards[at + 1:]):
            if [card] + rest not in out:
                out.append([card] + rest)
    return out
