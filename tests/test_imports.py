"""Who may import whom: the rules only themselves, firmware and host the rules, and neither of these the other."""

import ast
from pathlib import Path

import pytest

import subset_lint

ROOT = Path(__file__).resolve().parent.parent
FIRMWARE_NAMES = {"glow", "hal", "drivers", "main", "boot", "install"}


def imported(text):
    """The top names of all that a source imports, also inside functions and by __import__ of a plain text."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports by the whole name, not by dots"
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__":
            first = node.args[0].left if isinstance(node.args[0], ast.BinOp) else node.args[0]
            while isinstance(first, ast.BinOp):
                first = first.left
            if isinstance(first, ast.Constant):
                names.add(first.value.split(".")[0])
    return names


def sources(folder):
    found = [path for path in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in path.parts]
    assert found, f"{folder} holds no sources"
    return found


ON_BOARD_NAMES = {path.stem for path in sources("host/gridglow_workshop/torture/on_board")}


def shown(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources("shared_rules"), ids=shown)
def test_the_rules_import_only_themselves(path):
    assert imported(path.read_text("utf-8")) <= {"shared_rules", *subset_lint.RULES_MODULES}


@pytest.mark.parametrize("path", sources("firmware"), ids=shown)
def test_the_firmware_imports_the_rules_and_itself_but_never_the_host(path):
    names = imported(path.read_text("utf-8"))
    assert not names & {"gridglow", "host", "firmware", "tests"}
    excused = {"_thread"}  # CPython's reader thread on Windows
    allowed = {"shared_rules", *FIRMWARE_NAMES, *subset_lint.FIRMWARE_MODULES, *subset_lint.BOARD_MODULES}
    assert names - excused <= allowed


#: Scripts that the host has a board's interpreter run, in a device folder: they are the board's.
ON_BOARD = ROOT / "host" / "gridglow_workshop" / "torture" / "on_board"


@pytest.mark.parametrize("path", [path for path in sources("host") if path.parent != ON_BOARD], ids=shown)
def test_the_host_never_imports_the_firmware(path):
    names = imported(path.read_text("utf-8"))
    assert not names & (FIRMWARE_NAMES | {"firmware", "tests", "subset_lint", "on_board", *ON_BOARD_NAMES})


@pytest.mark.parametrize("path", sources(ON_BOARD), ids=shown)
def test_what_the_host_has_run_on_a_board_never_imports_the_host(path):
    allowed = {"shared_rules", "random", *FIRMWARE_NAMES, *subset_lint.FIRMWARE_MODULES, *subset_lint.BOARD_MODULES,
               *ON_BOARD_NAMES}
    assert imported(path.read_text("utf-8")) <= allowed


def test_an_arrow_the_wrong_way_would_be_seen():
    assert imported("def f():\n    from glow.app import App") == {"glow"}
    assert imported("import os, gridglow.paths") == {"os", "gridglow"}
    assert imported('__import__("shared_rules.games." + name + ".rules")') == {"shared_rules"}


def test_no_two_packages_share_a_name():
    host = {path.name for path in (ROOT / "host").iterdir() if path.is_dir()}
    firmware = {path.stem for path in (ROOT / "firmware").iterdir() if path.name != "__pycache__"}
    assert not host & firmware and "shared_rules" not in host | firmware
