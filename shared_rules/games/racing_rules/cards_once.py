"""What the Red Cards do (RR-06). A card's move is a move: it bumps, and the space takes effect; only a second Red Card is
never drawn. Loaded when one is drawn.
"""

from shared_rules.games.racing_rules import data


def play(game, car, card):
    """Carries a card out for the car that drew it; a generator, as all that lands."""
    effect, more = data.effect(card)
    course = game.course
    before = car.space
    moves = True
    if effect == "extra-turn":
        game.gain = True
    elif effect == "lose-turn":
        game.loss = True
    elif effect == "ahead":
        _drive(game, car, course.by_number(car.space, False, more))
    elif effect in ("on-to", "use-next"):
        _drive(game, car, course.by_colour(car.space, False, more))
        if effect == "use-next":
            game.gain = True
    elif effect == "back":
        game.put(car, course.spaces_back(car.space, more))
    elif effect == "back-to":
        game.put(car, course.colour_back(car.space, more))
    elif effect == "leaders-back":
        moves = _leaders_back(game, car, more)
    elif effect == "swap-within":
        _swap(game, car, more)
    elif effect == "behind-leader":
        _close_up(game, car, more)
    if moves and car.space != before:
        yield from game.land(car, True)


def _drive(game, car, path):
    if path:
        game.drive(car, path)


def _leaders_back(game, car, steps):
    """Whoever has the fewest spaces to go; of the others' cars the space takes no notice, as of bumped ones (RR-07).
    Returns whether the car itself is one of them."""
    course = game.course
    running = game.racing()
    least = min([course.to_go(other.space) for other in running])
    leaders = [other for other in running if course.to_go(other.space) == least]
    for leader in leaders:
        game.put(leader, course.spaces_back(leader.space, steps))
        if leader is not car:
            game.bump(leader)
    return car in leaders


def _swap(game, car, most):
    """Changes places with the next car on the way ahead."""
    space = car.space
    for _ in range(most):
        space = game.course.ahead(space)
        if space < 0:
            return
        found = [other for other in game.racing() if other is not car and other.space == space]
        if found:
            game.event("moved", car.seat, [car.space, space])
            game.event("moved", found[0].seat, [space, car.space])
            found[0].space = car.space
            found[0].inward = 0
            car.space = space
            return


def _close_up(game, car, most):
    """Up to the space behind the leader, so many spaces at most."""
    course = game.course
    target = min([course.to_go(other.space) for other in game.racing()]) + 1
    path = []
    space = car.space
    while len(path) < most and course.to_go(space) > target:
        space = course.ahead(space)
        path.append(space)
    _drive(game, car, path)
