"""The route of an end that was chosen, for lights and dials. Loaded once a car has moved."""

from shared_rules import finish
from shared_rules.games.fast_and_furious.reach_once import CHANGE, FREE, IGNORE, SPARE, Reach

#: Ends that are no spaces: the finish, and nothing any more.
_FINISH = -1
_NONE = -2


class Trace(Reach):
    """A Reach that keeps what it went through and notes how the first route to one end came there."""

    def trace(self, end):
        """The spaces of a route from the start to ``end`` (as in ``Reach.ends``), or over the finish where it is -1."""
        return finish(self.tracing(end))

    def tracing(self, end):
        """The same in pieces."""
        self._want = end
        self._last = None       # [points lost over the line, state, points left in it, a last space or -1] before the end
        layers = []
        layer = {}
        self._put(layer, self.start, 1 << self.first)
        while layer and self._last is None:
            layers.append((yield from self._packed(layer)))
            layer = (yield from self.growing(layer))[1]
        if self._last is None:
            return [self.start >> 14]
        _, state, points, space = self._last
        self._want = _NONE
        path = [space] if space >= 0 else []
        layer = yield from self._unpacked(layers.pop(), state)
        while True:
            path.append(state >> 14)
            state, points = self._came_aside(layer.get(self.course.first[state >> 14], {}), state, points, path)
            if not layers:
                break
            layer, state, points = yield from self._came_ahead(layers.pop(), state, points)
        path.reverse()
        return path

    def _packed(self, layer):
        """A layer in few bytes, as all layers of a long way as dicts are too much for a small heap: of each row its first
        space with what else belongs to a state, and the points of its lanes. What costs too much is dropped, in the layer
        too."""
        most = self._want & 31 if self._want >= 0 else 31
        size = (self.first >> 3) + 1
        out = bytearray()
        for first in layer:
            row = layer[first]
            for rest in list(row):
                if rest >> 9 > most:
                    del row[rest]
                    continue
                out.extend((first << 14 | rest).to_bytes(3, "little"))
                for points in row[rest]:
                    out.extend(points.to_bytes(size, "little"))
                yield
        return out

    def _unpacked(self, packed, state, paid=0):
        """Of such a layer what may come to a state: ``paid`` penalties of it were added on the way."""
        size = (self.first >> 3) + 1
        least = (state >> 9 & 31) - paid
        spare = 1 if paid and self.start & SPARE else 0
        out = {}
        at = 0
        while at < len(packed):
            rest = int.from_bytes(packed[at:at + 3], "little")
            first = rest >> 14
            rest &= 16383
            at += 3
            beyond = at + size * self.course.width(first)
            if 0 <= (rest >> 9) - least <= spare and self._turns(rest, state):
                row = out.get(first)
                if row is None:
                    row = out[first] = {}
                row[rest] = [int.from_bytes(packed[lane:lane + size], "little") for lane in range(at, beyond, size)]
            at = beyond
            yield
        return out

    def _turns(self, rest, state):
        """Whether changes of lanes can make of this rest of a state the one of another."""
        if ~rest & state & (IGNORE | SPARE):
            return False
        rest &= FREE | CHANGE
        return state & (FREE | CHANGE) in (rest, self._turned(rest, 1), self._turned(rest, 2))

    def _over(self, left):
        if self._want == _FINISH:
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
        """Keeps the least, as interpreters come to states in different orders."""
        if self._last is None or last < self._last:
            self._last = last

    def _came_aside(self, row, state, points, path):
        """(state, points) with which a row was entered; the spaces beside it on the way go to the path."""
        space = state >> 14
        rest = state & 16383
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
                        self._aside(before << 14 | rest, 1 << left, 1 if before < space else -1, into)
                        if into.get(state, 0) >> points & 1:
                            step = 1 if space < before else -1
                            path += list(range(space + step, before + step, step))
                            return before << 14 | rest, left
                    mask >>= 1
                    left += 1
        raise RuntimeError("a route has no beginning")

    def _came_ahead(self, packed, state, points):
        """(of the layer before what may come to this state, the state before the step ahead that led to it, points)."""
        course = self.course
        space = state >> 14
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
                        (straight if course.ahead[before] == space else others).append(before << 14 | rest)
        yield
        for before in sorted(straight) + sorted(others):
            first = course.first[before >> 14]
            have = settled[first][before & 16383][(before >> 14) - first]
            oblique = None
            for left in (points + 1, points + self.dear, points + self.field + 1, points + self.field + self.dear):
                if have >> left & 1:
                    if oblique is None:
                        oblique = course.diagonals(before >> 14)
                    after = {}
                    self._ahead(before, 1 << left, after, oblique)
                    row = after.get(course.first[space], {}).get(state & 16383)
                    if row and row[space - course.first[space]] >> points & 1:
                        return layer, before, left
            yield
        raise RuntimeError("a route has no beginning")


def route(turn, move):
    """Finds the route of a move (see ``Turn.moving``), in pieces, and adds it."""
    move[3] = yield from Trace(turn.road(), *turn.way()).tracing(move[0])
