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
    assert names(short) == {"A", "__init__", "self", "rows", "_a", "_b", "_c"}
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
        public = {one for one in names(sources[name]) if not one.startswith("_")}
        assert public == {one for one in names(text) if not one.startswith("_")}
