"""The figures and words of Ausgebremst: points, decks, the cards that the pro game lays beside the pit lane, and the words
for phases and cars in the state.

A card is its value, "1" to "6", so a pile is a text: "6654". Unless it was shuffled or stacked, it is sorted.
"""

#: Phases of a race: the draw for the start; in the pro game the choice of decks, stacking the cards and taking the
#: first ones; the race.
DRAW = "draw"
CHOOSE = "decks"
STACK = "stacks"
TAKE = "take"
RACE = "race"

#: States of a car: on the track, home, taken off, or never started (only in vectors).
RUN = "run"
DONE = "done"
OUT = "out"
OFF = "off"

#: Cars in every race (AB-02).
CARS = 6
#: Points for places 1 to 6 (AB-39).
POINTS = (9, 6, 4, 3, 2, 1)
#: Cards in hand in the family game (AB-16) and in the pro game (AB-46).
FAMILY_HAND = 3
PRO_HAND = 2
#: Stacks in front of a player in the pro game (AB-45).
STACKS = 4

#: How many cards of the values 1 to 6: a complete deck, which cars without a driver have (AB-05).
COMPLETE = (4, 4, 4, 5, 5, 6)
#: A player's decks, and the points in each (AB-43). The family deck is the slow one (AB-04).
DECKS = ("fast", "average", "slow")
SLOW = "slow"
DECK_POINTS = 84
_COUNTS = ((1, 2, 2, 3, 5, 6), (3, 3, 3, 4, 4, 5), (4, 4, 4, 4, 4, 4))

#: The light of each car.
COLOURS = ("red", "blue", "yellow", "green", "white", "magenta")

#: For each circuit: its pit deposit from starting row 1, 2 and 3 (AB-44), and the points left at the finish without
#: a pit stop.
CHART = (
    ("bleifuss-drom", ("44", "43", "42"), 3),
    ("plattfuss-circuit", ("54", "53", "52"), 2),
    ("nuerburg-ring", ("3", "2", "1"), 2),
    ("bleifuss-circuit", ("65", "64", "63"), 3),
    ("nuerburg-drom", ("3", "2", "1"), 2),
    ("plattfuss-ring", ("42", "32", "31"), 2),
    ("nuerburg-circuit", ("42", "32", "31"), 2),
    ("plattfuss-drom", ("42", "32", "31"), 2),
)


def chart(track):
    """What the chart says about a circuit: its three deposits, high card first, and the points left; "" and 0 for a
    circuit not on the chart."""
    for name, deposits, left in CHART:
        if name == track:
            return deposits, left
    return ("", "", ""), 0


def complete():
    """The cards of a car without a driver, sorted (AB-05)."""
    return pile(COMPLETE)


def deck(name):
    """The cards of a player's deck, sorted (AB-43)."""
    return pile(counts(name))


def counts(name):
    """How many cards of the values 1 to 6 a player's deck has."""
    return _COUNTS[DECKS.index(name)]


def pile(counts):
    """The cards of these counts, sorted."""
    return "".join([str(at + 1) * count for at, count in enumerate(counts)])


def without(cards, card):
    """The cards without one of this value."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1:]


def different(cards):
    """One card of each value, sorted."""
    return "".join(sorted(set(cards)))


def ordered(cards):
    """The cards sorted by value."""
    return "".join(sorted(cards))


def high_first(cards):
    """The cards sorted by value, as players hold them."""
    return "".join(reversed(ordered(cards)))


def points(cards):
    """The total of these cards."""
    return sum([int(card) for card in cards])
