"""How a bot of Fast & Furious weighs speeds, and what makes them better."""

from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.bots_plan_once import expected


def choose(mind, options):
    """A speed, or what makes it better."""
    turn, car = mind.turn, mind.car
    cards = len(turn.hand()) // 2
    row = turn.row()
    if row and "use gambler" in options:        # beside Neutral more cards say nothing, either
        return "use gambler"
    best, least = _pick(mind, turn.choices(), row, turn.bonus, turn.grip, cards)
    yield
    gain = 0
    other = ""
    for number in range(1, 1 + mind.tokens("tires")):
        first = 0 if car.turns else number
        worth = _pick(mind, turn.choices(), row, turn.bonus + 2 * first, turn.grip + number - first, cards)[1]
        if least - worth - number * mind.price("tires") > gain:
            gain, other = least - worth - number * mind.price("tires"), "use tires"
        yield
    if "use nitrous" in options:
        sum_ = 0
        values = mind.game.box.values(0)
        for value in values:
            sum_ += _pick(mind, turn.choices(), row, turn.bonus + value, turn.grip, cards)[1]
            yield
        worth = least - sum_ // len(values) - mind.price("nitrous")
        if worth > gain:
            gain, other = worth, "use nitrous"
    if row and "use power" in options and turn.set:
        most = mind.worth(turn.minimum + turn.bonus, turn.grip, cards) if turn.minimum else 9999
        costs = [min(most, mind.worth(speed + turn.bonus, turn.grip, cards) + mind.icon(speed, row))
                 for speed in mind.ahead.odds[5 * row - 5:5 * row]]
        costs.sort()
        worth = least - expected(costs, turn.set[1]) - mind.price("power")
        if worth > gain:
            gain, other = worth, "use power"
        yield
    if turn.flipped and turn.flipped[0] != "?":
        for step, text in ((1, "shift up"), (-1, "shift down")):
            if text in options:
                other_row = min(6, row + step)
                speeds = [mind.game.box.speed(card, other_row) for card in data.cards(turn.flipped)] if other_row else []
                if turn.minimum:
                    speeds.append(turn.minimum)
                car.gear += step
                worth = least - _pick(mind, speeds, other_row, turn.bonus, turn.grip,
                                           cards - turn.costs()[0 if step > 0 else 1])[1] - 1
                car.gear -= step
                if worth > gain:
                    gain, other = worth, text
                yield
    return other or "pick %d" % best


def _pick(mind, speeds, row, bonus, grip, cards):
    """(speed, worth) of the best of these."""
    best = 0
    least = None
    for speed in speeds:
        worth = mind.worth(speed + bonus, grip, cards)
        if speed != mind.turn.minimum:
            worth += mind.icon(speed, row)
        if least is None or worth < least:
            best, least = speed, worth
    return best, least if least is not None else 9999
