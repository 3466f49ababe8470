"""A host takes over the season kept on a board: over the link, with every journal verified."""

import os

import pytest
import season_evening as evening
from app_talk import AppTalk
from fake_board import FakeBoard
from season_races import count

from gridglow import paths
from gridglow.device.talk import SaysNo
from gridglow.seasons import pull
from gridglow.seasons.database import opened
from gridglow.seasons.tables import Tables, Words
from shared_rules.errors import GridglowError

DAY = "2026-02-01"
POINTS = (25, 20, 16, 13, 11, 10)


@pytest.fixture(autouse=True)
def data(tmp_path):
    paths.choose_data_folder(tmp_path / "data")
    yield
    paths.choose_data_folder(None)


class FileTalk(AppTalk):
    """The link to a board in this process; its files are read through the firmware."""

    def read_file(self, name, limit_s=None):
        import base64
        parts = [self.ask({"t": "read", "name": name}, "file")]
        while len(parts) < parts[0]["of"]:
            parts += [message for message in self.messages(0.05) if message["t"] == "file"]
        return b"".join(base64.b64decode(part["d"]) for part in parts)


def take(driver, name=None):
    there = pull.fetch(FileTalk(driver))
    with opened(write=True) as database:
        return pull.take_over(database, there, name, DAY, ["cpython"])


def raced(root, races=1):
    driver = evening.board(root)
    evening.begin(driver)
    for _ in range(races):
        evening.race(driver)
    return driver


def kept_journals(root):
    return sorted(f"{root}/save/{name}" for name in os.listdir(root + "/save") if name.startswith("season-"))


def test_an_evening_is_taken_over_and_the_next_one_too(root_of):
    root = root_of()
    driver = raced(root)
    season, added, problem = take(driver, "Winter")
    assert (season.name, [race.number for race in added], problem) == ("Winter", [1], "")
    assert take(driver)[1:] == ([], "")                                            # nothing new
    driver = evening.board(root)
    evening.race(driver)
    season, added, problem = take(driver)
    assert [race.number for race in added] == [2] and season.over and problem == ""
    with opened() as database:
        kept = database.find("Winter")
    table = count([race.journal for race in kept.races], POINTS, "places")
    shown = Tables(kept, Words()).riders
    assert [(row.points, row.wins, row.seat) for row in shown] == [(p, w, who[0]) for p, w, who in table]
    board = evening.open_season(driver)
    evening.choose(driver, board, ("standings", 0))
    assert [line.split()[-1] for line in driver.hal.display.shown[1:3]] == [str(points) for points, _, _ in table]


def test_what_the_board_lost_can_t_be_verified_and_doesn_t_count(root_of):
    root = root_of()
    driver = raced(root, 2)
    os.remove(kept_journals(root)[1])
    season, added, problem = take(driver)
    assert [race.number for race in added] == [1] and not season.over
    assert problem.startswith("The board has only the result of race 2, not its journal")


def test_a_journal_that_was_changed_on_the_board_is_refused(root_of):
    root = root_of()
    driver = raced(root)
    path = kept_journals(root)[0]
    text = open(path, encoding="utf-8").read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("roll 1", "roll 6", 1))
    season, added, problem = take(driver)
    assert added == [] and problem.startswith("Race 1 of the board: The race doesn't verify")
    assert season.results == []


def test_points_that_were_changed_on_the_board_are_found_out(root_of):
    import binascii
    root = root_of()
    driver = raced(root)
    body = open(root + "/save/season", "rb").read()[:-pull.TRAILER_BYTES].replace(b", 25]", b", 99]")
    with open(root + "/save/season", "wb") as file:
        file.write(body + b" *%08x\n" % binascii.crc32(body))
    with pytest.raises(GridglowError, match="The result of race 1 on the board doesn't match its journal"):
        take(driver)
    with opened() as database:
        assert database.all() == []                                                # nothing half done


def test_a_season_that_went_on_elsewhere_is_told(root_of):
    root = root_of()
    driver = raced(root)
    take(driver, "Winter")
    there = pull.fetch(FileTalk(driver))
    there.season.results[0][1] = "ffffffff"
    with opened(write=True) as database, pytest.raises(GridglowError, match="differs from the one that counts here"):
        pull.take_over(database, there, None, DAY, ["cpython"])
    there = pull.fetch(FileTalk(driver))
    there.season.tracks[1] = "supercircus-raceway"
    with opened(write=True) as database, pytest.raises(GridglowError, match="has other tracks than the one here"):
        pull.take_over(database, there, None, DAY, ["cpython"])
    with opened(write=True) as database, pytest.raises(GridglowError, match="leave out the name 'Spring'"):
        pull.take_over(database, pull.fetch(FileTalk(driver)), "Spring", DAY, ["cpython"])


def test_a_board_without_a_season_says_so(root_of):
    with pytest.raises(GridglowError, match="The board has no season"):
        pull.fetch(FileTalk(evening.board(root_of())))


@pytest.mark.parametrize("data", [b"", b"x", b"{} *00000000\n", b"[] *" + b"0" * 8 + b"\n", b"\xff" * 40])
def test_a_season_that_isn_t_whole_is_told(data):
    class Broken:
        def read_file(self, name):
            if name != pull.HEAD:
                raise SaysNo("no")
            return data

    with pytest.raises(GridglowError, match="The season on the board can't be read"):
        pull.fetch(Broken())


def test_the_command_on_a_board_at_a_port(root_of, tmp_path, call, program):
    """The real firmware behind a serial port, with the saves of an evening."""
    root = root_of()
    raced(root)
    files = {f"save/{name}": open(f"{root}/save/{name}", "rb").read() for name in os.listdir(root + "/save")}
    with FakeBoard(tmp_path / "board", files, program=program) as board:
        code, out, err = call("season", "pull", "--port", board.port, "--name", "Winter")
        assert code == 0, err
        assert "race 1 verified and counted" in err and "Bot 1" in out
        code, out, err = call("season", "pull", "--port", board.port)
        assert code == 0 and "no new race" in err
