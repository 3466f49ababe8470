"""The answers of a bot of Fast & Furious, before a race and at each stage of a turn. ``bots_plan.py`` works out what an
answer leads to.

The bot estimates how many turns the race will still last after each thing that it may do now, and takes the one with the
fewest. It looks only at what its seat can see.
"""

from shared_rules.games.fast_and_furious import cards as gear_cards
from shared_rules.games.fast_and_furious.bots_plan import (
    CRASH,
    MOST,
    POINT,
    PRICES,
    TURN,
    Mind,
    ahead_of,
    expected,
    way_to_go,
)
from shared_rules.games.fast_and_furious.car import count
from shared_rules.games.fast_and_furious.course import FINISH, NONE
from shared_rules.games.fast_and_furious.reach import ahead_to, cost_of, space_of

#: Drivers, the best first.
DRIVERS = ("anchor", "quickshift", "tuner", "launch", "mechanic", "gambler", "apex", "heeltoe", "ghost", "weaver", "ice",
           "brawler")
#: Upgrades in the order in which they are placed.
ORDER = ("transmission", "tires", "transmission", "tires", "nitrous", "power", "tires", "tires", "power", "turbo", "power",
         "turbo")
#: Passing when the road is free and no card would be drawn: nothing would get better.
WAIT = 300


