"""How a bot of Fast & Furious plans a turn: it reckons how many turns the race still lasts after all that it may do now.
The stages of a turn are in ``bots_before_once.py``, ``bots_speed_once.py`` and ``bots_move_once.py``.

``bots.Ahead`` knows how long it takes from each row in each gear, were nobody else on the course. From there the bot weighs
gears, sets and speeds of the turn, with the cars and obstacles before it, what penalties cost in the next turn, and what
upgrades save. It looks at nothing that its seat can't see. What it thinks stands in hundredths of a turn.
"""

from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.course import FINISH, NONE

TURN = 100
#: A point of speed behind the finish line.
POINT = 8
#: What so many penalties cost in the next turn.
LOST = (0, 3, 7, 14, 24, 36, 95, 120)
#: Being out of the race.
CRASH = 2000
#: What an upgrade is worth that is kept.
PRICES = {"nitrous": 8, "power": 8, "tires": 5, "turbo": 8, "transmission": 8}
#: An icon beside a speed, by the damage that the car has.
ICON = (30, 60, 999)


def think(game, turn, options):
    """The answer to a question of a turn, a generator."""
    ahead = yield from ahead_of(game)
    mind = Mind(game, turn, ahead)
    yield
    stage = turn.stage
    if stage == "before":
        from shared_rules.games.fast_and_furious import bots_before_once
        yield
        return (yield from bots_before_once.choose(mind, options))
    if stage == "speed":
        from shared_rules.games.fast_and_furious import bots_speed_once
        yield
        return (yield from bots_speed_once.choose(mind, options))
    from shared_rules.games.fast_and_furious import bots_move_once
    yield
    if stage == "move":
        return (yield from bots_move_once.choose(mind, options))
    return bots_move_once.after(mind, options)


def ahead_of(game):
    """What is known of the course, a generator; it is reckoned once."""
    course = game.course
    if not hasattr(course, "bots_know") or course.bots_know.laps != game.setup.laps:
        from shared_rules.games.fast_and_furious import bots_ahead_once
        yield
        course.bots_know = yield from bots_ahead_once.begin(game)
    while len(course.bots_know.turns) <= 7 * course.bots_know.most:
        from shared_rules.games.fast_and_furious import bots_ahead_once
        yield from bots_ahead_once.grow(course.bots_know)
    return course.bots_know


#: How often each of five costs is the least, from the least on, of one, two or three cards; the sums of that.
WEIGHTS = ((1, 1, 1, 1, 1), (9, 7, 5, 3, 1), (61, 37, 19, 7, 1))
SUMS = (5, 25, 125)


def expected(costs, flips):
    """The least of some of five costs, as it comes with so many cards; the costs come sorted."""
    flips = min(flips, 3) - 1
    weights = WEIGHTS[flips]
    out = 0
    for at in range(5):
        out += costs[at] * weights[at]
    return out // SUMS[flips]


class Mind:
    """What a bot thinks of a turn."""

    def __init__(self, game, turn, ahead):
        self.game = game
        self.turn = turn
        self.car = turn.car
        self.ahead = ahead
        self.more = game.base(turn.car) - data.HAND
        self.there = bytearray(game.course.track.count)
        for car in game.cars_:
            if car is not turn.car:
                if car.block >= 0:
                    self.there[car.block] = 2
                if car.space >= 0:
                    self.there[car.space] = 1
        if game.obstacles:
            if self.ahead.obstacles != game.obstacles:
                from shared_rules.games.fast_and_furious import bots_shut_once
                bots_shut_once.find(ahead, game, len(self.there))
            for space in self.ahead.shut:
                self.there[space] = 1
        self.last = any([car.status == "done" for car in game.cars_])
        self.lines = dict(game.course.track.barriers)
        self._ends = {}
        self._aside = False

    def end(self, speed, grip, gear):
        """Where a move with this Speed Value ends: steps to go << 6 | penalties + 1, without the 1 where it pauses on a
        barrier."""
        key = speed << 5 | grip
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 13)
        if found & 63 < self.more + 8 + gear:
            return found
        key = key << 3 | gear + 1
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 7 + gear)
        return found

    def _drive_best(self, speed, grip, stop):
        """The end that the move straight on leads to, or one that begins with a change of lanes where that is better."""
        found = self._drive(speed, grip, 0, stop)
        if self._aside:
            for lanes in (-1, 1, -2, 2):
                if found & 63 < 2:
                    break
                other = self._drive(speed, grip, lanes, stop)
                if other is not None and (other >> 6) + (other & 63) < (found >> 6) + (found & 63):
                    found = other
        return found

    def _drive(self, speed, grip, lanes, stop):
        """The end of a move that begins with a change of lanes and then leads straight on, but for what is in the way; None
        where it can't begin so."""
        course, car, there = self.game.course, self.car, self.there
        laps = self.game.setup.laps
        ahead, limits = course.ahead, course.limits
        shown = speed - grip
        space = car.space
        left = speed
        cost = 1
        side = -1 if lanes < 0 else 1 if lanes else 0
        while lanes:
            if not left or not self._open(space, side):
                return None
            space += side
            left -= 1
            lanes -= side
        self._aside = False
        while left > 0:
            to = ahead[space]
            if to == FINISH or to < space and car.crossings + 1 >= laps and course.crosses(space, to):
                return 1 - left << 6 | cost
            if self.lines and space < course.track.in_rows and self.lines.get(course.track.row(space), 0) > speed:
                cost = 0
                break
            if to == NONE or there[to] == 1:
                self._aside = True
                way = side or (-1 if self._open(space, -1) else 1)
                if not self._open(space, way):
                    cost += left
                    break
                side = way
                space += way
                left -= 1
                continue
            space = to
            left -= 1
            limit = limits[space]
            if limit and limit < shown:
                cost += shown - limit
                if cost > stop:
                    cost = stop + 1
                    break
        return course.to_go(space, car.crossings, laps) << 6 | min(cost, 63)

    def _open(self, space, way):
        """Whether lanes can be changed there."""
        return self.game.course.sides[space] & (1 if way < 0 else 2) and self.there[space + way] != 1

    def worth(self, speed, grip, cards):
        """What a move with this Speed Value comes to, with some cards left."""
        up, down = self.turn.costs()
        return self.cost(self.end(speed, grip, self.car.gear), self.car.gear, cards // up, cards // down)

    def cost(self, end, gear, ups, downs):
        """What is still to come after a move that ends there, in a gear that may then be changed so far."""
        steps = end >> 6
        cost = (end & 63) - 1
        if steps <= 0:
            return POINT * steps
        if self.last:
            return POINT * steps + (CRASH if cost < 0 else 0)
        if cost < 0:
            return self.ahead.on_barrier(steps)[gear]
        lost = 0
        if cost:
            cost = max(0, cost - self.more)
            if cost > 6:
                gear = max(0, gear - cost + 6)
            lost = LOST[min(cost, 7)]
        turns = self.ahead.turns
        least = 9999
        for at in range(7 * steps + max(0, gear - downs), 7 * steps + min(6, gear + ups) + 1):
            least = min(least, turns[at])
        return lost + least

    def tokens(self, name):
        """How many tokens of an upgrade there are."""
        return data.DIGITS.index(self.car.upgrades[data.UPGRADES.index(name)])

    def price(self, name):
        """What a token is worth that is kept: nothing where the race ends with this turn."""
        return 0 if self.last else PRICES[name]

    def icon(self, speed, row):
        """What a damage icon costs."""
        if not self.game.damage or speed > data.ICONS[row]:
            return 0
        return ICON[min(2, self.car.damage + (1 if self.car.control else 0))]
