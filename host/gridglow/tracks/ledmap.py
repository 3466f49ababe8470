"""Which pixel lights which space.

``lane``: one pixel per space, wired in a zigzag, row by row: across from the left lane to the right, and back in the
next row. ``row``: one pixel per row, shared by the lanes. Roads beside the rows have their own pixels. The board
decides: ``lane`` if its track output carries that many pixels, else ``row``, else the pairing is refused. Neither is
part of the track's hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared_rules.errors import GridglowError
from shared_rules.track import Track

if TYPE_CHECKING:
    from gridglow.boards.boardfile import Board, Module

LIGHTS = ("lane", "row")


class DoesNotFit(GridglowError):
    """A track that a board can't light; the sentence gives the numbers."""


@dataclass(frozen=True)
class LedMap:
    """``leds[space]`` is the pixel of a space, ``pixels`` how many there are, ``output`` the number (from 0)
    of the board's track output, ``hash`` the track's."""

    hash: str
    mode: str
    output: int
    pixels: int
    leds: list[int]

    def plain(self) -> dict:
        """The content of ``tracks/ID.leds`` for a board."""
        return {"hash": self.hash, "mode": self.mode, "output": self.output, "leds": self.leds}


Row = tuple[str, list[int], list[int]]  # its name, its spaces, the lane of each


def wire_order(track: Track, mode: str) -> list[tuple[str, list[int]]]:
    """What the pixels of a module light, in wire order: (name for people, spaces).

    ``lane``: one space each, back and forth across the lanes; ``row``: one row each, named by its first space on a road.
    A start card comes before row 1, from its back row on; any other road after the row that it leaves, outward along every
    second space and back along those in between. So no wire between pixels is long.
    """
    order: list[tuple[str, list[int]]] = []
    rows = _start_rows(track)
    # A wire ends beside row 1 if it comes from the other side, or goes there and back.
    lane = rows[0][2][-1 if len(rows) % 2 == 0 and track.closed else 0] if rows else 1
    for name, across, lanes in rows + _road_rows(track, mode):
        if mode == "row":
            order.append((name, across))
            continue
        if abs(lanes[-1] - lane) < abs(lanes[0] - lane):
            across, lanes = across[::-1], lanes[::-1]
        order += [(track.space_name(space), [space]) for space in across]
        lane = lanes[-1]
    return order


def _rows_of_road(track: Track, first: int, count: int) -> list[list[int]]:
    here: dict[int, list[int]] = {}
    for space in range(first, first + count):
        here.setdefault(track.row(space), []).append(space)
    return list(here.values())


def _start_rows(track: Track) -> list[Row]:
    """The rows of the start, from the back. On a loop they are outside its last rows: lanes continue to them,
    starting with the far one."""
    rows: list[Row] = []
    for kind, _, first, count, _ in track.roads:
        if kind == "start":
            road = _rows_of_road(track, first, count)
            front_first = track.ahead(first)[0] < track.in_rows
            for across in road[::-1] if front_first else road:
                lanes = list(range(1, len(across) + 1))
                if track.closed and _turns_right(track):
                    lanes = [lane - len(across) - 1 for lane in lanes]
                elif track.closed:
                    across, lanes = across[::-1], [lane + track.lanes + 1 for lane in lanes[::-1]]
                rows.append((track.space_name(across[0]), across, lanes))
    return rows


def _turns_right(track: Track) -> bool:
    turns = {turn: sum(one.rows for one in track.sections if one.turn == turn) for turn in ("left", "right")}
    return turns["right"] > turns["left"]


def _road_rows(track: Track, mode: str) -> list[Row]:
    """All rows, with those of roads beside them in between. If every space has a pixel, the spaces of a turn with a shorter
    inner lane come one by one."""
    rows: list[list[Row]] = []
    for section in track.sections:
        turn = [track.row_spaces(row) for row in range(section.first_row, section.first_row + section.rows)]
        if mode == "lane" and len({len(across) for across in turn}) > 1:
            rows += _along_turn(track, turn)
        else:
            rows += [[(str(section.first_row + i), across, [track.lane(space) for space in across])]
                     for i, across in enumerate(turn)]
    for kind, leaves, first, count, _ in track.roads:
        if kind != "start":
            road = [(track.space_name(across[0]), across, [track.lane(leaves)] * len(across))
                    for across in _rows_of_road(track, first, count)]
            rows[track.row(leaves) - 1] += road[::2] + road[1::2][::-1]
    return [one for row in rows for one in row]


