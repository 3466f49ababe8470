"""The bot of Ausgebremst: it wastes as few points as it can, and stops in the pit lane as soon as a card lets it.

It looks at nothing that its seat can't see: the cars on the track and its own cards.
"""

from shared_rules.games.ausgebremst.course import FINISH


def choose(game, prompt, chance):
    """The text of one option; a generator, so that a board's lights go on between two thoughts."""
    options = prompt.options()
    if len(options) == 1 or options[0][:5] != "play ":
        return chance.die(options)
    car = game.car(prompt.car)
    best = 0
    most = None
    for at, value in enumerate(prompt.values()):
        worth = _worth(game, car, value)
        yield
        if most is None or worth > most:
            best, most = at, worth
    return options[best]


def _worth(game, car, value):
    """What it is worth to play a card so: points that are not wasted, a stop that is due."""
    if value is None:
        return -1000
    card, way = value
    end = way[2][-1]
    if end == FINISH:
        return 1000 - int(card)
    before = game.to_go(car)
    after = game.course.to_go(end, way[1])
    worth = 10 * (before - after - int(card)) + int(card)
    if game.duty(car):
        if game.course.in_pit(end):
            worth += 500
        elif end == game.course.entry and way[1] >= 2:
            worth += 100
    return worth
