"""A whole update of a board that is nearly full: its changed files wait as one archive beside the old ones."""

import json
import random
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fake_board import FakeBoard
from small_board import copy_of, small_files, small_image
from test_install import pool_of
from test_sync import SAVES, do_sync, ours, seen_with, small, which

from gridglow.device import archive, manifest, sync_plan
from gridglow.device import sync as device_sync
from gridglow.device.connect import MICROPYTHON, Found, one
from gridglow.device.ports import named_port
from gridglow.device.repl import DiskFull, Repl
from gridglow.device.sync_plan import NOTHING, Choice, Seen, blocks_for, plan
from gridglow.tracks import list_tracks
from shared_rules import games as all_games
from shared_rules.errors import GridglowError

__all__ = ["small"]
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """All that a `full` board holds where nothing is chosen, as a bare Pico gets it."""
    pico = Found(named_port("/dev/fake"), MICROPYTHON, {"mpy": 0x1306})
    bare = Seen({}, None, free_bytes=4096 * 350)
    image, _ = device_sync._that_fits(pico, bare, Choice("full"), tmp_path_factory.mktemp("whole"))
    return {name: data for name, data in image.contents.items() if name != manifest.NAME}


def full_files(whole, fw):
    """A set of these sizes that runs on the fake board, each file another one than with another `fw`."""
    files = small_files(fw)
    for name, data in whole.items():
        if name not in files:
            data = bytearray(data)
            for at in range(len(data) // 2 % 600, len(data), 600) if name != "code_files.mpy" else ():  # that one runs
                data[at] = ord(fw)
            files[name] = bytes(data) + fw.encode()
    files["code.pool"] = copy_of(files["code.pool"][:-1], bytes(4))  # whole blocks
    files["boot.py"] += f"\n# {fw}\n".encode()
    files["install.py"] += f"\n# {fw}\n".encode()
    files["board.json"] = files["board.json"][:-1] + f',"fw":{fw}}}'.encode()
    files["pack.json"] = b"x" * 400 + fw.encode()
    return files


def started(contents, kept="live"):
    """What a board makes of these files at its first start; an older firmware keeps "both" pools."""
    files = {**contents, "pool.live": copy_of(contents["code.pool"])}
    if kept == "live":
        del files["code.pool"]
    return files


def full_board(folder, whole, small, kept="live", **more):
    """A board with the whole old set on it, whose new set is chosen."""
    old = small("1", files=full_files(whole, "1"))
    board = FakeBoard(folder, {**started(old.contents, kept), **SAVES}, heap_kb=1600, **more)
    return board, small("2", files=full_files(whole, "2"))


def left(board):
    """The files there; the fake board makes no copy of its pool."""
    files = ours(board.files())
    assert "pool.live" not in files
    return files


@pytest.mark.parametrize("kept", ["live", "both"])
def test_every_file_of_a_full_board_is_renewed(tmp_path, whole, small, kept):
    board, new = full_board(tmp_path / "board", whole, small, kept)
    with board:
        came = board.came
        result = do_sync(board)
        assert result.sent > 80 and result.about["fw"] == "2"
        assert left(board) == {**new.contents, **SAVES}
        assert board.came - came < 1.45 * len(result.plan.archive) + 40_000
        told = result.plain()
        assert told["packed"] == len(result.plan.archive) < told["bytes"] and told["came"] == 0
        assert result.plan.first_remove == ([] if kept == "live" else ["pool.live"])
        json.dumps(told)
        assert do_sync(board, board_file=None).sent == 0
    board.write_flash(started(board.files()))  # as the real firmware does when it starts
    with board:
        assert do_sync(board, board_file=None).sent == 0


@pytest.mark.parametrize("kept", ["live", "both"])
def test_nothing_is_sent_once_the_board_has_its_copy(tmp_path, small, kept):
    """By the link, and by the raw REPL, which reads every file."""
    image = small("1", files={**small_files("1"), "code.pool": pool_of(b"GGcpone!")})
    files = started(image.contents, kept)
    with FakeBoard(tmp_path / "board", {**files, **SAVES}) as board:
        result = do_sync(board, board_file=None)
        assert (result.sent, result.plan.remove, result.plan.way) == (0, [], NOTHING)
        assert result.plain()["unchanged"] == len(image.manifest.files)
        with one(None, [board.port]).repl(end_race=True) as repl:
            seen = device_sync.look_by_repl(repl)
        assert seen.files["pool.live"] == image.manifest.files["code.pool"]
        assert plan(seen, image).way == NOTHING
        assert ours(board.files()) == {**files, **SAVES}


def test_a_copy_that_is_broken_or_of_another_pool_is_made_good(tmp_path, small):
    image = small("1", files={**small_files("1"), "code.pool": pool_of(b"GGcpone!")})
    good = started(image.contents)["pool.live"]
    other = copy_of(pool_of(b"GGcptwo!"))
    for number, live in enumerate((good[:-1], good[:9000] + b"?" + good[9001:], other)):
        with FakeBoard(tmp_path / str(number), {**started(image.contents), "pool.live": live, **SAVES}) as board:
            with one(None, [board.port]).repl(end_race=True) as repl:
                assert plan(device_sync.look_by_repl(repl), image).send == ["code.pool", manifest.NAME]
                device_sync.send_by_repl(repl, plan(device_sync.look_by_repl(repl), image))
            assert ours(board.files()) == {**image.contents, **SAVES}


def test_the_copy_goes_first_only_where_the_pool_it_was_made_of_is_there_too(whole):
    old, new = (small_image(fw, files=full_files(whole, fw)) for fw in "12")
    files = {**old.manifest.files, "pool.live": old.manifest.files["code.pool"], manifest.NAME: ("", 9000)}
    seen = Seen(dict(files), old.manifest, free_bytes=1_000_000)
    made = plan(seen, new)
    assert made.first_remove == ["pool.live"] and made.remove == []
    del files["code.pool"]
    one_pool = plan(replace(seen, files=dict(files)), new)
    assert one_pool.first_remove == [] and "code.pool" in one_pool.send and one_pool.archive == made.archive
    assert one_pool.blocks == made.blocks + sync_plan.blocks_of(len(whole["code.pool"]))
    files["pool.live.new"] = ("", 4000)  # a copy that was cut short
    assert plan(replace(seen, files=files), new).first_remove == ["pool.live.new"]
    without = small_image("2", files={name: data for name, data in full_files(whole, "2").items() if name != "code.pool"})
    assert plan(replace(seen, files=files), without).remove == ["pool.live"]
    assert plan(seen, without).remove == ["code.pool"]


def test_unplugged_in_the_middle_it_goes_on_where_it_stopped(tmp_path, whole, small):
    board, new = full_board(tmp_path / "board", whole, small, unplug_at=190_000)
    with board:
        with pytest.raises(GridglowError):
            do_sync(board)
        board.power_cut()
        board.wait_started()
        assert which(board) == "1" and len(board.files()[archive.NAME]) > 80_000
        came = board.came
        result = do_sync(board)
        assert which(board) == "2" and left(board) == {**new.contents, **SAVES}
        assert result.plan.came > 80_000 and result.plan.archive[:result.plan.came]
        assert board.came - came < 1.45 * (len(result.plan.archive) - result.plan.came) + 40_000


@pytest.mark.parametrize("spoil", [lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], lambda data: b"?" * 900,
                                   lambda data: data + b"more"])
