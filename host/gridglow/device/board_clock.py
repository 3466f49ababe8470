"""The clock for a board's time limits: the wall clock, or an emulated board's own.

All time limits of the host are meant for a Pico. An emulated board is slower by a factor that depends on this computer
and its load; so it writes its own time to a small file, and limits count in that time. A board that answers gets as
much time as a Pico would, however slow it is; one that idles silently is given up as soon as a Pico would be. If the
emulation stands still, the wall clock takes over.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, which can't emulate a board at a port
    fcntl = None  # type: ignore[assignment]

#: An emulation without progress for this long is not waited for.
STANDS_S = 10.0
BYTES = 8


class Clock:
    """Time and waiting by the wall clock; tests have their own."""

    now = staticmethod(time.monotonic)
    rest = staticmethod(time.sleep)


class BoardClock(Clock):
    """The time that an emulated board writes to an open file."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._told_us = -1
        self._since_s = 0.0  # when it was first read, by the wall clock
        self._stood_s = 0.0

    def now(self) -> float:
        """Seconds of the board's own time."""
        told_us = int.from_bytes(os.pread(self._file, BYTES, 0), "little")
        wall_s = time.monotonic()
        if told_us != self._told_us:
            self._told_us, self._since_s = told_us, wall_s
        elif wall_s - self._since_s > STANDS_S:
            self._stood_s += wall_s - self._since_s - STANDS_S
            self._since_s = wall_s - STANDS_S
        return told_us / 1e6 + self._stood_s

    def __del__(self) -> None:
        os.close(self._file)


class ToldClock:
    """The other end: writes the time of the board at a port until it's closed."""

    def __init__(self, port: str) -> None:
        self._path = path = _file_of(port)
        for more in (True, True, False):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # left by a killed emulation
                path.unlink()
            try:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                break
            except FileNotFoundError:  # another board has just gone and removed the folder
                if not more:
                    raise
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self.tell(0)

    def tell(self, now_us: float) -> None:
        """Sets the board's time, in microseconds."""
        os.pwrite(self._file, int(now_us).to_bytes(BYTES, "little"), 0)

    def close(self) -> None:
        """Ends the board's time."""
        with contextlib.suppress(OSError):
            self._path.unlink()
            self._path.parent.rmdir()  # the last board removes the folder
        os.close(self._file)


def clock_of(port: str) -> Clock:
    """The clock of the board at this port: its own if it's an emulated one of this user, else the wall clock."""
    if fcntl is None:
        return Clock()
    try:
        file = os.open(_file_of(port), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return Clock()
    try:
        if os.fstat(file).st_uid == os.getuid():
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # got the lock: nobody writes the time any more
    except OSError:
        return BoardClock(file)
    os.close(file)
    return Clock()


def _file_of(port: str) -> Path:
    name = os.path.realpath(port).strip("/").replace("/", "-")
    return Path(tempfile.gettempdir()) / f"gridglow-clocks-{os.getuid()}" / name
