"""One open serial port with time limits on everything: reading, writing, opening, and a job as a whole.

A port that is busy, forbidden or gone raises a `PortError` with one sentence: what, why, what to do. Nothing here waits
longer than the limit set by `Port.limit`, whatever the board sends or doesn't.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

import serial

from gridglow.device.board_clock import clock_of
from gridglow.device.ports import PortInfo, find_again, named_port
from shared_rules.errors import GridglowError

BUSY, FORBIDDEN, GONE, STUCK = "busy", "forbidden", "gone", "stuck"

BAUD = 115_200  # USB ignores it; opening at 1200 sends some firmware into the boot loader


class PortError(GridglowError):
    """A port that can't be used; `state` is "busy", "forbidden", "gone" or "stuck" (it accepts no more data)."""

    def __init__(self, state: str, say: str) -> None:
        super().__init__(say)
        self.state = state


class TookTooLong(GridglowError):
    """A job at a port didn't end within its time limit."""


class Port:
    """An open port. `port` is a PortInfo or a path; opening retries for a moment, as ports may come back late.

    It can be read in two ways: `read_some`, and `read`, `write` and `inWaiting`, the part of pyserial's interface that
    mpremote's transport uses. Every method raises PortError once the port has failed.
    """

    open_s = 2.5  # a second command may follow right after the first, and modem probes hold a new port for a moment
    write_s = 5.0
    read_s = 2.0  # longest silence within one read by mpremote
    slice_s = 0.02
    piece_bytes = 16_384

    def __init__(self, port: PortInfo | str, open_s: float | None = None) -> None:
        self.info = named_port(port) if isinstance(port, str) else port
        self._serial: serial.Serial | None = None
        self._buffer = bytearray()
        self._until: float | None = None
        self._limit_s = 0.0
        self._doing = ""
        self._clock = clock_of(self.path)
        self.open(self.open_s if open_s is None else open_s)

    @property
    def path(self) -> str:
        """The name of the port."""
        return self.info.path

    # Time

    def now(self) -> float:
        """The time on the board's clock, in seconds: all limits use it."""
        return self._clock.now()

    def rest(self, seconds: float) -> None:
        """Waits."""
        self._clock.rest(seconds)

    @contextlib.contextmanager
    def limit(self, seconds: float, doing: str):
        """Everything inside must end within this time; inside another limit the earlier end applies.

        `doing` completes "The board at PORT has not … within n s", such as "sent its files".
        """
        kept = self._until, self._limit_s, self._doing
        until = self.now() + seconds
        if self._until is None or until < self._until:
            self._until, self._limit_s, self._doing = until, seconds, doing
        try:
            yield
        finally:
            self._until, self._limit_s, self._doing = kept

    def left(self) -> float:
        """Seconds until the limit. Raises TookTooLong when time is up; without a limit, a large number."""
        if self._until is None:
            return 3600.0
        left = self._until - self.now()
        if left <= 0:
            raise TookTooLong(f"The board at {self.path} has not {self._doing} within {self._limit_s:g} s; unplug it, "
                              "plug it in again and repeat the command.")
        return left

    # Opening and closing

    def open(self, open_s: float, patient: bool = False) -> None:
        """Opens it, trying for this many seconds. Raises PortError with the reason of the last attempt.

        `patient`: also while it's forbidden, as a port that has just come back is until the system gives it its group.
        """
        until = self.now() + open_s
        while True:
            try:
                self._open()
                return
            except PortError as error:
                if self.now() >= until or (error.state == FORBIDDEN and not patient):
                    raise
            self.rest(0.1)
            if self.info.serial:
                with contextlib.suppress(GridglowError):
                    self.info = find_again(self.info, 0)

    def _open(self) -> None:
        self.close()
        try:
            one = serial.Serial(port=None, baudrate=BAUD, timeout=self.slice_s, write_timeout=self.write_s, exclusive=True)
            one.port = self.path
            one.open()
        except (OSError, ValueError) as error:  # SerialException is an OSError
            raise port_error(self.path, error) from None
        self._serial = one
        self._buffer.clear()

    def close(self) -> None:
        """Closes it; unsent data is thrown away, as closing would otherwise wait half a minute for it."""
        one, self._serial = self._serial, None
        if one is None:
            return
        for step in (one.reset_output_buffer, one.close):
            with contextlib.suppress(Exception):  # a port that is gone can't be closed properly
                step()

    def reopen(self, limit_s: float = 10.0) -> None:
        """Closes it, waits for the board to come back under any name, and opens it again. Raises GridglowError."""
        self.close()
        until = self.now() + limit_s
        self.info = find_again(self.info, limit_s)
        self.open(max(0.5, until - self.now()), patient=True)

    def touch_1200(self) -> None:
        """Opens it at 1200 baud and closes it, which sends many firmwares into their boot loader. Raises PortError."""
        self.close()
        try:
            one = serial.Serial(port=self.path, baudrate=1200, timeout=0, write_timeout=1)
            with contextlib.suppress(OSError):
                one.dtr = False
            one.close()
        except (OSError, ValueError) as error:
            raise port_error(self.path, error) from None

    # Reading and writing

    def read_some(self, wait_s: float) -> bytes:
        """The data that have arrived, or arrive first within `wait_s`; b"" if nothing does."""
        until = self.now() + wait_s
        while not self._buffer:
            self._fill()
            if self.now() >= until:
                break
        data = bytes(self._buffer)
        self._buffer.clear()
        return data

    def take(self, ending: bytes, wait_s: float) -> bytes:
        """The data that have arrived, up to and including `ending` if it's there; b"" if nothing arrives within `wait_s`."""
        until = self.now() + wait_s
        while True:
            at = self._buffer.find(ending)
            size = at + len(ending) if at >= 0 else len(self._buffer) - len(ending) + 1
            if size > 0:
                data = bytes(self._buffer[:size])
                del self._buffer[:size]
                return data
            self._fill()
            if self.now() >= until:
                return b""

    def read(self, size: int = 1) -> bytes:
        """`size` bytes, or fewer if nothing arrives for a while."""
        until = self.now() + self.read_s
        while len(self._buffer) < size and self.now() < until:
            if self._fill():
                until = self.now() + self.read_s
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def inWaiting(self) -> int:
        """The number of bytes that can be read at once."""
        self.left()
        try:
            return len(self._buffer) + self._need().in_waiting
        except (OSError, TypeError) as error:
            raise self._failed(error) from None

    def _fill(self) -> int:
        """Reads what is there, waiting briefly for a first byte. Returns the number of bytes."""
        self.left()
        one = self._need()
        try:
            data = one.read(1)
            if data:
                data += one.read(min(one.in_waiting, self.piece_bytes))
        except (OSError, TypeError) as error:  # TypeError: pyserial, if the port was closed in between
            raise self._failed(error) from None
        self._buffer += data
        return len(data)

    def write(self, data: bytes) -> int:
        """Writes all of it. Raises PortError if the board accepts nothing for some seconds."""
        one = self._need()
        done = 0
        while done < len(data):
            self.left()
            try:
                done += one.write(data[done : done + 512]) or 0
            except serial.SerialTimeoutException:
                self.left()
                raise PortError(STUCK, f"The board at {self.path} accepts no more data: it didn't read for "
                                       f"{self.write_s:g} s; unplug it, plug it in again and repeat the command.") from None
            except (OSError, TypeError) as error:
                raise self._failed(error) from None
        return done

    def flush(self) -> None:
        """Waits a moment for written data to go out; closing throws the rest away."""
        until = self.now() + 0.5
        with contextlib.suppress(OSError, TypeError):
            while self._need().out_waiting and self.now() < until:
                self.rest(0.01)
        self.rest(0.05)  # some ports don't report unsent data

    def _need(self) -> serial.Serial:
        if self._serial is None:
            raise PortError(GONE, f"The port {self.path} is closed; open it again.")
        return self._serial

    def _failed(self, error: Exception) -> PortError:
        """The error for a port that failed while open: the board was unplugged, or it reset."""
        self.close()
        why = f" ({os.strerror(error.errno)})" if isinstance(error, OSError) and error.errno else ""
        return PortError(GONE, f"The board at {self.path} disappeared while in use{why}; check that its cable is plugged "
                               "in, and repeat the command.")

    def __enter__(self) -> Port:
        return self

    def __exit__(self, *_) -> None:
        self.close()


