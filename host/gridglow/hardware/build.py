"""Makes everything that a hobbyist needs to build one console and one track module, from the board file and the track.

``plan_build`` checks everything and raises all errors at once, before anything is made; ``make_files`` makes the files
in memory; ``write_files`` writes them, and removes what an earlier build made and this one doesn't.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePosixPath

from gridglow import scratch
from gridglow.boards.boardfile import Examined, board_path, examine_board
from gridglow.hardware.checks import check_board, check_chain
from gridglow.hardware.making import PAPERS, Build, Made, NeedsExtra
from gridglow.tomlfile import FileProblems, Problem
from gridglow.tracks.catalogue import load_track
from gridglow.tracks.compiled import CompiledTrack
from gridglow.tracks.ledmap import LIGHTS, DoesNotFit, LedMap, map_leds, map_walked
from shared_rules.errors import BadTrack, GridglowError

# Modules of this package, in working order: those with check(build), and those with make(build).
CHECKS: tuple[str, ...] = ("string_checks",)
MAKERS: tuple[str, ...] = ("bom", "pins_svg", "netlist", "stl", "led_csv", "laser", "laser_panels", "sheets", "wireviz_yaml",
                          "wireviz_svg", "power")
BESIDE = ("power",)  # it waits for its own process, so the others work meanwhile
LIST = "files.txt"
LEAST_BED_MM, MOST_BED_MM = 150, 3000


def plan_build(
    board: str | Path, track: str, paper: str = "A4", light: str | None = None, bed_mm: tuple[float, float] | None = None
) -> Build:
    """What to build, checked; ``light`` "lane" or "row" overrides the board's choice; ``bed_mm`` is that of a
    laser cutter.

    Raises FileProblems with every error in board file and track, BadTrack if there is no such track.
    """
    if paper not in PAPERS:
        raise GridglowError(f"Expected {' or '.join(PAPERS)} as the paper, found {paper!r}.")
    if light not in (None, *LIGHTS):
        raise GridglowError(f"Expected {' or '.join(LIGHTS)} as the light, found {light!r}.")
    if bed_mm is not None and not all(LEAST_BED_MM <= side <= MOST_BED_MM for side in bed_mm):
        raise GridglowError(f"Expected a bed with sides of {LEAST_BED_MM} to {MOST_BED_MM} mm, found {bed_mm[0]:g} × "
                            f"{bed_mm[1]:g}; give width and height in mm.")
    compiled = load_track(track)
    if compiled.geometry is None:
        raise BadTrack(f"The track {track} has no angles, so it can't be drawn; give every corner an angle.")
    build, problems = examine_build(board_path(board), compiled, paper, light)
    if problems:
        raise FileProblems(problems)
    return replace(build, bed_mm=bed_mm)


def examine_build(path: Path, track: CompiledTrack, paper: str, light: str | None) -> tuple[Build, list[Problem]]:
    """A build, and every error in it in the order of the file's lines. With errors, use it only to look for more.

    Raises FileProblems if the board file can't be read at all.
    """
    found = examine_board(path)
    build = Build(found.board, path, track, light or "lane", _any_map(track, light), paper, lines=found.lines)
    problems = list(found.problems) + check_board(found)
    if not any(problem.key.startswith("output") for problem in problems):
        try:
            leds = map_leds(track.track, found.board, light)
            build = replace(build, led_map=leds, light=leds.mode)
            problems += check_chain(build)
        except DoesNotFit as error:
            at = next((i for i, output in enumerate(found.board.outputs) if output.use == "track"), 0)
            problems.append(build.problem(("output", at, "pixels_max"), str(error)))
    for name in CHECKS:
        problems += importlib.import_module(f"gridglow.hardware.{name}").check(build)
    return build, sorted(problems, key=lambda problem: (problem.file != str(path), problem.line))


def check_file(board: str | Path) -> Examined:
    """A board file that is valid for building. Raises FileProblems with every error in it."""
    found = examine_board(board_path(board))
    problems = sorted(found.problems + check_board(found), key=lambda problem: problem.line)
    if problems:
        raise FileProblems(problems)
    return found


def _any_map(track: CompiledTrack, light: str | None) -> LedMap:
    """A map for a board whose capacity isn't known yet."""
    return map_walked(track.track, light or "lane")


def make_files(build: Build, makers: Sequence[str] | None = None) -> tuple[dict[str, bytes], list[str]]:
    """Every file by path, and a sentence for each maker that lacks a package."""
    files: dict[str, bytes] = {}
    notes = []
    makers = MAKERS if makers is None else makers
    with ThreadPoolExecutor(1) as beside:
        later = {name: beside.submit(_make, name, build) for name in makers if name in BESIDE}
        for name in makers:
            try:
                made = later[name].result() if name in later else _make(name, build)
            except NeedsExtra as error:
                notes.append(str(error))
                continue
            for path, content in made:
                assert path not in files, f"two makers make {path}"
                files[path] = content
    return files, notes


def _make(name: str, build: Build) -> list[Made]:
    return importlib.import_module(f"gridglow.hardware.{name}").make(build)


def write_files(files: dict[str, bytes], out: Path) -> list[str]:
    """Writes a build's files to a folder, all or none of them; returns the paths of files from an earlier build that
    were removed. Files not made by a build stay, and are never overwritten.

    Raises GridglowError if a file is in the way, OSError if the disk fails.
    """
    before = _listed(out)
    for path, content in files.items():
        there = out / path
        if path not in before and there.exists() and not (there.is_file() and there.read_bytes() == content):
            raise GridglowError(f"{there} already exists, and no build made it; move it away, or name another folder "
                                "with --out. Nothing was written.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with scratch.folder(out.name, out.parent) as beside:
        for path, content in files.items():
            _put(beside / path, content)
        # Both builds' files are listed as ours until the last one is in place, whenever the power goes.
        _put(out / LIST, _list(set(before) | set(files)))
        for path in files:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(beside / path, out / path)
    gone = sorted(path for path in before if path not in files and (out / path).is_file())
    for path in gone:
        (out / path).unlink()
        _drop_empty(out, path)
    _put(out / LIST, _list(set(files)))
    return gone


def _listed(out: Path) -> list[str]:
    """What an earlier build wrote here, according to its list; nothing outside this folder."""
    if not (out / LIST).is_file():
        return []
    lines = (out / LIST).read_text("utf-8", "replace").splitlines()
    return [line for line in lines if line and ".." not in PurePosixPath(line).parts and not Path(line).is_absolute()]


def _list(paths: set[str]) -> bytes:
    return "".join(f"{path}\n" for path in sorted(paths)).encode("utf-8")


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _drop_empty(out: Path, path: str) -> None:
    """Removes the folders of a file that are now empty."""
    for folder in (out / path).parents:
        if folder == out or any(folder.iterdir()):
            return
        folder.rmdir()
