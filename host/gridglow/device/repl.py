"""A small interface to MicroPython's raw REPL: code, files and resets, on mpremote's transport.

Entering it interrupts whatever is running: `Repl.enter` asks over the link first, and refuses if a race may be running
and the user hasn't agreed. Every call has a time limit, and every fault is one sentence.
"""

from __future__ import annotations

import ast
import base64
import binascii
import contextlib
import re
import struct
from collections.abc import Callable

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from gridglow.device.port import GONE, Port, PortError, TookTooLong
from gridglow.device.talk import NoAnswer, Talk
from shared_rules.errors import GridglowError

BANNER = b"raw REPL; CTRL-B to exit\r\n"
RAW_PROMPT = b"\x04>"
PASTE_SIGNS = b"\x01\x04"  # a board's replies while code is pasted: continue, and stop
BUSY_STATES = ("start", "race")
ENOENT, ENOSPC = 2, 28


class RaceRuns(GridglowError):
    """A race is, or may be, running on the board, and the user hasn't agreed to end it."""


class BoardError(GridglowError):
    """Code on the board raised an exception; `last` is its traceback's last line, `code` the number of an OSError or 0."""

    def __init__(self, say: str, last: str = "") -> None:
        super().__init__(say)
        self.last = last
        found = re.search(r"OSError: (?:\[Errno )?(\d+)", last)
        self.code = int(found.group(1)) if found else 0


class DiskFull(BoardError):
    """The board's flash is full."""


class _Transport(SerialTransport):
    """mpremote's transport on our Port: with its limits, and without printing."""

    def __init__(self, port: Port) -> None:
        # Not the parent's: that opens a port by itself, without limits.
        self.serial = port
        self.device_name = port.path
        self.in_raw_repl = False
        self.use_raw_paste = True
        self.mounted = False
        self.is_pty = False

    def read_until(self, min_num_bytes, ending, timeout=10, data_consumer=None, timeout_overall=None):
        """Like the parent's, but without its 10 ms pauses, and never beyond the port's limit."""
        port: Port = self.serial
        data = b""
        until = port.now() + timeout if timeout is not None else None
        while not data.endswith(ending):
            new = port.take(ending, 0.05)
            if new:
                if data_consumer is not None:
                    data_consumer(new)
                    data = new
                else:
                    data += new
                until = port.now() + timeout if timeout is not None else None
            elif until is not None and port.now() >= until:
                break
        return data


