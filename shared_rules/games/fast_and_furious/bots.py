"""The bot of Fast & Furious: what it answers. How it plans a turn is in ``bots_plan_once.py``, what comes before the race in
``bots_once.py``.
"""

from shared_rules.games.fast_and_furious import data


def choose(game, prompt, chance):
    """The text of one option, or a generator that returns it."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    if not game.now or prompt.kind != "choose":
        from shared_rules.games.fast_and_furious import bots_once
        return bots_once.prepare(game, prompt, options)
    if prompt.ask[17:] in ("ask_before", "ask_speed", "ask_move", "ask_after"):
        from shared_rules.games.fast_and_furious import bots_plan_once
        return bots_plan_once.think(game, prompt.turn, options)
    return _discard(game.now, options)


def _discard(turn, options):
    """Cards of which the hand has fewest; those of the own gear and the next ones stay longest."""
    gears = data.gears(turn.hand())
    best = options[0]
    least = None
    for text in options:
        if text[:8] != "discard ":
            continue
        worth = 4 * gears.count(text[8:]) - abs(int(text[8:]) - turn.car.gear) // 2
        if least is None or worth < least:
            best, least = text, worth
    return best


class Ahead:
    """What is known of a course: ``odds`` are five speeds of each gear that stand for all of them; ``turns[7 * steps +
    gear]`` how long it takes from so many steps before the finish, ``best`` the same once the gear may have been changed,
    up to ``most`` steps; ``paused`` holds (steps, as turns) of the barriers. ``shut`` are the spaces from which
    ``obstacles`` leave no way."""

    odds = turns = best = limits = barriers = shut = obstacles = None
    most = laps = 0

    def __init__(self):
        self.paused = []

    def on_barrier(self, steps):
        """The turns of each gear from a barrier."""
        return [row for at, row in self.paused if at == steps][0]
