"""Before the race: pole position, and the grid after a qualifying lap."""

from shared_rules.games.moto_grand_prix.bike import RACING
from shared_rules.games.moto_grand_prix.rules import BASIC, QUALIFYING, RACE

# DETERMINING POLE POSITION (MG-09)

def determine_pole_position(game):
    """Everybody rolls two dice without flipping; the highest gets the pole. Those who tie roll again, among
    themselves."""
    order = [[bike.number for bike in game.bikes]]
    while any([len(tied) > 1 for tied in order]):
        rolling = []
        for tied in order:
            rolling += tied if len(tied) > 1 else []
        rolled = yield from game.roll_together(rolling, "moto_grand_prix.ask_pole", "MG-09")
        order = _split_ties(order, [(number, sum(faces)) for number, faces in rolled])
    for place, tied in enumerate(order):
        put_on_grid(game, game.bike(tied[0]), place + 1)
    lap = game.setup.option("qualifying") == "lap" and game.setup.variant != BASIC
    game.phase = QUALIFYING if lap else RACE
    game.new_game_turn()


def put_on_grid(game, bike, place):
    """At its start position, with a full dashboard."""
    bike.space = game.circuit.start_position(place)
    bike.status = RACING
    bike.crossings = bike.place = 0
    bike.refill()
    game.event("grid", bike.number, bike.space)


def end_qualifying(game):
    """The ranking of the qualifying lap is the grid of the race (MG-23)."""
    for place, bike in enumerate(game.ranking()):
        if bike.seat not in game.gone:
            put_on_grid(game, bike, place + 1)
    game.phase = RACE
    game.game_turn = 0


def _split_ties(order, totals):
    """The groups of ``order`` with each group that rolled again split by its totals, high first."""
    out = []
    for tied in order:
        if len(tied) == 1:
            out.append(tied)
            continue
        rolled = [(total, number) for number, total in totals if number in tied]
        for total in sorted(set([total for total, _ in rolled]), reverse=True):
            out.append(sorted([number for other, number in rolled if other == total]))
    return out
