"""Gear cards in a pile: the whole deck, the discarded ones, another order; and the words for cards in answers. Loaded where
cards are shuffled or flipped.

Piles are made letter by letter: a small heap may have no room for a list of 120 cards.
"""

from shared_rules.games.fast_and_furious.data import NUMBERS


def deck():
    """All gear cards, sorted."""
    pile = bytearray(240)
    for at in range(120):
        pile[2 * at] = 49 + at // 20
        pile[2 * at + 1] = 97 + at % 20
    return bytes(pile).decode()


def discards(game):
    """The discard pile: all cards that are nowhere else, sorted."""
    here = bytearray(120)
    for pile in game.hands + [game.deck, game.now.table if game.now else ""]:
        for at in range(0, len(pile), 2):
            here[20 * ord(pile[at]) + ord(pile[at + 1]) - 1077] = 1
    out = bytearray()
    for at in range(120):
        if not here[at]:
            out.append(49 + at // 20)
            out.append(97 + at % 20)
    return bytes(out).decode()


def shuffled(deal, pile, letters=2):
    """A pile in another order."""
    order = bytearray(len(pile) // letters)
    for at in range(len(order)):
        order[at] = at
    deal.shuffle(order)
    there = pile.encode()
    out = bytearray(len(there))
    for at, card in enumerate(order):
        for letter in range(letters):
            out[letters * at + letter] = there[letters * card + letter]
    return bytes(out).decode()


def word(card):
    """What answers call a card: "5-13"."""
    return card[0] + "-" + str(NUMBERS.index(card[1]))


def card_of(name):
    """The card of such a word."""
    return name[0] + NUMBERS[int(name[2:])]
