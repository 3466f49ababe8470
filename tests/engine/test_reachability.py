"""The reachability check: tracks that can't end, or can't be rolled or drawn on, are refused before anybody races.

The last test races on whatever random owners' boards, dice and decks the check accepts: every race must end.
"""

import random
from dataclasses import replace

import pytest
from click.testing import CliRunner
from owners_data import random_track

from gridglow import paths
from gridglow.cli.track import track_group
from gridglow.tomlfile import FileProblems
from gridglow.tracks import list_tracks, load_track, pack_source, parse_layout, read_catalogue
from gridglow.tracks.reachability import lacks
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup
from shared_rules.proof import MOST_ANSWERS
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track
from shared_rules.track_paint import COLOURS

HOUSE = paths.tracks_folder() / "racing_rules" / "house-board.toml"
SUIT = "-".join(["1234567"] * 20)
#: How many accepted random boards of each game are raced on.
BOARDS = 6
SEEDS = 5


def track_of(game, layout, lanes, laps, **more):
    level = games.about(game).LEVELS[0]
    source = parse_layout(layout, lanes, laps, game=game, level=level, track_id="mine")
    return Track.unpack(pack_source(replace(source, **more)))


def board(**more):
    """The house board of Racing Rules, changed."""
    return Track.unpack(pack_source(replace(load_track("house-board").source, id="mine", **more)))


def said(track):
    return [one.say for one in lacks(track)]


def cards(*words):
    return tuple((1, word) for word in words)


def test_all_tracks_that_come_with_gridglow_can_be_raced():
    assert {source.id: said(load_track(source.id).track) for source in list_tracks()} == {
        source.id: [] for source in list_tracks()}


# Racing Rules

SIX = ("red-1", "purple-2", "blue-3", "yellow-4", "green-5", "white-6")


def test_a_die_without_the_colours_of_the_finish():
    assert said(board(die=SIX)) == ["Race 1 and race 4 on 'mine' can't end: the die lacks black and gold, the colours of "
                                    "the finish; add a face that shows one."]
    assert said(board(die=(*SIX[:5], "gold-6"))) == []


def test_a_die_without_the_numbers_that_are_needed():
    found = said(board(die=tuple(colour + "-12" for colour in COLOURS)))
    assert found[0] == ("Race 2, race 5 and turbocharge on 'mine' can't end: from 80a it takes a roll of 1 or 2, which "
                        "the die doesn't give; change its numbers.")


def test_cards_that_nobody_can_draw():
    colours = tuple((colour,) for colour in COLOURS if colour != "red")
    roads = tuple(replace(road, colours=((("black",),) * len(road.colours) if road.colours else ()))
                  for road in load_track("house-board").source.roads)
    found = said(board(colours=colours, roads=roads, cards=cards("ahead-2")))
    assert found[0] == ("Expected a red space where the Red Cards of 'mine' are drawn, found none; paint one, or take "
                        "the cards out.")


def test_cards_that_always_lead_back():
    red = board(colours=(("red",),), die=("red-1", "black-2"), cards=cards("back-8"))
    assert "can't end: from " in said(red)[0] and "no rolls lead to the finish" in said(red)[0]


def test_roads_that_lead_back_too_often():
    """One card in a hundred lets a car stay where it has arrived."""
    red = board(colours=(("red",),), die=("red-8", "black-8", "gold-1"), cards=((98, "back-8"), (1, "nothing")))
    assert any("more than every second car would still be on its way after 300 turns" in say for say in said(red))


@pytest.mark.parametrize("change, say", [
    ({"die": ("red-1", "pink-2")}, "Expected faces such as 'red-1' on the die of 'mine', got 'pink-2'."),
    ({"cards": cards("fly-3")}, "'mine' has one 'fly-3', which the engine doesn't know."),
    ({"colours": ()}, "Expected a colour for every space, 'mine' has none on 1a; paint it."),
    ({"closed": True}, "Expected a road of one lane with an end, got 'mine'"),
])
def test_boards_that_no_race_takes(change, say):
    assert any(say in one for one in said(board(**change)))


def test_a_board_has_one_start_and_one_ramp_and_colours_everywhere():
    roads = load_track("house-board").source.roads
    twice = [replace(road, first=(road.first[0] - 6, 3)) for road in roads if road.kind == "ramp"]
    assert said(board(roads=(*roads, *twice))) == ["Expected one Runaway Ramp at most, 'mine' has 2; take the others out."]
    bare = tuple(replace(road, colours=((),) * road.spaces) for road in roads)
    assert said(board(roads=bare)) == ["Expected a colour for every space, 'mine' has none on 31b; paint it."]


