"""The firmware as a child process, under MicroPython or CPython, with the link on its stdin and stdout.

MicroPython's stdin can't read "what is there" and would stall the firmware's tick; so the read end of its stdin is made
non-blocking here before the child starts. Our side doesn't block either: data that the child hasn't read waits in a
bounded buffer, and its stdout is drained continuously.
"""

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from gridglow.micropython import folder_environment
from gridglow.virtual.engine import Engine, EngineFault


class ChildEngine(Engine):
    """Runs ``main.py`` in a ready device folder. Give ``command``: the interpreter and its options."""

    waiting_bytes = 65_536  # to the child; more is refused, without waiting
    stop_s = 2.0  # for each step: asking, terminating
    stderr_lines = 6
    needs = ""  # the file that a ready folder must have; by default main.py

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
                env=folder_environment(),
                stdin=asyncio.subprocess.PIPE if read_end is None else read_end,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                **({"start_new_session": True} if os.name == "posix" else {}),
            )
        except OSError as error:
            if write_end is not None:
                os.close(write_end)
            raise EngineFault(
                f"The {self.name} engine didn't start: {self.command[0]}: {error.strerror or error}."
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