def choose(game, prompt, chance):
    """The text of one option, or a generator that returns it."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    ask = prompt.ask.split(".")[1]
    if not game.now or prompt.kind != "choose":
        return _prepare(game, prompt, ask, options)
    if ask in ("ask_before", "ask_speed", "ask_move", "ask_after"):
        return _think(game, prompt.turn, options)
    return _discard(game.now, options)


# Before the race


def _prepare(game, prompt, ask, options):
    """A driver, an upgrade, a place on the start card; the first option for any other question."""
    if ask == "ask_driver":
        for name in DRIVERS:
            if "pick " + name in options:
                return "pick " + name
    if ask == "ask_upgrade":
        had = game.chosen[prompt.car - 1]
        for at, name in enumerate(ORDER):
            if count(had, name) < ORDER[:at + 1].count(name) and "pick " + name in options:
                return "pick " + name
    if ask == "ask_place":
        return max([(_lane(game, game.track.named(text[3:])), -at, text) for at, text in enumerate(options)])[2]
    return options[0]


def _lane(game, space):
    """How far the lane ahead is free of obstacles."""
    far = 0
    while far < 12 and space < FINISH and space not in game.obstacles:
        far += 1
        space = game.course.ahead[space]
    return far


# A turn


def _think(game, turn, options):
    """The answer to a question of a turn; a generator."""
    ahead = yield from ahead_of(game)
    mind = Mind(game, turn, ahead)
    yield
    if turn.stage == turn.BEFORE:
        return (yield from _before(mind, options))
    if turn.stage == turn.SPEED:
        return (yield from _speed(mind, options))
    if turn.stage == turn.MOVE:
        return (yield from _move(mind, options))
    return _after(mind, options)


def _discard(turn, options):
    """Discards cards of which the hand has fewest; those of its own gear and the next ones stay longest."""
    gears = gear_cards.gears(turn.hand())
    best = options[0]
    least = None
    for text in options:
        if text[:8] != "discard ":
            continue
        worth = 4 * gears.count(text[8:]) - abs(int(text[8:]) - turn.car.gear) // 2
        if least is None or worth < least:
            best, least = text, worth
    return best


def _before(mind, options):
    """Gears, upgrades, and a set, or pass."""
    game, turn, car = mind.game, mind.turn, mind.car
    hand = gear_cards.gears(turn.hand())
    counts = [len(hand) if game.by_table else hand.count(str(gear)) for gear in range(gear_cards.GEARS + 1)]
    here = way_to_go(game.to_go(car), 0)
    best = "pass"
    least = TURN + (CRASH if car.paused else mind.cost(here, car.gear, 0, 0))
    if len(hand) >= car.base() and mind.is_free(game.course.ahead[car.space]):
        least += WAIT
    bonus = turn.bonus + (0 if car.turns else 2 * car.tokens("tires"))
    used = "turbo" in turn.used
    turbos = (1,) if used else (0, 1) if "use turbo" in options else (0,)
    for saved in range(1 + min(2, mind.car.tokens("transmission"))):
        up, down = [max(1, cost - saved) for cost in turn.costs()]
        for shift in range(-3, 7):
            gear = car.gear + shift
            cards = len(hand) - (up * shift if shift > 0 else -down * shift)
            if not 0 <= gear <= gear_cards.GEARS or cards < 0 or saved and not shift:
                continue
            first = "use transmission" if saved else "shift up" if shift > 0 else "shift down" if shift else ""
            price = saved * mind.price("transmission")
            if shift and not car.paused:
                worth = TURN + price + mind.cost(here, gear, 0, 0)
                if worth < least:
                    least, best = worth, first
            for turbo in turbos:
                if not gear + turbo:
                    continue
                if turbo and not used:
                    price += mind.price("turbo")
                row = min(gear_cards.GEARS, gear + turbo)
                worth, text = yield from _set(mind, counts, cards, gear, row, bonus, shift, up, down)
                if worth + price < least:
                    least = worth + price
                    best = first or ("use turbo" if turbo and not used else text)
                yield
    return best if best in options else options[0]


def _set(mind, counts, cards, gear, row, bonus, shift, up, down):
    """(value, text) of the best set with this many cards."""
    own = min(counts[gear], cards)
    any_, any_gear = max([(min(counts[one], cards), one) for one in range(1, gear_cards.GEARS + 1) if one != gear])
    least, text = MOST, ""
    before = None
    for number in range(max(own, any_), 0, -1):
        ups = (cards - number) // up if shift >= 0 else 0
        downs = (cards - number) // down if shift <= 0 else 0
        if (ups, downs) == before:
            continue
        before = (ups, downs)
        yield
        costs = []
        for speed in mind.ahead.speeds(row):
            costs.append(mind.cost(mind.end(speed + bonus, 0, gear), gear, ups, downs) + mind.icon(speed, row))
            if mind.aside:
                yield
            costs.sort()
        if any_:
            worth = expected(costs, min(number, any_))
            if worth < least:
                least, text = worth, "play %d %d" % (any_gear, min(number, any_))
        if own:
            most = mind.cost(mind.end(mind.game.box.minimum(gear) + bonus, 0, gear), gear, ups, downs)
            worth = expected([min(most, cost) for cost in costs], min(number, own))
            if worth < least:
                least, text = worth, "play %d %d" % (gear, min(number, own))
    return TURN + least, text


def _speed(mind, options):
    """A speed, or something that improves it."""
    turn, car = mind.turn, mind.car
    cards = gear_cards.size(turn.hand())
    row = turn.row()
    if row and "use gambler" in options:        # beside Neutral more cards have no speed, either
        return "use gambler"
    best, least = _best(mind, turn.choices(), row, turn.bonus, turn.grip, cards)
    yield
    gain = 0
    other = ""
    for number in range(1, 1 + mind.car.tokens("tires")):
        first = 0 if car.turns else number
        worth = _best(mind, turn.choices(), row, turn.bonus + 2 * first, turn.grip + number - first, cards)[1]
        if least - worth - number * mind.price("tires") > gain:
            gain, other = least - worth - number * mind.price("tires"), "use tires"
        yield
    if "use nitrous" in options:
        sum_ = 0
        values = mind.game.box.values(0)
        for value in values:
            sum_ += _best(mind, turn.choices(), row, turn.bonus + value, turn.grip, cards)[1]
            yield
        worth = least - sum_ // len(values) - mind.price("nitrous")
        if worth > gain:
            gain, other = worth, "use nitrous"
    if row and "use power" in options and turn.set:
        most = mind.worth(turn.minimum + turn.bonus, turn.grip, cards) if turn.minimum else MOST
        costs = [min(most, mind.worth(speed + turn.bonus, turn.grip, cards) + mind.icon(speed, row))
                 for speed in mind.ahead.speeds(row)]
        costs.sort()
        worth = least - expected(costs, turn.set[1]) - mind.price("power")
        if worth > gain:
            gain, other = worth, "use power"
        yield
    if turn.flipped and not mind.game.by_table:
        up, down = turn.costs()
        for step, text, cost in ((1, "shift up", up), (-1, "shift down", down)):
            if text in options:
                other_row = min(gear_cards.GEARS, row + step)
                box = mind.game.box
                speeds = [box.speed(card, other_row) for card in gear_cards.parted(turn.flipped)] if other_row else []
                if turn.minimum:
                    speeds.append(turn.minimum)
                car.gear += step
                worth = least - _best(mind, speeds, other_row, turn.bonus, turn.grip, cards - cost)[1] - 1
                car.gear -= step
                if worth > gain:
                    gain, other = worth, text
                yield
    return other or "pick %d" % best


def _best(mind, speeds, row, bonus, grip, cards):
    """(speed, value) of the best of these."""
    best = 0
    least = None
    for speed in speeds:
        worth = mind.worth(speed + bonus, grip, cards)
        if speed != mind.turn.minimum:
            worth += mind.icon(speed, row)
        if least is None or worth < least:
            best, least = speed, worth
    return best, least if least is not None else MOST


def _move(mind, options):
    """The best end of the move."""
    game, car = mind.game, mind.car
    if "use ghost" in options:
        return "use ghost"
    if mind.turn.crashes():
        return options[0]
    cards = gear_cards.size(mind.turn.hand())
    up, down = mind.turn.costs()
    best = options[0]
    least = None
    reach = mind.turn.reach()
    for end in reach.ends:
        space, cost = space_of(end), cost_of(end)
        after = way_to_go(game.course.to_go(space, car.crossings, game.setup.laps), -1 if end in reach.pauses else cost)
        worth = mind.cost(after, car.gear, cards // up, cards // down)
        worth = 16 * worth + _in_the_way(mind, space) + (8000 if mind.there[space] else 0)
        if least is None or worth < least:
            least = worth
            best = ahead_to(game.track.space_name(space), cost)
            yield
    if reach.finish >= 0 and (least is None or -16 * POINT * reach.finish < least):
        best = "pick finish %d" % reach.finish
    return best if best in options else options[0]


def _in_the_way(mind, space):
    """How much stands in the way from there, in sixteenths."""
    course = mind.game.course
    for far in range(9):
        to = course.ahead[space]
        if to == FINISH:
            break
        if to == NONE or mind.there[to]:
            return 16 * (9 - far)
        space = to
    return 0


def _after(mind, options):
    """A gear for the next turn."""
    steps = mind.game.to_go(mind.car)
    cards = gear_cards.size(mind.turn.hand())
    up, down = mind.turn.costs()
    turns = mind.ahead.on_barrier(steps) if mind.car.paused else mind.ahead.from_here(steps)
    gear = mind.car.gear
    best = min(turns[max(0, gear - cards // down):min(gear_cards.GEARS, gear + cards // up) + 1])
    if best < turns[gear] - 1:
        if "shift up" in options and best in list(turns[gear + 1:]):
            return "shift up"
        if "shift down" in options:
            return "shift down"
    for text in options:
        if text[:12] == "use handling" or text[:12] == "use mechanic" and text[13:] in PRICES:
            return text
    return "ok"
