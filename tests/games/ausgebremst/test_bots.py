"""Bots of Ausgebremst: what they decide on the track, what they may know, and that both interpreters agree."""

import pytest

from gridglow.tracks import load_track
from gridglow_workshop.bench import duels
from shared_rules.chance import Chance
from shared_rules.games.ausgebremst import bots, bots_value, data, measured, turn, values
from shared_rules.games.ausgebremst.rules import Game
from shared_rules.setup import Setup


class Few(Game):
    """One player is enough, as when bots are measured."""

    SEATS = measured.SEATS


def a_game(variant="family", track="bleifuss-drom", **state):
    """A game with one player, car 1, set up in this state."""
    compiled = load_track(track).track
    setup = Setup.from_plain({"game": "ausgebremst", "variant": variant, "seed": "bots", "players": [["bot", "Ada"]]},
                             compiled, Few)
    game = Few(setup, compiled, Chance("bots", "deal"))
    game.arrange({"order": [2, 3, 4, 5, 6, 1], "turn": 1, **state})
    return game


def answer(game, seed="a"):
    """The bot's answer to the first prompt of this turn."""
    prompt = next(game.turn())
    prompt = prompt[0] if isinstance(prompt, list) else prompt
    said = bots.choose(game, prompt, Chance(seed, "bots"))
    while not isinstance(said, str):
        try:
            next(said)
        except StopIteration as done:
            said = done.value
    assert said in prompt.options()
    return said


def inner(game, end):
    return game.track.lane(game.track.named(end)) == game.track.lane(game.course.entry)


def test_an_open_road_is_driven_inside_and_high_cards_go_first():
    game = a_game(cars=["1 2a 2"], hands=["1 2 3 5"])
    card, end = answer(game).split(" ")[1:]
    assert card == "5" and inner(game, end)


def test_the_pit_lane_is_taken_where_a_card_ends_in_it():
    game = a_game(cars=["1 %s 1" % a_game().track.space_name(a_game().course.grid[0])], hands=["1 1 4 5"])
    end = answer(game).split(" ")[2]
    assert game.course.in_pit(game.track.named(end))


def test_it_drives_home_where_it_can():
    game = a_game(cars=["1 %s 3" % a_game().track.space_name(a_game().course.grid[0])], hands=["1 1 4 5"], stopped=["1"])
    assert answer(game).endswith("finish")


def blocked(game, curve):
    """The first space of this curve's inner lane, and the space before it."""
    course, track = game.course, game.track
    first = [space for space in range(track.in_rows)
             if course.curve_lane(space)[0] == curve and track.lane(space) == track.lane(course.entry)][0]
    before = [space for space in range(track.in_rows) if first in track.ahead(space)
              and track.lane(space) == track.lane(course.entry)][0]
    return track.space_name(first), track.space_name(before)


@pytest.mark.parametrize("variant", Game.VARIANTS)
def test_points_are_kept_where_a_car_stands_in_the_inner_lane(variant):
    """One step on, the curve's inner lane is taken: a 1 goes up beside it, where any other card would have to go outside."""
    plain = a_game()
    first, before = blocked(plain, max(plain.course.curve_lane(space)[0] for space in range(plain.track.in_rows)))
    behind = [space for space in range(plain.track.in_rows) if plain.track.named(before) in plain.track.ahead(space)][0]
    game = a_game(variant, cars=["1 %s 2" % plain.track.space_name(behind), "2 %s 2" % first], stopped=["1"],
                  hands=["1 1 5" if variant == "pro" else "1 1 4 5"])
    said = answer(game)
    waste = {text: int(card) - game.to_go(game.car(1)) + game.course.to_go(way[2][-1], way[1])
             for text, card, way in turn.plays(game, game.car(1))}
    assert waste[said] == 0 and max(waste.values()) > 0


@pytest.mark.parametrize("variant, track", [("family", "bleifuss-drom"), ("family", "nuerburg-drom"),
                                            ("pro", "nuerburg-ring")])
def test_hidden_orders_change_nothing(variant, track):
    """The order of face-down decks, and other hands, lead to the same answers."""
    cars = ["1 5a 1", "2 7a 1", "3 7b 1", "4 8a 1"]
    hand = "1 2 4 5" if variant == "family" else "1 2 5"
    one = a_game(variant, track, cars=cars, hands=[hand])
    other = a_game(variant, track, cars=cars, hands=[hand])
    other.decks = ["".join(reversed(deck)) for deck in other.decks]
    assert one.decks != other.decks
    for seed in "abcdefgh":
        assert answer(one, seed) == answer(other, seed)


