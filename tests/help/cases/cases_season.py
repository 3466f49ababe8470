"""Seasons on both interpreters: written from the rules (AB-09, AB-10, AB-39, AB-42, MG-37), with results put in by hand."""

import json

from shared_rules import games
from shared_rules.errors import BadSave, BadSetup
from shared_rules.season import Season, next_grid
from shared_rules.season_table import riders, teams

EIGHT = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


class Derelict:
    """Stands for a game whose seats have one car each, and whose other cars nobody drives."""

    POINTS = (9, 6, 4, 3, 2, 1)
    GRID = True
    TIES = ("wins", "last")

    @staticmethod
    def team(car):
        return ""


def plain_season(tracks=EIGHT, **more):
    plain = {
        "id": "7f3a91c2", "name": "Winter", "game": "tiny", "variant": "family", "options": [["stacks", "value"]],
        "laps": 0, "tracks": list(tracks),
        "players": [["person", "Anna"], ["person", "Ben"], ["bot", "Cleo"]],
    }
    plain.update(more)
    return plain


def cars_of(seats=3, cars=6):
    return [[car, car if car <= seats else 0, "tiny.car_%d" % car, "red", "slow"] for car in range(1, cars + 1)]


def new_season(tracks=EIGHT, **more):
    return Season.from_plain(plain_season(tracks, **more), Derelict)


def case_a_season_counts_its_races():
    season = new_season()
    assert not season.over and season.round == 1
    for at in range(8):
        assert season.next_setup()["track"] == EIGHT[at]
        assert season.next_setup()["season"] == "7f3a91c2/%d" % (at + 1)
        season.add(cars_of(), [[1, 1, 1, 9], [2, 2, 3, 4], [3, 3, 4, 3]], "0a1b2c3d")
    assert season.over and season.round == 8


def case_the_first_race_finds_its_own_grid():
    assert new_season().grid() == [] and "grid" not in new_season().next_setup()


def case_derelicts_start_in_front_and_the_others_as_they_came():
    """AB-09: the winner best, but derelicts always first, in a fixed order; AB-10: those who didn't finish are behind."""
    season = new_season()
    season.add(cars_of(), [[2, 2, 2, 6], [3, 3, 5, 2], [1, 1, 6, 0]], "")
    assert season.next_setup()["grid"] == [4, 5, 6, 2, 3, 1]
    season.add(cars_of(), [[1, 1, 1, 9], [2, 2, 4, 3], [3, 3, 6, 0]], "")
    assert season.next_setup()["grid"] == [4, 5, 6, 1, 2, 3]
    season.add(cars_of(), [[0, 6, 1, 0], [3, 3, 2, 6], [0, 4, 3, 0], [0, 5, 4, 0], [1, 1, 5, 2], [2, 2, 6, 0]], "")
    assert season.next_setup()["grid"] == [4, 5, 6, 3, 1, 2]


def case_without_derelicts_the_finish_is_the_grid():
    assert next_grid(cars_of(6), [[4, 4, 1, 9], [2, 2, 2, 6], [6, 6, 3, 4], [1, 1, 4, 3], [3, 3, 5, 2], [5, 5, 6, 1]]) \
        == [4, 2, 6, 1, 3, 5]


def case_points_add_up_and_later_cars_dont_move_up():
    """AB-39: derelicts take places 1 and 3 and get nothing for them."""
    season = new_season()
    season.add(cars_of(), [[0, 5, 1, 0], [1, 1, 2, 6], [0, 4, 3, 0], [2, 2, 4, 3], [3, 3, 5, 2], [0, 6, 6, 0]], "")
    season.add(cars_of(), [[3, 3, 1, 9], [2, 2, 3, 4], [1, 1, 6, 0]], "")
    assert [(line.place, line.seat, line.points, line.wins) for line in riders(season)] \
        == [(1, 3, 11, 1), (2, 2, 7, 0), (3, 1, 6, 0)]
    assert [(line.place, line.seat, line.points) for line in riders(season, 1)] == [(1, 1, 6), (2, 2, 3), (3, 3, 2)]
    assert [line.each for line in riders(season)] == [[[5, 2], [1, 9]], [[4, 3], [3, 4]], [[2, 6], [6, 0]]]


def case_a_tie_goes_to_more_wins():
    """AB-42: 9 + 1 beats 6 + 4, though the other one was ahead in the last race."""
    season = new_season()
    season.add(cars_of(), [[1, 1, 1, 9], [2, 2, 2, 6], [3, 3, 6, 1]], "")
    season.add(cars_of(), [[2, 2, 3, 4], [1, 1, 6, 1], [3, 3, 6, 0]], "")
    assert [(line.place, line.seat, line.points) for line in riders(season)] == [(1, 1, 10), (2, 2, 10), (3, 3, 1)]


