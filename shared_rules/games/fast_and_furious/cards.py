"""The cards and tokens in the box: gear cards, what a speed draw flips, drivers, control tokens (FF-11, FF-15, FF-16; HOUSE
where the rulebook has only pictures). A course may bring cards of its own.

A gear card is two letters, its suit and its number: "5n" is card 13 of the suit of 5th gear. A pile is a text of such pairs.
"""

from shared_rules.prompts_cards import Draw

#: Letters for numbers up to 35, and for a card's number.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NUMBERS = "abcdefghijklmnopqrst"
#: Gears, and the number of cards in each one's suit.
GEARS = 6
SUIT = 20
#: A card that the table holds: nobody knows which one.
HIDDEN = "??"

#: The control tokens beside the board (FF-50), and the drivers (FF-02).
CONTROL = "112223334456"
DRIVERS = ("anchor", "tuner", "ghost", "quickshift", "heeltoe", "weaver", "apex", "launch", "gambler", "brawler", "mechanic",
           "ice")


class Row:
    """The speeds beside a gear: twenty for every suit; card i of suit s has the one at position
    (step * i + 3 * s + start) mod 20; the ``minimum`` speed on the gear's cards; ``icons``: the highest speed with a
    damage icon beside it (FF-49)."""

    def __init__(self, speeds, step, start, minimum, icons):
        self.speeds = speeds
        self.step = step
        self.start = start
        self.minimum = minimum
        self.icons = icons


#: 1st to 6th gear.
ROWS = (
    Row("11112222222333333444", 1, 0, 2, 0), Row("12223333344444455566", 3, 5, 3, 0),
    Row("22333444555566667778", 7, 11, 4, 0), Row("1223445566677788899a", 9, 2, 5, 2),
    Row("123355677888999aabbc", 11, 7, 7, 3), Row("12345689aabbccddeefg", 13, 16, 9, 5),
)
#: The nitrous values; card i of suit s has the one at position (17 * i + 5 * s) mod 20.
NITROUS = "11122223333344445556"


def icons(gear):
    """The highest speed with a damage icon beside a gear; 0 for none, as beside Neutral."""
    return ROWS[gear - 1].icons if gear else 0


class Box:
    """The house cards: what is printed on them."""

    control = CONTROL
    drivers = DRIVERS

    def speed(self, card, gear):
        """The speed beside a gear on a card."""
        row = ROWS[gear - 1]
        return DIGITS.index(row.speeds[(row.step * NUMBERS.index(card[1]) + 3 * int(card[0]) + row.start) % SUIT])

    def nitrous(self, card):
        """The nitrous value of a card."""
        return int(NITROUS[(17 * NUMBERS.index(card[1]) + 5 * int(card[0])) % SUIT])

    def minimum(self, gear):
        """The minimum speed on the cards of a gear."""
        return ROWS[gear - 1].minimum

    def values(self, gear):
        """The distinct speeds beside a gear on all cards, ascending; 0: the nitrous values."""
        return sorted([DIGITS.index(digit) for digit in set(ROWS[gear - 1].speeds if gear else NITROUS)])


# Cards that a course brings instead of the house cards: an owner's real ones. In the course's file each is a [[card]] with
# a word: suit-1-… to suit-6-… with twenty groups of seven letters (the speeds beside 1st to 6th gear, the nitrous value; a
# is 10, b is 11 …), minimum-2-3-4-5-7-9, control-1-1-2-… with twelve numbers, drivers-anchor-tuner-….


class OwnBox(Box):
    """The cards of such a course; what it doesn't bring comes from the house cards."""

    def __init__(self, track):
        self._table = ""
        self._minimum = ""
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
        return (SUIT * (int(card[0]) - 1) + NUMBERS.index(card[1])) * (GEARS + 1)

    def minimum(self, gear):
        return DIGITS.index(self._minimum[gear - 1]) if self._minimum else super().minimum(gear)

    def values(self, gear):
        if not self._table:
            return super().values(gear)
        places = range((gear or GEARS + 1) - 1, len(self._table), GEARS + 1)
        return sorted([DIGITS.index(digit) for digit in set([self._table[at] for at in places])])


def box(track):
    """The cards of a race on this course."""
    return OwnBox(track) if track.cards else Box()


def own(word):
    """(what, values) of a card that a course brings: ("suit-1", 140 letters), ("minimum", 6), ("control", 12 numbers in
    letters) or ("drivers", [name, …]); "" or [] for values if it says nothing known."""
    parts = word.split("-")
    what, rest = parts[0], parts[1:]
    if what == "suit" and rest and rest[0] in ("1", "2", "3", "4", "5", "6"):
        right = len(rest) == 1 + SUIT and all([len(group) == GEARS + 1 for group in rest[1:]])
        return "suit-" + rest[0], "".join(rest[1:]) if right else ""
    if what in ("minimum", "control"):
        right = len(rest) == (GEARS if what == "minimum" else len(CONTROL)) and all([_small(one) for one in rest])
        return what, "".join([DIGITS[int(one)] for one in rest]) if right else ""
    if what == "drivers" and len(rest) > 3 and not [name for name in rest if name not in DRIVERS]:
        return what, rest
    return what, ""


