"""The route of an end that was chosen, for lights and dials. Loaded once a car has moved."""

from shared_rules.games.fast_and_furious.reach_once import Reach

#: Ends that are no spaces: the finish, and nothing any more.
_FINISH = -1
_NONE = -2


class Trace(Reach):
    """A Reach that keeps what it went through and notes how the first route to one end came there."""

    def trace(self, end):
        """The spaces of a route from the start to ``end`` (as in ``Reach.ends``), or over the finish where it is -1."""
        work = self.tracing(end)
        while True:
            try:
                next(work)
            except StopIteration as end:
                return end.value

    def tracing(self, end):
        """The same in pieces."""
        self._want = end
        self._most = end & 31 if end >= 0 else 31       # penalties: what costs more doesn't lead there
        self._last = None       # [points lost over the line, state, points left in it, a last space or -1] before the end
        layers = []
        layer = {}
        self._put(layer, self.start, 1 << self.first)
        while layer and self._last is None:
            yield
            layers.append(_packed(layer, self._bytes()))
            yield
            layer = (yield from self.growing(layer))[1]
            yield
            self._thin(layer)
        if self._last is None:
            return [self.start >> 14]
        _, state, points, space = self._last
        self._want = _NONE
        path = [space] if space >= 0 else []
        while True:
            layer = layers.pop()
            path.append(state >> 14)
            state, points = self._came_aside(_unpacked(layer, self._bytes()), state, points, path)
            if not layers:
                break
            yield
            state, points = yield from self._came_ahead(layers[-1], state, points)
        path.reverse()
        return path

    def _thin(self, layer):
        """Drops what costs too much."""
        for first in layer:
            row = layer[first]
            for rest in list(row):
                if rest >> 9 > self._most:
                    del row[rest]

    def _bytes(self):
        """Of a state's points, each layer in that many."""
        return (self.first >> 3) + 1

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
        left = _lowest(points)
        if to >= 0:
            state = self._from
            left += self._fewer + (1 if self._points >> (left + 1) & 1 else self.dear)
        self._note([0, state, left, to])

    def _note(self, last):
        """Keeps the least, as interpreters come to states in different orders."""
        if self._last is None or last < self._last:
            self._last = last

    def _came_aside(self, layer, state, points, path):
        """(state, points) with which the row was entered; the spaces beside it on the way go to the path."""
        if layer.get(state, 0) >> points & 1:
            return state, points
        space = state >> 14
        for before in sorted(layer):
            far = space - (before >> 14)
            mask = layer[before] >> points << points
            while 0 < abs(far) <= 3 and mask:
                left = _lowest(mask)
                mask &= mask - 1
                into = {}
                self._aside(before, 1 << left, 1 if far > 0 else -1, into)
                if into.get(state, 0) >> points & 1:
                    path += list(range(space - 1, before >> 14, -1) if far > 0 else range(space + 1, before >> 14))
                    path.append(before >> 14)
                    return before, left
        raise RuntimeError("a route has no beginning")

    def _came_ahead(self, packed, state, points):
        """(state, points) before the step ahead that led to this one, from the layer before it."""
        layer = {}
        there = _unpacked(packed, self._bytes())
        for before in there:
            self._put(layer, before, there[before])
        yield
        settled = _flat((yield from self.growing(layer))[0])
        yield
        space = state >> 14
        straight = [before for before in settled if self.course.ahead[before >> 14] == space]
        others = [before for before in settled if before not in straight]
        for before in sorted(straight) + sorted(others):
            oblique = self.course.diagonals(before >> 14)
            for left in (points + 1, points + self.dear, points + self.field + 1, points + self.field + self.dear):
                if settled[before] >> left & 1:
                    after = {}
                    self._ahead(before, 1 << left, after, oblique)
                    if _flat(after).get(state, 0) >> points & 1:
                        return before, left
        raise RuntimeError("a route has no beginning")


def _flat(layer):
    """The points of every state."""
    out = {}
    for first in layer:
        for rest in layer[first]:
            for lane, points in enumerate(layer[first][rest]):
                if points:
                    out[first + lane << 14 | rest] = points
    return out


def _packed(layer, size):
    """A layer in few bytes a state, ``size`` of them for its points: all layers of a long way as dicts are too much for a
    small heap."""
    out = bytearray()
    flat = _flat(layer)
    for state in flat:
        out.extend(state.to_bytes(3, "little"))
        out.extend(flat[state].to_bytes(size, "little"))
    return out


def _unpacked(packed, size):
    """The points of every state of such a layer."""
    out = {}
    for at in range(0, len(packed), size + 3):
        out[int.from_bytes(packed[at:at + 3], "little")] = int.from_bytes(packed[at + 3:at + size + 3], "little")
    return out


def _lowest(bits):
    at = 0
    while not bits >> at & 1:
        at += 1
    return at