def case_a_tie_without_wins_goes_to_the_last_race():
    """AB-42: both have 10 points and no win."""
    season = new_season()
    season.add(cars_of(), [[2, 2, 2, 6], [1, 1, 3, 4], [3, 3, 6, 1]], "")
    season.add(cars_of(), [[1, 1, 2, 6], [2, 2, 3, 4], [3, 3, 6, 1]], "")
    assert [line.seat for line in riders(season)] == [1, 2, 3]


def case_a_place_without_points_is_no_win():
    """All are out: the first place of the ranking isn't a win, and riders who are equal in everything share the place."""
    season = new_season()
    season.add(cars_of(), [[1, 1, 1, 0], [2, 2, 1, 0], [3, 3, 1, 0]], "")
    assert [(line.place, line.seat, line.wins) for line in riders(season)] == [(1, 1, 0), (1, 2, 0), (1, 3, 0)]


def case_before_the_first_race_all_are_in_the_table():
    assert [(line.place, line.seat, line.points) for line in riders(new_season())] == [(1, 1, 0), (1, 2, 0), (1, 3, 0)]


def bikes(seats, each):
    """MotoGrandPrix's rows of cars."""
    rows = []
    for seat in range(1, seats + 1):
        for rider in range(each):
            team = ("blue", "yellow", "red")[(seat - 1) % 3]
            rows.append([len(rows) + 1, seat, "moto_grand_prix.bike_%s_%d" % (team, rider + 1), team, "slow"])
    return rows


def moto_season(seats, tracks=("gp-ring", "april-raceway")):
    players = [["person", "Player %d" % (at + 1)] for at in range(seats)]
    return Season.from_plain(plain_season(tracks, game="moto_grand_prix", variant="standard", players=players, options=[]))


