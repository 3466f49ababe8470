"""The bot of Fast & Furious: what it answers. How it plans a turn is in ``bots_plan.py``, which a board loads when the race
is on, and what comes before the race in ``bots_once.py``.
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
        from shared_rules.games.fast_and_furious import bots_plan
        return bots_plan.think(game, prompt.turn, options)
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
