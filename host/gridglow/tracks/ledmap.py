"""Which pixel lights which space.

``lane``: a pixel a space, wired in a zigzag, row by row: across from the left lane to the right, in the next
row back. ``row``: a pixel a row; the lanes share it. The board decides: ``lane`` where its track output
carries that many pixels, else ``row``, else the pairing is refused. Neither is part of the track's hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared_rules.errors import GridglowError
from shared_rules.track import Track

if TYPE_CHECKING:
    from gridglow.hardware.boardfile import Board

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


def map_by_space(track: Track, output: int = 0) -> LedMap:
    """A pixel a space, in the order of the wire: there and back across the lanes. Spaces beside the rows come
    last."""
    leds = [-1] * track.count
    pixel = 0
    for row in range(1, track.rows + 1):
        across = track.row_spaces(row)
        for space in across if row % 2 else reversed(across):
            leds[space] = pixel
            pixel += 1
    for space in range(track.count):
        if leds[space] < 0:
            leds[space] = pixel
            pixel += 1
    return LedMap(track.hash, "lane", output, pixel, leds)


def map_by_row(track: Track, output: int = 0) -> LedMap:
    """A pixel a row."""
    return LedMap(
        track.hash, "row", output, track.rows, [track.row(space) - 1 for space in range(track.count)]
    )


def map_leds(track: Track, board: Board, light: str | None = None) -> LedMap:
    """The map for this board; ``light`` "lane" or "row" overrules what the board would choose.

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
    needs = {"lane": track.count, "row": track.rows}
    for mode in LIGHTS if light is None else (light,):
        if needs[mode] <= carries:
            return (map_by_space if mode == "lane" else map_by_row)(track, place)
    asked = {
        None: f"{needs['lane']} pixels lit by space and {needs['row']} lit by row",
        "lane": f"{needs['lane']} pixels lit by space ({needs['row']} lit by row)",
        "row": f"{needs['row']} pixels lit by row",
    }[light]
    raise DoesNotFit(
        f"The track {track.id} doesn't fit the board {board.id}: it needs {asked}, output "
        f"{board.outputs[place].number} carries {carries}; take a shorter track or a larger board."
    )
