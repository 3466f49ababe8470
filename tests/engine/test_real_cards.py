"""Real cards: at every question, a race with its cards on the table offers what the device's race offers once it is told
the cards that the device has drawn. Ausgebremst's hands are worked out differently and have a test of their own."""

import itertools

import pytest
import racing
from card_twins import FastAndFurious, FullThrottle, RacingRules

from gridglow.tracks import compile_layout, list_tracks, load_track
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.track import Track


def both(game, who, track, arrange=None, **more):
    """The device's race and the table's."""
    races = [racing.new_race(game, who, track, decks=decks, dice="table", laps=track.laps, **more)
             for decks in ("device", "table")]
    for race in races if arrange else ():
        race.arrange(arrange)
    return races


@pytest.mark.parametrize("variant", games.about("racing_rules").VARIANTS)
def test_red_cards(variant):
    for seed in range(5):
        twins = RacingRules(*both("racing_rules", "PPP", load_track("house-board").track, variant=variant, seed=str(seed)))
        twins.play(Chance(str(seed), "hands"))
        assert twins.compared > 10


@pytest.mark.parametrize("who", ["PP", "PPP", "PPPPPP"])
def test_betting_cards(who):
    for seed, track in itertools.product(range(3), ("track-a", "track-b")):
        twins = FullThrottle(*both("full_throttle", who, load_track(track).track, seed=str(seed)))
        twins.play(Chance(str(seed), "hands"))
        assert twins.compared > 20


FAST = "fast_and_furious"
STARTS = [(variant, track.id) for variant in games.about(FAST).VARIANTS for track in list_tracks(FAST)
          if variant == "street" or track.id == "tag-team"]


@pytest.mark.parametrize(("variant", "track"), STARTS)
def test_gear_cards(variant, track):
    for seed in range(3):
        chance = Chance("%s-%d" % (track, seed), "options")
        options = [[key, chance.die(values)] for key, values, _ in games.about(FAST).OPTIONS]
        who = "PPPP"[:chance.die([2, 4] if variant == "tag-team" else [2, 3, 4])]
        twins = FastAndFurious(*both(FAST, who, load_track(track).track, {"first": 1 + chance.below(2)}, variant=variant,
                                     options=options, seed=str(seed)))
        twins.play(Chance(str(seed), "hands"))
        assert twins.compared > 30


def test_a_speed_draw_in_neutral_is_told_nothing():
    """From 1st gear with its own set, the car may go to Neutral: then only the minimum speed is left."""
    track = Track.unpack(compile_layout("S30", 2, 1, game=FAST, level="street"))
    drawn = set()
    for seed in range(16):
        state = {"cars": ["1 1a", "2 1b"], "gears": ["1 1", "2 1"], "drivers": ["1 gambler"], "fresh": ["1"],
                 "upgrades": ["1 power 3 transmission 6", "2 power 3 transmission 6"]}
        twins = FastAndFurious(*both(FAST, "PP", track, state, options=[["drivers", "chosen"]], seed=str(seed)))
        twins.play(Chance(str(seed), "hands"))
        drawn |= twins.drawn
    assert {("power", 0), ("gambler", 0), ("power", 1), ("gambler", 1)} <= drawn


def labels(prompt):
    """The options with their labels."""
    return dict(zip(prompt.options(), prompt.labels(), strict=True))


def test_cards_above_the_hand_limit_are_told_before_and_after_the_turn():
    """The table discards them itself, so it is told how many, at the answer that ends the turn and after it."""
    track = Track.unpack(compile_layout("S8 L3v5 S20", 1, 1, game=FAST, level="street"))
    device, table = both(FAST, "PP", track, {"cars": ["1 8a", "2 20a"], "gears": ["1 4", "2 4"],
                                             "upgrades": ["1 tuning 2", "2 tuning 1"]})
    table.answer(1, "use tuning")
    table.answer(1, "number 6")
    assert labels(table.prompts[0])["pass"] == [FAST + ".pass_surplus", 1]
    for text in ("play 6 1", "draw 6", "pick 6"):
        table.answer(1, text)
    table.answer(1, "go 14a cost 3")
    table.take_events()
    assert labels(table.prompts[0])["ok"] == [FAST + ".ok_surplus", 3]
    table.answer(1, "ok")
    assert ["told", [FAST + ".told_surplus", "car:1", 3, 3]] in table.take_events()
    assert labels(table.prompts[0])["pass"] is None and labels(device.prompts[0])["pass"] is None
    table.answer(2, "pass")
    assert not [event for event in table.take_events() if event[0] == "told"]
