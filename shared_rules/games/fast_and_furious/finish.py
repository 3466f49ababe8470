"""The finish line: race end, photo finish, the winner (FF-46 to FF-48)."""

from shared_rules.games.fast_and_furious import team
from shared_rules.games.fast_and_furious.car import DONE, OFF, OUT, WAIT
from shared_rules.games.fast_and_furious.course import FINISH, NONE, entered, open_way


def cross(game, car, left):
    """The car has crossed the finish line with this much speed left (FF-47); with two teams its mate may be next (FF-53)."""
    car.crossings += 1
    if game.tag and team.come_home(game, car):
        game.event("crossed", car.number, car.crossings)
        return
    car.status = DONE
    car.space = -1
    car.left = left
    game.hands[car.number - 1] = ""
    place = [row[2] for row in game.standings() if row[1] == car.number][0]
    game.event("finished", car.number, place)


# THE WINNER (FF-48)


def order_key(game, car):
    """The rank of a car, ignoring its number: most speed left, then the highest speed in the last turn; cars on the way by
    steps to go; cars that are out; cars that never started."""
    if car.status == DONE:
        return (0, -car.left, -car.last)
    return (3 if car.status == OFF else 2 if car.status == OUT else 1, game.to_go(car), 0)


def standings(game):
    """See ``Game.standings``; equal cars share their place."""
    ranked = sorted([(order_key(game, car), car.number) for car in game.cars_])
    out = []
    for at, (key, number) in enumerate(ranked):
        place = out[-1][2] if at and key == ranked[at - 1][0] else at + 1
        out.append([game.seat_of(number), number, place, 0])
    return out


# RACE END when nobody can get any further (FF-46)


def nobody_gets_on(game):
    """Whether no car on the way can ever cross the line, whatever its cards, with all the tokens that it has or can get
    back: past the obstacles, mates that wait for such cars, and cars that never move again (FF-46)."""
    return not [car for car in game.running() if _gets_on(game, car)]


def _gets_on(game, car):
    laps = game.setup.laps - car.crossings if game.track.closed else 1
    return open_way(game.course, _in_the_way(game, car), [car.space], laps, diagonals(car))


def _in_the_way(game, car):
    """The spaces that this car can never enter: nothing that lies there can go away, not even by leaving the race."""
    closed = list(game.obstacles)
    for other in game.cars_:
        if other.status == WAIT:
            runner = team.mate(game, other)
            if runner is car or not _goes_out(game, runner):    # a team is out with one of its cars
                closed.append(other.space)
    return closed if game.damage else closed + _for_ever(game, closed)


def _goes_out(game, car):
    """Whether a car with a mate may still be junked, or reach a barrier and be too slow for it."""
    course = game.course
    if game.damage or not game.track.barriers:
        return game.damage
    closed = game.obstacles + [other.space for other in game.cars_ if other.status == WAIT]
    seen = entered(course, closed, car.space, diagonals(car))
    return any([seen[space] and space not in closed and course.barrier(space) for space in range(game.track.in_rows)])


def diagonals(car):
    """How many diagonal steps a car can still make: its aerodynamics tokens, and one that the mechanic brings back."""
    has = car.tokens("aerodynamics")
    helps = car.driver == "mechanic" and not car.helped
    return has + (1 if helps and (has or car.used_tokens("aerodynamics")) else 0)


def _for_ever(game, closed):
    """The spaces of cars that can't make a single step, now or later: what is in their way stays put, and so do they.
    A car before a barrier can go out of the race."""
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
    steps = course.aside(car.space) + [course.ahead[car.space]]
    if diagonals(car):
        steps += course.diagonals(car.space)
    last = game.finishes_next(car)
    return any([to != NONE and (to == FINISH or to not in taken or last and course.crosses(car.space, to)) for to in steps])