# The other games


OWN_SUITS = cards(*[f"suit-{suit}-{SUIT}" for suit in range(1, 7)])


@pytest.mark.parametrize("game, layout, lanes, laps, say", [
    ("full_throttle", "S9 L4i2 S99 S99", 2, 9, "Expected a race of at most 249 spaces along the inner lane, as far as the "
     "cards can take a moped, 'mine' has 1881; take some rows or laps off."),
    ("full_throttle", "S9", 2, 3, "with turns that all go the same way, got 'mine'."),
    ("full_throttle", "S3 L4i2 S3 R4i2 S3", 2, 3, "with turns that all go the same way, got 'mine'."),
    ("ausgebremst", "S6 R5i3 S12 1b>5>1a", 2, 3, "Expected the pit lane of 'mine' to lead back to the road behind row 1"),
    ("ausgebremst", "S6 R5i3 S12 1b>5>20b", 2, 3, "Expected the pit lane of 'mine' to end at least 12 fields before the "
     "line, it ends 4 before"),
    ("ausgebremst", "S6 R5i3 S25 1b>5>6b", 2, 3, "Expected a race of at most 84 fields, as many as a deck has points, "
     "'mine' has 104 from the first start place with a pit stop; take some rows or laps off."),
    ("ausgebremst", "S6 R5i3 S6 1b>5>6b", 2, 4, "Expected at most 3 laps, as the cards last for no more, got 4."),
    ("moto_grand_prix", "S99 L4d2 S99", 3, 20, "Expected a race of at most 3000 rows, 'mine' has 4040 in its 20 laps; take "
     "some laps off."),
    ("moto_grand_prix", "S9 L4d2", 3, 3, "Expected a closed circuit of at least 18 rows, got 'mine' with 13."),
    ("fast_and_furious", "S6 o4a o4b", 2, 1, "Expected a way from the start card over the line, the obstacles of 'mine' "
     "shut every one; take one of them away."),
    ("fast_and_furious", "S6 |30 S6", 2, 1, "Expected a barrier of at most 22 behind row 6 of 'mine', the highest speed and "
     "nitrous, got 30; nobody could ever pass it."),
    ("fast_and_furious", "S99 L2v5 S99 loop", 4, 3, "rows with such cards, 'mine' has 600 in all laps; take some rows or "
     "laps off."),
    ("fast_and_furious", "S12 9a>3>4a", 2, 1, "Expected the side road from 9a of 'mine' to lead ahead, it leads to 4a."),
])
def test_what_lacks_is_named(game, layout, lanes, laps, say):
    found = said(track_of(game, layout, lanes, laps))
    assert len(found) == 1 and say in found[0], found


@pytest.mark.parametrize("words, say", [
    (["control-" + "-".join(["10"] * 12)], "Expected control tokens from 1 to 9, 'mine' has 'control-10-"),
    (["drivers-anchor-tuner-ghost-apex-apex"], "Expected each driver once, as no two cars may have the same"),
    (["drivers-anchor-tuner-ghost"], "or drivers with names, 'mine' has 'drivers-anchor-tuner-ghost'."),
    ([word for _, word in OWN_SUITS[:5]], "Expected the cards of all six suits, or of none, in 'mine'."),
    ([word.replace("1234567", "1034567") for _, word in OWN_SUITS], "Expected speeds from 1 on, as nobody can choose a 0, "
     "'mine' has 'suit-1-"),
    (["minimum-1-2-3-4-5-6", "minimum-2-2-3-4-5-6"], "Expected each kind of cards once, 'mine' has minimum twice; take one "
     "of the two out."),
])
def test_gear_cards_that_can_not_be_chosen_or_drawn(words, say):
    found = said(track_of("fast_and_furious", "S9", 2, 1, cards=cards(*words)))
    assert len(found) == 1 and say in found[0], found


@pytest.mark.parametrize("layout, more", [
    ("S6 o4a", {}),
    ("S6 |22 S6", {}),
    ("S6 |30 S6 5a>3>9a", {}),
    ("S9", {"cards": OWN_SUITS + cards("control-1-1-1-1-1-1-2-2-3-4-5-9")}),
])
def test_courses_that_are_only_odd_are_taken(layout, more):
    assert said(track_of("fast_and_furious", layout, 2, 1, **more)) == []


