"""The figures of Full Throttle!: mopeds, cards, and the numbers that depend on the number of players.

In the state a card is one letter, from a on: the 1, 2 and 3 of the first moped, then those of the second …; so a sorted
text is sorted by moped and number. Elsewhere it is a word such as "green-1".
"""

#: Car 1 to 6: the word of its cards (FT-02).
MOPEDS = ("green", "yellow", "blue", "red", "black", "purple")
#: The light of each; black can't shine, and purple can't be told from blue.
COLOURS = ("green", "yellow", "blue", "red", "white", "magenta")
#: How many cards of each moped show 1, 2 and 3 (FT-05).
COPIES = (5, 5, 4)
#: Cards revealed in a round with 2 to 6 players (FT-09).
REVEALED = (6, 7, 7, 8, 9)
#: From this many cards on, the row beside the board has one turned up each round (FT-30).
ROW_SHOWN = 6
#: Cards that come back under the deck each round (FT-25).
RETURNED = 3
#: Victory points for places 1 to 3, and, among players who tie, for places 4 to 6 (FT-37, FT-38).
POINTS = (4, 3, 2)
#: Mopeds on the podium (FT-32).
PODIUM = 3


_FIRST = ord("a")
_NUMBERS = 3


def card(moped, number):
    """The card of a moped (from 0) with a number (from 1)."""
    return chr(_FIRST + _NUMBERS * moped + number - 1)


def whole_deck(players, removed):
    """All cards of a race, sorted; two players take out one card with the number ``removed`` of each moped (FT-04)."""
    cards = ""
    for moped in range(len(MOPEDS)):
        for number in range(1, _NUMBERS + 1):
            out = 1 if players == 2 and number == removed else 0
            cards += card(moped, number) * (COPIES[number - 1] - out)
    return cards


def word(one):
    """A card's name outside the state: "green-1"."""
    return "%s-%d" % (MOPEDS[moped_of(one)], number_of(one))


def words(cards):
    """The names of cards, in the same order, as a list."""
    return [word(one) for one in cards]


def card_of(name):
    """The card with a name; ValueError if there is none."""
    moped, _, number = name.partition("-")
    if number not in ("1", "2", "3"):
        raise ValueError(name)
    return card(MOPEDS.index(moped), int(number))


def moped_of(one):
    """The moped on a card, from 0."""
    return (ord(one) - _FIRST) // _NUMBERS


def number_of(one):
    """The number on a card, 1 to 3."""
    return (ord(one) - _FIRST) % _NUMBERS + 1


def without(cards, one):
    """The cards without one of this kind."""
    at = cards.index(one)
    return cards[:at] + cards[at + 1:]


def different(cards):
    """One card of each kind, sorted."""
    return "".join(sorted(set(cards)))


def ordered(cards):
    """The cards sorted by moped and number."""
    return "".join(sorted(cards))
