"""Standard output and error of a command, whatever they lead to: a full disk, a reader that has gone, nothing.

``told()`` wraps every command. If the output can't be written, OutputFault is raised with one sentence; if the error
stream can't be written, nothing is reported, as nobody would see it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

NOWHERE = "The results have nowhere to go, as standard output is closed; send them to a file, or to /dev/null."


class OutputFault(Exception):
    """The results can't be written; one sentence. Not a GridglowError, which commands catch: nothing must go on after this,
    or blame the board."""


class _Stream:
    """A text stream that reports its faults to ``fault`` and otherwise acts as the wrapped one. ``faults`` collects them."""

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
        raise OutputFault(f"The results can't be written to standard output ({error.strerror or error}); make room "
                          "there, or send them elsewhere.") from None


@contextlib.contextmanager
def told() -> Iterator[bool]:
    """Ensures the three streams exist and reports their faults; yields whether there is an output, so that nothing is done
    if nobody would see it."""
    before = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    talk = sys.stderr = _Stream(sys.stderr or _nothing("w"))
    if sys.stdout is not None:
        with contextlib.suppress(AttributeError, OSError, ValueError):
            sys.stdout.reconfigure(errors="replace")  # a character that an old terminal lacks is no reason to stop
    output = sys.stdout = _Output(sys.stdout or _nothing("w"))
    try:
        yield before[1] is not None
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        # If nothing more can be written, Python would try again as it exits, and complain.
        if output.faults:
            sys.stdout = _nothing("w")
        if talk.faults:
            sys.stderr = _nothing("w")


def _nothing(mode: str):
    return open(os.devnull, mode, encoding="utf-8")
