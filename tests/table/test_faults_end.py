"""Faults have a beginning and an end: on the board, on its link and on the computer. For the pages see test_page_faults."""

import os

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.board.guarded import WELL_MS
from glow.link.link import DEAF_MS, DEAF_TOLD_MS
from gridglow.cli.logs import sentence
from gridglow.virtual.faults import Faults, said
from gridglow.virtual.picture import Picture

SETUP = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "faults", "salt": "s",
         "players": [["person", "Ann"], ["bot", "Bo"]]}


class Hal(ScriptHal):
    """A board whose host may stop reading, and whose parts may disappear."""

    reads = True

    def behind(self):
        return not self.reads

    def note(self, name, state):
        for part in self.parts:
            if part[0] == name:
                part[1] = state
        self.parts_serial += 1

    def open_faults(self):
        """The faults known to a host that has heard everything."""
        picture = Picture()
        for message in self.sent:
            picture.take(message)
        return [one["about"] for one in picture.snapshot()["list"] if one["t"] == "fault"]


@pytest.fixture
def driver(root):
    found = Script(App(Hal(root), pace="fast"))
    found.run(50)
    assert found.app.start_race(SETUP) == ""
    found.run(100)
    found.press(1, "OK")
    assert found.until(lambda: found.app.state == "race" and not found.app.table.answering.moving)
    return found


def shown(driver, words):
    return words.replace(" ", "") in "".join(driver.hal.display.shown).replace(" ", "")


# The board

def test_a_busy_second_of_the_computer_is_no_fault(driver):
    driver.hal.reads = False
    driver.run(DEAF_MS + 1000)
    assert driver.app.link.deaf and not driver.hal.listened and not driver.app.faults
    driver.hal.reads = True
    driver.run(100)
    assert driver.hal.listened and not driver.app.faults and not driver.hal.kinds("fault")


def test_a_computer_that_does_not_read_is_told_and_that_is_over_once_it_does(driver):
    driver.hal.reads = False
    driver.run(DEAF_TOLD_MS + 100)
    assert shown(driver, "The computer doesn't") and driver.hal.open_faults() == ["host"]
    driver.run(10000)
    assert len(driver.hal.kinds("fault")) == 1 and not shown(driver, "The computer doesn't"), "it must be reported once"
    driver.hal.reads = True
    driver.run(50)
    assert driver.hal.open_faults() == [] and driver.app.lasting == []
    begun, over = driver.hal.kinds("fault")
    assert (begun["about"], begun["on"], begun["text"]) == ("host", 1, ["board.host_deaf"]) and over["on"] == 0


def test_a_note_of_a_fault_goes_with_it(driver):
    driver.hal.reads = False
    driver.run(DEAF_TOLD_MS + 100)
    assert shown(driver, "The computer doesn't")
    driver.hal.reads = True
    driver.run(50)
    assert not shown(driver, "The computer doesn't")


def test_a_host_that_floods_the_board_is_told_for_the_moment(driver):
    for number in range(300):
        driver.hal.say({"t": "why", "seat": 9, "n": number + 1})
        if number % 100 == 99:
            driver.tick()
    driver.run(100)
    assert "sends more" in driver.hal.kinds("fault")[-1]["say"] and driver.hal.open_faults() == []


@pytest.mark.parametrize(("part", "breaks"), [
    ("display", lambda hal, on: setattr(hal.display, "broken", on)),
    ("lights", lambda hal, on: [setattr(strip, "broken", on) for strip in hal.pixels]),
])
def test_a_part_that_works_again_is_no_fault_any_more(driver, part, breaks):
    breaks(driver.hal, True)
    driver.on_tick = lambda: setattr(driver.app.screen, "dirty", True)
    driver.run(3000)
    assert driver.hal.open_faults() == ["failed " + part]
    driver.run(WELL_MS + 2000)
    assert driver.hal.open_faults() == ["failed " + part], "it must still fail each second"
    breaks(driver.hal, False)
    driver.run(WELL_MS + 2000)
    assert driver.hal.open_faults() == [] and driver.app.lasting == []


def test_a_display_that_has_nothing_to_show_is_not_held_to_work(driver):
    driver.hal.display.broken = True
    driver.app.screen.dirty = True
    driver.run(100)
    assert driver.hal.open_faults() == ["failed display"]
    driver.app._lines = None
    driver.app.note = ""
    driver.run(2 * WELL_MS)
    assert driver.hal.open_faults() == ["failed display"]


def test_a_part_that_is_there_again_ends_its_fault_and_says_so(driver):
    driver.hal.note("reader", "missing")
    driver.run(50)
    assert driver.hal.open_faults() == ["part reader"] and shown(driver, "Card reader: lost")
    driver.hal.note("reader", "ok")
    driver.run(50)
    assert driver.hal.open_faults() == [] and shown(driver, "Card reader: back again")
    assert driver.hal.kinds("fault")[-1]["say"] == "Card reader: back again."


