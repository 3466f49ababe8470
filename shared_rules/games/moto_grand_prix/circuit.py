"""The circuit as the riders see it: racing line, difficulty of corners and the grid (MG-01 to MG-04)."""


class Circuit:
    """Answers questions about the spaces of a track."""

    def __init__(self, track):
        self.track = track
        self._best_left = bytearray(track.rows)
        row = 1
        while row <= track.rows:                   # all rows of a section have the same line
            section = track.section_of_row(row)
            if self._line_is_left(section, row):
                for at in range(row - 1, row - 1 + section.rows):
                    self._best_left[at] = 1
            row += section.rows

    def _line_is_left(self, section, row):
        """Whether the racing line of a section, from its row on, is its leftmost lane (MG-02b).

        On a corner it is the inner lane, on a straight the lane opposite the next corner.
        """
        if section.kind == "corner":
            return section.turn == "left"
        corner = self.track.next_corner(row)
        return corner is None or corner.turn == "right"

    def rank(self, space):
        """1 for the racing line, the darkest dot; the other lanes get lighter (MG-02)."""
        lane = self.track.lane(space)
        if self._best_left[self.track.row(space) - 1]:
            return lane
        return len(self.track.row_spaces(self.track.row(space))) + 1 - lane

    def difficulty(self, space):
        """1 to 3 on a corner tile, 0 on a straight one, counters included (MG-03, MG-04)."""
        return self.track.difficulty(self.track.row(space))

    def best_first(self, row):
        """The spaces of a row, racing line first."""
        spaces = self.track.row_spaces(row)
        return spaces if self._best_left[row - 1] else list(reversed(spaces))

    def start_position(self, number):
        """The start position with this number, 1 for the pole: behind the line, row by row, the racing line
        first (MG-09)."""
        row = self.track.rows
        while True:
            spaces = self.best_first(row)
            if number <= len(spaces):
                return spaces[number - 1]
            number -= len(spaces)
            row -= 1

    def rows_ahead(self, start, end):
        """How many rows ``end`` lies ahead of ``start``, from 1 to a whole lap."""
        ahead = (self.track.row(end) - self.track.row(start)) % self.track.rows
        return ahead or self.track.rows
