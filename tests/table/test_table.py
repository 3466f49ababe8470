"""Prompts on panels and display: dice at the table, ends, undo, why, menus, secrets, numbers, fewer panels than seats."""

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.table.ends import EndsPick, is_ends
from glow.table.pick import make
from shared_rules import games
from shared_rules.game import Game
from shared_rules.prompts import D6, Choose, Roll
from shared_rules.prompts_cards import Draw, Number
from shared_rules.race import Race


def race(root, *players, pace="instant", **more):
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "table", "salt": "s",
             "players": [["bot", name[1:]] if name[0] == "*" else ["person", name] for name in players]}
    plain.update(more)
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(50)
    assert driver.app.start_race(plain) == ""
    driver.run(300)
    if driver.app.state == "start":
        driver.press(1, "OK")
    return driver


def asked(driver):
    """The prompt of the next person, once it is open and nothing moves."""
    app = driver.app

    def ready():
        return not app.table.answering.moving and [p for p in app.race.prompts if not app.race.setup.is_bot(p.seat)]
    assert driver.until(ready, 600000)
    driver.run(200)
    return [p for p in app.race.prompts if not app.race.setup.is_bot(p.seat)][0]


def texts_of(driver):
    return [driver.app.race.line(n).text for n in range(1, driver.app.race.lines + 1)]


# Picks

def test_ends_are_picked_row_first_then_lane():
    pick = EndsPick(_track(), ["go 3a", "go 3c", "go 2b", "go 40a", "go 1a"], [None] * 5, _track().named("39b"))
    assert [row for row, _ in pick.rows] == [40, 1, 2, 3]
    assert not pick.in_row and pick.counts() == (1, 4)
    assert pick.ok() == "go 40a"                   # one end in the row: taken at once
    pick.move(-1)
    assert pick.row() == 3 and pick.lit()[1] == [_track().named("3a"), _track().named("3c")]
    assert pick.ok() is None and pick.in_row
    pick.move(1)
    assert pick.lit() == ([_track().named("3a"), _track().named("3c")], [_track().named("3c")])
    assert pick.ok() == "go 3c"
    assert pick.back() and not pick.in_row and not pick.back()


def test_ends_with_two_costs_and_one_row_are_picked_at_once():
    pick = EndsPick(_track(), ["go 3a cost 2", "go 3a cost 1"], [None, None], -1)
    assert pick.in_row and pick.ok() == "go 3a cost 2"
    pick.move(1)
    assert pick.ok() == "go 3a cost 1" and not pick.back()
    assert is_ends(["go 3a"]) and not is_ends(["go 3a", "pass"]) and not is_ends([])


class _Ring:
    closed = True
    rows = 40

    def named(self, name):
        return (int(name[:-1]) - 1) * 3 + "abc".index(name[-1])

    def row(self, space):
        return space // 3 + 1

    def lane(self, space):
        return space % 3 + 1


def _track():
    return _Ring()


def test_every_kind_of_prompt_has_its_pick():
    roll = Roll(1, [D6, ("red", "blue")], "k")
    assert make(roll, _track(), -1).ok() == "roll"
    roll.source = "table"
    wheel = make(roll, _track(), -1)
    wheel.move(-1)
    assert wheel.ok() is None and wheel.counts() == (2, 2)
    wheel.move(1)
    assert wheel.ok() == "roll 6 blue" and wheel.back() and not wheel.back()
    draw = Draw(1, [3, 3, 5], "k", count=2)
    draw.source = "table"
    wheel = make(draw, _track(), -1)
    wheel.move(1)
    wheel.ok()
    assert wheel.ok() == "draw 5 3"
    number = make(Number(1, 2, 4, "k"), _track(), -1)
    number.move(-1)
    assert number.ok() == "number 4" and number.counts() == (3, 3)


# Dice

def test_dice_of_the_table_are_entered_one_by_one(root):
    driver = race(root, "Ann", "*Bo", dice="table")
    assert asked(driver).source == "table"
    assert "[1] ?" in driver.hal.display.text()
    driver.press(1, "NEXT")
    driver.press(1, "NEXT")
    driver.press(1, "OK")
    assert "3 [1]" in driver.hal.display.text()
    driver.press(1, "UNDO")
    assert "[3] ?" in driver.hal.display.text()
    driver.press(1, "OK")
    driver.press(1, "PREV")
    driver.press(1, "OK")
    assert "roll 3 6" in texts_of(driver)


def test_dice_of_the_board_are_rolled_and_shown(root):
    driver = race(root, "Ann", "*Bo")
    asked(driver)
    assert driver.shows("Roll the dice")
    driver.press(1, "OK")
    while not [text for text in texts_of(driver) if text.startswith("flip")]:
        driver.press(1, "OK")
        asked(driver)
    faces = [text for text in texts_of(driver) if text.startswith("roll")][-1].split(" ")[1:]
    assert faces


