"""Picking where a car ends: the row first, then the lane.

There can be up to about sixty ends. Rows come in driving order, starting at the car; in a row with
only one end, OK takes it at once.
"""


class EndsPick:
    """The cursor on a prompt whose options all read ``go 12b`` (with or without more words).

    ``rows`` is a list of [row, [index in options, ...]]; ``in_row`` says whether the lane is being picked.
    """

    def __init__(self, track, options, labels, start_space):
        self.track = track
        self.options = options
        self.labels = labels
        self.rows = _by_rows(track, options, start_space)
        self.at = 0
        self.lane_at = 0
        self.in_row = len(self.rows) == 1
        self.spaces = [_space_of(track, text) for text in options]

    def move(self, step):
        """Moves the cursor by ``step`` rows or lanes."""
        if self.in_row:
            self.lane_at = (self.lane_at + step) % len(self.rows[self.at][1])
        else:
            self.at = (self.at + step) % len(self.rows)
            self.lane_at = 0

    def ok(self):
        """The answer's text, or None if the lane is still to be picked."""
        ends = self.rows[self.at][1]
        if not self.in_row and len(ends) > 1:
            self.in_row = True
            self.lane_at = 0
            return None
        return self.options[ends[self.lane_at]]

    def back(self):
        """Goes back from lane to row; False if there is nothing to go back to."""
        if self.in_row and len(self.rows) > 1:
            self.in_row = False
            return True
        return False

    def place(self):
        """The option under the cursor, by its index in the options."""
        return self.rows[self.at][1][self.lane_at]

    def counts(self):
        """(which, of how many) for the display: rows or, in a row, its ends."""
        if self.in_row:
            return self.lane_at + 1, len(self.rows[self.at][1])
        return self.at + 1, len(self.rows)

    def row(self):
        """The row under the cursor."""
        return self.rows[self.at][0]

    def lit(self):
        """(all end spaces, the chosen ones): a whole row while the row is picked, one space for the lane."""
        if self.in_row:
            row = self.rows[self.at][1]
            return [self.spaces[i] for i in row], [self.spaces[row[self.lane_at]]]
        return self.spaces, [self.spaces[i] for i in self.rows[self.at][1]]


def is_ends(options):
    """Whether these answers are ends on the track."""
    for text in options:
        if not text.startswith("go "):
            return False
    return len(options) > 0


def _space_of(track, text):
    return track.named(text.split(" ")[1])


def _by_rows(track, options, start_space):
    first = track.row(start_space) if start_space >= 0 else 1
    keyed = []
    for i, text in enumerate(options):
        space = _space_of(track, text)
        row = track.row(space)
        ahead = (row - first) % track.rows if track.closed else row
        keyed.append((ahead, track.lane(space), i, row))
    keyed.sort()
    rows = []
    for _, _, i, row in keyed:
        if not rows or rows[-1][0] != row:
            rows.append([row, []])
        rows[-1][1].append(i)
    return rows
