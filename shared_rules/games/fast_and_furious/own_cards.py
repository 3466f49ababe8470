"""Cards that a course brings, in the place of the house's: an owner's real ones. Loaded for such courses alone.

In the course's file each is a ``[[card]]`` with a word: ``suit-1-…`` to ``suit-6-…`` with twenty groups of seven letters
(the speeds beside 1st to 6th gear, the nitrous value; a is 10, b is 11 …), ``minimum-2-3-4-5-7-9``, ``control-1-1-2-…`` with
twelve numbers, ``drivers-anchor-tuner-…``.
"""

from shared_rules.games.fast_and_furious.box_once import CONTROL, DRIVERS
from shared_rules.games.fast_and_furious.data import DIGITS, GEARS, MINIMUM, NUMBERS, Box


class OwnBox(Box):
    """The cards of such a course; what it doesn't bring is the house's."""

    def __init__(self, track):
        self._table = ""
        self._minimum = MINIMUM
        for _, word in sorted([(card[1][:7], card[1]) for card in track.cards]):
            what, values = own(word)
            if what[:4] == "suit":
                self._table += values
            elif what == "minimum":
                self._minimum = values
            elif what == "control":
                self.control = values
            elif what == "drivers":
                self.drivers = tuple(values)

    def speed(self, card, gear):
        return DIGITS.index(self._table[self._place(card) + gear - 1]) if self._table else super().speed(card, gear)

    def nitrous(self, card):
        return DIGITS.index(self._table[self._place(card) + GEARS]) if self._table else super().nitrous(card)

    def _place(self, card):
        return (20 * (int(card[0]) - 1) + NUMBERS.index(card[1])) * (GEARS + 1)

    def minimum(self, gear):
        return DIGITS.index(self._minimum[gear - 1])

    def values(self, gear):
        if not self._table:
            return super().values(gear)
        places = range((gear or GEARS + 1) - 1, len(self._table), GEARS + 1)
        return sorted([DIGITS.index(digit) for digit in set([self._table[at] for at in places])])


def own(word):
    """(what, values) of a card that a course brings: ("suit-1", 140 letters), ("minimum", 6), ("control", 12 numbers in
    letters) or ("drivers", [name, …]); "" or [] for values where it says nothing that is known."""
    parts = word.split("-")
    what, rest = parts[0], parts[1:]
    if what == "suit" and rest and rest[0] in ("1", "2", "3", "4", "5", "6"):
        right = len(rest) == 21 and all([len(group) == GEARS + 1 for group in rest[1:]])
        return "suit-" + rest[0], "".join(rest[1:]) if right else ""
    if what in ("minimum", "control"):
        right = len(rest) == (GEARS if what == "minimum" else len(CONTROL)) and all([_small(one) for one in rest])
        return what, "".join([DIGITS[int(one)] for one in rest]) if right else ""
    if what == "drivers" and len(rest) > 3 and not [name for name in rest if name not in DRIVERS]:
        return what, rest
    return what, ""


def lacks_of(what, values):
    """What cards of a course would have to be that can't be chosen or drawn as they are; "" where they can."""
    if what[:4] == "suit" and "0" in [value for at, value in enumerate(values) if at % (GEARS + 1) < GEARS]:
        return "speeds from 1 on, as nobody can choose a 0"
    if what == "control" and [value for value in values if not "1" <= value <= "9"]:
        return "control tokens from 1 to 9"
    if what == "drivers" and len(set(values)) < len(values):
        return "each driver once, as no two cars may have the same"
    return ""


def _small(word):
    return len(word) in (1, 2) and all(["0" <= digit <= "9" for digit in word]) and 0 < int(word) < 36