def port_error(path: str, error: Exception) -> PortError:
    """The error for a port that couldn't be opened."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or (sys.platform == "win32" and "PermissionError" in text):
        holder = holder_of(path)
        who = f"{holder} has it open" if holder else "another program has it open (a terminal, Thonny, another gridglow?)"
        return PortError(BUSY, f"The port {path} is busy: {who}; close that program and repeat the command.")
    if number in (errno.EACCES, errno.EPERM):
        return PortError(FORBIDDEN, _forbidden(path))
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO) or "FileNotFoundError" in text:
        return PortError(GONE, f"There is no port {path}; check that the board is plugged in, and what "
                               '"gridglow boards" lists.')
    if number in (errno.ENOTTY, errno.EINVAL) or "configure port" in text:
        return PortError(GONE, f"{path} isn't a serial port; \"gridglow boards\" lists the serial ports.")
    return PortError(GONE, f"The port {path} can't be opened ({_short(error)}); unplug the board, plug it in again and "
                           "repeat the command.")


def _forbidden(path: str) -> str:
    """Names the group that owns the device, and how to join it."""
    say = f"You may not open {path}"
    try:
        import grp
        import pwd

        group = grp.getgrgid(os.stat(path).st_gid)
        user = pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError, OSError):
        return f"{say}: this account lacks permission; ask this computer's administrator for it."
    if group.gr_name == "root" or group.gr_gid in os.getgroups():
        return (f"{say}: it belongs to the group {group.gr_name}, and no udev rule lets you use it; run: "
                f"sudo chmod a+rw {path} (until it is unplugged), or install the udev rules for a Pico.")
    if user in group.gr_mem:
        return f"{say}: you have joined its group {group.gr_name} since you logged in; log out and in again."
    return (f"{say}: it belongs to the group {group.gr_name}, but you aren't in it; run: "
            f"sudo usermod -aG {group.gr_name} {user}, then log out and in again.")


def holder_of(path: str, proc: Path = Path("/proc")) -> str:
    """The program that has a port open, such as "thonny (process 812)"; "" if unknown."""
    with contextlib.suppress(OSError, RuntimeError):
        device = str(Path(path).resolve())
        for one in proc.iterdir():
            if not one.name.isdigit() or int(one.name) == os.getpid():
                continue
            with contextlib.suppress(OSError):  # other users' processes, and ones that have just ended
                if any(os.readlink(link) == device for link in (one / "fd").iterdir()):
                    return f"{(one / 'comm').read_text().strip()} (process {one.name})"
    return ""


def _short(error: Exception) -> str:
    """A system error in a few words."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return " ".join(str(error).split())[:80].rstrip(".") or type(error).__name__
