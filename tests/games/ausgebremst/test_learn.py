"""The tools that made the tables of Ausgebremst's bots, and search what is possible: they race as the game does."""

import os
from unittest import mock

import pytest

os.environ["NUMBA_DISABLE_JIT"] = "1"              # compiling takes longer than these few races

import numpy as np

import ausgebremst_arrays as arrays
import ausgebremst_learn as learn
import ausgebremst_limits as limits
import ausgebremst_sim as sim
from gridglow.tracks import load_track
from shared_rules.games.ausgebremst import bots_value, values
from shared_rules.games.ausgebremst.course import FINISH
from shared_rules.race import Race
from shared_rules.setup import Setup

VARIANTS = ("family", "pro")


def the_race(source, variant, number, players=1):
    """The bench's race with this number, or one like it with more players, up to the first card played; and
    its decks, a row for each car in grid order."""
    setup = Setup.from_plain({"game": "ausgebremst", "variant": variant, "seed": f"duel-{variant}-{number}",
                              "players": [["bot", f"Bot {seat}"] for seat in range(1, players + 1)]}, source, limits.Few)
    race = Race(setup, source, None, limits.Few)
    game = race.game
    if players == 1:
        decks = limits.deal_of(source, variant, number)
    else:                                          # driverless cars move before anybody is asked for a card
        undriven = list(game.decks)
    with mock.patch.object(bots_value, "knows", lambda game: True):     # so that cards are stacked as in the tools' races
        while game.phase != "race":
            seat = race.prompts[0].seat
            race.answer(seat, race.bot_answer(seat))
    if players > 1:
        decks = np.zeros((6, 28), np.int64)
        for at, number in enumerate(game.order):
            cards = undriven[number - 1] if number > players else game.hands[number - 1] + game.decks[number - 1]
            decks[at, :len(cards)] = [int(card) for card in cards]
    return race, decks


def cars_of(game):
    """What the game knows about its cars that the arrays know too, in grid order."""
    states = {"run": sim.RUN, "done": sim.DONE, "out": sim.OUT}
    return [(car.space, car.crossings, states[car.status], int(car.stopped), game.to_go(car), len(game.cards_of(car)))
            for car in [game.car(number) for number in game.order]]


def cars_in(track, state):
    found = []
    for car in range(6):
        at = car * sim.FIELDS
        cards = state[at + sim.CARDS] + state[at + sim.HAND]
        space, crossed, status, stopped = [int(state[at + field])
                                           for field in (sim.SPACE, sim.CROSSED, sim.STATUS, sim.STOPPED)]
        if status == sim.DONE:                     # the game counts the last crossing
            crossed = track.laps + 1
        found.append((space, crossed, status, stopped, int(sim.to_go(track, state, car)), int(cards)))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name, number, players", [
    ("nuerburg-ring", 0, 1), ("nuerburg-circuit", 1, 1), ("nuerburg-drom", 2, 3), ("nuerburg-ring", 3, 6)])
def test_arrays_race_as_the_game_does(variant, name, number, players):
    """Step by step the same choices, places and table sums, in a race with plays of all kinds."""
    source = load_track(name).track
    track, start = arrays.track_of(source), arrays.start_of(source, variant)
    table, units = limits.table_of(source, variant)
    race, decks = the_race(source, variant, number, players)
    game = race.game
    state = np.zeros(sim.STATE, np.int64)
    sim.begin(track, start, state, players)
    sim.first_hands(start, state, decks)
    found = np.empty((sim.MOST_CHOICES, sim.CHOICE), np.int64)
    turns = 0
    while True:
        car = sim.to_player(track, start, state, decks)
        if car < 0:
            break
        turns += 1
        prompt = race.prompts[0]
        seat, hand = game.order[car], car * sim.FIELDS + sim.HAND
        assert prompt.seat == seat and cars_in(track, state) == cars_of(game)
        assert [int(state[hand + value]) for value in range(1, 7)] == [game.hands[seat - 1].count(one) for one in "123456"]
        count = sim.choices(track, start, state, car, found)
        if count == 0:
            assert prompt.options() == ["show"]
            race.answer(seat, "show")
        else:
            ours = {(int(one[0]), FINISH if one[1] == arrays.END else int(one[1])) for one in found[:count]}
            assert ours == {(int(card), way[2][-1]) for card, way in prompt.values()}
            choice = found[(7 * turns) % count]
            values = prompt.values()
            at = [(int(card), way[2][-1] if way[2][-1] >= 0 else arrays.END) for card, way in values].index(
                (choice[0], choice[1]))
            _same_sums(game, seat, values[at], (track, start, state, car), found[:count], table, units)
            race.answer(seat, prompt.options()[at])
            while not race.over and race.prompts[0].ask == "ausgebremst.ask_pit_cards":
                race.answer(seat, race.bot_answer(seat))
            if not race.over and race.prompts[0].ask == "ausgebremst.ask_draw":
                race.answer(seat, "pick %d" % bots_value.STACKS[choice[5] - 1])
            sim.play(track, start, state, car, choice)
            sim.fill_up(start, state, car, decks)
        sim.end_turn(track, state, car)
    assert race.over and turns > 10 * players
    assert [car[2] for car in cars_in(track, state)] == [car[2] for car in cars_of(game)]


