"""The display's characters: as they are drawn, all different, and one for everything that our texts contain."""


import pytest
from drivers import font
from make_font import FONT_FILE, columns, drawings, font_text

from glow.texts.letters import like
from glow.texts.texts import KEPT, readable
from gridglow.texts import known_languages, read_language

LANGUAGES = known_languages()


def picture(letter):
    at = 5 * font.place(letter)
    return font.COLUMNS[at : at + 5]


def test_the_file_is_what_is_drawn():
    assert FONT_FILE.read_text("utf-8") == font_text()


def test_every_drawing_is_found_by_its_letter():
    for letter, drawing in drawings():
        assert picture("\u65e5" if letter == "BOX" else letter) == columns(drawing)
    assert len(font.COLUMNS) == 5 * (96 + len(font.MORE)) < 700


def test_no_two_letters_look_the_same():
    seen = {}
    for letter, drawing in drawings():
        seen.setdefault(columns(drawing), []).append(letter)
    assert [letters for letters in seen.values() if len(letters) > 1] == []
    assert [letter for letter, drawing in drawings() if not any(columns(drawing))] == [" "]


def test_letters_keep_to_their_cell():
    """Only descenders use the eighth row, so that lines never touch."""
    low = {letter for letter, drawing in drawings() if "#" in drawing[7]}
    assert low == set(",_gjpqyçß|")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_our_texts_say_is_drawn(language):
    for key, text in read_language(language).items():
        missing = [letter for letter in readable(text) if font.place(letter) == font.BOX]
        assert not missing, (key, missing)


def test_all_that_is_kept_or_falls_back_is_drawn():
    assert [letter for letter in KEPT if font.place(letter) == font.BOX] == []
    for code in range(0xA0, 0x2600):
        for letter in like(chr(code)):
            assert font.place(letter) != font.BOX, chr(code)


@pytest.mark.parametrize("letter", ["\u65e5", "\x7f", "\x00", "\U0001f3cd", "\u0416"])
def test_what_has_no_drawing_is_a_box(letter):
    assert font.place(letter) == font.BOX
