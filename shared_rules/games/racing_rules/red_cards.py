"""What the Red Cards do (RR-06). A card's move is a normal move: it bumps, and the space takes effect; only a second Red
Card is never drawn.
"""

from shared_rules.games.racing_rules import data
from shared_rules.track_paint import COLOURS


def play(game, car, card):
    """Carries a card out for the car that drew it. Returns whether the car has made a move of its own."""
    effect, more = data.effect(card)
    course = game.course
    before = car.space
    moves = True
    if effect == "extra-turn":
        game.gain = True
    elif effect == "lose-turn":
        game.loss = True
    elif effect == "ahead":
        game.drive(car, course.by_number(car.space, False, more))
    elif effect == "next":
        game.drive(car, course.by_colour(car.space, False, more))
        if more == "green":
            game.gain = True
    elif effect == "back":
        ways = course.colour_back if more in COLOURS else course.spaces_back
        game.drive(car, ways(car.space, more))
    elif effect == "leader-back":
        moves = _leaders_back(game, car, more)
    elif effect == "swap":
        _swap(game, car, more)
    elif effect == "follow":
        _follow(game, car, more)
    return moves and car.space != before


def _leaders(game):
    """The cars with the fewest spaces to go, and that number of spaces."""
    least = min([game.to_go(car) for car in game.racing()])
    return [car for car in game.racing() if game.to_go(car) == least], least


def _leaders_back(game, car, steps):
    """Spaces have no effect on the others' cars, as on bumped ones (RR-07). Returns whether the car itself leads."""
    leaders, _ = _leaders(game)
    for leader in leaders:
        game.drive(leader, game.course.spaces_back(leader.space, steps))
        if leader is not car:
            game.bump(leader)
    return car in leaders


def _swap(game, car, most):
    """Changes places with the next car on the way ahead, if it is near enough."""
    space = car.space
    for _ in range(most):
        space = game.course.ahead(space)
        if space < 0:
            return                              # nobody before the finish
        found = [other for other in game.racing() if other is not car and other.space == space]
        if found:
            game.event("moved", car.seat, [car.space, space])
            game.event("moved", found[0].seat, [space, car.space])
            found[0].space = car.space
            car.space = space
            found[0].inward = car.inward = 0
            return


def _follow(game, car, most):
    """Moves up to the space behind the leader, at most this many spaces."""
    course = game.course
    _, least = _leaders(game)
    path = []
    space = car.space
    while len(path) < most and course.to_go(space) > least + 1:
        space = course.ahead(space)
        path.append(space)
    game.drive(car, path)
