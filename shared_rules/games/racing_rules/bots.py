"""The bot of Racing Rules: it takes the move that leaves its car best off, in spaces.

What counts: spaces to go, a turn won or lost, roads that lead away from the finish, whom it bumps, and how many faces
of a die would finish from there.
"""

from shared_rules.games.racing_rules import data

#: How many of a hundred duels it must win against random answers; in the other races there is next to nothing to decide.
AHEAD_PERCENT = (("race-3", 90), ("race-6", 75))

#: The value of a turn in spaces, by the number of dice rolled.
TURN = (0, 5, 12)
WON = 1000
RED_CARD = -1


def choose(game, prompt, chance):
    """The text of one option; a generator, so that a board's lights go on between two thoughts."""
    options = prompt.options()
    car = game.cars_[prompt.seat - 1]
    best = 0
    most = None
    if len(options) > 1:
        for at, value in enumerate(prompt.values()):
            worth = _dice(game, car, value) if type(value) is int else (yield from _path(game, car, value))
            yield
            if most is None or worth > most:
                best, most = at, worth
    return options[best]


def _dice(game, car, count):
    """One die if it could finish, else two."""
    near = game.course.to_go(car.space) <= len(game.die)
    return 1 if near == (count == 1) else 0


def _path(game, car, path):
    """The value of driving this path; [] is staying."""
    course = game.course
    space = path[-1] if path else car.space
    if space == course.finish:
        return WON
    turn = TURN[2 if game.two_dice() else 1]
    worth = -course.to_go(space)
    if path:
        worth += _effects(game, space, turn) + _bumped(game, car, space)
    if course.to_go(space) <= len(game.die):
        worth += 2 * (yield from _finishing(game, space))
    return worth


def _effects(game, space, turn):
    """The value of what the space does to a car that lands on it."""
    course = game.course
    worth = 0
    for word in game.track.marks_on(space):
        if word in game.FAST:
            worth += turn
        elif word in game.SLOW:
            worth -= turn
    if course.is_entry(space):
        inside = course.ahead(space, True)
        worth -= turn if course.on_ramp(inside) else course.to_go(inside) - course.to_go(space)
    if course.colours(space) == ("red",):
        worth += RED_CARD
    return worth


def _bumped(game, car, space):
    """Spaces that the other cars would lose."""
    course = game.course
    for other in game.racing():
        if other is not car and other.space == space and space != course.start:
            back = course.colour_back(space, course.colours(space)[0])
            return course.to_go(back[-1]) - course.to_go(space)
    return 0


def _finishing(game, space):
    """How many faces of one die would finish from here."""
    course = game.course
    count = 0
    for word in game.die:
        yield
        colour, number = data.face(word)
        numbers = course.by_number(space, False, number) if game.kind != "colours" else []
        colours = course.by_colour(space, False, colour) if game.kind != "numbers" else []
        count += course.finish in (numbers[-1:] + colours[-1:])
    return count