class Repl:
    """The raw REPL of the board at an open port (or a path, which it opens). Call `enter` first."""

    enter_s = 10.0
    run_s = 20.0
    chunk = 1024  # bytes of a file per piece of code
    keep_chunks = 16  # this many chunks are flushed together, so a pulled cable loses no more
    back_s = 12.0  # for a board to come back after a reset

    def __init__(self, port: Port | str) -> None:
        self.port = Port(port) if isinstance(port, str) else port
        self._transport = _Transport(self.port)

    # In and out

    def enter(self, interrupt_race: bool = False, limit_s: float | None = None) -> None:
        """Enters the raw REPL. Interrupts what runs on the board, but a race only with `interrupt_race`.

        Raises RaceRuns if a race is or may be running, GridglowError with what came back if the REPL doesn't answer.
        """
        limit_s = self.enter_s if limit_s is None else limit_s
        if not interrupt_race:
            self._check_no_race(min(3.0, limit_s))
        heard = b""
        self._transport.in_raw_repl = False
        until = self.port.now() + limit_s
        while self.port.now() < until:
            # Ctrl-C twice: a sleep or a file operation may swallow the first; \r ends a line that somebody has begun.
            self.port.write(b"\r\x03\x03")
            heard += self._drain(0.1, until)
            self.port.write(b"\r\x01")
            heard = (heard + self._until(BANNER, min(1.0, max(0.0, until - self.port.now()))))[-2000:]
            if heard.endswith(BANNER):
                self._transport.in_raw_repl = True
                return
        raise GridglowError(f"The board at {self.port.path} didn't reach MicroPython's prompt within {limit_s:g} s; "
                            f"{_came_back(heard)}. Reset it (unplug it and plug it in again) and repeat the command.")

    def _check_no_race(self, limit_s: float) -> None:
        say = "give --yes to end it."
        talk = Talk(self.port)
        try:
            about = talk.info(limit_s)
        except NoAnswer as error:
            if error.prompt or talk.understood == 0 and at_prompt(self.port):
                return
            raise RaceRuns(f"The board at {self.port.path} doesn't answer, so it may be running a race; {say}") from None
        if about.get("race") and about.get("state") in BUSY_STATES:
            raise RaceRuns(f"A race is running on the board at {self.port.path} ({race_title(about)}), and this would "
                           f"end it; {say}")

    def leave(self) -> None:
        """Returns to MicroPython's usual prompt, without starting anything."""
        with contextlib.suppress(GridglowError):
            self.port.write(b"\r\x02")
            self._until(b">>> ", 0.5)
        self._transport.in_raw_repl = False

    def close(self) -> None:
        """Leaves the REPL and closes the port."""
        if self._transport.in_raw_repl:
            self.leave()
        self.port.close()

    def __enter__(self) -> Repl:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # Code

    def run(self, code: str, limit_s: float | None = None, on_output: Callable[[str], None] | None = None) -> str:
        """Runs code on the board and returns what it printed; `on_output` gets the output piece by piece as it arrives.

        Raises BoardError with the traceback's last line if the code raises, DiskFull if the flash is full.
        """
        out = bytearray()

        def take(data: bytes) -> None:
            data = data.replace(b"\x04", b"")
            out.extend(data)
            if on_output is not None and data:
                on_output(data.decode("utf-8", "replace"))

        limit_s = self.run_s if limit_s is None else limit_s
        with self.port.limit(limit_s, "finished its work"), self._sentences():
            if not self._transport.in_raw_repl:
                raise GridglowError("The raw REPL was not entered; call enter() first.")
            _, err = self._transport.exec_raw(code, timeout=limit_s + 5, data_consumer=take)  # the port limits it
        if err:
            raise _board_error(err.decode("utf-8", "replace"), self.port.path)
        return out.decode("utf-8", "replace").replace("\r\n", "\n")

    def begin(self, code: str, limit_s: float | None = None) -> None:
        """Starts code that talks with the host, and returns at once: `port` then has its output, up to b"\\x04"."""
        with self.port.limit(self.run_s if limit_s is None else limit_s, "begun its work"), self._sentences():
            if not self._transport.in_raw_repl:
                raise GridglowError("The raw REPL was not entered; call enter() first.")
            self._transport.exec_raw_no_follow(code)

    def end(self, limit_s: float | None = None) -> tuple[str, str]:
        """The output of code started with `begin`, up to its end, and its traceback or ""."""
        limit_s = self.run_s if limit_s is None else limit_s
        with self.port.limit(limit_s, "ended its work"), self._sentences():
            out, err = self._transport.follow(limit_s)
        return out.decode("utf-8", "replace"), err.decode("utf-8", "replace")

    def value(self, expression: str, setup: str = "", limit_s: float | None = None):
        """The value of an expression on the board: numbers, texts, bytes, lists, dicts, None."""
        text = self.run(f"{setup}\nprint(repr({expression}))", limit_s).strip()
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            raise GridglowError(f"The board at {self.port.path} answered {text[:60]!r}, which isn't a value; reset it and "
                                "repeat the command.") from None

    @contextlib.contextmanager
    def _sentences(self):
        """Turns faults of the transport into sentences."""
        try:
            yield
        except (GridglowError, KeyboardInterrupt):
            self._transport.in_raw_repl = False
            raise
        except (TransportError, OSError, ValueError, struct.error) as error:
            self._transport.in_raw_repl = False
            detail = " ".join(str(error).split())[:80].rstrip(".") or type(error).__name__
            raise GridglowError(f"The board at {self.port.path} doesn't behave like MicroPython's raw REPL ({detail}); "
                                "reset it and repeat the command.") from None

    # Files

    def listing(self, folder: str = "") -> dict[str, int]:
        """Every file below a folder: path without a leading slash → size. {} if the folder doesn't exist."""
        found = {}
        for line in self.run(_LISTING.format(folder=folder.strip("/"))).splitlines():
            size, _, path = line.partition(" ")
            if size.isdigit():
                found[path] = int(size)
        return found

    def get(self, path: str, limit_s: float | None = None) -> bytes:
        """The content of a file. Raises BoardError if it doesn't exist."""
        limit_s = max(self.run_s, 60.0) if limit_s is None else limit_s
        lines = self.run(_GET.format(path=path), limit_s).split()
        try:
            data = base64.b64decode("".join(lines[:-1]), validate=True)
            whole = int(lines[-1]) == binascii.crc32(data)
        except (ValueError, IndexError):
            whole = False
        if not whole:
            raise GridglowError(f"{path} arrived damaged from the board at {self.port.path}; repeat the command.")
        return data

    def put(self, path: str, data: bytes, on_written: Callable[[int], None] | None = None, at: int = 0) -> None:
        """Writes a file; its folder must exist. `on_written` gets the bytes written so far. With `at`, appends to the
        first `at` bytes, which are all that is there.

        Raises DiskFull, or BoardError; part of the file may then be on the board.
        """
        self.run(f"import binascii\nf=open({path!r},{'ab' if at else 'wb'!r})\nw=f.write\na=binascii.a2b_base64")
        try:
            for count, begin in enumerate(range(0, len(data), self.chunk), 1):
                piece = data[begin:begin + self.chunk]
                keep = "\nf.flush()" if count % self.keep_chunks == 0 else ""
                self.run(f"w(a({base64.b64encode(piece)!r})){keep}")
                if on_written is not None:
                    on_written(begin + len(piece))
        except BoardError:
            with contextlib.suppress(GridglowError):
                self.run("f.close()")
            raise
        self.run("f.close()\ndel f,w,a")

    def make_folder(self, path: str) -> None:
        """Makes a folder and its parents; an existing one is left as it is."""
        parts = path.strip("/").split("/")
        names = ["/".join(parts[: at + 1]) for at in range(len(parts))]
        self.run(f"import os\nfor n in {names!r}:\n try:\n  os.mkdir(n)\n except OSError as e:\n  if e.errno!=17:raise")

    def remove(self, path: str) -> None:
        """Removes a file, or an empty folder; a missing one is no error."""
        self.run(f"import os\ntry:\n s=os.stat({path!r})[0]\n (os.rmdir if s&0x4000 else os.remove)({path!r})\n"
                 "except OSError as e:\n if e.errno!=2:raise")

    def space(self) -> tuple[int, int]:
        """(free bytes, all bytes) of the flash's file system."""
        block, free, blocks = self.value("(s[0],s[3],s[2])", "import os\ns=os.statvfs('/')")
        return block * (free if free <= blocks else 0), block * blocks  # littlefs counts some twice, so it can go below 0

    # Resets

    def soft_reset(self) -> None:
        """Starts a fresh interpreter in the raw REPL: boot.py runs, main.py doesn't."""
        self._forget_starts()
        with self.port.limit(self.enter_s, "restarted its interpreter"), self._sentences():
            self._transport.read_until(1, b">", timeout=2)
            self.port.write(b"\x04")
            heard = self._until(b"soft reboot\r\n", self.enter_s / 2) + self._until(BANNER, self.enter_s / 2)
        if not heard.endswith(BANNER):
            self.enter(interrupt_race=True)

    def hard_reset(self, wait: bool = True) -> None:
        """Resets the board, which then starts as at power-on; with `wait`, waits until its port is back."""
        self._forget_starts()
        self._last_words("machine.reset()")
        if wait:
            self.port.rest(0.3)  # a USB device takes a moment to disappear
            self.port.reopen(self.back_s)

    def bootloader(self) -> None:
        """Sends the board into its boot loader; its port disappears."""
        self._last_words("machine.bootloader()")
        self.port.close()

    def _last_words(self, call: str) -> None:
        """Runs a call that never returns."""
        self._transport.in_raw_repl, entered = False, self._transport.in_raw_repl
        if not entered:
            raise GridglowError("The raw REPL was not entered; call enter() first.")
        gone = (PortError, TookTooLong, TransportError, OSError, ValueError, struct.error)
        with contextlib.suppress(*gone), self.port.limit(3.0, "reset itself"):
            self._transport.exec_raw_no_follow(f"import machine,time\ntime.sleep_ms(50)\n{call}")
            self.port.rest(0.1)
        self.port.close()

    def _forget_starts(self) -> None:
        """Clears the count of failed starts, as a reset by the host isn't one: three of those lead to safe mode."""
        with contextlib.suppress(BoardError):
            self.remove("starts.txt")

    # Reading

    def _drain(self, quiet_s: float, until: float) -> bytes:
        """Reads until nothing has come for a moment, or for at most a second."""
        data = b""
        most = min(until, self.port.now() + 1.0)
        while self.port.now() < most:
            new = self.port.read_some(quiet_s)
            if not new:
                break
            data = (data + new)[-2000:]
        return data

    def _until(self, ending: bytes, limit_s: float) -> bytes:
        """The last data to arrive, up to `ending` if it comes within the limit."""
        data = b""
        until = self.port.now() + limit_s
        while not data.endswith(ending) and self.port.now() < until:
            data = (data + self.port.take(ending, min(0.05, limit_s)))[-2000:]
        return data