def test_the_rolled_faces_stand_on_the_display_while_flips_are_chosen(root):
    driver = race(root, "Ann", "*Bo")
    prompt = _until_kind(driver, "flip")
    faces = " ".join(["[%d]" % face for face in prompt.args])
    assert faces in driver.hal.display.text()
    assert driver.shows("1/%d" % len(prompt.options())) or len(prompt.options()) == 1


def _until_kind(driver, verb):
    while True:
        prompt = asked(driver)
        if prompt.options()[0].startswith(verb):
            return prompt
        driver.press(1, "OK")


def test_ends_pulse_and_the_chosen_one_is_bright(root):
    driver = race(root, "Ann", "*Bo")
    prompt = _until_kind(driver, "go")
    lights = driver.app.lights
    ends = [driver.app.race.track.named(text.split(" ")[1]) for text in prompt.options()]
    assert sorted(lights._ends) == sorted(ends)
    first = lights._chosen
    driver.press(1, "NEXT")
    assert len(ends) == 1 or lights._chosen != first


# Keys

def test_undo_takes_back_the_own_last_choice(root):
    driver = race(root, "Ann", "*Bo")
    prompt = _until_kind(driver, "flip")
    driver.press(1, "UNDO")
    asked(driver)
    options = prompt.options()
    driver.press(1, "OK")                          # any key closes a note; otherwise the flip is chosen
    _until_kind(driver, "go")
    driver.press(1, "UNDO")
    again = asked(driver)
    assert again.options() == options and texts_of(driver)[-1] == "undo 1"
    assert driver.hal.kinds("scene")[-1]["events"] == [["undone", 1]]


def test_undo_explains_where_nothing_was_chosen(root):
    driver = race(root, "Ann", "*Bo")
    asked(driver)
    driver.press(1, "UNDO")
    assert driver.shows("no choice yet") and driver.app.race.lines == 0


def test_undo_past_others_asks_them_first(root):
    driver = race(root, "Ann", "Ben")
    for panel in (1, 2):
        driver.press(panel, "OK")
    while True:
        prompt = asked(driver)
        seat = prompt.seat
        was_go = prompt.options()[0].startswith("go")
        driver.press(seat, "OK")
        if was_go:
            break
    prompt = asked(driver)
    driver.press(prompt.seat, "OK")                # the other has rolled
    digest = driver.app.race.digest()
    if prompt.seat != seat:
        driver.press(seat, "UNDO")
        asker = driver.app.race.prompts
        assert [p.seat for p in asker] == [prompt.seat] and asker[0].options() == ["ok", "no"]
        assert driver.shows("Yes, all right") or driver.shows("Waiting for an OK")
        driver.press(prompt.seat, "NEXT")
        driver.press(prompt.seat, "OK")
        assert texts_of(driver)[-1] == "no" and driver.app.race.digest() == digest
        driver.press(seat, "OK")                   # closes the note
        driver.press(seat, "UNDO")
        driver.press(prompt.seat, "OK")
        assert texts_of(driver)[-1] == "ok"
        assert asked(driver).seat == seat


def test_why_walks_through_the_near_misses(root):
    driver = race(root, "Ann", "*Bo")
    prompt = _until_kind(driver, "go")
    near = prompt.refused()
    assert near
    for number in range(len(near)):
        driver.press(1, "WHY")
        assert driver.shows("%d/%d" % (number + 1, len(near)))
        words = driver.app.speech.text(near[number].reason, near[number].args_).split(" ")
        assert driver.shows(words[0]) and driver.app.race.lines == len(texts_of(driver))
    driver.press(1, "WHY")
    assert driver.shows("To ") and not driver.shows("Not possible")
    driver.press(1, "WHY")
    lines = driver.app.race.lines
    driver.press(1, "OK")                          # back, and nothing is answered
    assert driver.app.race.lines == lines and not driver.shows("Not possible")


def test_why_says_where_all_is_allowed_or_nothing_is_asked(root):
    driver = race(root, "Ann", "Ben")
    driver.press(1, "OK")
    driver.press(1, "WHY")
    assert driver.shows("There is no question here")
    driver.press(1, "OK")
    driver.press(2, "WHY")
    assert driver.shows("are shown (MG-09)")


