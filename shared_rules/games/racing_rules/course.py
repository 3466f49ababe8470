"""The road as the rules use it: where a number or a colour leads, and eight spaces back.

Everything is read from the track: `ahead` leads towards the finish, `branch` into Pit Row and deeper into the Runaway Ramp;
colours and marks are data. So a board with other colours in a different order needs no new rules.
"""

from array import array

from shared_rules.track_paint import colours_of


class Course:
    """One track. ``start`` is the space on which cars stand before the race, -1 if the track has none; ``finish`` the
    last space. A car that is ``inward`` leaves the road here, or goes deeper into the ramp."""

    def __init__(self, track):
        self.track = track
        self.start = -1
        self._ramp = (0, 0)
        self._to_go = array("H", bytes(2 * track.count))
        self.finish = track.in_rows - 1
        self._red_line = track.rows
        for space in range(self.finish - 1, -1, -1):
            self._to_go[space] = self._to_go[self.ahead(space)] + 1
        for kind, _, first, spaces, _ in track.roads:
            ways = list(range(first, first + spaces))
            if kind == "start":
                self.start = ways[-1]
            if kind == "ramp":
                self._ramp = (first, first + spaces)
            else:
                ways.reverse()
            for space in ways:
                self._to_go[space] = self._to_go[self.ahead(space)] + 1
        for space, word in track.marks:
            if word == "red_line":
                self._red_line = track.row(space)

    def on_ramp(self, space):
        """Whether this is a spot of the Runaway Ramp."""
        return self._ramp[0] <= space < self._ramp[1]

    def past_red_line(self, space):
        """Whether two-dice racers may roll one die from here; the ramp lies past the line, too (RR-09)."""
        return self.on_ramp(space) or 0 <= space < self.track.in_rows and self.track.row(space) > self._red_line

    def is_entry(self, space):
        """Whether a car that lands here must leave the road in its next turn (RR-04, RR-05)."""
        return 0 <= space < self.track.in_rows and len(self.track.branch(space)) > 0

    def colours(self, space):
        """The colours of a space; () for the start."""
        return colours_of(self.track, space) if space >= 0 else ()

    def to_go(self, space):
        """Spaces from here to the finish, where it is 0."""
        return self._to_go[space] if space >= 0 else self.track.rows

    # Ways ahead; a path is the list of the spaces driven over, the end last.

    def ahead(self, space, inward=False):
        """The next space, -1 if the way ends here."""
        if space < 0:
            return 0
        ways = self.track.branch(space) if inward else self.track.ahead(space)
        return ways[0] if ways else -1

    def by_number(self, space, inward, steps):
        """The path of this many spaces: the finish takes the exact number or one more (RR-08), the ramp's end anything
        more (RR-05); [] if the car would go beyond the finish (RR-09)."""
        path = []
        while len(path) < steps:
            space = self.ahead(space, inward)
            if space < 0:
                return path if inward or steps == len(path) + 1 else []
            path.append(space)
            inward = inward and self.on_ramp(space)
        return path

    def by_colour(self, space, inward, colour):
        """The path to the next space of a colour (RR-11); [] if it lies beyond the finish."""
        path = []
        while True:
            space = self.ahead(space, inward)
            if space < 0:
                return path if inward else []
            path.append(space)
            inward = inward and self.on_ramp(space)
            if colour in self.colours(space):
                return path

    def by_two_colours(self, space, inward, one, other):
        """The path to the farther of two colours and on to the other one (RR-14); on the way into the ramp it leads to
        the ramp's end. [] if a stop would lie beyond the finish."""
        if inward and self.on_ramp(self.ahead(space, True)):
            return self.by_number(space, True, self.track.rows)
        path, shorter = self.by_colour(space, inward, one), self.by_colour(space, inward, other)
        if not path or not shorter:
            return []
        if len(shorter) > len(path):
            path, one, other = shorter, other, one
        if path[-1] == self.finish:
            return path
        further = self.by_colour(path[-1], False, other)
        return path + further if further else []

    # Ways back

    def back(self, space):
        """The space before this one; at the start of a road beside the rows, the space it leaves; the start's own."""
        if space == self.start:
            return space
        for _, leaves, first, spaces, _ in self.track.roads:
            if first <= space < first + spaces:
                return leaves if space == first or self.on_ramp(space) else space - 1
        return space - 1 if space > 0 else self.start

    def spaces_back(self, space, steps):
        """The path this many spaces away from the finish, no further than the start or the end of the ramp."""
        path = []
        while len(path) < steps and space != self.start:
            if self.on_ramp(space):
                space = self.ahead(space, True)
                if space < 0:
                    break
            else:
                space = self.back(space)
            path.append(space)
        return path

    def colour_back(self, space, colour):
        """The path to the last space of this colour before here, or to the start; out of the ramp it leads down the
        road."""
        path = []
        while not path or path[-1] != self.start and colour not in self.colours(path[-1]):
            path.append(self.back(path[-1] if path else space))
        return path
