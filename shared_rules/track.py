"""A track as the rules see it: a graph of spaces, read from a compact checked pack.

Spaces are numbers from 0 to ``count - 1``. Rows count from 1 after the line in driving direction, lanes
from 1 at the left kerb; ``12b`` names row 12, lane 2. Everything that is asked in the middle of a move lies
in arrays and is found in one step; 140 rows of 3 lanes are 7.4 kB of arrays.

The pack (little-endian; the host writes it, see ``gridglow.tracks.pack``):

====== =======================================================================
bytes  what
====== =======================================================================
0-3    ``GGTK``
4      format number, 1
5      flags; bit 0: the track is a loop
6-7    length of the meta text
8-9    rows
10-11  spaces that lie in rows; they come first, row by row, from the left
12-13  spaces in all (the rest: pit lane, ramps and other spaces beside the rows)
14-15  steps ahead, all spaces together
16-17  pairs of neighbours
18-19  steps onto another road (branches)
20-23  length of the whole pack
24-    meta: JSON in ASCII (names, laps, sections, marks), then the arrays
last 4 CRC32 of all bytes before it; as 8 hex characters it is the track's hash
====== =======================================================================

The arrays, in this order: first space of each row (u16), leftmost lane of each row (u8), lanes of each row
(u8), row of each space (u16), lane of each space (u8), then for ahead, beside and branch each: where the list
of a space begins (u16, one more than there are spaces) and the lists themselves (u16).
"""

import binascii
import json
import struct
from array import array

from shared_rules.errors import BadTrack

MAGIC = b"GGTK"
FORMAT = 1
HEAD = "<4sBBHHHHHHHI"
HEAD_BYTES = 24
PIECE_BYTES = 256
LANE_LETTERS = "abcdefgh"
KINDS = ("straight", "corner")
TURNS = ("", "left", "right")
HILLS = ("", "up", "down", "flat")