_LISTING = """import os
def _l(p):
 for e in os.ilistdir(p or '/'):
  n=p+'/'+e[0] if p else e[0]
  if e[1]&0x4000:_l(n)
  else:print(e[3] if len(e)>3 else os.stat(n)[6],n)
try:_l({folder!r})
except OSError as e:
 if e.errno!=2:raise
del _l"""

_GET = """import binascii
c=0
with open({path!r},'rb') as f:
 while 1:
  b=f.read(600)
  if not b:break
  c=binascii.crc32(b,c)
  print(binascii.b2a_base64(b).decode(),end='')
print(c&0xffffffff)"""


def at_prompt(port: Port, limit_s: float = 1.0, hear: Callable[[float], bytes] | None = None) -> bytes:
    """What a board waiting at MicroPython's prompt says there, or b"" if it isn't. `hear` replaces reading the port.

    Ctrl-B returns the raw REPL to the usual prompt and makes that print its banner; a program takes it for noise.
    A board unplugged in the middle of a paste takes everything for code and stays silent: Ctrl-D ends that (the partial
    code can't run, as our question is in the middle of it). A program that reads nothing gets Ctrl-D once it's interrupted,
    and its interpreter then restarts.
    """
    hear = hear or port.read_some
    port.write(b"\r\x02")
    data = _banner(port, limit_s, hear)
    if not data.strip(PASTE_SIGNS):
        port.write(b"\x04")
        if RAW_PROMPT in _banner(port, limit_s, hear, RAW_PROMPT):
            port.write(b"\r\x02")
            data = _banner(port, limit_s, hear)
    return data if data.endswith(b">>> ") else b""


