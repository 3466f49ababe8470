"""The set-up menu on the board, worked with keys and read from the display."""

import shutil

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.board.beginning import Beginning
from glow.menu.names import LETTERS, READY, NameEntry


@pytest.fixture
def root(root_of):
    return root_of


def menu(root, pace="instant"):
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(200)
    driver.press(1, "OK")
    assert driver.app.state == "menu"
    return driver


def go_to(driver, kind, at=0):
    """Moves the cursor to a row."""
    rows = driver.app.screen.rows
    while rows[driver.app.screen.at] != (kind, at):
        driver.press(1, "NEXT")


def turn(driver, kind, at, times, key="NEXT"):
    """Changes the value of a row."""
    go_to(driver, kind, at)
    driver.press(1, "OK")
    for _ in range(times):
        driver.press(1, key)
    driver.press(1, "OK")
    if driver.app.screen.entry:                    # a person: the name stays as it is
        driver.press(1, "UNDO")
        driver.press(1, "UNDO")


def line_of(driver, word):
    return [line for line in driver.hal.display.shown if word in line][0]


def test_a_race_is_set_up_and_started_with_keys_alone(root):
    driver = menu(root())
    turn(driver, "laps", 0, 1)
    go_to(driver, "laps")
    assert line_of(driver, "Laps").endswith("5") or line_of(driver, "Laps")[-1].isdigit()
    laps = driver.app.menu_choice["laps"]
    turn(driver, "seat", 1, 1)                     # seat 2: from person to bot
    turn(driver, "seat", 3, 1, "PREV")             # seat 4: from empty to bot
    turn(driver, "dice", 0, 1)
    go_to(driver, "start")
    driver.press(1, "OK")
    setup = driver.app.race.setup
    assert setup.players == [["person", "Player 1"], ["bot", "Bot 2"], ["bot", "Bot 3"]]
    assert setup.laps == laps and setup.dice == "table" and setup.track
    assert len(setup.seed) >= 32 and setup.seed != setup.salt


def test_the_display_tells_that_the_race_loads_while_it_does(root):
    driver = menu(root(), "normal")
    go_to(driver, "start")
    seen = []
    app = driver.app
    piece = Beginning.piece

    def watched(beginning):
        seen.append(" ".join(driver.hal.display.shown))
        piece(beginning)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Beginning, "piece", watched)
        driver.press(1, "OK")
    assert app.race and len(seen) > 8 and all("The race is loading" in one for one in seen[2:])


def test_keys_that_are_pressed_while_a_race_loads_change_nothing(root):
    driver = menu(root(), "normal")
    go_to(driver, "start")
    app = driver.app
    for key in ("OK", "OK", "NEXT", "MENU", "UNDO"):
        driver.hal.edge(1, key, 1)
        driver.hal.edge(1, key, 0)
    driver.run(1000)
    assert app.state == "start" and app.race and not app.beginning


def test_a_race_that_loads_is_left_where_the_host_stops_it(root):
    driver = menu(root(), "normal")
    said = []
    app = driver.app
    app.begin_race({"game": "moto_grand_prix", "variant": "basic", "track": "fabulous-driving-park",
                    "players": [["bot", "A"], ["bot", "B"]]}, None, said.append)
    assert app.beginning and said == []
    app.begin_race({}, None, said.append)
    assert said == ["The race is loading..."]
    app.tick(app.hal.ticks_ms())
    app.stop_race()
    assert app.beginning is None and app.state == "idle" and app.race is None
    assert said[1:] == ["No race is under way; start one."]


def test_empty_seats_leave_no_gap_and_panels_keep_their_people(root):
    driver = menu(root())
    turn(driver, "seat", 0, 1, "PREV")             # seat 1 empty
    turn(driver, "seat", 4, 1)                     # seat 5 a person
    go_to(driver, "start")
    driver.press(3, "OK")
    app = driver.app
    assert app.race.setup.players == [["person", "Player 1"], ["person", "Player 2"]]
    assert [app.panels.seats(panel) for panel in range(1, 7)] == [[], [1], [], [], [2], []]
    assert app.hal.kinds("race")[-1]["panels"] == [[], [1], [], [], [2], []]
    other = Script(App(ScriptHal(app.hal.flash), pace="instant"))
    assert other.app.resume_race() == ""
    assert other.app.panels.seats(5) == [2]