def test_a_part_that_is_not_the_archive_s_begins_anew(tmp_path, small, spoil):
    old = small("1").contents
    new = small("2", files={**small_files("2"), "text/de.pack": random.Random(1).randbytes(9000)})
    part = spoil(archive.pack(plan(seen_with(small_image("1")), new).send[:-1], new.contents))
    left_over = {archive.NAME: part, "new/glow/app.mpy": b"left by an older host"}
    with FakeBoard(tmp_path / "board", {**old, **SAVES, **left_over}) as board:
        assert do_sync(board).plan.came == 0
        assert which(board) == "2" and ours(board.files()) == {**new.contents, **SAVES}


def test_a_bit_that_flips_on_the_way_is_found_before_anything_is_changed(tmp_path, small, monkeypatch):
    old = small("1").contents
    new = small("2")
    real = Repl.put

    def put(self, path, data, *args, **named):
        if path == archive.NAME:
            data = data[:700] + bytes([data[700] ^ 8]) + data[701:]
        real(self, path, data, *args, **named)

    with FakeBoard(tmp_path / "board", {**old, **SAVES}) as board:
        monkeypatch.setattr(Repl, "put", put)
        with pytest.raises(GridglowError, match="new/set came broken .* nothing was installed"):
            do_sync(board)
        monkeypatch.setattr(Repl, "put", real)
        board.power_cut()
        board.wait_started()
        assert which(board) == "1"
        assert do_sync(board).plan.came == 0 and ours(board.files()) == {**new.contents, **SAVES}


