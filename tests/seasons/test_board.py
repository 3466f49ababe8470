"""The season on a board: chosen, raced and shown with keys alone, and kept through every power cut."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import season_evening as evening
from app_talk import AppTalk
from season_flash import journals, kept

from gridglow.firmware.compiler import compile_mpy
from gridglow.races.replays import replay
from gridglow.tracks import list_tracks
from shared_rules.season import Season

ROOT = Path(__file__).resolve().parents[2]


def row(driver, words):
    return [line for line in driver.hal.display.shown if words in line][0]


def test_tracks_are_chosen_in_the_order_of_the_races(root_of):
    driver = evening.board(root_of())
    evening.bots_sit(driver, 3)
    rows = evening.open_season(driver)
    ids = [entry["id"] for entry in rows.tracks]
    assert rows.rows == [("all", 0)] + [("track", at) for at in range(len(ids))] + [("begin", 0)]
    for track in ("gp-ring", "supercircus-raceway", "fabulous-driving-park"):
        evening.choose(driver, rows, ("track", ids.index(track)))
    evening.choose(driver, rows, ("track", ids.index("supercircus-raceway")))      # out again
    assert row(driver, "Tracks").endswith("2") and row(driver, "SuperCircus").rstrip().endswith("Raceway")
    evening.go_to(driver, rows, ("track", ids.index("gp-ring")))
    assert row(driver, "GP Ring").endswith(" 1") and row(driver, "Fabulous").endswith(" 2")
    evening.choose(driver, rows, ("begin", 0))
    season = kept(driver.hal.flash)
    assert season.tracks == ["gp-ring", "fabulous-driving-park"] and season.results == []
    assert season.players == [["bot", "Bot 1"], ["bot", "Bot 2"], ["bot", "Bot 3"]] and len(season.id) == 8
    assert evening.says(driver, "Season 0/2") and evening.says(driver, "Start 1 GP Ring")


def test_all_tracks_at_once_and_none(root_of):
    driver = evening.board(root_of())
    rows = evening.open_season(driver)
    evening.choose(driver, rows, ("all", 0))
    assert rows.order == list(range(len(rows.tracks))) and len(rows.tracks) >= 13
    driver.press(1, "OK")
    assert rows.order == []
    evening.choose(driver, rows, ("begin", 0))
    assert evening.says(driver, "Choose the tracks first") and not os.path.exists(driver.hal.flash + "/save/season")
    driver.press(1, "OK")
    driver.press(1, "UNDO")
    assert driver.app.state == "menu" and driver.app.screen.season is None and evening.says(driver, "New race")


def test_a_track_that_the_variant_cant_be_raced_on_is_told(root_of):
    driver = evening.board(root_of())
    evening.begin(driver, ("gp-ring", "april-raceway"))                            # Standard, and Basic is chosen
    assert evening.says(driver, "can't be played") and evening.says(driver, "april-raceway")
    assert not os.path.exists(driver.hal.flash + "/save/season")


def test_a_game_without_a_championship_says_so(root_of):
    driver = evening.board(root_of())
    screen = evening.menu(driver)
    screen._take_game("full_throttle")
    evening.choose(driver, screen, ("season", 0))
    assert evening.says(driver, "Full Throttle! has no championship.")


def test_a_whole_season_without_a_computer(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver, bots=3)
    points = {1: 0, 2: 0, 3: 0}
    for number in (1, 2):
        evening.race(driver)
        race = driver.app.race
        assert race.setup.season == f"{kept(root).id}/{number}"
        for seat, _, _, got in race.standings():
            points[seat] += got
        shown = driver.app.screen.rows
        assert f"Season after {number} of 2" in shown
        below = shown[shown.index(f"Season after {number} of 2") + 1:]
        best = sorted(points.items(), key=lambda pair: (-pair[1], pair[0]))
        assert [line.split() for line in below][0][-1] == str(best[0][1])
        assert sorted(int(line.split()[-1]) for line in below) == sorted(points.values())
        assert journals(root)[-1] == f"season-{kept(root).id}-{number}"
        with open(f"{root}/save/{journals(root)[-1]}", encoding="utf-8") as file:
            played = replay(file.read(), ["cpython"])
        assert played.problems == [] and played.best["over"] and played.best["digest"] == race.digest()
        driver.press(1, "OK")
    season = kept(root)
    assert season.over and [result[1] for result in season.results] != ["", ""]
    rows = evening.open_season(driver)
    assert ("race", 0) not in rows.rows
    evening.choose(driver, rows, ("standings", 0))
    assert [int(line.split()[-1]) for line in driver.hal.display.shown[1:4]] == sorted(points.values(), reverse=True)
    assert not driver.hal.errors and not driver.app.faults


def test_two_bikes_each_are_named_and_the_teams_stand_below(root_of):
    driver = evening.board(root_of())
    evening.menu(driver).choice["options"][0][1] = "2"
    evening.begin(driver, ("fabulous-driving-park",))
    evening.race(driver)
    below = driver.app.screen.rows[driver.app.screen.rows.index("Season after 1 of 1") + 1:]
    assert len(below) == 6 and sum("team" in line for line in below) == 2
    assert [line.split()[-1] for line in below[:4]] == ["25", "20", "16", "13"]
    assert all(word in " ".join(below) for word in ("Blue 1", "Blue 2", "Yellow 1", "Yellow 2"))


def test_the_next_evening_goes_on_where_the_last_one_ended(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    evening.race(driver)
    driver = evening.board(root)                                                   # weeks later
    screen = evening.menu(driver)
    assert screen.rows[0] == ("season", 0)
    rows = evening.open_season(driver)
    assert evening.says(driver, "Season 1/2") and evening.says(driver, "Start 2 GP Ring")
    evening.race(driver)
    assert kept(root).over and len(journals(root)) == 2 and rows


def test_a_race_that_the_power_cut_goes_on_and_counts_once(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    rows = evening.open_season(driver)
    evening.choose(driver, rows, ("race", 0))
    assert driver.until(lambda: driver.app.race and driver.app.race.lines > 40)
    driver = evening.board(root)
    assert driver.app.resume_race() == ""
    evening.to_podium(driver)
    assert len(kept(root).results) == 1 and len(journals(root)) == 1


@pytest.mark.parametrize("gone", ["open", "season", "journal"])
def test_a_power_cut_at_the_podium_neither_loses_nor_doubles_the_race(root_of, gone):
    """The race is over; the writes that follow are undone one by one, as if power had failed before them."""
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    head = open(root + "/save/season", "rb").read()
    evening.race(driver)
    after = kept(root).plain()
    os.remove(f"{root}/save/{journals(root)[0]}")                                  # the journal comes last
    driver = evening.board(root)
    if gone != "journal":
        driver.app.settings.put("open", 1)                                         # before it, that the race is over
        if gone == "season":
            with open(root + "/save/season", "wb") as file:                        # before that, the season
                file.write(head)
        driver = evening.board(root)
        assert driver.app.resume_race() == "" and driver.app.state == "podium"
        driver.run(1000)
        driver.press(1, "OK")
        assert driver.app.state == "idle" and len(journals(root)) == 1
    assert kept(root).plain() == after
    evening.race(driver)                                                           # before it, the journal is completed
    assert len(journals(root)) == 2 and len(kept(root).results) == 2
    for name in journals(root):
        assert replay(open(f"{root}/save/{name}", encoding="utf-8").read(), ["cpython"]).problems == []


def test_another_race_in_between_counts_for_nothing(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    before = kept(root).plain()
    screen = evening.menu(driver)
    driver.press(1, "UNDO")
    evening.choose(driver, screen, ("start", 0))
    evening.to_podium(driver)
    assert driver.app.race.setup.season == "" and kept(root).plain() == before and journals(root) == []
    assert not any("Season" in line for line in driver.app.screen.rows)


def test_a_season_is_ended_by_pressing_twice(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    evening.race(driver)
    rows = evening.open_season(driver)
    evening.choose(driver, rows, ("end", 0))
    assert evening.says(driver, "Really? OK again") and os.path.exists(root + "/save/season")
    driver.press(1, "NEXT")
    driver.press(1, "PREV")
    assert evening.says(driver, "End the season")                                          # moving on takes it back
    driver.press(1, "OK")
    driver.press(1, "OK")
    assert not os.path.exists(root + "/save/season") and journals(root) == []
    assert rows.rows[0] == ("all", 0)
    assert evening.menu(evening.board(root)).rows[0] == ("game", 0)


def test_a_new_season_takes_the_journals_of_the_old_one_away(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver, ("gp-ring",))
    evening.race(driver)
    shutil.copy(f"{root}/save/{journals(root)[0]}", f"{root}/save/season-00000000-1")
    rows = evening.open_season(driver)
    evening.choose(driver, rows, ("end", 0))
    driver.press(1, "OK")
    evening.begin(driver, ("gp-ring",))
    assert journals(root) == [] and kept(root).results == []


def test_a_damaged_season_is_told_and_hinders_no_race(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    with open(root + "/save/season", "r+b") as file:
        file.seek(20)
        file.write(b"#")
    driver = evening.board(root)
    screen = evening.menu(driver)
    rows = evening.open_season(driver)
    assert driver.app.faults == ["The saved season can't be read; begin a new one."] and rows.rows[0] == ("all", 0)
    driver.press(1, "UNDO")
    evening.choose(driver, screen, ("start", 0))
    assert driver.app.race


def test_without_room_the_points_count_and_the_journal_is_left_out(root_of, monkeypatch):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    monkeypatch.setattr(os, "statvfs", lambda path: (4096, 4096, 300, 16, 16, 0, 0, 0, 0, 255))
    evening.race(driver)
    assert len(kept(root).results) == 1 and journals(root) == []
    assert evening.says(driver, "The flash has no room")


def test_room_that_littlefs_counts_twice_is_room(root_of, monkeypatch):
    """A board with all games and tracks has twelve folders: 13 blocks are reported free where there are 37."""
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    monkeypatch.setattr(os, "statvfs", lambda path: (4096, 4096, 352, 13, 13, 0, 0, 0, 0, 255))
    names = [(f"folder{number}", 0x4000, 0) for number in range(12)] + [("file", 0x8000, 0)]
    monkeypatch.setattr(os, "ilistdir", lambda path: iter([] if "folder" in path else names), raising=False)
    evening.race(driver)
    assert len(journals(root)) == 1


def test_what_goes_over_the_link_is_the_season_and_its_journals_alone(root_of):
    root = root_of()
    driver = evening.board(root)
    evening.begin(driver)
    evening.race(driver)
    for name in ("save/season", "save/" + journals(root)[0]):
        part = AppTalk(driver).ask({"t": "read", "name": name}, "file")
        assert part["name"] == name and part["k"] == 0
        driver.run(1000)                                                           # its other parts
    for name in ("save/race.log", "save/race.a", "save/season-/../race.log", "save/seasons"):
        with pytest.raises(Exception, match="can't be sent over the link"):
            AppTalk(driver).ask({"t": "read", "name": name}, "file")


def test_a_file_is_sent_before_the_picture_of_a_long_race(root_of):
    driver = evening.board(root_of())
    evening.begin(driver)
    evening.race(driver)
    lines = driver.app.race.lines
    driver.hal.sent.clear()
    driver.hal.say({"t": "hi", "v": 1, "n": 1})
    driver.hal.say({"t": "read", "name": "save/season", "n": 2})
    driver.run(lines * 100)
    kinds = [message["t"] for message in driver.hal.sent]
    assert kinds.count("line") == lines > 40 and kinds.index("file") < kinds.index("line")


def test_the_tracks_of_a_season_are_those_of_its_game_whatever_the_menu_shows(root_of):
    driver = evening.board(root_of())
    evening.begin(driver, ("gp-ring",))
    driver.press(1, "UNDO")
    evening.menu(driver).at = 0
    evening.menu(driver)._take_game("full_throttle")
    evening.open_season(driver)
    assert evening.says(driver, "Start 1 GP Ring")
    assert isinstance(kept(driver.hal.flash), Season) and list_tracks("moto_grand_prix")


def test_power_cut_at_every_block_write_of_micropython_s_own_littlefs(micropython):
    ran = subprocess.run([micropython, "-X", "heapsize=32m", str(ROOT / "tests/help/children/season_power_cut.py")],
                         env={"MICROPYPATH": f"{ROOT}:{ROOT / 'firmware'}:.frozen"}, capture_output=True, text=True,
                         timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = json.loads(ran.stdout)
    assert counts["steps"] == 7 and counts["ended"] > 300 and counts["writes"] > 100


def test_an_evening_on_micropython(micropython, build_device, tmp_path):
    """The compiled firmware: two races and the standings."""
    root = build_device("micropython")
    for name in ("script_hal", "season_evening"):
        source = (ROOT / f"tests/help/in_memory/{name}.py").read_bytes()
        (tmp_path / f"{name}.mpy").write_bytes(compile_mpy(f"{name}.py", source))
    path = os.pathsep.join([str(root), str(tmp_path), ".frozen"])
    script = f"import season_evening; season_evening.whole({str(root)!r})"
    ran = subprocess.run([micropython, "-X", "heapsize=2m", "-c", script], env={**os.environ, "MICROPYPATH": path},
                         capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    assert "Season after 2 of 2" in ran.stdout and "faults []" in ran.stdout
    assert len(journals(str(root))) == 2 and kept(str(root)).over
    for name in journals(str(root)):
        with open(f"{root}/save/{name}", encoding="utf-8") as file:
            assert replay(file.read(), ["cpython"]).problems == []
