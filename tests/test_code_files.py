"""The modules of a folder in one file: how the host makes it, and how MicroPython imports out of it."""

import subprocess

import pytest
from pico_bench import FIRMWARE

from gridglow.device.code_files import file_of, grouped, modules_of, path_line, path_of
from gridglow.device.compiler import compile_mpy
from shared_rules.errors import GridglowError

LAMP = b"import json\nfrom shared_rules.games import one\nLIT = json.dumps([one.NAME])\n"
SOURCES = {"glow/__init__.py": b"", "glow/lamp.py": LAMP, "glow/a.py": b"WHO = 'a'\n",
           "shared_rules/__init__.py": b"", "shared_rules/games/__init__.py": b"NAMES = ('one',)\n",
           "shared_rules/games/one/__init__.py": b"NAME = 'one'\n", "shared_rules/games/one/rules.py": b"RULES = 7\n",
           "root.py": b""}
SCRIPT = """
import os
import sys
import vfs
sys.path[:] = ["", ".frozen"]
from code_files import CodeFiles
vfs.mount(CodeFiles("./"), "/c")
sys.path.insert(0, "/c")
def files(folder):
    for entry in os.ilistdir(folder):
        if entry[1] & 0x4000:
            yield from files(folder + "/" + entry[0])
        else:
            yield folder + "/" + entry[0]
assert list(files("/c")) == []                     # it stands among the folders of the root
from glow import lamp
from glow.a import WHO
from shared_rules.games.one.rules import RULES
print(lamp.LIT, WHO, RULES)
for name in ("glow.none", "shared_rules.games.two.rules", "nothing", "glow.lamp.deeper", "shared_rules.games.one.none"):
    try:
        __import__(name)
        print("found", name)
    except ImportError:
        pass
from glow import loose
print(loose.HERE, lamp.__file__, sys.modules["shared_rules.games.one.rules"].__file__)
"""


def compiled():
    return {name[:-3] + ".mpy": compile_mpy(path_of(name), text + path_line(name)) for name, text in SOURCES.items()}


def test_modules_of_a_folder_lie_in_one_file_and_those_of_the_root_alone():
    files = compiled() | {"text/en.pack": b"text"}
    made = grouped(files)
    assert set(made) == {"glow.code", "shared_rules.code", "games.code", "one.code", "root.mpy", "text/en.pack"}
    assert modules_of(made["glow.code"]) == {name: files[f"glow/{name}.mpy"] for name in ("__init__", "lamp", "a")}
    assert file_of("shared_rules/games/one") == "one.code" and made["text/en.pack"] == b"text"


@pytest.mark.parametrize(("more", "says"), [
    ({"hal/one/__init__.mpy": b""}, "can't tell the folder hal/one from another"),
    ({"shared_rules/games/one/glow.mpy": b"", "shared_rules/games/glow/__init__.mpy": b""}, "can't tell the folder"),
    ({"drivers/oled.mpy": b""}, "drivers has no __init__.py"),
])
def test_what_a_board_could_not_import_is_refused(more, says):
    with pytest.raises(GridglowError, match=says):
        grouped(compiled() | more)


def test_micropython_imports_them(micropython, tmp_path):
    (tmp_path / "code_files.mpy").write_bytes(compile_mpy("code_files.py", (FIRMWARE / "code_files.py").read_bytes()))
    for name, content in grouped(compiled()).items():
        (tmp_path / name).write_bytes(content)
    for folder in ("glow", "shared_rules/glow"):   # what proves the rules lies in the second for a while
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.mpy").write_bytes(compile_mpy("glow/a.py", b"WHO = 'left behind'\n"))
    (tmp_path / "shared_rules" / "glow" / "loose.mpy").write_bytes(compile_mpy("glow/loose.py", b"HERE = True\n"))
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([micropython, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ['["one"] a 7', "True /c/glow/lamp.mpy /c/one/rules.mpy"], done.stdout + done.stderr
