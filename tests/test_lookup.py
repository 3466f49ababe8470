"""Tracebacks of a board, told in the names of the sources."""

import ast

from gridglow import paths
from gridglow.device.image import source_modules, spelt
from gridglow.device.lookup import readable


def on_board(module, function):
    """What a function is called in a Pico's image."""
    sources = source_modules(None, True, "pico", True)
    short = spelt(sources, True)[module]
    for ours, theirs in zip(ast.walk(ast.parse(sources[module])), ast.walk(ast.parse(short))):
        if isinstance(ours, ast.FunctionDef) and ours.name == function:
            return theirs.name
    raise AssertionError(function)


def test_a_traceback_names_the_functions_of_the_sources():
    name = on_board("glow/store.py", "_write_pending")
    assert name != "_write_pending"
    told = readable('The board stopped: OSError\n  File "main.py", line 40, in run\n'
                    f'  File "glow/store.mpy", line 1, in {name}\nOSError: 5\n12 screen race\n')
    text = (paths.firmware_folder() / "glow" / "store.py").read_text()
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "def _write_pending" in row)
    assert told.split("\n") == ["The board stopped: OSError", '  File "main.py", line 40, in run',
                                f'  File "glow/store.py", line {line}, in _write_pending', "OSError: 5",
                                "12 screen race", ""]


def test_the_paths_of_a_pico_are_those_of_the_sources():
    name = on_board("shared_rules/games/racing_rules/rules.py", "__init__")
    told = readable(f'  File "/c/racing_rules/rules.mpy", line 1, in {name}')
    assert told.startswith('  File "shared_rules/games/racing_rules/rules.py", line ')


def test_a_missing_attribute_is_named_as_in_the_sources():
    name = on_board("glow/lights.py", "start_sequence")
    assert readable(f"AttributeError: 'x' object has no attribute '{name}'") == (
        "AttributeError: 'x' object has no attribute 'start_sequence'")


def test_what_is_not_ours_stays():
    for line in ('  File "games/mine.mpy", line 1, in abc', '  File "glow/store.mpy", line 1, in no_such', "nothing at all"):
        assert readable(line) == line
