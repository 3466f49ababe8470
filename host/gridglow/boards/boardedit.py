"""Changes to a board file made by a command: comments and everything else in it stay as they are.

A file that comes with Gridglow is never changed: it is first copied to ``boards`` in the user's data folder, where every
command finds the copy instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import tomlkit
from tomlkit.items import AoT

from gridglow import paths
from gridglow.boards.boardfile import Board, read_board
from gridglow.plaintext import decoded
from gridglow.tomlfile import FileProblems
from shared_rules.errors import GridglowError


def own_file(board: Board) -> Path:
    """The file to change for this board: its own file, or its copy in the user's data folder."""
    if board.path is None:
        raise GridglowError(f"The board {board.id} has no file, so it can't be changed.")
    if board.path.resolve().parent == paths.boards_folder().resolve():
        return paths.data_folder() / "boards" / board.path.name
    return board.path


def set_order(board: Board, output: int, order: str) -> Path:
    """Sets the colour order of an output (from 1) in the file; returns the file. Raises GridglowError."""
    def change(document: tomlkit.TOMLDocument) -> None:
        document["output"][output - 1]["order"] = order

    return _edit(board, change)


def set_pixels(board: Board, output: int, pixels: int) -> Path:
    """Sets the number of pixels of an output (from 1) in the file; returns the file. Raises GridglowError."""
    def change(document: tomlkit.TOMLDocument) -> None:
        document["output"][output - 1]["pixels_max"] = pixels

    return _edit(board, change)


def set_module(board: Board, track: str, light: str, skip: Iterable[int], jumps: Iterable[tuple[int, str]]) -> Path:
    """Writes the result of walking a track's module to the file; if the wiring is as usual, removes an earlier
    entry. Returns the file. Raises GridglowError."""
    skip, jumps = sorted(skip), sorted(jumps)

    def change(document: tomlkit.TOMLDocument) -> None:
        modules = document.get("module")
        if modules is None:
            modules = tomlkit.aot()
        at = next((i for i, one in enumerate(modules) if one.get("track") == track), None)
        if not skip and not jumps:
            if at is not None:
                _drop(document, modules, at)
            return
        if at is None:
            module = tomlkit.table()
            module["track"] = track
            module["track"].comment("as found by \"gridglow walk\"; pixels count from 1")
            modules.append(module)
            document["module"] = modules
            at = len(modules) - 1
        module = modules[at]
        module["light"] = light
        module["skip"] = skip
        module["jumps"] = [list(one) for one in jumps]

    return _edit(board, change)


def _drop(document: tomlkit.TOMLDocument, modules: AoT, at: int) -> None:
    del modules[at]
    if not len(modules):
        del document["module"]


def _edit(board: Board, change: Callable[[tomlkit.TOMLDocument], None]) -> Path:
    """Changes the file, or its copy; if the result would be invalid, the file stays as it was."""
    path = own_file(board)
    source = path if path.exists() else board.path
    assert source is not None
    try:
        document = tomlkit.parse(decoded(source.read_bytes()))
        change(document)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(tomlkit.dumps(document), "utf-8")
    except OSError as error:
        raise GridglowError(f"The board file {path} can't be written: {error.strerror or error}; check who may write "
                            "there.") from None
    except (tomlkit.exceptions.TOMLKitError, KeyError, IndexError) as error:
        raise GridglowError(f"The board file {source} can't be changed ({error}); change it by hand.") from None
    try:
        read_board(new)
    except FileProblems as error:
        new.unlink()
        raise GridglowError(f"The board file {path} was left as it is, as the change would make it invalid: "
                            f"{error.problems[0].say}") from None
    os.replace(new, path)
    return path
