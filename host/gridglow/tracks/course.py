"""The features of courses from a start card to a finish card: numbers on corner spaces, red numbers beside the road,
speed barriers, and the start card itself: its rows are as wide as row 1, its spaces `1e 1f …` (the front row), `2e 2f …`.
If such a road gets narrower or wider, its right lanes end and begin.

::

    [[section]]
    limit = 5            # of a corner; or [4, 5, 6], a number for each lane from the left
    upgrades = 2         # the red number beside it

    [[barrier]]
    row = 41             # the line behind this row
    speed = 10

    [[overpass]]
    row = 31             # another road leads over the line behind this row: only drawings need it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridglow.tracks.levels import start_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridglow.tomlfile import Checker
    from gridglow.tracks.pack import Graph
    from gridglow.tracks.source import Section, TrackSource

MOST_LIMIT = 30
#: The lane of the start card's leftmost space: e, after the four that a road can have.
START_LANE = 5


def start_rows(game: str | None, wide: int) -> int:
    """The number of rows of a start card of this width."""
    return -(-start_card(game) // wide)


def start_spaces(game: str | None, wide: int) -> list[tuple[int, int]]:
    """(row, lane) of the start card's spaces, in the order of their numbers."""
    return [(row + 1, START_LANE + lane) for row in range(start_rows(game, wide)) for lane in range(wide)]


# Reading


def take_limits(check: Checker, table: dict, where: tuple, lanes: int | None) -> tuple[int, ...]:
    """The numbers on a corner's spaces: one, or one per lane; () if there are none."""
    if not isinstance(table.get("limit"), list):
        limit = check.take_int(table, where, "limit", 1, MOST_LIMIT, 0)
        return (limit,) if limit else ()
    limits = check.take(table, where, "limit", list, [])
    right = [one for one in limits if isinstance(one, int) and not isinstance(one, bool) and 1 <= one <= MOST_LIMIT]
    if len(right) != len(limits) or lanes and len(limits) != lanes:
        check.note((*where, "limit"), f"Expected a number from 1 to {MOST_LIMIT}, or a list with one for each of the "
                   f"{lanes or 'road'} lanes, found {limits!r}.")
        return ()
    return tuple(limits)


def take_barriers(check: Checker, table: dict, rows: int, closed: bool | None) -> list[tuple[int, int]]:
    """(row, speed) of each speed barrier, which is behind its row."""
    barriers: list[tuple[int, int]] = []
    for i, one in enumerate(check.take_tables(table, (), "barrier", needed=False)):
        check.known(one, ("barrier", i), ("row", "speed"))
        row = check.take_int(one, ("barrier", i), "row", 1, max(1, (rows or 400) - (0 if closed else 1)))
        speed = check.take_int(one, ("barrier", i), "speed", 1, MOST_LIMIT)
        if row in [known for known, _ in barriers]:
            check.note(("barrier", i, "row"), f"There already is a barrier behind row {row}; remove one of the two.")
        elif row and speed:
            barriers.append((row, speed))
    return sorted(barriers)


def take_overpasses(check: Checker, table: dict, rows: int) -> list[int]:
    """The rows behind which another road crosses above this one; the spaces on both sides of it are neighbours."""
    found = []
    for i, one in enumerate(check.take_tables(table, (), "overpass", needed=False)):
        check.known(one, ("overpass", i), ("row",))
        found.append(check.take_int(one, ("overpass", i), "row", 1, max(1, (rows or 400) - 1)))
    return sorted({row for row in found if row})


# The graph


def lane_problems(source: TrackSource) -> list[str]:
    """The problems with a source's lanes; see ``lane_ends``."""
    if not source.left_aligned:
        return []
    found = lane_ends(source.sections, source.lanes, source.closed)
    return [f"{say[:-1]} ({source.id})." for _, say in found]


def lane_ends(sections: Sequence[Section], lanes: int, closed: bool) -> list[tuple[int, str]]:
    """(section, sentence) for each place on a road with a start card where lanes end or begin in a corner: no car could
    leave them there, as lanes are changed on straights only. Other roads have narrow stretches in the middle instead."""
    found = []
    rows = sum(section.rows for section in sections)
    row = 0
    for i, section in enumerate(sections):
        after = (i + 1) % len(sections)
        row += section.rows
        if row == rows and not closed:
            break
        wide, then = section.lanes or lanes, sections[after].lanes or lanes
        if wide > then and section.limits or wide < then and sections[after].limits:
            where = f"row {row}" if section.limits else f"row {row % rows + 1}"
            found.append((after, f"Lanes can't {'end' if wide > then else 'begin'} in the corner of {where}; put a straight "
                          f"row of {max(wide, then)} lanes between."))
    return found


def join_start_card(graph: Graph, source: TrackSource) -> None:
    """Adds the start card's spaces after all others: each leads to the one ahead, the front row to row 1."""
    if not source.start_rows:
        return
    wide = source.row_lanes()[0][1]
    first = len(graph.spaces())
    for at, space in enumerate(start_spaces(source.game, wide)):
        graph.extra.append(space)
        graph.ahead.append([at if at < wide else first + at - wide])
        graph.beside.append([])
        graph.branch.append([])
    graph.roads.append(["start", -1, first, source.start_rows * wide, 0])


def limit_hex(source: TrackSource, spaces: int) -> str:
    """The numbers on all spaces as stored in a pack, two hex digits per space; "" if no space has one."""
    across = source.row_lanes()
    limits: list[int] = []
    single = dict(source.limits)
    row = 0
    for section in source.sections:
        for _ in range(section.rows):
            low, wide = across[row]
            row += 1
            ones = section.limits or (0,)
            limits += [single.get((row, low + at), ones[(low + at - 1) % len(ones)]) for at in range(wide)]
    for road in source.roads:
        limits += road.limits or [0] * road.spaces
    limits += [0] * (spaces - len(limits))
    return "".join(f"{one:02x}" for one in limits) if any(limits) else ""


def start_places(source: TrackSource) -> list[tuple[int, int]]:
    """(row, lane), each from 0, of the start card's spaces, in the order of their numbers."""
    wide = source.row_lanes()[0][1]
    return [(row, lane) for row in range(source.start_rows) for lane in range(wide)]
