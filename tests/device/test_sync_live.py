"""Sync with the whole program on a board without hardware: during a race, in numbers, and with the owner's modules."""

import pytest
from commands import call
from fake_board import FakeBoard
from fake_program import frozen

from gridglow.boards.boardfile import load_board
from gridglow.device import changed_code, manifest
from gridglow.device.board_data import board_data
from gridglow.device.connect import GRIDGLOW, one
from gridglow.device.sync import NotAgreed, frozen_list, sync
from gridglow.device.sync_plan import LINK, NOTHING, REPL
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError

SETUP = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1, "dice": "device",
         "players": [["person", "Ann"], ["person", "Ben"]]}


@pytest.fixture(scope="module")
def files():
    """The files of a `full` board with one track, besides its program."""
    rows = frozen_list(frozen().data["modules.txt"].decode())
    return board_data(load_board("full"), rows, frozen().firmware, [load_track("gp-ring")]).contents


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """The sources as they were when the program was built, even if somebody edits them meanwhile. A test may change one."""
    changed = {}
    monkeypatch.setattr(changed_code, "frozen_modules", lambda: frozen().modules | changed)
    return changed


def found(board):
    return one(None, [board.port])


def test_a_new_board_becomes_another_one_and_races(tmp_path, program):
    with FakeBoard(tmp_path / "board", {}, program=program) as board:
        assert found(board).about["board"] == "mini" and sync(found(board)).plan.way == NOTHING
        told = call("sync", "--port", board.port, "--board-file", "full", "--tracks", "gp-ring")
        assert told.exit_code == 0, told.output
        assert "sent and installed; Gridglow 1 runs" in told.stdout
        now = found(board)
        assert now.state == GRIDGLOW and now.about["board"] == "full"
        with now.talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
            assert talk.info()["race"]["track"] == "gp-ring"
        assert sorted(name for name in board.files() if not name.startswith(("save/", "starts"))) == [
            "board.json", "manifest.txt", "safe_pin.txt", "tracks/gp-ring.leds", "tracks/index.json"]
        assert sync(found(board)).plan.way == NOTHING  # the choice is remembered, even during a race


def test_tracks_go_over_the_link_in_mid_race_and_hold_from_the_next_race_on(tmp_path, files, program):
    with FakeBoard(tmp_path / "board", files, program=program) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        starts = board.starts
        first = sync(found(board), tracks="gp-ring,free-speedway")
        assert (first.plan.way, first.installed, first.plan.agree) == (LINK, False, [])
        assert sorted(first.plan.send) == sorted(["tracks/free-speedway.leds", "tracks/index.json", manifest.NAME])
        again = sync(found(board), tracks="gp-ring,free-speedway")
        assert (again.plan.way, again.sent) == (NOTHING, 0) and "when its race is over" in again.say
        with pytest.raises(NotAgreed, match="would lose its track"):
            sync(found(board), tracks="free-speedway")
        assert board.starts == starts and found(board).race_runs
        assert "tracks/free-speedway.leds" not in board.files()
        with found(board).talk() as talk:
            talk.ask({"t": "stop"})
            assert talk.ask({"t": "info"}, "info")["about"]["state"] == "idle"
            assert talk.read_file("manifest.txt") == first.plan.data.manifest.text()
        assert "tracks/free-speedway.leds" in board.files() and not any(n.startswith("new/") for n in board.files())
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": {**SETUP, "track": "free-speedway", "variant": "standard"}})


def test_a_power_cut_in_mid_race_installs_what_waited_at_the_next_start(tmp_path, files, program):
    with FakeBoard(tmp_path / "board", files, program=program) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        sync(found(board), tracks="gp-ring,free-speedway")
        board.power_cut()
        board.wait_started()
        with found(board).talk() as talk:
            assert talk.info()["saved"] == 1
            talk.ask({"t": "resume"})  # its own track is unchanged
        assert "tracks/free-speedway.leds" in board.files()


