"""What a track has beside its rows, and how its spaces are painted: side roads, ramps, a start, colours.

A road is a table ``[[road]]`` in the file::

    [[road]]
    kind = "side"                  # leaves the rows at `from` and rejoins them at `to`
    name = "31b"                   # its first space; the others count on from there, one per row
    spaces = 11
    from = "38a"
    to = "42a"
    turn = "right"                 # the side it is on
    colours = ["green", "white"]   # the pattern of its spaces, repeated; "black/gold" is a space of two colours
    limits = [0, 0, 4, 4]          # or the numbers on them, 0 for none

    [[road]]
    kind = "ramp"                  # a dead end: in from `from`, and back the same way, then to `to`
    angle = 40                     # how far it veers off, in whole degrees; only the drawing needs it

    [[road]]
    kind = "start"                 # where cars stand before the first row; only `to`
    angle = 0

In the graph, `ahead` always leads towards the finish, and `branch` onto a side road, or deeper into a ramp.

``colours`` in the head paints the rows from the first on, as a repeated pattern, and ``[[paint]]`` (``space``, ``colour``)
a single space.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from shared_rules.errors import BadTrack
from shared_rules.track import LANE_LETTERS
from shared_rules.track_paint import COLOURS

if TYPE_CHECKING:
    from gridglow.tomlfile import Checker
    from gridglow.tracks.loop import Line
    from gridglow.tracks.pack import Graph
    from gridglow.tracks.source import TrackSource

#: The kinds of road, with the keys that each needs besides kind, name, spaces and to.
ROAD_KINDS = {"side": ("from", "turn"), "ramp": ("from", "turn", "angle"), "start": ("angle",)}
SPACE_FORM = r"[1-9][0-9]{0,2}[a-h]"
SPACE_MEANS = 'a space such as "12b"'
MOST_SPACES = 99
PIECES = 400  # number of pieces of a side road's curve
ROOM = 0.8  # least pitches between the middles of spaces that aren't neighbours
BEND = 0.65  # least pitches between the middles of neighbours in a road's tightest bend
ON_THE_ROWS = 0.02  # pitches by which a side road may overlap the rows that it joins, as their borders slant there
BESIDE = 1.25  # lanes between the middles of a lane and a road alongside it: the kerb is between them
WIDEST_BEND = 1.2  # pitches: the radius of the turns of such a road
SHORTEST, LONGEST = 0.8, 1.25  # pitches: the length of its spaces
LEANS = (0, 15, -15, 30, -30)  # degrees by which both ends of a side road may lean

Cell = tuple[int, int]
Across = list[tuple[int, int]]  # (leftmost lane, number of lanes) of every row; [] if unknown


@dataclass(frozen=True)
class Road:
    """A road beside the rows. ``first`` is (row, lane) of its first space, ``leaves`` and ``back`` (row, lane) of the
    spaces in rows that it joins (``leaves`` None for a start); ``colours`` the paint of each space."""

    kind: str
    first: Cell
    spaces: int
    leaves: Cell | None
    back: Cell
    turn: str = ""
    angle: int = 0
    colours: tuple[tuple[str, ...], ...] = ()
    limits: tuple[int, ...] = ()

    def cells(self) -> list[Cell]:
        """(row, lane) of each of its spaces."""
        return [(self.first[0] + i, self.first[1]) for i in range(self.spaces)]


# Reading


def take_roads(check: Checker, table: dict, across: Across, lanes: int | None, taken: set[Cell]) -> list[Road]:
    """The roads of a track file; errors are noted. ``taken`` are the spaces of a start card."""
    roads: list[Road] = []
    taken = set(taken)
    rows = len(across)
    for i, one in enumerate(check.take_tables(table, (), "road", needed=False)):
        road = _take_road(check, one, ("road", i), across, lanes)
        if road is None:
            continue
        twice = [cell for cell in road.cells() if cell in taken or cell[1] <= (lanes or 0)]
        if rows and (twice or road.cells()[-1][0] > rows):
            check.note(("road", i, "name"), f"Expected a name whose {road.spaces} rows end by row {rows}, in a lane that "
                       "neither the rows nor another road use; choose another lane or row.")
        taken.update(road.cells())
        roads.append(road)
    return roads


def _take_road(check: Checker, table: dict, where: tuple, across: Across, lanes: int | None) -> Road | None:
    before = len(check.problems)
    kind = check.take_word(table, where, "kind", tuple(ROAD_KINDS))
    needs = ROAD_KINDS.get(kind or "", ())
    known = ("kind", "name", "spaces", "to", "colours", "limits")
    check.known(table, where, known + tuple(needs if kind else ("from", "turn", "angle")))
    first = take_space(check, table, where, "name")
    spaces = check.take_int(table, where, "spaces", 1, MOST_SPACES)
    joined = {}
    for key in ("to", *(("from",) if "from" in needs else ())):
        joined[key] = take_space(check, table, where, key)
        say = no_such_space(joined[key], across, lanes)
        if say:
            check.note((*where, key), say + ".")
    turn = check.take_word(table, where, "turn", ("left", "right")) if "turn" in needs else ""
    angle = check.take_int(table, where, "angle", 0, 90) if "angle" in needs else 0
    colours = take_colours(check, table, where, "colours")
    limits = check.take_ints(table, where, "limits", spaces or 1, 0, 30, [])
    if len(check.problems) > before:
        return None
    paint = [colours[i % len(colours)] if colours else () for i in range(spaces)]
    return Road(kind, first, spaces, joined.get("from"), joined["to"], turn, angle, tuple(paint),
                tuple(limits or ()))


def take_space(check: Checker, table: dict, where: tuple, key: str) -> Cell | None:
    """(row, lane) of a space named in a file."""
    name = check.take_text(table, where, key, SPACE_FORM, SPACE_MEANS)
    return (int(name[:-1]), LANE_LETTERS.index(name[-1]) + 1) if name else None


def take_colours(check: Checker, table: dict, where: tuple, key: str) -> list[tuple[str, ...]]:
    """A list of colours, each a word or two with a slash between them; [] if the key is missing."""
    words = check.take(table, where, key, list, [])
    found = []
    for word in words or []:
        colour = _colour(check, (*where, key), word)
        if colour:
            found.append(colour)
    return found


def _colour(check: Checker, where: tuple, word: object) -> tuple[str, ...] | None:
    parts = tuple(word.split("/")) if isinstance(word, str) else ()
    if not 1 <= len(parts) <= 2 or any(part not in COLOURS for part in parts):
        check.note(where, f"Expected one of {', '.join(COLOURS)}, or two such as \"black/gold\", found {word!r}.")
        return None
    return parts


def no_such_space(cell: Cell | None, across: Across, lanes: int | None) -> str:
    """What is wrong with a space that is in no row; "" if a row has it, or if that can't be known yet."""
    if cell is None or not across or not lanes:
        return ""
    row, lane = cell
    if row > len(across) or lane > lanes:
        return f"Expected a space in a row, up to {len(across)}{LANE_LETTERS[lanes - 1]}"
    low, wide = across[row - 1]
    return "" if low <= lane < low + wide else f"Row {row} is narrower and has no space {row}{LANE_LETTERS[lane - 1]}"