def test_a_flash_that_fills_up_keeps_the_old_set(tmp_path, whole, small):
    board, new = full_board(tmp_path / "board", whole, small, full_at=60)
    with board, pytest.raises(DiskFull, match="flash .* is full"):
        do_sync(board)
    with FakeBoard(tmp_path / "board", heap_kb=1600) as board:
        assert which(board) == "1"
        do_sync(board)
        assert which(board) == "2" and left(board) == {**new.contents, **SAVES}


def test_power_cut_while_it_is_installed(tmp_path, whole, small):
    """At moments of the installation, through boot.py; every write of one is cut in test_install."""
    board, new = full_board(tmp_path / "board", whole, small)
    made = plan(seen_with(small_image("1", files=full_files(whole, "1"))), new)
    ready = {archive.NAME: made.archive, manifest.NEW + manifest.NAME: new.contents[manifest.NAME],
             manifest.READY: f"{new.manifest.crc} {manifest.crc_of(made.archive)}".encode()}
    old = small_image("1", files=full_files(whole, "1"))
    for writes in (3, 30, 110, 200):
        board.write_flash({**old.contents, **SAVES, **ready})
        board.full_at = writes  # as good as a cut: nothing is written from there on
        board.start()
        until_said(board, b"Installing has stopped: OSError")
        board.stop()
        board.full_at = 0
        board.start()
        try:
            until_running(board)
            assert left(board) == {**new.contents, **SAVES}, writes
        finally:
            board.stop()


def until_said(board, words):
    for _ in range(200):
        if words in board.said:
            board.said = b""
            return
        time.sleep(0.05)
    raise AssertionError(board.said[-500:])


def until_running(board):
    for _ in range(20):
        if which(board) == "2":
            return
    raise AssertionError(board.said[-500:])


def test_a_board_without_deflate_gets_it_as_it_is(tmp_path, small):
    old, new = small_image("1"), small("2")
    seen = seen_with(old)
    packed, stored = plan(seen, new), plan(replace(seen, deflate=False), new)
    assert stored.archive.startswith(b"gridglow set 1 stored\n") and packed.archive.startswith(b"gridglow set 1 deflate ")
    assert len(stored.archive) > len(packed.archive) and plan(seen, new).archive == packed.archive
    files = {archive.NAME: stored.archive, manifest.NEW + manifest.NAME: new.contents[manifest.NAME],
             manifest.READY: f"{new.manifest.crc} {manifest.crc_of(stored.archive)}"}
    with FakeBoard(tmp_path / "board", {**old.contents, **files}) as board:
        until_running(board)
        assert ours(board.files()) == new.contents


# The room for it

def blocks_script(micropython, *words, told=""):
    ran = subprocess.run([micropython, "-X", "heapsize=32m", str(HERE / "flash_blocks.py"), *words], text=True, check=True,
                         input=told, capture_output=True, env={"MICROPYPATH": str(HERE.parent / "firmware")})
    return [int(word) for word in ran.stdout.split()]


def real_blocks(micropython, sets):
    return blocks_script(micropython, told=json.dumps([list(one.items()) for one in sets]) + "\n")


