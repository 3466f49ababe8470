"""Fast & Furious: Full Throttle, as its rulebook tells it: the cars, whose turn it is, the gear cards, the finish line.

The ids in brackets are those of the spec, ``shared_rules/spec/fast_and_furious.toml``. What comes before the race stands in
``setup_once.py``, a turn in ``turn.py``, where a move leads to in ``reach.py``, two teams in ``tag.py``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.game import Plain
from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.about import About
from shared_rules.games.fast_and_furious.course import Course

# Phases: drivers, obstacles, upgrades and places on the start card, then the race.
DRIVERS = "drivers"
OBSTACLES = "obstacles"
UPGRADES = "upgrades"
PLACES = "places"
RACE = "race"
OVER = "over"

RUN = "run"
DONE = "done"
OUT = "out"
#: Of a team of two: it waits for its turn to run, or has run.
WAIT = "wait"
HOME = "home"
#: It never started; only vectors have such cars.
OFF = "off"


class Car(Plain):
    """A car. ``seat`` is who drives it; ``penalties`` are those of its last move; ``block`` the space of its block token, -1
    for none; ``paused``: on a speed barrier; ``left`` the speed that was left behind the line, ``last`` the speed chosen in
    its last turn (-1: none); ``damage`` sides, ``control`` the number that is added in the next turn; ``to_go`` when it was
    out; ``upgrades`` and ``spent`` a digit for each kind; ``helped``: its mechanic has brought a token back.
    """

    fields = ("number", "seat", "space", "gear", "status", "turns", "crossings", "penalties", "driver", "block", "paused",
              "left", "last", "damage", "control", "to_go", "upgrades", "spent", "helped")


class Game(BaseGame):
    """One race. A pile of gear cards is a text of two letters a card (see data.py); by table a hand consists of "??".

    ``chosen`` are the upgrades that are being placed in secret; ``control`` the control tokens beside the board; ``at`` is
    the car whose turn it is; ``now`` the turn that is being played.
    """

    ID = About.ID
    VARIANTS = About.VARIANTS
    OPTIONS = About.OPTIONS
    SEATS = About.SEATS
    DECKS = About.DECKS
    LAPS = About.LAPS
    problems = About.problems
    SHARES_PLACES = True
    REVEALS = ("ok", "pass", "discard", "use")
    LOW_DIALS = ("fast_and_furious.dial_limit",)

    fields = ("phase", "step", "first", "at", "round", "cars_", "obstacles", "refused", "deck", "hands", "control", "chosen")
    records = (("cars_", Car),)
    secret_fields = ("deck", "hands", "control", "chosen")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.course = Course(track)
        self.box = data.box(track)
        self.tag = setup.variant == "tag-team"
        self.by_table = setup.decks == "table"
        self.damage = setup.option("damage") == "yes"
        self.phase = DRIVERS
        self.step = self.first = self.at = 0
        self.round = 1
        self.now = None
        count = 4 if self.tag else len(setup.players)
        self.cars_ = []
        for number in range(1, count + 1):
            seat = (number - 1) % len(setup.players) + 1
            status = WAIT if self.tag and number > 2 else RUN
            none = "0" * len(data.UPGRADES)
            self.cars_.append(Car().load([number, seat, -1, 0, status, 0, 0, 0, "", -1, 0, 0, -1, 0, 0, 0, none, none, 0]))
        self.obstacles = []
        if setup.option("obstacles") != "none":
            self.obstacles = [space for space, word in track.marks if word == "obstacle"]
        self.refused = []                       # seats that want no more obstacles
        self.hands = [""] * count
        self.chosen = ["0" * 9] * count
        self.deck = "" if self.by_table else self.shuffled(data.deck())
        self.control = "" if not self.damage else self.shuffled(self.box.control, 1)
        self.begin(DRIVERS)

    def shuffled(self, pile, letters=2):
        """A pile in another order."""
        order = bytearray(len(pile) // letters)
        for at in range(len(order)):
            order[at] = at
        self.deal.shuffle(order)
        there = pile.encode()
        out = bytearray(len(there))
        for at, card in enumerate(order):
            for letter in range(letters):
                out[letters * at + letter] = there[letters * card + letter]
        return bytes(out).decode()

    def begin(self, phase):
        """Goes on to a phase, past those that this race hasn't."""
        self.step = 0
        if phase == DRIVERS and self.setup.option("drivers") == "no":
            phase = OBSTACLES
        if phase == OBSTACLES and self.setup.option("obstacles") in ("course", "none"):
            phase = UPGRADES
        self.phase = phase

    def code(self):
        """Modules of this race."""
        names = ["turn", "upgrades"]
        if self.tag:
            names.append("tag")
        if self.damage:
            names.append("damage")
        return names

    def car(self, number):
        """The car of a number."""
        return self.cars_[number - 1]

    def running(self):
        """The cars that drive now."""
        return [car for car in self.cars_ if car.status == RUN]

    def drives(self, car, name):
        """Whether this is the car's driver (FF-02)."""
        return car.driver == name

    # WHOSE TURN (FF-14, FF-46)

    def turn(self):
        """A step before the race, or the turn of a car."""
        self.now = None
        if self.phase != RACE:
            from shared_rules.games.fast_and_furious import setup_once
            yield from setup_once.prepare(self)
            return
        from shared_rules.games.fast_and_furious.turn import Turn
        self.event("turn", self.round)
        self.now = Turn(self, self.car(self.at))
        yield from self.now.run()
        self.now = None
        self.next_car()

    def line_up(self):
        """The race begins: hands are dealt, the first car has its turn (FF-11, FF-14)."""
        self.phase = RACE
        self.chosen = []
        for car in self.cars_:
            if car.status in (RUN, WAIT):
                self.draw_up(car, self.base(car))
        self.at = self.first
        if self.car(self.at).status != RUN:
            self.next_car()

    def next_car(self):
        """The next car clockwise; a round is over when it comes to the first one again."""
        if self.tag:
            from shared_rules.games.fast_and_furious import tag
            tag.next_car(self)
            return
        for _ in self.cars_:
            self.at = self.at % len(self.cars_) + 1
            if self.at == self.first and self.ends_with_round():
                return
            if self.car(self.at).status == RUN:
                return

    def ends_with_round(self):
        """All have had as many turns; the race is over where a car has crossed the finish line meanwhile (FF-46), or nobody
        ever will."""
        self.round += 1
        if any([car.status == DONE for car in self.cars_]):
            self.phase = OVER
        elif self.obstacles:
            from shared_rules.games.fast_and_furious import ways_once
            if ways_once.nobody_gets_on(self):
                self.phase = OVER
        return self.phase == OVER

    def over(self):
        """All have had as many turns since a car has finished, or no car is on the way any more."""
        return self.phase == OVER or not self.running()

    # GEAR CARDS (FF-11, FF-19, FF-20)

    def base(self, car):
        """The hand limit without penalties, from which the penalty dial counts (FF-27, FF-29)."""
        return data.HAND + 1 if self.drives(car, "anchor") else data.HAND

    def limit(self, car):
        """The hand limit after the penalties of the last move."""
        return max(0, self.base(car) - car.penalties)

    def hand_count(self, car):
        """How many cards a car has in hand."""
        return len(self.hands[car.number - 1]) // 2

    def draw_up(self, car, count):
        """So many cards more come to the hand."""
        at = car.number - 1
        if self.by_table:
            self.hands[at] += "??" * max(0, count)
        elif count > 0:
            self.hands[at] = data.ordered(self.hands[at] + self.take(count))

    def take(self, count):
        """So many cards off the draw pile."""
        taken = self.top(count)
        self.deck = self.deck[len(taken):]
        return taken

    def top(self, count):
        """The next cards of the draw pile; where it has too few, the discarded ones are shuffled under it (FF-20)."""
        if len(self.deck) < 2 * count:
            self.deck += self.shuffled(self.discards())
        return self.deck[:2 * count]

    def discards(self):
        """The discard pile: all cards that are nowhere else, sorted."""
        here = bytearray(120)
        for pile in self.hands + [self.deck, self.now.table if self.now else ""]:
            for at in range(0, len(pile), 2):
                here[20 * ord(pile[at]) + ord(pile[at + 1]) - 1077] = 1
        out = bytearray()
        for at in range(120):
            if not here[at]:
                out.append(49 + at // 20)
                out.append(97 + at % 20)
        return bytes(out).decode()

    def lose(self, car, gone):
        """Cards leave a hand; by table gone is how many."""
        at = car.number - 1
        if self.by_table:
            self.hands[at] = self.hands[at][2 * gone:]
        else:
            self.hands[at] = data.without(self.hands[at], gone)

    # THE FINISH (FF-46 to FF-48)

    def to_go(self, car):
        """Steps ahead up to over the line for the last time."""
        if car.status == OUT:
            return car.to_go
        if car.status in (DONE, HOME):
            return 0
        return self.course.to_go(car.space, car.crossings, self.setup.laps)

    def take_out(self, car):
        """The car is out of the race (FF-44, FF-51)."""
        car.to_go = self.to_go(car)
        car.status = OUT
        car.space = car.block = -1
        self.hands[car.number - 1] = ""
        self.event("out", car.number)
        if self.tag:
            from shared_rules.games.fast_and_furious import tag
            tag.take_out(self, car)

    def leave(self, seat):
        """A player leaves: the car is out; in a team the mate drives on alone."""
        from shared_rules.games.fast_and_furious import leave_once
        leave_once.leave(self, seat)

    def order_key(self, car):
        """Ranks cars, but for their numbers."""
        if car.status == DONE:
            return (0, -car.left, -car.last)
        return ({RUN: 1, WAIT: 1, HOME: 1, OUT: 2}.get(car.status, 3), self.to_go(car), 0)

    def standings(self):
        """[seat, car, place, points], best first; equal cars share their place (FF-48)."""
        if self.tag:
            from shared_rules.games.fast_and_furious import tag
            return tag.standings(self)
        ranked = sorted([(self.order_key(car), car.number) for car in self.cars_])
        out = []
        for at, (key, number) in enumerate(ranked):
            place = out[-1][2] if at and key == ranked[at - 1][0] else at + 1
            out.append([self.seat_of(number), number, place, 0])
        return out

    def seat_of(self, number):
        """The seat that a car began with."""
        return (number - 1) % len(self.setup.players) + 1

    # What can be seen

    def cars(self):
        """Each car with its name, colour and a rhythm of its own."""
        return [[car.number, car.seat, "fast_and_furious.car_" + data.COLOURS[car.number - 1], data.COLOURS[car.number - 1],
                 car.number - 1] for car in self.cars_]

    def scene(self, scene):
        """Cars, obstacles, block tokens, the dials of every car and the upgrades of the one that is due."""
        now = self.now
        for car in self.cars_:
            status = DONE if car.status in (DONE, HOME) else RUN if car.status in (RUN, WAIT) else OUT
            scene.cars.append([car.number, car.space, status])
            base = self.base(car)
            speed = now.speed_value() if now and now.car is car else 0
            dials = [("gear", car.gear, data.GEARS), ("limit", self.limit(car), base), ("speed", speed, max(24, speed))]
            if self.damage:
                dials.append(("damage", car.damage, data.JUNK))
            for key, value, most in dials:
                scene.dials.append([car.seat, car.number, "fast_and_furious.dial_" + key, value, most])
            if car.block >= 0:
                scene.marks.append([car.block, "block"])
        scene.marks += [[space, "obstacle"] for space in self.obstacles]
        if self.phase == RACE and not self.over():
            from shared_rules.games.fast_and_furious import seen
            seen.lines(self, scene.lines)

    def private(self, seat):
        """The hands of a seat's cars, and the upgrades that it has placed."""
        from shared_rules.games.fast_and_furious import seen
        return seen.private(self, seat)