def take_paints(check: Checker, table: dict, across: Across, lanes: int | None) -> list[tuple[Cell, tuple[str, ...]]]:
    """(cell, colours) of each single painted space."""
    paints = []
    for i, one in enumerate(check.take_tables(table, (), "paint", needed=False)):
        check.known(one, ("paint", i), ("space", "colour"))
        space = take_space(check, one, ("paint", i), "space")
        word = check.take(one, ("paint", i), "colour", str)
        colour = _colour(check, ("paint", i, "colour"), word) if word is not None else None
        say = no_such_space(space, across, lanes)
        if say:
            check.note(("paint", i, "space"), say + "; a road has its own colours.")
        if space and colour:
            paints.append((space, colour))
    return paints


# The graph


def join_roads(graph: Graph, roads: tuple[Road, ...]) -> None:
    """Adds the roads' spaces to a graph whose rows are already joined."""
    number = {cell: space for space, cell in enumerate(graph.spaces())}
    for road in roads:
        first = len(number)
        for cell in road.cells():
            number[cell] = len(number)
            graph.extra.append(cell)
        spaces = list(range(first, first + road.spaces))
        back = number[road.back]
        graph.beside += [[] for _ in spaces]
        if road.kind == "ramp":
            graph.ahead += [[before] for before in [back, *spaces[:-1]]]
            graph.branch += [[deeper] for deeper in spaces[1:]] + [[]]
        else:
            graph.ahead += [[after] for after in [*spaces[1:], back]]
            graph.branch += [[] for _ in spaces]
        leaves = number[road.leaves] if road.leaves else -1
        if road.leaves:
            graph.branch[leaves].append(first)
        graph.roads.append([road.kind, leaves, first, road.spaces, back])


def painted(source: TrackSource) -> list[tuple[str, ...]]:
    """The colours of every space of a track, rows first; [] if it isn't painted."""
    if not source.colours and not source.paints and not any(any(road.colours) for road in source.roads):
        return []
    single = dict(source.paints)
    out = []
    for row, (low, lanes) in enumerate(source.row_lanes(), 1):
        colour = source.colours[(row - 1) % len(source.colours)] if source.colours else ()
        out += [single.get((row, lane), colour) for lane in range(low, low + lanes)]
    for road in source.roads:
        out += list(road.colours)
    return out