# Where the result is shown

def own(tmp_path, monkeypatch, track_id):
    """The house board with a die that lacks the finish, in a data folder."""
    path = tmp_path / "tracks" / "mine.toml"
    path.parent.mkdir()
    text = HOUSE.read_text(encoding="utf-8").replace('id = "house-board"', f'id = "{track_id}"')
    path.write_text(text.replace("lanes = 1\n", 'lanes = 1\ndie = ["red-1", "blue-2"]\n', 1), encoding="utf-8")
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    return path


def test_track_check_names_file_line_and_key(tmp_path, monkeypatch):
    path = own(tmp_path, monkeypatch, "mine")
    done = CliRunner().invoke(track_group, ["check", str(path)])
    assert done.exit_code == 1
    assert f"{path}:17: die: Race 1 and race 4 on 'mine' can't end: the die lacks black and gold" in done.output
    assert "no errors" not in done.output


def test_such_a_track_is_left_out_everywhere(tmp_path, monkeypatch):
    own(tmp_path, monkeypatch, "mine")
    catalogue = read_catalogue("racing_rules")
    assert [source.id for source in catalogue.tracks] == ["house-board"]
    assert [(one.line, one.key) for one in catalogue.problems] == [(17, "die")] and list(catalogue.unraceable) == ["mine"]
    with pytest.raises(FileProblems, match="the die lacks black and gold"):
        load_track("mine")


def test_the_packaged_track_keeps_the_place_of_one_that_is_left_out(tmp_path, monkeypatch):
    path = own(tmp_path, monkeypatch, "house-board")
    assert load_track("house-board").source.path == HOUSE
    path.write_text(HOUSE.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_track("house-board").source.path == path


@pytest.mark.parametrize("game, key, says", [
    ("full_throttle", "die", "A board's die is never rolled in full_throttle; remove it."),
    ("fast_and_furious", "die", "A board's die is never rolled in fast_and_furious; remove it."),
    ("moto_grand_prix", "card", "A board's card is never drawn in moto_grand_prix; remove it."),
])
def test_what_a_game_never_uses_is_refused(tmp_path, game, key, says):
    path = tmp_path / "mine.toml"
    text = load_track(list_tracks(game)[0].id).source.path.read_text(encoding="utf-8")
    more = 'die = ["red-1", "red-2"]\n' + text if key == "die" else text + '\n[[card]]\nword = "red-1"\ncount = 2\n'
    path.write_text(more, encoding="utf-8")
    done = CliRunner().invoke(track_group, ["check", str(path)])
    assert done.exit_code == 1 and says in done.output


# Every accepted track ends


def accepted(game, folder):
    """Random tracks of a game that the check accepts."""
    number = 0
    while True:
        number += 1
        track = random_track(game, f"ends-{number}", folder)
        if track is not None and not lacks(track):
            yield track


def race_to_the_end(track, variant, seed):
    """How many answers a random race takes, with random seats, options and decks; None if it can't be set up that way."""
    about = games.about(track.game)
    dice = random.Random(f"{variant}-{seed}")
    seats = dice.randrange(about.SEATS[0], about.SEATS[1] + 1)
    plain = {"game": track.game, "variant": variant, "seed": f"ends-{seed}", "salt": "salt",
             "players": [["person", f"Player {seat + 1}"] for seat in range(seats)],
             "options": [[key, dice.choice(values)] for key, values, _ in about.OPTIONS],
             "decks": dice.choice(("device", "table"))}
    try:
        race = Race(Setup.from_plain(plain, track), track)
    except BadSetup:
        return None
    hands = Chance(f"ends-{seed}", "hands")
    for answers in range(MOST_ANSWERS):
        if race.over:
            return answers
        prompt = race.prompts[0]
        race.answer(prompt.seat or 1, prompt.sample(hands))
    raise AssertionError((track.id, variant, seed, "has no end"))


@pytest.mark.parametrize("game", games.NAMES)
def test_races_on_random_owners_data_end(game, tmp_path):
    raced = 0
    tracks = accepted(game, tmp_path)
    for _ in range(BOARDS):
        track = next(tracks)
        for variant in games.about(game).VARIANTS:
            raced += len([seed for seed in range(SEEDS) if race_to_the_end(track, variant, seed) is not None])
    assert raced >= SEEDS * BOARDS // 2
