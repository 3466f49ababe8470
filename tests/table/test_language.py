"""Languages: all have the same keys, the board carries all of them, and the menus switch between them."""

import os
import re

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.texts.texts import readable, wrap
from gridglow import paths
from gridglow.texts import check, known_languages, read_language, text_files

LANGUAGES = sorted(known_languages(), key=lambda language: language != "en")


def board(root):
    driver = Script(App(ScriptHal(root), pace="instant"))
    driver.run(100)
    return driver


def test_english_and_german_have_the_same_keys_and_arguments():
    assert LANGUAGES[:2] == ["en", "de"]
    for same in ([paths.text_folder() / f"{language}.toml" for language in LANGUAGES],
                 *([file.with_stem(language) for language in LANGUAGES] for file in text_files("en")[1:])):
        assert [str(problem) for problem in check(same)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_display_has_every_letter_of_a_language(language):
    wrong = [key for key, text in read_language(language).items() if readable(text) != text]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_menus_fit_on_a_line(language):
    texts = read_language(language)
    too_long = [key for key, text in texts.items()
                if re.match(r"board\.(menu_|row_)", key) and len(wrap(text, 20)) > 1]
    assert too_long == []


def test_german_is_chosen_in_the_set_up_menu_and_stays(root):
    driver = board(root)
    assert driver.shows("Press OK to set up a race.")
    driver.press(1, "OK")
    rows = driver.app.screen.rows
    from glow.menu.choices import KEYS
    while rows[driver.app.screen.at] != ("set", KEYS.index("language")):
        driver.press(1, "NEXT")
    assert driver.shows("Language") and driver.shows("English")
    driver.press(1, "OK")
    driver.press(1, "NEXT")
    driver.press(1, "OK")
    assert driver.shows("Sprache") and driver.shows("Deutsch")
    driver.press(1, "MENU")
    assert driver.shows("OK")
    assert driver.app.texts.get("board.menu_language") == "Sprache"
    again = board(root)                            # power off and on
    assert again.app.texts.get("engine.name") == "Deutsch" and not again.app.faults
    again.hal.say({"t": "hi", "v": 1})
    again.run(50)
    option = again.hal.kinds("menu")[0]["games"][0]["options"][0]
    assert option[3] == read_language("de")["moto_grand_prix.option_bikes"]


def test_a_race_changes_its_language_in_its_menu(root):
    driver = board(root)
    assert driver.app.start_race({"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "s", "salt": "s",
                                  "players": [["person", "Änne"], ["person", "Öz"]]}) == ""
    driver.run(300)
    before = driver.hal.kinds("prompts")[-1]["list"][0]["say"]
    driver.press(1, "MENU")
    from glow.menu.race import ITEMS
    while ITEMS[driver.app.table.menu.at] != "language":
        driver.press(1, "NEXT")
    driver.press(1, "OK")
    assert driver.shows("Sprache") and driver.shows("Deutsch")
    after = driver.hal.kinds("prompts")[-1]["list"][0]["say"]
    assert before != after and driver.app.settings.get("language", "en") == "de"
    driver.press(1, "MENU")
    assert driver.shows("Änne") and driver.shows(after.split(" ")[0])


def test_a_language_that_the_board_has_not_falls_back_to_english(root):
    driver = board(root)
    driver.app.set("language", "de")
    os.remove(root + "/text/de.pack")
    driver = board(root)
    assert driver.app.texts.get("engine.name") == "English" and driver.app.faults == []
    assert driver.hal.kinds("hello")[-1]["lang"] == "en"


def test_a_pack_that_breaks_leaves_english(root):
    driver = board(root)
    with open(root + "/text/de.pack", "wb") as file:
        file.write(b"GGTX, but broken")
    driver.app.set("language", "de")
    assert driver.app.texts.get("engine.name") == "English" and len(driver.app.faults) == 1


def test_an_image_carries_every_language(tmp_path):
    from gridglow.firmware.image import build
    build(tmp_path, "mini", tracks=[], mpy=False)
    assert sorted(name[:-5] for name in os.listdir(tmp_path / "text")) == sorted(LANGUAGES)