def test_panels_that_have_gone_and_come_back(driver):
    count = driver.hal.panel_count
    driver.hal.panel_count = count - 2
    driver.hal.note("panels", "missing")
    driver.run(50)
    assert driver.hal.open_faults() == ["panels"]
    driver.hal.panel_count = count
    driver.hal.note("panels", "ok")
    driver.run(50)
    assert driver.hal.open_faults() == []


def test_a_flash_with_room_again_ends_the_fault_of_a_full_one(driver, monkeypatch):
    app = driver.app
    with monkeypatch.context() as full:
        full.setattr(app.store, "append", lambda line: "save.full")
        full.setattr(app.store, "snapshot", lambda text: "save.full")
        answer(driver)
        assert set(driver.hal.open_faults()) == {"save journal", "save race"}
        told = len(driver.hal.kinds("fault"))
        answer(driver)
        assert len(driver.hal.kinds("fault")) == told, "told once"
    for _ in range(3):
        answer(driver)
    assert driver.hal.open_faults() == [] and not driver.app.lasting


def answer(driver):
    table = driver.app.table
    assert driver.until(lambda: not table.answering.moving and not table.answering.offers
                        and table.questions.waits_for_people(), 60000)
    driver.press(driver.app.panels.panel_of(driver.app.race.prompts[0].seat), "OK")


def test_the_faults_of_a_race_end_with_it(driver):
    driver.app.stop_race()
    os.remove(driver.app.hal.path("tracks/gp-ring.leds"))
    assert driver.app.start_race(SETUP) == ""
    driver.run(50)
    assert driver.hal.open_faults() == ["leds"]
    driver.app.stop_race()
    driver.run(50)
    assert driver.hal.open_faults() == []


def test_why_the_board_has_started_is_told_until_a_race_begins(root):
    hal = Hal(root)
    hal.ended = "power"
    driver = Script(App(hal, pace="fast"))
    driver.run(50)
    assert hal.open_faults() == ["ended"]
    hal.say({"t": "hi", "v": 1, "n": 1})
    driver.run(200)
    assert hal.open_faults() == ["ended"], "a host that comes later must hear of it too"
    driver.app.start_race(SETUP)
    driver.run(50)
    assert hal.open_faults() == []


def test_a_host_asks_only_for_what_is_still_wrong(driver):
    driver.hal.note("reader", "missing")
    driver.run(50)
    driver.hal.note("reader", "ok")
    driver.hal.note("buzzer", "missing")
    driver.run(50)
    driver.hal.say({"t": "info", "n": 4})
    driver.run(50)
    told = driver.hal.kinds("info")[-1]["about"]["faults"]
    assert len(told) == 1 and told[0].startswith("Buzzer")


# The computer

def test_a_picture_keeps_what_lasts_until_it_is_over():
    picture = Picture()
    begun = {"t": "fault", "say": "Gone.", "about": "host", "on": 1, "text": ["board.host_deaf"]}
    for message in ({"t": "fault", "say": "A moment."}, begun, {**begun, "about": "leds"}, {**begun, "on": 0}):
        picture.take(message)
    assert [one["about"] for one in picture.snapshot()["list"]] == ["leds"]
    picture.take({"t": "hello", "lang": "en"})
    assert [one["t"] for one in picture.snapshot()["list"]] == ["hello"], "the board reports lasting faults again"


def test_faults_are_worded_in_both_languages():
    found = Faults().take({"t": "fault", "say": "x", "about": "part display", "on": 1,
                           "text": ["board.part_wrong", "@board.parts_display", "2 of 6"]})
    assert found["says"] == {"en": "Display: wired wrongly (2 of 6). Check the plug and wires.",
                             "de": said(["board.part_wrong", "@board.parts_display", "2 of 6"], "de")}
    assert found["says"]["de"] != found["says"]["en"] and "2 of 6" in found["says"]["de"]
    for odd in (None, [], "board.fault", [3], [["x"]], ["no.such"], {"a": 1}):
        assert "says" not in Faults().take({"t": "fault", "say": "x", "text": odd})


def test_a_board_that_invents_faults_fills_no_memory():
    faults = Faults()
    for number in range(1000):
        faults.take({"t": "fault", "say": "x", "about": str(number), "on": 1})
    assert len(faults.lasting()) == Faults.most


def test_the_log_tells_when_a_fault_is_over():
    assert sentence({"t": "fault", "say": "Gone."}).strip() == "fault: Gone."
    assert sentence({"t": "fault", "say": "There again.", "about": "x", "on": 0}).strip() == "over: There again."
    assert sentence({"t": "fault", "say": "", "about": "x", "on": 0}) == ""
