"""Whether a way leads over the finish line: before an obstacle is placed, and where nobody gets on any more."""

from shared_rules.games.fast_and_furious.course import FINISH, LEFT, NONE, RIGHT
from shared_rules.games.fast_and_furious.data import DIGITS, UPGRADES
from shared_rules.games.fast_and_furious.rules import WAIT


def open_way(course, closed, spaces, laps=1, diagonals=0):
    """Whether a way leads over the line, for the last of so many times, from one of these spaces, with no more than so many
    diagonal steps in all; ``closed`` are spaces that can't be entered."""
    ways = [list(spaces)] + [[] for _ in range(diagonals)]
    for lap in range(laps):
        ways = _over_the_line(course, _marked(course, closed), ways, lap == laps - 1)
    return any(ways)


def _marked(course, closed):
    """A byte for each space, 1 where it can't be entered."""
    seen = bytearray(course.track.count)
    for space in closed:
        seen[space] = 1
    return seen


def _over_the_line(course, seen, ways, last):
    """What comes behind the line, for each number of diagonal steps: FINISH, or spaces of row 1; ``ways`` are the spaces
    where ways begin, likewise. Spaces that are ``seen`` aren't entered; those that are entered are seen from then on. The
    last time any will do; the straight way ahead is looked at first."""
    over = [[] for _ in ways]
    for used, reached in enumerate(ways):
        while reached and not (last and over[used]):
            space = reached.pop()
            if seen[space]:
                continue
            seen[space] = 1
            for to in course.diagonals(space) if used + 1 < len(ways) else ():
                _onto(course, space, to, ways[used + 1], over[used + 1])
            reached += _aside(course, space)
            _onto(course, space, course.ahead[space], reached, over[used])
    return over


def _onto(course, space, to, reached, over):
    """Notes where a step ahead leads."""
    if to == FINISH or to < space and course.crosses(space, to):
        over.append(to)
    elif to != NONE:
        reached.append(to)


def _aside(course, space):
    """Where a step leads that isn't one ahead."""
    out = course.branches(space) if course.roads else []
    sides = course.sides[space]
    if sides & LEFT:
        out.append(space - 1)
    if sides & RIGHT:
        out.append(space + 1)
    return out


def nobody_gets_on(game):
    """Whether no car that is on the way can ever come over the line, whatever its cards, with all the tokens that it has or
    can get back: past the obstacles, mates that wait for such cars, and cars that never move again (FF-46)."""
    return not [car for car in game.running() if _gets_on(game, car)]


def _gets_on(game, car):
    laps = game.setup.laps - car.crossings if game.track.closed else 1
    return open_way(game.course, _in_the_way(game, car), [car.space], laps, diagonals(game, car))


def _in_the_way(game, car):
    """The spaces that this car can never enter: of what lies there nothing can go away, not even out of the race."""
    closed = list(game.obstacles)
    for other in game.cars_:
        if other.status == WAIT:
            from shared_rules.games.fast_and_furious import tag
            runner = tag.mate(game, other)
            if runner is car or not _goes_out(game, runner):    # a team is out with one of its cars
                closed.append(other.space)
    return closed if game.damage else closed + _for_ever(game, closed)


def _goes_out(game, car):
    """Whether a car that has a mate may still be junked, or come to a barrier and be too slow for it."""
    course = game.course
    if game.damage or not game.track.barriers:
        return game.damage
    closed = game.obstacles + [other.space for other in game.cars_ if other.status == WAIT]
    seen = _marked(course, closed)
    _over_the_line(course, seen, [[car.space]] + [[] for _ in range(diagonals(game, car))], False)
    return any([seen[space] and space not in closed and course.barrier(space) for space in range(game.track.in_rows)])


def diagonals(game, car):
    """How many diagonal steps a car can still make: its tokens of aerodynamics, and one that the mechanic brings back."""
    kind = UPGRADES.index("aerodynamics")
    more = game.drives(car, "mechanic") and not car.helped and (car.upgrades[kind], car.spent[kind]) != ("0", "0")
    return DIGITS.index(car.upgrades[kind]) + (1 if more else 0)


def _for_ever(game, closed):
    """The spaces of cars that can't make a single step, now or later: what is in their way stays where it is, as they
    do. Before a barrier a car can go out of the race."""
    cars = [car for car in game.running() if not game.course.barrier(car.space)]
    while True:
        taken = closed + [car.space for car in cars]
        still = [car for car in cars if not _moves(game, car, taken)]
        if len(still) == len(cars):
            return [car.space for car in cars]
        cars = still


def _moves(game, car, taken):
    """Whether a car can make a step."""
    course = game.course
    steps = _aside(course, car.space) + [course.ahead[car.space]]
    if diagonals(game, car):
        steps += course.diagonals(car.space)
    last = car.crossings + 1 >= game.setup.laps
    return any([to != NONE and (to == FINISH or to not in taken or last and course.crosses(car.space, to)) for to in steps])
