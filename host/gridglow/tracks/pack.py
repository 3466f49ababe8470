"""From a track's sections to the graph that the rules move on, and from the graph to its pack.

``build_graph`` joins up a plain road, ``roads.join_roads`` adds what is beside it, ``course.py`` what courses
from a start card to a finish card have in addition.
"""

from __future__ import annotations

import binascii
import json
import struct
from dataclasses import dataclass, field
from itertools import pairwise

from gridglow.tracks.course import join_start_card, lane_problems, limit_hex
from gridglow.tracks.roads import join_roads, paint_hex, painted
from gridglow.tracks.source import TrackSource
from shared_rules.errors import BadTrack
from shared_rules.track import LANE_LETTERS
from shared_rules.track_read import FORMAT, HEAD, HEAD_BYTES, MAGIC


@dataclass
class Graph:
    """A track ready to be packed.

    ``row_lanes`` holds (leftmost lane, number of lanes) per row. Spaces in rows are numbered row by row from
    the left; ``extra`` adds (row, lane) of further spaces after them. ``ahead``, ``beside``, ``branch`` are a
    list of spaces per space. ``sections`` are [kind, turn, difficulty, rows, hill] as the rules see
    them; ``roads`` [kind, space it leaves or -1, first space, spaces, space it leads to]; ``painted`` the colours of
    every space, as ``roads.paint_hex`` writes them, ``limits`` the numbers on them as ``course.limit_hex`` does;
    ``barriers`` are [row, speed], ``upgrades`` is the sum of the red numbers.
    """

    id: str
    name: str
    game: str
    level: str
    number: int
    laps: int
    closed: bool
    reversible: bool
    row_lanes: list[tuple[int, int]]
    sections: list[list]
    extra: list[tuple[int, int]] = field(default_factory=list)
    ahead: list[list[int]] = field(default_factory=list)
    beside: list[list[int]] = field(default_factory=list)
    branch: list[list[int]] = field(default_factory=list)
    marks: list[list] = field(default_factory=list)
    roads: list[list] = field(default_factory=list)
    painted: str = ""
    limits: str = ""
    barriers: list[list[int]] = field(default_factory=list)
    upgrades: int = 0
    die: tuple[str, ...] = ()
    cards: tuple[tuple[int, str], ...] = ()

    def spaces(self) -> list[tuple[int, int]]:
        """(row, lane) of every space, in the order of their numbers."""
        across = [(row, low + i) for row, (low, lanes) in enumerate(self.row_lanes, 1) for i in range(lanes)]
        return across + self.extra


def build_graph(source: TrackSource) -> Graph:
    """The graph of a road: all lanes in all rows, one step ahead with at most one lane change, and what is
    beside it. Raises BadTrack if lanes end or begin in a corner."""
    problems = lane_problems(source)
    if problems:
        raise BadTrack(" ".join(problems))
    graph = Graph(
        id=source.id,
        name=source.name,
        game=source.game,
        level=source.level,
        number=source.number,
        laps=source.laps,
        closed=source.closed,
        reversible=source.reversible,
        row_lanes=source.row_lanes(),
        sections=[[s.rule_kind, s.rule_turn, s.rule_difficulty, s.rows, s.hill] for s in source.sections],
    )
    join_rows(graph)
    join_turns(graph, source)
    join_roads(graph, source.roads)
    join_start_card(graph, source)
    graph.limits = limit_hex(source, len(graph.spaces()))
    graph.barriers = [list(one) for one in source.barriers]
    graph.upgrades = sum(section.upgrades for section in source.sections)
    graph.painted = paint_hex(painted(source))
    graph.die, graph.cards = source.die, source.cards
    spaces = {cell: number for number, cell in enumerate(graph.spaces())}
    graph.marks = [[spaces[row, lane], word] for row, lane, word in source.marks]
    return graph


