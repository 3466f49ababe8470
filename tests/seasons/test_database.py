"""The file of the seasons: intact after a power cut, and careful with what it doesn't know."""

import sqlite3
from dataclasses import replace

import pytest

from gridglow import paths
from gridglow.seasons import database as kept_in
from gridglow.seasons.database import FILE, KeptRace, opened
from shared_rules.errors import GridglowError
from shared_rules.season import Season

CARS = [[1, 1, "moto_grand_prix.bike_blue_1", "blue"], [2, 2, "moto_grand_prix.bike_yellow_1", "yellow"]]
RACE = KeptRace(1, "c" * 64, 6, 40, CARS, [[1, 1, 1, 25], [2, 2, 2, 20]], "0a1b2c3d", "journal\n", "2026-02-03")


@pytest.fixture(autouse=True)
def file(tmp_path):
    paths.choose_data_folder(tmp_path)
    yield tmp_path / FILE
    paths.choose_data_folder(None)


def season(name="Winter", word="7f3a91c2"):
    return Season.from_plain({"id": word, "name": name, "game": "moto_grand_prix", "variant": "basic", "options": [],
                              "players": [["person", "Zoë"], ["bot", "B"]], "tracks": ["gp-ring", "april-raceway"]})


def begun(one=None):
    one = one or season()
    with opened(write=True) as database:
        database.begin(one, "2026-02-01")
    return one


def test_a_season_comes_back_with_its_races(file):
    begun()
    with opened(write=True) as database:
        one = database.find("winter").season
        one.add(CARS, RACE.standings, RACE.digest)
        database.take(one, RACE)
    with opened() as database:
        found = database.find("7F3A91C2")
        assert found.season.plain() == one.plain() and found.races == [RACE] and found.begun == "2026-02-01"
        assert found.season.players[0][1] == "Zoë" and found.season.round == 2
        assert database.where(RACE.content) == ("Winter", 1) and database.where("d") is None
        assert database.find("x") is None
    assert file.exists()


def test_without_a_season_no_file_is_made(file):
    with opened() as database:
        assert database.all() == []
    assert not file.exists()


def test_what_ends_in_an_error_has_never_been(file):
    begun()
    with pytest.raises(RuntimeError), opened(write=True) as database:
        database.begin(season("Summer", "00000001"), "2026-02-02")
        raise RuntimeError("the power is cut")
    with opened() as database:
        assert [one.season.name for one in database.all()] == ["Winter"]


def test_a_race_is_there_once():
    one = begun()
    with opened(write=True) as database:
        database.take(one, RACE)
    with pytest.raises(GridglowError), opened(write=True) as database:
        database.take(one, replace(RACE, number=2))
    with pytest.raises(GridglowError), opened(write=True) as database:
        database.take(one, replace(RACE, content="d"))


def test_a_newer_form_is_refused_and_left_alone(file):
    begun()
    with sqlite3.connect(file) as raw:
        raw.execute("PRAGMA user_version = 2")
    before = file.read_bytes()
    for write in (False, True):
        with pytest.raises(GridglowError, match=r"has format 2, but this gridglow reads formats up to 1; use the newer"), \
                opened(write=write):
            pass
    assert file.read_bytes() == before


def test_an_older_form_is_brought_up_to_date_with_what_is_in_it(file, monkeypatch):
    begun()
    monkeypatch.setattr(kept_in, "MIGRATIONS", (*kept_in.MIGRATIONS, "ALTER TABLE season ADD COLUMN place TEXT"))
    with opened() as database:
        assert [one.season.name for one in database.all()] == ["Winter"]
    with sqlite3.connect(file) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (2,)
        assert raw.execute("SELECT place FROM season").fetchall() == [(None,)]


def test_a_step_that_fails_leaves_the_older_form(file, monkeypatch):
    begun()
    monkeypatch.setattr(kept_in, "MIGRATIONS", (*kept_in.MIGRATIONS, "ALTER TABLE race ADD COLUMN day; SELECT nonsense"))
    with pytest.raises(GridglowError, match="can't be read as Gridglow's seasons"), opened():
        pass
    monkeypatch.undo()
    paths.choose_data_folder(file.parent)
    with opened() as database:
        assert len(database.all()) == 1


def test_another_program_s_database_is_left_alone(file):
    with sqlite3.connect(file) as raw:
        raw.execute("CREATE TABLE recipes (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(GridglowError, match="is another program's database"), opened(write=True):
        pass
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_told(file):
    file.write_bytes(b"This is a shopping list, and a long one too." * 40)
    with pytest.raises(GridglowError, match="can't be read as Gridglow's seasons"), opened():
        pass


def test_a_season_that_can_t_be_read_is_told(file):
    begun()
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE season SET head = replace(head, 'gp-ring', '../x')")
    with pytest.raises(GridglowError, match="holds a season that can't be read .*tracks"), opened() as database:
        database.all()


def test_two_at_a_time_wait_for_each_other_and_say_so(file, monkeypatch):
    begun()
    monkeypatch.setattr(kept_in, "WAIT_S", 0.05)
    with opened(write=True), pytest.raises(GridglowError, match="Another gridglow is using the seasons"), opened(write=True):
        pass


def test_a_folder_that_can_t_be_made_is_told(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(GridglowError, match="Expected a folder with --data, .*taken is a file"):
        paths.choose_data_folder(tmp_path / "taken")
    paths.choose_data_folder(tmp_path / "taken" / "data")
    with pytest.raises(GridglowError, match="can't be opened"), opened(write=True):
        pass


def test_a_file_whose_own_words_are_damaged_is_told_of(file):
    """SQLite repeats what it couldn't read, which may not be text."""
    begun()
    file.write_bytes(file.read_bytes().replace(b"INTEGER NOT NULL", b"\x80NTEGER NOT NULL", 1))
    with pytest.raises(GridglowError, match="can't be read as Gridglow's seasons"), opened():
        pass
