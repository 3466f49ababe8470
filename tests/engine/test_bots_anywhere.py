"""Bots are asked for an answer for any seat, at every question of random play: they never fail, answer with
an offered option, and say the same on both interpreters."""

import pytest

from gridglow.races.interpreters import NAMES, Interpreter
from gridglow.races.proofs import RandomRace, random_races
from gridglow.tracks import load_track
from shared_rules import games

#: Random races that reach rare situations: engine power while the car is in Neutral with its speeds on the table.
RARE = {"fast_and_furious": [("street", "street-20", "tag-team"), ("street", "street-47", "brasil")]}


def said(on, drawn):
    """The bots' answers in these races on one interpreter."""
    with Interpreter(on) as child:
        return [child.on_track(race.pack).ask({**race.job, "job": "bots"}, race.seed) for race in drawn]


@pytest.mark.parametrize("game", games.NAMES)
def test_bots_answer_for_any_seat_at_any_question(game, micropython):
    rare = [RandomRace(game, variant, seed, track, load_track(track).pack) for variant, seed, track in RARE.get(game, ())]
    here, there = (said(on, random_races(game, 1) + rare) for on in NAMES)
    more = said("cpython", random_races(game, 4))
    assert [one["problem"] for one in here + more if one["problem"]] == []
    assert here == there
    assert sum(one["asked"] for one in here) > 30 and sum(one["asked"] for one in more) > 100