def join_rows(graph: Graph) -> None:
    """Fills ``ahead``, ``beside`` and ``branch`` of all spaces in rows; spaces beside the rows are left
    out."""
    rows = len(graph.row_lanes)
    spaces = graph.spaces()
    in_rows = len(spaces) - len(graph.extra)
    number = {cell: s for s, cell in enumerate(spaces[:in_rows])}
    graph.ahead, graph.beside = [], []
    for row, lane in spaces[:in_rows]:
        following = row + 1 if row < rows else (1 if graph.closed else 0)
        graph.ahead.append(
            [number[following, to] for to in (lane, lane - 1, lane + 1) if (following, to) in number]
        )
        graph.beside.append([number[row, to] for to in (lane - 1, lane + 1) if (row, to) in number])
    graph.ahead += [[] for _ in graph.extra]
    graph.beside += [[] for _ in graph.extra]
    graph.branch = [[] for _ in spaces]


def join_turns(graph: Graph, source: TrackSource) -> None:
    """Joins the lanes of each turn whose inner lane is shorter: a car in a lane stays in it until the turn's end."""
    number = {cell: space for space, cell in enumerate(graph.spaces())}
    done = 0
    for section in source.sections:
        rows = range(done + 1, done + section.rows + 1)
        done = rows[-1]
        if not section.inner:
            continue
        before = done - section.rows or (source.rows if source.closed else 0)
        after = done + 1 if done < source.rows else int(source.closed)
        lanes = {lane: [number[row, lane] for row in rows if (row, lane) in number] for lane in (1, 2)}
        for lane, spaces in lanes.items():
            for one, other in pairwise(spaces):
                graph.ahead[one] = [other]
            graph.ahead[spaces[-1]] = [number[after, to] for to in (lane, 3 - lane) if (after, to) in number]
            if (before, lane) in number:
                graph.ahead[number[before, lane]] = [lanes[lane][0], lanes[3 - lane][0]]


def pack_graph(graph: Graph) -> bytes:
    """The bytes that ``shared_rules.track.Track.unpack`` reads. Raises BadTrack for a graph that doesn't fit a pack."""
    spaces = graph.spaces()
    if not spaces or len(spaces) > 4000 or len(graph.sections) > 255:
        raise BadTrack(
            f"A track pack holds 1 to 4000 spaces in at most 255 sections, but {graph.id} has "
            f"{len(spaces)} in {len(graph.sections)}; make the track smaller."
        )
    if max(lane for _, lane in spaces) > len(LANE_LETTERS):
        raise BadTrack(f"Lanes go up to {LANE_LETTERS[-1]}, but {graph.id} has more; make the track narrower.")
    # Features that few tracks have are left out of the other packs.
    keys = ("roads", "painted", "limits", "barriers", "upgrades", "die", "cards")
    more = {key: getattr(graph, key) for key in keys if getattr(graph, key)}
    meta = json.dumps(
        {
            "id": graph.id,
            "name": graph.name,
            "game": graph.game,
            "level": graph.level,
            "number": graph.number,
            "laps": graph.laps,
            "reversible": int(graph.reversible),
            "sections": graph.sections,
            "marks": graph.marks,
            **more,
        },
        separators=(",", ":"),
        ensure_ascii=True,
    ).encode("ascii")
    first, firsts = 0, []
    for _, lanes in graph.row_lanes:
        firsts.append(first)
        first += lanes
    body = meta + _words(firsts)
    body += bytes(low for low, _ in graph.row_lanes) + bytes(lanes for _, lanes in graph.row_lanes)
    body += _words([row for row, _ in spaces]) + bytes(lane for _, lane in spaces)
    for lists in (graph.ahead, graph.beside, graph.branch):
        body += _lists(lists)
    edges = [sum(len(some) for some in lists) for lists in (graph.ahead, graph.beside, graph.branch)]
    head = struct.pack(
        HEAD,
        MAGIC,
        FORMAT,
        int(graph.closed),
        len(meta),
        len(graph.row_lanes),
        first,
        len(spaces),
        *edges,
        HEAD_BYTES + len(body) + 4,
    )
    return head + body + struct.pack("<I", binascii.crc32(head + body))


def pack_source(source: TrackSource) -> bytes:
    """The pack of a track source, for boards and rules."""
    return pack_graph(build_graph(source))


def _words(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}H", *numbers)


def _lists(lists: list[list[int]]) -> bytes:
    starts = [0]
    for some in lists:
        starts.append(starts[-1] + len(some))
    return _words(starts) + _words([space for some in lists for space in some])
