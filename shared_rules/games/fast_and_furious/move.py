"""Speed and movement: a car moves to a chosen end, at its cost, on a route that lights and dials show (FF-22 to
FF-28, FF-41, FF-44). ``reach.py`` finds where it can get to.
"""

from shared_rules import finish
from shared_rules.games.fast_and_furious.car import RUN
from shared_rules.games.fast_and_furious.course import BLOCK, TAKEN, Road
from shared_rules.games.fast_and_furious.finish import cross
from shared_rules.games.fast_and_furious.reach import (
    CHANGE,
    COST,
    DIAGONAL,
    FREE,
    IGNORE,
    PAID,
    REST,
    SPACE,
    SPARE,
    Reach,
    cost_of,
    space_of,
)

# Ends that aren't spaces: over the finish line, and nothing left.
OVER = -1
NOTHING = -2

#: Points for a step onto a block token (FF-42), and what it costs this driver.
DEAR = 3
BRAWLER = 2


class Move:
    """A chosen move: its ``end``, OVER for the finish line; ``pauses``: before a barrier; ``left``: the speed left over
    the line; ``path``: its spaces, or None until they are found."""

    def __init__(self, end, pauses, left):
        self.end = end
        self.pauses = pauses
        self.left = left
        self.path = None


def paid(words):
    """The penalties that an answer, as words, names: "go 12b cost 3"; 0 without."""
    return int(words[3]) if len(words) > 3 else 0


# What a Reach needs to know


def road(turn):
    """The course with everything that lies on it, for the car whose turn it is."""
    game = turn.game
    out = Road(game.course)
    for car in game.cars_:
        if car.block >= 0 and car is not turn.car:
            out.there[car.block] = BLOCK
    for car in game.cars_:
        if car.space >= 0 and car is not turn.car:
            out.there[car.space] = TAKEN
    for space in game.obstacles:
        out.there[space] = TAKEN
    return out


def way(turn):
    """What a Reach needs to know about the car."""
    game, car = turn.game, turn.car
    may = 0
    if "aerodynamics" in turn.used:
        may = FREE | DIAGONAL * turn.used.count("aerodynamics")
    elif car.driver == "weaver":
        may = CHANGE
    if "handling" in turn.used:
        may |= IGNORE
    if car.driver == "apex":
        may |= SPARE
    speed = turn.speed_value()
    stop = car.base() + 1 + car.gear                            # (FF-28)
    dear = BRAWLER if car.driver == "brawler" else DEAR
    return (car.space, speed, max(0, speed - turn.grip), stop, may, dear, turn.drifts(), car.driver == "ice",
            game.finishes_next(car))


# The move


def drive(turn, words):
    """The car moves to an end, over the finish line, or against a barrier: the answer's words say which."""
    game, car = turn.game, turn.car
    turn.moved = True
    if words[1] == "crash":
        game.event("told", ["fast_and_furious.told_crash", "car:%d" % car.number])
        game.take_out(car)
        turn.stage = turn.END
        return
    _drive(turn, turn.moving(words))
    turn.turn_over()
    turn.stage = turn.AFTER if car.status == RUN else turn.END


def route(turn, move):
    """Finds the path of a move beforehand, piece by piece, for the answer that follows (see ``Turn.moving``)."""
    move.path = yield from Trace(road(turn), *way(turn)).tracing(move.end)
    yield
    turn.route = move


