"""How a bot of Fast & Furious weighs the ends of its move, and the gears after it."""

from shared_rules.games.fast_and_furious.bots_plan_once import POINT, PRICES
from shared_rules.games.fast_and_furious.course import FINISH, NONE


def choose(mind, options):
    """The best end."""
    game, car = mind.game, mind.car
    if "use ghost" in options:
        return "use ghost"
    cards = len(mind.turn.hand()) // 2
    up, down = mind.turn.costs()
    best = options[0]
    least = None
    for end in mind.turn.reach().ends if not mind.turn.crashes() else []:
        space, cost = end >> 5, end & 31
        after = game.course.to_go(space, car.crossings, game.setup.laps) << 6
        if end not in mind.turn.reach().pauses:
            after += cost + 1
        worth = mind.cost(after, car.gear, cards // up, cards // down)
        worth = 16 * worth + _clear(mind, space) + (8000 if mind.there[space] else 0)
        if least is None or worth < least:
            least = worth
            best = "go " + game.track.space_name(space) + (" cost %d" % (end & 31) if end & 31 else "")
            yield
    finish = mind.turn.reach().finish if not mind.turn.crashes() else -1
    if finish >= 0 and (least is None or -16 * POINT * finish < least):
        best = "pick finish %d" % finish
    return best if best in options else options[0]


def _clear(mind, space):
    """What stands in the way from there, in sixteenths."""
    course = mind.game.course
    for far in range(9):
        to = course.ahead[space]
        if to == FINISH:
            break
        if to == NONE or mind.there[to]:
            return 16 * (9 - far)
        space = to
    return 0


def after(mind, options):
    """A gear for the next turn."""
    steps = mind.game.to_go(mind.car)
    cards = len(mind.turn.hand()) // 2
    up, down = mind.turn.costs()
    turns = mind.ahead.on_barrier(steps) if mind.car.paused else mind.ahead.turns[7 * steps:7 * steps + 7]
    gear = mind.car.gear
    best = min(turns[max(0, gear - cards // down):min(6, gear + cards // up) + 1])
    if best < turns[gear] - 1:
        if "shift up" in options and best in list(turns[gear + 1:]):
            return "shift up"
        if "shift down" in options:
            return "shift down"
    for text in options:
        if text[:12] == "use handling" or text[:12] == "use mechanic" and text[13:] in PRICES:
            return text
    return "ok"