def paint_hex(colours: list[tuple[str, ...]]) -> str:
    """The same as stored in a pack: two hex digits per space."""
    halves = [[COLOURS.index(word) + 1 for word in words] + [0, 0] for words in colours]
    return "".join(f"{second:x}{first:x}" for first, second, *_ in halves)


# The drawing


@dataclass(frozen=True)
class RoadLine:
    """The middle of a road for a pitch of 1, y up: points a short way apart. Its spaces, each ``long``, begin ``before``
    its first point."""

    road: Road
    points: list[tuple[float, float]]
    before: float = 0.5
    long: float = 1.0

    def at(self, distance: float) -> tuple[float, float, float]:
        """(x, y, heading) at this distance from its beginning."""
        left = max(distance, 0.0)
        for one, other in pairwise(self.points):
            length = math.dist(one, other)
            if left <= length or other == self.points[-1]:
                part = left / length
                heading = math.atan2(other[1] - one[1], other[0] - one[0])
                return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part, heading
            left -= length
        raise AssertionError("a road has at least two points")

    def space(self, i: int) -> tuple[float, float]:
        """Where space i (from 0) begins and ends."""
        return self.before + i * self.long, self.before + (i + 1) * self.long


def lay_roads(source: TrackSource, line: Line, lane: float) -> list[RoadLine]:
    """The lines of a track's roads beside its main road; ``lane`` is the width of a lane in pitches. Raises BadTrack if a
    road has no room."""
    lines = [_lay_road(source, line, lane, road) for road in source.roads]
    _check_room(source, line, lane, lines)
    return lines


def _middle(source: TrackSource, line: Line, lane: float, cell: Cell) -> tuple[float, float, float]:
    x, y, heading = line.at(cell[0] - 0.5)
    left = _left(source, lane, cell[1])
    return x - left * math.sin(heading), y + left * math.cos(heading), heading


def _lay_road(source: TrackSource, line: Line, lane: float, road: Road) -> RoadLine:
    side = 1 if road.turn == "left" else -1
    end = _middle(source, line, lane, road.back)
    if road.kind == "start":
        heading = end[2] + math.radians(road.angle)
        back = road.spaces + 1
        begin = end[0] - back * math.cos(heading), end[1] - back * math.sin(heading)
        return RoadLine(road, [begin, end[:2]])
    begin = _middle(source, line, lane, road.leaves)
    if road.kind == "ramp":
        heading = begin[2] + side * math.radians(road.angle)
        far = road.spaces + 2
        return RoadLine(road, [begin[:2], (begin[0] + far * math.cos(heading), begin[1] + far * math.sin(heading))], 0.75)
    bow = RoadLine(road, _bow(source, begin, end, side, road))
    if road.leaves[0] < road.back[0] and _covers(bow, source, line, lane):
        beside = _beside(line, lane, _left(source, lane, road.back[1]), side, road)
        if beside is not None:
            return beside
    return bow


def _left(source: TrackSource, lane: float, at: int) -> float:
    """How far left of the road's middle the middle of a lane is."""
    return ((source.lanes + 1) / 2 - at) * lane


