"""Where a car can get to with its whole speed, and for how many penalties (FF-22 to FF-28, FF-37 to FF-44).

Routes aren't listed one by one. Step by step ahead, a state is a space, the penalties so far and what may still be done (in
which direction lanes are changed, a block token that may be ignored). The numbers of points left with which it can be
reached are the bits of an int, repeated for each number of diagonal steps left. So all routes to the same state go on as
one.
"""

from shared_rules import finish
from shared_rules.games.fast_and_furious.course import BLOCK, FINISH, LEFT, NONE, RIGHT, TAKEN, const

# A state is one int: its space, and its *rest*: the penalties so far and what may still be done.
SPACE = const(14)           # where each begins
COST = const(9)
REST = const(16383)         # the bits of the rest, and of the penalties in it
COSTS = const(15872)
FREE = const(3)             # the direction of lane changes: 0 none yet, LEFT, RIGHT, 3 any, as often as you like (FF-39)
CHANGE = const(4)           # the direction may be changed once
IGNORE = const(8)           # a block token that costs no more than a step
SPARE = const(16)           # the first corner space costs a penalty less
DIAGONAL = const(32)        # up to fifteen diagonal steps, only for a car before its move
DIAGONALS = const(480)

# An end is one int, too: its space and the penalties. A state's end is state >> COST.
END = const(5)
PAID = const(31)


def end_at(space, cost):
    """The end on a space with this many penalties."""
    return space << END | cost


def space_of(end):
    """The space of an end."""
    return end >> END


def cost_of(end):
    """The penalties of an end."""
    return end & PAID


