"""Looking at a race changes nothing in it, at any moment: see cases_reads.py. Events are taken in one place only."""

from pathlib import Path

import pytest
from both import cases, run_here, run_micropython
from golden_frames.board_root import board_root

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    """A board with the tracks of the games that the cases race."""
    folder = tmp_path_factory.mktemp("reads")
    for game in ("moto_grand_prix", "full_throttle", "fast_and_furious"):
        board_root(folder / "flash", "full", game)
    return folder


@pytest.mark.parametrize("name", cases("cases_reads"))
def test_an_evening_that_is_looked_at_is_the_same_evening(name, flash, monkeypatch):
    monkeypatch.chdir(flash)
    run_here("cases_reads", name)


@pytest.mark.parametrize("name", cases("cases_reads"))
def test_an_evening_that_is_looked_at_is_the_same_evening_on_micropython(name, flash, micropython):
    run_micropython(micropython, "cases_reads", name, flash, "32m")


def test_the_events_of_a_race_are_taken_in_one_place_of_the_board():
    places = [path.name for path in sorted((ROOT / "firmware").rglob("*.py")) if "take_events(" in path.read_text("utf-8")]
    assert places == ["answering.py"]