def case_riders_and_teams_of_two_bikes_each():
    """MG-37: 25, 20, 16, 13, 11, 10; a team has the sum of both riders; every race finds its own grid."""
    season = moto_season(3)
    assert season.rules.POINTS == (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    order = [[1, 2, 1, 25], [2, 3, 2, 20], [3, 5, 3, 16], [3, 6, 4, 13], [2, 4, 5, 11], [1, 1, 6, 0]]
    season.add(bikes(3, 2), order, "")
    assert season.grid() == []
    order = [[3, 6, 1, 25], [1, 2, 2, 20], [2, 4, 3, 16], [1, 1, 4, 13], [2, 3, 5, 11], [3, 5, 6, 10]]
    season.add(bikes(3, 2), order, "")
    assert [(line.place, line.car, line.points) for line in riders(season)] \
        == [(1, 2, 45), (2, 6, 38), (3, 3, 31), (4, 4, 27), (5, 5, 26), (6, 1, 13)]
    # blue 25+0+20+13 = 58, yellow 20+11+16+11 = 58, red 16+13+25+10 = 64; of the two that tie, blue has a win.
    assert [(line.place, line.team[-6:], line.points) for line in teams(season)] \
        == [(1, "am_red", 64), (2, "m_blue", 58), (3, "yellow", 58)]


def case_four_riders_of_one_bike_have_one_team_of_two():
    """The fourth player rides with the first."""
    season = moto_season(4)
    season.add(bikes(4, 1), [[2, 2, 1, 25], [1, 1, 2, 20], [3, 3, 3, 16], [4, 4, 4, 13]], "")
    assert [(line.team[-6:], line.points) for line in teams(season)] == [("m_blue", 33), ("yellow", 25), ("am_red", 16)]


def case_three_single_riders_have_no_teams():
    season = moto_season(3)
    season.add(bikes(3, 1), [[2, 2, 1, 25], [1, 1, 2, 20], [3, 3, 3, 16]], "")
    assert teams(season) == [] and len(riders(season)) == 3


def case_ties_of_riders_go_by_places():
    """Equal points, no wins: the one with the better single places is ahead, whoever was ahead last."""
    season = moto_season(3, ("gp-ring", "april-raceway", "free-speedway"))
    rows = ([1, 1, 2, 20], [2, 2, 3, 16]), ([2, 2, 3, 16], [1, 1, 5, 11]), ([2, 2, 4, 13], [1, 1, 3, 14])
    for pair in rows:
        season.add(bikes(3, 1), list(pair) + [[3, 3, 6, 0]], "")
    assert [(line.seat, line.points) for line in riders(season)] == [(1, 45), (2, 45), (3, 0)]


class Raced:
    """The parts of a set-up that ``problems`` looks at."""

    def __init__(self, of, **more):
        plain = of.next_setup()
        plain.update(more)
        for key in ("game", "variant", "track", "options", "players"):
            setattr(self, key, plain[key])
        self.laps = plain.get("laps", 3)
        self.grid = plain.get("grid", [])
        self.season = plain["season"]


class Track:
    laps = 3


def case_the_next_race_fits_and_no_other():
    season = new_season()
    season.add(cars_of(), [[2, 2, 2, 6], [3, 3, 5, 2], [1, 1, 6, 0]], "")
    fits = Raced(season)
    assert fits.grid == [4, 5, 6, 2, 3, 1] and season.problems(fits, Track) == []
    assert season.problems(Raced(season, season=""), Track) == []                  # set up by hand, but the same
    for more, said in (
        ({"game": "other"}, "Expected game tiny, got other."),
        ({"variant": "pro"}, "Expected variant family, got pro."),
        ({"track": "first"}, "Expected track second, got first."),
        ({"laps": 2}, "Expected laps 3, got 2."),
        ({"options": [["stacks", "card"]]}, "Expected the options stacks=value, got stacks=card."),
        ({"players": [["person", "Anna"], ["person", "Ben"], ["bot", "Dora"]]},
         "Expected the players Anna (person), Ben (person), Cleo (bot), got Anna (person), Ben (person), Dora (bot)."),
        ({"grid": [4, 5, 6, 3, 2, 1]}, "Expected the grid 4 5 6 2 3 1, got 4 5 6 3 2 1."),
        ({"grid": []}, "Expected the grid 4 5 6 2 3 1, got that the game finds itself."),
        ({"season": "7f3a91c2/1"}, "Expected race 2 of the season, got race 1."),
        ({"season": "00000000/2"}, "It is a race of another season, 00000000, not of Winter."),
    ):
        assert season.problems(Raced(season, **more), Track) == [said], season.problems(Raced(season, **more), Track)
    for _ in range(7):
        season.add(cars_of(), [[2, 2, 2, 6], [3, 3, 5, 2], [1, 1, 6, 0]], "")
    assert season.problems(fits, Track) == ["The season Winter has all its 8 races already."]


def case_an_option_that_is_newer_than_the_season_hinders_nothing():
    season = new_season()
    assert season.problems(Raced(season, options=[["newer", "no"], ["stacks", "value"]]), Track) == []
    assert season.problems(Raced(season, options=[["newer", "no"]]), Track) \
        == ["Expected the options stacks=value, got newer=no."]


def case_the_first_race_has_no_grid_of_the_season():
    season = new_season()
    assert season.problems(Raced(season, grid=[4, 5, 6, 1, 2, 3]), Track) \
        == ["Expected the grid that the game finds itself, got 4 5 6 1 2 3."]


def case_laps_of_the_season_go_before_the_track_s():
    season = new_season(laps=1)
    assert season.next_setup()["laps"] == 1 and season.problems(Raced(season), Track) == []
    assert season.problems(Raced(season, laps=3), Track) == ["Expected laps 1, got 3."]


def case_a_season_goes_through_its_text():
    season = new_season()
    season.add(cars_of(), [[1, 1, 1, 9], [2, 2, 3, 4], [3, 3, 4, -3]], "0a1b2c3d")
    again = Season.from_plain(json.loads(json.dumps(season.plain())), Derelict)
    assert again.plain() == season.plain() and again.next_setup() == season.next_setup()


def case_what_is_no_season_is_refused():
    for key, value in (
        ("id", ""), ("id", "7f3a91c"), ("id", "7F3A91C2"), ("id", 7), ("name", ["a"]), ("name", "x" * 65), ("laps", -1),
        ("laps", 100), ("laps", "3"), ("options", [["a"]]), ("options", [1]), ("players", []), ("players", [["dog", "Rex"]]),
        ("players", [["person", 4]]), ("tracks", []), ("tracks", ["../x"]), ("tracks", [1]), ("tracks", ["a"] * 100),
        ("tracks", "gp-ring"), ("cars", [[1, 4, "", ""]]), ("cars", [1]), ("cars", [["1", 1, "", ""]]),
        ("results", [[[], ""]] * 9), ("results", [[[[4, 1, 1, 9]], ""]]), ("results", [[[[1, 1, 1]], ""]]),
        ("results", [[[[1, 1, 1, "9"]], ""]]), ("results", [[3, ""]]), ("results", [[[], 3]]), ("results", [7]),
    ):
        plain = plain_season()
        plain[key] = value
        try:
            Season.from_plain(plain, Derelict)
        except BadSave as error:
            assert str(error) == "The season's %s can't be read; it was cut or edited." % key, str(error)
        else:
            raise AssertionError("%s %r is taken" % (key, value))
    for plain in ([], None, "season", 7):
        try:
            Season.from_plain(plain, Derelict)
        except BadSave as error:
            assert str(error)[:23] == "Expected a season, got "
        else:
            raise AssertionError("%r is taken" % plain)


def case_other_cars_than_before_are_refused():
    season = new_season()
    season.add(cars_of(3), [[1, 1, 1, 9]], "")
    try:
        season.add(cars_of(4), [[1, 1, 1, 9]], "")
    except BadSetup:
        assert len(season.results) == 1
    else:
        raise AssertionError("other cars are taken")


def case_games_without_a_championship_say_so():
    assert games.season("full_throttle") is None and games.season("moto_grand_prix").TIES == ("places", "last")
    for name in ("full_throttle", "no_such_game"):
        try:
            Season.from_plain(plain_season(game=name))
        except BadSave as error:
            assert "'%s' has no championship; take one of moto_grand_prix" % name in str(error), str(error)
        else:
            raise AssertionError("a season of %s" % name)
