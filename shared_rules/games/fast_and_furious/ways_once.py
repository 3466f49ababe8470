"""Whether a way leads over the finish line: before an obstacle is placed, and where nobody gets on any more."""

from shared_rules.games.fast_and_furious.course import FINISH, NONE
from shared_rules.games.fast_and_furious.data import UPGRADES
from shared_rules.games.fast_and_furious.rules import WAIT


def open_way(course, closed, spaces, laps=1, diagonal=False):
    """Whether a way leads over the line, for the last of so many times, from one of these spaces; ``closed`` are spaces that
    can't be entered."""
    for lap in range(laps):
        over = _over_the_line(course, closed, spaces, diagonal, lap == laps - 1)
        spaces = [space for space in over if space < FINISH and space not in closed]
        if not over or lap < laps - 1 and not spaces:
            return False
    return True


def _over_the_line(course, closed, spaces, diagonal, any_will_do):
    """What comes behind the line, coming from these spaces: FINISH, or spaces of row 1; the straight way ahead first."""
    seen = bytearray(course.track.count)
    for space in closed + spaces:
        seen[space] = 1
    reached = list(spaces)
    over = []
    while reached and not (over and any_will_do):
        space = reached.pop()
        more = course.diagonals(space) if diagonal else []
        more = more + [course.beside(space, -1), course.beside(space, 1)] + course.branches(space) + [course.ahead[space]]
        for to in more:
            if to == FINISH or 0 <= to < FINISH and course.crosses(space, to):
                over.append(to)
            elif 0 <= to != NONE and not seen[to]:
                seen[to] = 1
                reached.append(to)
    return over


def nobody_gets_on(game):
    """Whether no car that is on the way can ever come over the line: each stands before obstacles that it can't get past,
    behind such cars in a corner, or beside mates that wait for such cars."""
    stuck = [car for car in game.cars_ if car.status == WAIT]
    free = game.running()
    while True:
        closed = game.obstacles + [car.space for car in stuck]
        more = [car for car in free if not _gets_on(game, car, closed)]
        if not more:
            return not free
        stuck += more
        free = [car for car in free if car not in more]


def _gets_on(game, car, closed):
    laps = game.setup.laps - car.crossings if game.track.closed else 1
    return open_way(game.course, closed, [car.space], laps, car.upgrades[UPGRADES.index("aerodynamics")] != "0")
