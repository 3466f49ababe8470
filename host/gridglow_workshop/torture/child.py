"""Runs a script of ``on_board`` in a device folder under MicroPython, for the trials: a job in, a dict out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import load_board
from gridglow.firmware.image import build
from gridglow.races.trials import trials
from gridglow.tracks import load_track
from gridglow.virtual.script import run_once
from shared_rules import games
from shared_rules.errors import GridglowError

#: The track for trying a game: a short one.
TRACKS = {game: trials(game).SHORT_TRACK for game in games.NAMES}
HEAP_KB = 4096
LIMIT_S = 4 * 3600
WORKERS_MOST = 4


@lru_cache(maxsize=1)
def device_folder() -> Path:
    """A device folder with the tracks of TRACKS, shared by all trials of a run; removed with the process."""
    folder = scratch.folder_until_exit("torture")
    build(folder, load_board("full"), [load_track(track) for track in TRACKS.values()], target="virtual")
    return folder


def plain_setup(game: str, seed: str, seats: int | None = None, kinds: str = "person", **more) -> dict:
    """A set-up on the game's short track with the given number of seats, or as few as it takes."""
    seats = seats or games.about(game).SEATS[0]
    players = [[kinds, f"Player {number + 1}"] for number in range(seats)]
    return {"game": game, "track": TRACKS[game], "seed": seed, "salt": "salt", "players": players, **more}


def run(script: str, job: dict, heap_kb: int = HEAP_KB, limit_s: float = LIMIT_S, root: Path | None = None) -> dict:
    """The JSON object that the script ``on_board/SCRIPT.py`` prints last; ``root``: another device folder. Raises
    GridglowError if it ends without one."""
    folder = Path(__file__).resolve().parent / "on_board"
    root = root or device_folder()
    told = run_once([str(folder / f"{script}.py")], root, limit_s, heap_kb, [str(root), str(folder)], json.dumps(job) + "\n")
    if told.code or not told.lines or not told.lines[-1].startswith("{"):
        raise GridglowError(f"The script {script} failed: {told.why}.")
    return json.loads(told.lines[-1])


def run_all(script: str, jobs: Sequence[dict], done: Callable[[dict, dict], None] = lambda job, found: None) -> list[dict]:
    """``run`` for each of these jobs, a few at a time; ``done(job, found)`` is called after each."""
    device_folder()

    def one(job: dict) -> dict:
        found = run(script, job)
        done(job, found)
        return found

    with ThreadPoolExecutor(max(1, min(WORKERS_MOST, os.cpu_count() or 1))) as pool:
        return list(pool.map(one, jobs))
