"""The doctor's whole run: which steps it takes, with and without a person, and boards that disappear or are busy."""

import pytest
from app_talk import AppTalk, ScriptedPerson
from doctor_room import (
    examine,
    home,  # noqa: F401
    one,
    panel_board,
    press,
)
from service_script import service_board

from gridglow.boards.boardfile import KEYS
from gridglow.device.connect import MICROPYTHON
from gridglow.device.doctor import lights as doctor_lights
from gridglow.device.doctor.rounds import all_steps, choose
from gridglow.device.service import Service
from gridglow.device.talk import NoAnswer
from hal import CONSOLE, DICE_PAD
from shared_rules.errors import GridglowError

NOBODY = {"board", "supply", "panels", "display", "reader", "memory", "flash", "rate"}


def test_without_a_person_only_what_needs_nobody_is_examined(root):
    driver = service_board(root)
    results = examine(driver)
    assert list(results) == [step.name for step in all_steps()]
    assert {name for name, result in results.items() if result.state != "skipped"} == NOBODY - {"memory"}
    assert all(result.state != "fail" for name, result in results.items() if name != "panels"), results
    assert "somebody" in results["colours"].say
    assert driver.app.state == "idle", "the board must be left as it was found"


def test_a_healthy_board_passes_every_step(root, monkeypatch):
    driver = service_board(root)
    driver.hal.panel_count = 6
    driver.run(50)
    driver.hal.sound.play = lambda name: None
    monkeypatch.setattr(doctor_lights, "FULL_LOOKS", 3)

    def answer(heard):
        if heard.startswith("Press each of"):
            for panel, keys in [(panel, KEYS) for panel in range(1, 7)] + [(CONSOLE, ("OK", "UNDO")),
                                                                          (DICE_PAD, "123456")]:
                for key in keys:
                    driver.hal.edge(panel, key, 1)
                    driver.run(30)
                    driver.hal.edge(panel, key, 0)
                    driver.run(30)
            return None
        if heard.startswith("Turn the encoder"):
            press(driver, CONSOLE, "NEXT", 24)
        if heard.startswith("Press OK on any panel"):
            press(driver, 1, "OK", 10)
        if heard.startswith("Put a card"):
            driver.hal.reader.waiting.append("04A1B2C3D4E5F6")
            driver.run(300)
            return None
        return "no" if "[yes/NO" in heard else ""
    results = examine(driver, person=ScriptedPerson(always=answer))
    bad = [result for result in results.values() if result.state == "fail"]
    assert not bad and {name for name, one in results.items() if one.state == "skipped"} == {"power", "walk", "memory"}
    assert results["panels"].data["panels"] == 6 and results["encoder"].say == "24 clicks."


def test_a_race_that_runs_goes_on_unless_somebody_agrees(root):
    driver = service_board(root)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]]}
    assert driver.app.start_race(plain) == ""
    driver.run(9000)
    results = examine(driver)
    assert results["board"].state == "ok" and driver.app.state == "race"
    assert {results[name].state for name in results if name != "board"} == {"skipped"}
    assert "--yes" in results["supply"].next and "race" in results["flash"].say
    result, person = one(driver, "supply", "no")
    assert result.state == "skipped" and driver.app.race is not None
    assert any("End it?" in said for said in person.heard)
    assert examine(driver, "supply", end_race=True)["supply"].state == "ok"
    assert driver.app.race is None and driver.app.saved_race()


@pytest.mark.parametrize("gone_after", range(1, 8))
def test_a_board_that_vanishes_ends_the_run_with_a_sentence(root, gone_after):
    results = examine(panel_board(root), gone_after=gone_after)
    failed = [result for result in results.values() if result.state == "fail"]
    assert len(failed) == 1 and "disappeared while in use" in failed[0].say and "Plug it in" in failed[0].next
    after = list(results)[list(results).index(failed[0].step) + 1:]
    assert {results[name].state for name in after} == {"skipped"}


def test_a_board_that_does_not_answer_is_given_up_after_two_questions(root):
    driver = service_board(root)
    results = examine(driver, deaf=("supply", "keys", "display", "reader", "flash", "rate", "memory"))
    states = [result.state for result in results.values() if result.step in NOBODY]
    assert states == ["ok", "fail", "fail"] + ["skipped"] * 5
    assert "has not answered" in results["supply"].say and "Reset the board" in results["supply"].next


def test_a_board_without_gridglow_is_told_and_nothing_is_tried(root):
    driver = service_board(root)
    results = examine(driver, state=MICROPYTHON)
    assert results["board"].state == "fail" and "gridglow flash" in results["board"].say + results["board"].next
    assert {result.state for name, result in results.items() if name != "board"} == {"skipped"}


def test_a_person_who_leaves_ends_the_run(root):
    driver = service_board(root)
    results = examine(driver, "board", "colours", "encoder", "flash", person=ScriptedPerson("red", "q"))
    assert [result.state for result in results.values()] == ["ok", "skipped", "skipped", "skipped"]
    assert results["flash"].say == "Stopped, as you asked." and driver.app.state == "idle"
    results = examine(driver, "sound", "flash", person=ScriptedPerson())
    assert "standard input has ended" in results["sound"].say


def test_steps_are_chosen_by_name():
    assert [step.name for step in choose(["flash", "colours"])] == ["colours", "flash"]
    with pytest.raises(GridglowError, match="no step 'colors'; did you mean 'colours'"):
        choose(["colors"])


def test_what_is_no_answer_is_asked_again(root):
    result, person = one(service_board(root), "sound", "perhaps", "y")
    assert result.state == "ok" and "Expected yes or no or again, got 'perhaps'." in person.heard


# A board that is busy

class Busy(AppTalk):
    """It doesn't answer the first question."""

    def ask(self, message, want="ok", limit_s=5.0):
        self.limits = [*getattr(self, "limits", ()), limit_s]
        if len(self.limits) == 1:
            raise NoAnswer("The board at /dev/ttyACM0 has not answered 'service' within 15 s; try again.", self.at_prompt)
        return super().ask(message, want, limit_s)


def test_a_busy_board_is_asked_for_service_mode_once_more(root):
    talk, told = Busy(service_board(root)), []
    talk.at_prompt = False
    with Service(talk, say=told.append) as service:
        assert service.attempt("dark") == {"state": "ok"}
    assert talk.limits[:3] == [15, 30, 15]
    assert told == ["The board didn't enter service mode within 15 s, as it is busy; asking again, for up "
                    "to 30 s."]


def test_a_board_at_its_prompt_is_not_asked_again(root):
    talk = Busy(service_board(root))
    talk.at_prompt = True
    with pytest.raises(NoAnswer), Service(talk):
        pass
    assert len(talk.limits) == 1