def test_joint_prompts_are_answered_on_their_own_panels_in_any_order(root):
    driver = race(root, "Ann", "Ben", "Cy", pace="fast")
    asked(driver)
    seen = set()
    for _ in range(1000):
        driver.tick()
        seen.add(driver.hal.display.shown[0].split(" ")[0])
    assert seen == {"Ann", "Ben", "Cy"}            # the display cycles
    driver.press(3, "OK")
    driver.press(1, "OK")
    driver.press(1, "OK")
    assert driver.app.race.lines == 0
    driver.press(2, "OK")
    assert driver.app.race.lines == 3


# Menu

def menu_item(driver, item):
    from glow.menu.race import ITEMS
    while ITEMS[driver.app.table.menu.at] != item:
        driver.press(1, "NEXT")
    driver.press(1, "OK")


def test_the_menu_shows_standings_and_dice_and_goes_back(root):
    driver = race(root, "Ann", "*Bo")
    for _ in range(6):
        asked(driver)
        driver.press(1, "OK")
    asked(driver)
    digest = driver.app.race.digest()
    driver.press(4, "MENU")
    assert driver.shows("Menu") and driver.shows("Standings")
    menu_item(driver, "standings")
    assert driver.shows("Ann") and driver.shows("Bo")
    driver.press(1, "OK")
    menu_item(driver, "statistics")
    rolls = [text.split(" ")[1:] for text, n in zip(texts_of(driver), range(1, 99))
             if text.startswith("roll") and driver.app.race.line(n).seat == 1]
    assert driver.hal.display.shown[1].endswith(str(sum([len(faces) for faces in rolls])))
    driver.press(1, "UNDO")
    driver.press(1, "MENU")
    assert driver.app.table.menu is None and driver.app.race.digest() == digest
    asked(driver)
    driver.press(1, "MENU")
    driver.run(61000)
    assert driver.app.table.menu is None


def test_settings_change_in_the_menu_and_stay(root):
    driver = race(root, "Ann", "*Bo")
    driver.press(1, "MENU")
    for item in ("mute", "calm", "pace", "brightness"):
        menu_item(driver, item)
    app = driver.app
    assert driver.hal.sound.mute and app.lights.calm and app.settings.get("brightness", 0) and app.pace in (
        "slow", "normal", "fast")
    menu_item(driver, "mute")
    assert not driver.hal.sound.mute


def test_the_source_of_dice_changes_with_the_next_turn(root):
    driver = race(root, "Ann", "Ben")
    driver.press(1, "OK")
    driver.press(2, "OK")
    driver.press(1, "MENU")
    menu_item(driver, "dice")
    assert texts_of(driver)[-1] == "source dice table"
    driver.press(1, "MENU")
    for _ in range(12):
        prompt = asked(driver)
        if prompt.kind == "roll" and prompt.source == "table":
            break
        driver.press(prompt.seat, "OK")
    assert prompt.source == "table"


def test_leaving_and_a_new_race_are_asked_twice(root):
    driver = race(root, "Ann", "Ben", "*Cy")
    driver.press(1, "MENU")
    menu_item(driver, "leave")
    assert driver.shows("Really?") and not driver.app.race.left
    driver.press(1, "NEXT")
    assert not driver.shows("Really?")
    driver.press(1, "PREV")
    driver.press(1, "OK")
    driver.press(1, "OK")
    driver.run(200)
    assert "leave" in texts_of(driver) and driver.app.table.menu is None
    driver.press(2, "MENU")
    menu_item(driver, "new")
    assert driver.app.state == "race"
    driver.press(1, "OK")
    assert driver.app.state == "menu" and driver.app.saved_race()


def test_save_and_end_goes_to_idle(root):
    driver = race(root, "Ann", "*Bo")
    driver.press(1, "MENU")
    menu_item(driver, "quit")
    assert driver.app.state == "idle" and driver.app.saved_race()
    assert driver.shows("A race is saved")


# Options that take long

def flip_asked(driver):
    """The first choice after dice."""
    while (prompt := asked(driver)).kind != "choose":
        driver.press(prompt.seat or 1, "OK")
    return prompt


def test_options_are_found_in_pieces_before_they_are_asked_for(root, monkeypatch):
    driver = race(root, "Ann", "Ben", pace="fast")
    seen = []

    def prepare(prompt):
        for piece in range(5):
            assert driver.app.table.answering.moving
            assert all(place.prompt is not prompt for place in driver.app.table.questions.places)
            seen.append([prompt.serial, piece, driver.app.lights.frames, driver.app.now])
            yield

    monkeypatch.setattr(Choose, "prepare", prepare)
    monkeypatch.setattr(driver.app, "busy", lambda: bool(seen) and seen[-1][3] == driver.app.now)  # a Pico is that slow
    prompt = flip_asked(driver)
    pieces = [row for row in seen if row[0] == prompt.serial]
    assert [row[1] for row in pieces] == [0, 1, 2, 3, 4]
    assert driver.app.table.questions.places[prompt.seat - 1].prompt is prompt and not driver.app.faults
    assert len({row[3] for row in pieces}) == 5 and pieces[-1][2] > pieces[0][2]   # a tick each, with frames in between


