"""Bots of Fast & Furious: how they shift, what they pay for, barriers and obstacles, what they may know."""

import pytest

from gridglow.tracks import list_tracks, load_track
from gridglow_workshop.bench import duels
from shared_rules.chance import Chance
from shared_rules.games.fast_and_furious import bots, bots_plan, cards, measured
from shared_rules.games.fast_and_furious.car import UPGRADES
from shared_rules.games.fast_and_furious.rules import Game
from shared_rules.race import Race
from shared_rules.setup import Setup

COURSES = [source.id for source in list_tracks("fast_and_furious")]


def a_setup(course, compiled, players="br", variant="street", seed="bots", decks="device", **options):
    seats = [["bot" if one == "b" else "person", "P"] for one in players]
    return Setup.from_plain({"game": "fast_and_furious", "variant": variant, "seed": seed, "players": seats, "decks": decks,
                             "options": [[key, value] for key, value in options.items()]}, compiled, Game)


def a_game(course, space, gear, hand, options=(), **state):
    """A game with the bot's car 1 at this space, the other one on the start card."""
    compiled = load_track(course).track
    setup = a_setup(course, compiled, **dict(options))
    race = Race(setup, compiled, None, Game)
    start = compiled.space_name(compiled.count - 1)
    race.arrange({"turn": 1, "cars": ["1 " + space, "2 " + start], "gears": ["1 %d" % gear, "2 0"],
                  "hands": ["1 " + " ".join(hand)], **state})
    return race.game


def said(game, prompt, seed="a"):
    """The bot's answer to a prompt."""
    answer = bots.choose(game, prompt, Chance(seed, "bots"))
    while not isinstance(answer, str):
        try:
            next(answer)
        except StopIteration as done:
            answer = done.value
    assert prompt.kind == "draw" or answer in prompt.options()
    return answer


def a_mind(game):
    """The bot's plan for this turn, before it thinks."""
    turn = next(game.turn()).turn
    first(game)
    return bots_plan.Mind(game, turn, game.course.bots_know)


def first(game):
    """The bot's answer to the first prompt of this turn."""
    return said(game, next(game.turn()))


def a_race(course, players="br", variant="street", seed="1", most=4000, **options):
    """A whole race; r answers at random."""
    compiled = load_track(course).track
    race = Race(a_setup(course, compiled, players, variant, seed, **options), compiled, None, Game)
    hands = Chance(seed, "hands")
    while not race.over and race.lines < most:
        prompt = race.prompts[0]
        bot = race.setup.is_bot(prompt.seat) or "r" not in players
        text = said(race.game, prompt) if bot and prompt.kind != "draw" else prompt.sample(hands)
        race.answer(prompt.seat or 1, text)
        race.drop_events()
    return race


@pytest.mark.parametrize("course", COURSES)
def test_it_beats_random_answers_on_every_course_and_is_never_out(course):
    for seed in "123456":
        race = a_race(course, "br" if seed in "135" else "rb", seed=seed)
        seat = 1 if race.setup.is_bot(1) else 2
        assert race.over and race.standings()[0][0] == seat
        assert race.game.car(seat).status == "done" and race.game.round <= 16


def test_a_team_of_two_bots_brings_both_cars_home():
    for seed in "1234":
        race = a_race("tag-team", "br", "tag-team", seed)
        assert race.standings()[0][0] == 1
        assert [race.game.car(number).status for number in (1, 3)] == ["home", "done"]


@pytest.mark.parametrize("course", COURSES)
def test_four_bots_come_home_with_all_that_may_be_on(course):
    for seed in "12":
        race = a_race(course, "bbbb", seed=seed, damage="yes", drivers="random", obstacles="turns", shift_in_draw="no")
        assert race.over and not [car for car in race.game.cars_ if car.status == "out"]


def before_a_corner(course):
    """The name of a space of the row before the first corner, and the corner's number."""
    track = load_track(course).track
    corner = [space for space in range(track.count) if track.limits[space]][0]
    return "%da" % (track.row(corner) - 1), track.limits[corner]


def test_gears_go_up_where_the_road_is_free_and_down_before_a_corner():
    assert first(a_game("main-event", "9a", 2, "123356")) == "shift up"
    assert first(a_game("tokyo-drift", before_a_corner("tokyo-drift")[0], 5, "123346")) == "shift down"


def at_speed(game, gear, count, speeds):
    """The prompt for one of these speeds, after a set."""
    turn = game.turn()
    prompt = next(turn)
    now = prompt.turn
    now.stage = "speed"
    now.set = (gear, count)
    now.speeds = speeds
    now.flipped = ""
    prompt._texts = None
    return prompt


