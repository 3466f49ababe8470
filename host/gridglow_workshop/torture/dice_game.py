"""A race in which everybody rolls in turn and nothing else happens: so the trial `dice` gets rolls the same way as
every game, from the question to the journal."""

from __future__ import annotations

from functools import cache

from gridglow.races.startup import race_setup
from shared_rules.errors import BadText
from shared_rules.game import Game
from shared_rules.prompts import Roll
from shared_rules.race import Race
from shared_rules.setup import Setup

SEATS = 4
#: Dice rolled together, and rolls per seat in a race.
TOGETHER, ROUNDS = 10, 25
ROLLS_A_RACE = SEATS * ROUNDS * TOGETHER


class Rolling(Game):
    """The tiny game. ``die`` is the die rolled."""

    ID = "rolling"
    fields = ("rounds",)
    die: tuple = ()

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.rounds = 0

    def turn(self):
        for seat in self.setup.seats():
            yield Roll(seat, [self.die] * TOGETHER, "moto_grand_prix.ask_roll")
        self.rounds += 1

    def over(self):
        return self.rounds == ROUNDS


@cache
def _start():
    return race_setup(track="gp-ring", seats=SEATS, seed="dice")


def _begun(seed: str):
    """A set-up with this seed, and its track."""
    start = _start()
    return Setup.from_plain({**start.setup.plain(), "seed": seed}, start.track.track), start.track.track


def rolls_of(die: tuple, seed: str) -> list[list]:
    """The faces that each seat rolled in one race, by seat."""
    setup, track = _begun(seed)
    race = Race(setup, track, None, type("RollingDie", (Rolling,), {"die": die}))
    kinds = {str(face): face for face in die}
    found: list[list] = [[] for _ in range(SEATS)]
    while not race.over:
        seat = race.prompts[0].seat
        said = race.answer(seat, "roll").split(" ")
        if len(said) != TOGETHER + 1:
            raise BadText(f"Expected {TOGETHER} dice, got {said}.")
        found[seat - 1] += [kinds[word] for word in said[1:]]
    return found
