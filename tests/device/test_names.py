"""Names of players, seasons, boards and tracks: one check for all of them, on host and board."""

import json
import re
import unicodedata

import pytest
from both import cases, run_here, run_micropython
from commands import call

from gridglow.device.flash import check_name
from gridglow.seasons import beginning
from gridglow.seasons.database import opened
from gridglow.seasons.pull import OnBoard, take_over
from gridglow.tomlfile import NAME_FORM
from gridglow.tracks import load_track
from shared_rules.errors import BadSetup, GridglowError
from shared_rules.names import HIDDEN, can_be_shown
from shared_rules.season import Season
from shared_rules.setup import Setup

TURNED = "Anna\u202eneB"  # what follows is read from right to left
HIDDEN_NAMES = [TURNED, "Anna\u200b", "\u2066Anna", "An\u00adna", "\u200d", "\x1b[31mAnna"]


@pytest.mark.parametrize("name", cases("cases_names"))
def test_here(name):
    run_here("cases_names", name)


@pytest.mark.parametrize("name", cases("cases_names"))
def test_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_names", name, tmp_path)


def test_the_list_of_hidden_letters_has_all_that_unicode_knows_of():
    """Those that format or separate lines, except the two that join letters, and the blanks, which become plain ones."""
    for code in range(0x110000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Cs") and letter not in "\u200c\u200d":
            visible = unicodedata.name(letter, "").startswith(("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN"))
            assert visible or not can_be_shown(letter), hex(code)
    assert all(first <= last for first, last in HIDDEN)


def plain(*names):
    return {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1,
            "players": [["person", name] for name in names]}


@pytest.fixture(scope="module")
def track():
    return load_track("gp-ring").track


def test_a_race_numbers_equal_names(track):
    setup = Setup.from_plain(plain("Anna", " Anna ", "Anna\u00a0"), track)
    assert [name for _, name in setup.players] == ["Anna", "Anna 2", "Anna 3"]
    assert Setup.from_plain(setup.plain(), track).players == setup.players


@pytest.mark.parametrize("name", HIDDEN_NAMES)
def test_a_name_with_hidden_letters_is_refused_everywhere(track, name):
    with pytest.raises(BadSetup, match="visible characters") as told:
        Setup.from_plain(plain("Bo", name), track)
    assert all(can_be_shown(letter) for letter in str(told.value)), "they must not be in the sentence either"
    wrong = []
    beginning.check_name(name, wrong)
    assert len(wrong) == 1
    with pytest.raises(GridglowError):
        check_name(name)
    assert not re.fullmatch(NAME_FORM, name)


def test_season_and_race_have_the_same_players(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    players = ["--player", "Anna", "--player", "Anna", "--player", " Anna"]
    result = call("season", "new", "Winter", "--track", "gp-ring", *players, "--json")
    assert result.exit_code == 0, result.output
    assert [one["name"] for one in json.loads(result.stdout)["players"]] == ["Anna", "Anna 2", "Anna 3"]
    assert beginning.next_race("Winter").setup.players == [["person", "Anna"], ["person", "Anna 2"], ["person", "Anna 3"]]
    said = call("season", "new", "Summer", "--track", "gp-ring", "--player", "Anna", "--player", "Anna").stderr
    assert "The players are called Anna, Anna 2: every name is unique." in said


def test_a_season_that_was_kept_with_equal_names_goes_on(track):
    begun = beginning.new_season("Winter", "moto_grand_prix", "basic", ["gp-ring"], [["person", "Anna"], ["person", "Ben"]],
                                 1, [])
    old = begun.plain() | {"players": [["person", "Anna"], ["person", "Anna"]]}
    season = Season.from_plain(old)
    assert season.problems(Setup.from_plain(season.next_setup(), track), track) == []


@pytest.mark.parametrize("name", HIDDEN_NAMES[:2])
def test_a_season_of_such_a_name_is_refused(monkeypatch, tmp_path, name):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    players = ["--player", "Anna", "--player", "Ben"]
    assert call("season", "new", name, *players).exit_code == 2
    assert call("season", "new", "Winter", "--player", name, "--player", "Ben").exit_code == 2
    assert call("season", "new", "Winter", "--track", "gp-ring", *players).exit_code == 0
    assert call("season", "rename", "Winter", name).exit_code == 2
    with opened(write=True) as database:
        there = OnBoard(database.all()[0].season, {})
        database.remove(there.season)
        with pytest.raises(BadSetup, match="visible characters"):
            take_over(database, there, name, "2026-01-01", ["cpython"])
        there.season.name = name                              # as a board may name it: then its id is used
        assert take_over(database, there, None, "2026-01-01", ["cpython"])[0].name == f"Season {there.season.id}"
