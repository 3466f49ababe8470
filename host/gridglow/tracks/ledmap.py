"""Which pixel lights which space.

``lane``: a pixel a space, wired in a zigzag, row by row: across from the left lane to the right, in the next
row back. ``row``: a pixel a row; the lanes share it. Roads beside the rows come last, with pixels of their own. The board
decides: ``lane`` where its track output carries that many pixels, else ``row``, else the pairing is refused. Neither is
part of the track's hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared_rules.errors import GridglowError
from shared_rules.track import Track

if TYPE_CHECKING:
    from gridglow.hardware.boardfile import Board, Module

LIGHTS = ("lane", "row")


class DoesNotFit(GridglowError):
    """A track that a board can't light; the sentence has the numbers."""


@dataclass(frozen=True)
class LedMap:
    """``leds[space]`` is the pixel of a space, ``pixels`` how many there are, ``output`` the place (from 0)
    of the board's track output, ``hash`` the track's."""

    hash: str
    mode: str
    output: int
    pixels: int
    leds: list[int]

    def plain(self) -> dict:
        """What a board gets as ``tracks/ID.leds``."""
        return {"hash": self.hash, "mode": self.mode, "output": self.output, "leds": self.leds}


def wire_order(track: Track, mode: str) -> list[tuple[str, list[int]]]:
    """What the pixels of a module light, in the order of the wire: (name as people say it, spaces).

    ``lane``: a space each, there and back across the lanes, spaces beside the rows last; ``row``: a row each, then a row of
    each road, by the name of its first space: a road may lie far from the row that it is named after.
    """
    if mode == "row":
        rows = [(str(row), track.row_spaces(row)) for row in range(1, track.rows + 1)]
        for _, _, first, spaces, _ in track.roads:
            here: dict[int, list[int]] = {}
            for space in range(first, first + spaces):
                here.setdefault(track.row(space), []).append(space)
            rows += [(track.space_name(across[0]), across) for across in here.values()]
        return rows
    order: list[int] = []
    for row in range(1, track.rows + 1):
        across = track.row_spaces(row)
        order += across if row % 2 else list(reversed(across))
    known = set(order)
    order += [space for space in range(track.count) if space not in known]
    return [(track.space_name(space), [space]) for space in order]


def map_walked(
    track: Track,
    mode: str,
    output: int = 0,
    skip: Iterable[int] = (),
    jumps: Iterable[tuple[int, str]] = (),
) -> LedMap:
    """The map of a module whose wire differs from ``wire_order``: pixels (from 1) of ``skip`` light nothing and the rest
    shifts; at each (pixel, name) of ``jumps`` the wire goes on from there.

    Raises DoesNotFit where a name is none of this track's.
    """
    order = wire_order(track, mode)
    places = {name: place for place, (name, _) in enumerate(order)}
    dark, at = set(skip), dict(jumps)
    for name in at.values():
        if name not in places:
            what = "space" if mode == "lane" else "row"
            raise DoesNotFit(f"The track {track.id} has no {what} {name!r}, which its module in the board file names; walk "
                             f"it again with: gridglow walk --track {track.id}")
    leds = [-1] * track.count
    place, pixel = 0, 1
    last = max(at, default=0)
    while place < len(order) or pixel <= last:
        place = places[at[pixel]] if pixel in at else place
        if pixel not in dark and place < len(order):
            for space in order[place][1]:
                leds[space] = pixel - 1
            place += 1
        pixel += 1
    return LedMap(track.hash, mode, output, max(leds, default=-1) + 1, leds)


def map_by_space(track: Track, output: int = 0) -> LedMap:
    """A pixel a space, in the order of the wire: there and back across the lanes. Spaces beside the rows come
    last."""
    return map_walked(track, "lane", output)


def map_by_row(track: Track, output: int = 0) -> LedMap:
    """A pixel a row, those of roads too."""
    return map_walked(track, "row", output)


def _map_on(track: Track, mode: str, skip: tuple[int, ...], module: Module | None, place: int) -> LedMap:
    """The map on an output with these dark pixels; a module that was walked in this lighting brings its own."""
    if module is None or module.light != mode:
        return map_walked(track, mode, place, skip)
    return map_walked(track, mode, place, {*skip, *module.skip}, module.jumps)


def map_leds(track: Track, board: Board, light: str | None = None) -> LedMap:
    """The map for this board; ``light`` "lane" or "row" overrules what the board would choose. Dark pixels of its
    output and what was found when the track's module was walked are in it.

    Raises DoesNotFit with the numbers where the board has too few pixels.
    """
    if light not in (None, *LIGHTS):
        raise DoesNotFit(f"Expected 'lane' or 'row' for --light, found {light!r}.")
    place = next((i for i, output in enumerate(board.outputs) if output.use == "track"), None)
    if place is None:
        raise DoesNotFit(
            f'The board {board.id} has no output for a track; give one of its outputs use = "track".'
        )
    carries = board.outputs[place].pixels_max
    module = next((one for one in board.modules if one.track == track.id), None)
    maps = {mode: _map_on(track, mode, board.outputs[place].skip, module, place) for mode in LIGHTS}
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
        f"{board.outputs[place].number} carries {carries}; take a shorter track or a larger board."
    )
