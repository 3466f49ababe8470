"""The rules on other interpreters: a child that runs ``shared_rules.proof.serve``, one JSON line per job.

``Interpreter("micropython").ask(job)`` starts the child when needed, gives it the job and waits for
the result. A child that ends, runs out of memory or takes too long raises InterpreterFault with one sentence; the next
job gets a new child.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque

from gridglow import micropython, paths
from gridglow.races.image import rules_image
from shared_rules.errors import GridglowError

NAMES = ("cpython", "micropython")
#: A connected board (``races/serial.py``), only on request.
BOARD = "serial"
RULES_HEAP_KB = 512  # on 64 bits, with all the rules' code in it: roomy, not a board's limit
COLLECT_BYTES = 131_072  # collect after this many bytes at the latest: a collection scans all the code, too, and takes long
REPLAY_HEAP_KB = 65_536  # a journal is replayed from one string; a board has it in a file
JOB_S = 120.0


class InterpreterFault(GridglowError):
    """A child couldn't do its job; one sentence."""


class Interpreter:
    """One child. ``name`` is "cpython" or "micropython"; ``heap_kb`` applies to MicroPython only."""

    def __init__(self, name: str, heap_kb: int = RULES_HEAP_KB, job_s: float = JOB_S):
        if name not in NAMES:
            raise GridglowError(f"Expected an interpreter of {', '.join(NAMES)}, got {name!r}.")
        self.name = name
        self.heap_kb = heap_kb
        self.job_s = job_s
        self._child: subprocess.Popen | None = None
        self._rows: queue.Queue = queue.Queue()
        self._errors: deque[str] = deque(maxlen=8)
        self._readers: list[threading.Thread] = []
        self._pack = b""

    def __enter__(self) -> Interpreter:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def on_track(self, pack: bytes) -> Interpreter:
        """Gives this track to the child; the following jobs are on it. Returns itself.

        The line that carries a track needs a large piece of the heap: if there is none left, a new child
        reads it. Do all jobs on a track before those on the next, so that tracks rarely change.
        """
        if self._child is not None and pack == self._pack:
            return self
        used = self._child is not None
        try:
            self._read_track(pack)
        except InterpreterFault:
            if not used:
                raise
            self._read_track(pack)
        return self

    def _read_track(self, pack: bytes) -> None:
        self.ask({"job": "track", "hex": pack.hex()}, "reading a track")
        self._pack = pack

    def ask(self, job: dict, what: str = "a job") -> dict:
        """The result of a job. ``what`` names it in messages. Raises InterpreterFault."""
        if self._child is None:
            self._start()
        row = json.dumps(job, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            self._child.stdin.write(row.encode("utf-8"))
            self._child.stdin.flush()
        except OSError:
            pass  # it has ended: its last words are read below
        noise: list[str] = []
        while True:
            try:
                line = self._rows.get(timeout=self.job_s)
            except queue.Empty:
                self.close()
                raise InterpreterFault(f"{self.title} didn't finish {what} within {self.job_s:g} s; it was "
                                       "stopped.") from None
            if line is None:
                raise InterpreterFault(self._last_words(noise, what))
            try:
                return json.loads(line)
            except ValueError:
                noise.append(line.strip())  # MicroPython writes its tracebacks here too

    def close(self) -> None:
        """Ends the child."""
        child, self._child = self._child, None
        self._pack = b""
        if child is None:
            return
        try:
            child.stdin.close()
        except OSError:
            pass
        try:
            child.wait(0.5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        for reader in self._readers:
            reader.join(1)
        child.stdout.close()
        child.stderr.close()

    @property
    def title(self) -> str:
        """Its name for sentences."""
        return {"cpython": "CPython", "micropython": "MicroPython"}[self.name]

    def _command(self) -> tuple[list[str], str, dict[str, str]]:
        """The command, its folder and what it adds to the environment."""
        serve = "from shared_rules.proof import serve; serve()"
        if self.name == "cpython":
            root = str(paths.rules_folder().parent)
            return [sys.executable, "-P", "-B", "-c", f"import sys; sys.path.insert(0, {root!r}); {serve}"], root, {}
        root = str(rules_image())
        start = f"import gc; gc.threshold({COLLECT_BYTES}); {serve}"
        return ([micropython.find_micropython(), "-X", f"heapsize={self.heap_kb}k", "-c", start], root,
                {"MICROPYPATH": f"{root}{os.pathsep}.frozen"})

    def _start(self) -> None:
        command, folder, more = self._command()
        kept = micropython.plain_environment()
        self._rows = queue.Queue()
        self._errors.clear()
        try:
            child = subprocess.Popen(command, cwd=folder, env={**kept, "PYTHONUTF8": "1", **more}, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise InterpreterFault(f"{self.title} did not start: {command[0]}: {error.strerror or error}.") from None
        self._child = child
        self._readers = [threading.Thread(target=self._read, args=(child.stdout, self._rows), daemon=True),
                         threading.Thread(target=self._read, args=(child.stderr, None), daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read(self, pipe, rows: queue.Queue | None) -> None:
        try:
            for line in pipe:
                text = line.decode("utf-8", "replace")
                if rows is None:
                    self._errors.append(text.strip())
                else:
                    rows.put(text)
        except (OSError, ValueError):
            pass  # closed while being read
        if rows is not None:
            rows.put(None)

    def _last_words(self, noise: list[str], what: str) -> str:
        child = self._child
        self.close()
        words = [line for line in (*noise, *self._errors) if line]
        last = words[-1] if words else f"code {child.returncode}, no message"
        if last.startswith("MemoryError"):
            heap = f" its {self.heap_kb} kB of heap" if self.name == "micropython" else " memory"
            return f"{self.title} ran out of{heap} in {what} ({last})."
        return f"{self.title} stopped in {what}: {last[:300]}."


def parse_names(text: str | None) -> list[str]:
    """The interpreters of ``--on``; None or "" means all. Raises GridglowError for an unknown one."""
    if not text:
        return list(NAMES)
    found: list[str] = []
    for word in text.split(","):
        name = word.strip().lower()
        if name not in (*NAMES, BOARD):
            raise GridglowError(f"Expected interpreters of {', '.join((*NAMES, BOARD))}, separated by commas, got "
                                f"{word.strip()!r}.")
        if name not in found:
            found.append(name)
    return found
