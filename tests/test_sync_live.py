"""Sync against the whole firmware on a board without hardware: in mid-race, in counts, and from bare to a race."""

import pytest
from fake_board import FakeBoard, gridglow_files
from test_cli_common import call

from gridglow.device import manifest
from gridglow.device.connect import GRIDGLOW, one
from gridglow.device.image import build
from gridglow.device.sync import NotAgreed, sync
from gridglow.device.sync_plan import LINK, NOTHING, REPL
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError

SETUP = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1, "dice": "device",
         "players": [["person", "Ann"], ["person", "Ben"]]}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A board with the whole firmware and one track."""
    return gridglow_files(tmp_path_factory.mktemp("device") / "device", "full", tracks=[load_track("gp-ring")])


@pytest.fixture(autouse=True)
def still(monkeypatch, tmp_path_factory, files):
    """The sources are as they were when the board got them, whoever edits them meanwhile."""
    from gridglow.device import image

    kept = {}

    def sources(*args, **named):
        key = repr((args, sorted(named.items())))
        if key not in kept:
            kept[key] = real(*args, **named)
        return kept[key]

    real = image.source_modules
    monkeypatch.setattr(image, "source_modules", sources)


def found(board):
    return one(None, [board.port])


def test_from_bare_micropython_to_a_race(tmp_path):
    with FakeBoard(tmp_path / "board", {}) as board:
        told = call("sync", "--port", board.port, "--board-file", "mini", "--tracks", "gp-ring", "--languages", "en")
        assert told.exit_code == 0, told.output
        assert "sent and installed; Gridglow 1 runs" in told.stdout
        now = found(board)
        assert now.state == GRIDGLOW and now.about["board"] == "mini"
        with now.talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
            assert talk.info()["race"]["track"] == "gp-ring"
        names = set(board.files())
        assert "text/de.pack" not in names and {"hal.code", "glow.code", "code_files.mpy"} <= names
        assert not [name for name in names if name.startswith(("glow/", "hal/"))]
        assert sync(found(board)).plan.way == NOTHING  # the choice is remembered, in mid-race too


def test_tracks_go_over_the_link_in_mid_race_and_hold_from_the_next_race_on(tmp_path, files):
    with FakeBoard(tmp_path / "board", files) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        starts = board.starts
        first = sync(found(board), tracks="gp-ring,free-speedway")
        assert (first.plan.way, first.installed, first.plan.agree) == (LINK, False, [])
        assert sorted(first.plan.send) == sorted(["tracks/free-speedway.pack", "tracks/free-speedway.leds",
                                                  "tracks/index.json", manifest.NAME])
        again = sync(found(board), tracks="gp-ring,free-speedway")
        assert (again.plan.way, again.sent) == (NOTHING, 0) and "when its race is over" in again.say
        with pytest.raises(NotAgreed, match="would lose its track"):
            sync(found(board), tracks="free-speedway")
        assert board.starts == starts and found(board).race_runs
        assert "tracks/free-speedway.pack" not in board.files()
        with found(board).talk() as talk:
            talk.ask({"t": "stop"})
            assert talk.ask({"t": "info"}, "info")["about"]["state"] == "idle"
            assert talk.read_file("manifest.txt") == first.plan.image.manifest.text()
        assert "tracks/free-speedway.pack" in board.files() and not any(n.startswith("new/") for n in board.files())
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": {**SETUP, "track": "free-speedway", "variant": "standard"}})


def test_a_power_cut_in_mid_race_installs_what_waited_at_the_next_start(tmp_path, files):
    with FakeBoard(tmp_path / "board", files) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        sync(found(board), tracks="gp-ring,free-speedway")
        board.power_cut()
        board.wait_started()
        with found(board).talk() as talk:
            assert talk.info()["saved"] == 1
            talk.ask({"t": "resume"})  # its own track is as it was
        assert "tracks/free-speedway.pack" in board.files()


def test_code_never_ends_a_race_unasked(tmp_path, files):
    with FakeBoard(tmp_path / "board", {**files, "drivers.code": files["drivers.code"] + b"older"}) as board:
        with found(board).talk() as talk:
            talk.ask({"t": "start", "setup": SETUP})
        with pytest.raises(NotAgreed, match="A race runs on .*; installing ends it, and it stays saved"):
            sync(found(board))
        assert found(board).race_runs
        done = sync(found(board), agree=lambda told: True)
        assert done.plan.way == REPL and done.plan.send == ["drivers.code", manifest.NAME]
        assert done.about["saved"] == 1 and done.about["state"] == "idle"
        with found(board).talk() as talk:
            talk.ask({"t": "resume"})


def test_one_changed_track_is_a_small_part_of_everything(tmp_path, files):
    """Against copying all of it, without what any protocol adds to that."""
    every = build(tmp_path / "every", "full", target="pico", native=None)
    device = {name: data for name, data in every.contents.items() if name != manifest.NAME}
    old = {**every.contents, "tracks/gp-ring.pack": device["tracks/gp-ring.pack"][:-1] + b"?"}
    text = manifest.of_files({name: old[name] for name in device}, every.manifest.head).text()
    with FakeBoard(tmp_path / "board", {**old, manifest.NAME: text}) as board:
        now = found(board)
        came = board.came
        done = sync(now)
        assert done.plan.way == LINK and done.plan.send == ["tracks/gp-ring.pack", manifest.NAME]
        assert (board.came - came) / every.bytes_ <= 0.15 and len(done.plan.send) / every.files <= 0.15
        came = board.came
        assert sync(found(board)).sent == 0 and board.came - came < 1000


def test_a_cable_pulled_in_the_middle_of_the_link_leaves_the_old_tracks(tmp_path, files):
    with FakeBoard(tmp_path / "board", files) as board:
        now = found(board)
        board.unplug_at = board.came + 6000
        with pytest.raises(GridglowError):
            sync(now, tracks="gp-ring,free-speedway")
        board.plug()
        assert "tracks/free-speedway.pack" not in board.files() and found(board).state == GRIDGLOW
        done = sync(found(board), tracks="gp-ring,free-speedway")
        assert done.installed and done.sent >= 1
        assert "tracks/free-speedway.pack" in board.files()
