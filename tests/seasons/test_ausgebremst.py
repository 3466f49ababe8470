"""Seasons of Ausgebremst (AB-01, AB-06 to AB-10, AB-39, AB-42): eight races of bots by the command, and on a board."""

import json

import pytest
import season_evening as evening
from golden_frames.board_root import board_root
from season_flash import journals, kept
from season_races import count, journal_of

from gridglow.seasons.adding import checked, named
from gridglow.seasons.database import opened
from gridglow.seasons.tables import Tables, Words
from shared_rules.games.ausgebremst.season import Season as Rules

POINTS = (9, 6, 4, 3, 2, 1)
EIGHT = ["bleifuss-drom", "plattfuss-circuit", "nuerburg-ring", "bleifuss-circuit", "nuerburg-drom", "plattfuss-ring",
         "nuerburg-circuit", "plattfuss-drom"]


def test_the_rules_of_the_championship():
    assert Rules.POINTS == POINTS and Rules.GRID and Rules.TIES == ("wins", "last")


def test_a_whole_season_by_the_command(call, tmp_path):
    """Every race is set up by the season, raced by the board's firmware, verified, and counted in another way at the end."""
    code, out, err = call("season", "new", "Winter", "--game", "ausgebremst", "--bots", "4", "--json")
    assert code == 0 and json.loads(out)["tracks"] == EIGHT                        # AB-06: this order
    for number in range(1, 9):
        code, _, err = call("play", "--season", "Winter", "--headless", "--engine", "cpython", "--journal", f"{number}.txt")
        assert code == 0, err
        code, _, err = call("season", "add", f"{number}.txt")
        assert code == 0, err
    texts = [(tmp_path / f"{number}.txt").read_text("utf-8") for number in range(1, 9)]
    table = count(texts, POINTS, "wins", grids=True)
    code, out, _ = call("season", "show", "--json")
    shown = json.loads(out)
    assert shown["over"] and [(row["points"], row["wins"], row["seat"]) for row in shown["standings"]] \
        == [(points, wins, who[0]) for points, wins, who in table]
    assert sum(points for points, _, _ in table) <= 8 * sum(POINTS)
    code, _, err = call("season", "add", "8.txt")
    assert code == 1 and "already counts" in err
    code, _, err = call("play", "--season", "Winter", "--headless", "--journal", "9.txt")
    assert code == 1 and "All 8 races of the season Winter have been raced" in err


@pytest.mark.parametrize("variant, bots, tracks", [("pro", 3, ("plattfuss-drom", "bleifuss-drom", "nuerburg-ring")),
                                                   ("family", 6, ("nuerburg-circuit", "nuerburg-drom"))])
def test_any_subset_of_tracks_in_any_order(call, variant, bots, tracks):
    words = [word for track in tracks for word in ("--track", track)]
    assert call("season", "new", "Short", "--game", "ausgebremst", "--variant", variant, "--bots", str(bots), *words)[0] == 0
    texts = []
    for _ in tracks:
        with opened(write=True) as database:
            one = named(database, "short")
            texts.append(journal_of(one.season, variant))
            database.take(one.season, checked(database, one, texts[-1], ["cpython"]))
    table = count(texts, POINTS, "wins", grids=True)
    with opened() as database:
        shown = Tables(named(database, "short"), Words())
    assert [(row.points, row.seat) for row in shown.riders] == [(points, who[0]) for points, _, who in table]
    assert shown.teams == [] and len(shown.champions()) >= 1


def test_the_wrong_grid_is_refused(call, tmp_path):
    assert call("season", "new", "Winter", "--game", "ausgebremst", "--bots", "3")[0] == 0
    with opened(write=True) as database:
        one = named(database, "winter")
        database.take(one.season, checked(database, one, journal_of(one.season), ["cpython"]))
        season = one.season
    plain = season.next_setup()
    good = list(plain["grid"])
    assert good[:3] == [4, 5, 6] and sorted(good[3:]) == [1, 2, 3]
    for grid in (good[:3] + good[4:] + good[3:4], None):
        other = {key: value for key, value in plain.items() if key != "grid"} | ({"grid": grid} if grid else {})
        fake = type("Other", (), {"round": 2, "next_setup": lambda self, other=other: other})()
        (tmp_path / "j.txt").write_text(journal_of(fake), encoding="utf-8")
        code, _, err = call("season", "add", "j.txt")
        assert code == 1 and f"Expected the grid {' '.join(map(str, good))}, got " in err
        (tmp_path / "j.txt").unlink()


def test_on_a_board_the_next_race_starts_as_the_last_one_ended(tmp_path):
    root = str(board_root(tmp_path / "board", game="ausgebremst"))
    driver = evening.board(root)
    evening.menu(driver)._take_game("ausgebremst")
    evening.begin(driver, ("plattfuss-ring", "bleifuss-drom"), bots=4)
    evening.race(driver)
    first = driver.app.race
    assert first.setup.grid == [] and first.setup.laps == 3
    below = driver.app.screen.rows[driver.app.screen.rows.index("Season after 1 of 2") + 1:]
    assert len(below) == 4                                                         # nobody's cars have no line
    evening.race(driver)
    assert driver.app.race.setup.grid == [5, 6] + [row[1] for row in first.standings() if row[0]]
    texts = [open(f"{root}/save/{name}", encoding="utf-8").read() for name in journals(root)]
    table = count(texts, POINTS, "wins", grids=True)
    evening.choose(driver, evening.open_season(driver), ("standings", 0))
    shown = [line.split() for line in driver.hal.display.shown[1:5]]
    assert [int(words[-1]) for words in shown] == [points for points, _, _ in table]
    assert kept(root).over and not driver.app.faults
