"""Racing Rules on the board alone: real dice and Red Cards entered at the panels, and the results on the display."""

import shutil

import pytest
from golden_frames.board_root import board_root
from script_hal import Script, ScriptHal

from glow.app import App
from glow.menu.choices import put
from glow.store.store import Settings
from shared_rules.games.racing_rules import data


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return board_root(tmp_path_factory.mktemp("board"), "full", "racing_rules")


class Evening(Script):
    """A race of two people with their own dice and cards; keeps every sentence on the display."""

    def __init__(self, root, variant, **state):
        Settings(str(root / "save")).put("teach", 0)
        super().__init__(App(ScriptHal(str(root)), pace="fast"))
        say = self.app.start_race({
            "game": "racing_rules", "variant": variant, "track": "house-board", "laps": 1, "seed": "table", "salt": "s",
            "dice": "table", "decks": "table", "players": [["person", "Ann"], ["person", "Ben"]]})
        assert not say, say
        self.race = self.app.race
        if state:
            self.race.arrange(state)
        self.told = []
        self.on_tick = self._note
        self.run(200)
        if self.app.state == "start":
            self.press(1, "OK")
        self.rest()

    def _note(self):
        if self.app.note and self.told[-1:] != [self.app.note]:
            self.told.append(self.app.note)

    def rest(self):
        """Waits until nothing moves and somebody is asked."""
        app = self.app
        assert self.until(lambda: app.state != "race" or not app.table.answering.moving and not app.table.answering.offers)
        self.run(100)

    def turn_to(self, panel, words):
        """Presses NEXT until the display shows these words."""
        for _ in range(80):
            if self.shows(words):
                return
            self.press(panel, "NEXT")
        raise AssertionError(f"{words!r} is not among what can be turned to: {self.hal.display.shown}")

    def enter(self, panel, *words):
        """Turns to each of these and confirms with OK."""
        for one in words:
            self.turn_to(panel, one)
            self.press(panel, "OK")
        self.rest()

    def last(self):
        return self.race.line(self.race.lines).text


def on_wheel(face):
    """How a face such as red-1 reads where it is entered."""
    return "[" + face.replace("-", " ") + "]"


def test_a_face_reads_in_the_language_of_the_board(flash, tmp_path):
    evening = Evening(shutil.copytree(flash, tmp_path / "flash"), "race-1", cars=["1 20a", "2 40a"])
    put(evening.app, "language", "de")
    evening.turn_to(1, "[Grün 5]")


def test_real_dice_are_entered_one_by_one_and_both_results_read_before_the_choice(flash, tmp_path):
    evening = Evening(shutil.copytree(flash, tmp_path / "flash"), "race-6", cars=["1 20a", "2 40a"])
    evening.enter(1, "[green 5]", "[gold 8]")
    assert evening.last() == "roll green-5 gold-8" and evening.race.prompts[0].kind == "choose"
    assert evening.shows("By colours or by numbers?") and evening.shows("> Colours: to 31a")
    evening.press(1, "NEXT")
    assert evening.shows("> Numbers: to 33a") and evening.told == []
    evening.press(1, "OK")
    evening.rest()
    assert evening.last() == "pick numbers" and evening.race.game.look("car 1") == "33a"


def test_a_real_card_is_entered_row_first_then_its_number_and_what_it_does_is_told(flash, tmp_path):
    evening = Evening(shutil.copytree(flash, tmp_path / "flash"), "race-2", cars=["1 18a", "2 40a"])
    evening.enter(1, "[red 1]")
    assert evening.race.prompts[0].kind == "draw" and evening.shows("Red space: a Red Card.")
    assert evening.shows("> ? ahead")
    evening.press(1, "OK")
    evening.enter(1, "> 3 ahead")
    assert evening.last() == "draw ahead-3" and evening.race.game.look("car 1") == "22a"
    evening.run(9000)
    assert evening.told == ["Red Card for Cyan: 3 ahead", "Cyan: Pit Stop, a lost turn"]


@pytest.mark.parametrize("cars, face, told", [
    (["1 10a", "2 40a"], "green-5", ["Cyan: Turbo, an extra turn"]),
    (["1 20a", "2 40a"], "purple-2", ["Cyan: Pit Stop, a lost turn"]),
    (["1 20a", "2 40a"], "gold-8", ["Cyan spins out: a lost turn"]),
    (["1 20a", "2 23a"], "blue-3", ["Magenta is bumped back to 15a"]),
    (["1 24a", "2 28a"], "yellow-4", ["Magenta is bumped back to 20a", "Cyan spins out: a lost turn"]),
    (["1 36a", "2 40a"], "purple-2", ["Cyan must leave the road next"]),
    (["1 80a", "2 40a"], "purple-2", ["Cyan is on the ramp and drives back next"]),
    (["1 79a", "2 40a"], "black-7", ["Cyan stays: too far for the finish"]),
    (["1 20a", "2 40a"], "red-1", []),
])
def test_what_happens_is_told_one_sentence_after_the_other(flash, tmp_path, cars, face, told):
    evening = Evening(shutil.copytree(flash, tmp_path / "flash"), "race-2", cars=cars)
    evening.enter(1, on_wheel(face))
    for words in told:
        assert evening.shows(words)
        evening.run(4000)
    assert evening.told == told and evening.app.note == ""


def test_a_race_of_real_dice_and_cards_comes_to_its_podium_by_the_keys_alone(flash, tmp_path):
    evening = Evening(shutil.copytree(flash, tmp_path / "flash"), "race-6")
    cards = data.effects()
    for number in range(200):
        if evening.app.state == "podium":
            break
        prompt = evening.race.prompts[0]
        if prompt.kind == "roll":
            faces = [data.DIE[(number * 5 + at * 3) % 8] for at in range(len(prompt.dice))]
            for face in faces:
                evening.enter(prompt.seat, on_wheel(face))
            assert evening.last() == "roll " + " ".join(faces)
        elif prompt.kind == "draw":
            for _ in range(number % 7):
                evening.press(prompt.seat, "NEXT")
            evening.enter(prompt.seat, ">")
            if evening.race.prompts and evening.race.prompts[0] is prompt:
                evening.enter(prompt.seat, ">")
            assert evening.last().split(" ")[1] in cards
        else:
            evening.enter(prompt.seat, ">")
    evening.run(500)
    assert evening.app.state == "podium" and evening.race.over and evening.hal.errors == [] and evening.app.faults == []
    assert evening.shows("1 ") and "draw" in [evening.race.line(n).text[:4] for n in range(1, evening.race.lines + 1)]
