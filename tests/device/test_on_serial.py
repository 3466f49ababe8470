"""``gridglow test --on serial``: the rules on a board without hardware, compared with CPython's."""

import json

import pytest
from commands import call
from fake_board import FakeBoard
from fake_program import frozen

from gridglow.device import changed_code, manifest
from gridglow.device.connect import GRIDGLOW, one
from gridglow.device.port import PortError
from gridglow.firmware.compiler import compile_mpy
from gridglow.races import serial
from gridglow.races.interpreters import Interpreter, InterpreterFault
from gridglow.races.proofs import random_races
from gridglow.races.serial import Board
from gridglow.races.spec import job_vector, load_games, vector_pack
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError

RULES = "shared_rules/games/moto_grand_prix/rules.py"


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """The sources are as they were when the program was built. A test may change one."""
    changed = {}
    monkeypatch.setattr(changed_code, "frozen_modules", lambda: frozen().modules | changed)
    return changed


@pytest.fixture
def board(tmp_path, program):
    with FakeBoard(tmp_path / "board", {}, program=program) as one_board:
        yield one_board


def found(board):
    return one(None, [board.port])


def is_clean(board):
    """Whether no file of the proofs is left on the board, and Gridglow runs."""
    names = set(board.files()) - {"starts.txt"}
    return found(board).state == GRIDGLOW and not [one for one in names if not one.startswith("save/")]


def test_vectors_and_races_on_the_board(board):
    told = call("test", "--on", "serial", "--port", board.port, "--sample", "24", "--races", "1", "--json",
                "--game", "moto_grand_prix")
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    assert report["on"] == ["cpython", "serial"]
    game = report["games"]["moto_grand_prix"]
    assert (game["failed"], game["races"], game["equal"], game["vectors"]) == (0, 3, 3, 17)
    assert is_clean(board)


def test_a_large_track_goes_by_the_flash(board):
    race = max(random_races("moto_grand_prix", 3), key=lambda one: len(one.pack))
    assert len(race.pack) > 1200
    with Board(found(board)) as there, Interpreter("cpython") as here:
        assert there.on_track(race.pack).ask(race.job) == here.on_track(race.pack).ask(race.job)
        assert "proof.pack" in board.files()
    assert is_clean(board)


def test_an_error_on_the_board_is_a_sentence_and_the_next_job_runs(board):
    vector = next(iter(load_games()["moto_grand_prix"].vectors.values()))
    with Board(found(board)) as there:
        there.on_track(vector_pack(vector))
        with pytest.raises(InterpreterFault, match="^The board stopped in my job: KeyError"):
            there.ask({"job": "race"}, "my job")
        result = there.on_track(vector_pack(vector)).ask({"job": "vector", "vector": job_vector(vector)})
        assert result == {"id": vector.id, "problem": None}
    assert is_clean(board)


def test_a_job_that_takes_too_long_is_stopped(board):
    race = random_races("moto_grand_prix", 1)[0]
    with Board(found(board), job_s=0.01) as there, pytest.raises(InterpreterFault, match="within 0.01 s; it was stopped"):
        there.on_track(race.pack).ask(race.job, "a race")
    assert is_clean(board)


def test_a_full_memory_is_a_sentence(tmp_path, program):
    with FakeBoard(tmp_path / "board", {}, program=program) as board:
        race = max(random_races("moto_grand_prix", 13), key=lambda one: len(one.pack))
        with Board(found(board), end_race=True) as there:
            there._repl.run("import gc\nkeep=[]\nwhile gc.mem_free()>40000:keep.append(bytearray(5000))\n")
            with pytest.raises(InterpreterFault, match="ran out of memory in"):
                there.on_track(race.pack).ask({**race.job, "variant": "expert"}, "the race")


def test_unplugged_in_the_middle_is_one_sentence(board):
    now = found(board)
    with pytest.raises(PortError), Board(now) as there:
        board.unplug()
        there.on_track(load_track("gp-ring").pack)
    board.power_cut()
    board.wait_started()
    assert found(board).state == GRIDGLOW


def test_other_rules_on_the_board_are_not_compared(board, still):
    still[RULES] = frozen().modules[RULES] + b"\nMINE = 1\n"
    with pytest.raises(GridglowError, match="differ from those here .shared_rules/games/moto_grand_prix/rules.py"):
        with Board(found(board)):
            pass
    still.clear()
    still["shared_rules/games/moto_grand_prix/bots.py"] = b"# bots decide nothing of a race's course\n"
    with Board(found(board)):
        pass


def test_rules_that_were_put_in_are_those_that_are_proven(tmp_path, program, still):
    """A module changed by the owner is used on the board, and must be the same as here."""
    still[RULES] = frozen().modules[RULES] + b"\nprint('mine')\n"
    compiled = compile_mpy(RULES, still[RULES], None)
    files = {"code/shared_rules/games/moto_grand_prix/rules.mpy": compiled, "code/for.txt": program.id.encode()}
    race = random_races("moto_grand_prix", 1)[0]
    with FakeBoard(tmp_path / "board", files, program=program, machine="unix") as board:
        now = found(board)
        assert "shared_rules.games.moto_grand_prix.rules" in now.about["changed"]
        with Board(now) as there, Interpreter("cpython") as here:
            assert there.on_track(race.pack).ask(race.job) == here.on_track(race.pack).ask(race.job)
        still.clear()
        with pytest.raises(GridglowError, match="differ from those here"), Board(now):
            pass


def test_a_board_without_a_program_has_no_rules_to_prove():
    seen = serial.Seen({}, manifest.Manifest())
    with pytest.raises(GridglowError, match="has no Gridglow program, so it has no rules to prove"):
        serial.check_rules(seen, serial.Found(serial_port(), GRIDGLOW, {"fw": "1"}))


def serial_port():
    from gridglow.device.ports import PortInfo

    return PortInfo("COM3")
