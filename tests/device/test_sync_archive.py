"""Updating a board that is nearly full: its changed files wait as one archive beside the old ones."""

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from fake_board import FakeBoard
from fake_program import frozen
from small_board import small_data
from small_sync import NEW, OLD, SAVES, do_sync, name_of, ours, program, seen_with, small

from gridglow.boards.boardfile import load_board
from gridglow.device import archive, manifest, sync_plan
from gridglow.device.board_data import board_data
from gridglow.device.repl import Repl
from gridglow.device.sync import frozen_list
from gridglow.device.sync_plan import Seen, blocks_for, plan
from shared_rules.errors import GridglowError

__all__ = ["program", "small"]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def whole():
    """Everything on a `full` board besides its program, when nothing is left out."""
    made = board_data(load_board("full"), frozen_list(frozen().data["modules.txt"].decode()), "1")
    return {name: data for name, data in made.contents.items() if name != manifest.NAME}


def large(number):
    """A large set of data; each number gives different files."""
    files = {f"tracks/{name}.pack": random.Random(f"{name} {number}").randbytes(9000) for name in ("a", "b", "c", "d", "e")}
    return {**NEW, **files, "board.json": b'{"id":"mini","name":"%d"}' % number}


def test_unplugged_in_the_middle_it_goes_on_where_it_stopped(tmp_path, small, program):
    old, new = small(large(1)), small(large(2))
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES}, unplug_at=50_000, program=program) as board:
        with pytest.raises(GridglowError):
            do_sync(board)
        board.power_cut()
        board.wait_started()
        assert name_of(board) == "1" and len(board.files()[archive.NAME]) > 16_000
        came = board.came
        result = do_sync(board)
        assert name_of(board) == "2" and ours(board.files()) == {**new.contents, **SAVES}
        assert result.plan.came > 16_000
        assert board.came - came < 1.45 * (len(result.plan.archive) - result.plan.came) + 40_000


@pytest.mark.parametrize("spoil", [lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], lambda data: b"?" * 900,
                                   lambda data: data + b"more"])
def test_a_part_that_is_not_the_archive_s_begins_anew(tmp_path, small, program, spoil):
    old = small(OLD)
    new = small({**NEW, "text/de.pack": random.Random(1).randbytes(9000)})
    part = spoil(archive.pack(plan(seen_with(old), new).send[:-1], new.contents))
    left_over = {archive.NAME: part, "new/tracks/x.pack": b"left by another host"}
    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES, **left_over}, program=program) as board:
        assert do_sync(board).plan.came == 0
        assert name_of(board) == "New" and ours(board.files()) == {**new.contents, **SAVES}


def test_a_bit_that_flips_on_the_way_is_found_before_anything_is_changed(tmp_path, small, program, monkeypatch):
    old, new = small(OLD), small()
    real = Repl.put

    def put(self, path, data, *args, **named):
        if path == archive.NAME:
            data = data[:60] + bytes([data[60] ^ 8]) + data[61:]
        real(self, path, data, *args, **named)

    with FakeBoard(tmp_path / "board", {**old.contents, **SAVES}, program=program) as board:
        monkeypatch.setattr(Repl, "put", put)
        with pytest.raises(GridglowError, match="new/set arrived damaged .* nothing was installed"):
            do_sync(board)
        monkeypatch.setattr(Repl, "put", real)
        board.power_cut()
        board.wait_started()
        assert name_of(board) == "Old"
        assert do_sync(board).plan.came == 0 and ours(board.files()) == {**new.contents, **SAVES}


def test_power_cut_while_it_is_installed(tmp_path, small, program):
    """At moments during the installation, through boot.py; test_install cuts at every write of one."""
    old, new = small(large(1)), small(large(2))
    made = plan(seen_with(old), new)
    ready = {archive.NAME: made.archive, manifest.NEW + manifest.NAME: new.contents[manifest.NAME],
             manifest.READY: f"{new.manifest.crc} {manifest.crc_of(made.archive)}".encode()}
    board = FakeBoard(tmp_path / "board", {}, program=program)
    for writes in (3, 30, 60):
        board.write_flash({**old.contents, **SAVES, **ready})
        board.full_at = writes                     # as good as a power cut: nothing more is written
        with board:
            name_of(board)
            assert b"The installation stopped: OSError" in board.said
        board.full_at = 0
        with board:
            assert name_of(board) == "2" and ours(board.files()) == {**new.contents, **SAVES}, writes


def test_a_board_without_deflate_gets_it_as_it_is(small):
    old, new = small_data(OLD), small_data()
    seen = seen_with(old)
    packed, stored = plan(seen, new), plan(replace(seen, deflate=False), new)
    assert stored.archive.startswith(b"gridglow set 1 stored\n") and packed.archive.startswith(b"gridglow set 1 deflate ")
    assert len(stored.archive) > len(packed.archive) and plan(seen, new).archive == packed.archive


# Enough room for it

def blocks_script(micropython, *words, told=""):
    ran = subprocess.run([micropython, "-X", "heapsize=32m", str(ROOT / "tests/help/children/flash_blocks.py"), *words],
                         text=True, check=True, input=told, capture_output=True, env={"MICROPYPATH": str(ROOT / "firmware")})
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
    assert blocks_for(real) <= real_blocks(micropython, [real])[0] * 1.3 + 4


def test_a_folder_takes_two_blocks_less_than_micropython_tells(micropython):
    told, given = blocks_script(micropython, "fill")
    assert 20 * (sync_plan.FOLDER_BLOCKS - sync_plan.TRUE_FOLDER_BLOCKS) - 2 <= given - told <= 40


def test_all_of_a_full_board_fits_beside_its_saves_in_the_file_system_of_a_program(whole):
    """A `full` board has the most tracks: there are 192 blocks, and half of them are kept for saves and own tracks."""
    made = plan(Seen({}, None, free_bytes=4096 * 190), small_data(whole))
    assert made.blocks + sync_plan.INSTALL_RESERVE_BLOCKS <= made.free_blocks // 2


@pytest.mark.parametrize("change", [
    lambda old, new: new,
    lambda old, new: {name: data for name, data in new.items() if not name.startswith("tracks/")},
    lambda old, new: {**old, "code/glow/board/idle.mpy": b"app" * 9000, "code/a/b/c.mpy": b"x" * 500, "code/for.txt": b"1"},
])
def test_the_worst_moment_is_foreseen(tmp_path, micropython, whole, change):
    """The plan asks for as many blocks as an installation takes on a real littlefs at its worst moment, or a few more."""
    old = small_data({**whole, **large(1)})
    new = small_data(change({**whole, **large(1)}, {**whole, **large(2)}))
    made = plan(seen_with(old), new)
    if made.way != sync_plan.REPL:
        made = plan(replace(seen_with(old), over_link=False), new)
    text = made.data.contents[manifest.NAME]
    ready = f"{made.data.manifest.crc} {manifest.crc_of(made.archive)}".encode()
    waiting = {"set": made.archive, "manifest.txt": text, "ready": ready}
    for folder, files in (("old", old.contents), ("new", waiting)):
        for name, data in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    before, most, end = blocks_script(micropython, str(tmp_path / "old"), str(tmp_path / "new"))
    saves = sync_plan.RESERVE_BLOCKS - sync_plan.INSTALL_RESERVE_BLOCKS
    assert most - before <= made.blocks <= max(most - before, end - before + saves) + 12
