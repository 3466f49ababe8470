"""Moving a bike: which positions it can end in with all its points, and why not in others (MG-15, MG-16).

Every movement point takes the bike one row forward, straight ahead or into an adjacent lane. So after k
points it is k rows ahead, and the ends can be found row by row, without trying every route.
"""

from shared_rules import notation
from shared_rules.prompts import Refusal


class Move:
    """The ends of one move.

    ``ends`` are the spaces that may be chosen, ``used`` the points that lead there: all of
    them, or fewer if the road is blocked (with none at all the bike stays where it is); ``lost`` are
    the rest.
    """

    def __init__(self, circuit, start, points, taken):
        self.circuit = circuit
        self.track = circuit.track
        self.start = start
        self.points = points
        self.taken = taken
        self._came_from = {}
        self._reached = [[start]]
        for _ in range(points):
            row = self._next_row(self._reached[-1])
            if not row:
                break
            self._reached.append(row)
        self.used = len(self._reached) - 1
        self.lost = points - self.used
        self.ends = sorted(self._reached[-1])

    def _next_row(self, spaces):
        out = []
        start, to = self.track.ahead_start, self.track.ahead_to
        for space in spaces:
            for way in range(start[space], start[space + 1]):
                ahead = to[way]
                if ahead not in self.taken and ahead not in out:
                    out.append(ahead)
                    self._came_from[ahead] = space
        return out

    def path(self, end):
        """A route from the start to this end, as a list of spaces that includes both."""
        path = [end]
        while path[-1] != self.start:
            path.append(self._came_from[path[-1]])
        path.reverse()
        return path

    def near_misses(self):
        """Texts of ends that players might expect: a row too near, a row too far, and those beside."""
        texts = []
        rows = [self.points - 1, self.points, self.points + 1]
        for ahead in rows:
            if ahead < 1:
                continue
            row = (self.track.row(self.start) + ahead - 1) % self.track.rows + 1
            for space in self.track.row_spaces(row):
                if space not in self.ends:
                    texts.append(notation.show("go", [self.track.space_name(space)]))
        return texts

    def explain(self, text):
        """The Refusal of an end that isn't offered."""
        words = text.split(" ")
        named = notation.space(words[1]) if len(words) == 2 and words[0] == "go" else None
        if named is None:
            return None
        end = self.track.space(named[0], named[1])
        if end < 0:
            return Refusal(text, "moto_grand_prix.no_such_position", "MG-02", (words[1],))
        if end in self.taken:
            return Refusal(text, "moto_grand_prix.occupied", "MG-07", (words[1],))
        ahead = 0 if end == self.start else self.circuit.rows_ahead(self.start, end)
        if ahead != self.used and not (self.lost and ahead == self.points):
            return self._wrong_row(text, words[1], end, ahead)
        if abs(self.track.lane(end) - self.track.lane(self.start)) > ahead:
            return Refusal(text, "moto_grand_prix.one_lane_a_point", "MG-15", (words[1], ahead))
        return Refusal(text, "moto_grand_prix.blocked_way", "MG-07", (words[1],))

    def _wrong_row(self, text, name, end, ahead):
        reached = ahead < len(self._reached) and end in self._reached[ahead]
        if reached and not self._next_row_free(end):
            return Refusal(text, "moto_grand_prix.dead_end", "MG-16", (name, self.used, ahead))
        return Refusal(text, "moto_grand_prix.use_all_points", "MG-11", (self.used, name, ahead))

    def _next_row_free(self, space):
        return any([ahead not in self.taken for ahead in self.track.ahead(space)])