def _drive(turn, move):
    """Takes the car to a space at a cost of penalties, or over the finish line."""
    game, car = turn.game, turn.car
    course = game.course
    turn.drop_reach()
    path = move.path
    if path is None:
        work = Trace(road(turn), *way(turn)).tracing(move.end)
    while path is None:                                         # not by a function: a Pico's stack is short
        try:
            next(work)
        except StopIteration as done:
            path = done.value
    over = move.end == OVER
    cost = 0 if over else cost_of(move.end)
    car.block = -1                                              # (FF-41)
    _show(turn, path, cost)
    car.penalties = cost
    down = max(0, cost - car.base())
    if down:                                                    # (FF-28)
        car.gear = max(0, car.gear - down)
        game.event("told", ["fast_and_furious.told_gear", "car:%d" % car.number, car.gear])
    if over:
        cross(game, car, move.left)
        return
    space = space_of(move.end)
    crossed = len([1 for one, other in zip(path, path[1:]) if course.crosses(one, other)])
    if crossed:
        car.crossings += crossed
        game.event("crossed", car.number, car.crossings)
    before = course.barrier(car.space)
    same_row = before and course.barrier(space) == before and game.track.row(space) == game.track.row(car.space)
    car.paused = 1 if move.pauses or car.paused and same_row else 0
    car.space = space
    if move.pauses:
        game.event("told", ["fast_and_furious.told_pause", "car:%d" % car.number])


def _show(turn, path, cost):
    """Notes events for the route and for the penalties as the car enters each corner space; those for a block at its end."""
    game, car = turn.game, turn.car
    shown = turn.speed_value() - turn.grip
    part = [path[0]]
    so_far = 0
    spare = 1 if car.driver == "apex" else 0
    drift = turn.drifts()
    for space in path[1:]:
        part.append(space)
        limit = game.course.limits[space]
        if not limit or drift:
            continue
        over = min(max(0, shown - limit - spare), cost - so_far)
        spare = 0
        if over > 0:
            game.event("moved", car.number, part)
            _pay(game, car, so_far, over)
            so_far += over
            part = [space]
    if len(part) > 1:
        game.event("moved", car.number, part)
    _pay(game, car, so_far, cost - so_far)


def _pay(game, car, before, more):
    """Notes events for this many more penalties after earlier ones: cards of the hand limit, then gears (FF-28)."""
    cards = min(more, max(0, car.base() - before))
    for key, points in (("limit", cards), ("gear", min(more - cards, car.gear - max(0, before - car.base())))):
        if points > 0:
            game.event("spent", car.number, "fast_and_furious.dial_" + key, points)


# The route


