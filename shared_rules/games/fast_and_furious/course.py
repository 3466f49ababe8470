"""The course as the rules drive it: what lies ahead and beside, the numbers of corners, the way to the finish (FF-22 to
FF-26).

Spaces are those of the track; the start card's lie behind all others. Lane i leads to lane i; the highest lanes end and
begin.
"""

from array import array

#: In the place of a space ahead: there is none, or the finish line.
NONE = 0xFFFF
FINISH = 0xFFFE

LEFT = 1
RIGHT = 2


class Course:
    """One track. ``ahead[space]`` is the space ahead in the same lane, NONE or FINISH; ``sides[space]`` says with LEFT and
    RIGHT to which sides lanes may be changed; ``first[space]`` is the first space of its row; ``start`` the first space of
    the start card, ``wide`` its lanes, ``upgrades`` what the course gives each car."""

    def __init__(self, track):
        self.track = track
        self.limits = track.limits or bytes(track.count)
        self.wide = len(track.row_spaces(1))
        self.roads = []
        for kind, leaves, first, spaces, back in track.roads:
            if kind == "start":
                self.start = first
                self.start_end = first + spaces
            else:
                self.roads.append((leaves, first, spaces, back))
        self.ahead = array("H", bytes(2 * track.count))
        self.sides = bytearray(track.count)
        self._to_line = array("H", bytes(2 * track.count))
        self.first = array("H", bytes(2 * track.count))
        for space in range(track.count):
            self.first[space] = self._first(space)
        for space in range(track.count):
            self.ahead[space] = self._ahead(space)
            self.sides[space] = (LEFT if self.beside(space, -1) >= 0 else 0) | (RIGHT if self.beside(space, 1) >= 0 else 0)
        self._measure()
        from shared_rules.games.fast_and_furious.data import MOST_UPGRADES, START_UPGRADES
        self.upgrades = min(MOST_UPGRADES, START_UPGRADES + track.upgrades)

    def _first(self, space):
        """The first space of a row; side roads have rows of one space."""
        track = self.track
        if space < track.in_rows:
            return track.row_spaces(track.row(space))[0]
        return space - (space - self.start) % self.wide if space >= self.start else space

    def width(self, first):
        """How many spaces the row has that begins with this one."""
        if first < self.track.in_rows:
            return len(self.track.row_spaces(self.track.row(first)))
        return self.wide if first >= self.start else 1

    def _ahead(self, space):
        track = self.track
        if space >= track.in_rows:
            return track.ahead(space)[0]
        if track.row(space) == track.rows and not track.closed:
            return FINISH
        to = track.space(track.row(space) % track.rows + 1, track.lane(space))
        return to if 0 <= to < track.in_rows else NONE

    def beside(self, space, side, corners=False):
        """The space to the left (-1) or to the right (1) if lanes may be changed there, else -1; ``corners``: on the spaces
        of corners, too."""
        track = self.track
        to = space + side
        if not 0 <= to < track.count or track.row(to) != track.row(space):
            return -1
        in_rows = space < track.in_rows and to < track.in_rows
        on_card = self.start <= space < self.start_end and self.start <= to < self.start_end
        if not in_rows and not on_card or not corners and (self.limits[space] or self.limits[to]):
            return -1
        return to

    def _measure(self):
        """Of each space the fewest steps ahead over the line; changes of lanes don't count."""
        track = self.track
        best = 0
        for row in range(track.rows, 0, -1):
            best += 1
            for leaves, first, spaces, back in self.roads:
                if track.row(leaves) == row:
                    # A road that leads back over the line of a loop isn't shorter for the rows before it.
                    after = self._to_line[back] if track.row(back) > row else 0
                    for at in range(spaces):
                        self._to_line[first + at] = spaces - at + after
                    best = min(best, 1 + self._to_line[first])
            for space in track.row_spaces(row):
                self._to_line[space] = best
        for space in range(self.start, self.start_end):
            self._to_line[space] = best + 1 + (space - self.start) // self.wide
        self.lap = best

    def diagonals(self, space):
        """The spaces ahead to the left and right, none of them of a corner (FF-39)."""
        if self.limits[space]:
            return []
        if space < self.track.in_rows:
            there = self.track.ahead(space)
        elif self.start <= space:
            low = self.first[self.ahead[space]]
            there = [to for to in (self.ahead[space] - 1, self.ahead[space] + 1) if low <= to < low + self.wide]
        else:
            there = []
        straight = self.ahead[space]
        return [to for to in there if to != straight and not self.limits[to]]

    def branches(self, space):
        """The first spaces of side roads from here."""
        return [first for leaves, first, _, _ in self.roads if leaves == space]

    def barrier(self, space):
        """The number of the barrier right ahead, 0 for none (FF-43)."""
        if space < self.track.in_rows:
            for row, speed in self.track.barriers:
                if row == self.track.row(space):
                    return speed
        return 0

    def crosses(self, space, to):
        """Whether the step leads over the line of a loop."""
        track = self.track
        if space < track.in_rows:
            return to < space and track.row(to) < track.row(space)
        for leaves, first, spaces, back in self.roads:
            if space == first + spaces - 1 and to == back:
                return track.row(back) <= track.row(leaves)
        return False

    def to_go(self, space, crossings, laps):
        """Steps ahead up to over the line for the last time; before the start as from the start card."""
        steps = self._to_line[space] if space >= 0 else self.lap + 1
        return steps + ((laps - 1 - crossings) * self.lap if self.track.closed else 0)
