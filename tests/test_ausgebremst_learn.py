"""The tools that made the tables of Ausgebremst's bots, and that search what is possible: they race as the game does."""

import os

import pytest

os.environ["NUMBA_DISABLE_JIT"] = "1"              # compiling takes longer than these few races

import numpy as np

import ausgebremst_learn as learn
import ausgebremst_limits as limits
import ausgebremst_sim as sim
from gridglow.tracks import load_track
from shared_rules.games.ausgebremst import bots, bots_value, data
from shared_rules.games.ausgebremst.course import FINISH
from shared_rules.race import Race
from shared_rules.setup import Setup

VARIANTS = ("family", "pro")


def the_race(source, variant, number):
    """The bench's race of this number, up to the first card that is played."""
    setup = Setup.from_plain({"game": "ausgebremst", "variant": variant, "seed": f"duel-{variant}-{number}",
                              "players": [["bot", "Bot"]]}, source, limits.Few)
    race = Race(setup, source, None, limits.Few)
    while race.game.phase != "race":
        race.answer(1, race.bot_answer(1))
    return race


def cars_of(game):
    """What the game knows of its cars that the arrays know, too; the player first."""
    states = {"run": sim.RUN, "done": sim.DONE, "out": sim.OUT}
    return [(car.space, car.crossings, states[car.status], int(car.stopped), game.to_go(car), len(game.cards_of(car)))
            for car in game.cars_]


def cars_in(track, state):
    found = []
    for car in range(6):
        at = car * sim.FIELDS
        cards = state[at + sim.CARDS] + (state[sim.HAND] if car == 0 else 0)
        space, crossed, status, stopped = [int(state[at + field])
                                           for field in (sim.SPACE, sim.CROSSED, sim.STATUS, sim.STOPPED)]
        if status == sim.DONE:                     # the game counts the last crossing
            crossed = track.laps + 1
        found.append((space, crossed, status, stopped, int(sim.to_go(track, state, car)), int(cards)))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name, number", [("nuerburg-ring", 0), ("nuerburg-circuit", 1)])
def test_arrays_race_as_the_game_does(variant, name, number):
    """Step by step the same choices, places and sums of the table, in a race of plays of all kinds."""
    source = load_track(name).track
    track, start = sim.track_of(source), sim.start_of(source, variant)
    table, units = limits.table_of(source, variant)
    decks = limits.deal_of(source, variant, number)
    race = the_race(source, variant, number)
    game = race.game
    state = np.zeros(sim.STATE, np.int64)
    sim.begin(track, start, state)
    sim.first_hand(start, state, decks)
    found = np.empty((sim.MOST_CHOICES, sim.CHOICE), np.int64)
    turns = 0
    while sim.to_player(track, start, state, decks):
        turns += 1
        assert cars_in(track, state) == cars_of(game)
        assert [int(state[sim.HAND + value]) for value in range(1, 7)] == [game.hands[0].count(one) for one in "123456"]
        count = sim.choices(track, start, state, found)
        prompt = race.prompts[0]
        if count == 0:
            assert prompt.options() == ["show"]
            race.answer(1, "show")
        else:
            ours = {(int(one[0]), FINISH if one[1] == sim.END else int(one[1])) for one in found[:count]}
            assert ours == {(int(card), way[2][-1]) for card, way in prompt.values()}
            choice = found[(7 * turns) % count]
            values = prompt.values()
            at = [(int(card), way[2][-1] if way[2][-1] >= 0 else sim.END) for card, way in values].index(
                (choice[0], choice[1]))
            _same_sums(game, values[at], track, start, state, found[:count], table, units)
            race.answer(1, prompt.options()[at])
            while not race.over and race.prompts[0].ask == "ausgebremst.ask_pit_card":
                race.answer(1, race.bot_answer(1))
            if not race.over and race.prompts[0].ask == "ausgebremst.ask_draw":
                race.answer(1, "pick %d" % bots.VALUED_STACKS[choice[5] - 1])
            sim.play(track, start, state, choice)
            sim.fill_up(start, state, decks)
        sim.end_turn(track, state, 0)
    assert race.over and cars_in(track, state)[0][2] == cars_of(game)[0][2] and turns > 10