def test_modules_of_one_s_own_never_end_a_race_unasked(tmp_path, files, program, still):
    with FakeBoard(tmp_path / "board", files, program=program) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        still["glow/menu/legend.py"] = frozen().modules["glow/menu/legend.py"] + b"\nMINE = 1\n"
        with pytest.raises(NotAgreed, match="A race is running on .*; installing ends it, and it stays saved"):
            sync(found(board))
        assert found(board).race_runs
        done = sync(found(board), agree=lambda told: True)
        assert done.plan.way == REPL and done.plan.send == ["code/for.txt", "code/glow/menu/legend.mpy", manifest.NAME]
        assert done.about["saved"] == 1 and done.about["state"] == "idle" and done.about["changed"] == ["glow.menu.legend"]
        assert sync(found(board)).plan.way == NOTHING
        told = call("boards", "--port", board.port)
        assert "Changed here: glow.menu.legend." in told.stderr
        with found(board).talk() as talk:
            talk.ask({"t": "resume"})
        still.clear()
        assert sync(found(board), agree=lambda told: True).plan.remove == ["code/for.txt", "code/glow/menu/legend.mpy"]
        assert found(board).about["changed"] == []


def test_a_module_that_raises_is_named_and_left_out(tmp_path, program, still):
    with FakeBoard(tmp_path / "board", {}, program=program) as board:
        still["glow/menu/legend.py"] = b"1 + None\n"
        still["glow/table/deck.py"] = frozen().modules["glow/table/deck.py"] + b"\nMINE = 1\n"
        done = sync(found(board))
        note = done.notes[-1]
        assert note.startswith("Its module glow.menu.legend was left out (TypeError: ") and note.endswith("gridglow sync")
        assert done.about["changed"] == ["glow.table.deck"]
        assert note in found(board).problems()


def test_modules_that_cannot_be_put_in_are_told(still):
    rows = frozen_list(frozen().data["modules.txt"].decode())
    still["boot.py"] = frozen().modules["boot.py"] + b"\n# mine\n"
    made = changed_code.changed_code(rows, "0123456789ab", "rp2040")
    assert made.files == {} and made.notes[0].startswith("boot.py here differ from the board's program")
    del still["boot.py"]
    still |= {f"glow/more_{number}.py": b"X = 1\n" for number in range(changed_code.MODULES_MOST + 1)}
    made = changed_code.changed_code(rows, "0123456789ab", "rp2040")
    assert made.files == {} and "25 modules here (" in made.notes[0] and "so none was sent" in made.notes[0]
    del still["glow/more_0.py"]
    made = changed_code.changed_code(rows, "0123456789ab", "rp2040")
    assert len(made.files) == changed_code.MODULES_MOST + 1 and made.files["code/for.txt"] == b"0123456789ab"
    still["glow/more_1.py"] = b"def :\n"
    with pytest.raises(GridglowError, match="glow/more_1.py can't be compiled for MicroPython: Synt.* Nothing was sent"):
        changed_code.changed_code(rows, "0123456789ab", "rp2040")


def test_one_changed_track_is_a_small_part_of_everything(tmp_path, files, program):
    """Compared with copying everything on the board besides its program."""
    rows = frozen_list(frozen().data["modules.txt"].decode())
    every = board_data(load_board("full"), rows, frozen().firmware)
    old = {**every.contents, "tracks/gp-ring.leds": every.contents["tracks/gp-ring.leds"][:-1] + b" }"}
    text = manifest.of_files({name: data for name, data in old.items() if name != manifest.NAME}, every.manifest.head).text()
    with FakeBoard(tmp_path / "board", {**old, manifest.NAME: text}, program=program) as board:
        now = found(board)
        came = board.came
        done = sync(now)
        assert done.plan.way == LINK and done.plan.send == ["tracks/gp-ring.leds", manifest.NAME]
        assert (board.came - came) / sum(map(len, every.contents.values())) <= 0.25
        came = board.came
        assert sync(found(board)).sent == 0 and board.came - came < 1000


def test_a_cable_pulled_in_the_middle_of_the_link_leaves_the_old_tracks(tmp_path, files, program):
    with FakeBoard(tmp_path / "board", files, program=program) as board:
        now = found(board)
        board.unplug_at = board.came + 1500
        with pytest.raises(GridglowError):
            sync(now, tracks="gp-ring,free-speedway")
        board.plug()
        assert "tracks/free-speedway.leds" not in board.files() and found(board).state == GRIDGLOW
        done = sync(found(board), tracks="gp-ring,free-speedway")
        assert done.installed and done.sent >= 1
        assert "tracks/free-speedway.leds" in board.files()
