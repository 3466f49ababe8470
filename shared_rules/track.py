"""A track as the rules see it: a graph of spaces, read from a compact checked pack (see ``track_read.py``).

Spaces are numbers from 0 to ``count - 1``. Rows count from 1 after the line in driving direction, lanes
from 1 at the left kerb; ``12b`` names row 12, lane 2. Everything needed in the middle of a move lies
in arrays and is found in one step; 140 rows of 3 lanes make 4.7 kB of arrays.
"""

from shared_rules import finish
from shared_rules.errors import BadTrack

LANE_LETTERS = "abcdefgh"
KINDS = ("straight", "corner")
TURNS = ("", "left", "right")
HILLS = ("", "up", "down", "flat")


class Section:
    """A straight or a corner as the rules see it, after Straight and Corner counters have been applied.

    ``kind`` "straight" or "corner"; ``turn`` "left", "right" or "" on a straight; ``difficulty`` 1 to 3, 0 on
    a straight; ``first_row`` and ``rows``; ``number`` counts the corners from 1 and is 0 for a straight;
    ``hill`` is the counter that lies on it ("up", "down", "flat" or "" for none), ``slope`` what applies
    there ("up", "down" or "flat": a counter holds up to the next one); ``index`` its number in
    ``track.sections``, from 0.
    """

    def __init__(self, index, kind, turn, difficulty, first_row, rows, hill, number, slope):
        self.index = index
        self.kind = kind
        self.turn = turn
        self.difficulty = difficulty
        self.first_row = first_row
        self.rows = rows
        self.hill = hill
        self.slope = slope
        self.number = number


