"""A car with its console: gear marker, driver card, the nine upgrade spaces, damage slots (FF-01, FF-02, FF-08, FF-49 to
FF-51).
"""

from shared_rules.game import Plain
from shared_rules.games.fast_and_furious.cards import DIGITS, Take

# States of a car.
RUN = "run"
DONE = "done"
OUT = "out"
#: In a team of two: it waits for its turn to run, or has run.
WAIT = "wait"
HOME = "home"
#: It never started; only vectors have such cars.
OFF = "off"

#: The light of each car.
COLOURS = ("red", "blue", "yellow", "green")
#: The hand limit (FF-27, FF-29).
HAND = 6
#: Damage sides that junk a car (FF-51).
JUNK = 3

#: The upgrade spaces of a console, in order; the most tokens on one of them, if limited (FF-08).
UPGRADES = ("nitrous", "power", "tuning", "tires", "turbo", "handling", "transmission", "aerodynamics", "steering")
MOST = {"nitrous": 1, "tires": 4}


class Car(Plain):
    """A car. ``seat`` is its driver's; ``penalties`` are those of its last move; ``block`` the space of its block token, -1
    for none; ``paused``: on a speed barrier; ``left`` the speed left behind the line, ``last`` the speed chosen in
    its last turn (-1: none); ``damage`` sides, ``control`` the number added in the next turn; ``to_go`` when it went
    out; ``upgrades`` and ``spent`` are tokens (see below); ``helped``: its mechanic has brought a token back.
    """

    fields = ("number", "seat", "space", "gear", "status", "turns", "crossings", "penalties", "driver", "block", "paused",
              "left", "last", "damage", "control", "to_go", "upgrades", "spent", "helped")

    def __init__(self, number=0, seat=0, status=RUN):
        self.number = number
        self.seat = seat
        self.status = status
        self.space = self.block = self.last = -1
        self.gear = self.turns = self.crossings = self.penalties = self.paused = 0
        self.left = self.damage = self.control = self.to_go = self.helped = 0
        self.driver = ""
        self.upgrades = self.spent = NONE

    def base(self):
        """The hand limit without penalties, from which the penalty dial counts (FF-27, FF-29)."""
        return HAND + 1 if self.driver == "anchor" else HAND

    def limit(self):
        """The hand limit after the penalties of the last move."""
        return max(0, self.base() - self.penalties)

    def tokens(self, name):
        """How many tokens of an upgrade it has."""
        return count(self.upgrades, name)

    def used_tokens(self, name):
        """How many tokens of an upgrade were used and not brought back."""
        return count(self.spent, name)

    def use_token(self, name, used=1):
        """Uses a token; -1 brings one back (FF-09)."""
        self.upgrades = more(self.upgrades, name, -used)
        self.spent = more(self.spent, name, used)


# Tokens on upgrade spaces, as stored and saved: a letter for each space, see ``DIGITS``.

#: None on any space.
NONE = "0" * len(UPGRADES)


def count(tokens, name):
    """How many lie on the space with this name."""
    return DIGITS.index(tokens[UPGRADES.index(name)])


def more(tokens, name, number=1):
    """The same tokens with this many more (or fewer) on a space."""
    at = UPGRADES.index(name)
    return tokens[:at] + DIGITS[DIGITS.index(tokens[at]) + number] + tokens[at + 1:]


def total(tokens):
    """How many lie on all spaces."""
    return sum([DIGITS.index(one) for one in tokens])


def listed(tokens):
    """[(name, how many)] of the spaces with any, in order."""
    return [(name, count(tokens, name)) for name in UPGRADES if count(tokens, name)]


# Damage and control (FF-49 to FF-51)


def take_control(turn):
    """Takes a control token for the chosen speed: its number is added in the next turn (FF-50)."""
    game, car = turn.game, turn.car
    if not game.control:
        return
    drawn = yield Take(car.seat, list(game.control), "fast_and_furious.ask_control", (), car.number, "FF-50")
    if not drawn:
        return
    turn.control = int(drawn[0])
    at = game.control.index(drawn[0])
    game.control = game.control[:at] + game.control[at + 1:]
    game.event("told", ["fast_and_furious.told_control", "car:%d" % car.number, turn.control])


def turn_control_over(turn):
    """After the move or a pass the previous turn's token shows its damage side; three of them junk the car (FF-51)."""
    game, car = turn.game, turn.car
    if car.control:
        car.damage += 1
        game.event("told", ["fast_and_furious.told_damage", "car:%d" % car.number, car.damage])
    car.control = turn.control
    if car.damage >= JUNK and car.status == RUN:
        game.take_out(car)
