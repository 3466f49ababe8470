"""Checks where a command is going to write before it does anything, so that no race is ended in vain."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from shared_rules.errors import GridglowError

#: Output is first written beside its target under this name, and replaces the target when it's complete.
MORE = ".new"


def check_target(path: Path, what: str) -> None:
    """Raises GridglowError if no file can be written to this path; `what` describes it, such as "the backup"."""
    folder = path.absolute().parent
    if path.is_dir():
        raise GridglowError(f"{path} is a folder, expected a file for {what}; name a file in it.")
    if not folder.is_dir():
        raise GridglowError(f"The folder {folder} for {what} doesn't exist; create it first, or name another file.")
    trial = path.with_name(path.name + MORE)
    try:
        os.close(os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:  # left by a command that was interrupted: overwrite it
        return
    except OSError as error:
        raise GridglowError(f"{path} for {what} can't be written ({error.strerror or error}); name another file.") from None
    with contextlib.suppress(OSError):
        trial.unlink()


def check_folder(folder: Path, what: str) -> None:
    """Raises GridglowError if no file can be written to this folder, which is made when needed."""
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise GridglowError(f"{there} is a file, expected a folder for {what}; choose another data folder with --data.")
    check_target(there / "gridglow-trial", what)
