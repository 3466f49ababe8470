"""The app from outside: whole races by keys and by bots, evenings, resuming, faults. Clock and host are scripted."""

import json
import shutil

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.board import failed
from glow.board.guarded import TRIES_MOST
from shared_rules.journal_file import Journal
from shared_rules.link_table import PROTOCOL
from shared_rules.race import Race
from shared_rules.setup import Setup

TRACK = "gp-ring"


def setup(*players, laps=1, seed="evening", **more):
    plain = {"game": "moto_grand_prix", "track": TRACK, "laps": laps, "seed": seed, "salt": "s",
             "players": [["bot", name[1:]] if name[0] == "*" else ["person", name] for name in players]}
    plain.update(more)
    return plain


def board(root, pace="fast"):
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(50)
    return driver


def start(driver, plain):
    """Starts a race and skips the lights, until the first prompt is open."""
    assert driver.app.start_race(plain) == ""
    driver.run(300)
    if driver.app.state == "start":
        driver.press(1, "OK")
    assert driver.app.state == "race"
    assert driver.until(lambda: not driver.app.table.answering.moving)
    driver.run(200)


def settle(driver):
    """Lets bots and animations run until a person is asked, or the race is over."""
    app = driver.app

    def ready():
        if app.state != "race":
            return True
        people = [p for p in app.race.prompts if not app.race.setup.is_bot(p.seat)]
        return bool(people) and not app.table.answering.moving and not app.table.answering.offers
    assert driver.until(ready, 600000)
    driver.run(200)


def ok_everything(driver, answers=None):
    """Presses OK for whoever is asked until the race is over, or this many answers are in."""
    app = driver.app
    while app.state == "race" and (answers is None or app.race.lines < answers):
        settle(driver)
        if app.state == "race":
            driver.press(app.panels.panel_of(app.race.prompts[0].seat), "OK")
    return driver


def play_headless(driver, plain):
    assert driver.app.start_race(plain) == ""
    assert driver.until(lambda: driver.app.state == "podium", 3600000)
    return driver.app.race


def test_bots_race_to_the_podium_and_everything_is_told(root):
    driver = board(root)
    driver.app.start_race(setup("*Bo", "*Cy"))
    assert driver.until(lambda: driver.app.state == "podium", 600000)
    hal, race = driver.hal, driver.app.race
    assert [message["state"] for message in hal.kinds("race")][:2] == ["idle", "start"]
    assert hal.kinds("race")[-1]["state"] == "podium"
    lines = hal.kinds("line")
    assert [line["i"] for line in lines] == list(range(1, race.lines + 1))
    assert all(line["pd"] == race.line(line["i"]).public for line in lines)
    assert all(line["say"].startswith(("Bo ", "Cy ")) and line["say"].endswith(".") for line in lines)
    assert hal.kinds("standings")[-1]["final"] == 1
    assert [event for scene in hal.kinds("scene") for event in scene["events"] if event[0] == "finished"]
    assert not hal.errors and not hal.kinds("fault")
    assert driver.shows("Bo") and driver.app.texts.missing == 0


def test_start_lights_come_one_a_second_and_ok_skips_the_hold(root):
    driver = board(root)
    driver.app.start_race(setup("Ann", "*Bo"))
    driver.run(3000)
    assert driver.hal.kinds("race")[-1]["lights"] == 3
    assert "(*) (*) (*) ( ) ( )" in driver.hal.display.shown
    driver.press(1, "OK")
    assert driver.app.state == "race"
    driver.app.stop_race()
    driver.app.start_race(setup("Ann", "*Bo"))
    held = driver.app.screen.hold_ms
    assert 300 <= held < 2500
    driver.run(4070 + held - 50)
    assert driver.app.state == "start"
    driver.run(600)
    assert driver.app.state == "race"