def test_two_panels_serve_four_people(root):
    driver = menu(root("mini"))
    turn(driver, "seat", 2, 1)
    turn(driver, "seat", 3, 1)
    go_to(driver, "start")
    driver.press(2, "OK")
    app = driver.app
    assert len(app.race.setup.players) == 4
    assert [app.panels.seats(1), app.panels.seats(2)] == [[1, 3], [2, 4]]
    driver.run(300)
    assert [p.seat for p in app.race.prompts] == [1, 2, 3, 4]
    driver.press(1, "OK")
    driver.run(300)
    assert [p.seat for p in app.race.prompts] == [2, 3, 4]
    assert app.panels.asking(1)[1] == 3 and driver.shows("Player")
    for panel in (1, 2, 2):
        driver.press(panel, "OK")
        driver.run(300)
    assert app.race.lines >= 4


def test_one_player_alone_is_refused_with_the_reason(root):
    driver = menu(root())
    turn(driver, "seat", 1, 1, "PREV")
    turn(driver, "seat", 1, 0)
    driver.app.screen.choice["seats"][1] = ["empty", ""]
    go_to(driver, "start")
    driver.press(1, "OK")
    assert driver.app.state == "menu" and driver.shows("can't be played")
    assert driver.shows("Expected 2 to 6 seats")
    driver.press(1, "OK")
    assert driver.shows("New race")


def test_what_the_game_refuses_is_told(root):
    driver = menu(root())
    for seat in (2, 3):
        turn(driver, "seat", seat, 2)
    turn(driver, "option", 0, 1)
    go_to(driver, "start")
    driver.press(1, "OK")
    assert driver.app.state == "menu" and driver.shows("That can't be played")
    for _ in range(6):
        driver.press(1, "NEXT")
    assert driver.app.state == "menu"


def test_a_name_is_entered_letter_by_letter(root):
    driver = menu(root())
    go_to(driver, "seat", 0)
    driver.press(1, "OK")
    driver.press(1, "OK")
    assert driver.shows("Name for seat 1")
    for letter in "Zoë":
        entry = driver.app.screen.entry
        if letter not in LETTERS:
            letter = "e"
        while entry.symbol() != letter:
            entry.move(1)
        driver.press(1, "OK")
    driver.press(1, "UNDO")
    driver.press(1, "OK")                          # the wheel is still on the letter
    entry = driver.app.screen.entry
    while entry.symbol() != READY:
        entry.move(-1)
    driver.press(1, "OK")
    assert driver.app.menu_choice["seats"][0] == ["person", "Zoe"]
    assert driver.shows("Zoe")


def test_names_are_never_empty_or_double(root):
    from glow.menu.names import fill
    texts = menu(root()).app.texts
    given = [["person", " "], ["person", "Ann"], ["bot", "Ann"], ["person", "Ann"], ["bot", ""]]
    assert fill(texts, given) == [["person", "Player 1"], ["person", "Ann"], ["bot", "Ann 2"], ["person", "Ann 3"],
                                  ["bot", "Bot 5"]]
    entry = NameEntry("abcdefghij")
    entry.wheel = 0
    entry.ok()
    assert entry.name == "abcdefghij"


def test_back_and_menu_leave_without_a_race(root):
    driver = menu(root())
    driver.press(1, "OK")
    driver.press(1, "UNDO")
    assert driver.app.state == "menu"
    driver.press(1, "UNDO")
    assert driver.app.state == "idle"
    driver.press(2, "MENU")
    assert driver.app.state == "menu"
    driver.press(2, "MENU")
    assert driver.app.state == "idle"


def test_a_saved_race_is_offered_first(root):
    flash = root()
    driver = menu(flash)
    go_to(driver, "start")
    driver.press(1, "OK")
    digest = driver.app.race.digest()
    driver = menu(flash)
    assert driver.app.screen.rows[0] == ("resume", 0)
    driver.press(1, "OK")
    assert driver.app.state == "race" and driver.app.race.digest() == digest


def test_a_saved_race_that_is_damaged_is_told(root):
    flash = root()
    driver = menu(flash)
    go_to(driver, "start")
    driver.press(1, "OK")
    import os
    for name in os.listdir(flash + "/save"):
        if "settings" not in name:
            with open(flash + "/save/" + name, "wb") as file:
                file.write(b"nonsense")
    driver = menu(flash)
    driver.press(1, "OK")
    assert driver.app.state == "menu" and driver.shows("damaged")


def test_turning_a_value_with_a_held_key_repeats(root):
    driver = menu(root())
    go_to(driver, "laps")
    driver.press(1, "OK")
    before = driver.app.menu_choice["laps"]
    driver.hal.edge(1, "NEXT", 1)
    driver.run(1500)
    driver.hal.edge(1, "NEXT", 0)
    driver.run(100)
    assert driver.app.menu_choice["laps"] > before + 5


def test_without_tracks_the_menu_says_so(root):
    flash = root()
    shutil.rmtree(flash + "/tracks")
    driver = menu(flash)
    go_to(driver, "start")
    driver.press(1, "OK")
    assert driver.app.state == "menu" and driver.shows("track")
    assert not driver.hal.errors
