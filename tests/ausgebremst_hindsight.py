"""In how many of the bench's races of Ausgebremst anybody could get home who knew all cards beforehand.

``python tests/ausgebremst_hindsight.py [TRACK ...] [RACES]``, on the hard tracks and of 200 races without arguments: the
family game with one player among five cars that nobody drives, with the cards of ``gridglow bench --bots``. Every play is
tried until one leads home; a state that was met before isn't searched again, nor one whose points can't be enough. No bot
can do better than this, and none can know as much. In the pro game the player chooses deck and stacks besides; it isn't
searched.
"""

import json
import sys

from gridglow.tracks import load_track
from shared_rules.games.ausgebremst import measured
from shared_rules.games.ausgebremst.course import FINISH
from shared_rules.games.ausgebremst.rules import Game
from shared_rules.race import Race
from shared_rules.setup import Setup

HARD = ("nuerburg-ring", "nuerburg-drom", "nuerburg-circuit")
RACES = 200


class Few(Game):
    """One player is enough, as where bots are measured."""

    SEATS = measured.SEATS


def bench_race(track, number):
    """The race of this number, as the bench deals it."""
    setup = {"game": "ausgebremst", "variant": "family", "seed": f"duel-family-{number}", "players": [["bot", "Bot"]]}
    return Race(Setup.from_plain(setup, track, Few), track, None, Few)


def can_get_home(game):
    """Whether there is any play with which car 1 finishes; ``game`` stands before its turn. All decks are looked at."""
    met = set()
    ahead = [json.dumps(game.dump())]
    while ahead:
        state = ahead.pop()
        children = []
        for value in _plays(game, state):
            if value and value[1][2][-1] == FINISH:
                return True
            game.load(json.loads(state))
            _answer(game, value)
            car = game.car(1)
            if car.status != "run" or _need(game, car) > game.points_left(car):
                continue
            known = _known(game)
            if known not in met:
                met.add(known)
                kept = game.points_left(car) - _need(game, car)
                children.append((kept, int(value[0]) if value else 0, len(children), json.dumps(game.dump())))
        ahead += [child[3] for child in sorted(children)]
    return False


def _plays(game, state):
    """The values of all answers to the first question of this turn."""
    game.load(json.loads(state))
    return next(game.turn()).values()


def _answer(game, value):
    """Gives the answer, and lets the cars without a driver go on until car 1 is due again or the race is over."""
    turn = game.turn()
    next(turn)
    _finish(turn, value)
    while not game.over() and game.car(game.order[game.at]).derelict:
        _finish(game.turn(), None)
    game.events = []


def _finish(turn, value):
    try:
        turn.send(value)
    except StopIteration:
        return
    raise AssertionError("a second question in one turn of the family game")


def _need(game, car):
    """Spaces to go at least, with the pit lane where it is due."""
    due = game.duty(car) and not game.course.in_pit(car.space)
    return game.to_go(car) + (game.course.detour() if due else 0)


def _known(game):
    """All of a state that can matter for what follows, as a key."""
    cars = [(car.space, car.crossings, car.status, car.begun, car.stopped, car.to_go) for car in game.cars_]
    return (tuple(cars), tuple(len(deck) for deck in game.decks), game.hands[0], len(game.finished) > 0, game.moved,
            game.stalled)


def main(arguments):
    """Prints a line a track."""
    numbers = [int(word) for word in arguments if word.isdigit()]
    races = numbers[0] if numbers else RACES
    for name in [word for word in arguments if not word.isdigit()] or HARD:
        track = load_track(name).track
        home = 0
        for number in range(races):
            race = bench_race(track, number)
            assert race.prompts[0].car == 1
            home += can_get_home(race.game)
        print(f"{name}: {home} of {races} races can be finished", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
