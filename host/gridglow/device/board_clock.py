"""The clock that a board's limits count by: the wall clock, or an emulated board's own.

Every limit of the host is meant for a Pico. An emulated board is slower by a factor that depends on this computer and on
what else runs on it; so it tells its own time in a small file, and what is waited for is waited for in that. A board that
answers has as long as a Pico would have, however slow it is; one that is silent while it rests is given up as soon as a
Pico. Where the emulation stands still, the wall clock goes on in its place.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where no board can be emulated at a port
    fcntl = None  # type: ignore[assignment]

#: An emulation that has not gone on for so long is not waited for.
STANDS_S = 10.0
BYTES = 8


class Clock:
    """Time, and waiting, by the wall clock; tests have their own."""

    now = staticmethod(time.monotonic)
    rest = staticmethod(time.sleep)


class BoardClock(Clock):
    """The time that an emulated board tells in an open file."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._told_us = -1
        self._since_s = 0.0  # when it was told first, by the wall clock
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
    """The other end: tells the time of the board at a port until it is closed."""

    def __init__(self, port: str) -> None:
        self._path = path = _file_of(port)
        for more in (True, True, False):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # of one that was killed
                path.unlink()
            try:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                break
            except FileNotFoundError:  # another board has gone at this moment, and took the folder along
                if not more:
                    raise
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self.tell(0)

    def tell(self, now_us: float) -> None:
        """The board's time is this, in microseconds."""
        os.pwrite(self._file, int(now_us).to_bytes(BYTES, "little"), 0)

    def close(self) -> None:
        """The board is gone."""
        with contextlib.suppress(OSError):
            self._path.unlink()
            self._path.parent.rmdir()  # the last board takes the folder along
        os.close(self._file)


def clock_of(port: str) -> Clock:
    """The clock of the board at this port: its own where it is an emulated one of this user, else the wall clock."""
    if fcntl is None:
        return Clock()
    try:
        file = os.open(_file_of(port), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return Clock()
    try:
        if os.fstat(file).st_uid == os.getuid():
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # taken: nobody tells the time any more
    except OSError:
        return BoardClock(file)
    os.close(file)
    return Clock()


def _file_of(port: str) -> Path:
    name = os.path.realpath(port).strip("/").replace("/", "-")
    return Path(tempfile.gettempdir()) / f"gridglow-clocks-{os.getuid()}" / name
