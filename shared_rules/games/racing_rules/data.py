"""Facts of Racing Rules that are lists and words: the house die and the house deck of Red Cards, the effects that the
engine knows. A track may bring a die and a deck of its own.
"""

from shared_rules.track_paint import COLOURS

#: The die: eight faces, a colour and a number each (HOUSE: the rulebook shows no die).
DIE = ("red-1", "purple-2", "blue-3", "yellow-4", "green-5", "white-6", "black-7", "gold-8")

#: The Red Cards, 24 (HOUSE: the rulebook shows none): how many of each effect.
DECK = (
    (3, "ahead-2"), (2, "ahead-4"), (2, "extra-turn"), (3, "lose-turn"), (3, "back-3"), (2, "back-purple"),
    (1, "leader-back-1"), (2, "swap-8"), (1, "back-8"), (1, "follow-8"), (2, "next-green"), (2, "nothing"),
)

#: The effects that the engine knows: those with a number up to MOST, those with a colour, and the others.
WITH_NUMBER = ("ahead", "back", "leader-back", "swap", "follow")
WITH_COLOUR = ("back", "next")
PLAIN = ("extra-turn", "lose-turn", "nothing")
MOST = 8

#: The cars in seat order: colours that stand out on painted spaces.
CARS = ("cyan", "magenta", "orange", "white", "blue", "yellow")


def face(word):
    """The (colour, number) of a face."""
    colour, _, number = word.partition("-")
    return colour, int(number)


def effect(word):
    """(effect, its number or colour, "" for none) of a card; None for a word that isn't an effect."""
    if word in PLAIN:
        return word, ""
    name, _, more = word.rpartition("-")
    if name in WITH_COLOUR and more in COLOURS:
        return name, more
    if name in WITH_NUMBER and len(more) == 1 and "1" <= more <= str(MOST):
        return name, int(more)
    return None


def effects():
    """Every card that the engine knows, as a list of words."""
    out = [name + "-" + str(number) for name in WITH_NUMBER for number in range(1, MOST + 1)]
    out += [name + "-" + colour for name in WITH_COLOUR for colour in COLOURS]
    return out + list(PLAIN)