def _along_turn(track: Track, turn: list[list[int]]) -> list[list[Row]]:
    """The spaces of a turn whose inner lane is shorter, in the order along it: inner ones are as long as the turn needs."""
    inner = len([across for across in turn if len(across) > 1])
    outer_lane = track.lane(turn[-1][0])
    middles = []
    for i, across in enumerate(turn):
        for space in across:
            middle = (i + 0.5) * (1 if track.lane(space) == outer_lane else len(turn) / inner)
            middles.append((middle, space))
    rows: list[list[Row]] = [[] for _ in turn]
    for middle, space in sorted(middles):
        rows[min(int(middle), len(turn) - 1)].append((track.space_name(space), [space], [track.lane(space)]))
    return rows


def map_walked(
    track: Track,
    mode: str,
    output: int = 0,
    skip: Iterable[int] = (),
    jumps: Iterable[tuple[int, str]] = (),
) -> LedMap:
    """The map of a module whose wire differs from ``wire_order``: pixels (from 1) in ``skip`` light nothing and the rest
    shifts; at each (pixel, name) of ``jumps`` the wire goes on from there.

    Raises DoesNotFit if the track has no space or row of that name.
    """
    order = wire_order(track, mode)
    index_of = {name: index for index, (name, _) in enumerate(order)}
    dark, at = set(skip), dict(jumps)
    for name in at.values():
        if name not in index_of:
            what = "space" if mode == "lane" else "row"
            raise DoesNotFit(f"The track {track.id} has no {what} {name!r}, which the board file names for its module; walk "
                             f"it again with: gridglow walk --track {track.id}")
    leds = [-1] * track.count
    index, pixel = 0, 1
    last = max(at, default=0)
    while index < len(order) or pixel <= last:
        index = index_of[at[pixel]] if pixel in at else index
        if pixel not in dark and index < len(order):
            for space in order[index][1]:
                leds[space] = pixel - 1
            index += 1
        pixel += 1
    return LedMap(track.hash, mode, output, max(leds, default=-1) + 1, leds)


def map_by_space(track: Track, output: int = 0) -> LedMap:
    """One pixel per space, in wire order: back and forth across the lanes."""
    return map_walked(track, "lane", output)


def map_by_row(track: Track, output: int = 0) -> LedMap:
    """One pixel per row, including those of roads."""
    return map_walked(track, "row", output)


def _map_on(track: Track, mode: str, skip: tuple[int, ...], module: Module | None, output: int) -> LedMap:
    """The map on an output with these dark pixels; a module walked in this lighting has its own map."""
    if module is None or module.light != mode:
        return map_walked(track, mode, output, skip)
    return map_walked(track, mode, output, {*skip, *module.skip}, module.jumps)


def map_leds(track: Track, board: Board, light: str | None = None) -> LedMap:
    """The map for this board; ``light`` "lane" or "row" overrides the board's choice. Includes the dark pixels of its
    output and the results of walking the track's module.

    Raises DoesNotFit with the numbers if the board has too few pixels.
    """
    if light not in (None, *LIGHTS):
        raise DoesNotFit(f"Expected 'lane' or 'row' for --light, found {light!r}.")
    output = next((i for i, one in enumerate(board.outputs) if one.use == "track"), None)
    if output is None:
        raise DoesNotFit(
            f'The board {board.id} has no output for a track; give one of its outputs use = "track".'
        )
    carries = board.outputs[output].pixels_max
    module = next((one for one in board.modules if one.track == track.id), None)
    maps = {mode: _map_on(track, mode, board.outputs[output].skip, module, output) for mode in LIGHTS}
    first = module.light if module and light is None else light
    for mode in LIGHTS if first is None else (first,):
        if maps[mode].pixels <= carries:
            return maps[mode]
    needs = {mode: one.pixels for mode, one in maps.items()}
    light = first
    asked = {
        None: f"{needs['lane']} pixels lit by space and {needs['row']} lit by row",
        "lane": f"{needs['lane']} pixels lit by space ({needs['row']} lit by row)",
        "row": f"{needs['row']} pixels lit by row",
    }[light]
    raise DoesNotFit(
        f"The track {track.id} doesn't fit the board {board.id}: it needs {asked}, output "
        f"{board.outputs[output].number} carries {carries}; use a shorter track or a larger board."
    )
