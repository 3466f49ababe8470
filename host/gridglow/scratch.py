"""Temporary folders, removed when a command ends, however it ends.

The name is known before the folder is made: so a signal or Ctrl-C at that very moment leaves nothing behind, as it could
``tempfile.TemporaryDirectory``.
"""

from __future__ import annotations

import atexit
import contextlib
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shared_rules.errors import GridglowError


@contextlib.contextmanager
def folder(what: str, inside: Path | None = None) -> Iterator[Path]:
    """An empty folder ``gridglow-WHAT-…``, for its owner only; beside the user's files if ``inside`` says so.

    Raises GridglowError if the system has no place for it, OSError if it can't be made there.
    """
    path = (inside or _usual()) / f"{'.' if inside else ''}gridglow-{what}-{secrets.token_hex(6)}"
    try:
        path.mkdir(mode=0o700)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def folder_until_exit(what: str) -> Path:
    """The same, but until the process ends."""
    held = contextlib.ExitStack()
    atexit.register(held.close)
    return held.enter_context(folder(what))


def _usual() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        raise GridglowError("There is no writable folder for temporary files; make room in one, or name one "
                            "with TMPDIR.") from None