def test_in_neutral_nothing_more_is_drawn():
    """The cards don't count there: neither engine power nor the gambler's card is worth using; a gear may be."""
    compiled = load_track("main-event").track
    race = Race(a_setup("main-event", compiled, drivers="chosen"), compiled, None, Game)
    race.arrange({"cars": ["1 9a", "2 9b"], "gears": ["1 1"], "hands": ["1 1 2 2 2 2 2"], "drivers": ["1 gambler"],
                  "upgrades": ["1 power 2"]})
    for text in ("play 1 1", "draw", "shift down"):
        race.answer(1, text)
    prompt = race.prompts[0]
    assert prompt.options() == ["pick 2", "shift up", "use power", "use gambler"]
    assert said(race.game, prompt) in ("pick 2", "shift up")


def test_the_finish_is_crossed_as_fast_as_can_be():
    game = a_game("main-event", "43a", 4, "12")
    assert said(game, at_speed(game, 3, 3, [5, 10, 7])) == "pick 10"


def test_a_corner_is_entered_slowly_and_tires_help_where_they_save_much():
    space, limit = before_a_corner("tokyo-drift")
    game = a_game("tokyo-drift", space, 3, "1")
    assert said(game, at_speed(game, 2, 2, [8, limit])) == "pick %d" % limit
    game = a_game("tokyo-drift", space, 3, "1", upgrades=["1 tires 4"])
    assert said(game, at_speed(game, 2, 1, [8])) == "use tires"


def test_nobody_jumps_at_a_train_who_is_too_slow():
    assert first(a_game("all-timer", "45a", 2, "123456")) == "shift up"


def test_nobody_waits_before_a_barrier_for_ever():
    """A full hand of six gears: passing brings no card, and in 6th gear three of five cards are fast enough."""
    assert first(a_game("all-timer", "45a", 6, "123456")) != "pass"


def test_damage_icons_are_left_out_where_another_speed_is_as_good():
    game = a_game("main-event", "9a", 6, "1", [("damage", "yes")])
    assert said(game, at_speed(game, 5, 2, [5, 6])) == "pick 6"
    mind = a_mind(game)
    assert mind.icon(5, 6) > 0 and mind.icon(6, 6) == 0
    free = a_game("main-event", "9a", 6, "1")
    assert a_mind(free).icon(5, 6) == 0


def test_lanes_that_lead_before_an_obstacle_in_a_corner_are_as_good_as_taken():
    game = a_game("varones-test", "8c", 3, "111", obstacles=["14c"])
    track = game.track
    there = a_mind(game).there
    assert [there[track.named(name)] for name in ("14c", "13c", "12c", "11c", "10c", "11b", "14b")] == [1, 1, 1, 1, 0, 0, 0]


def test_what_others_hold_and_the_order_of_the_deck_change_nothing():
    one, other = [a_game("main-event", "12a", 4, "123356") for _ in "12"]
    other.hands[1] = "6a6b6c"
    other.deck = "".join(reversed(cards.parted(other.deck)))
    assert one.deck != other.deck and one.hands[1] != other.hands[1] and first(one) == first(other)


def test_cards_of_which_there_are_fewest_are_paid():
    game = a_game("main-event", "9a", 2, "122444")
    turn = next(game.turn()).turn
    assert bots._discard(turn, ["discard 1", "discard 2", "discard 4"]) == "discard 1"


def test_no_upgrade_is_placed_that_the_bot_never_uses():
    assert set(bots.ORDER) == set(bots_plan.PRICES) and set(bots.ORDER) <= set(UPGRADES)
    assert len(bots.ORDER) >= 12 and len(set(bots.DRIVERS)) == 12


def test_with_the_tables_cards_its_answers_are_taken_too():
    compiled = load_track("shoulder-run").track
    setup = a_setup("shoulder-run", compiled, "rr", decks="table", damage="yes", drivers="random")
    race = Race(setup, compiled, None, Game)
    hands = Chance("1", "hands")
    while not race.over and race.lines < 3000:
        prompt = race.prompts[0]
        asked = prompt.kind == "choose" and prompt.seat == 1
        race.answer(prompt.seat or 1, said(race.game, prompt) if asked else prompt.sample(hands))
    assert race.over


def test_a_measurement_is_a_duel_on_each_course():
    assert measured.SEATS == Game.SEATS and measured.SETUPS == (("duel", "br", "ahead"),) and measured.WANTED_PERCENT == 85


def test_both_interpreters_agree(micropython):
    sides = [duels.measure_duels(2, on, ["fast_and_furious"], [variant], ["tag-team"])
             for variant in Game.VARIANTS for on in ("cpython", "micropython")]
    times = {"mean_us": 0, "most_us": 0}
    for at in (0, 2):
        assert [{**one, **times} for one in sides[at]] == [{**one, **times} for one in sides[at + 1]]
        assert [(one["won"], one["bots_out"], one["wanted_percent"]) for one in sides[at]] == [(2, 0, 85)]
