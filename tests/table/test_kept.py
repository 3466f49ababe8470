"""What a flash keeps: which saves belong to the board as it is now."""

from pathlib import Path

import pytest
import saves_kept

from gridglow.device.backup import Kept
from gridglow.device.kept import lay_aside, put_back, rules_of
from gridglow.device.manifest import crc_of

RACE = {"save/race.log": b"race", "save/race.a": b"snapshot"}
KEPT = {**RACE, "save/settings": b"settings", "save/cards": b"cards"}


def back(there, newest=True, kept=KEPT):
    done = put_back(Kept(Path("x.zip"), kept), {name: crc_of(data) for name, data in there.items()}, newest)
    return done.files, done.left


def test_a_new_file_system_gets_all_of_it():
    assert back({}) == (KEPT, False)
    assert back({"save/settings": b"of a first start"}) == (KEPT, False)


def test_saves_that_are_still_there_are_left_alone():
    assert back(KEPT) == ({}, False)
    assert back({**KEPT, "save/cards": b"half"}) == ({"save/cards": b"cards"}, False)


@pytest.mark.parametrize("newest", [True, False])
def test_another_race_that_was_raced_meanwhile_stays(newest):
    there = {"save/race.log": b"another", "save/settings": b"its settings"}
    assert back(there, newest) == ({"save/cards": b"cards"}, True)
    no_race = {name: data for name, data in KEPT.items() if name not in RACE}
    assert back(there, newest, no_race) == ({"save/cards": b"cards"}, False)


def test_of_an_older_file_what_the_board_lacks():
    assert back({"save/settings": b"newer"}, False) == ({**RACE, "save/cards": b"cards"}, False)
    assert back(KEPT | {"save/settings": b"newer"}, False) == ({}, False)


@pytest.mark.parametrize("folder", sorted(saves_kept.FOLDER.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_rules_version_of_a_saved_race(folder):
    files = {f"save/{path.name}": path.read_bytes() for path in folder.iterdir()}
    version = int(folder.parent.name.split(".")[2])
    assert rules_of(files) == version
    files.pop("save/race.log")
    assert rules_of(files) == version              # according to its snapshot
    assert rules_of({"save/settings": b"rules: 9"}) == rules_of({}) == 0


def test_a_file_that_is_laid_aside_keeps_its_name(tmp_path):
    (tmp_path / "Kitchen-2026.flash.zip").write_bytes(b"x")
    assert lay_aside(Kept(tmp_path / "Kitchen-2026.flash.zip", {})) == tmp_path / "Kitchen-2026.zip"
    assert [path.name for path in tmp_path.iterdir()] == ["Kitchen-2026.zip"]
