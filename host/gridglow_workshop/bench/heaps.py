"""How much heap the largest race of each game takes, in the whole firmware on MicroPython here: its own data, no code."""

from __future__ import annotations

from gridglow.boards.boardfile import Board
from gridglow.races.startup import RaceStart, race_setup
from gridglow.tracks import list_tracks, load_track
from gridglow_workshop.bench.measures import BOARD_HEAP_KB, race_bytes, run_meter
from shared_rules import games
from shared_rules.errors import GridglowError


def measure_heaps(board: Board, names: tuple[str, ...] = ()) -> list[dict]:
    """A dict for each variant of the games ``names``, default all: ``{"game", "variant", "track", "seats", "answers",
    "race_bytes", "problem"}``. Raises GridglowError if the firmware failed."""
    return [_measure(board, game, variant) for game in names or games.NAMES for variant in games.about(game).VARIANTS]


def largest_start(board: Board, game: str, variant: str) -> RaceStart:
    """As many bots as the game takes, on the variant's track with the most spaces that the board can
    light."""
    seats = games.about(game).SEATS[1]
    starts = []
    for source in list_tracks():
        if source.game == game:
            try:
                starts.append(race_setup(game, variant, source.id, seats=seats, bots="all", seed="heap", board=board))
            except GridglowError:
                continue                           # for another variant
    return max(starts, key=lambda start: (start.track.track.count, start.track.id))


def _measure(board: Board, game: str, variant: str) -> dict:
    start = largest_start(board, game, variant)
    found = run_meter("micropython", board, load_track(start.track.id), start.setup, 1, 1, BOARD_HEAP_KB)
    return {"game": game, "variant": variant, "track": start.track.id, "seats": len(start.setup.players),
            "answers": found["answers"], "race_bytes": max(race_bytes(found), default=0), "problem": found["problem"]}
