"""Whether a way leads over the finish line: before an obstacle is placed, and where nobody gets on any more."""

from shared_rules.games.fast_and_furious.course import FINISH, NONE
from shared_rules.games.fast_and_furious.data import AERODYNAMICS


def open_way(course, closed, spaces, diagonal=False):
    """Whether a way leads over the line from one of these spaces; ``closed`` are spaces that can't be entered."""
    seen = bytearray(course.track.count)
    for space in closed + spaces:
        seen[space] = 1
    reached = list(spaces)
    for space in reached:
        more = [course.ahead[space]] + course.branches(space) + [course.beside(space, -1), course.beside(space, 1)]
        for to in more + (course.diagonals(space) if diagonal else []):
            if to == FINISH or 0 <= to < FINISH and course.crosses(space, to):
                return True
            if 0 <= to != NONE and not seen[to]:
                seen[to] = 1
                reached.append(to)
    return False


def nobody_gets_on(game):
    """Whether no car that is on the way can ever come over the line: each stands before obstacles that it can't get past,
    or behind such cars in a corner."""
    stuck = []
    free = game.running()
    while True:
        closed = game.obstacles + [car.space for car in stuck]
        more = [car for car in free if not open_way(game.course, closed, [car.space], car.upgrades[AERODYNAMICS] != "0")]
        if not more:
            return not free
        stuck += more
        free = [car for car in free if car not in more]
