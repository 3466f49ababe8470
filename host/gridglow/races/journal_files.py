"""Writes a race's journal to a file: never over another one, and completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gridglow.targets import MORE, check_target
from shared_rules.errors import GridglowError


def check_journal_file(path: Path) -> None:
    """Raises GridglowError if a journal can't be written to this path: before the race, not after it."""
    if path.exists() and not path.is_dir():
        raise GridglowError(f"{path} already exists, and a journal never overwrites a file; name another.")
    check_target(path, "the journal")


def write_journal(path: Path, text: str) -> None:
    """Writes a journal, completely or not at all. Raises GridglowError."""
    new = path.with_name(path.name + MORE)
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise GridglowError(f"The journal can't be written to {path} ({error.strerror or error}).") from None
