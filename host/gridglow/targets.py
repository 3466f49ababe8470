"""Where a command is going to write: looked at before it does anything for it, so that no race is ended for nothing."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from shared_rules.errors import GridglowError

#: What is written lies beside its target first, under this name, and takes its place when it is whole.
MORE = ".new"


def check_target(path: Path, what: str) -> None:
    """Raises GridglowError where no file can be written to this path; `what` it is, such as "the backup"."""
    folder = path.absolute().parent
    if path.is_dir():
        raise GridglowError(f"{path} is a folder, expected a file for {what}; name a file in it.")
    if not folder.is_dir():
        raise GridglowError(f"The folder {folder} for {what} does not exist; make it first, or name another file.")
    trial = path.with_name(path.name + MORE)
    try:
        os.close(os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:  # of a command that was ended: it is written over
        return
    except OSError as error:
        raise GridglowError(f"{path} for {what} can't be written ({error.strerror or error}); name another file.") from None
    with contextlib.suppress(OSError):
        trial.unlink()


def check_folder(folder: Path, what: str) -> None:
    """Raises GridglowError where no file can be written to this folder, which is made when it is needed."""
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise GridglowError(f"{there} is a file, expected a folder for {what}; choose another data folder with --data.")
    check_target(there / "gridglow-trial", what)
