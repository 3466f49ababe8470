"""Runs a program once under MicroPython or CPython, for measurements and trials that read its output when it is done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gridglow.micropython import find_micropython, plain_environment


@dataclass(frozen=True)
class Told:
    """A program's output: its ``lines``, its exit ``code`` (None: it was stopped), and ``why`` it said no
    more, on request."""

    code: int | None
    lines: list[str]
    why: str

    def row(self, mark: str):
        """The JSON after the mark in the last line that begins with it; None if there is none."""
        for line in reversed(self.lines):
            if line.startswith(mark):
                return json.loads(line.removeprefix(mark))
        return None


def run_once(program: Sequence[str], folder: os.PathLike | str, limit_s: float, heap_kb: int | None = None,
             path: Sequence[str] = (), feed: str = "") -> Told:
    """Runs a program with its arguments in a folder, on MicroPython with this much heap or, without ``heap_kb``, on CPython.
It imports from its own folder and, on MicroPython, from those of ``path``; ``feed`` is its input. Raises
    It imports from its own folder and, on MicroPython, from those of ``path``; ``feed`` is its input. Raises
    NoMicroPython where there is none.
    """
    if heap_kb is None:
        command = [sys.executable, "-S", "-B", *program]
    else:
        command = [find_micropython(), "-X", f"heapsize={heap_kb}k", *program]
    more = {"MICROPYPATH": os.pathsep.join([*path, ".frozen"]), "PYTHONUTF8": "1"}
    try:
        child = subprocess.run(command, cwd=folder, env={**plain_environment(), **more}, input=feed.encode(),
                               capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return Told(None, [], f"it didn't end within {limit_s:g} s")
    lines = child.stdout.decode("utf-8", "replace").splitlines()
    words = [line for line in (*lines, *child.stderr.decode("utf-8", "replace").splitlines()) if line.strip()]
    if child.returncode:
        return Told(child.returncode, lines, words[-1] if words else f"code {child.returncode}")
    return Told(0, lines, f"it ended after saying {words[-1]!r}" if words else "it ended without a word")
