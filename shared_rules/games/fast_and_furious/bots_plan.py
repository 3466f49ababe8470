"""How a bot of Fast & Furious plans: how long the race will still last from each row in each gear, and what a turn leads
to.

``Ahead`` knows the first, for a course with no other cars: each turn two cards are flipped, and before or after the
move the gear goes up by one, or down by at most two. On that basis a ``Mind`` weighs gears, sets and speeds of a turn, with
the cars and obstacles ahead, what penalties cost in the next turn, and what upgrades save. It reckons in hundredths of a
turn.
"""

from array import array

from shared_rules.games.fast_and_furious import cards
from shared_rules.games.fast_and_furious.car import DONE, HAND
from shared_rules.games.fast_and_furious.course import BLOCK, FINISH, LEFT, NONE, RIGHT, TAKEN, const

TURN = 100
#: A point of speed behind the finish line.
POINT = 8
#: The cost of this many penalties in the next turn.
LOST = (0, 3, 7, 14, 24, 36, 95, 120)
#: Being out of the race.
CRASH = 2000
#: More than any real value.
MOST = 9999
#: The value of keeping an upgrade.
PRICES = {"nitrous": 8, "power": 8, "tires": 5, "turbo": 8, "transmission": 8}
#: The cost of an icon beside a speed, by the car's damage.
ICON = (30, 60, 999)
#: For one, two or three cards: how often each of five sorted costs is the least, and the sum of these.
LEAST = (((1, 1, 1, 1, 1), 5), ((9, 7, 5, 3, 1), 25), ((61, 37, 19, 7, 1), 125))

#: Speeds of a gear that stand for all of them.
SPEEDS = const(5)
#: Gears, including Neutral: the length of a row of ``Ahead.turns``.
ROW = const(7)
#: Cards flipped in a turn.
FLIPS = 2
#: The fastest speed from one row to another.
FAR = 36

# Where a move ends is one int, the way to go: the steps, and in the low bits the penalties plus one; 0 there is a pause
# before a barrier.
STEPS = const(6)
COST = const(63)


def way_to_go(steps, cost):
    """The way to go from an end with this many penalties; -1: it pauses before a barrier."""
    return steps << STEPS | cost + 1


def expected(costs, flips):
    """The expected least of five sorted costs with this many cards."""
    weights, every = LEAST[min(flips, 3) - 1]
    out = 0
    for at in range(SPEEDS):
        out += costs[at] * weights[at]
    return out // every


def ahead_of(game):
    """What is known about the course; a generator that works it out once."""
    course = game.course
    if not hasattr(course, "bots_know") or course.bots_know.laps != game.setup.laps:
        course.bots_know = yield from _begin(game)
    while len(course.bots_know.turns) <= ROW * course.bots_know.most:
        yield from _grow(course.bots_know)
    return course.bots_know


class Ahead:
    """What is known about a course: ``odds`` are five speeds of each gear that stand for all of them; ``turns[ROW * steps +
    gear]`` is how long it takes from this many steps before the finish, ``best`` the same once the gear may have been
    changed, up to ``most`` steps; ``paused`` holds (steps, as turns) of the barriers. ``shut`` are the spaces from which
    ``obstacles`` leave no way."""

    odds = turns = best = limits = barriers = shut = obstacles = None
    most = laps = 0

    def __init__(self):
        self.paused = []

    def speeds(self, gear):
        """The speeds that stand for all those of a gear, ascending."""
        return self.odds[SPEEDS * gear - SPEEDS:SPEEDS * gear]

    def from_here(self, steps):
        """The turns in each gear from this many steps before the finish."""
        return self.turns[ROW * steps:ROW * steps + ROW]

    def on_barrier(self, steps):
        """The same if the car pauses on a barrier."""
        return [row for at, row in self.paused if at == steps][0]

    def see(self, game):
        """Finds the spaces from which obstacles leave no way, whenever obstacles have changed; they are as good as taken."""
        obstacles = game.obstacles
        if self.obstacles == obstacles:
            return
        course = game.course
        open_ = bytearray(course.track.count)
        self.shut = list(obstacles)
        self.obstacles = list(obstacles)
        for row in range(course.track.rows, 0, -1):
            spaces = course.track.row_spaces(row)
            for space in spaces:
                to = course.ahead[space]
                if space not in obstacles and (to == FINISH or to < space or to != NONE and open_[to]
                                               or course.branches(space)):
                    open_[space] = 1
            for way in (-1, 1):
                for space in spaces if way > 0 else reversed(spaces):
                    if open_[space] and course.beside(space, way) >= 0 and space + way not in obstacles:
                        open_[space + way] = 1
            self.shut += [space for space in spaces if not open_[space]]


