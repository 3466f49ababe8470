"""Runs drivers under MicroPython (unix) on the bench of fake_pico: from source, and as .mpy like on a board."""

import platform
import subprocess
import textwrap
from pathlib import Path

from gridglow.firmware.compiler import NATIVE, compile_mpy

ROOT = Path(__file__).resolve().parents[3]
FIRMWARE = ROOT / "firmware"
LIB = ROOT / "tests" / "help" / "fakes" / "fake_pico" / "lib"
#: What a board may run: sources, compiled modules with native code for this machine, compiled modules without any.
FORMS = ("source", "mpy", "plain")
HAS_NATIVE = platform.machine() == "x86_64"
#: The chip that native code is compiled for.
CHIPS = {"mpy": "x64" if HAS_NATIVE else "", "plain": ""}
BEGIN = """
import sys
sys.path[:] = [{lib!r}, {firmware!r}, ".frozen"]
from fake_pico import board
board.fake_clock({start_us})
import micropython, time
"""


def firmware(folder, form):
    """A folder with the drivers and the seam in this form, made in ``folder``."""
    root = folder / form
    if form == "source":
        return FIRMWARE
    if root.exists():
        return root
    for path in [*(FIRMWARE / "drivers").glob("*.py"), FIRMWARE / "hal" / "__init__.py"]:
        name, text = path.relative_to(FIRMWARE).as_posix(), path.read_bytes()
        if CHIPS[form] or NATIVE not in text:
            write(root, name, compile_mpy(name, text, CHIPS[form]))
    return root


def write(root, name, content):
    target = root / (name[:-3] + ".mpy")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def run(micropython, folder, form, script, start_us=1000000, heap_kb=300):
    """Run a script beside the drivers; it must succeed. Returns its output as lines.

    The script finds `board` with its fake clock, `time` and `micropython` imported.
    """
    text = BEGIN.format(lib=str(LIB), firmware=str(firmware(folder, form)), start_us=start_us)
    file = folder / "script.py"
    file.write_text(text + textwrap.dedent(script), "utf-8")
    done = subprocess.run([micropython, "-X", f"heapsize={heap_kb}k", str(file)], capture_output=True, text=True,
                          timeout=60, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()