def _covers(bow: RoadLine, source: TrackSource, line: Line, lane: float) -> bool:
    """Whether a road overlaps the rows between its two ends."""
    rows = [line.at(bow.road.leaves[0] - 0.5 + at / 10) for at in range(10 * (bow.road.back[0] - bow.road.leaves[0]) + 1)]
    first, last = bow.space(0)[0], bow.space(bow.road.spaces - 1)[1]
    for at in range(PIECES // 4 + 1):
        x, y, heading = bow.at(first + (last - first) * at / (PIECES // 4))
        for left in (lane / 2, -lane / 2):
            point = x - left * math.sin(heading), y + left * math.cos(heading)
            if min(math.dist(point, row[:2]) for row in rows) < source.lanes * lane / 2 - ON_THE_ROWS:
                return True
    return False


def _beside(line: Line, lane: float, left: float, side: int, road: Road) -> RoadLine | None:
    """A road that runs along the rows, close to them or as far away as its spaces need; None if it is too short for that.
    ``left``: how far left of the road's middle the lane is that it leaves and rejoins."""
    begin, end = road.leaves[0] - 0.5, road.back[0] - 0.5

    def way(off: float) -> list[tuple[float, float]]:
        """Out at a right angle, round, alongside, and back in."""
        bend = min(WIDEST_BEND, off - lane / 2, (end - begin) / 2)
        turns = [(bend * (1 - math.cos(at * math.pi / 2 / 16)), off - bend * (1 - math.sin(at * math.pi / 2 / 16)))
                 for at in range(17)]
        flat = [(begin + along, out) for along, out in [(0.0, 0.0), *turns]]
        steps = 8 * math.ceil(end - begin)
        flat += [(begin + bend + (end - begin - 2 * bend) * at / steps, off) for at in range(1, steps)]
        flat += [(end - along, out) for along, out in [*reversed(turns), (0.0, 0.0)]]
        points = []
        for distance, out in flat:
            x, y, heading = line.at(distance)
            aside = left + side * out
            points.append((x - aside * math.sin(heading), y + aside * math.cos(heading)))
        return points

    def length(off: float) -> float:
        return sum(math.dist(one, other) for one, other in pairwise(way(off)))

    low, high = lane * BESIDE, lane * BESIDE + road.spaces
    needed = road.spaces + lane
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if length(middle) < needed else (low, middle)
    long = (length(high) - lane) / road.spaces
    return RoadLine(road, way(high), lane / 2, long) if SHORTEST <= long <= LONGEST else None


def _bow(source: TrackSource, begin, end, side: int, road: Road) -> list[tuple[float, float]]:
    """A curve that leaves at a right angle, returns at one, and is as long as the road needs. If it would fold, as
    across a loop, it leans to one side just enough to unfold."""
    needed = road.spaces + 1
    if math.dist(begin[:2], end[:2]) > needed:
        raise BadTrack(f"The side road {road.first[0]}{LANE_LETTERS[road.first[1] - 1]} of {source.id} is too short: it "
                       f"bridges {math.dist(begin[:2], end[:2]):.1f} rows with {road.spaces} spaces; give it more.")

    def curve(reach: float, lean: float) -> list[tuple[float, float]]:
        ways_out = (begin[2] + side * math.pi / 2 - lean, end[2] + side * math.pi / 2 + lean)
        handles = [(x + reach * math.cos(way), y + reach * math.sin(way))
                   for (x, y, _), way in zip((begin, end), ways_out)]
        out = []
        for i in range(PIECES + 1):
            t = i / PIECES
            parts = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            ways = (begin, handles[0], handles[1], end)
            out.append((sum(p * w[0] for p, w in zip(parts, ways)), sum(p * w[1] for p, w in zip(parts, ways))))
        return out

    def bow(lean: float) -> list[tuple[float, float]]:
        low, high = 0.0, 4.0 * needed
        for _ in range(50):
            middle = (low + high) / 2
            if sum(math.dist(one, other) for one, other in pairwise(curve(middle, lean))) < needed:
                low = middle
            else:
                high = middle
        return curve(low, lean)

    bows = (bow(math.radians(lean)) for lean in LEANS)
    return next((one for one in bows if not _folds(RoadLine(road, one))), bow(0.0))


def _folds(line: RoadLine) -> tuple[Cell, Cell] | None:
    """Two spaces of a road that overlap, or neighbours round a turn that is too tight to be one; None if there are
    none."""
    middles = [line.at(sum(line.space(i)) / 2)[:2] for i in range(line.road.spaces)]
    cells = line.road.cells()
    for i, j in combinations(range(line.road.spaces), 2):
        if math.dist(middles[i], middles[j]) < (ROOM if j > i + 1 else BEND):
            return cells[i], cells[j]
    return None


def _check_room(source: TrackSource, line: Line, lane: float, lines: list[RoadLine]) -> None:
    known = [((row, at), _middle(source, line, lane, (row, at))[:2], (row,))
             for row, (low, lanes) in enumerate(source.row_lanes(), 1) for at in range(low, low + lanes)]
    for one in lines:
        folded = _folds(one)
        if folded:
            names = [f"{row}{LANE_LETTERS[at - 1]}" for row, at in folded]
            raise BadTrack(f"The road of {source.id} folds: its spaces {names[0]} and {names[1]} overlap; give "
                           "it fewer spaces, or move from and to apart or together by two or three rows.")
        near = {one.road.back[0], *((one.road.leaves[0],) if one.road.leaves else ())}
        here = []
        for i, cell in enumerate(one.road.cells()):
            middle = one.at(sum(one.space(i)) / 2)[:2]
            for other, where, rows in known:
                touches = any(abs(row - joined) <= 1 for row in rows for joined in near)
                if not touches and math.dist(middle, where) < ROOM:
                    names = [f"{row}{LANE_LETTERS[at - 1]}" for row, at in (cell, other)]
                    raise BadTrack(f"The spaces {names[0]} and {names[1]} of {source.id} overlap; turn the road "
                                   "to the other side, or bend the track away from it.")
            here.append((cell, middle, ()))
        known += here
