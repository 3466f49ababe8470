"""The check of the language that both interpreters understand: what it finds, what it ignores, and that our
code is clean."""

import subprocess
import sys
from pathlib import Path

import pytest

import subset_lint

ROOT = Path(__file__).resolve().parents[2]

BAD_EVERYWHERE = [
    ("import", "import enum"),
    ("import", "from dataclasses import dataclass"),
    ("import", "from typing import List"),
    ("import", "import functools, json"),
    ("import", "import random"),
    ("import", "from . import notation"),
    ("import", "from __future__ import annotations"),
    ("import", "import gridglow.paths"),
    ("import", "def f():\n    import copy"),
    ("match", "match kind:\n    case 1:\n        pass"),
    ("star", "a = [*b]"),
    ("star", "a = (1, *b)"),
    ("star", "a = {*b}"),
    ("star", "a = {**b}"),
    ("f-string", "a = f\"{b['key']}\""),
    ("async", "async def f():\n    pass"),
    ("slice-step", "a = text[::-1]"),
    ("slice-step", "a[::2] = b"),
    ("method", "a = text.zfill(3)"),
    ("method", "a = text.ljust(3)"),
    ("method", "a = text.rjust(3)"),
    ("method", "a = number.bit_length()"),
    ("method", "a = word.isdigit()"),
    ("encode", "a = text.encode('ascii')"),
    ("super", "class A(Exception):\n    def __init__(self):\n        Exception.__init__(self, 'a')"),
    ("hash", "a = hash(text)"),
    ("next", "a = next(work, None)"),
    ("except", "try:\n    f()\nexcept:\n    pass"),
    ("except", "try:\n    f()\nexcept BaseException:\n    raise"),
    ("swallow", "try:\n    f()\nexcept KeyboardInterrupt:\n    pass"),
    ("swallow", "try:\n    f()\nexcept (OSError, KeyboardInterrupt) as error:\n    print(error)"),
    ("swallow", "def f():\n    try:\n        g()\n    finally:\n        return 1"),
    ("sort-key", "a = sorted(bikes, key=lambda bike: bike.speed)"),
    ("sort-key", "bikes.sort(key=lambda bike: (bike.number, bike.speed))"),
    ("sort-key", "bikes.sort(key=len)"),
    ("sort-key", "def order(bike):\n    return bike.speed\nbikes.sort(key=order)"),
    ("sort-key", "bikes.sort(key=lambda bike: bike.place)  # unique:"),
    ("set-order", "for a in {1, 2}:\n    pass"),
    ("set-order", "a = list(set(b))"),
    ("set-order", "def f(b):\n    seen = set(b)\n    return [c for c in seen]"),
    ("set-order", "a = ', '.join({'a', 'b'})"),
    ("dict-order", "for key, value in table.items():\n    pass"),
    ("dict-order", "names = {}\nfor name in names:\n    pass"),
    ("dict-order", "def f():\n    names = dict(a=1)\n    return list(names.keys())"),
    ("dict-order", "a = json.dumps({'a': 1, 'b': 2})"),
    ("int", "def f(text):\n    return int(text)"),
    ("int", "def f(line):\n    return int(line.strip())"),
    ("mark", "a = 1  # subset: ok because"),
    ("mark", "a = word.isdigit()  # subset: ok"),
    ("syntax", "def f(:"),
]

BAD_IN_RULES = [
    ("import", "import time"),
    ("import", "import os"),
    ("import", "from glow.app import App"),
    ("float", "a = 0.5"),
    ("float", "a = b / 2"),
    ("float", "a /= 2"),
    ("float", "a = round(b)"),
    ("float", "a = float(b)"),
    ("large-int", "a = 1073741824"),
    ("str-of-key-error", "try:\n    f()\nexcept KeyError as error:\n    a = str(error)"),
]

