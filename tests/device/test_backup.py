"""``gridglow backup`` and ``restore``: saves as one file and back, whole or not at all."""

import json
import stat
import zipfile

import pytest
from commands import call
from fake_board import FakeBoard, racing_board
from small_board import small_image, small_program

from gridglow.device import backup as saves
from gridglow.device.connect import one
from gridglow.device.repl import Repl
from shared_rules.errors import GridglowError

SAVES = {"save/race.log": bytes(range(256)) * 9, "save/race.a": "Jürgen".encode(), "save/settings": b'[["mute",1]] *0\n',
         "save/leds-gp-ring": b"", "save/race.new": b"half a snapshot"}
KEPT = {name: data for name, data in SAVES.items() if name != "save/race.new"}
RACE = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3}


@pytest.fixture
def repl(tmp_path):
    with FakeBoard(tmp_path / "board", {**SAVES, "main.py": b""}) as board, Repl(board.port) as one:
        one.enter(interrupt_race=True)
        one.board = board
        yield one


def test_saves_come_and_go_back(repl, tmp_path):
    assert saves.backup(repl) == KEPT
    saves.write_file(tmp_path / "kept.zip", KEPT, {"board": "x"})
    assert saves.read_file(tmp_path / "kept.zip") == KEPT
    assert stat.S_IMODE((tmp_path / "kept.zip").stat().st_mode) == 0o600
    repl.run("import os\nfor n in ('race.log','race.a','settings'):os.remove('save/'+n)\n"
             "with open('save/race.b','w') as f:f.write('of another race')\nwith open('save/cards','w') as f:f.write('c')")
    assert saves.restore(repl, KEPT) == 4
    there = {name: data for name, data in repl.board.files().items() if name.startswith("save/")}
    assert there == {**SAVES, "save/cards": b"c"}


def test_a_board_without_saves(tmp_path):
    with FakeBoard(tmp_path / "board", {}) as board, Repl(board.port) as repl:
        repl.enter(interrupt_race=True)
        assert saves.backup(repl) == {}
        assert saves.restore(repl, KEPT) == 4
        assert {name: data for name, data in board.files().items() if name.startswith("save/")} == KEPT


def test_unplugged_in_the_middle_the_old_saves_stay(tmp_path):
    old = {"save/race.log": b"old", "save/race.b": b"old snapshot"}
    with FakeBoard(tmp_path / "board", old, unplug_at=4000) as board:
        with Repl(board.port) as repl, pytest.raises(GridglowError):
            repl.enter(interrupt_race=True)
            saves.restore(repl, KEPT)
        assert {name: data for name, data in board.files().items() if not name.endswith(".new")} == old


def test_a_full_flash_keeps_the_old_saves(tmp_path):
    old = {"save/race.log": b"old", "save/race.b": b"old snapshot"}
    with FakeBoard(tmp_path / "board", old, full_at=3) as board, Repl(board.port) as repl:
        repl.enter(interrupt_race=True)
        with pytest.raises(GridglowError, match="full"):
            saves.restore(repl, {**KEPT, "save/race.a": bytes(9000)})
        assert {name: data for name, data in board.files().items() if not name.endswith(".new")} == old


