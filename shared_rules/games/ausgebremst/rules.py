"""Ausgebremst, as its rulebook tells it: the grid, a player's turn, the move, the 6, the pit stop, the finish.

The ids in brackets are those of the spec, ``shared_rules/spec/ausgebremst.toml``. What the pro game has besides stands in
``pro.py`` and ``pro_once.py``, cars without a driver in ``derelicts.py``, the draw for the start in ``start_once.py``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.game import Plain
from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.about import About
from shared_rules.games.ausgebremst.course import FINISH, Course
from shared_rules.prompts import Choose

# Phases of a race: the draw for the start, the pro game's decks, stacks and first cards, the race.
DRAW = "draw"
DECKS = "decks"
STACKS = "stacks"
TAKE = "take"
RACE = "race"

RUN = "run"
DONE = "done"
OUT = "out"
#: It never started; only vectors have such cars.
OFF = "off"


class Car(Plain):
    """A car. ``seat`` is its player's, 0 for nobody's; ``derelict``: it has no driver (any more); ``begun``: it has had its
    first turn; ``stopped``: in the pit lane; ``to_go`` when it was taken off. ``moved`` and ``void`` are points of cards
    that it drove and that it couldn't; ``last`` is what its last turn did.
    """

    fields = ("number", "seat", "derelict", "space", "crossings", "status", "begun", "stopped", "to_go", "moved", "void",
              "last")


class Play(Choose):
    """A card and where it leads, or the hand shown. Who holds a hand sees the options alone; what is played lies open."""

    laid_open = True

    def __init__(self, game, car, hand, plays):
        texts = [text for text, _, _ in plays] or ["show"]
        values = [(card, way) for _, card, way in plays] or [None]
        if plays and game.by_table and game.may_show(car, [card for _, card, _ in plays]):
            texts.append("show")
            values.append(None)
        super().__init__(car.seat, texts, "ausgebremst.ask_play", (), car.number, "AB-16", not game.by_table, values=values,
                         labels=self.say, near=self.near_misses, explain=self.why)
        self.ends = [max(-1, value[1][2][-1]) if value else -1 for value in values]
        self.hand = hand
        self._of = game, car

    def say(self):
        """Card and space of each option."""
        from shared_rules.games.ausgebremst import moves_why
        return moves_why.labels(self)

    def near_misses(self):
        """Where the cards would lead on an empty track."""
        from shared_rules.games.ausgebremst import moves_why
        return moves_why.near(self, self._of[0], self._of[1])

    def why(self, text):
        """The Refusal of what isn't offered, or None."""
        from shared_rules.games.ausgebremst import moves_why
        return moves_why.explain(self, self._of[0], self._of[1], text)

    def forced(self):
        """For a player who leaves. By table nobody knows a card of the hand: "" for a turn without one."""
        return "" if self._of[0].by_table else super().forced()


