"""A race ends when nobody drives any more: at every question, in every variant, with all options, all people leave."""

import itertools

import pytest
from racing import copied

from gridglow.races.startup import tracks_for
from shared_rules import games, proof
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup
from shared_rules.race import Race
from shared_rules.setup import Setup

#: People leave after this many answers, at every STRIDE-th question, each race at different ones.
MOST, STRIDE = 60, 20


def races_of(game, variant):
    """A race for each combination of options, with the board's and with real cards; seats, laps and tracks vary."""
    about = games.about(game)
    tracks = list(tracks_for(game, variant))
    sources = ["device", "table"] if about.DECKS else ["device"]
    for number, (*values, decks) in enumerate(itertools.product(*[values for _, values, _ in about.OPTIONS], sources)):
        chance = Chance("%s-%d" % (variant, number), "setup")
        track = tracks[number % len(tracks)].track
        plain = {"game": game, "variant": variant, "seed": str(number), "decks": decks, "laps": track.laps,
                 "options": [[key, value] for (key, _, _), value in zip(about.OPTIONS, values, strict=True)]}
        few, most = about.SEATS
        while True:
            plain["players"] = [["person", "P%d" % seat] for seat in range(few + chance.below(most - few + 1))]
            try:
                yield Race(Setup.from_plain(plain, track), track)
                break
            except BadSetup:            # teams need an even number, or few enough for two bikes each
                continue


def all_leave(race, chance):
    """All leave, in any order, and some of those still there play on in between."""
    seats = list(race.setup.seats())
    chance.shuffle(seats)
    for seat in seats:
        if race.over:                   # the one who was left has finished
            return
        race.answer(seat, "leave")
        if race.prompts and chance.below(3) == 0:
            prompt = chance.die(race.prompts)
            race.answer(prompt.seat or [one for one in seats if one not in race.left][0], prompt.sample(chance))


EVERY = [(game, variant) for game in games.NAMES for variant in games.about(game).VARIANTS]


@pytest.mark.parametrize(("game", "variant"), EVERY)
def test_all_people_leave(game, variant):
    for number, race in enumerate(races_of(game, variant)):
        chance = Chance(str(number), "hands")
        for answers in range(MOST):
            if race.over:
                break
            if answers % STRIDE == number % STRIDE:
                left = copied(race)
                all_leave(left, chance)
                asked = [prompt.ask for prompt in left.prompts]
                assert left.over, f"at {race.prompts[0].ask} all have left, and {asked} is asked with {race.setup.options}"
                assert proof.replay(left.journal(), race.track)["problem"] is None
            prompt = chance.die(race.prompts)
            race.answer(prompt.seat or 1, prompt.sample(chance))