def damaged(tmp_path):
    """Files that aren't backups, and the message for each."""
    good = tmp_path / "good.zip"
    saves.write_file(good, KEPT)
    data = good.read_bytes()

    def rewritten(name, change):
        with zipfile.ZipFile(good) as old, zipfile.ZipFile(tmp_path / name, "w") as new:
            for one in old.namelist():
                new.writestr(*change(one, old.read(one)))

    def edit_list(**more):
        return lambda one, content: (one, json.dumps({**json.loads(content), **more}) if one == saves.LIST else content)

    (tmp_path / "empty.zip").write_bytes(b"")
    (tmp_path / "half.zip").write_bytes(data[:len(data) // 2])
    rewritten("other.zip", lambda one, content: (one, content + b"x" if one == "save/race.a" else content))
    rewritten("newer.zip", edit_list(format=2))
    rewritten("evil.zip", lambda one, content: (one.replace("save/race.a", "main.py"),
                                                content.replace(b"save/race.a", b"main.py")))
    rewritten("less.zip", lambda one, content: (one.replace("race.a", "else"), content if one == saves.LIST else content))
    return {"empty": "damaged or not a backup", "half": "damaged or not a backup", "other": "damaged or not a backup",
            "newer": "of format 2", "evil": "is not a board's save",
            "less": "damaged or not a backup", "missing": "can't be read"}


def test_a_file_that_is_not_whole_is_refused_before_anything_is_done(tmp_path):
    for name, said in damaged(tmp_path).items():
        with pytest.raises(GridglowError, match=said):
            saves.read_file(tmp_path / f"{name}.zip")


@pytest.mark.parametrize("name", ["main.py", "save/../main.py", "/save/x", "save/", "save//x", "save/a\\b", "save/a\nb"])
def test_only_saves_are_restored(repl, name):
    with pytest.raises(GridglowError, match="is not a board's save"):
        saves.restore(repl, {name: b"evil"})


def test_the_commands_keep_a_running_race_until_the_user_agrees(tmp_path):
    image = small_image("1", race=RACE)
    with FakeBoard(tmp_path / "board", {**image.contents, **SAVES}) as board:
        words = ["--port", board.port]
        told = call("backup", tmp_path / "kept.zip", *words)
        assert told.exit_code == 1 and "A race is running on" in told.stderr and not (tmp_path / "kept.zip").exists()
        starts = board.starts
        told = call("backup", tmp_path / "kept.zip", "--yes", *words)
        assert told.exit_code == 0, told.output
        assert "The board has restarted, and shows its start screen." in told.stderr
        assert saves.read_file(tmp_path / "kept.zip") == KEPT
        assert board.starts > starts
        told = call("backup", tmp_path / "kept.zip", *words)
        assert told.exit_code == 1 and "already exists" in told.stderr
        told = call("restore", tmp_path / "kept.zip", *words)
        assert told.exit_code == 1 and "A race is running on" in told.stderr
        told = call("restore", tmp_path / "kept.zip", "--yes", "--json", *words)
        assert told.exit_code == 0 and json.loads(told.stdout)["files"] == 4
        assert json.loads(told.stdout)["saved_race"] is False
        assert {name: data for name, data in board.files().items() if name.startswith("save/")} == SAVES


@pytest.mark.parametrize("words", [["backup", "none/kept.zip", "--yes"], ["backup", "none/kept.img", "--raw", "--yes"],
                                   ["doctor", "--bundle", "none/report.zip"]])
def test_where_nothing_can_be_written_no_race_is_ended(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    image = small_image("1", race=RACE)
    with FakeBoard(tmp_path / "board", {**image.contents, **SAVES}) as board:
        starts, ended = board.starts, call(*words, "--port", board.port)
        assert ended.exit_code == 1 and "doesn't exist; create it first, or name another file" in ended.stderr
        assert board.starts == starts and "A race is running on" in call("backup", "kept.zip", "--port", board.port).stderr


def test_others_are_kept_beside_the_saves_and_never_restored(tmp_path):
    saves.write_file(tmp_path / "kept.zip", KEPT, {"board": "x"}, {"main.py": b"print()", "lib/a.py": b"a"})
    kept = saves.read_kept(tmp_path / "kept.zip")
    assert (kept.files, kept.others, kept.about) == (KEPT, {"main.py": b"print()", "lib/a.py": b"a"}, {"board": "x"})
    assert saves.read_file(tmp_path / "kept.zip") == KEPT


def test_the_blocks_of_the_flash_are_kept_as_they_are(tmp_path):
    board = FakeBoard(tmp_path / "board", {**SAVES}, program=small_program(tmp_path / "program"))
    board.spoil(0, 2)
    with board:
        told = call("backup", "--raw", tmp_path / "kept.img", "--port", board.port)
        assert told.exit_code == 0, told.output
        assert (tmp_path / "kept.img").read_bytes() == board.raw() and "768 kB of the flash" in told.stdout
        assert (tmp_path / "kept.img").read_bytes()[:4096] == b"\x5a" * 4096
        told = call("backup", "--raw", tmp_path / "kept.img", "--port", board.port)
        assert told.exit_code == 1 and "already exists" in told.stderr


def test_a_board_that_gives_no_blocks_is_a_sentence(repl):
    repl.run("import rp2\ndel rp2.Flash")
    with pytest.raises(GridglowError, match="can't give the blocks of its flash.*nothing was read"):
        saves.read_blocks(repl)


def test_a_saved_race_is_replaced_only_when_the_user_agrees(tmp_path):
    saves.write_file(tmp_path / "kept.zip", KEPT)
    settings = b'[["track","gp-ring"],["open",1]] *00000000\n'
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, "save/settings": settings}) as board:
        told = call("restore", tmp_path / "kept.zip", "--port", board.port)
        assert told.exit_code == 1 and "The race on gp-ring that is saved" in told.stderr
        assert board.files()["save/settings"] == settings


def test_a_race_that_was_stopped_is_offered_again(tmp_path):
    """After both commands the board is at its start, and says that the race can be resumed."""
    setup = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["person", "Ben"]]}
    offered = "The board has restarted; its race is saved; to go on, choose Resume saved race in its menu."
    with racing_board(tmp_path, "mini") as board:
        with one(None, [board.port]).talk() as talk:
            talk.ask({"t": "start", "setup": setup})
        told = call("backup", tmp_path / "kept.zip", "--yes", "--port", board.port)
        assert told.exit_code == 0 and offered in told.stderr, told.output
        about = one(None, [board.port]).about
        assert (about["state"], about["saved"], about["race"]) == ("idle", 1, None)
        told = call("restore", tmp_path / "kept.zip", "--yes", "--port", board.port)
        assert told.exit_code == 0 and offered in told.stderr, told.output
        with one(None, [board.port]).talk() as talk:
            talk.ask({"t": "resume"})
        assert one(None, [board.port]).race_runs