def lacks_of(what, values):
    """What a course's cards would have to be if they can't be chosen or drawn as they are; "" if they can."""
    if what[:4] == "suit" and "0" in [value for at, value in enumerate(values) if at % (GEARS + 1) < GEARS]:
        return "speeds from 1 on, as nobody can choose a 0"
    if what == "control" and [value for value in values if not "1" <= value <= "9"]:
        return "control tokens from 1 to 9"
    if what == "drivers" and len(set(values)) < len(values):
        return "each driver once, as no two cars may have the same"
    return ""


def _small(word):
    return len(word) in (1, 2) and all(["0" <= digit <= "9" for digit in word]) and 0 < int(word) < len(DIGITS)


# Piles. Large ones are made letter by letter: a small heap may have no room for a list of 120 cards.


def parted(pile):
    """The cards of a pile, as a list."""
    return [pile[at:at + 2] for at in range(0, len(pile), 2)]


def size(pile):
    """The number of cards in a pile."""
    return len(pile) // 2


def first(pile, count):
    """This many cards from the top of a pile."""
    return pile[:2 * count]


def ordered(pile):
    """A pile sorted by gear and number."""
    return "".join(sorted(parted(pile)))


def without(pile, gone):
    """A pile without some cards."""
    for card in parted(gone):
        at = 0
        while pile[at:at + 2] != card:
            at += 2
        pile = pile[:at] + pile[at + 2:]
    return pile


def gears(pile):
    """The gear of each card of a pile, "" for none: "255"."""
    return "".join([pile[at] for at in range(0, len(pile), 2)])


def of_gear(pile, gear, count):
    """This many cards of a gear from a sorted pile, those with the lowest numbers."""
    return first(pile[2 * gears(pile).index(str(gear)):], count)


def deck(but=()):
    """All gear cards, sorted, except those in some piles."""
    gone = bytearray(GEARS * SUIT)
    for pile in but:
        for at in range(0, len(pile), 2):
            gone[SUIT * (ord(pile[at]) - ord("1")) + ord(pile[at + 1]) - ord("a")] = 1
    out = bytearray()
    for at in range(len(gone)):
        if not gone[at]:
            out.append(ord("1") + at // SUIT)
            out.append(ord("a") + at % SUIT)
    return bytes(out).decode()


def shuffled(deal, pile, letters=2):
    """A shuffled pile; ``letters``: how many a card has."""
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
    """A card's name in answers: "5-13"."""
    return card[0] + "-" + str(NUMBERS.index(card[1]))


def card_of(name):
    """The card with such a name."""
    return name[0] + NUMBERS[int(name[2:])]


class Take(Draw):
    """Draws a driver or a control token. A player who leaves meanwhile takes none: at the table nobody has drawn one."""

    def forced(self):
        return []


# The speed draw (FF-15)


def speed_draw(turn, count):
    """Flips cards from the deck; by table, the number beside the gear is entered for each."""
    turn.stage = turn.DRAW
    if turn.game.by_table:
        turn.flipped += HIDDEN * count
        yield from _told_speeds(turn, count)
    else:
        turn.flipped += yield from flip(turn, count, "fast_and_furious.ask_flip", "FF-15")
        yield from read_speeds(turn)
    turn.stage = turn.SPEED


def _told_speeds(turn, count):
    """By table: the numbers beside the gear on this many flipped cards, one by one; Neutral has none (FF-17)."""
    row = turn.row()
    for _ in range(count if row else 0):
        drawn = yield Draw(turn.car.seat, turn.game.box.values(row), "fast_and_furious.ask_told", (row,), turn.car.number,
                           "FF-15")
        turn.speeds.append(int(drawn[0]))


def read_speeds(turn):
    """The speeds beside the gear in use now; by table they are asked for again."""
    row = turn.row()
    if not turn.game.by_table:
        turn.speeds = [turn.game.box.speed(card, row) for card in parted(turn.flipped)] if row else []
        return
    turn.speeds = []
    stage, turn.stage = turn.stage, turn.DRAW
    yield from _told_speeds(turn, size(turn.flipped))
    turn.stage = stage


def flip(turn, count, ask, clause):
    """Lays cards from the top of the deck on the table; returns them."""
    game = turn.game
    names = [word(card) for card in parted(game.top(count))]
    drawn = yield Draw(turn.car.seat, names, ask, (count,), turn.car.number, clause, count=count)
    flipped = "".join([card_of(name) for name in drawn])
    game.deck = game.deck[len(flipped):]
    turn.table += flipped
    return flipped
