"""How a set-up carries the start order and its place in a season: through plain set-up, save and journal."""

import pytest
from racing import new_race, plain_setup, play, short_track
from tiny_games import reactions

from shared_rules import proof
from shared_rules.errors import BadSave, BadSetup
from shared_rules.journal_file import Journal
from shared_rules.race import Race
from shared_rules.setup import Setup


class Gridded(reactions.Game):
    """A tiny game that takes a start order."""

    GRID = True


GIVEN = {"grid": [3, 1, 2], "season": "7f3a91c2/2"}


def test_a_setup_without_a_season_is_as_it_was():
    race = new_race(Gridded)
    assert (race.setup.grid, race.setup.season) == ([], "")
    assert not {"grid", "season"} & set(race.setup.plain())
    assert "grid:" not in race.journal() and "season:" not in race.journal()


def test_grid_and_season_go_through_plain_save_and_journal():
    race = new_race(Gridded, **GIVEN)
    assert race.setup.plain()["grid"] == [3, 1, 2] and race.setup.plain()["season"] == "7f3a91c2/2"
    play(race)
    again = Race.load(race.save(), race.track, Gridded)
    assert (again.setup.grid, again.setup.season) == ([3, 1, 2], "7f3a91c2/2")
    journal = race.journal()
    assert "\ngrid: 3 1 2\nseason: 7f3a91c2/2\n" in journal
    plain = Journal.parse(journal).plain
    assert plain["grid"] == [3, 1, 2] and plain["season"] == "7f3a91c2/2"
    found = proof.replay(journal, race.track, Gridded)
    assert found["problem"] is None and found["over"]
    assert [row[:2] for row in found["cars"]] == [row[:2] for row in race.game.cars()]


@pytest.mark.parametrize("game, given, said", [
    (reactions.Game, {"grid": [1, 2, 3]}, "Expected no start order"),
    (Gridded, {"grid": [1, 1, 2]}, "Expected a grid as car numbers, each once, got [1, 1, 2]."),
    (Gridded, {"grid": [0, 1]}, "Expected a grid"),
    (Gridded, {"grid": ["1"]}, "Expected a grid"),
    (Gridded, {"grid": "12"}, "Expected a list of grid, got '12'."),
    (Gridded, {"season": "7f3a91c2"}, "Expected a season as eight hex digits"),
    (Gridded, {"season": "7F3A91C2/1"}, "Expected a season"),
    (Gridded, {"season": "7f3a91c2/0"}, "Expected a season"),
    (Gridded, {"season": "7f3a91c2/100"}, "Expected a season"),
    (Gridded, {"season": 7}, "Expected a season"),
])
def test_what_is_no_grid_or_season_is_refused_in_a_sentence(game, given, said):
    with pytest.raises(BadSetup) as caught:
        Setup.from_plain(plain_setup(game.ID, **given), short_track(game.ID), game)
    assert said in str(caught.value) and len(caught.value.problems) == 1


@pytest.mark.parametrize("row", ["grid: 3 1 x", "grid: ", "season: "])
def test_a_journal_with_a_broken_grid_names_the_line(row):
    text = new_race(Gridded, **GIVEN).journal().replace("grid: 3 1 2", row)
    with pytest.raises(BadSave, match="^Line 11: "):
        Journal.parse(text)
