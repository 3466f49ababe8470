"""The figures of a race of Fast & Furious: gear cards and upgrades (HOUSE where the rulebook has pictures only). What else
lies in the box stands in ``box_once.py``.

A gear card is two letters, its suit and its number: "5n" is card 13 of the suit of 5th gear. A pile is a text of such pairs.
A course may bring cards of its own: see ``Box``.
"""

#: Letters of numbers up to 35, and of a card's number.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NUMBERS = "abcdefghijklmnopqrst"
GEARS = 6

#: Of each gear the twenty speeds of every suit; the nitrous values. Card i of suit s has the one at the place
#: (A[gear] * i + 3 * s + B[gear]) mod 20.
LISTS = ("11112222222333333444", "12223333344444455566", "22333444555566667778", "1223445566677788899a",
         "123355677888999aabbc", "12345689aabbccddeefg")
A = (1, 3, 7, 9, 11, 13)
B = (0, 5, 11, 2, 7, 16)
NITROUS = "11122223333344445556"
#: The minimum speed of each gear.
MINIMUM = "234579"
#: The highest speed of each gear, from Neutral, beside which there is a damage icon (FF-49).
ICONS = (0, 0, 0, 0, 2, 3, 5)

UPGRADES = ("nitrous", "power", "tuning", "tires", "turbo", "handling", "transmission", "aerodynamics", "steering")
#: The hand limit; cards for an upshift and for a downshift.
HAND = 6
UP, DOWN = 3, 2
#: Damage sides that junk a car (FF-51).
JUNK = 3

#: The light of each car.
COLOURS = ("red", "blue", "yellow", "green")


class Box:
    """The house's gear cards. A course may bring cards of its own, see ``own_cards.py``: then ``control`` are its control
    tokens and ``drivers`` their names, where it says any."""

    control = ""
    drivers = ()

    def speed(self, card, gear):
        """The speed beside a gear on a card."""
        at = (A[gear - 1] * NUMBERS.index(card[1]) + 3 * int(card[0]) + B[gear - 1]) % 20
        return DIGITS.index(LISTS[gear - 1][at])

    def nitrous(self, card):
        """The nitrous value of a card."""
        return int(NITROUS[(17 * NUMBERS.index(card[1]) + 5 * int(card[0])) % 20])

    def minimum(self, gear):
        """The minimum speed on the cards of a gear."""
        return int(MINIMUM[gear - 1])

    def values(self, gear):
        """The different speeds beside a gear on all cards, 0: the nitrous values, ascending."""
        return sorted([DIGITS.index(digit) for digit in set(LISTS[gear - 1] if gear else NITROUS)])


def box(track):
    """The cards of a race on this course."""
    if track.cards:
        from shared_rules.games.fast_and_furious import own_cards
        return own_cards.OwnBox(track)
    return Box()


def cards(pile):
    """The cards of a pile, as a list."""
    return [pile[at:at + 2] for at in range(0, len(pile), 2)]


def ordered(pile):
    """A pile sorted by gear and number."""
    return "".join(sorted(cards(pile)))


def without(pile, gone):
    """A pile less some cards."""
    for card in cards(gone):
        at = 0
        while pile[at:at + 2] != card:
            at += 2
        pile = pile[:at] + pile[at + 2:]
    return pile


def of_gear(pile, gear, count):
    """The cards with the lowest numbers of a gear, so many, of a sorted pile."""
    at = 2 * gears(pile).index(str(gear))
    return pile[at:at + 2 * count]


def gears(pile):
    """The gear of each card of a pile, "" for none: "255"."""
    return "".join([pile[at] for at in range(0, len(pile), 2)])
