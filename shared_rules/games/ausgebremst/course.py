"""The circuit as the cars see it: how far it is to the line, and where a card can lead (AB-18 to AB-23, AB-29 to AB-33).

A path is a list of spaces that begins with the car's own; its last entry is FINISH if it leads over the line for the
last time.
"""

from array import array

FINISH = -1
#: The lap from which field A leads into the pit lane: as a rule; from the first one; never (AB-29).
PIT_OPENS = 2
PIT_OPEN = 1
PIT_SHUT = 0


class Course:
    """One track. ``entry`` is field A, ``exit`` field C, ``pit`` the first pit field and ``pit_fields`` how many there
    are; ``lap`` the spaces of a lap on the ideal line; ``grid`` the starting places, the best one first."""

    def __init__(self, track, laps):
        self.track = track
        self.laps = laps
        _, self.entry, self.pit, self.pit_fields, self.exit = track.roads[0]
        self._to_line = array("H", bytes(2 * track.count))
        for space in range(track.in_rows - 1, -1, -1):
            self._to_line[space] = self._least(space)
        for space in range(track.count - 1, self.pit - 1, -1):
            self._to_line[space] = self._least(space)
        self.lap = min([self._to_line[space] for space in track.row_spaces(1)])
        self._inner_lane = track.lane(self.entry)
        self.grid = []
        for row in (track.rows, track.rows - 1, track.rows - 2):
            spaces = track.row_spaces(row)
            if track.lane(spaces[0]) != self._inner_lane:
                spaces.reverse()
            self.grid += spaces
        self._one_wide = bytearray(track.in_rows)  # of each space: 0 not looked at yet, 1 no chicane, 2 a chicane

    def _least(self, space):
        least = 999
        for other in self.track.ahead(space):
            steps = 1 if self.crosses(space, other) else self._to_line[other] + 1
            least = min(least, steps)
        return least

    def crosses(self, space, other):
        """Whether the step from one space to the other crosses the line."""
        return other < space < self.track.in_rows

    def in_pit(self, space):
        """Whether this is a pit field."""
        return space >= self.pit

    def through_pit(self, path):
        """Whether a path leads over a pit field, ignoring its first space, where the car stands."""
        return any([self.in_pit(space) for space in path[1:]])

    def detour(self):
        """How many spaces longer the pit lane is than the road beside it."""
        return self._to_line[self.pit] + 1 - self._to_line[self.entry]

    def is_chicane(self, space):
        """Whether the road has one space here (AB-23)."""
        if not 0 <= space < self.track.in_rows:
            return False
        if not self._one_wide[space]:
            self._one_wide[space] = 2 if len(self.across(space)) == 1 else 1
        return self._one_wide[space] == 2

    def across(self, space):
        """The spaces of a row; in a curve also those at the end of its outer lane, where the inner lane has none left."""
        row = self.track.row(space)
        return self.track.row_spaces(row) + (["outer"] if self.track.is_corner(row) else [])

    def curve_lane(self, space):
        """(number of the curve, 0 for none, lane) of a space."""
        if not 0 <= space < self.track.in_rows:
            return 0, 0
        return self.track.section(space).number, self.track.lane(space)

    def to_go(self, space, crossings):
        """Fewest spaces to the last crossing of the line, ignoring other cars and the pit stop (AB-26)."""
        return self._to_line[space] + (self.laps - crossings) * self.lap

    def need(self, space, crossings, duty):
        """Fewest spaces to go for a car, by way of the pit lane if it still has to stop there (``duty``)."""
        need = self.to_go(space, crossings)
        return need + self.detour() if duty and not self.in_pit(space) else need

    def changes_lane(self, space, other):
        """Whether the step is a change of lanes: not onto a chicane or off one, nor into the pit lane or out of it."""
        track = self.track
        return (max(space, other) < track.in_rows and track.lane(space) != track.lane(other)
                and not self.is_chicane(space) and not self.is_chicane(other))

    def reach(self, space, crossings, steps, taken, duty, pit):
        """Every space that this many steps can lead to, each by the way with the fewest changes of lane: a list of
        [changes, crossings at the end, the path].

        ``taken`` are spaces that can't be entered; ``duty``: the car still has to stop in the pit lane (AB-29); ``pit``: the
        lap from which field A leads into it.
        """
        found = [[0, crossings, [space]]]
        for further in self.reaches(space, crossings, steps, taken, duty, pit):
            found = further
        return found

    def reaches(self, space, crossings, steps, taken, duty, pit):
        """Generates what `reach` returns for one step, for two, and so on to so many."""
        found = [[0, crossings, [space]]]
        for _ in range(steps):
            further = []
            for way in found:
                last = way[2][-1]
                if last == FINISH:
                    _keep(further, way)
                    continue
                for to in self.ahead(last, way[1], duty, pit):
                    if to == FINISH or to not in taken:
                        over = to == FINISH or self.crosses(last, to)
                        turns = to != FINISH and self.changes_lane(last, to)
                        _keep(further, [way[0] + turns, way[1] + over, way[2] + [to]])
            found = further
            yield found

    def ahead(self, space, crossings, duty, pit):
        """The spaces one step on. In the last lap but one the duty bars every way over the line except onto A, and from A
        every way except the pit lane (AB-33)."""
        track = self.track
        duty = duty and self.laps > 1
        out = []
        if not (duty and space == self.entry and crossings == self.laps):
            for to in track.ahead(space):
                if not self.crosses(space, to):
                    out.append(to)
                elif crossings == self.laps:
                    return [FINISH]
                elif not duty or crossings + 1 < self.laps or to == self.entry:
                    out.append(to)
        if space == self.entry and pit and crossings >= pit:
            out.append(self.pit)
        return out


def _keep(ways, way):
    """Adds a way, unless there is already one to the same space with no more changes of lane."""
    for at, other in enumerate(ways):
        if other[2][-1] == way[2][-1]:
            if way[0] < other[0]:
                ways[at] = way
            return
    ways.append(way)
