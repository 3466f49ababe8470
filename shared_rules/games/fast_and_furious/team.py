"""Two teams of two cars, 1 and 3 against 2 and 4, on a circular course (FF-53)."""

from shared_rules.games.fast_and_furious.car import DONE, HOME, OFF, OUT, RUN, WAIT


def mate(game, car):
    """The other car of the team."""
    return game.car((car.number + 1) % 4 + 1)


def runner(game, team):
    """The car of team 1 or 2 that runs or ran last."""
    first, second = game.car(team), game.car(team + 2)
    if first.status in (HOME, OFF) and second.status != OFF or first.status == WAIT:
        return second
    return first


def come_home(game, car):
    """A car has run its rounds: the first one of a team goes home, and its mate may start (FF-53). True if it does."""
    other = mate(game, car)
    if other.status != WAIT:
        return False
    car.status = HOME
    car.space = car.block = -1
    game.hands[car.number - 1] = ""
    other.status = RUN
    return True


def next_car(game):
    """The mate of a car that has just come home, else the other team's car."""
    car = game.car(game.at)
    if car.status == HOME and mate(game, car).status == RUN:
        game.at = mate(game, car).number
        return
    for _ in range(2):
        team = (game.at - 1) % 2 + 1
        other = runner(game, 3 - team)
        if 3 - team == (game.first - 1) % 2 + 1 and game.ends_with_round():
            return
        game.at = other.number
        if other.status == RUN:
            return


def take_out(game, car):
    """A team is out as soon as one of its cars is."""
    other = mate(game, car)
    if other.status == WAIT:
        car.to_go += game.course.lap * game.setup.laps + 1
    if other.status in (RUN, WAIT, HOME):
        other.status = OUT
        other.to_go = car.to_go
        other.space = other.block = -1
        game.hands[other.number - 1] = ""


def team_key(game, team):
    """The rank of a team."""
    car = runner(game, team)
    if car.status == OUT:
        return (2, car.to_go, 0)
    if car.status == DONE:
        return (0, -car.left, -car.last)
    return (3 if car.status == OFF else 1, to_go(game, car), 0)


def to_go(game, car):
    """A team's steps to go: those of its car, and the rounds of the waiting mate."""
    waits = mate(game, car).status == WAIT
    return game.to_go(car) + (game.course.lap * game.setup.laps + 1 if waits else 0)


def standings(game):
    """Both cars of a team have its place."""
    keys = sorted([(team_key(game, team), team) for team in (1, 2)])
    out = []
    for at, (key, team) in enumerate(keys):
        place = 1 if not at or key == keys[0][0] else 3
        for number in (team, team + 2):
            out.append([game.seat_of(number), number, place, 0])
    return out
