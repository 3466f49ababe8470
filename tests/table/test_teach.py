"""Teach mode: each kind of question is explained once to each person, and never to a bot."""

import re
import shutil

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.store.store import Settings
from glow.table.teach import Teacher
from glow.texts.texts import wrap
from gridglow.texts import known_languages, read_language
from shared_rules.prompts import Choose

LANGUAGES = known_languages()


@pytest.fixture
def root(pristine, tmp_path):
    folder = str(shutil.copytree(pristine, tmp_path / "flash"))
    Settings(folder + "/save").put("teach", 1)
    return folder


def race(root, *players, pace="fast", **more):
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "teach", "salt": "s",
             "players": [["bot", name[1:]] if name[0] == "*" else ["person", name] for name in players]}
    plain.update(more)
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(50)
    assert driver.app.start_race(plain) == ""
    if driver.app.state == "start":
        driver.press(1, "OK")
    return driver


def taught(driver):
    """[seat, ask] of every prompt sent with an explanation, each once."""
    seen = []
    for message in driver.hal.kinds("prompts"):
        for prompt in message["list"]:
            row = [prompt["seat"], prompt["ask"], prompt["serial"]]
            if "teach" in prompt and row not in seen:
                seen.append(row)
    return [row[:2] for row in seen]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_a_sentence_that_fits_on_the_display(language):
    texts = read_language(language)
    asks = [key for key in texts if re.search(r"\.(ask|consent)_", key) and not key.endswith("_teach")
            and key != "engine.consent_open"]
    assert len(asks) >= 14
    for key in asks:
        say = texts[key + "_teach"]
        assert len(wrap(say, 21)) <= 5 and "{" not in say and say.endswith("."), (key, wrap(say, 21))


def test_a_question_is_explained_until_a_key_is_pressed(root):
    driver = race(root, "Ann", "Ben")
    assert driver.until(lambda: driver.app.table.questions.places[0].pick and not driver.app.table.answering.moving)
    driver.run(300)
    prompt = driver.hal.kinds("prompts")[-1]["list"][0]
    assert prompt["teach"] == driver.app.texts.get(prompt["ask"] + "_teach")
    assert driver.shows(prompt["teach"])
    assert driver.until(lambda: driver.app.table.questions.focus == 0)
    driver.press(1, "OK")
    assert driver.app.race.pending_answers() == [] and driver.app.table.questions.places[0].teach == ""
    assert driver.app.table.questions.places[1].teach  # the other person hasn't read it yet
    assert not driver.shows(prompt["teach"])
    driver.press(1, "OK")
    assert [seat for seat, _ in driver.app.race.pending_answers()] == [1]


def test_each_kind_is_explained_once_to_each_person_and_not_to_bots(root):
    driver = race(root, "Ann", "*Bo", "Cy")
    for _ in range(60):
        for prompt in driver.app.race.prompts if driver.app.race else ():
            if not driver.app.race.setup.is_bot(prompt.seat):
                driver.hal.say({"t": "answer", "seat": prompt.seat, "serial": prompt.serial,
                                "text": prompt.options()[0]})
        driver.run(100)
        if driver.app.table:
            driver.app.table.answering.skip()
    seen = taught(driver)
    assert len(seen) == len({tuple(row) for row in seen}) >= 6
    assert {seat for seat, _ in seen} == {1, 3}


def test_after_the_first_race_nothing_is_explained_unless_chosen(root):
    shutil.rmtree(root + "/save")                  # a board that nobody has raced on
    driver = race(root, "Ann", "*Bo")
    assert driver.app.table.questions.teacher and driver.app.teaches()
    driver.hal.say({"t": "answer", "seat": 1, "serial": 0, "text": "leave"})
    assert driver.until(lambda: driver.app.race.over or not driver.app.race.prompt_of(1))
    driver.app.set("pace", "fast")
    assert driver.until(lambda: driver.app.state == "podium", 3600000)
    assert not driver.app.teaches()
    again = race(root, "Ann", "*Bo")
    assert again.app.table.questions.teacher is None and taught(again) == []
    again.app.set("teach", 1)
    assert again.app.table.questions.teacher


def test_bots_are_never_delayed(root):
    fast = race(root, "*Bo", "*Cy")
    assert fast.app.table.questions.teacher is None
    fast.run(30000)
    Settings(root + "/save").put("teach", 0)
    plain = race(root, "*Bo", "*Cy")
    plain.run(30000)
    assert taught(fast) == [] and fast.hal.kinds("line") == plain.hal.kinds("line")


def test_races_that_nobody_watches_explain_nothing(root):
    driver = race(root, "Ann", "Ben", pace="instant")
    driver.run(500)
    assert driver.app.table.questions.teacher is None and taught(driver) == []


def test_an_explanation_is_shown_before_a_key_can_leave_it(root):
    driver = race(root, "Ann", "Ben")
    questions, answering = driver.app.table.questions, driver.app.table.answering
    assert driver.until(lambda: questions.places[0].teach and questions.places[1].teach and not answering.moving)
    driver.run(300)
    other = 1 - questions.focus                    # the display shows the question of somebody else
    driver.press(other + 1, "OK")
    assert questions.focus == other and questions.places[other].teach and driver.shows(questions.places[other].teach)
    driver.press(other + 1, "OK")
    assert questions.places[other].teach == "" and driver.app.race.pending_answers() == []


def test_the_page_of_a_seat_gets_the_sentence_too(root):
    driver = race(root, "Ann", "Ben")
    assert driver.until(lambda: driver.app.table.questions.places[1].pick and not driver.app.table.answering.moving)
    driver.hal.say({"t": "view", "seat": 2})
    driver.run(30)
    prompt = driver.hal.kinds("view")[-1]["prompt"]
    assert prompt["teach"] == driver.app.texts.get(prompt["ask"] + "_teach")


def test_who_only_looks_leaves_a_question_to_be_explained():
    teacher = Teacher()
    texts = Texts(["engine.consent_undo_teach"])
    prompt, later = Choose(2, ["ok"], "engine.consent_undo"), Choose(2, ["ok"], "engine.consent_undo")
    prompt.serial, later.serial = 7, 8
    for one in (prompt, later, prompt):            # the first was taken back before anybody at a panel had it
        assert teacher.sentence(texts, one)
    teacher.opened(later)
    assert teacher.sentence(texts, later) and not teacher.sentence(texts, prompt)
    teacher.opened(prompt)
    assert teacher.sentence(texts, later) and not teacher.sentence(texts, prompt)


class Texts:
    def __init__(self, keys):
        self.keys = keys

    def has(self, key):
        return key in self.keys

    def get(self, key):
        return key


def test_people_who_press_by_turns_do_not_hold_each_other_up(root):
    driver = race(root, "Ann", "Ben", "Cy")
    assert driver.until(lambda: driver.app.table.questions.places[2].teach and not driver.app.table.answering.moving)
    driver.run(300)
    for _ in range(3):                             # see it, leave it, roll
        for panel in (1, 2, 3):
            driver.press(panel, "OK")
    assert driver.app.race.lines >= 3
