"""Prompts that not every game has: Draw, from a deck, and Number."""

from shared_rules import notation
from shared_rules.errors import Refused
from shared_rules.prompts import Prompt, Refusal


class Draw(Prompt):
    """Cards to take from the top of a deck; the rules get the list of cards and take them off it.

    ``deck`` is the deck as the engine knows it: in order if the device holds it, sorted if the
    table does; a card is a word or a number.
    """

    kind = "draw"

    def __init__(self, seat, deck, ask, args=(), car=0, clause="", secret=False, count=1):
        super().__init__(seat, ask, args, car, clause, secret)
        self.deck = deck
        self.count = count
        self.drawn = None

    def options(self):
        if self.source == "device":
            return ["draw"]
        if self.count > 1:
            return []
        seen = []
        for card in self.deck:
            if card not in seen:
                seen.append(card)
        return [notation.show("draw", [card]) for card in seen]

    def match(self, verb, words, replaying=False):
        if verb != "draw":
            raise Refused("engine.expected_draw", self.clause, (notation.show(verb, words),))
        if self.drawn is not None:
            cards = self.drawn
            if words and not replaying:
                raise Refused("engine.board_draws", self.clause)
            if words and words != [str(card) for card in cards]:
                raise Refused("engine.draw_differs", self.clause,
                              (" ".join([str(card) for card in cards]), " ".join(words)))
        else:
            if len(words) != self.count:
                raise Refused("engine.card_count", self.clause, (self.count, len(words)))
            left = list(self.deck)
            cards = []
            for word in words:
                found = [card for card in left if str(card) == word]
                if not found:
                    raise Refused("engine.no_such_card", self.clause, (word,))
                left.remove(found[0])
                cards.append(found[0])
        return notation.show("draw", cards), list(cards)

    def sample(self, chance):
        if self.source == "device":
            return "draw"
        left = list(self.deck)
        chance.shuffle(left)
        return notation.show("draw", left[:self.count])

    def forced(self):
        # The deck's order is chance, too; a sealed replay doesn't know it.
        return sorted(self.deck, key=str)[:self.count]  # unique: cards of one name are the same

    def draw(self, chance):
        """Notes the deck's top cards; the rules remove them when they get the answer."""
        self.drawn = list(self.deck[:self.count])


class Number(Prompt):
    """A whole number from ``low`` to ``high``; the rules get the int."""

    kind = "number"

    def __init__(self, seat, low, high, ask, args=(), car=0, clause="", secret=False, verb="number"):
        super().__init__(seat, ask, args, car, clause, secret)
        self.low = low
        self.high = high
        self.verb = verb

    def options(self):
        return [notation.show(self.verb, [n]) for n in range(self.low, self.high + 1)]

    def refused(self):
        near = [self.high + 1] if self.low == 0 else [self.low - 1, self.high + 1]
        return [Refusal(notation.show(self.verb, [n]), "engine.number_range", self.clause,
                        (self.low, self.high, n)) for n in near]

    def match(self, verb, words, replaying=False):
        text = notation.show(verb, words)
        value = notation.number(words[0]) if len(words) == 1 else None
        if verb != self.verb or value is None:
            raise Refused("engine.not_offered", self.clause, (text,))
        if not self.low <= value <= self.high:
            raise Refused("engine.number_range", self.clause, (self.low, self.high, value))
        return text, value