def _begin(game):
    """A new Ahead without any results yet; a generator that returns it."""
    ahead = Ahead()
    odds = bytearray()
    for gear in range(1, ROW):
        speeds = sorted([game.box.speed("1" + letter, gear) for letter in cards.NUMBERS])
        odds += bytes([speeds[at] for at in range(2, 20, 4)])
        yield
    ahead.odds = bytes(odds)
    course = game.course
    track = course.track
    ahead.laps = laps = game.setup.laps
    # From the last row of the start card, or from a row that a short side road bypasses; then two rows may be equally far.
    ahead.most = max([course.to_go(space, 0, laps) for space in range(track.count)])
    ahead.limits = bytearray(ahead.most + 1)
    ahead.barriers = bytearray(ahead.most + 1)
    for row in range(1, track.rows + 1):
        space = track.row_spaces(row)[0]
        for crossed in range(laps if track.closed else 1):
            steps = course.to_go(space, crossed, laps)
            ahead.limits[steps] = course.limits[space]
            ahead.barriers[steps] = max(ahead.barriers[steps], course.barrier(space))
        if not row & 7:
            yield
    ahead.turns = array("h", [0] * ROW)
    ahead.best = array("h", [0] * ROW)
    return ahead


def _grow(ahead):
    """Works out one step more; a generator."""
    steps = len(ahead.turns) // ROW
    if ahead.barriers[steps]:
        row = yield from _row(ahead, steps, CRASH)
        ahead.paused.append((steps, row))
    row = yield from _row(ahead, steps, 0)
    best = array("h")
    for gear in range(ROW):
        best.append(min(row[max(0, gear - 2):gear + 2]))
    ahead.turns.extend(row)
    ahead.best.extend(best)
    if steps == ahead.most:
        ahead.limits = ahead.barriers = ahead.best = None


def _row(ahead, steps, crash):
    """The turns in each gear from here; ``crash`` is the cost of being too slow for a barrier here."""
    near = [at for at in range(steps - 1, max(0, steps - FAR), -1) if ahead.limits[at]]
    lines = [at for at in range(steps, max(0, steps - FAR), -1) if ahead.barriers[at]]
    ready = [MOST] * (ROW + 1)
    shifting = [MOST] * (ROW + 1)
    turns, best = ahead.turns, ahead.best
    for gear in range(1, ROW):
        plain = []
        again = []
        for speed in ahead.speeds(gear):
            left, cost = _straight_on(ahead, near, lines, steps, speed, 7 + gear) if near or lines else (steps - speed, 0)
            if left <= 0:
                plain.append(POINT * left)
                again.append(POINT * left)
                continue
            if cost < 0:
                cost = crash or ahead.on_barrier(left)[gear]
                plain.append(cost)
                again.append(cost)
                continue
            at = ROW * left + (gear if cost < 7 else max(0, gear - cost + 6))
            cost = LOST[min(cost, 7)]
            plain.append(cost + turns[at])
            again.append(cost + best[at])
        plain.sort()
        again.sort()
        ready[gear] = TURN + expected(plain, FLIPS)
        shifting[gear] = TURN + expected(again, FLIPS)
        yield
    row = array("h", [0] * ROW)
    for gear in range(ROW - 1, -1, -1):
        least = min(shifting[gear], ready[gear + 1])
        if gear > 1:
            least = min(least, ready[gear - 1])
        if gear > 2:
            least = min(least, ready[gear - 2])
        if gear < 5:
            least = min(least, crash or TURN + row[gear + 2])
        row[gear] = least
    return row