def _same_sums(game, value, track, start, state, found, table, units):
    """The bot's sums after a card are those of the tools."""
    if value[1][2][-1] == FINISH:
        return
    car = game.car(1)
    bot = bots_value._rows(game, bots_value.load(game), car, value, bots_value._cars(game, car))
    out, rows = np.empty(learn.MOST_ENTRIES, np.int64), np.empty(learn.MOST_ROWS, np.int64)
    ours = set()
    for choice in found:
        if (choice[0], choice[1]) == (int(value[0]), value[1][2][-1]):
            after = state.copy()
            sim.play(track, start, after, choice)
            worth = learn.worth_of(track, start, after, table, units, out, rows, np.empty(learn.UNITS))
            ours.add(bots_value.LOST if worth == learn.LOST else round(worth * learn.PARTS))
    assert ours == {row[0] for row in bot}


def test_a_table_is_learned_and_written(tmp_path):
    """A few races change the weights; as bytes they come back, but for the rounding, in a file that can be read."""
    source = load_track("nuerburg-ring").track
    said = []
    _, made = learn.made_table(source, "pro", 8, 1, 2, lambda text, **_: said.append(text))
    assert len(made) == bots_value.VALUES + 256 and len(set(made)) > 3 and "8 races" in said[0]
    assert learn.bytes_of(*learn.weights_of(made), True) == made
    scope = {}
    exec(learn.module_of(made, "Nürburg-Ring", "pro"), scope)
    assert scope["TABLE"] == made


def test_learning_finds_what_wins():
    """Where the car that gets home is always the one with points to waste, such places come to be worth more."""
    source = load_track("nuerburg-ring").track
    track, start = sim.track_of(source), sim.start_of(source, "family")
    sim.seed(3)
    table, units = np.zeros(learn.ENTRIES), np.zeros((learn.ROWS, learn.UNITS))
    learn.learn(track, start, table, units, 60)
    assert table[learn.SLACK:learn.SLACK_NEXT].max() > 0 > table[learn.SLACK:learn.SLACK_NEXT].min()


@pytest.mark.parametrize("number, home", [(0, True), (102, False)])
def test_hindsight_tells_races_that_nobody_can_finish(number, home):
    """What two more searches found, each by a program of its own."""
    source = load_track("nuerburg-ring").track
    track, start = sim.track_of(source), sim.start_of(source, "family")
    assert limits.can_get_home(track, start, limits.deal_of(source, "family", number)) == home


def test_a_search_drives_home_where_it_can():
    """Of a choice that ends the race and others it takes the first; playouts decide between the rest."""
    source = load_track("nuerburg-ring").track
    track, start = sim.track_of(source), sim.start_of(source, "family")
    weights = limits.table_of(source, "family")
    state = np.zeros(sim.STATE, np.int64)
    sim.begin(track, start, state)
    sim.first_hand(start, state, limits.deal_of(source, "family", 0))
    found = np.empty((sim.MOST_CHOICES, sim.CHOICE), np.int64)
    assert sim.to_player(track, start, state, limits.NONE)
    count = sim.choices(track, start, state, found)
    asked = [limits.searched(track, start, state, *weights, found, count, playouts, 7) for playouts in (0, 4, 4)]
    assert asked[1] == asked[2] and max(asked) < count
    state[sim.SPACE], state[sim.CROSSED], state[sim.STOPPED] = track.grid[0], track.laps, 1
    count = sim.choices(track, start, state, found)
    best = limits.searched(track, start, state, *weights, found, count, 4, 7)
    assert found[best, 1] == sim.END


@pytest.mark.parametrize("variant, text", [("family", "row 3: 82 spaces, 84 points"),
                                           ("pro", "row 3: 81 spaces, 83 points and 1 beside the pit lane")])
def test_what_a_row_needs_is_told(variant, text):
    assert text in limits.points_line(load_track("nuerburg-drom").track, variant)


def test_no_circuit_is_without_its_tables():
    for name in data.VALUED:
        for variant in VARIANTS:
            assert limits.table_of(load_track(name).track, variant)[0].any()
