"""What all makers of hardware files share: a ``Build``, and the form of files and problems that they return.

A maker is a module with ``make(build) -> list[Made]``: it writes nothing, and the same build gives the same bytes.
A check is a module with ``check(build) -> list[Problem]``. ``build.py`` lists and runs them all.
"""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType

from gridglow.boards.boardfile import Board
from gridglow.hardware.kerbs import clear_kerbs
from gridglow.tomlfile import Problem, Where, find_line, spell
from gridglow.tracks.compiled import CompiledTrack, page_geometry
from gridglow.tracks.ledmap import DoesNotFit, LedMap
from shared_rules.errors import GridglowError

PAPERS = ("A4", "Letter")
EXTRA_COMMAND = 'pip install "gridglow[hardware]"'
Made = tuple[str, bytes]  # the path below the build's folder, with "/" on every system, and the file's content


@dataclass(frozen=True)
class Build:
    """What is built: one console and one track module.

    ``light`` is "lane" (one pixel per space) or "row" (one per row), as chosen by ``map_leds``; ``bed_mm`` is the bed of the
    laser cutter for cutting the module in panels, or None; ``lines`` has the line of
    every key in the board file, for messages."""

    board: Board
    board_path: Path
    track: CompiledTrack
    light: str
    led_map: LedMap
    paper: str = "A4"
    bed_mm: tuple[float, float] | None = None
    lines: dict[Where, int] = field(default_factory=dict, repr=False)

    @cached_property
    def drawing(self) -> dict:
        """The track as the page draws it: ``page_geometry`` with this board's pixels, and kerbs clear of side roads.
        Lengths are mm, y down. For a board that can't light it, seen by checks only, every space or row has its pixel."""
        try:
            drawing = page_geometry(self.track, self.board, self.light)
        except DoesNotFit:
            drawing = page_geometry(self.track, None, self.light)
        return {**drawing, "kerbs": clear_kerbs(drawing)}

    def problem(self, where: Where, say: str) -> Problem:
        """An error in the board file, with its line: ``build.problem(("string", "wire_mm"), "…")``."""
        return Problem(str(self.board_path), find_line(self.lines, where), spell(where), say)

    def track_problem(self, say: str) -> Problem:
        """An error in the track's file."""
        return Problem(str(self.track.source.path), 0, "", say)


class NeedsExtra(GridglowError):
    """A maker can't work here, as a package of the extra is missing; the others go on. The sentence says how to
    install it."""


def load_extra(module: str, makes: str) -> ModuleType:
    """A package of the extra [hardware]; ``makes`` names its purpose, such as "track.pdf". Raises NeedsExtra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise NeedsExtra(f"{makes} was not made, as the package {package} isn't installed; install it with: "
                         f"{EXTRA_COMMAND}") from None


def made_csv(path: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Made:
    """A table as a CSV file in UTF-8, one line per row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return made_text(path, out.getvalue())


def made_text(path: str, text: str) -> Made:
    """A text as a file in UTF-8."""
    return path, text.encode("utf-8")
