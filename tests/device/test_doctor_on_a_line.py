"""`gridglow doctor` and `gridglow walk` on the fake board: a real link, real drivers, and a fake chip's
registers and wires."""

import json
import time
import zipfile

import pytest
from app_talk import ScriptedPerson
from commands import call
from fake_board import FakeBoard, gridglow_files

from gridglow.boards.boardfile import KEYS, load_board
from gridglow.cli import doctor as cli_doctor
from gridglow.cli import walk as cli_walk
from gridglow.device.connect import one as find
from gridglow.device.doctor.rounds import Doctor
from gridglow.tracks import load_track, map_leds

TRACK = "gp-ring"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return gridglow_files(tmp_path_factory.mktemp("device") / "device", "mini", tracks=[load_track(TRACK)],
                          games=["moto_grand_prix"])


@pytest.fixture
def board(tmp_path, files):
    with FakeBoard(tmp_path / "board", files) as one:
        yield one


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def lit(board, place=0):
    """The lit pixels of an output, from 1."""
    frame = board.pixels(place)
    return [i // 3 + 1 for i in range(0, len(frame), 3) if any(frame[i:i + 3])]


def test_what_needs_nobody_is_examined_by_the_command(board, tmp_path):
    told = call("doctor", "--port", board.port, "--json", "--bundle", str(tmp_path / "report.zip"))
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    states = {step["step"]: step["state"] for step in report["steps"]}
    fine = {name for name, state in states.items() if state == "ok"}
    assert fine == {"board", "panels", "display", "memory", "flash", "rate"}
    assert states["supply"] == states["reader"] == "skipped", "the board mini has neither"
    with zipfile.ZipFile(tmp_path / "report.zip") as bundle:
        assert b"gridglow manifest" in bundle.read("manifest.txt") and b"screen service" in bundle.read("crash.txt")
    assert find(None, [board.port]).about["state"] == "idle"


def test_a_person_sees_colours_and_presses_keys(board):
    seen = []

    def answer(heard):
        if heard.startswith("What colour"):
            place = 0 if "output 1" in heard else 1
            time.sleep(0.4)                        # looking sooner shows what the flash limit does to it
            red, green, blue = board.pixels(place)[:3]
            seen.append((red > 0, green > 0, blue > 0))
            return ""
        if heard.startswith("Press each of"):
            for panel in (1, 2):
                for key in KEYS:
                    board.click(panel, key)
            return None
        if heard.startswith("Press OK on any panel"):
            for _ in range(3):
                board.click(1, "OK")
        return ""
    doctor = Doctor(find(None, [board.port]), load_board("mini"), ScriptedPerson(always=answer))
    results = {result.step: result for result in doctor.run(["colours", "panels", "latency"])}
    assert {result.state for result in results.values()} == {"ok"}, results
    assert seen[:4] == [(True, False, False), (False, True, False), (False, False, True), (True, True, True)]
    assert results["panels"].say == "2 panels, 12 keys." and results["latency"].data["presses"] == 3


def test_a_cable_that_comes_out_in_the_middle(board):
    def answer(heard):
        if heard.startswith("What colour"):
            board.unplug()
        return ""
    doctor = Doctor(find(None, [board.port]), load_board("mini"), ScriptedPerson(always=answer))
    results = list(doctor.run(["colours", "flash", "rate"]))
    assert [result.state for result in results] == ["fail", "skipped", "skipped"]
    assert "disappeared while in use" in results[0].say and results[1].say == "The board is gone."


def test_a_walk_is_kept_on_the_board_and_for_the_next_sync(board, home, monkeypatch):
    """One LED too many is between the fourth and the fifth hole: row 5 is lit by LED 6."""
    track = load_track(TRACK).track
    leds = []

    def answer(heard):
        if "last LED of the wire" in heard:
            return "yes" if f"LED {track.rows + 1} is green" in person.heard[-2] else "no"
        if heard.startswith("How many LEDs"):
            return str(track.rows + 1)
        if heard.startswith("LED 5:"):
            leds.append(lit(board))
            return "s"
        return "+" if heard.startswith("LED 6:") else "" if heard.startswith("LED ") else "yes" if "?" in heard else None
    person = ScriptedPerson(always=answer)
    monkeypatch.setattr(cli_walk, "somebody", lambda: person)
    monkeypatch.setattr("gridglow.device.walk.RUN_S", 0)
    monkeypatch.setattr("gridglow.device.walk.DOT_S", 0)
    told = call("walk", "--port", board.port, "--track", TRACK, "--json")
    assert told.exit_code == 0, told.output
    assert leds == [[5]] and json.loads(told.stdout)["skip"] == [5]
    kept = json.loads(board.files()[f"save/leds-{TRACK}"])
    own = load_board("mini")
    assert own.path.parent == home / "boards" and kept["leds"] == map_leds(track, own).leds
    assert 4 not in kept["leds"] and max(kept["leds"]) == track.rows
    told = call("walk", "--port", board.port, "--track", TRACK, "--forget")
    assert told.exit_code == 0 and f"save/leds-{TRACK}" not in board.files() and load_board("mini").modules == ()


def test_a_race_goes_on(board, monkeypatch):
    found = find(None, [board.port])
    setup = {"game": "moto_grand_prix", "track": TRACK, "laps": 1, "players": [["person", "Ann"], ["person", "Ben"]]}
    with found.talk() as talk:
        talk.ask({"t": "start", "setup": setup})
    told = call("doctor", "--port", board.port, "--steps", "board,flash", "--json")
    assert told.exit_code == 0, told.output
    steps = json.loads(told.stdout)["steps"]
    assert [step["state"] for step in steps] == ["ok", "skipped"] and "--yes" in steps[1]["next"]
    assert find(None, [board.port]).race_runs
    monkeypatch.setattr(cli_doctor, "somebody", lambda: None)
    told = call("doctor", "--port", board.port, "--steps", "flash", "--yes")
    assert told.exit_code == 0 and "ok      flash" in told.stdout
    about = find(None, [board.port]).about
    assert about["state"] == "idle" and about["saved"] == 1