class Game(BaseGame):
    """One race.

    A pile of cards is a text, the top first. ``decks`` are those that cards are drawn from, one for each of the six cars; by
    table what a car still has, sorted. The pro game lays ``stacks`` instead. ``hands``, ``stacks``, ``chosen`` decks and
    ``deposits`` have an entry for each player.
    """

    ID = About.ID
    VARIANTS = About.VARIANTS
    OPTIONS = About.OPTIONS
    SEATS = About.SEATS
    DECKS = About.DECKS
    LAPS = About.LAPS
    GRID = About.GRID
    problems = About.problems
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
            counts = data.COMPLETE if self.pro or not seat else data.COUNTS[data.SLOW]
            self.decks.append(self.pile(self.cars_[-1], data.pile(counts)))
        self.deposits = [""] * len(setup.players)
        self.hands = [""] * len(setup.players)
        self.stacks = []
        self.chosen = []
        if self.order:
            self.line_up()

    def on_table(self, car):
        """Whether the table holds the cards of this one; a player who left leaves them where they were."""
        if not car.derelict:
            return self.by_table
        return self.setup.option("derelict_decks") == "table" and (self.by_table or not car.seat)

    def pile(self, car, cards):
        """A car's cards as a deck: shuffled, or sorted where the table holds them."""
        if self.on_table(car):
            return data.ordered(cards)
        cards = list(cards)
        self.deal.shuffle(cards)
        return "".join(cards)

    def line_up(self):
        """Puts the cars on the grid in start order (AB-08, AB-09); players take their first cards."""
        for place, number in enumerate(self.order):
            car = self.car(number)
            if car.status == RUN:
                car.space = self.course.grid[place]
                self.event("grid", number, car.space)
        if self.pro:
            self.phase = DECKS
            self.stacks = [[""] * data.STACKS for _ in self.hands]
            self.chosen = [""] * len(self.hands)
            return
        self.phase = RACE
        for car in self.cars_:
            if not car.derelict:
                self.decks[car.number - 1] = self.pile(car, self.decks[car.number - 1])
                self.fill_up(car)
        self.find_next()

    def code(self):
        """Modules of this race."""
        names = []
        if self.pro:
            names.append("pro")
        elif "bot" in [kind for kind, _ in self.setup.players]:
            names.append("bots_value" if self.valued() else "bots_plan")    # the pro game has its preparation first
        if len(self.setup.players) < data.CARS:
            names.append("derelicts")
        return names

    def valued(self):
        """Whether tables tell the bots what places are worth here."""
        return self.track.id in data.VALUED and len(self.setup.players) <= data.VALUED_PLAYERS[self.pro]

    # WHOSE TURN (AB-11, AB-14)

    def turn(self):
        """One turn of the car that is due, or a step of the preparation."""
        if self.phase == DRAW:
            from shared_rules.games.ausgebremst import start_once
            yield from start_once.draw(self)
            return
        if self.phase != RACE:
            from shared_rules.games.ausgebremst import pro_once
            yield from pro_once.prepare(self)
            return
        car = self.car(self.order[self.at])
        before = self.points_left(car)
        if car.derelict:
            from shared_rules.games.ausgebremst import derelicts
            yield from derelicts.turn(self, car)
        else:
            yield from self.players_turn(car)
        car.begun = 1
        if self.points_left(car) != before:
            self.moved = 1
        if car.status == RUN and not self.cards_of(car):
            self.take_off(car)                                  # (AB-35, AB-37)
        self.next_car()

    def next_car(self):
        """The next car in start order; after a full round in which nothing happened the race has stalled (AB-27)."""
        self.at += 1
        self.find_next()

    def find_next(self):
        """Goes on to a car that is on the track, past the end of a round."""
        if self.phase != RACE or self.over():
            return
        while self.at >= len(self.order) or self.car(self.order[self.at]).status != RUN:
            self.at += 1
            if self.at >= len(self.order):
                self.at = 0
                self.stalled = 1 - self.moved
                self.moved = 0

    def car(self, number):
        """The car of a number."""
        return self.cars_[number - 1]

    # CARDS

    def cards_of(self, car):
        """All cards that a car can still play, hand included."""
        cards = self.decks[car.number - 1]
        if car.seat:
            cards += self.hands[car.seat - 1]
            if self.stacks:
                cards += "".join(self.stacks[car.seat - 1])
        return cards

    def beside_pit(self, car):
        """The cards that lie beside the pit lane for a car."""
        return self.deposits[car.seat - 1] if car.seat else ""

    def points_left(self, car):
        """The points of all its cards, those beside the pit lane among them."""
        return data.points(self.cards_of(car) + self.beside_pit(car))

    def fill_up(self, car):
        """Fills the hand from the deck (AB-13, AB-16)."""
        at = car.number - 1
        if not self.on_table(car):
            more = self.hand_size - len(self.hands[at])
            self.hands[at] = data.ordered(self.hands[at] + self.decks[at][:more])
            self.decks[at] = self.decks[at][more:]

    def held(self, car):
        """The values that may be in the hand: the hand itself, by table all that are left."""
        return self.decks[car.number - 1] if self.by_table else self.hands[car.number - 1]

    def hand_count(self, car):
        """How many cards there are in the hand."""
        return min(self.hand_size, len(self.decks[car.number - 1])) if self.by_table else len(self.hands[car.number - 1])

    def only_sixes(self, car, surely=False):
        """Whether the whole hand consists of 6s (AB-27); by table whether it may, or ``surely`` does."""
        held = self.held(car)
        return 0 < (len(held) if surely else self.hand_count(car)) <= held.count("6")

    # A PLAYER'S TURN (AB-16 to AB-24)

    def players_turn(self, car):
        """A card is played and moved in full and the hand filled up, or the hand shown."""
        choice = yield Play(self, car, self.held(car), self.plays(car))
        if choice == "":
            return                                              # the player has left
        if choice is None:
            shown = "" if self.by_table else " ".join(reversed(self.hands[car.number - 1]))
            car.last = ("shows " + shown).strip()
            key = "told_shows" if shown else "told_stuck"
            self.event("told", ["ausgebremst." + key, "car:%d" % car.number, shown])
            return
        card, way = choice
        pile = self.decks if self.by_table else self.hands
        pile[car.number - 1] = data.without(pile[car.number - 1], card)
        stops = self.drive(car, int(card), way)
        if self.pro:
            from shared_rules.games.ausgebremst import pro
            yield from pro.refill(self, car, stops)
        else:
            self.fill_up(car)

    def plays(self, car):
        """[text, card, way] of all that can be played now, low cards first."""
        out = []
        taken = self.taken()
        for card in data.different(self.held(car)):
            if card != "6" or self.six_allowed(car):
                for way in self.reach(car, int(card), taken):
                    out.append(["play %s %s" % (card, self.end_name(way)), card, way])
        return out

    def end_name(self, way):
        """What answers call the end of a way."""
        return "finish" if way[2][-1] == FINISH else self.track.space_name(way[2][-1])

    def may_show(self, car, playable):
        """By table: whether a hand may be held that can't be moved (AB-21): of other cards than these, or of 6s that only
        those in a neighbour's hand would allow. Where a 6 can be moved, all smaller cards can."""
        if "6" in playable and not self.six_allowed(car, True):
            return True
        return len([card for card in self.held(car) if card not in playable]) >= self.hand_count(car)

    # MOVING (AB-18 to AB-23, AB-29 to AB-33)

    def taken(self):
        """The spaces on which cars stand."""
        return [car.space for car in self.cars_ if car.space >= 0]

    def duty(self, car):
        """Whether a car has to stop in the pit lane still (AB-29)."""
        return not self.pro and not car.stopped

    def reach(self, car, steps, taken):
        """Where a car can come with so many steps; see ``Course.reach``."""
        pit = 0 if self.pro and car.derelict else 2
        return self.course.reach(car.space, car.crossings, steps, taken, self.duty(car), pit)

    def drive(self, car, value, way):
        """Takes a car along a way; True where it stops in the pit lane for the first time."""
        path = way[2]
        home = path[-1] == FINISH
        car.last = "%d %s" % (value, self.end_name(way))
        car.moved += len(path) - 1
        car.void += value - len(path) + 1
        duty = self.duty(car)
        lap = self.lap()
        shown = path[:-1] if home else path
        if len(shown) > 1:
            self.event("moved", car.number, shown)
        car.space = shown[-1]
        if way[1] > car.crossings and not home:
            self.event("crossed", car.number, way[1])
        car.crossings = way[1]
        if self.lap() > lap:
            self.event("lap", self.lap(), self.setup.laps)
        if home:
            self.finish(car)
            return False
        if self.course.in_pit(car.space):
            first = not car.stopped
            car.stopped = 1
            return first
        through = [space for space in path[1:] if self.course.in_pit(space)]
        if duty and through and car.crossings == self.setup.laps:
            self.event("told", ["ausgebremst.told_no_stop", "car:%d" % car.number])
            self.take_off(car)                                  # it drove through (AB-32)
        return False

    # THE LEAD AND THE 6 (AB-25 to AB-28)

    def to_go(self, car):
        """Spaces to the last crossing of the line; for a car that was taken off what it had then (AB-26)."""
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
        """Whether a player may play a 6, the exceptions for a hand of 6s among it (AB-27); by table whether there are hands
        with which that is so, or ``surely`` whatever the neighbours hold."""
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
        """Whether two cars stand side by side so that nobody gets past them: in the two spaces of a row, not in a curve and
        not where the pit lane leads past."""
        track, course = self.track, self.course
        if max(car.space, other.space) >= track.in_rows or track.row(car.space) != track.row(other.space):
            return False
        row = track.row(car.space)
        return not track.is_corner(row) and not track.row(course.entry) < row < track.row(course.exit)

    # THE FINISH (AB-37 to AB-39)

    def finish(self, car):
        """A car is over the line for the last time."""
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
        """The race ends when no player's car is left on the track."""
        return not [car for car in self.running() if not car.derelict]

    def leave(self, seat):
        """A player leaves: the car goes on without a driver, or is taken off, as the table chose."""
        from shared_rules.games.ausgebremst import leave_once
        leave_once.leave(self, self.car(seat))
        self.find_next()

    # What can be asked of the race

    def lap(self):
        """The lap of the car that has come farthest."""
        return max(1, min(max([car.crossings for car in self.cars_]), self.setup.laps))

    def ranking(self):
        """The cars, best first: those that have finished, those on the track by the spaces to go, those that were taken off
        likewise (AB-10)."""
        rest = []
        for car in self.cars_:
            if car.status == RUN:
                place = self.order.index(car.number) if car.number in self.order else car.number
                rest.append((0, self.to_go(car), place, car.number))
            elif car.status == OUT:
                rest.append((1, car.to_go, -self.removed.index(car.number), car.number))
            elif car.status == OFF:
                rest.append((2, 0, 0, car.number))
        rest.sort()
        return self.finished + [row[3] for row in rest]

    def standings(self):
        """[seat, car, place, points] of all six cars; a car without a driver gets no points, and keeps its place (AB-39)."""
        out = []
        for at, number in enumerate(self.ranking()):
            car = self.car(number)
            scores = car.status == DONE and not car.derelict
            out.append([car.seat, number, at + 1, data.POINTS[at] if scores else 0])
        return out

    def cars(self):
        """The six cars; those without a player belong to nobody."""
        return [[car.number, car.seat, "ausgebremst.car_" + data.COLOURS[car.number - 1], data.COLOURS[car.number - 1],
                 car.number - 1] for car in self.cars_]

    def scene(self, scene):
        """Cars, and of each player's on its dials: cards, points and the pit stop. How many cards are left would tell the
        deck that was chosen in the pro game."""
        for car in self.cars_:
            scene.cars.append([car.number, car.space, "out" if car.status == OFF else car.status])
            if not car.seat:
                continue
            if not self.pro:
                scene.dials.append([car.seat, car.number, "ausgebremst.dial_cards", len(self.cards_of(car)),
                                    sum(data.COUNTS[data.SLOW])])
            scene.dials.append([car.seat, car.number, "ausgebremst.dial_points", self.open_points(car), 84])
            scene.dials.append([car.seat, car.number, "ausgebremst.dial_pit", car.stopped, 1])
        for number in self.ranking():
            if self.car(number).status == RUN:
                scene.lines.append(["ausgebremst.line_leader", "car:%d" % number, self.to_go(self.car(number))])
                break
        from shared_rules.games.ausgebremst import accounts
        accounts.tell(self, scene.lines)

    def open_points(self, car):
        """The points that everybody can reckon a player's car to have: 84 less what was played and what lies beside the pit
        lane."""
        return max(0, 84 - car.moved - car.void - data.points(self.beside_pit(car)))

    def private(self, seat):
        """The hand; in the pro game the deck, the stacks and the cards beside the pit lane too."""
        out = []
        if self.hands[seat - 1]:
            out.append(["ausgebremst.in_hand", " ".join(reversed(self.hands[seat - 1]))])
        if self.pro:
            from shared_rules.games.ausgebremst import pro
            pro.tell(self, seat, out)
        return out
