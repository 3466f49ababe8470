"""A Pico's image has its public names as words of MicroPython's ROM: what others see keeps its name."""

import ast

import pytest

from gridglow.device.image import SOURCES_ALWAYS, source_modules, spelt
from gridglow.device.romwords import lend, rom_words, spell
from gridglow.device.shorten import shorten


def renamed(**sources):
    texts = {f"glow/{name}.py": text.encode() for name, text in sources.items() if name != "main"}
    lent = lend(texts, {"main.py": sources.get("main", "").encode()})
    return lent, {name[5:-3]: spell(text, lent).decode() for name, text in texts.items()}


def test_a_name_gets_the_same_word_everywhere():
    lent, texts = renamed(one="class Lamp:\n    def shine_brightly(self):\n        self.how_much = 1\n",
                          two="from glow.one import Lamp\n\nLamp().shine_brightly()\n")
    word = lent["shine_brightly"]
    assert word in rom_words()[0] and word not in ("append", "args")
    assert f"def {word}(" in texts["one"] and f"().{word}()" in texts["two"]
    assert lent["Lamp"] in texts["two"] and "from glow.one import" in texts["two"]


@pytest.mark.parametrize("text", [
    "def seen_by_text(a):\n    pass\n\n\nx = getattr(x, 'seen_by_text')\n",
    "def other():\n    pass\n\n\nother(seen_by_text=1)\nseen_by_text = 2\n",
    "class Lamp:\n    def seen_by_text(self):\n        getattr(self, 'seen_' + 'x')\n",
    "WORDS = 'lane seen_by_text row'\nseen_by_text = 1\n",
    "class seen_by_text(ValueError):\n    pass\n",
])
def test_what_might_be_seen_from_elsewhere_keeps_its_name(text):
    lent, _ = renamed(one=text)
    assert "seen_by_text" not in lent


def test_what_the_sources_in_the_root_name_stays():
    assert "run_forever" not in renamed(one="def run_forever():\n    pass\n", main="from glow.one import run_forever\n")[0]


def test_no_word_means_two_things():
    sources = source_modules(None, True, "pico", True)
    compiled = shorten({name: text for name, text in sources.items() if name not in SOURCES_ALWAYS})
    lent = lend(compiled, {name: text for name, text in sources.items() if name in SOURCES_ALWAYS})
    assert len(lent) > 400 and len(set(lent.values())) == len(lent)
    before = {name for text in compiled.values() for name in words_of(text)}
    assert not before & set(lent.values())


def test_an_image_keeps_its_lines_and_its_shape():
    sources = source_modules(None, False, "pico", True)
    for name, text in spelt(sources, "pico").items():
        before, after = ast.parse(sources[name]), ast.parse(text)
        assert [type(node) for node in ast.walk(before)] == [type(node) for node in ast.walk(after)], name


def test_a_module_that_comes_later_has_the_names_of_the_image():
    usual, every = (spelt(source_modules(None, proof, "pico", True), "pico") for proof in (False, True))
    assert {name: every[name] for name in usual} == usual and len(every) > len(usual)


def words_of(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                yield word