class Trace(Reach):
    """A Reach that keeps its layers and notes how the first route to one end got there."""

    def trace(self, end):
        """The spaces of a route from the start to ``end`` (as in ``Reach.ends``), or over the finish if it is OVER."""
        return finish(self.tracing(end))

    def tracing(self, end):
        """The same, piece by piece."""
        self._want = end
        self._last = None       # [points lost over the line, state, points left in it, a last space or -1] before the end
        layers = []
        layer = {}
        self._put(layer, self.start, 1 << self.first)
        while layer and self._last is None:
            layers.append((yield from self._packed(layer)))
            layer = (yield from self.growing(layer))[1]
        if self._last is None:
            return [self.start >> SPACE]
        _, state, points, space = self._last
        self._want = NOTHING
        path = [space] if space >= 0 else []
        layer = yield from self._unpacked(layers.pop(), state)
        while True:
            path.append(state >> SPACE)
            state, points = self._came_aside(layer.get(self.course.first[state >> SPACE], {}), state, points, path)
            if not layers:
                break
            layer, state, points = yield from self._came_ahead(layers.pop(), state, points)
        path.reverse()
        return path

    def _packed(self, layer):
        """Packs a layer into few bytes, because all layers of a long way as dicts are too much for a small heap: for each
        row its first space with the rest of a state, and the points of its lanes. Whatever costs too much is dropped,
        also from the layer."""
        most = self._want & PAID if self._want >= 0 else 31
        size = (self.first >> 3) + 1
        out = bytearray()
        for first in layer:
            row = layer[first]
            for rest in list(row):
                if rest >> COST > most:
                    del row[rest]
                    continue
                out.extend((first << SPACE | rest).to_bytes(3, "little"))
                for points in row[rest]:
                    out.extend(points.to_bytes(size, "little"))
                yield
        return out

    def _unpacked(self, packed, state, paid=0):
        """What in such a layer may lead to a state: ``paid`` of its penalties were added on the way."""
        size = (self.first >> 3) + 1
        least = (state >> COST & PAID) - paid
        spare = 1 if paid and self.start & SPARE else 0
        out = {}
        at = 0
        while at < len(packed):
            rest = int.from_bytes(packed[at:at + 3], "little")
            first = rest >> SPACE
            rest &= REST
            at += 3
            beyond = at + size * self.course.width(first)
            if 0 <= (rest >> COST) - least <= spare and self._turns(rest, state):
                row = out.get(first)
                if row is None:
                    row = out[first] = {}
                row[rest] = [int.from_bytes(packed[lane:lane + size], "little") for lane in range(at, beyond, size)]
            at = beyond
            yield
        return out

    def _turns(self, rest, state):
        """Whether changes of lanes can turn this rest of a state into another one."""
        if ~rest & state & (IGNORE | SPARE):
            return False
        rest &= FREE | CHANGE
        return state & (FREE | CHANGE) in (rest, self._turned(rest, 1), self._turned(rest, 2))

    def _over(self, left):
        if self._want == OVER:
            at = left
            while not self._points >> at & 1:
                at += self.field
            self._note([-left, self._from, at + self._fewer, -1])

    def _end(self, end, state, points, to=-1, whole=1):
        super()._end(end, state, points, to, whole)
        if end != self._want:
            return
        left = 0
        while not points >> left & 1:
            left += 1
        if to >= 0:
            state = self._from
            left += self._fewer + (1 if self._points >> (left + 1) & 1 else self.dear)
        self._note([0, state, left, to])

    def _note(self, last):
        """Keeps the least one, because interpreters reach states in different orders."""
        if self._last is None or last < self._last:
            self._last = last

    def _came_aside(self, row, state, points, path):
        """(state, points) with which a row was entered; spaces passed sideways go into the path."""
        space = state >> SPACE
        rest = state & REST
        first = self.course.first[space]
        if rest in row and row[rest][space - first] >> points & 1:
            return state, points
        for before in range(first, first + self.course.width(first)):
            far = abs(space - before)
            for rest in sorted(row) if far else ():
                left = points + far
                mask = row[rest][before - first] >> left & (2 << far * self.dear - far) - 1
                while mask:
                    if mask & 1:
                        into = {}
                        self._aside(before << SPACE | rest, 1 << left, 1 if before < space else -1, into)
                        if into.get(state, 0) >> points & 1:
                            step = 1 if space < before else -1
                            path += list(range(space + step, before + step, step))
                            return before << SPACE | rest, left
                    mask >>= 1
                    left += 1
        raise RuntimeError("a route has no beginning")

    def _came_ahead(self, packed, state, points):
        """(what in the previous layer may lead to this state, the state before the step ahead that led to it, points)."""
        course = self.course
        space = state >> SPACE
        over = max(0, self.shown - course.limits[space]) if course.limits[space] and self.stop and not self.drift else 0
        layer = yield from self._unpacked(packed, state, over)
        straight = []
        others = []
        settled = {}
        for first in layer:
            row = settled[first] = (yield from self.settling(first, layer[first]))[0]
            for before in range(first, first + course.width(first)):
                for rest in row:
                    if row[rest][before - first]:
                        (straight if course.ahead[before] == space else others).append(before << SPACE | rest)
        yield
        for before in sorted(straight) + sorted(others):
            first = course.first[before >> SPACE]
            have = settled[first][before & REST][(before >> SPACE) - first]
            oblique = None
            for left in (points + 1, points + self.dear, points + self.field + 1, points + self.field + self.dear):
                if have >> left & 1:
                    if oblique is None:
                        oblique = course.diagonals(before >> SPACE)
                    after = {}
                    self._ahead(before, 1 << left, after, oblique)
                    row = after.get(course.first[space], {}).get(state & REST)
                    if row and row[space - course.first[space]] >> points & 1:
                        return layer, before, left
            yield
        raise RuntimeError("a route has no beginning")
