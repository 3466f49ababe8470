"""Reads a track's pack.

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
24-    meta: JSON in ASCII (names, laps, sections, marks; some have roads, painted, limits, barriers, upgrades, die, cards),
       then the arrays
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
from shared_rules.track import HILLS, KINDS, LANE_LETTERS, TURNS

MAGIC = b"GGTK"
FORMAT = 1
HEAD = "<4sBBHHHHHHHI"
HEAD_BYTES = 24
PIECE_BYTES = 512


class _Reader:
    """Cuts arrays out of a pack, one after the other."""

    def __init__(self, file):
        self.file = file

    def bytes(self, count):
        return self.file.read(count)

    def words(self, count):
        return array("H", self.file.read(2 * count))

    def ways(self, count, steps, what):
        """A list of spaces for each of ``count`` spaces: where each list begins, then the lists."""
        start = self.words(count + 1)
        to = self.words(steps)
        _check_lists(start, to, count, what)
        return start, to


def _measure(file, head):
    """(bytes in all, CRC of all but the last four, the last four), read in pieces. If the head names a different size
    than there is, only the size is right."""
    size = len(head)
    crc = binascii.crc32(head)
    left = struct.unpack("<I", head[20:])[0] - size - 4 if size == HEAD_BYTES else 0
    while left > 0:
        piece = file.read(min(left, PIECE_BYTES))
        if not piece:
            break
        size += len(piece)
        left -= len(piece)
        crc = binascii.crc32(piece, crc)
    last = piece = file.read(4)
    while piece:
        size += len(piece)
        piece = file.read(PIECE_BYTES)
    return size, crc & 0xFFFFFFFF, last


def sizes_of(file):
    """Checks a pack's outer form: returns its sizes and its CRC, or raises BadTrack."""
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
            "A track pack begins with GGTK, this file doesn't; it isn't a track or it is damaged" + again
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
    right = start[0] == 0
    for begins in start:
        right = right and begins >= at
        at = begins
    _check(right and at == len(to) and (at == 0 or max(to) < count), what)


def contents(file, sizes):
    """The parts of a ``Track``, in the order in which it takes them; a generator that returns them. Raises ValueError and
    the like for anything wrong."""
    flags, meta_bytes, rows, in_rows, count, ahead, beside, branch = sizes
    file.seek(HEAD_BYTES)
    meta = json.loads(file.read(meta_bytes).decode())
    for key in ("id", "name", "game", "level"):
        _check(isinstance(meta[key], str), key)
    for key in ("number", "laps"):
        _check(isinstance(meta[key], int) and meta[key] >= 0, key)
    closed = flags & 1 == 1
    reader = _Reader(file)
    yield
    by_row = reader.words(rows), reader.bytes(rows), reader.bytes(rows)
    by_space = reader.words(count), reader.bytes(count)
    lanes = _check_rows(by_row, by_space, in_rows, count)
    if rows < 256:  # half the memory
        by_space = bytes(list(by_space[0])), by_space[1]
    yield
    ways = reader.ways(count, ahead, "ahead")
    sides = reader.ways(count, beside, "beside")
    if _is_plain(sides, by_space[0], in_rows):
        sides = None
    roads = reader.ways(count, branch, "branch")
    yield
    sections, section_of = _sections(meta["sections"], rows, closed)
    for space, word in meta["marks"]:
        _check(isinstance(space, int) and 0 <= space < count and isinstance(word, str), "marks")
    if "painted" in meta:
        meta["painted"] = binascii.unhexlify(meta["painted"])
        _check(len(meta["painted"]) == count, "painted")
    if "limits" in meta:
        meta["limits"] = binascii.unhexlify(meta["limits"])
        _check(len(meta["limits"]) == count, "limits")
    for row, speed in meta.get("barriers", ()):
        _check(1 <= row <= rows and 1 <= speed, "barriers")
    _check(0 <= meta.get("upgrades", 0), "upgrades")
    for face in meta.get("die", ()):
        _check(isinstance(face, str), "die")
    for many, card in meta.get("cards", ()):
        _check(isinstance(many, int) and isinstance(card, str), "cards")
    for kind, leaves, first, spaces, back in meta.get("roads", ()):
        _check(isinstance(kind, str) and -1 <= leaves < count and 0 <= back < count, "roads")
        _check(in_rows <= first and spaces >= 1 and first + spaces <= count, "roads")
    return (meta, (closed, rows, in_rows, count, lanes), by_row, by_space, ways, sides, roads if branch else None,
            sections, section_of)


def _check_rows(by_row, by_space, in_rows, count):
    """The most lanes in any row."""
    first, low, lanes = by_row
    row_of, lane_of = by_space
    space = 0
    most = 0
    for r in range(len(first)):
        _check(first[r] == space and low[r] >= 1 and lanes[r] >= 1, "rows")
        most = max(most, low[r] + lanes[r] - 1)
        for i in range(lanes[r]):
            _check(row_of[space + i] == r + 1 and lane_of[space + i] == low[r] + i, "spaces")
        space += lanes[r]
    _check(space == in_rows and space <= count and most <= len(LANE_LETTERS), "spaces")
    for s in range(space, count):
        _check(1 <= row_of[s] <= len(first) and 1 <= lane_of[s] <= len(LANE_LETTERS), "spaces")
    return most


def _is_plain(sides, row_of, in_rows):
    """Whether neighbours to the side are just those in the same row: then nothing about them needs to be kept."""
    start, to = sides
    at = 0
    before = 0
    for space in range(len(start) - 1):
        row = row_of[space] if space < in_rows else 0
        if row and row == before:
            if at >= start[space + 1] or to[at] != space - 1:
                return False
            at += 1
        if row and space + 1 < in_rows and row_of[space + 1] == row:
            if at >= start[space + 1] or to[at] != space + 1:
                return False
            at += 1
        if at != start[space + 1]:
            return False
        before = row
    return True


def _sections(plain, rows, closed):
    """(sections, the section number of each row). Sections are kept as short rows, and a Section is made only when asked
    for: an object for each would cost a board more than the spaces do."""
    sections = []
    section_of = bytearray(rows)
    first_row = 1
    number = 0
    for kind, turn, difficulty, length, hill in plain:
        _check(kind in KINDS and turn in TURNS and hill in HILLS, "sections")
        _check(isinstance(length, int) and isinstance(difficulty, int) and length >= 1, "sections")
        corner = kind == "corner"
        _check(corner == (turn != "") and (corner or difficulty == 0) and 0 <= difficulty <= 3, "sections")
        if corner:
            number += 1
        index = len(sections)
        sections.append(bytes((KINDS.index(kind), TURNS.index(turn), difficulty, length & 255, HILLS.index(hill),
                               number if corner else 0, first_row & 255, first_row >> 8, length >> 8)))
        _check(index < 256 and first_row + length - 1 <= rows, "sections")
        for row in range(first_row, first_row + length):
            section_of[row - 1] = index
        first_row += length
    _check(first_row == rows + 1, "sections")
    # Worked out once: sections are asked for at every step of a move.
    slopes = [_slope(sections, index, closed) for index in range(len(sections))]
    return [row + bytes((slope,)) for row, slope in zip(sections, slopes)], section_of


def _slope(sections, index, closed):
    """The number in HILLS of the counter that applies: the last one before this section; on a loop it holds past the
    line."""
    for back in range(len(sections)):
        if index - back < 0 and not closed:
            break
        if sections[index - back][4]:
            return sections[index - back][4]
    return HILLS.index("flat")
