"""The rooms of the firmware: no circles, late imports with reasons, and modules loaded ahead in the right order."""

import ast
from pathlib import Path

import pytest

from glow.board import idle, races

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
MODULES = {path.relative_to(FIRMWARE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
           for path in sorted((FIRMWARE / "glow").rglob("*.py"))}
#: What a late import says about itself, in its line or in its function's docstring.
REASONS = ("#", "loaded")


def imports(tree, late=False):
    """(module, the import, the innermost function around it or None) for glow's own modules that a source imports."""
    for node in ast.iter_child_nodes(tree):
        inside = node if isinstance(node, ast.FunctionDef) else late
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "glow":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module, node, late
        yield from imports(node, inside)


def test_no_room_is_a_file_and_no_file_has_a_room_in_its_name():
    rooms = {path.parent.name for path in MODULES.values()} - {"glow"}
    assert {path.stem for path in (FIRMWARE / "glow").glob("*.py")} == {"__init__", "app"}
    assert not [path.name for path in MODULES.values() if path.stem.split("_")[0] in rooms and "_" in path.stem]


def test_there_are_no_circles_not_even_of_late_imports():
    needs = {name: {module for module, _, _ in imports(ast.parse(path.read_text("utf-8")))} - {name}
             for name, path in MODULES.items()}
    while True:
        free = [name for name, more in needs.items() if not more]
        if not free:
            break
        for name in free:
            del needs[name]
        for more in needs.values():
            more.difference_update(free)
    assert not needs, f"these form a circle: {sorted(needs)}"


@pytest.mark.parametrize("name", MODULES)
def test_an_import_inside_a_function_says_why(name):
    text = MODULES[name].read_text("utf-8")
    lines = text.splitlines()
    for _, node, late in imports(ast.parse(text)):
        if late:
            told = lines[node.lineno - 1] + (ast.get_docstring(late) or "")
            assert any(word in told for word in REASONS), f"{name}:{node.lineno}: {lines[node.lineno - 1].strip()}"


@pytest.mark.parametrize("names", [idle.AHEAD, races.START, f"{races.TABLE} {races.PEOPLE}"])
def test_what_is_loaded_ahead_is_there_and_each_module_comes_after_those_that_it_needs(names):
    names = names.split()
    assert set(names) <= set(MODULES)
    for at, name in enumerate(names):
        needed = {module for module, _, late in imports(ast.parse(MODULES[name].read_text("utf-8"))) if not late}
        assert not needed & set(names[at + 1:]), name
