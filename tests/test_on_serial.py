"""``gridglow test --on serial``: the rules on a board without hardware, against CPython's."""

import json

import pytest
from fake_board import FakeBoard, gridglow_files
from test_cli_common import call

from gridglow.device.connect import GRIDGLOW, one
from gridglow.device.port import PortError
from gridglow.races.interpreters import Interpreter, InterpreterFault
from gridglow.races.proofs import random_races
from gridglow.races.serial import Board, games_on
from gridglow.races.spec import job_vector, load_games, vector_pack
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return gridglow_files(tmp_path_factory.mktemp("device") / "device", "mini", tracks=[load_track("gp-ring")],
                          games=["moto_grand_prix"])


@pytest.fixture
def board(tmp_path, files):
    with FakeBoard(tmp_path / "board", files) as one_board:
        yield one_board


def found(board):
    return one(None, [board.port])


def is_clean(board, files):
    """Whether nothing of the proofs is left on the board, and Gridglow runs."""
    names = set(board.files()) - {"starts.txt"}
    return found(board).state == GRIDGLOW and {one for one in names if not one.startswith("save/")} == set(files)


def test_vectors_and_races_on_the_board(board, files):
    told = call("test", "--on", "serial", "--port", board.port, "--sample", "24", "--races", "1", "--json")
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    assert report["on"] == ["cpython", "serial"]
    game = report["games"]["moto_grand_prix"]
    assert (game["failed"], game["races"], game["equal"], game["vectors"]) == (0, 3, 3, 17)
    assert is_clean(board, files)


def test_a_large_track_goes_by_the_flash(board, files):
    race = max(random_races("moto_grand_prix", 3), key=lambda one: len(one.pack))
    assert len(race.pack) > 1200
    with Board(found(board)) as there, Interpreter("cpython") as here:
        assert there.on_track(race.pack).ask(race.job) == here.on_track(race.pack).ask(race.job)
        assert "proof.pack" in board.files()
    assert is_clean(board, files)


def test_an_error_on_the_board_is_a_sentence_and_the_next_job_runs(board, files):
    vector = next(iter(load_games()["moto_grand_prix"].vectors.values()))
    with Board(found(board)) as there:
        there.on_track(vector_pack(vector))
        with pytest.raises(InterpreterFault, match="^The board broke off in my job: KeyError"):
            there.ask({"job": "race"}, "my job")
        result = there.on_track(vector_pack(vector)).ask({"job": "vector", "vector": job_vector(vector)})
        assert result == {"id": vector.id, "problem": None}
    assert is_clean(board, files)


def test_a_job_that_takes_too_long_is_stopped(board, files):
    race = random_races("moto_grand_prix", 1)[0]
    with Board(found(board), job_s=0.01) as there, pytest.raises(InterpreterFault, match="within 0.01 s; it was stopped"):
        there.on_track(race.pack).ask(race.job, "a race")
    assert is_clean(board, files)


def test_a_full_memory_is_a_sentence(tmp_path, files):
    with FakeBoard(tmp_path / "board", {**files, "main.py": b""}, heap_kb=170) as board:
        race = max(random_races("moto_grand_prix", 13), key=lambda one: len(one.pack))
        with Board(found(board)) as there, pytest.raises(InterpreterFault, match="ran out of memory in the race"):
            there.on_track(race.pack).ask({**race.job, "variant": "expert"}, "the race")


def test_unplugged_in_the_middle_is_one_sentence(board):
    now = found(board)
    with pytest.raises(PortError), Board(now) as there:
        board.unplug()
        there.on_track(load_track("gp-ring").pack)
    board.power_cut()
    board.wait_started()
    assert found(board).state == GRIDGLOW


def test_other_rules_on_the_board_are_not_compared(tmp_path, files):
    text = files["manifest.txt"].replace(b"moto_grand_prix:", b"moto_grand_prix:0")
    for changed, said in (({"manifest.txt": text}, "are others than those here"),
                          ({"manifest.txt": b""}, "There are no rules of Gridglow")):
        with FakeBoard(tmp_path / said[:9], {**files, **changed, "main.py": b""}) as board:
            with pytest.raises(GridglowError, match=said), Board(found(board)):
                pass
            assert "shared_rules/proof.mpy" not in board.files()


def test_games_that_a_board_has_not_are_left_out(board):
    assert games_on(found(board)) == ["moto_grand_prix"]
