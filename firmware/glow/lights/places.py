"""Where things are on the strips: the pixel of each space, and the pixels of a panel's dials."""

from array import array

NO_PIXEL = 0xFFFF


class TrackMap:
    """The pixels of a track. `leds` is the table of the .leds file: {"mode": "lane"|"row", "output": from 0, "leds":
    [pixel of each space]}; `track` is its Track.

    In `lane` lighting each space has its own pixel; in `row` lighting all lanes of a row share one.
    A space without a pixel has -1.
    """

    def __init__(self, leds, track, pixel_counts):
        self.output = leds.get("output", 0)
        self.by_row = leds.get("mode", "lane") == "row"
        self.lanes = track.lanes
        self.rows = track.rows
        self.line = 0 if track.closed else track.rows - 1  # the row with the line, from 0
        self.spaces = track.count
        #: the pixels of each lane of the first row, then of the second …; NO_PIXEL if there is none
        self.grid = array("H", b"\xff\xff" * (track.rows * track.lanes))
        self._more = array("H")  # the pixels of spaces outside the rows
        self._track = track
        numbers = leds.get("leds", ())
        pixels = pixel_counts[self.output] if 0 <= self.output < len(pixel_counts) else 0
        for space in range(track.count):
            number = numbers[space] if space < len(numbers) else NO_PIXEL
            if not isinstance(number, int) or not 0 <= number < pixels:
                number = NO_PIXEL
            if space >= track.in_rows:
                self._more.append(number)
            if track.lane(space) <= self.lanes:
                self.grid[self._place(space)] = number

    def pixel(self, space):
        """The pixel of a space, or -1."""
        if not 0 <= space < self.spaces:
            return -1
        in_rows = self._track.in_rows
        number = self.grid[self._place(space)] if space < in_rows else self._more[space - in_rows]
        return -1 if number == NO_PIXEL else number

    def _place(self, space):
        return (self._track.row(space) - 1) * self.lanes + self._track.lane(space) - 1

    def row(self, space):
        """The row of a space, from 0."""
        return self._track.row(space) - 1

    def pixel_at(self, row, lane):
        """The pixel of a row from 0 (rows wrap round) and a lane from 0, or -1."""
        number = self.grid[row % self.rows * self.lanes + lane]
        return -1 if number == NO_PIXEL else number

    def span(self, row, end):
        """The pixels of the rows `row` to `end` - 1 (from 0) as a span of the grid."""
        return (row * self.lanes) << 15 | (end * self.lanes)


class Dials:
    """Where the dials of each panel are: `output`, `counts` (the pixels of each dial of a panel), `panels`.

    `board["dials"]` is {"output": from 0, "seats": n, "each": [[shape, pixels], …]}; the wire goes from panel to panel.
    """

    def __init__(self, board, pixel_counts):
        described = board.get("dials", {})
        self.output = described.get("output", 0)
        self.counts = [one[1] for one in described.get("each", ())]
        self.pixels = sum(self.counts)
        room = pixel_counts[self.output] if 0 <= self.output < len(pixel_counts) else 0
        self.panels = min(described.get("seats", 0), room // self.pixels) if self.pixels else 0
