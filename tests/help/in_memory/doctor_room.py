"""What the doctor's tests share: the real firmware behind a port that `connect` has found, and a scripted person."""

import pytest
from app_talk import AppTalk, ScriptedPerson
from service_script import service_board

from gridglow import paths
from gridglow.boards.boardfile import load_board
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.doctor.rounds import Doctor
from gridglow.device.ports import PortInfo


@pytest.fixture(autouse=True)
def home(tmp_path):
    paths.choose_data_folder(tmp_path / "data")
    yield tmp_path / "data"
    paths.choose_data_folder(None)


class FakeFound(Found):
    """A board as `connect` finds it, with a link to the firmware in this process."""

    def talk(self):
        if self.state != GRIDGLOW:
            return super().talk()
        talk = AppTalk(self.about["driver"], self.about, self.about["gone_after"], self.about["deaf"])
        talk.files = self.about["files"]
        return talk


def found_of(driver, gone_after=None, deaf=(), state=GRIDGLOW, **about):
    """What `connect` finds at the port of this board."""
    app = driver.app
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3} if app.race else None
    told = {"driver": driver, "gone_after": gone_after, "deaf": deaf, "files": {}, "name": "Attic", "board": "full",
            "fw": "1", "frozen": "0123456789ab", "state": app.state, "impl": "micropython", "version": [1, 28, 0], "mpy": 6,
            "faults": [], "crash": 0,
            "machine": "Pico with RP2040", "parts": driver.hal.parts, "race": race, "counts": {"keys_lost": 0, "lost": 0}}
    return FakeFound(PortInfo("/dev/ttyACM0"), state, {**told, **about})


def examine(driver, *names, person=None, board=None, end_race=False, **more):
    """The results of these steps by name, or of all steps if none is named."""
    doctor = Doctor(found_of(driver, **more), board or load_board("full"), person, end_race)
    return {result.step: result for result in doctor.run(names or None)}


def one(driver, step, *answers, **more):
    """The result of one step, and its person."""
    person = ScriptedPerson(*answers)
    result = examine(driver, step, person=person, **more)[step]
    assert result.state == "ok" or result.say.endswith((".", "!")) and (result.next == "" or result.next[-1] in ".…" or
                                                                        "gridglow" in result.next), result
    return result, person


def lit(strip):
    return [i // 3 for i in range(0, len(strip.frame), 3) if any(strip.frame[i:i + 3])]


def press(driver, panel, key, times):
    for _ in range(times):
        driver.hal.edge(panel, key, 1)
        driver.run(60)
        driver.hal.edge(panel, key, 0)
        driver.run(60)


def panel_board(root):
    driver = service_board(root, without=("console", "dice_pad"))
    driver.hal.board["panels"] = 2
    return driver
