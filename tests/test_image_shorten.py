"""Private names made short: what is seen from outside keeps its name, and the modules do the same."""

import ast

from gridglow.device.image import source_modules
from gridglow.device.shorten import shorten


def names(text):
    found = set()
    for node in ast.walk(ast.parse(text)):
        fields = [getattr(node, field, None) for field in ("id", "attr", "name", "arg")]
        found |= {field for field in fields if isinstance(field, str)}
    return found


def test_private_names_become_short_and_nothing_else():
    text = (b"_LIMIT = 3\n\n\nclass A:\n    def __init__(self, _first):\n        self._rows = _first\n"
            b"        self.rows = _LIMIT\n")
    short = shorten({"a.py": text})["a.py"]
    assert names(short) == {"A", "__init__", "self", "rows", "_a", "_c", "a"}
    assert short.count(b"\n") == text.count(b"\n")


def test_what_others_see_keeps_its_name():
    sources = {
        "a.py": b"class A:\n    def __init__(self):\n        self._open = self._shut = self._read = 1\n",
        "b.py": b"def f(a):\n    return a._open + getattr(a, '_read')\n",
    }
    short = shorten(sources)
    assert {"_open", "_read"} <= names(short["a.py"]) and "_shut" not in names(short["a.py"])
    assert short["b.py"] == sources["b.py"]


def test_modules_that_inherit_number_their_names_together():
    sources = {
        "a.py": b"class A:\n    def __init__(self):\n        self._base = 1\n",
        "b.py": b"from a import A\n\n\nclass B(A):\n    def change(self):\n        self._own = 2\n",
    }
    short = shorten(sources)
    (base,) = [name for name in names(short["a.py"]) if name.startswith("_") and not name.startswith("__")]
    (own,) = [name for name in names(short["b.py"]) if name.startswith("_") and not name.startswith("__")]
    assert base != own


def test_ours_stay_python_with_the_lines_they_had():
    sources = source_modules(proof=True)
    for name, text in shorten(sources).items():
        before, after = ast.parse(sources[name]), ast.parse(text)
        assert text.count(b"\n") == sources[name].count(b"\n")
        assert [type(node) for node in ast.walk(before)] == [type(node) for node in ast.walk(after)]
        assert seen(before) == seen(after)


def seen(tree):
    """What other modules may name: functions, classes and attributes that aren't private."""
    defined = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) if not node.attr.isupper()}
    return {name for name in defined | attributes if not name.startswith("_")}


def test_arguments_become_letters_where_nobody_passes_them_by_name():
    sources = {
        "a.py": b"def total(first, second, third=3):\n    return first + second + third\n",
        "b.py": b"from a import total\n\nprint(total(1, second=2))\n",
    }
    short = shorten(sources)["a.py"]
    assert short == b"def total(a, second, third=3):\n    return a + second + third\n"


def test_a_function_may_be_called_like_its_argument():
    text = b"class A:\n    def scene(self, scene):\n        scene.lap = self.scene\n"
    assert shorten({"a.py": text})["a.py"] == b"class A:\n    def scene(self, a):\n        a.lap = self.scene\n"


def test_constants_that_nobody_else_names_become_short():
    sources = {
        "a.py": b"ROWS = 3\nLANES = 4\nWORDS = 'ROWS'\nSTEP_MS = 5\nprint(STEP_MS, LANES)\n",
        "b.py": b"import a\n\nprint(a.LANES)\n",
    }
    short = shorten(sources)["a.py"]
    assert {"ROWS", "LANES"} <= names(short) and not {"WORDS", "STEP_MS"} & names(short)
