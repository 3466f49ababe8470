"""The file that a race's journal is written to: never over another one, and whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gridglow.targets import MORE, check_target
from shared_rules.errors import GridglowError


def check_journal_file(path: Path) -> None:
    """Raises GridglowError where a journal can't be written to this path: told before the race, not after it."""
    if path.exists() and not path.is_dir():
        raise GridglowError(f"There is a file {path} already, and a journal is never overwritten; name another.")
    check_target(path, "the journal")


def write_journal(path: Path, text: str) -> None:
    """Write a journal: all of it or nothing. Raises GridglowError."""
    new = path.with_name(path.name + MORE)
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise GridglowError(f"The journal can't be written to {path} ({error.strerror or error}).") from None
