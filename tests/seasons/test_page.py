"""A season on the page: its next race is started in the dialog, and counts at the podium; and who may ask for that."""

import json
import time

import pytest
from page_race import played
from page_talk import get
from season_races import TRACKS, begun, journal_of

from browser import chromium, fake_board, page  # noqa: F401
from gridglow import paths
from gridglow.boards.boardfile import load_board
from gridglow.seasons.database import opened
from gridglow.seasons.offers import Offers
from shared_rules.errors import GridglowError

RACE_S = 200


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    paths.choose_data_folder(folder)
    yield folder
    paths.choose_data_folder(None)


def test_what_is_due(data):
    offers = Offers(load_board("full"))
    assert offers.due() == []
    kept = begun()
    begun("Over", TRACKS[:1])
    row, = offers.due("de")
    assert (row["id"], row["name"], row["track"]) == (kept.season.id, "Winter", "Plattfuß-Ring")
    assert (row["round"], row["races"]) == (2, 3)
    assert row["setup"] == kept.season.next_setup() and row["laps"] == 1 and row["problem"] == ""
    assert row["game"] == "Ausgebremst, Familienspiel"
    assert row["grid"][:3] == ["Grün", "Weiß", "Magenta"] and sorted(row["grid"][3:]) == ["Ann", "Ben", "Cleo"]


def test_a_track_that_is_gone_is_told(data):
    kept = begun(races=0)
    kept.season.tracks = ["no-such-track", *TRACKS]
    with opened(write=True) as database:
        database.remove(kept.season)
        database.begin(kept.season, "2026-11-28")
    row, = Offers().due()
    assert row["track"] == "no-such-track" and "There is no track 'no-such-track'" in row["problem"]


def test_a_race_counts_once_from_its_journal(data):
    kept = begun()
    text = journal_of(kept.season)
    offers = Offers()
    assert offers.of(text) == {"name": "Winter", "number": 2, "counts": False}
    assert offers.count(text) == {"name": "Winter", "number": 2}
    assert offers.of(text) == {"name": "Winter", "number": 2, "counts": True}
    with pytest.raises(GridglowError, match="already counts"):
        offers.count(text)
    assert offers.of(text.replace("season: " + kept.season.id, "season: 0123abcd")) is None
    with pytest.raises(GridglowError, match="isn't stored here"):
        offers.count(text.replace("season: " + kept.season.id, "season: 0123abcd"))


class Asked:
    """Seasons that record what they were asked."""

    def __init__(self):
        self.heard = []

    def due(self, language):
        self.heard.append(language)
        return [{"name": "Winter"}]

    def of(self, text):
        return {"name": "Winter", "number": 1, "counts": False}

    def count(self, text):
        raise GridglowError("It doesn't count.")


def test_only_the_board_s_own_page_asks_for_seasons(tmp_path):
    asked = Asked()
    with fake_board(tmp_path, "--quick", seasons=asked) as board:
        status, body, headers = get(board, "/seasons.json")
        assert status == 200 and json.loads(body) == {"seasons": [{"name": "Winter"}]} and asked.heard == ["en"]
        assert headers["Cache-Control"] == "no-store"
        status, body, _ = get(board, "/season", {"Origin": "http://other.example"}, "POST")
        assert status == 403 and "Only Gridglow's own page" in body
        assert get(board, "/season", method="GET")[0] == 405
    with fake_board(tmp_path / "two", "--quick") as board:
        assert json.loads(get(board, "/seasons.json")[1]) == {"seasons": []}
        assert get(board, "/season", method="POST")[0] == 409


def test_a_season_s_race_from_the_dialog_to_its_count(page, data):
    kept = begun()
    with played("--engine", "micropython", data=data) as address:
        page.goto(address)
        page.get_by_text("New race", exact=True).first.click()
        page.get_by_text("Winter: race 2 of 3").click()
        assert page.locator(".setup-body:visible").count() == 1 and page.locator("input[name=laps]").is_hidden()
        grid = page.locator(".setup-right .season-players li").all_inner_texts()
        assert grid[:3] == ["Green", "White", "Magenta"] and sorted(grid[3:]) == ["Ann", "Ben", "Cleo"]
        page.get_by_text("Single race").click()
        assert page.locator("input[name=laps]").is_visible()
        page.get_by_text("Winter: race 2 of 3").click()
        page.get_by_text("Start the race").click()
        page.wait_for_selector("dialog.setup", state="hidden")
        assert page.evaluate("document.activeElement.id") == "prompt"      # not the button that would open the dialog again
        begin = time.time()
        while not page.locator(".podium:visible").count():
            assert time.time() - begin < RACE_S, "the race hasn't reached its podium"
            if page.evaluate("document.documentElement.dataset.race") == "race":
                page.keyboard.press("Enter")      # movement is skipped
            page.wait_for_timeout(120)
        assert not page.locator("dialog[open]").count()
        assert "Plattfuß-Ring" in page.inner_text("#race-title")
        page.get_by_text("Count it in Winter").click()
        page.wait_for_selector("text=Counted as race 2 of Winter.")
        page.reload()
        page.wait_for_selector("text=Counted as race 2 of Winter.")
        page.goto("about:blank")
    with opened() as database:
        now = database.find("Winter")
    assert len(now.races) == 2 and now.season.round == 3
    assert f"grid: {' '.join(map(str, kept.season.grid()))}\n" in now.races[1].journal


def test_levels_of_tracks_are_said_in_the_page_s_language(page, tmp_path):
    with fake_board(tmp_path, "--quick") as board:
        page.goto(board.address)
        said = "async (level) => (await import('/static/words.js')).levelWord(level)"
        assert page.evaluate(said, "easy") == "easy"
        page.evaluate("localStorage.setItem('gridglow.language', 'de')")
        page.reload()
        assert [page.evaluate(said, word) for word in ("easy", "hard", "none")] == ["leicht", "schwer", "none"]
        page.evaluate("localStorage.clear()")
