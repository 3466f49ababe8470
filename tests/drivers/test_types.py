"""The drivers and the Pico's side of the seam, type-checked with the stubs of MicroPython on a Pico.

The firmware has no annotations (a board would discard them), so mypy looks into functions without any. The
lines of a PIO program are instructions named by rp2.asm_pio, so they are no Python to check.
"""

import ast
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
STUBS = ("micropython-rp2-rpi_pico-stubs", "micropython-stdlib-stubs")
FOUND = re.compile(r"^(?P<path>[^:]+\.py):(?P<line>\d+): error: (?P<said>.*)$")

#: Where the stubs allow less than a Pico does: file, words of the message.
TYPED_TOO_NARROWLY = (
    ("ws2812.py", 'expected "ptr'),  # viper takes any buffer
    ("oled.py", 'Argument 1 to "blit"'),  # a tuple (buffer, width, height, format) is accepted too
)


def checked_files():
    """The drivers, and the parts of the seam that run only on a Pico."""
    pico = [FIRMWARE / "hal" / name for name in ("pico.py", "usb.py")]
    return [*sorted((FIRMWARE / "drivers").glob("*.py")), *(path for path in pico if path.exists())]


@pytest.fixture(scope="module")
def typings(tmp_path_factory):
    """The stubs in a folder of their own: mypy accepts no standard-library stubs from among other packages."""
    folder = tmp_path_factory.mktemp("typings")
    for name in STUBS:
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            pytest.fail(f"{name} is not installed; run: make setup", pytrace=False)
        for file in files:
            if file.suffix in (".pyi", "") and ".dist-info" not in str(file) and not str(file).startswith(".."):
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), target)
    return folder


def errors(typings, folder, files):
    """What mypy reports about these files, as {(name, line): sentence}. The stubs' own faults don't count."""
    command = [
        sys.executable, "-m", "mypy", "--no-incremental", "--check-untyped-defs", "--follow-imports=silent",
        # Without annotations a name has the type of its first value: a part may be None, or a stand-in.
        "--no-strict-optional", "--disable-error-code=assignment", "--disable-error-code=import-untyped",
        "--hide-error-context", "--no-error-summary", "--no-pretty", "--no-color-output", "--platform=linux",
        f"--custom-typeshed-dir={typings}", f"--config-file={typings / 'none.ini'}", *map(str, files),
    ]
    (typings / "none.ini").write_text(f"[mypy]\nmypy_path = {typings}:{folder}\n", "utf-8")
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=280)
    found = {}
    for line in done.stdout.splitlines():
        match = FOUND.match(line)
        if match:
            path = Path(match["path"])
            path = path if path.is_absolute() else folder / path
            known = any(path.name == name and words in match["said"] for name, words in TYPED_TOO_NARROWLY)
            if not known and int(match["line"]) not in pio_lines(path):
                found[path.name, int(match["line"])] = match["said"]
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr  # 2: it gave up
    return found


def pio_lines(path):
    """The lines of PIO programs in a source file."""
    lines = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and any("asm_pio" in ast.unparse(one) for one in node.decorator_list):
            lines |= set(range(node.lineno, node.end_lineno + 1))
    return lines


def test_drivers_use_the_chip_as_it_is_typed(typings):
    files = checked_files()
    assert len(files) > 8
    found = errors(typings, FIRMWARE, files)
    assert found == {}, "\n".join(f"{path}:{line}: {said}" for (path, line), said in sorted(found.items()))


def test_a_wrong_use_is_found(typings, tmp_path):
    """The check above means something only if mypy knows what a Pico has."""
    (tmp_path / "wrong.py").write_text(
        "import rp2\n"
        "import time\n"
        "from machine import PWM, Pin\n"
        "def begin():\n"
        "    pin = Pin(28, Pin.IN, Pin.PULL_UP)\n"
        "    pin.irq(handler=None, tigger=3)\n"
        "    PWM(pin).duty_u8(3)\n"
        "    rp2.DMA().config(read=b'', writer=3)\n"
        "    time.monotonic()\n"
        "    return nothing\n",
        "utf-8",
    )
    found = errors(typings, tmp_path, [tmp_path / "wrong.py"])
    assert {line for _, line in found} == {6, 7, 8, 9, 10}, found
