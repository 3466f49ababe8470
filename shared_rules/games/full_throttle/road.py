"""The racetrack as the mopeds see it, and how they move on it (FT-11 to FT-19).

A *stretch* is a row, or a turn whose outer lane is longer than its inner one. It has two lists of spaces: the inner lane,
which has priority, and the outer one, which is empty at a choke. The inner lane is the same one all round the loop: the
right one if the turns go right (FT-15).
"""

from array import array

INNER = 0
OUTER = 1
#: Rows whose spaces are the start spaces if none are marked.
GRID_ROWS = 3


class Road:
    """The stretches of a Track, in driving order from the line on."""

    def __init__(self, track):
        self.track = track
        self.stretches = []
        self._of_row = array("H", bytes(2 * track.rows + 2))
        sections = track.sections
        self._inner_lane = 2 if "right" in [section.turn for section in sections] else 1
        for section in sections:
            rows = range(section.first_row, section.first_row + section.rows)
            if section.kind == "corner" and self._is_long(rows):
                self._add(rows)
            else:
                for row in rows:
                    self._add((row,))
        self.bonuses = [space for space, mark in track.marks if mark == "bonus"]

    def _is_long(self, rows):
        """Whether the outer lane of a turn has more spaces: then its rows are one stretch."""
        lanes = [len(self.track.row_spaces(row)) for row in rows]
        return min(lanes) < max(lanes)

    def _add(self, rows):
        lanes = ([], [])
        for row in rows:
            self._of_row[row] = len(self.stretches)
            spaces = self.track.row_spaces(row)
            for space in spaces:
                inner = len(rows) == len(spaces) == 1 or self.track.lane(space) == self._inner_lane
                lanes[INNER if inner else OUTER].append(space)
        self.stretches.append(lanes)

    def where(self, space):
        """(stretch, lane, position in that lane) of a space."""
        stretch = self._of_row[self.track.row(space)]
        for lane in (INNER, OUTER):
            if space in self.stretches[stretch][lane]:
                return stretch, lane, self.stretches[stretch][lane].index(space)
        return stretch, INNER, 0

    def way(self, space, steps, taken):
        """Where this many steps lead from a space, with the spaces in ``taken`` blocked: (the way to where the moped
        stops, all spaces that were counted), both beginning with the space itself."""
        stretch, lane, at = self.where(space)
        counted = [space]
        reached = 1
        while steps:
            steps -= 1
            own = self.stretches[stretch][lane]
            if at + 1 < len(own):               # no change of lane in a turn, and only its own lane can be blocked
                at += 1
                open_ways = (own[at],)
            else:
                stretch = (stretch + 1) % len(self.stretches)
                inner, outer = self.stretches[stretch]
                at = 0
                lane = INNER
                if len(inner) + len(outer) > 2:
                    lane = self._lane(inner, steps + 1, taken)
                    open_ways = (self.stretches[stretch][lane][0],)
                else:
                    open_ways = inner + outer
                    if inner[0] in taken and outer and outer[0] not in taken:
                        lane = OUTER
            free = [one for one in open_ways if one not in taken]
            counted.append(free[0] if free else open_ways[0])
            if free:
                reached = len(counted)
        return counted[:reached], counted

    def _lane(self, inner, steps, taken):
        """The lane in which a moped with this many steps left goes through a turn (FT-19): the inner one if it reaches an
        empty space of it or gets all the way through."""
        if steps <= len(inner):
            return OUTER if inner[steps - 1] in taken else INNER
        stopped, counted = self.way(inner[-1], steps - len(inner), taken)
        return INNER if len(stopped) == len(counted) else OUTER

    def crossings(self, path):
        """How often a path crosses the line."""
        before = len(self.stretches)
        count = -1
        for space in path:
            stretch = self._of_row[self.track.row(space)]
            if stretch < before:
                count += 1
            before = stretch
        return count

    def order_key(self, space):
        """Sorts spaces of one lap, the leader first: by stretch, in a turn by the spaces up to its end, then the inner
        lane first (FT-35)."""
        stretch, lane, at = self.where(space)
        return -stretch, len(self.stretches[stretch][lane]) - at, lane


def start_spaces(track):
    """The start spaces: the marked ones, else those of the last rows (FT-02)."""
    marked = [space for space, mark in track.marks if mark == "start"]
    if not marked:
        for row in range(track.rows - GRID_ROWS + 1, track.rows + 1):
            marked += track.row_spaces(row)
    return sorted(marked)
