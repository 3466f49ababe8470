"""Cases that run on both interpreters: plain functions `case_…` of a module in cases/, with asserts and without pytest.

    from both import cases
    @pytest.mark.parametrize("name", cases("cases_rc522"))
    def test_…(on_both, name)          # see `run`

Fakes of a Pico's modules are in fakes/fake_pico/lib; on CPython they come last, as one of them is `time`.
"""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELP = ROOT / "tests" / "help"
FAKES = HELP / "fakes" / "fake_pico" / "lib"
if str(FAKES) not in sys.path:
    sys.path.append(str(FAKES))


def cases(module):
    """The names of a module's cases, read without importing it."""
    tree = ast.parse((HELP / "cases" / (module + ".py")).read_text("utf-8"))
    return [part.name for part in tree.body if isinstance(part, ast.FunctionDef) and part.name.startswith("case_")]


def run_here(module, name):
    """Run a case on this CPython."""
    getattr(importlib.import_module(module), name)()


def run_micropython(micropython, module, name, cwd, heap="300k"):
    """Run a case on MicroPython; if it fails, an AssertionError with its output."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "firmware", FAKES, HELP / "cases", HELP / "in_memory", HELP)))
    command = [micropython, "-X", f"heapsize={heap}", "-c", f"import {module}; {module}.{name}()"]
    done = subprocess.run(command, cwd=cwd, env={**os.environ, "MICROPYPATH": path + os.pathsep + ".frozen"},
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
