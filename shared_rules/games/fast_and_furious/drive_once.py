"""A car moves: the route to the end that was chosen, penalties, gears, the line. Loaded once it does."""

from shared_rules.games.fast_and_furious.turn import AFTER, END


def move(turn, words):
    """The car moves to an end, over the finish line, or against a barrier: the words of the answer tell it."""
    game, car = turn.game, turn.car
    turn.moved = True
    if words[1] == "crash":
        game.event("told", ["fast_and_furious.told_crash", "car:%d" % car.number])
        game.take_out(car)
        turn.stage = END
        return
    _drive(turn, turn.moving(words))
    turn.turn_over()
    turn.stage = AFTER if car.status == "run" else END


def foreseen(turn, move):
    """Keeps the move of the answer that follows (see ``Turn.moving``)."""
    turn.route = move


def _drive(turn, move):
    """Takes the car to a space at a cost of penalties, or over the finish line."""
    game, car = turn.game, turn.car
    course = game.course
    end, pauses, left, path = move
    space, cost = (end >> 5, end & 31) if end >= 0 else (-1, 0)
    turn.drop_reach()
    before = course.barrier(car.space)
    if path is None:
        from shared_rules.games.fast_and_furious.trace_once import Trace
        work = Trace(turn.road(), *turn.way()).tracing(end)
    while path is None:                                         # not by a function: a Pico's stack is short
        try:
            next(work)
        except StopIteration as done:
            path = done.value
    car.block = -1                                              # (FF-41)
    _show(turn, path, cost)
    car.penalties = cost
    down = max(0, cost - game.base(car))
    if down:                                                    # (FF-28)
        car.gear = max(0, car.gear - down)
        game.event("told", ["fast_and_furious.told_gear", "car:%d" % car.number, car.gear])
    if space < 0:
        _over_the_line(turn, left)
        return
    crossed = len([1 for one, other in zip(path, path[1:]) if course.crosses(one, other)])
    if crossed:
        car.crossings += crossed
        game.event("crossed", car.number, car.crossings)
    same_row = before and course.barrier(space) == before and game.track.row(space) == game.track.row(car.space)
    car.paused = 1 if pauses or car.paused and same_row else 0
    car.space = space
    if pauses:
        game.event("told", ["fast_and_furious.told_pause", "car:%d" % car.number])


def _show(turn, path, cost):
    """Tells of the route, and of the penalties as the car comes to each corner space, those of a block at its end."""
    game, car = turn.game, turn.car
    shown = turn.speed_value() - turn.grip
    part = [path[0]]
    paid = 0
    spare = 1 if game.drives(car, "apex") else 0
    drift = "steering" in turn.used and car.gear == 3
    for space in path[1:]:
        part.append(space)
        limit = game.course.limits[space]
        if not limit or drift:
            continue
        over = min(max(0, shown - limit - spare), cost - paid)
        spare = 0
        if over > 0:
            game.event("moved", car.number, part)
            _pay(game, car, paid, over)
            paid += over
            part = [space]
    if len(part) > 1:
        game.event("moved", car.number, part)
    _pay(game, car, paid, cost - paid)


def _pay(game, car, paid, more):
    """Tells that so many penalties more are due after those that were paid: cards of the hand limit, then gears (FF-28)."""
    cards = min(more, max(0, game.base(car) - paid))
    for key, points in (("limit", cards), ("gear", min(more - cards, car.gear - max(0, paid - game.base(car))))):
        if points > 0:
            game.event("spent", car.number, "fast_and_furious.dial_" + key, points)


def _over_the_line(turn, left):
    """The car has crossed the finish line with so much speed left (FF-47)."""
    game, car = turn.game, turn.car
    car.crossings += 1
    if game.tag:
        from shared_rules.games.fast_and_furious import tag
        if tag.come_home(game, car):
            game.event("crossed", car.number, car.crossings)
            return
    car.status = "done"
    car.space = -1
    car.left = left
    game.hands[car.number - 1] = ""
    place = [row[2] for row in game.standings() if row[1] == car.number][0]
    game.event("finished", car.number, place)