GOOD = [
    "import json\nfrom binascii import crc32\nfrom shared_rules.prompts import Roll",
    "a = [1] + list(b)\nf(*a)\nfirst, *rest = a",
    "a = f'{b} of {c:03d}'",
    "a = text[1:-1]",
    "a = sorted(b)",
    "a = sorted(bikes, key=lambda bike: bike.number)",
    "a = sorted(bikes, key=lambda bike: (-bike.speed, bike.number))",
    "class A:\n    def _key(self, bike):\n        return (bike.speed, bike.number)\n"
    "    def f(self, bikes):\n        bikes.sort(key=self._key)",
    "bikes.sort(key=lambda bike: bike.place)  # unique: no two bikes have the same place",
    "a = sorted(set(b))\nc = len(set(b))\nd = 3 in {1, 2, 3}",
    "a = sum(counts.values())\nb = any(value for value in counts.values())",
    "for value in prompt.values():\n    pass",
    "for edge in hal.keys():\n    pass",
    "names = {}\nfor name in names:\n    names[name] = getattr(a, name)",
    "a = json.dumps([1, [2, 'b']])",
    "try:\n    f()\nexcept KeyboardInterrupt:\n    lights_out()\n    raise",
    "try:\n    f()\nexcept (OSError, ValueError) as error:\n    a = str(error)",
    "def f(word):\n    if not '0' <= word <= '9':\n        return None\n    return int(word)",
    "def f(text):\n    return int(text) if is_count(text) else None",
    "a = 0xFFFFFFFF & crc",
    "a = b // 2",
    "a = word.isdigit()  # subset: ok the word comes from our own table",
]


def rules_found(text, rules):
    path = "shared_rules/some.py" if rules else "firmware/glow/some.py"
    return [finding.rule for finding in subset_lint.check_text(text, path, rules)]


@pytest.mark.parametrize("rule, text", BAD_EVERYWHERE)
@pytest.mark.parametrize("rules", [True, False])
def test_what_is_wrong_is_found(rule, text, rules):
    assert rule in rules_found(text, rules)


@pytest.mark.parametrize("rule, text", BAD_IN_RULES)
def test_the_rules_are_held_to_more(rule, text):
    assert rule in rules_found(text, True)


@pytest.mark.parametrize("text", GOOD)
@pytest.mark.parametrize("rules", [True, False])
def test_what_is_right_passes(text, rules):
    assert rules_found(text, rules) == []


def test_the_firmware_may_use_time_floats_and_its_own_packages():
    text = "import os\nimport time\nfrom glow.app import App\nfrom hal import ticks_diff\ntime.sleep(0.5 / 2)"
    assert rules_found(text, False) == []


def test_modules_of_the_board_stay_behind_the_seam():
    assert [f.rule for f in subset_lint.check_text("import machine", "firmware/glow/app.py", False)] == ["import"]
    assert subset_lint.check_text("import machine", "firmware/hal/pico.py", False) == []


def test_a_finding_names_file_line_rule_and_remedy():
    (finding,) = subset_lint.check_text("a = 1\nb = a / 2", "shared_rules/some.py", True)
    assert str(finding) == "shared_rules/some.py:2: float: '/' makes a float; use '//'."


def test_the_command_tells_by_its_exit_code(tmp_path):
    def lint(*names):
        command = [sys.executable, str(ROOT / "tools" / "subset_lint.py"), *map(str, names)]
        return subprocess.run(command, capture_output=True, text=True)

    bad = tmp_path / "bad.py"
    bad.write_text("a = [*b]\n")
    result = lint(tmp_path)
    assert (result.returncode, result.stdout.count("\n")) == (1, 1)
    assert lint(tmp_path / "missing").returncode == 2
    bad.write_text("a = 1\n")
    assert lint(bad).returncode == 0


def test_our_own_rules_and_firmware_are_clean():
    files = subset_lint.source_files([ROOT / "shared_rules", ROOT / "firmware"])
    assert len(files) > 40
    assert [str(finding) for path in files for finding in subset_lint.check_file(path)] == []