def _straight_on(ahead, near, lines, steps, speed, stop):
    """(steps left, penalties) for a speed; -1 penalties: it pauses on a barrier."""
    to = steps - speed
    cost = pause = 0
    for at in lines:
        if at > to and ahead.barriers[at] > speed:
            to = at
            pause = 1
            break
    for at in near:
        if at < to:
            break
        if ahead.limits[at] < speed:
            cost += speed - ahead.limits[at]
            if cost >= stop:
                return at, stop
    return to, -1 if pause else cost


class Mind:
    """A bot's thoughts about a turn."""

    def __init__(self, game, turn, ahead):
        self.game = game
        self.turn = turn
        self.car = turn.car
        self.ahead = ahead
        self.more = turn.car.base() - HAND
        course = game.course
        self.sides = course.sides
        self.there = bytearray(course.track.count)
        for car in game.cars_:
            if car is not turn.car:
                if car.block >= 0:
                    self.there[car.block] = BLOCK
                if car.space >= 0:
                    self.there[car.space] = TAKEN
        if game.obstacles:
            ahead.see(game)
            for space in ahead.shut:
                self.there[space] = TAKEN
        self.last = any([car.status == DONE for car in game.cars_])
        self.finishing = game.finishes_next(turn.car)
        self.lines = dict(course.track.barriers)
        self.aside = False                  # whether the last move considered had to change lanes
        self._ends = {}                     # ways to go found so far, by speed, grip and, where it matters, gear

    def end(self, speed, grip, gear):
        """The way to go after a move with this Speed Value; corners see it reduced by ``grip``."""
        key = speed << 5 | grip
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 13)
        if found & COST < self.more + 8 + gear:
            return found
        key = key << 3 | gear + 1
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 7 + gear)
        return found

    def _drive_best(self, speed, grip, stop):
        """The end of the move straight on, or of one that begins with a change of lanes if that is better."""
        found = self._drive(speed, grip, 0, stop)
        if self.aside:
            for lanes in (-1, 1, -2, 2):
                if found & COST < 2:
                    break
                other = self._drive(speed, grip, lanes, stop)
                if other is not None and (other >> STEPS) + (other & COST) < (found >> STEPS) + (found & COST):
                    found = other
        return found

    def _drive(self, speed, grip, lanes, stop):
        """The way to go after a move that begins with a change of lanes and then leads straight on, except round what is in
        the way; None if it can't begin so."""
        course, car, there, taken = self.game.course, self.car, self.there, TAKEN
        laps, finishing = self.game.setup.laps, self.finishing
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
        self.aside = False
        while left > 0:
            to = ahead[space]
            if to == FINISH or to < space and finishing and course.crosses(space, to):
                return 1 - left << STEPS | cost
            if self.lines and space < course.track.in_rows and self.lines.get(course.track.row(space), 0) > speed:
                cost = 0
                break
            if to == NONE or there[to] == taken:
                self.aside = True
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
        return course.to_go(space, car.crossings, laps) << STEPS | min(cost, COST)

    def _open(self, space, way):
        """Whether lanes can be changed there."""
        return self.sides[space] & (LEFT if way < 0 else RIGHT) and self.there[space + way] != TAKEN

    def is_free(self, to):
        """Whether a step onto the space ahead is possible."""
        return to == FINISH or to != NONE and self.there[to] != TAKEN

    def worth(self, speed, grip, cards):
        """The value of a move with this Speed Value, with some cards left."""
        up, down = self.turn.costs()
        return self.cost(self.end(speed, grip, self.car.gear), self.car.gear, cards // up, cards // down)

    def cost(self, end, gear, ups, downs):
        """What is still to come after a move that ends there, in a gear that may then be changed this far."""
        steps = end >> STEPS
        cost = (end & COST) - 1
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
        least = MOST
        for at in range(ROW * steps + max(0, gear - downs), ROW * steps + min(ROW - 1, gear + ups) + 1):
            least = min(least, turns[at])
        return lost + least

    def price(self, name):
        """The value of keeping a token: nothing if the race ends with this turn."""
        return 0 if self.last else PRICES[name]

    def icon(self, speed, row):
        """The cost of a damage icon."""
        if not self.game.damage or speed > cards.icons(row):
            return 0
        return ICON[min(2, self.car.damage + (1 if self.car.control else 0))]