def test_options_that_fail_in_pieces_are_told_and_the_race_goes_on(root, monkeypatch):
    driver = race(root, "Ann", "Ben", pace="fast")

    def prepare(prompt):
        raise ValueError("pieces")
        yield

    monkeypatch.setattr(Choose, "prepare", prepare)
    prompt = flip_asked(driver)
    assert "pieces" in " ".join(driver.app.faults) and driver.app.state == "race"
    driver.press(prompt.seat, "OK")
    assert asked(driver).serial != prompt.serial


# Games that ask other things

class Parlour(Game):
    """A secret card, a number, and a choice that anybody may make."""

    ID = "parlour"
    VARIANTS = ("one",)
    SEATS = (2, 6)
    fields = ("round",)

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.round = 0

    def turn(self):
        yield [Choose(seat, ["bet red", "bet blue"], "board.opt_bet", ("", "x"), secret=True)
               for seat in self.setup.seats()]
        yield Number(1, 3, 5, "board.row_laps")
        yield Choose(0, ["pass"], "board.opt_pass")
        self.round += 1

    def over(self):
        return self.round > 0

    def cars(self):
        return []

    def standings(self):
        return [[seat, 0, seat, 0] for seat in self.setup.seats()]

    def scene(self, scene):
        pass

    def private(self, seat):
        return [["board.opt_play", "", "seat:%d" % seat]]


@pytest.fixture
def parlour(root, monkeypatch):
    monkeypatch.setattr(games, "NAMES", ("parlour", "moto_grand_prix"))
    real = games.load
    monkeypatch.setattr(games, "load", lambda name: Parlour if name == "parlour" else real(name))
    about = games.about
    monkeypatch.setattr(games, "about", lambda name: Parlour if name == "parlour" else about(name))
    from shared_rules.track import Track
    monkeypatch.setattr(Track, "game", "parlour", raising=False)
    fill = Track._fill

    def as_parlour(self, *args):
        fill(self, *args)
        self.game = "parlour"
    monkeypatch.setattr(Track, "_fill", as_parlour)
    return race(root, "Ann", "Ben", game="parlour")


def test_a_secret_choice_is_seen_only_while_why_is_held(parlour):
    driver = parlour
    asked(driver)
    assert driver.shows("Hold WHY") and driver.hal.display.private == 0
    driver.hal.edge(1, "WHY", 1)
    driver.run(400)
    if driver.hal.display.private != 1:            # the display was another panel's
        driver.run(3000)
    assert driver.hal.display.private == 1 and driver.shows("Bet on red") and driver.shows("Play Ann")
    driver.hal.edge(1, "NEXT", 1)
    driver.run(60)
    driver.hal.edge(1, "NEXT", 0)
    driver.run(60)
    assert driver.shows("Bet on blue")
    driver.hal.edge(1, "WHY", 0)
    driver.run(100)
    assert driver.hal.display.private == 0 and not driver.shows("Bet on blue")
    driver.press(1, "OK")
    driver.press(2, "OK")
    public = [m for m in driver.hal.sent if m["t"] in ("line", "prompts", "scene", "show")]
    assert "bet blue" not in str(public) and "bet red" not in str(public)
    assert [m["text"] for m in driver.hal.kinds("line")][:2] == ["sealed", "sealed"]
    driver.hal.say({"t": "why", "seat": 1, "n": 1})
    driver.run(50)


def test_a_seats_view_holds_its_own_secret_only(parlour):
    driver = parlour
    asked(driver)
    driver.hal.say({"t": "view", "seat": 2, "n": 1})
    driver.run(50)
    view = driver.hal.kinds("view")[-1]
    assert view["prompt"]["choices"] == ["bet red", "bet blue"] and view["private"] == ["Play Ben"]
    assert view["prompt"]["seat"] == 2


def test_numbers_and_questions_to_the_table(parlour):
    driver = parlour
    asked(driver)
    for panel in (1, 2):
        driver.press(panel, "OK")
    assert asked(driver).kind == "number"
    driver.press(1, "PREV")
    driver.press(1, "OK")
    assert texts_of(driver)[-1] == "number 5"
    assert asked(driver).seat == 0
    driver.press(2, "OK")
    driver.run(200)
    assert driver.app.state == "podium"
    race_ = driver.app.race
    assert [race_.line(n).text for n in (1, 2)] == ["bet red", "bet red"] and race_.line(4).seat == 2
    assert isinstance(race_, Race)