class Reach:
    """All ends of a move. ``speed`` is the Speed Value, ``shown`` the speed that corners see, ``stop`` the penalty that
    stops the car (0: penalties don't count), ``dear`` the points for a step onto a block token, ``drift`` and ``ice``
    whether they apply, ``last`` whether the line of a loop is the finish; ``barriers``: whether there are any.

    ``ends`` holds each end, sorted; ``pauses`` those that are only pauses before a barrier; ``finish`` is the most speed
    left behind the line, -1 if it can't be reached.
    """

    def __init__(self, road, space, speed, shown, stop, may=0, dear=3, drift=False, ice=False, last=True, barriers=True):
        self.road = road
        self.course = road.course
        self.speed = speed
        self.shown = shown
        self.stop = stop
        self.dear = dear
        self.drift = drift
        self.ice = ice
        self.last = last
        self.barriers = barriers and self.course.track.barriers
        self.start = space << SPACE | may & ~DIAGONALS
        self._branches = self.course.roads
        # Bits of an int with points: ``field`` for each number of diagonals. ``none`` are those without a point, ``rich``
        # those with enough for a block token.
        self.field = speed + 1
        self.first = speed
        self.none = 1
        for _ in range(may & DIAGONALS, 0, -DIAGONAL):
            self.first += self.field
            self.none = self.none << self.field | 1
        every = self.none * ((1 << self.field) - 1)
        self.some = every - self.none
        self.rich = every - self.none * ((1 << min(dear, self.field)) - 1)
        self.finish = -1
        self._found = {}                    # end: 1, or 0 if it is only a pause
        self._out = None                    # answers, once they are written

    def find(self):
        """Finds all ends; returns itself. ``seek`` does it row by row."""
        finish(self.seek())
        return self

    def seek(self):
        """Finds all ends as a generator, row by row."""
        layer = {}
        self._put(layer, self.start, 1 << self.first)
        course = self.course
        rows = self.speed + 1
        if course.track.closed:         # no space is entered twice; the way from the start card comes before the rows
            rows = course.track.rows + max(0, (self.start >> SPACE) - course.start + course.wide) // course.wide
        while layer and rows:
            layer = (yield from self.growing(layer))[1]
            rows -= 1
            yield
        self.ends = sorted(self._found)
        self.pauses = [end for end in self.ends if not self._found[end]]

    # States are grouped by the first space of their row, then by the rest of the state: {row: {rest of the state:
    # points of each lane, …}, …}. So most of a row is worked through without a call.

    def _put(self, layer, state, points):
        """Adds points with which a state can be reached to those already known."""
        first = self.course.first[state >> SPACE]
        self._lanes(layer, first, state & REST)[(state >> SPACE) - first] |= points

    def growing(self, layer):
        """A generator that finds and returns (all states that can be reached in a row, those a step further ahead)."""
        course = self.course
        ahead, limits, firsts = course.ahead, course.limits, course.first
        there = self.road.there
        drift, field, none, some = self.drift, self.field, self.none, self.some
        slow = self.barriers or self._branches
        settled, after = {}, {}
        for first in layer:
            row = layer[first]
            rows, lefts, rights = yield from self.settling(first, row)
            settled[first] = rows
            oblique = None
            if none > 1:
                oblique = [course.diagonals(first + lane) for lane in range(course.width(first))]
            for rest in rows:
                yield
                lanes = rows[rest]
                into = None
                beyond = 0
                for lane in range(len(lanes)):
                    points = lanes[lane]
                    if not points:
                        continue
                    space = first + lane
                    if points & none:
                        self._end(space << END | rest >> COST, space << SPACE | rest, points & none)
                        points &= some
                        if not points:
                            continue
                    to = ahead[space]
                    if slow or not space < to < FINISH or there[to] or (
                            limits[space] and not limits[to] if drift else limits[to]):
                        state = space << SPACE | rest
                        stuck = points ^ self._ahead(state, points, after, oblique[lane] if oblique else ())
                        if stuck:
                            self._block(state, stuck, _at(row, rest, lane), _at(lefts, rest, lane), _at(rights, rest, lane))
                        continue
                    if into is None:
                        beyond = firsts[to]
                        into = self._lanes(after, beyond, rest)
                    into[to - beyond] |= points >> 1
                    points >>= field
                    if points:
                        for to in oblique[lane]:
                            if there[to] or firsts[to] != beyond:
                                self._onto(space << SPACE | rest, points, space, to, after, field)
                            else:
                                into[to - beyond] |= points >> 1
        return settled, after

    def settling(self, first, row):
        """A generator that returns a row with what changes of lanes can reach, first to the left, then to the right."""
        lefts, rights, rows = {}, {}, row
        if self.course.width(first) > 1:
            for rest in row:
                self._sweep(first, row[rest], self._turned(rest, LEFT), -1, lefts)
                self._sweep(first, row[rest], self._turned(rest, RIGHT), 1, rights)
                yield
            if lefts or rights:
                rows = _merged(row, lefts, rights)
        return rows, lefts, rights

    def _lanes(self, layer, first, rest):
        """The points of each lane of a row."""
        row = layer.get(first)
        if row is None:
            row = layer[first] = {}
        lanes = row.get(rest)
        if lanes is None:
            lanes = row[rest] = [0] * self.course.width(first)
        return lanes

    def _turned(self, rest, way):
        """The rest of a state after a change of lanes to this side, -1 if none may be made."""
        turned = rest & FREE
        if turned == FREE or turned == way:
            return rest
        if not turned:
            return rest | way
        return rest & ~(FREE | CHANGE) | way if rest & CHANGE else -1

    def _sweep(self, first, lanes, rest, side, into):
        """Changes of lanes to one side, all across a row, beginning with these points of its lanes."""
        if rest < 0:
            return
        sides, there = self.road.sides, self.road.there
        way = LEFT if side < 0 else RIGHT
        out = into.get(rest)
        moving = 0
        for at in range(len(lanes) - 1):
            lane = len(lanes) - 1 - at if side < 0 else at
            moving = (moving | lanes[lane]) & self.some
            if not moving:
                continue
            lies = there[first + lane + side]
            if lies == TAKEN or not sides[first + lane] & way:
                moving = 0
                continue
            if lies == BLOCK:
                if rest & IGNORE:
                    free = [0] * len(lanes)
                    free[lane + side] = moving >> 1
                    other = into.get(rest & ~IGNORE)
                    if other is None:
                        other = into[rest & ~IGNORE] = [0] * len(lanes)
                    other[lane + side] |= moving >> 1
                    self._sweep(first, free, rest & ~IGNORE, side, into)
                moving = (moving & self.rich) >> self.dear
            else:
                moving >>= 1
            if moving:
                if out is None:
                    out = into[rest] = [0] * len(lanes)
                out[lane + side] |= moving

    def _aside(self, state, points, side, into):
        """Steps to one side, as far as it goes; returns the points with which the first one is possible."""
        space = state >> SPACE
        way = LEFT if side < 0 else RIGHT
        rest = self._turned(state & REST, way)
        if rest < 0 or not self.road.sides[space] & way:
            return 0
        state = state & ~REST | rest
        there = self.road.there[space + side]
        if there == TAKEN:
            return 0
        state += side << SPACE
        if there == BLOCK:
            can = points & self.rich
            moved = can >> self.dear
            if state & IGNORE:
                can = points
                self._put_aside(state & ~IGNORE, points >> 1, side, into)
        else:
            moved = points >> 1
            can = points
        if moved:
            self._put_aside(state, moved, side, into)
        return can

    def _put_aside(self, state, points, side, into):
        if into is None:
            return
        into[state] = into.get(state, 0) | points
        if points & self.some:
            self._aside(state, points & self.some, side, into)

    def _ahead(self, state, points, after, oblique):
        """Steps ahead, straight or onto the spaces ``oblique``; returns the points with which one is possible, or the move
        ends without a penalty."""
        space = state >> SPACE
        course = self.course
        to = course.ahead[space]
        slow = to != NONE and self.barriers and course.barrier(space) > self.speed
        if to == NONE:
            can = 0
        elif slow:
            self._end(state >> COST, state, points, -1, 0)     # it pauses (FF-44)
            can = points
        else:
            can = self._onto(state, points, space, to, after)
        if self._branches:
            for other in course.branches(space):
                can |= self._onto(state, points, space, other, after)
        if points >> self.field and not slow:
            for other in oblique:
                can |= self._onto(state, points >> self.field, space, other, after, self.field) << self.field
        if self.drift and points != can and course.limits[space] and to < NONE and not course.limits[to]:
            self._end(state >> COST, state, points ^ can)      # no room outside the corner: the rest is lost (FF-40)
            return points
        return can

    def _onto(self, state, points, space, to, after, fewer=0):
        """A step onto a space ahead; returns the points with which it is possible. ``fewer``: how many bits the points were
        shifted beforehand, for a diagonal."""
        course = self.course
        self._from, self._points, self._fewer = state, points, fewer
        if to == FINISH or self.last and to < space and course.crosses(space, to):
            most = self.most(points)
            self.finish = max(self.finish, 0 if self.drift and course.limits[space] else most - 1)      # (FF-40)
            self._over(most)
            return points
        there = self.road.there[to]
        if there == TAKEN:
            return 0
        state = state & REST | to << SPACE
        can = points
        if there == BLOCK:
            can = points & self.rich
            moved = can >> self.dear
            if state & IGNORE:
                can = points
                self._land(state & ~IGNORE, points >> 1, space, to, after)
        else:
            moved = points >> 1
        if moved:
            self._land(state, moved, space, to, after)
        return can

    def _land(self, state, points, space, to, after):
        """The car enters a space: penalties count, a drift may end there."""
        limit = self.course.limits[to]
        if self.drift:
            if self.course.limits[space] and not limit:
                self._end(state >> COST, state, points, to)
                return
        elif limit and self.stop:
            over = self.shown - limit
            if state & SPARE:
                state &= ~SPARE
                over -= 1
            if over > 0:
                over += state >> COST & PAID
                if over >= self.stop:       # (FF-28)
                    self._end(to << END | self.stop, state, points, to)
                    return
                state = state & ~COSTS | over << COST
        self._put(after, state, points)

    def _block(self, state, stuck, came, left, right):
        """Points left where no step ahead is possible: those that can't be used sideways either become penalties
        (FF-25). A car can't go back to the side it came from, because no space is entered twice."""
        to_left = self._aside(state, stuck, -1, None)
        to_right = self._aside(state, stuck, 1, None)
        stuck &= came & ~(to_left | to_right) | left & ~to_left | right & ~to_right
        at = 0
        while stuck >> at:
            if stuck >> at & 1:
                lost = at % self.field
                cost = (state >> COST & PAID) + ((lost + 1) // 2 if self.ice else lost)
                self._end(state >> SPACE << END | (min(cost, self.stop) if self.stop else 0), state, 1 << at)
            at += 1

    def _over(self, left):
        """Notes a step over the finish line, with this many points left before it."""

    def most(self, points):
        """The most points that are left."""
        most = 0
        while points:
            one = points & (1 << self.field) - 1
            while one >> most + 1:
                most += 1
            points >>= self.field
        return most

    def _end(self, end, state, points, to=-1, whole=1):
        """Notes an end, in a state with one of these points left, or by a step onto ``to``; ``whole``: no pause."""
        self._found[end] = self._found.get(end, 0) | whole

    def texts(self):
        """The answers, in the order of ``ends``, the finish last."""
        if self._out is None:
            finish(self.spell())
        out, self._out = self._out, None
        return out

    def spell(self):
        """Writes the answers that ``texts`` then returns, piece by piece."""
        name = self.course.track.space_name
        out = []
        for end in self.ends:
            out.append(ahead_to(name(end >> END), end & PAID))
            yield
        if self.finish >= 0:
            out.append("pick finish %d" % self.finish)
        self._out = out


def ahead_to(name, cost):
    """The answer that is a move to this space at this cost."""
    return "go %s cost %d" % (name, cost) if cost else "go " + name


def _at(row, rest, lane):
    """The points of one lane, 0 if none are known."""
    return row[rest][lane] if rest in row else 0


def _merged(row, lefts, rights):
    """Merges three rows into one."""
    out = {}
    for one in (row, lefts, rights):
        for rest in one:
            lanes = one[rest]
            if rest in out:
                more = out[rest]
                out[rest] = [lanes[at] | more[at] for at in range(len(lanes))]
            else:
                out[rest] = lanes
    return out