class Section:
    """A straight or a corner, as the rules see it: Straight and Corner counters have done their work.

    ``kind`` "straight" or "corner"; ``turn`` "left", "right" or "" on a straight; ``difficulty`` 1 to 3, 0 on
    a straight; ``first_row`` and ``rows``; ``number`` counts the corners from 1 and is 0 for a straight;
    ``hill`` is the counter that lies on it ("up", "down", "flat" or "" for none), ``slope`` what is in force
    there ("up", "down" or "flat": a counter holds to the next one); ``index`` its place in
    ``track.sections``.
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
    ``laps`` the usual race; ``hash`` 8 hex characters; ``closed`` tells a loop from a road with an end;
    ``rows``, ``lanes`` (the most that any row has) and ``count`` (spaces) are sizes; ``sections`` a list of
    Section in driving order; ``marks`` a list of [space, word]; ``reversible``: may be driven the other way
    round.

    ``ahead_start`` and ``ahead_to`` are for code that asks thousands of times: the spaces one step ahead of
    ``s`` are ``ahead_to[ahead_start[s]]`` to ``ahead_to[ahead_start[s + 1] - 1]``. Nobody writes to them.
    """

    @staticmethod
    def unpack(data):
        """The track in these bytes. Raises BadTrack for anything but a whole, sound pack."""
        return Track.read(_Bytes(data))

    @staticmethod
    def read(file):
        """The track in an open binary file, which is read in pieces: a full heap may have no room for a pack as one.

        Raises BadTrack for anything but a whole, sound pack, OSError where the file can't be read.
        """
        sizes, crc = _open(file)
        track = Track()
        track.hash = "%08x" % crc
        try:
            track._fill(file, sizes)
        except (ValueError, KeyError, TypeError, IndexError, RuntimeError) as error:
            raise BadTrack(
                "The track pack has a right checksum but wrong contents ("
                + str(error)  # subset: ok only a sentence, nothing compares it
                + "); compile the track again with a Gridglow of this version."
            )
        return track

    def _fill(self, file, sizes):
        flags, meta_bytes, rows, in_rows, count, ahead, beside, branch = sizes
        file.seek(HEAD_BYTES)
        meta = json.loads(file.read(meta_bytes).decode())
        for key in ("id", "name", "game", "level"):
            _check(isinstance(meta[key], str), key)
        for key in ("number", "laps"):
            _check(isinstance(meta[key], int) and meta[key] >= 0, key)
        self.id = meta["id"]
        self.name = meta["name"]
        self.game = meta["game"]
        self.level = meta["level"]
        self.number = meta["number"]
        self.laps = meta["laps"]
        self.reversible = meta["reversible"] == 1
        self.closed = flags & 1 == 1
        self.rows = rows
        self.count = count
        self._in_rows = in_rows
        reader = _Reader(file)
        self._row_first = reader.words(rows)
        self._row_low = reader.bytes(rows)
        self._row_lanes = reader.bytes(rows)
        self._row_of = reader.words(count)
        self._lane_of = reader.bytes(count)
        self.ahead_start = reader.words(count + 1)
        self.ahead_to = reader.words(ahead)
        self._beside_start = reader.words(count + 1)
        self._beside_to = reader.words(beside)
        self._branch_start = reader.words(count + 1)
        self._branch_to = reader.words(branch)
        self.lanes = self._check_rows()
        _check_lists(self.ahead_start, self.ahead_to, count, "ahead")
        _check_lists(self._beside_start, self._beside_to, count, "beside")
        _check_lists(self._branch_start, self._branch_to, count, "branch")
        self._read_sections(meta["sections"])
        self.marks = []
        for space, word in meta["marks"]:
            _check(isinstance(space, int) and 0 <= space < count and isinstance(word, str), "marks")
            self.marks.append([space, word])

    def _check_rows(self):
        space = 0
        most = 0
        for r in range(self.rows):
            low = self._row_low[r]
            lanes = self._row_lanes[r]
            _check(self._row_first[r] == space and low >= 1 and lanes >= 1, "rows")
            most = max(most, low + lanes - 1)
            for i in range(lanes):
                _check(self._row_of[space + i] == r + 1 and self._lane_of[space + i] == low + i, "spaces")
            space += lanes
        _check(space == self._in_rows and space <= self.count and most <= len(LANE_LETTERS), "spaces")
        for s in range(space, self.count):
            _check(1 <= self._row_of[s] <= self.rows and 1 <= self._lane_of[s] <= len(LANE_LETTERS), "spaces")
        return most

    def _read_sections(self, plain):
        """Sections are kept as short rows, and a Section is made when one is asked for: an object each would take a
        board more than the spaces do."""
        self._sections = []
        self._section_of = bytearray(self.rows)
        first_row = 1
        number = 0
        for kind, turn, difficulty, rows, hill in plain:
            _check(kind in KINDS and turn in TURNS and hill in HILLS, "sections")
            _check(isinstance(rows, int) and isinstance(difficulty, int) and rows >= 1, "sections")
            corner = kind == "corner"
            _check(corner == (turn != "") and corner == (difficulty != 0) and 0 <= difficulty <= 3, "sections")
            if corner:
                number += 1
            index = len(self._sections)
            self._sections.append(bytes((KINDS.index(kind), TURNS.index(turn), difficulty, rows & 255, HILLS.index(hill),
                                         number if corner else 0, first_row & 255, first_row >> 8, rows >> 8)))
            _check(index < 256 and first_row + rows - 1 <= self.rows, "sections")
            for row in range(first_row, first_row + rows):
                self._section_of[row - 1] = index
            first_row += rows
        _check(first_row == self.rows + 1, "sections")
        # Worked out once: sections are asked for at every step of a move.
        slopes = [HILLS.index(self._slope(index)) for index in range(len(self._sections))]
        self._sections = [row + bytes((slope,)) for row, slope in zip(self._sections, slopes)]

    @property
    def sections(self):
        """All Sections in driving order, as a list made anew."""
        return [self._section(index) for index in range(len(self._sections))]

    def _section(self, index):
        kind, turn, difficulty, rows, hill, number, low, high, more, slope = self._sections[index]
        return Section(index, KINDS[kind], TURNS[turn], difficulty, low + 256 * high, rows + 256 * more, HILLS[hill], number,
                       HILLS[slope])

    def _slope(self, index):
        """The counter in force: the last one on the way to this section; on a loop it holds past the line."""
        for back in range(len(self._sections)):
            if index - back < 0 and not self.closed:
                break
            hill = self._sections[(index - back) % len(self._sections)][4]
            if hill:
                return HILLS[hill]
        return "flat"

    # Spaces and their names

    def space(self, row, lane):
        """The space in this row and lane (both from 1), or -1 where there is none."""
        if not 1 <= row <= self.rows:
            return -1
        place = lane - self._row_low[row - 1]
        if 0 <= place < self._row_lanes[row - 1]:
            return self._row_first[row - 1] + place
        for s in range(self._in_rows, self.count):
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
        """The space of this name, or -1. Only the spelling of ``space_name`` counts: no ``012b``, no
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
        return list(self._beside_to[self._beside_start[space] : self._beside_start[space + 1]])

    def branch(self, space):
        """The spaces one step forward on another road (into a pit lane, onto a ramp); mostly none."""
        return list(self._branch_to[self._branch_start[space] : self._branch_start[space + 1]])

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

    def next_corner(self, row):
        """The first corner section whose first row lies ahead of this row, or None where no corner comes.

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
    """Bytes that are read like a file."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def seek(self, place):
        self._at = place

    def read(self, count):
        self._at += count
        return bytes(self._data[self._at - count : self._at])


class _Reader:
    """Cuts arrays out of a pack, one after the other."""

    def __init__(self, file):
        self.file = file

    def bytes(self, count):
        return self.file.read(count)

    def words(self, count):
        return array("H", self.file.read(2 * count))


def _measure(file, head):
    """(bytes in all, CRC of all but the last four, the last four), read in pieces."""
    size = len(head)
    crc = 0
    waiting = head
    while True:
        piece = file.read(PIECE_BYTES)
        if not piece:
            break
        size += len(piece)
        waiting += piece
        crc = binascii.crc32(waiting[:-4], crc)
        waiting = waiting[-4:]
    if size == len(head):
        crc = binascii.crc32(waiting[:-4], crc)
    return size, crc & 0xFFFFFFFF, waiting[-4:]


def _open(file):
    """Check the shell of a pack: returns its sizes and its CRC, or raises BadTrack."""
    again = "; compile or copy the track again."
    head_bytes = file.read(HEAD_BYTES)
    size, crc, last = _measure(file, head_bytes)
    if size < HEAD_BYTES + 4:
        raise BadTrack(
            "A track pack has at least "
            + str(HEAD_BYTES + 4)
            + " bytes, this one has "
            + str(size)
            + again
        )
    head = struct.unpack(HEAD, head_bytes)
    if head[0] != MAGIC:
        raise BadTrack(
            "A track pack begins with GGTK, this file doesn't; it is no track or it is damaged" + again
        )
    if head[1] != FORMAT:
        raise BadTrack(
            "Expected track format "
            + str(FORMAT)
            + ", the pack says "
            + str(head[1])
            + "; it comes from another version of Gridglow"
            + again
        )
    if head[10] != size:
        raise BadTrack(
            "The track pack should have "
            + str(head[10])
            + " bytes, it has "
            + str(size)
            + "; it was cut or scrambled"
            + again
        )
    if struct.unpack("<I", last)[0] != crc:
        raise BadTrack("The track pack doesn't match its checksum; it was scrambled" + again)
    words = 2 * (head[4] + 4 * head[6] + 3 + head[7] + head[8] + head[9])
    if HEAD_BYTES + head[3] + 2 * head[4] + words + head[6] + 4 != size or head[4] < 1:
        raise BadTrack("The sizes in the track pack don't add up to its length" + again)
    return head[2:10], crc


def _check(right, what):
    if not right:
        raise ValueError(what)


def _check_lists(start, to, count, what):
    at = 0
    for s in range(count + 1):
        _check(start[s] >= at, what)
        at = start[s]
    _check(start[0] == 0 and at == len(to), what)
    for space in to:
        _check(space < count, what)
