"""Standard output and error of a command, whatever is at their other ends: a full disk, a reader that has gone, nothing.

``told()`` stands around every command. What can't be written to the output raises OutputFault, with one sentence; what
can't be said on the error stream is left unsaid, as nobody could be told.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

NOWHERE = "The results have nowhere to go, as the standard output is closed; send them to a file, or to /dev/null."


class OutputFault(Exception):
    """The results can't be written; one sentence. No GridglowError: those end at the command that catches them, and nobody
    shall go on, or look for the fault with a board."""


class _Stream:
    """A text stream whose faults go through ``fault``; else it is the one that it stands for. ``faults`` collects them."""

    def __init__(self, stream, faults: list[OSError] | None = None) -> None:
        self._stream = stream
        self.faults: list[OSError] = [] if faults is None else faults

    def __getattr__(self, name: str):
        return getattr(self._stream, name)

    @property
    def buffer(self) -> _Stream:
        return type(self)(self._stream.buffer, self.faults)

    def write(self, content):
        try:
            return self._stream.write(content)
        except OSError as error:
            self.fault(error)
            return len(content)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self.fault(error)

    def fault(self, error: OSError) -> None:
        self.faults.append(error)


class _Output(_Stream):
    def fault(self, error: OSError) -> None:
        super().fault(error)
        if isinstance(error, BrokenPipeError):
            raise error
        raise OutputFault(f"The results can't be written to the standard output ({error.strerror or error}); make room "
                          "there, or send them elsewhere.") from None


@contextlib.contextmanager
def told() -> Iterator[bool]:
    """The three streams are there, and their faults are told; gives whether there is an output, so that nothing is done
    where nobody would hear of it."""
    before = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    talk = sys.stderr = _Stream(sys.stderr or _nothing("w"))
    if sys.stdout is not None:
        with contextlib.suppress(AttributeError, OSError, ValueError):
            sys.stdout.reconfigure(errors="replace")  # a letter that an old terminal lacks is no reason to break off
    output = sys.stdout = _Output(sys.stdout or _nothing("w"))
    try:
        yield before[1] is not None
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        # Where nothing more can be written Python would try once more at its end, and complain.
        if output.faults:
            sys.stdout = _nothing("w")
        if talk.faults:
            sys.stderr = _nothing("w")


def _nothing(mode: str):
    return open(os.devnull, mode, encoding="utf-8")
