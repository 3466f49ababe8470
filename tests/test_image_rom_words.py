"""A Pico's image has its public names as words of MicroPython's ROM: what others see keeps its name."""

import ast
import keyword
import re
from pathlib import Path

import pytest

import gridglow
from gridglow.device.image import SOURCES_ALWAYS, source_modules, spelt
from gridglow.device.romwords import lend, rom_words, spell
from gridglow.device.shorten import shorten
from shared_rules.games import NAMES


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
    assert len(lent) > 400
    before = {name for text in compiled.values() for name in words_of(text)}
    assert not before & set(lent.values())
    for game in NAMES:  # no race has the modules of two games
        together = {name for module, text in compiled.items() for name in words_of(text)
                    if not module.startswith("shared_rules/games/") or module.count("/") == 2
                    or module.startswith(f"shared_rules/games/{game}/")} & lent.keys()
        assert len({lent[name] for name in together}) == len(together) > 300


def test_two_games_share_the_words_of_their_own_names():
    texts = {"shared_rules/games/one/rules.py": b"def mine_alone():\n    pass\n\n\ndef of_both():\n    pass\n",
             "shared_rules/games/two/rules.py": b"from glow.app import of_board\n\n\ndef of_both():\n    theirs_alone = 1\n",
             "shared_rules/games/two/bots.py": b"def theirs_alone():\n    pass\n",
             "glow/app.py": b"def of_board():\n    pass\n"}
    words = frozenset(("umount", "ilistdir", "chdir"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gridglow.device.romwords.rom_words", lambda: (words, words))
        lent = lend(texts, {})
    assert lent["mine_alone"] == lent["theirs_alone"] and len(set(lent.values())) == 3 and len(lent) == 4


def test_an_image_keeps_its_lines_and_its_shape():
    sources = source_modules(None, False, "pico", True)
    for name, text in spelt(sources, True).items():
        before, after = ast.parse(sources[name]), ast.parse(text)
        assert [type(node) for node in ast.walk(before)] == [type(node) for node in ast.walk(after)], name


def test_a_module_that_comes_later_has_the_names_of_the_image():
    usual, every = (spelt(source_modules(None, proof, "pico", True), True) for proof in (False, True))
    assert {name: every[name] for name in usual} == usual and len(every) > len(usual)


def test_what_the_host_runs_on_a_board_keeps_its_names():
    """Code in the host's texts that imports modules of ours names what the image has by the same name, or is spelt too."""
    sources = source_modules(None, True, "pico", True)
    short = shorten({name: text for name, text in sources.items() if name not in SOURCES_ALWAYS})
    lent = lend(short, {name: text for name, text in sources.items() if name in SOURCES_ALWAYS})
    found = 0
    for path in (Path(gridglow.__file__).parent).rglob("*.py"):
        text = path.read_text("utf-8")
        if "romwords import spell\n" in text or path.name == "measures.py":  # that one runs on this computer
            continue
        for node in ast.walk(ast.parse(text)):
            code = ast.unparse(node) if isinstance(node, (ast.JoinedStr, ast.Constant)) else ""
            if re.search(r"\b(from|import) (glow|hal|drivers|shared_rules)\b", code):
                found += 1
                words = set(re.findall(r"[A-Za-z_]\w*", code.replace("\\n", " "))) - set(keyword.kwlist)
                assert not words & lent.keys(), path
    assert found >= 3
    assert {"serve", "Settings", "put"} <= {name for text in short.values() for name in words_of(text)}


def words_of(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                yield word


def test_a_new_function_renews_few_modules():
    """What a small change costs a board that is brought up to date. Nearly all words of the ROM are lent: a new name's word
    may be that of another, which then takes a third one's."""
    sources = source_modules(None, False, "pico", True)
    before = spelt(sources, True)
    more = b"\n\ndef quite_another_thing(some_value, one_more=2):\n    return some_value + one_more\n"
    for name in ("glow/names.py", "shared_rules/race.py"):
        after = spelt({**sources, name: sources[name] + more}, True)
        assert name in [one for one in before if before[one] != after[one]]
        assert sum(before[one] != after[one] for one in before) <= len(before) // 7
    less = sources["glow/names.py"].replace(b"def ", b"def renamed_", 1)
    renamed = spelt({**sources, "glow/names.py": less}, True)
    assert sum(before[one] != text for one, text in renamed.items()) <= len(before) // 7


def test_every_name_has_a_word_of_the_rom():
    """With all games and proof. Where words run out, one in forty of the shortest may have two letters instead, which take
    room in the heap of a stock MicroPython alone. In a program of Gridglow's no name has any."""
    sources = source_modules(None, True, "pico", True)
    short = shorten({name: text for name, text in sources.items() if name not in SOURCES_ALWAYS})
    lent = lend(short, {name: text for name, text in sources.items() if name in SOURCES_ALWAYS})
    without = set(lent.values()) - rom_words()[0]
    assert len(lent) > 500 and len(without) < len(lent) // 40 and all(len(word) == 2 for word in without)


def test_where_words_run_out_the_longest_names_have_them(monkeypatch):
    words = frozenset(("umount", "ilistdir", "chdir"))
    monkeypatch.setattr("gridglow.device.romwords.rom_words", lambda: (words, words))
    lent, _ = renamed(one="def long_name_of_it():\n    pass\n\n\nclass Longer_name_still:\n"
                          "    much_longer_name_than_all = 1\n    mid_name = 2\n    tiny = 3\n    x = 4\n")
    assert {name for name, word in lent.items() if word in words} == {"long_name_of_it", "Longer_name_still",
                                                                      "much_longer_name_than_all"}
    assert len(lent["mid_name"]) == len(lent["tiny"]) == 2 and "x" not in lent


def test_a_function_s_own_variables_need_no_word():
    lent, texts = renamed(one="def look_for():\n    global counted\n    place = 1\n    counted = place\n    return place\n")
    assert "place" not in lent and {"look_for", "counted"} <= lent.keys() and "place = 1" in texts["one"]
