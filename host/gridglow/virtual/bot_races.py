"""Races of bots without a page: through the firmware's own loop, at full speed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board
from gridglow.firmware.image import build
from gridglow.micropython import no_micropython
from gridglow.races.startup import RaceStart
from gridglow.virtual.engines import engine_named
from gridglow.virtual.headless import run_headless
from gridglow.virtual.pico.fitting import build_fitting
from shared_rules.errors import GridglowError

# The time limit for a race, on a slow and busy machine.
START_S = 120
LAP_S = 10


@dataclass
class Finish:
    """A finished race: ``standings`` are [seat, car, place, points], ``digest`` is the full one at the end."""

    engine: str
    seed: str
    answers: int
    turns: int
    digest: str
    standings: list[list[int]]
    journal: str


def choose_engine(name: str | None) -> tuple[str, str]:
    """(engine, sentence): the requested engine, else MicroPython if it runs, else CPython with a sentence that
    says so."""
    if name is not None:
        return name, ""
    why = no_micropython()
    return ("cpython", f"{why}, so the firmware runs on CPython (--engine cpython).") if why else ("micropython", "")


def prepare(root: Path, board: Board, engine: str, tracks=None) -> list[str]:
    """Fills a device folder for an engine; returns notes about what was left out. Raises GridglowError."""
    if engine == "pico":
        return build_fitting(root, board, tracks).notes
    return build(root, board, tracks, mpy=engine != "cpython", target="virtual").notes


def run_bots(start: RaceStart, board: Board, engine: str) -> Finish:
    """Runs a race of bots to its podium. Raises GridglowError (EngineFault and others) with one sentence."""
    with scratch.folder("board") as folder:
        prepare(Path(folder), board, engine, [start.track])
        setup = start.setup
        most_s = START_S + LAP_S * setup.laps * len(setup.players)
        race = asyncio.wait_for(run_headless(engine_named(engine, folder), setup.plain()), most_s)
        try:
            done, journal = asyncio.run(race)
        except asyncio.TimeoutError:
            raise GridglowError(f"The race didn't end within {most_s} s, so it was given up; try another "
                                "--engine.") from None
    return Finish(engine, start.setup.seed, done["answers"], done["turns"], done["digest"],
                  [list(row) for row in done["standings"]], journal)