class Track:
    """The spaces of a track and the ways between them. ``Track.unpack(bytes)`` makes one.

    ``id``, ``name``, ``game``, ``level`` are strings, ``number`` is the circuit's number in its rulebook,
    ``laps`` the usual number; ``hash`` 8 hex characters; ``closed`` tells a loop from a road with an end;
    ``rows``, ``lanes`` (the most in any row), ``count`` (spaces) and ``in_rows`` (the spaces that lie in
    rows, which come first) are sizes; ``sections`` a list of
    Section in driving order; ``marks`` a list of [space, word]; ``reversible``: it may be driven the other way
    round; ``roads`` what lies beside the rows, a list of [kind, space it leaves or -1, first space, spaces, space
    it leads to]; ``painted`` the colours of the spaces as ``track_paint.py`` reads them, b"" for none;
    ``limits`` the number on each space, 0 for none (b"" if no space has one), ``barriers`` a list of [row with a
    speed barrier behind it, its speed], ``upgrades`` the sum of the red numbers beside the road;
    ``die`` the faces of the board's own die, ``cards`` a list of [how many, card] of its own deck, mostly empty.

    ``ahead_start`` and ``ahead_to`` are for code that looks up steps thousands of times: the spaces one step ahead of
    ``s`` are ``ahead_to[ahead_start[s]]`` to ``ahead_to[ahead_start[s + 1] - 1]``. Never write to them.
    """

    @staticmethod
    def unpack(data):
        """The track in these bytes. Raises BadTrack for anything but a whole, sound pack."""
        return Track.read(_Bytes(data))

    @staticmethod
    def read(file):
        """The track in an open binary file, read in pieces: a full heap may have no room for a whole pack.

        Raises BadTrack for anything but a whole, sound pack, OSError if the file can't be read.
        """
        return finish(Track.reading(file))

    @staticmethod
    def reading(file):
        """``read`` as a generator that returns the track: a board reads a little in each tick."""
        from shared_rules import track_read
        sizes, crc = track_read.sizes_of(file)
        yield
        track = Track()
        track.hash = "%08x" % crc
        try:
            contents = yield from track_read.contents(file, sizes)
            track._fill(*contents)
        except (ValueError, KeyError, TypeError, IndexError, RuntimeError) as error:
            raise BadTrack(
                "The track pack has a right checksum but wrong contents ("
                + str(error)  # subset: ok only a sentence, nothing compares it
                + "); compile the track again with a Gridglow of this version."
            )
        return track

    def _fill(self, meta, numbers, rows, spaces, ahead, beside, branch, sections, section_of):
        for key in ("id", "name", "game", "level", "number", "laps"):
            setattr(self, key, meta[key])
        self.reversible = meta["reversible"] == 1
        self.marks = meta["marks"]
        self.roads = meta.get("roads", ())
        self.painted = meta.get("painted", b"")
        self.limits = meta.get("limits", b"")
        self.barriers = meta.get("barriers", ())
        self.upgrades = meta.get("upgrades", 0)
        self.die = meta.get("die", ())
        self.cards = meta.get("cards", ())
        self.closed, self.rows, self.in_rows, self.count, self.lanes = numbers
        self._row_first, self._row_low, self._row_lanes = rows
        self._row_of, self._lane_of = spaces
        self.ahead_start, self.ahead_to = ahead
        self._beside = beside
        self._branch = branch
        self._sections = sections
        self._section_of = section_of

    @property
    def sections(self):
        """All Sections in driving order, as a new list."""
        return [self._section(index) for index in range(len(self._sections))]

    def _section(self, index):
        kind, turn, difficulty, rows, hill, number, low, high, more, slope = self._sections[index]
        return Section(index, KINDS[kind], TURNS[turn], difficulty, low + 256 * high, rows + 256 * more, HILLS[hill], number,
                       HILLS[slope])

    # Spaces and their names

    def space(self, row, lane):
        """The space in this row and lane (both from 1), or -1 if there is none."""
        if not 1 <= row <= self.rows:
            return -1
        at = lane - self._row_low[row - 1]
        if 0 <= at < self._row_lanes[row - 1]:
            return self._row_first[row - 1] + at
        for s in range(self.in_rows, self.count):
            if self._row_of[s] == row and self._lane_of[s] == lane:
                return s
        return -1

    def row(self, space):
        """The row of a space, from 1 after the line."""
        return self._row_of[space]

    def lane(self, space):
        """The lane of a space, from 1 at the left kerb."""
        return self._lane_of[space]

    def row_spaces(self, row):
        """The spaces that lie across the road in this row, from the left."""
        first = self._row_first[row - 1]
        return list(range(first, first + self._row_lanes[row - 1]))

    def space_name(self, space):
        """What journals and displays call a space: ``12b``."""
        return str(self._row_of[space]) + LANE_LETTERS[self._lane_of[space] - 1]

    def named(self, name):
        """The space with this name, or -1. Only the spelling of ``space_name`` counts: no ``012b``, no
        ``12B``."""
        if not 2 <= len(name) <= 5 or name[0] == "0":
            return -1
        row = 0
        for letter in name[:-1]:
            if not "0" <= letter <= "9":
                return -1
            row = row * 10 + ord(letter) - 48
        return self.space(row, LANE_LETTERS.find(name[-1]) + 1)

    # Ways between spaces

    def ahead(self, space):
        """The spaces one step forward: straight ahead first, then left-ahead, then right-ahead."""
        return list(self.ahead_to[self.ahead_start[space] : self.ahead_start[space + 1]])

    def beside(self, space):
        """The neighbours to the side, left first."""
        if self._beside:
            return _list_of(self._beside, space)
        row = self.row_spaces(self._row_of[space]) if space < self.in_rows else ()
        return [other for other in row if abs(other - space) == 1]

    def branch(self, space):
        """The spaces one step onto another road, or deeper into a dead end; usually none. ``ahead`` is the way to the
        finish."""
        return _list_of(self._branch, space) if self._branch else []

    def marks_on(self, space):
        """The words that mark this space."""
        return [word for marked, word in self.marks if marked == space]

    # Sections

    def section_of_row(self, row):
        """The Section that a row (from 1) belongs to."""
        return self._section(self._section_of[row - 1])

    def section(self, space):
        """The Section that a space belongs to."""
        return self._section(self._section_of[self._row_of[space] - 1])

    def difficulty(self, row):
        """1 to 3 for a row (from 1) of a corner, 0 on a straight; unlike asking for a Section, this makes no object."""
        return self._sections[self._section_of[row - 1]][2]

    def is_corner(self, row):
        """Whether a row (from 1) belongs to a corner."""
        return self._sections[self._section_of[row - 1]][0] == 1

    def next_corner(self, row):
        """The first corner section whose first row lies ahead of this row, or None if no corner comes.

        On a loop it may lie past the line, and it may be the corner that the row itself is in.
        """
        index = self._section_of[row - 1]
        total = len(self._sections)
        for step in range(1, total + 1):
            if not self.closed and index + step >= total:
                return None
            section = self._section((index + step) % total)
            if section.kind == "corner":
                return section
        return None


class _Bytes:
    """Bytes that can be read like a file."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def seek(self, at):
        self._at = at

    def read(self, count):
        self._at += count
        return bytes(self._data[self._at - count : self._at])


def _list_of(lists, space):
    start, to = lists
    return list(to[start[space] : start[space + 1]])
