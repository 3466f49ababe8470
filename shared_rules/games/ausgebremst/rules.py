"""Ausgebremst, in the order of its rulebook: preparation, whose turn it is, moving, the lead and the 6, who is home.

The ids in brackets are clauses of ``shared_rules/spec/ausgebremst.toml``. The other chapters: a player's turn is in
``turn.py``, cars without a driver in ``derelicts.py``, the ranking in ``standings.py``, the pro game in ``pro.py``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.game import Plain
from shared_rules.games.ausgebremst import data, derelicts, pro, standings, turn
from shared_rules.games.ausgebremst.about import About
from shared_rules.games.ausgebremst.course import FINISH, PIT_OPENS, PIT_SHUT, Course
from shared_rules.games.ausgebremst.data import CHOOSE, DONE, DRAW, OFF, OUT, RACE, RUN
from shared_rules.prompts_cards import Draw


class Car(Plain):
    """A car. ``seat`` is its player's, 0 for nobody's; ``derelict``: it has no driver (any more); ``begun``: it has had its
    first turn; ``stopped``: it has stopped in the pit lane; ``to_go`` when it was taken off. ``moved`` and ``void`` are card
    points that it drove and that it couldn't; ``last`` is what its last turn did.
    """

    fields = ("number", "seat", "derelict", "space", "crossings", "status", "begun", "stopped", "to_go", "moved", "void",
              "last")


class StartDraw(Draw):
    """A card for the start. It lies open, but a car without a driver may then move at once by a card that nobody knows:
    without the seed nobody can replay up to it."""

    laid_open = True

    def forced(self):
        # A card of its own for each seat, so that players who leave together don't tie for ever.
        cards = data.different("".join(self.deck))
        return [cards[(self.seat - 1) % len(cards)]]


class Game(About, BaseGame):
    """One race.

    A pile of cards is a text, the top first. ``decks`` are the draw piles, one for each of the six cars; by
    table, what a car still has, sorted. The pro game lays ``stacks`` instead. ``hands``, ``stacks``, ``chosen`` decks and
    ``deposits`` have an entry for each player.
    """

    REVEALS = ("play", "show", "pick")
    LOW_DIALS = ("ausgebremst.dial_points",)

    fields = ("phase", "step", "order", "at", "cars_", "finished", "removed", "moved", "stalled", "deposits", "decks",
              "hands", "stacks", "chosen")
    records = (("cars_", Car),)
    secret_fields = ("decks", "hands", "stacks", "chosen")

    # PREPARATION (AB-01 to AB-15)

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.course = Course(track, setup.laps)
        self.pro = setup.variant == "pro"
        self.by_table = setup.decks == "table"
        self.hand_size = data.PRO_HAND if self.pro else data.FAMILY_HAND
        self.phase = DRAW
        self.step = self.at = self.moved = self.stalled = 0
        self.order = list(setup.grid)
        self.finished = []
        self.removed = []
        self.cars_ = []
        self.decks = []
        for number in range(1, data.CARS + 1):
            seat = number if number <= len(setup.players) else 0
            self.cars_.append(Car().load([number, seat, 0 if seat else 1, -1, 0, RUN, 0, 0, 0, 0, 0, "none"]))
            self.decks.append(self.pile(self.cars_[-1], data.complete() if self.pro or not seat else data.deck(data.SLOW)))
        self.deposits = [""] * len(setup.players)
        self.hands = [""] * len(setup.players)
        self.stacks = []
        self.chosen = []
        if self.order:
            self.line_up()

    def on_table(self, car):
        """Whether the table holds this car's cards; a player who leaves leaves them where they were."""
        if not car.derelict:
            return self.by_table
        return self.setup.option("derelict_decks") == "table" and (self.by_table or not car.seat)

    def pile(self, car, cards):
        """A car's cards as a deck: shuffled, or sorted if the table holds them."""
        if self.on_table(car):
            return data.ordered(cards)
        cards = list(cards)
        self.deal.shuffle(cards)
        return "".join(cards)

    def draw_for_the_start(self):
        """The start of a first race: every player draws a card until one is the highest (AB-07). Cars without a driver get
        the best places, then the players clockwise from the one who drew it (AB-08)."""
        drawing = [car for car in self.running() if not car.derelict]
        seats = [car.seat for car in drawing]
        while len(drawing) > 1:
            drawn = yield [StartDraw(car.seat, list(self.decks[car.number - 1]), "ausgebremst.ask_start", (), car.number,
                                     "AB-07") for car in drawing]
            drawn = [int(cards[0]) for cards in drawn]
            drawing = [car for car, card in zip(drawing, drawn) if card == max(drawn)]
            for car in self.cars_:
                if car.seat:
                    self.decks[car.number - 1] = self.pile(car, self.decks[car.number - 1])
        first = drawing[0].seat
        order = [car.number for car in self.cars_ if car.derelict]
        order += [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
        self.order = order + [car.number for car in self.cars_ if car.number not in order]
        self.line_up()

    def line_up(self):
        """Puts the cars on the grid in start order (AB-08, AB-09); players take their first cards."""
        for number, space in zip(self.order, self.course.grid):
            car = self.car(number)
            if car.status == RUN:
                car.space = space
                self.event("grid", number, car.space)
        if self.pro:
            self.phase = CHOOSE
            self.stacks = [[""] * data.STACKS for _ in self.hands]
            self.chosen = [""] * len(self.hands)
            return
        self.phase = RACE
        for car in self.cars_:
            if not car.derelict:
                self.decks[car.number - 1] = self.pile(car, self.decks[car.number - 1])
                self.fill_up(car)
        self.find_next()

    # WHOSE TURN (AB-11, AB-14)

    def turn(self):
        """One turn of the car that is due, or a step of the preparation."""
        if self.phase == DRAW:
            yield from self.draw_for_the_start()
            return
        if self.phase != RACE:
            yield from pro.prepare(self)
            return
        car = self.car(self.order[self.at])
        before = self.points_left(car)
        if car.derelict:
            yield from derelicts.take_turn(self, car)
        else:
            yield from turn.take(self, car)
        car.begun = 1
        if self.points_left(car) != before:
            self.moved = 1
        if car.status == RUN and not self.cards_of(car):
            self.take_off(car)                                  # (AB-35, AB-37)
        self.next_car()

    def next_car(self):
        """Goes to the next car in start order; after a full round in which nothing happened the race has stalled (AB-27)."""
        self.at += 1
        self.find_next()

    def find_next(self):
        """Goes on to the next car on the track, past the end of a round if need be."""
        if self.phase != RACE or self.over():
            return
        while self.at >= len(self.order) or self.car(self.order[self.at]).status != RUN:
            self.at += 1
            if self.at >= len(self.order):
                self.at = 0
                self.stalled = 1 - self.moved
                self.moved = 0

    def car(self, number):
        """The car with this number."""
        return self.cars_[number - 1]

    # CARDS

    def cards_of(self, car):
        """All cards that a car can still play, including the hand."""
        cards = self.decks[car.number - 1]
        if car.seat:
            cards += self.hands[car.seat - 1]
            if self.stacks:
                cards += "".join(self.stacks[car.seat - 1])
        return cards

    def beside_pit(self, car):
        """A car's cards beside the pit lane."""
        return self.deposits[car.seat - 1] if car.seat else ""

    def points_left(self, car):
        """The points of all its cards, including those beside the pit lane."""
        return data.points(self.cards_of(car) + self.beside_pit(car))

    def fill_up(self, car):
        """Fills the hand from the deck (AB-13, AB-16)."""
        at = car.number - 1
        if not self.on_table(car):
            more = self.hand_size - len(self.hands[at])
            self.hands[at] = data.ordered(self.hands[at] + self.decks[at][:more])
            self.decks[at] = self.decks[at][more:]

    def held(self, car):
        """The values that may be in the hand: the hand itself; by table, all that are left."""
        return self.decks[car.number - 1] if self.by_table else self.hands[car.number - 1]

    def hand_count(self, car):
        """How many cards are in the hand."""
        return min(self.hand_size, len(self.decks[car.number - 1])) if self.by_table else len(self.hands[car.number - 1])

    def only_sixes(self, car, surely=False):
        """Whether the whole hand consists of 6s (AB-27); by table, whether it may, or ``surely`` does."""
        held = self.held(car)
        return 0 < (len(held) if surely else self.hand_count(car)) <= held.count("6")

    # MOVING (AB-18 to AB-23, AB-29 to AB-33)

    def taken(self):
        """The spaces on which cars stand."""
        return [car.space for car in self.cars_ if car.space >= 0]

    def duty(self, car):
        """Whether a car still has to stop in the pit lane (AB-29)."""
        return not self.pro and not car.stopped

    def reach(self, car, steps, taken):
        """Where a car can get in this many steps; see ``Course.reach``."""
        return self.course.reach(car.space, car.crossings, steps, taken, self.duty(car), self._pit_for(car))

    def reaches(self, car, steps, taken):
        """Where a car can get in one step, in two, and so on; see ``Course.reaches``."""
        return self.course.reaches(car.space, car.crossings, steps, taken, self.duty(car), self._pit_for(car))

    def _pit_for(self, car):
        """The lap from which field A leads a car into the pit lane."""
        return PIT_SHUT if self.pro and car.derelict else PIT_OPENS

    def end_name(self, way):
        """The name of a way's end in answers."""
        return "finish" if way[2][-1] == FINISH else self.track.space_name(way[2][-1])

    def drive(self, car, value, way):
        """Takes a car along a way; True if it stops in the pit lane for the first time."""
        _, crossings, path = way
        home = path[-1] == FINISH
        no_stop = self.misses_stop(car, way)
        car.last = "%d %s" % (value, self.end_name(way))
        car.moved += len(path) - 1
        car.void += value - len(path) + 1
        lap = self.lap()
        shown = path[:-1] if home else path
        if len(shown) > 1:
            self.event("moved", car.number, shown)
        car.space = shown[-1]
        if crossings > car.crossings and not home:
            self.event("crossed", car.number, crossings)
        car.crossings = crossings
        if self.lap() > lap:
            self.event("lap", self.lap(), self.setup.laps)
        if home:
            self.finish(car)
            return False
        if self.course.in_pit(car.space):
            first = not car.stopped
            car.stopped = 1
            return first
        if no_stop:
            self.event("told", ["ausgebremst.told_no_stop", "car:%d" % car.number])
            self.take_off(car)
        return False

    def misses_stop(self, car, way):
        """Whether a way takes a car through the pit lane without its required stop, at the last chance
        (AB-32)."""
        _, crossings, path = way
        return (self.duty(car) and crossings == self.setup.laps and not self.course.in_pit(path[-1])
                and self.course.through_pit(path))

    # THE LEAD AND THE 6 (AB-25 to AB-28)

    def to_go(self, car):
        """Spaces to the last crossing of the line; for a car that was taken off, its spaces at that moment (AB-26)."""
        if car.status != RUN:
            return car.to_go
        return self.course.to_go(car.space, car.crossings) if car.space >= 0 else self.course.lap * self.setup.laps + 1

    def leads(self, car):
        """Whether no car on the track has fewer spaces to go; finished ones don't count."""
        return car.status == RUN and self.to_go(car) == min([self.to_go(other) for other in self.running()])

    def running(self):
        """The cars on the track."""
        return [car for car in self.cars_ if car.status == RUN]

    def six_open(self, car):
        """Whether a car may move a 6: not in the lead, in its first turn, after the winner, or alone on the track (AB-25,
        AB-27, AB-28)."""
        return not car.begun or len(self.finished) > 0 or not self.leads(car) or len(self.running()) == 1

    def six_allowed(self, car, surely=False):
        """Whether a player may play a 6, including the exceptions for a hand of 6s (AB-27); by table, whether some hand
        would allow it, or ``surely`` whatever the neighbours hold."""
        if self.six_open(car):
            return True
        if not self.only_sixes(car):
            return False
        if self.course.is_chicane(car.space) or self.stalled:
            return True
        for other in self.running():
            if other is not car and not other.derelict and self.only_sixes(other, surely) and self.block_road(car, other):
                return True
        return False

    def block_road(self, car, other):
        """Whether two cars stand side by side so that nobody can pass: on the two spaces of a row, not in a curve and
        not where the pit lane leads past."""
        track, course = self.track, self.course
        if max(car.space, other.space) >= track.in_rows or track.row(car.space) != track.row(other.space):
            return False
        row = track.row(car.space)
        return not track.is_corner(row) and not track.row(course.entry) < row < track.row(course.exit)

    # THE FINISH (AB-37 to AB-39)

    def finish(self, car):
        """A car has crossed the line for the last time."""
        car.status = DONE
        car.space = -1
        self.finished.append(car.number)
        self.event("finished", car.number, len(self.finished))

    def take_off(self, car):
        """A car is taken off the track where it stands."""
        car.to_go = self.to_go(car)
        car.status = OUT
        car.space = -1
        self.removed.append(car.number)
        self.event("out", car.number)

    def over(self):
        """Whether the race is over: no player's car is left on the track."""
        return not [car for car in self.running() if not car.derelict]

    def leave(self, seat):
        """A player leaves: the car goes on without a driver, or is taken off, as the table chose."""
        derelicts.lose_driver(self, self.car(seat))
        self.find_next()

    # Questions about the race

    def lap(self):
        """The lap of the car that has gone farthest."""
        return max(1, min(max([car.crossings for car in self.cars_]), self.setup.laps))

    def ranking(self):
        """The cars, best first."""
        return standings.ranking(self)

    def standings(self):
        """[seat, car, place, points] of all six cars, best first."""
        return standings.rows(self)

    def cars(self):
        """The six cars; cars without a player belong to nobody."""
        return [[car.number, car.seat, "ausgebremst.car_" + data.COLOURS[car.number - 1], data.COLOURS[car.number - 1],
                 car.number - 1] for car in self.cars_]

    def scene(self, scene):
        """Cars, dials, and what each car's last turn did."""
        for car in self.cars_:
            scene.cars.append([car.number, car.space, "out" if car.status == OFF else car.status])
            if car.seat:
                scene.dials += standings.dials(self, car)
        scene.lines += standings.lines(self)

    def private(self, seat):
        """The hand; in the pro game also the deck, the stacks and the cards beside the pit lane."""
        hand = self.hands[seat - 1]
        out = [["ausgebremst.in_hand", " ".join(reversed(hand))]] if hand else []
        return out + pro.private(self, seat) if self.pro else out
