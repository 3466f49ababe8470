"""Fast & Furious: Full Throttle, as its rulebook tells it: the cars, whose turn it is, the gear cards, the finish line.

The ids in brackets are those of the spec, ``shared_rules/spec/fast_and_furious.toml``. What comes before the race stands in
``start_once.py`` and ``setup_once.py``, a turn in ``turn.py``, where a move leads to in ``reach_once.py``, two teams in
``tag.py``. What a turn needs for a moment is in modules that end in ``_once``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.game import Plain
from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.about import About
from shared_rules.games.fast_and_furious.course import course_of

# Phases: nothing is put up yet; drivers, obstacles, upgrades and places on the start card; the race.
START = "start"
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


class Game(About, BaseGame):
    """One race. A pile of gear cards is a text of two letters a card (see data.py); by table a hand consists of "??".

    ``chosen`` are the upgrades that are being placed in secret; ``control`` the control tokens beside the board; ``refused``
    the seats that want no more obstacles; ``at`` is the car whose turn it is; ``now`` the turn that is being played.
    """

    SHARES_PLACES = True
    REVEALS = ("ok", "pass", "discard", "use")
    LOW_DIALS = ("fast_and_furious.dial_limit",)
    MARK_COLOURS = (("obstacle", "orange"), ("block", "magenta"))

    fields = ("phase", "step", "first", "at", "round", "cars_", "obstacles", "refused", "deck", "hands", "control", "chosen")
    records = (("cars_", Car),)
    secret_fields = ("deck", "hands", "control", "chosen")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.course = course_of(track)
        self.box = data.box(track)
        self.tag = setup.variant == "tag-team"
        self.by_table = setup.decks == "table"
        self.damage = setup.option("damage") == "yes"
        self.phase = START
        self.step = self.first = self.at = 0
        self.round = 1
        self.now = None
        self.cars_ = []
        self.obstacles = []
        self.refused = []
        self.hands = []
        self.chosen = []
        self.deck = self.control = ""

    def begin(self, phase):
        """Goes on to a phase, past those that this race hasn't."""
        self.step = 0
        if phase == DRIVERS and self.setup.option("drivers") == "no":
            phase = OBSTACLES
        if phase == OBSTACLES and self.setup.option("obstacles") in ("course", "none"):
            phase = UPGRADES
        self.phase = phase

    def put_up(self):
        """Puts cars, obstacles and cards up, where that hasn't been done yet."""
        if self.phase == START:
            from shared_rules.games.fast_and_furious import start_once
            start_once.begin(self)

    def code(self):
        """Modules of this race."""
        names = ["turn", "upgrades"]
        if self.tag:
            names.append("tag")
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
            self.put_up()
            from shared_rules.games.fast_and_furious import setup_once
            yield from setup_once.prepare(self)
            return
        from shared_rules.games.fast_and_furious.turn import Turn
        self.event("turn", self.round)
        self.now = Turn(self, self.car(self.at))
        yield from self.now.run()
        self.now = None
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
        ever will, as obstacles or mates that wait are in the way."""
        self.round += 1
        if any([car.status == DONE for car in self.cars_]):
            self.phase = OVER
        elif self.obstacles or self.tag:
            from shared_rules.games.fast_and_furious import ways_once
            if ways_once.nobody_gets_on(self):
                self.phase = OVER
        return self.phase == OVER

    def over(self):
        """All have had as many turns since a car has finished, or no car is on the way any more."""
        return self.phase == OVER or self.phase != START and not self.running()

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
        if count > 0:
            hand = self.hands[car.number - 1]
            self.hands[car.number - 1] = hand + "??" * count if self.by_table else data.ordered(hand + self.take(count))

    def take(self, count):
        """So many cards off the draw pile."""
        taken = self.top(count)
        self.deck = self.deck[len(taken):]
        return taken

    def top(self, count):
        """The next cards of the draw pile; where it has too few, the discarded ones are shuffled under it (FF-20)."""
        if len(self.deck) < 2 * count:
            from shared_rules.games.fast_and_furious import pile_once
            self.deck += pile_once.shuffled(self.deal, pile_once.discards(self))
        return self.deck[:2 * count]

    def lose(self, car, gone):
        """Cards leave a hand; by table gone is how many."""
        at = car.number - 1
        self.hands[at] = self.hands[at][2 * gone:] if self.by_table else data.without(self.hands[at], gone)

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
        from shared_rules.games.fast_and_furious import out_once
        out_once.take_out(self, car)

    def leave(self, seat):
        """A player leaves: the car is out; in a team the mate drives on alone."""
        self.put_up()
        from shared_rules.games.fast_and_furious import out_once
        out_once.leave(self, seat)

    def order_key(self, car):
        """Ranks cars, but for their numbers."""
        if car.status == DONE:
            return (0, -car.left, -car.last)
        return (3 if car.status == OFF else 2 if car.status == OUT else 1, self.to_go(car), 0)

    def standings(self):
        """[seat, car, place, points], best first; equal cars share their place (FF-48)."""
        self.put_up()
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

    def lap(self):
        """The lap of the car that has come farthest, where a circular course is driven more than once."""
        return min(max([car.crossings for car in self.cars_]) + 1, self.setup.laps) if self.setup.laps > 1 else 0

    def cars(self):
        """Each car with its name, colour and a rhythm of its own."""
        out = []
        for car in self.cars_:
            colour = data.COLOURS[car.number - 1]
            out.append([car.number, car.seat, "fast_and_furious.car_" + colour, colour, car.number - 1])
        return out

    def scene(self, scene):
        """Cars, obstacles, block tokens, the dials of every car and the upgrades of the one that is due."""
        for car in self.cars_:
            status = DONE if car.status in (DONE, HOME) else RUN if car.status in (RUN, WAIT) else OUT
            scene.cars.append([car.number, car.space, status])
            base = self.base(car)
            speed = self.now.speed_value() if self.now and self.now.car is car else 0
            dials = [("gear", car.gear, data.GEARS), ("limit", self.limit(car), base), ("speed", speed, max(24, speed))]
            if self.damage:
                dials.append(("damage", car.damage, data.JUNK))
            for key, value, most in dials:
                scene.dials.append([car.seat, car.number, "fast_and_furious.dial_" + key, value, most])
            if car.block >= 0:
                scene.marks.append([car.block, "block"])
        for space in self.obstacles:
            scene.marks.append([space, "obstacle"])
        if self.phase in (RACE, OVER):
            from shared_rules.games.fast_and_furious import seen
            seen.lines(self, scene.lines)

    def private(self, seat):
        """The hands of a seat's cars, and the upgrades that it has placed."""
        from shared_rules.games.fast_and_furious import seen
        return seen.private(self, seat)
