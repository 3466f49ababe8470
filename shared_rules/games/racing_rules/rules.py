"""Racing Rules, in the order of its rulebook: whose turn, the roll, the move, what the space does, winning.

The ids in brackets are clauses of the spec, ``shared_rules/spec/racing_rules.toml``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.game import Plain
from shared_rules.games.racing_rules import data, moves, red_cards
from shared_rules.games.racing_rules.about import About
from shared_rules.games.racing_rules.course import Course
from shared_rules.prompts import Choose, Roll
from shared_rules.prompts_cards import Draw

RUN = "run"
DONE = "done"
OUT = "out"


class Car(Plain):
    """A player's car. ``inward``: it must leave the road on its next move; ``lost``: turns that it will miss; ``extra``:
    it has an extra turn."""

    fields = ("seat", "space", "status", "inward", "lost", "extra")


class Game(About, BaseGame):
    """One race."""


    fields = ("to_act", "cars_", "pile", "used", "gone", "news")
    records = (("cars_", Car),)
    secret_fields = ("pile",)
    SHARES_PLACES = True

    #: Marks of spaces that give an extra turn (RR-01) and of those that take one (RR-02, RR-03).
    FAST = ("turbo", "rpm", "lead_foot")
    SLOW = ("pit_stop", "spin_out")

    # SET-UP (RR-22)

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.course = Course(track)
        self.die = track.die or data.DIE
        self.kind, self.clause = moves.RACES[setup.variant]
        self.to_act = 1
        self.cars_ = [Car().load([seat, self.course.start, RUN, 0, 0, 0]) for seat in setup.seats()]
        self.gone = []
        self.news = []  # what the last turns did, as lines of the scene
        self.used = []
        self.pile = []
        for count, card in (track.cards or data.DECK) if setup.decks == "device" else ():
            self.pile += [card] * count
        deal.shuffle(self.pile)
        self.gain = self.loss = False
        self.asked = None  # the open choice between two ways

    def uses(self, *variants):
        """Whether the race is one of these."""
        return self.setup.variant in variants

    def two_dice(self):
        """Whether two dice are rolled (RR-14 to RR-17)."""
        return self.uses("race-4", "race-5", "turbocharge", "race-6")

    # A TURN

    def turn(self):
        """One turn of the car that is due."""
        car = self.cars_[self.to_act - 1]
        self.gain = self.loss = False
        dice = 1
        if self.two_dice():
            dice = 2
            if self.course.past_red_line(car.space):
                dice = yield from self.how_many_dice(car)
        rolled = yield Roll(car.seat, [self.die] * dice, "racing_rules.ask_roll_%d" % dice, (), car.seat, self.clause)
        faces = [data.face(word) for word in rolled]
        self.news = []
        if dice == 2 and rolled[0] == rolled[1]:
            self.gain = True  # doubles (RR-10)
            self.tell("doubles", car)
        path = yield from moves.choose(self, car, faces)
        if path:
            self.drive(car, path)
            yield from self.land(car)
        else:
            self.tell("stays", car)
        self.end_of_turn(car)

    def how_many_dice(self, car):
        """Past the Red Line one die may be rolled instead of two (RR-09)."""
        return (yield Choose(car.seat, ["pick 1", "pick 2"], "racing_rules.ask_dice", (), car.seat, "RR-09", values=[1, 2],
                             labels=lambda: [["racing_rules.dice_1"], ["racing_rules.dice_2"]]))

    def end_of_turn(self, car):
        """An extra turn and a lost turn cancel out (RR-10); then the next car is due, clockwise (RR-22)."""
        car.extra = 0
        if self.over():
            return
        if self.gain and not self.loss:
            car.extra = 1
            return
        if self.loss and not self.gain:
            car.lost = 1
        self.next_car()

    def next_car(self):
        """The next seat that still races and has no turn to miss."""
        while self.racing():
            self.to_act = self.to_act % len(self.cars_) + 1
            car = self.cars_[self.to_act - 1]
            if car.status == RUN and not car.lost:
                return
            if car.lost:
                car.lost -= 1
                self.event("spent", car.seat, "racing_rules.dial_lost", 1)
                self.tell("misses", car)

    def tell(self, key, car, *args):
        """Notes a line about what has happened; the display shows it, too."""
        self.news.append(["racing_rules.news_" + key, "car:%d" % car.seat] + list(args))
        self.event("told", self.news[-1])

    # THE MOVE

    def drive(self, car, path):
        """Takes a car along a path to its end."""
        if not path:
            return
        self.event("moved", car.seat, [space for space in [car.space] + path if space >= 0])
        car.space = path[-1]
        car.inward = 0

    def land(self, car, card=False):
        """What the space does with a car that came to it by its own move; ``card``: by a Red Card (RR-06)."""
        space = car.space
        course = self.course
        if space == course.finish:
            car.status = DONE  # the first one to get there wins (RR-08)
            self.event("finished", car.seat, 1)
            return
        self.bump(car)
        for word in self.track.marks_on(space):
            self.gain = self.gain or word in self.FAST
            self.loss = self.loss or word in self.SLOW
            if word in self.FAST + self.SLOW:
                self.tell(word, car)
        if course.on_ramp(space):
            self.tell("ramp", car)
        if course.is_entry(space):
            car.inward = 1
            self.tell("inward", car)
        if not card and course.colours(space) == ("red",):
            yield from self.red_card(car)

    def bump(self, car):
        """A car on the space where another comes to rest goes eight spaces back to the same colour and bumps in turn any car
        it finds there (RR-07). Nobody is bumped off the start (RR-22)."""
        while car.space != self.course.start:
            found = [other for other in self.racing() if other is not car and other.space == car.space]
            if not found:
                return
            car = found[0]
            self.drive(car, self.course.colour_back(car.space, self.course.colours(car.space)[0]))
            self.event("bumped", car.seat, car.space)
            self.tell("bumped", car, self.track.space_name(car.space) if car.space >= 0 else "-")

    # RED CARDS (RR-06)

    def red_card(self, car):
        """Draws a card and does what it says."""
        if self.setup.decks == "table":
            deck = data.effects()
        else:
            if not self.pile:
                self.pile, self.used = self.used, []
                self.deal.shuffle(self.pile)
            deck = self.pile
        card = (yield Draw(car.seat, deck, "racing_rules.ask_card", (), car.seat, "RR-06"))[0]
        if self.setup.decks == "device":
            self.pile.remove(card)
            self.used.append(card)
        self.tell("card", car, "cards:" + card)
        if red_cards.play(self, car, card):
            yield from self.land(car, True)

    # WINNING THE GAME (RR-08)

    def over(self):
        """The race ends with the first car at the finish."""
        status = [car.status for car in self.cars_]
        return DONE in status or RUN not in status

    def leave(self, seat):
        """A player leaves: the car is taken off and ranks last."""
        car = self.cars_[seat - 1]
        if car.status == RUN:
            car.status = OUT
            car.space = -1
            car.inward = car.lost = car.extra = 0
            self.gone.append(seat)
            self.event("out", seat)
            if self.to_act == seat:
                self.next_car()

    # Questions about the race

    def racing(self):
        """The cars that race."""
        return [car for car in self.cars_ if car.status == RUN]

    def to_go(self, car):
        """Spaces that a car has ahead of it, including Pit Row if it must go there."""
        inside = self.course.ahead(car.space, True) if car.inward else -1
        if inside < 0 or self.course.on_ramp(inside):
            return self.course.to_go(car.space)
        return self.course.to_go(inside) + 1

    def ranking(self):
        """[place, car], best first: by the fewest spaces to go; level cars share the place; those that have left
        come last."""
        racing = [car for car in self.cars_ if car.status != OUT]
        racing.sort(key=lambda car: (self.to_go(car), car.seat))
        out = []
        for at, car in enumerate(racing):
            tied = at and self.to_go(car) == self.to_go(racing[at - 1])
            out.append([out[-1][0] if tied else at + 1, car])
        return out + [[len(racing) + at + 1, self.cars_[seat - 1]] for at, seat in enumerate(reversed(self.gone))]

    def standings(self):
        return [[car.seat, car.seat, place, 0] for place, car in self.ranking()]

    def cars(self):
        """Each player's car with its name, colour and a rhythm of its own."""
        return [[car.seat, car.seat, "racing_rules.car_" + data.CARS[car.seat - 1], data.CARS[car.seat - 1], car.seat - 1]
                for car in self.cars_]

    def scene(self, scene):
        """Cars, and on the dials of each a turn that it will lose or has extra."""
        for car in self.cars_:
            scene.cars.append([car.seat, car.space, car.status])
            scene.dials.append([car.seat, car.seat, "racing_rules.dial_lost", car.lost, max(1, car.lost)])
            scene.dials.append([car.seat, car.seat, "racing_rules.dial_extra", car.extra, 1])
        scene.lines += self.news
        best = self.ranking()[0][1]
        if best.status == RUN:
            scene.lines.append(["racing_rules.line_leader", "car:%d" % best.seat, self.to_go(best)])
