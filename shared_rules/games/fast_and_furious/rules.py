"""Fast & Furious: Full Throttle, in the order of its rulebook: whose turn it is, gear cards, the finish line, who leaves.

The ids in brackets are clauses of ``shared_rules/spec/fast_and_furious.toml``. Chapters have their own files:
what comes before the race ``setup.py``; a turn, and whether a car drifts, ``turn.py``; where a car can get to, and at what
cost, ``reach.py``, and its way there ``move.py``; the rest ``cards.py``, ``car.py``, ``upgrades.py``, ``course.py``,
``finish.py``, and two teams ``team.py``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.games.fast_and_furious import cards, finish, setup, team
from shared_rules.games.fast_and_furious.about import About
from shared_rules.games.fast_and_furious.car import COLOURS, DONE, HOME, JUNK, OUT, RUN, WAIT, Car, listed
from shared_rules.games.fast_and_furious.course import course_of
from shared_rules.games.fast_and_furious.setup import OVER, RACE, START, TO_PLACES, TO_UPGRADES
from shared_rules.games.fast_and_furious.turn import Turn

#: The speed dial goes up at least to this.
SPEED_DIAL = 24


class Game(About, BaseGame):
    """One race. A pile of gear cards is a text of two letters per card (see cards.py); by table a hand consists of "??".

    ``chosen`` are the upgrades being placed in secret (see car.py); ``control`` the control tokens beside the
    board, a digit each; ``refused`` the seats that want no more obstacles; ``at`` is the car whose turn it is; ``now`` the
    turn being played.
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
        self.box = cards.box(track)
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

    def put_up(self):
        """Sets up cars, obstacles and cards, if that hasn't been done yet."""
        if self.phase == START:
            setup.put_up(self)

    def car(self, number):
        """The car with this number."""
        return self.cars_[number - 1]

    def running(self):
        """The cars driving now."""
        return [car for car in self.cars_ if car.status == RUN]

    # WHOSE TURN (FF-14, FF-46)

    def turn(self):
        """A step before the race, or the turn of a car."""
        self.now = None
        if self.phase != RACE:
            self.put_up()
            yield from setup.prepare(self)
            return
        self.event("turn", self.round)
        self.now = Turn(self, self.car(self.at))
        yield from self.now.run()
        self.now = None
        self.next_car()

    def next_car(self):
        """Goes to the next car clockwise; a round is over when it comes to the first one again."""
        if self.tag:
            team.next_car(self)
            return
        for _ in self.cars_:
            self.at = self.at % len(self.cars_) + 1
            if self.at == self.first and self.ends_with_round():
                return
            if self.car(self.at).status == RUN:
                return

    def ends_with_round(self):
        """All have had equally many turns; the race is over if a car has crossed the finish line meanwhile (FF-46), or
        nobody ever will because obstacles or waiting mates are in the way."""
        self.round += 1
        if any([car.status == DONE for car in self.cars_]):
            self.phase = OVER
        elif (self.obstacles or self.tag) and finish.nobody_gets_on(self):
            self.phase = OVER
        return self.phase == OVER

    def over(self):
        """Whether all have had equally many turns since a car finished, or no car is on the way any more."""
        return self.phase == OVER or self.phase != START and not self.running()

    # GEAR CARDS (FF-11, FF-19, FF-20)

    def hand_count(self, car):
        """How many cards a car has in hand."""
        return cards.size(self.hands[car.number - 1])

    def draw_up(self, car, count):
        """Adds this many cards to the hand."""
        if count > 0:
            at = car.number - 1
            hand = self.hands[at]
            self.hands[at] = hand + cards.HIDDEN * count if self.by_table else cards.ordered(hand + self.take(count))

    def take(self, count):
        """Takes this many cards off the draw pile."""
        taken = self.top(count)
        self.deck = self.deck[len(taken):]
        return taken

    def top(self, count):
        """The next cards of the draw pile; if it has too few, the discarded ones are shuffled under it (FF-20)."""
        if cards.size(self.deck) < count:
            self.deck += cards.shuffled(self.deal, self.discards())
        return cards.first(self.deck, count)

    def discards(self):
        """The discard pile: all cards that aren't anywhere else, sorted."""
        return cards.deck(self.hands + [self.deck, self.now.table if self.now else ""])

    def lose(self, car, gone):
        """Takes cards out of a hand; by table ``gone`` is how many."""
        at = car.number - 1
        self.hands[at] = cards.without(self.hands[at], cards.first(self.hands[at], gone) if self.by_table else gone)

    # THE FINISH (FF-46 to FF-48)

    def to_go(self, car):
        """Steps ahead to the last crossing of the line."""
        if car.status == OUT:
            return car.to_go
        if car.status in (DONE, HOME):
            return 0
        return self.course.to_go(car.space, car.crossings, self.setup.laps)

    def finishes_next(self, car):
        """Whether the next crossing of a loop's line is the last one."""
        return car.crossings + 1 >= self.setup.laps

    def standings(self):
        """[seat, car, place, points], best first; equal cars share their place (FF-48)."""
        self.put_up()
        return team.standings(self) if self.tag else finish.standings(self)

    def seat_of(self, number):
        """The seat that a car began with."""
        return (number - 1) % len(self.setup.players) + 1

    # OUT OF THE RACE (FF-44, FF-51)

    def take_out(self, car):
        """The car is out of the race."""
        car.to_go = self.to_go(car)
        car.status = OUT
        car.space = car.block = -1
        self.hands[car.number - 1] = ""
        self.event("out", car.number)
        if self.tag:
            team.take_out(self, car)

    def leave(self, seat):
        """A player leaves: the car is out; in a team of two players the mate drives both cars from now on."""
        self.put_up()
        mates = [other for other in (seat + 2, seat - 2) if 0 < other <= len(self.setup.players)] if self.tag else []
        for car in self.cars_:
            if car.seat != seat:
                continue
            still = [mate for mate in mates if any([other.seat == mate for other in self.cars_])]
            if still:
                car.seat = still[0]
            elif car.status in (RUN, WAIT):
                self.take_out(car)
        if seat not in self.refused:
            self.refused.append(seat)
        if self.phase == RACE and self.running() and self.car(self.at).status != RUN:
            self.next_car()
        if self.phase in (TO_UPGRADES, TO_PLACES):
            setup.go_on(self)

    # What can be seen

    def lap(self):
        """The lap of the car that has gone farthest, if a circular course is driven more than once."""
        return min(max([car.crossings for car in self.cars_]) + 1, self.setup.laps) if self.setup.laps > 1 else 0

    def cars(self):
        """Each car with its name, colour and a rhythm of its own."""
        out = []
        for car in self.cars_:
            colour = COLOURS[car.number - 1]
            out.append([car.number, car.seat, "fast_and_furious.car_" + colour, colour, car.number - 1])
        return out

    def scene(self, scene):
        """Cars, obstacles, block tokens, the dials of every car and the upgrades of the one that is due."""
        for car in self.cars_:
            status = DONE if car.status in (DONE, HOME) else RUN if car.status in (RUN, WAIT) else OUT
            scene.cars.append([car.number, car.space, status])
            speed = self.now.speed_value() if self.now and self.now.car is car else 0
            dials = [("gear", car.gear, cards.GEARS), ("limit", car.limit(), car.base()),
                     ("speed", speed, max(SPEED_DIAL, speed))]
            if self.damage:
                dials.append(("damage", car.damage, JUNK))
            for key, value, most in dials:
                scene.dials.append([car.seat, car.number, "fast_and_furious.dial_" + key, value, most])
            if car.block >= 0:
                scene.marks.append([car.block, "block"])
        for space in self.obstacles:
            scene.marks.append([space, "obstacle"])
        if self.phase in (RACE, OVER):
            self._tell(scene.lines)

    def _tell(self, lines):
        """Who is over the line with how much speed left (FF-47); during a race who leads, and what each car has."""
        ranking = [self.car(row[1]) for row in self.standings()]
        for car in ranking:
            if car.status == DONE:
                lines.append(["fast_and_furious.line_left", "car:%d" % car.number, car.left])
        if self.over():
            if not lines:
                lines.append(["fast_and_furious.line_nobody"])
            return
        leader = [car for car in ranking if car.status == RUN][0]
        lines.append(["fast_and_furious.line_leader", "car:%d" % leader.number, self.to_go(leader)])
        for car in self.cars_:
            tokens = listed(car.upgrades)
            there = "heads:" + " ".join([(kind + "- ") * count for kind, count in tokens])
            if car.driver:
                driver = "@fast_and_furious.card_" + car.driver
                lines.append(["fast_and_furious.line_driver", "car:%d" % car.number, there, driver])
            elif tokens:
                lines.append(["fast_and_furious.line_car", "car:%d" % car.number, there])

    def private(self, seat):
        """The hands of a seat's cars, sorted by gear; before the start what is placed."""
        out = []
        own = [car for car in self.cars_ if car.seat == seat]
        for car in own:
            # A seat with two cars is told which one.
            of, which = ("", []) if len(own) == 1 else ("_of", ["car:%d" % car.number])
            on = "_on" if which else ""
            at = car.number - 1
            hand = " ".join(cards.gears(self.hands[at])) if not self.by_table else ""
            if hand:
                out.append(["fast_and_furious.in_hand" + of] + which + [hand])
            if self.phase == TO_UPGRADES:
                for name, count in listed(self.chosen[at]):
                    word = "@fast_and_furious.upgrade_" + name
                    out.append(["fast_and_furious.placed" + on] + which + [word, count])
        return out