def test_counted_blocks_are_those_that_micropython_counts_or_a_few_more(micropython, whole):
    real = {name: len(data) for name, data in whole.items()}
    rng = random.Random(7)
    sets = [real, dict(sorted(real.items(), reverse=True)), {name: size for name, size in real.items() if size <= 512}]
    for _ in range(25):
        sizes = rng.choice([lambda: rng.randrange(200, 513), lambda: rng.randrange(60), lambda: rng.randrange(3000, 9000),
                            lambda: rng.choice([rng.randrange(600), rng.randrange(12000)])])
        sets.append({f"{rng.choice(['a', 'b/c', 'd', 'glow/deep/er'])}/file-{rng.randrange(1000)}": sizes()
                     for _ in range(rng.randrange(1, 140))})
    for sizes, used in zip(sets, real_blocks(micropython, sets)):
        assert used <= blocks_for(sizes) <= used * 1.5 + 8
    assert blocks_for(real) <= real_blocks(micropython, [real])[0] * 1.08


def test_a_folder_takes_two_blocks_less_than_micropython_tells(micropython):
    told, given = blocks_script(micropython, "fill")
    assert 20 * (sync_plan.FOLDER_BLOCKS - sync_plan.TRUE_FOLDER_BLOCKS) - 2 <= given - told <= 40


def test_all_games_and_tracks_fit_with_the_copy_of_the_code_and_saves(micropython, whole):
    """On a board `full`, whose tracks are the most: whatever is added to an image must leave room for these."""
    assert {f"{game}.code" for game in all_games.NAMES} <= set(whole)
    assert {f"tracks/{source.id}.pack" for source in list_tracks()} <= set(whole)
    used, = real_blocks(micropython, [{name: len(data) for name, data in whole.items()}])
    copy = sync_plan.blocks_of(len(whole["code.pool"]))
    assert used + max(copy + sync_plan.INSTALL_RESERVE_BLOCKS, sync_plan.RESERVE_BLOCKS) <= 350


def test_everything_fits_on_a_bare_board(whole):
    new = small_image("1", files=whole)
    made = plan(Seen({}, None, free_bytes=4096 * 350), new)
    assert made.blocks + sync_plan.INSTALL_RESERVE_BLOCKS <= made.free_blocks == 350


@pytest.mark.parametrize("kept", ["live", "both"])
@pytest.mark.parametrize("change", [
    lambda old, new: new,
    lambda old, new: {name: data for name, data in new.items() if not name.startswith("tracks/")},
    lambda old, new: {**old, "code.pool": new["code.pool"]},
    lambda old, new: {**old, "glow/app.mpy": b"app" * 9000, "boot.py": old["boot.py"] * 5, "glow/a/b/c.mpy": b"x" * 500},
])
def test_the_worst_moment_is_foreseen(tmp_path, micropython, whole, change, kept):
    """The plan asks for as many blocks as an installation takes on a real littlefs at its worst moment, or a few more."""
    old = small_image("1", files=full_files(whole, "1"))
    new = small_image("2", files=change(old.contents, full_files(whole, "2")))
    there = started(old.contents, kept)
    files = {name: old.manifest.files.get(name, ("", len(data))) for name, data in there.items()}
    files["pool.live"] = old.manifest.files["code.pool"]
    made = plan(replace(seen_with(old), files=files), new)
    text = made.image.contents[manifest.NAME]
    ready = f"{made.image.manifest.crc} {manifest.crc_of(made.archive)}".encode()
    waiting = {"set": made.archive, "manifest.txt": text, "ready": ready}
    for folder, files in (("old", there), ("new", waiting)):
        for name, data in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    before, most, end = blocks_script(micropython, str(tmp_path / "old"), str(tmp_path / "new"), " ".join(made.first_remove))
    saves = sync_plan.RESERVE_BLOCKS - sync_plan.INSTALL_RESERVE_BLOCKS
    assert most - before <= made.blocks <= max(most - before, end - before + saves) + 8