def _same_sums(game, seat, value, where, found, table, units):
    """After a card, the bot's sums are those of the tools."""
    if value[1][2][-1] == FINISH:
        return
    track, start, state, number = where
    car = game.car(seat)
    bot = bots_value._rows(game, bots_value.load(game), car, value, bots_value._cars(game, car))
    out, rows = np.empty(learn.MOST_ENTRIES, np.int64), np.empty(learn.MOST_ROWS, np.int64)
    ours = set()
    for choice in found:
        if (choice[0], choice[1]) == (int(value[0]), value[1][2][-1]):
            after = state.copy()
            sim.play(track, start, after, number, choice)
            worth = learn.worth_of(track, start, after, number, table, units, out, rows, np.empty(learn.UNITS))
            ours.add(bots_value.LOST if worth == learn.LOST else round(worth * learn.PARTS))
    assert ours == {row[0] for row in bot}


def test_a_table_is_learned_and_written(tmp_path):
    """A few races change the weights; as bytes they come back, apart from rounding, in a readable file."""
    source = load_track("nuerburg-ring").track
    said = []
    _, made = learn.made_table(source, "pro", 8, 1, 2, lambda text, **_: said.append(text))
    assert len(made) == bots_value.VALUES + 256 and len(set(made)) > 3 and "8 races" in said[0]
    assert learn.bytes_of(*learn.weights_of(made), True) == made
    scope = {}
    exec(learn.module_of(made, "Nürburg-Ring", "pro"), scope)
    assert scope["TABLE"] == made


def test_learning_finds_what_wins():
    """If the car that gets home is always the one with points to spare, such places gain worth."""
    source = load_track("nuerburg-ring").track
    track, start = arrays.track_of(source), arrays.start_of(source, "family")
    sim.seed(3)
    table, units = np.zeros(learn.ENTRIES), np.zeros((learn.ROWS, learn.UNITS))
    learn.learn(track, start, table, units, 60, np.array((60, 0, 40, 0, 0, 0)))
    assert table[learn.SLACK:learn.SLACK_NEXT].max() > 0 > table[learn.SLACK:learn.SLACK_NEXT].min()


@pytest.mark.parametrize("number, home", [(0, True), (102, False)])
def test_hindsight_tells_races_that_nobody_can_finish(number, home):
    """The findings of two more searches, each by its own program."""
    source = load_track("nuerburg-ring").track
    track, start = arrays.track_of(source), arrays.start_of(source, "family")
    assert limits.can_get_home(track, start, limits.deal_of(source, "family", number)) == home


def test_a_search_drives_home_where_it_can():
    """Of a choice that ends the race and others, it takes the first; playouts decide between the rest."""
    source = load_track("nuerburg-ring").track
    track, start = arrays.track_of(source), arrays.start_of(source, "family")
    weights = limits.table_of(source, "family")
    state = np.zeros(sim.STATE, np.int64)
    sim.begin(track, start, state, 1)
    sim.first_hands(start, state, limits.deal_of(source, "family", 0))
    found = np.empty((sim.MOST_CHOICES, sim.CHOICE), np.int64)
    assert sim.to_player(track, start, state, limits.NONE) == sim.LAST
    count = sim.choices(track, start, state, sim.LAST, found)
    asked = [limits.searched(track, start, state, *weights, found, count, playouts, 7) for playouts in (0, 4, 4)]
    assert asked[1] == asked[2] and max(asked) < count
    mine = sim.LAST * sim.FIELDS
    state[mine + sim.SPACE], state[mine + sim.CROSSED], state[mine + sim.STOPPED] = track.grid[0], track.laps, 1
    count = sim.choices(track, start, state, sim.LAST, found)
    best = limits.searched(track, start, state, *weights, found, count, 4, 7)
    assert found[best, 1] == arrays.END


@pytest.mark.parametrize("variant, text", [("family", "row 3: 82 spaces, 84 points"),
                                           ("pro", "row 3: 81 spaces, 83 points and 1 beside the pit lane")])
def test_what_a_row_needs_is_told(variant, text):
    assert text in limits.points_line(load_track("nuerburg-drom").track, variant)


def test_no_circuit_is_without_its_tables():
    for name in values.TRACKS:
        for variant in VARIANTS:
            assert limits.table_of(load_track(name).track, variant)[0].any()