def _banner(port: Port, limit_s: float, hear: Callable[[float], bytes], ending: bytes = b">>> ") -> bytes:
    """The data up to the prompt after MicroPython's banner, or up to another ending, within the limit."""
    data = b""
    until = port.now() + limit_s
    while port.now() < until:
        data = (data + hear(min(0.2, limit_s)))[-2000:]
        if data.endswith(ending) and (b"MicroPython" in data or ending == RAW_PROMPT):
            break
    return data


def race_title(about: dict) -> str:
    """The race in an `info`, in a few words."""
    race = about.get("race") or {}
    words = " ".join(str(race[key]) for key in ("game", "variant") if race.get(key))
    return f"{words} on {race['track']}" if race.get("track") else words or "a race"


def _came_back(heard: bytes) -> str:
    text = " ".join(heard.decode("utf-8", "replace").split())
    text = "".join(letter for letter in text if letter.isprintable())[-80:]
    return f"the last reply was {text!r}" if text else "nothing came back"


def _board_error(traceback: str, path: str) -> BoardError:
    lines = [line.strip() for line in traceback.splitlines() if line.strip()]
    last = lines[-1] if lines else "an error without a message"
    error = BoardError(f"The board at {path} couldn't do that: {last.rstrip('.')}.", last)
    if error.code == ENOSPC:
        return DiskFull(f"The flash of the board at {path} is full; send fewer games or tracks (--games, --tracks), or save "
                        "its races with \"gridglow backup\" and remove some.", last)
    if error.code == ENOENT:
        return BoardError(f"There is no such file on the board at {path} ({last}).", last)
    if last.startswith("MemoryError"):
        return BoardError(f"The board at {path} doesn't have enough memory for that; reset it and repeat the command.", last)
    return error


__all__ = ["BoardError", "DiskFull", "GONE", "RaceRuns", "Repl", "at_prompt", "race_title"]