@pytest.mark.parametrize("variant", Game.VARIANTS)
@pytest.mark.parametrize("track", values.TRACKS)
def test_each_valued_circuit_has_its_tables(track, variant):
    """A table ends with its last group; many points to spare are worth more than none."""
    game = a_game(variant, track)
    table = bots_value.load(game)
    assert bots_value.knows(game) and not bots_value.knows(a_game(variant))
    assert len(table) == (bots_value.VALUES + 256 if game.pro else bots_value.U_FOR + 1)
    assert table[bots_value.U_FOR] <= bots_value.UNITS
    mine = bots_value._mine(table, "24", "123456", ["5", "4", "3", "12"] if game.pro else None)
    none, many = [bots_value._worth(table, bots_value._spot(game, table, 20, 2, 1, slack, []), mine) for slack in (0, 8)]
    assert none < many


def test_sums_become_chances():
    chances = [bots_value.chance_of(worth) for worth in (bots_value.LOST, -400, -80, 0, 80, 400, 999)]
    assert chances == sorted(chances) and chances[0] == 0 and chances[3] == 128 and chances[-1] == 255


def test_a_valued_circuit_is_driven_home_where_it_can():
    game = a_game(track="nuerburg-drom", cars=["1 %s 3" % a_game(track="nuerburg-drom").track.space_name(55)],
                  hands=["1 1 4 5"], stopped=["1"])
    assert answer(game).endswith("finish")


def test_stacks_are_sorted_so_that_each_value_lies_on_one():
    game = a_game("pro")
    assert answer(game) == "pick slow"
    for stacks in (bots.STACKS, bots_value.STACKS):
        assert sorted(set(stacks)) == [1, 2, 3, 4] and len(stacks) == 6


def test_a_stack_that_the_tables_know_is_laid_on_a_valued_circuit():
    for track, stacks in (("bleifuss-drom", bots.STACKS), ("nuerburg-drom", bots_value.STACKS)):
        game = a_game("pro", track)
        game.phase = "decks"
        game.stacks, game.chosen = [[""] * data.STACKS], [""]
        laid = []
        while game.phase != "take":
            prompts = next(step := game.turn())
            laid.append(bots.choose(game, prompts[0], Chance("a", "bots")))
            try:
                step.send([int(laid[-1][5:]) if game.phase == "stacks" else laid[-1][5:]])
            except StopIteration:
                pass
        assert laid == ["pick slow"] + ["pick %d" % stacks[value] for value in (5, 4, 3, 2, 1, 0)]


def test_a_race_wants_three_and_only_its_measurement_fewer():
    assert Game.SEATS == (3, 6) and measured.SEATS == (1, 6)


def test_both_interpreters_agree(micropython):
    sides = [duels.measure_duels(2, on, ["ausgebremst"], tracks=["nuerburg-circuit"]) for on in ("cpython", "micropython")]
    times = {"mean_us": 0, "most_us": 0}
    assert [{**one, **times} for one in sides[0]] == [{**one, **times} for one in sides[1]]
    assert [(one["variant"], one["setup"], one["counts"], one["duels"]) for one in sides[1]] == [
        (variant, name, counts, 2) for variant in Game.VARIANTS for name, _, counts in measured.SETUPS]


@pytest.mark.parametrize("variant", Game.VARIANTS)
def test_it_mostly_gets_home_on_an_easy_track(variant):
    alone, duel = duels.measure_duels(10, "cpython", ["ausgebremst"], [variant], ["bleifuss-drom"])
    assert alone["won"] >= 9 and duel["won"] >= 8
    assert alone["bots_out"] + alone["won"] == 10


def test_who_strands_farther_on_is_ahead(monkeypatch):
    """In a duel the ranking decides (AB-10), while a bot alone has to get home; otherwise it never does."""
    words = 10, "cpython", ["ausgebremst"], ["family"], ["nuerburg-drom"]
    alone, duel = duels.measure_duels(*words)
    assert alone["won"] + alone["bots_out"] == 10 and duel["won"] > 10 - duel["bots_out"]
    monkeypatch.setattr(duels.measured_setups("ausgebremst"), "RANKED", ())
    assert duels.measure_duels(*words)[1]["won"] <= 10 - duel["bots_out"]


def test_reasons_name_variants_and_tracks():
    for variant, track, why in measured.REASONS:
        assert variant in Game.VARIANTS and load_track(track).track.game == "ausgebremst" and why.endswith(".")