def test_two_people_play_a_whole_race_with_keys_and_the_journal_holds(root):
    driver = ok_everything(_started(root, setup("Ann", "Ben")))
    assert driver.app.state == "podium"
    race = driver.app.race
    journal = Journal.parse(race.journal())
    again = Race(Setup.from_plain(journal.plain, race.track), race.track)
    for line in journal.lines:
        again.feed(line.show())
    assert again.journal() == race.journal() and again.digest() == race.digest()
    assert again.standings() == race.standings()
    driver.run(1000)
    driver.press(2, "OK")
    assert driver.app.state == "idle" and not driver.app.saved_race()


def test_an_ok_that_was_meant_for_what_moved_does_not_end_the_podium(root):
    driver = ok_everything(_started(root, setup("Ann", "Ben")))
    driver.press(1, "OK")
    assert driver.app.state == "podium"
    driver.run(1000)
    driver.press(1, "OK")
    assert driver.app.state == "idle"


def _started(root, plain, pace="fast"):
    driver = board(root, pace)
    start(driver, plain)
    return driver


def test_a_double_press_never_answers_two_prompts(root):
    driver = _started(root, setup("Ann", "*Bo"), pace="instant")
    settle(driver)
    for gap in (20, 40, 80, 140):
        settle(driver)
        before = driver.app.race.lines
        for _ in range(2):
            driver.hal.edge(1, "OK", 1)
            driver.run(gap // 2)
            driver.hal.edge(1, "OK", 0)
            driver.run(gap - gap // 2)
        driver.run(30)
        persons = [n for n in range(before + 1, driver.app.race.lines + 1) if driver.app.race.line(n).seat == 1]
        assert len(persons) <= 1, gap
        driver.run(500)


def test_a_press_before_its_prompt_only_skips_what_moves(root):
    driver = _started(root, setup("Ann", "Ben"), pace="normal")
    for panel in (1, 2):
        driver.press(panel, "OK")
    while True:
        settle(driver)
        seat = driver.app.race.prompts[0].seat
        driver.hal.edge(seat, "OK", 1)
        driver.run(50)
        driver.hal.edge(seat, "OK", 0)
        driver.run(50)
        if driver.app.race.line(driver.app.race.lines).text.startswith("go"):
            break
    lines = driver.app.race.lines
    assert driver.app.table.answering.moving
    driver.run(150)
    driver.press(seat, "OK")
    assert not driver.app.table.answering.moving and driver.app.race.lines == lines


def test_a_press_on_the_wrong_panel_is_told_and_changes_nothing(root):
    driver = _started(root, setup("Ann", "Ben", "Cy"))
    for panel in (1, 2, 3):
        driver.press(panel, "OK")
    settle(driver)
    prompt = driver.app.race.prompts[0]
    before = driver.app.race.digest()
    other = prompt.seat % 3 + 1
    driver.press(other, "OK")
    driver.press(other, "NEXT")
    assert driver.app.race.digest() == before
    assert driver.shows("Not your turn")
    driver.press(6, "OK")                          # a panel where nobody sits
    assert driver.app.race.digest() == before


def test_a_long_evening_starts_clean_each_time(root):
    driver = board(root, "instant")
    first = play_headless(driver, setup("*A", "*B", "*C", "*D", "*E", "*F", laps=2, seed="x")).digest()
    digests = []
    for number in range(4):
        digests.append(play_headless(driver, setup("*A", "*B", "*C", laps=1, seed=str(number))).digest())
    again = play_headless(driver, setup("*A", "*B", "*C", "*D", "*E", "*F", laps=2, seed="x")).digest()
    assert again == first and len(set(digests)) == 4
    assert not driver.hal.errors


def test_a_race_comes_back_after_an_answer(root, tmp_path):
    driver = _started(root, setup("Ann", "Ben"), pace="instant")
    for answers in range(60):
        race = driver.app.race
        if answers < 10 or answers % 4 == 0:       # a board takes long to start
            copy = str(shutil.copytree(root, tmp_path / "cut"))
            other = board(copy, "instant")
            assert other.app.saved_race()
            assert other.app.resume_race() == ""
            back = other.app.race
            assert back.digest() == race.digest() and back.lines == race.lines and back.turns == race.turns
            assert [(p.seat, p.kind, p.options()) for p in back.prompts] == [
                (p.seat, p.kind, p.options()) for p in race.prompts], answers
            shutil.rmtree(copy)
        settle(driver)
        if driver.app.state != "race":
            break
        key = "NEXT" if answers % 3 == 2 else "OK"
        panel = race.prompts[0].seat
        if answers % 7 == 6:
            driver.press(panel, "UNDO")
        driver.press(panel, key)
    ends = []
    for name in ("one", "two"):
        other = board(str(shutil.copytree(root, tmp_path / name)), "instant")
        assert other.app.resume_race() == ""
        ends.append(ok_everything(other).app.race.digest())
    assert ends[0] == ends[1]


def test_a_power_cut_between_answers_given_together_loses_none_of_them(root, tmp_path):
    driver = _started(root, setup("Ann", "Ben", "Cy"), pace="instant")
    driver.press(1, "OK")
    driver.press(3, "OK")
    assert driver.app.race.lines == 0
    with open(root + "/save/race.log", "rb") as file:
        before = len(file.read())
    save = str(shutil.copytree(root, tmp_path / "before"))
    driver.press(2, "OK")
    with open(root + "/save/race.log", "rb") as file:
        log = file.read()
    end = log.index(b"\n", before) + 1
    with open(save + "/save/race.log", "wb") as file:
        file.write(log[:end])                      # the first of three lines is there; power failed before the second
    other = board(save, "instant")
    assert other.app.resume_race() == ""
    race = other.app.race
    assert race.lines == 0 and [p.seat for p in race.prompts] == [2]
    other.run(100)
    other.press(2, "OK")
    assert race.lines == 3 and race.digest() == driver.app.race.digest()
    again = board(save, "instant")
    assert again.app.resume_race() == "" and again.app.race.digest() == race.digest()


def test_nothing_to_resume_is_a_sentence(root):
    driver = board(root)
    assert "saved" in driver.app.resume_race()
    assert driver.app.state == "idle"


def test_a_broken_display_or_strip_is_told_once_and_the_race_goes_on(root):
    driver = _started(root, setup("Ann", "*Bo"))
    driver.hal.display.broken = True
    ok_everything(driver, answers=driver.app.race.lines + 6)
    for strip in driver.hal.pixels:
        strip.broken = True
    ok_everything(driver)
    assert driver.app.state == "podium"
    says = [message["say"] for message in driver.hal.kinds("fault")]
    assert len([say for say in says if "display" in say]) == 1
    assert len([say for say in says if "lights" in say]) == 1
    driver.hal.display.broken = False
    driver.run(2000)
    driver.press(1, "NEXT")
    assert driver.shows("The race is over")


def test_a_full_flash_is_told_and_the_race_goes_on(root, monkeypatch):
    driver = _started(root, setup("Ann", "*Bo"))
    monkeypatch.setattr(driver.app.store, "append", lambda line: "save.full")
    monkeypatch.setattr(driver.app.store, "snapshot", lambda text: "save.full")
    ok_everything(driver)
    assert driver.app.state == "podium"
    assert driver.hal.kinds("fault") and "full" in driver.hal.kinds("fault")[0]["say"]
    assert len(driver.app.race.journal().splitlines()) > driver.app.race.lines


def test_rules_that_fail_leave_the_race_saved(root, monkeypatch):
    driver = _started(root, setup("Ann", "*Bo"))
    ok_everything(driver, answers=8)
    digest = driver.app.race.digest()
    settle(driver)
    before = driver.app.race.digest()
    fail = [1]
    real = Race.answer

    def answer(self, seat, text):
        if fail:
            fail.pop()
            raise ZeroDivisionError("on purpose")
        return real(self, seat, text)
    monkeypatch.setattr(Race, "answer", answer)
    driver.press(1, "OK")
    assert driver.app.state == "race" and driver.app.race.digest() in (before, digest)
    assert "on purpose" in driver.hal.kinds("fault")[-1]["say"]
    ok_everything(driver)
    assert driver.app.state == "podium"


def test_rules_that_always_fail_end_the_race_but_keep_it(root, monkeypatch):
    driver = _started(root, setup("*Ann", "*Bo"))
    monkeypatch.setattr(Race, "bot_thinking", lambda self, seat: 1 // 0)
    driver.run(20000)
    assert driver.app.state == "idle" and driver.app.saved_race()
    assert driver.hal.kinds("fault")


def test_where_there_is_no_room_even_to_mend_the_board_starts_anew(root, monkeypatch):
    """The code that resumes a race can't be loaded any more: each time counts as a try, and it doesn't go on for ever."""
    driver = _started(root, setup("*Ann", "*Bo"))
    app = driver.app
    tried = []

    def take_up(app):
        tried.append(app.race)
        raise MemoryError("allocating 347 bytes")

    monkeypatch.setattr(failed, "take_up", take_up)
    monkeypatch.setattr(Race, "bot_thinking", lambda self, seat: 1 // 0)
    with pytest.raises(RuntimeError, match="nothing can be shown"):
        driver.run(20000)
    assert tried == [None] * (TRIES_MOST + 1) and app.saved_race()


def test_settings_are_there_before_the_first_light(root):
    driver = board(root)
    driver.app.set("mute", 1)
    driver.app.set("brightness", 16)
    driver.app.set("calm", 1)
    driver.app.set("pace", "slow")
    hal = ScriptHal(root)
    app = App(hal)
    assert hal.sound.mute and app.lights.calm and app.pace == "slow"
    assert app.settings.get("brightness", 0) == 16
    assert all(strip.frames == 0 for strip in hal.pixels)


def test_a_host_is_told_all_and_asks_for_what_it_wants(root):
    driver = _started(root, setup("Ann", "*Bo"))
    hal = driver.hal
    ok_everything(driver, answers=5)
    hal.sent.clear()
    hal.say({"t": "hi", "v": PROTOCOL, "n": 1})
    driver.run(100)
    while driver.app.link.file_waits():            # a slow computer's ticks leave some of it to the next one
        driver.run(20)
    kinds = [message["t"] for message in hal.sent]
    for kind in ("hello", "menu", "race", "line", "prompts", "scene", "standings"):
        assert kind in kinds
    menu = hal.kinds("menu")[0]["games"][0]
    assert menu["id"] == "moto_grand_prix" and menu["options"][0][0] == "bikes" and menu["tracks"]
    settle(driver)
    prompt = driver.app.race.prompts[0]
    hal.sent.clear()
    hal.say({"t": "view", "seat": 1, "n": 2})
    hal.say({"t": "view", "seat": 9, "n": 3})
    hal.say({"t": "why", "seat": prompt.seat, "n": 4})
    hal.say({"t": "journal", "n": 5})
    driver.run(200)
    assert hal.kinds("view")[0]["seat"] == 1
    assert hal.kinds("no")[0]["re"] == 3
    assert hal.kinds("why")[0]["seat"] == prompt.seat
    parts = hal.kinds("file")
    assert [part["k"] for part in parts] == list(range(parts[0]["of"]))


def test_answers_of_the_page_are_bound_to_their_prompt(root):
    driver = _started(root, setup("Ann", "*Bo"))
    hal = driver.hal
    settle(driver)
    prompt = driver.app.race.prompt_of(1)
    hal.sent.clear()
    hal.say({"t": "answer", "seat": 1, "serial": prompt.serial + 7, "text": "roll", "n": 1})
    driver.run(50)
    assert hal.kinds("no")[0]["re"] == 1
    hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": "roll 7 7 7", "n": 2})
    driver.run(50)
    assert hal.kinds("no")[1]["re"] == 2
    hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": "hop", "n": 3})
    driver.run(50)
    assert hal.kinds("no")[2]["re"] == 3
    hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": "roll", "n": 4})
    hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": "roll", "n": 5})
    driver.run(50)
    assert [message["re"] for message in hal.kinds("ok")] == [4]
    assert hal.kinds("no")[3]["re"] == 5
    settle(driver)
    bot = [n for n in range(1, driver.app.race.lines + 1) if driver.app.race.line(n).seat == 2]
    assert bot
    hal.say({"t": "answer", "seat": 2, "serial": driver.app.race.prompts[0].serial, "text": "roll", "n": 6})
    driver.run(50)
    assert hal.kinds("no")[-1]["re"] == 6


def test_a_bot_takes_no_answer_from_outside(root):
    driver = _started(root, setup("*Ann", "*Bo"), pace="slow")
    prompt = driver.app.race.prompts[0]
    driver.hal.say({"t": "answer", "seat": prompt.seat, "serial": prompt.serial, "text": "roll", "n": 6})
    driver.run(50)
    assert "bot" in driver.hal.kinds("no")[-1]["say"]


@pytest.mark.parametrize("wrong", [
    {"players": [["person", "Ann"]]}, {"players": []}, {"players": [["person", "P%d" % n] for n in range(7)]},
    {"laps": 0}, {"laps": -1}, {"track": "no-such-track"}, {"track": "../board"}, {"track": None},
    {"game": "chess"}, {"options": [["bikes", "3"]]}, {"dice": "cup"},
])
def test_a_race_that_cannot_be_set_up_is_refused_with_a_sentence(root, wrong):
    driver = board(root)
    plain = setup("Ann", "Ben")
    plain.update(wrong)
    driver.hal.say({"t": "start", "setup": plain, "n": 8})
    driver.run(50)
    no = driver.hal.kinds("no")[-1]
    assert no["re"] == 8 and no["say"].endswith(".") and driver.app.state == "idle"
    assert not driver.hal.errors


def test_stop_leaves_the_race_saved_and_resume_takes_it_up(root):
    driver = _started(root, setup("Ann", "*Bo"))
    ok_everything(driver, answers=7)
    settle(driver)
    digest = driver.app.race.digest()
    driver.hal.say({"t": "stop", "n": 1})
    driver.run(50)
    assert driver.app.state == "idle" and driver.app.race is None
    driver.hal.say({"t": "resume", "n": 2})
    driver.run(50)
    assert driver.app.state == "race" and driver.app.race.digest() == digest
    assert [message["re"] for message in driver.hal.kinds("ok")] == [1, 2]


def test_a_board_without_files_still_runs_and_says_what_is_missing(tmp_path):
    (tmp_path / "board.json").write_text(json.dumps({"outputs": [], "panels": 0}))
    driver = board(str(tmp_path))
    driver.run(1000)
    assert driver.app.state == "idle" and driver.hal.kinds("fault")
    assert not driver.hal.errors


def test_the_clock_may_wrap_in_the_middle_of_a_race(root):
    hal = ScriptHal(root, start_ms=(1 << 30) - 4000)
    driver = Script(App(hal, pace="fast"))
    driver.app.start_race(setup("*Bo", "*Cy"))
    assert driver.until(lambda: driver.app.state == "podium", 600000)
    assert hal.clock_ms < 1 << 29


def test_a_fault_while_a_key_is_handled_does_not_stop_the_loop(root, monkeypatch):
    driver = _started(root, setup("Ann", "*Bo"))
    monkeypatch.setattr(driver.app.table, "press", lambda press: 1 // 0)
    driver.press(1, "OK")
    assert driver.app.state == "race" and driver.hal.kinds("fault")


def test_a_keyboard_interrupt_comes_through_from_any_part(root, monkeypatch):
    driver = _started(root, setup("Ann", "*Bo"))

    def interrupt(*args):
        raise KeyboardInterrupt
    for target, name in ((driver.app.lights, "tick"), (driver.app.screen, "tick"), (driver.app.link, "take")):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, interrupt)
            with pytest.raises(KeyboardInterrupt):
                driver.tick()
