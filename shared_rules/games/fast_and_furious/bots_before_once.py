"""How a bot of Fast & Furious weighs gears, upgrades and sets before its move."""

from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.bots_plan_once import CRASH, TURN, expected
from shared_rules.games.fast_and_furious.course import FINISH, NONE

#: Passing where the road is free and no card would be drawn: nothing would get better.
WAIT = 300


def choose(mind, options):
    """Gears, upgrades, and a set, or pass."""
    game, turn, car = mind.game, mind.turn, mind.car
    hand = data.gears(turn.hand())
    counts = [len(hand) if game.by_table else hand.count(str(gear)) for gear in range(7)]
    steps = game.to_go(car)
    best = "pass"
    least = TURN + (CRASH if car.paused else mind.cost(steps << 6 | 1, car.gear, 0, 0))
    to = game.course.ahead[car.space]
    if len(hand) >= game.base(car) and (to == FINISH or to != NONE and mind.there[to] != 1):
        least += WAIT
    bonus = turn.bonus + (0 if car.turns else 2 * mind.tokens("tires"))
    used = "turbo" in turn.used
    turbos = (1,) if used else (0, 1) if "use turbo" in options else (0,)
    for saved in range(1 + min(2, mind.tokens("transmission"))):
        up, down = [max(1, cost - saved) for cost in turn.costs()]
        for shift in range(-3, 7):
            gear = car.gear + shift
            cards = len(hand) - (up * shift if shift > 0 else -down * shift)
            if not 0 <= gear <= 6 or cards < 0 or saved and not shift:
                continue
            first = "use transmission" if saved else "shift up" if shift > 0 else "shift down" if shift else ""
            price = saved * mind.price("transmission")
            if shift and not car.paused:
                worth = TURN + price + mind.cost(steps << 6 | 1, gear, 0, 0)
                if worth < least:
                    least, best = worth, first
            for turbo in turbos:
                if not gear + turbo:
                    continue
                if turbo and not used:
                    price += mind.price("turbo")
                worth, text = yield from _set(mind, counts, cards, gear, min(6, gear + turbo), bonus, shift, up, down)
                if worth + price < least:
                    least = worth + price
                    best = first or ("use turbo" if turbo and not used else text)
                yield
    return best if best in options else options[0]


def _set(mind, counts, cards, gear, row, bonus, shift, up, down):
    """(worth, text) of the best set with so many cards."""
    own = min(counts[gear], cards)
    any_ = max([(min(counts[one], cards), one) for one in range(1, 7) if one != gear])
    least, text = 9999, ""
    before = None
    for number in range(max(own, any_[0]), 0, -1):
        ups = (cards - number) // up if shift >= 0 else 0
        downs = (cards - number) // down if shift <= 0 else 0
        if (ups, downs) == before:
            continue
        before = (ups, downs)
        yield
        costs = []
        for speed in mind.ahead.odds[5 * row - 5:5 * row]:
            costs.append(mind.cost(mind.end(speed + bonus, 0, gear), gear, ups, downs) + mind.icon(speed, row))
            if mind._aside:
                yield
            costs.sort()
        if any_[0]:
            worth = expected(costs, min(number, any_[0]))
            if worth < least:
                least, text = worth, "play %d %d" % (any_[1], min(number, any_[0]))
        if own:
            most = mind.cost(mind.end(mind.game.box.minimum(gear) + bonus, 0, gear), gear, ups, downs)
            worth = expected([min(most, cost) for cost in costs], min(number, own))
            if worth < least:
                least, text = worth, "play %d %d" % (gear, min(number, own))
    return TURN + least, text
