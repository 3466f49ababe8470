"""How a bot of Fast & Furious plans a turn: it reckons how many turns the race still lasts after all that it may do now.

``Ahead`` knows how long it takes from each row in each gear, were nobody else on the course. From there the bot weighs
gears, sets and speeds of the turn, with the cars and obstacles before it, what penalties cost in the next turn, and what
upgrades save. It looks at nothing that its seat can't see. What it thinks stands in hundredths of a turn.
"""

from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.course import FINISH, NONE

TURN = 100
#: A point of speed behind the finish line.
POINT = 8
#: What so many penalties cost in the next turn.
LOST = (0, 3, 7, 14, 24, 36, 95, 120)
#: Being out of the race.
CRASH = 2000
#: Passing where the road is free and no card would be drawn: nothing would get better.
WAIT = 300
#: How often each of five costs is the least, from the least on, of one, two or three cards; the sums of that.
WEIGHTS = ((1, 1, 1, 1, 1), (9, 7, 5, 3, 1), (61, 37, 19, 7, 1))
SUMS = (5, 25, 125)
#: What an upgrade is worth that is kept.
PRICES = {"nitrous": 8, "power": 8, "tires": 5, "turbo": 8, "transmission": 8}
#: An icon beside a speed, by the damage that the car has.
ICON = (30, 60, 999)


def think(game, turn, options):
    """The answer to a question of a turn, a generator."""
    ahead = yield from ahead_of(game)
    mind = Mind(game, turn, ahead)
    yield
    stage = turn.stage
    if stage == "before":
        return (yield from mind.before(options))
    if stage == "speed":
        return (yield from mind.speed(options))
    if stage == "move":
        return (yield from mind.move(options))
    return mind.after(options)


class Ahead:
    """What is known of a course: ``odds`` are five speeds of each gear that stand for all of them; ``turns[7 * steps +
    gear]`` how long it takes from so many steps before the finish, ``best`` the same once the gear may have been changed,
    up to ``most`` steps; ``paused`` holds (steps, as turns) of the barriers. ``shut`` are the spaces from which
    ``obstacles`` leave no way."""

    odds = turns = best = limits = barriers = shut = obstacles = None
    most = laps = 0

    def __init__(self):
        self.paused = []

    def on_barrier(self, steps):
        """The turns of each gear from a barrier."""
        return [row for at, row in self.paused if at == steps][0]


def ahead_of(game):
    """What is known of the course, a generator; it is reckoned once."""
    course = game.course
    if not hasattr(course, "bots_know") or course.bots_know.laps != game.setup.laps:
        from shared_rules.games.fast_and_furious import bots_ahead_once
        yield
        course.bots_know = yield from bots_ahead_once.begin(game)
    while len(course.bots_know.turns) <= 7 * course.bots_know.most:
        from shared_rules.games.fast_and_furious import bots_ahead_once
        yield from bots_ahead_once.grow(course.bots_know)
    return course.bots_know


def expected(costs, flips):
    """The least of some of five costs, as it comes with so many cards; the costs come sorted."""
    flips = min(flips, 3) - 1
    weights = WEIGHTS[flips]
    out = 0
    for at in range(5):
        out += costs[at] * weights[at]
    return out // SUMS[flips]


class Mind:
    """What a bot thinks of a turn."""

    def __init__(self, game, turn, ahead):
        self.game = game
        self.turn = turn
        self.car = turn.car
        self.ahead = ahead
        self.more = game.base(turn.car) - data.HAND
        self.there = bytearray(game.course.track.count)
        for car in game.cars_:
            if car is not turn.car:
                if car.block >= 0:
                    self.there[car.block] = 2
                if car.space >= 0:
                    self.there[car.space] = 1
        if game.obstacles:
            if self.ahead.obstacles != game.obstacles:
                self._shut()
            for space in self.ahead.shut:
                self.there[space] = 1
        self.last = any([car.status == "done" for car in game.cars_])
        self.lines = dict(game.course.track.barriers)
        self._ends = {}
        self._aside = False

    def _shut(self):
        """Finds the spaces from which obstacles leave no way; they are as good as taken."""
        course = self.game.course
        obstacles = self.game.obstacles
        open_ = bytearray(len(self.there))
        shut = list(obstacles)
        for row in range(course.track.rows, 0, -1):
            spaces = course.track.row_spaces(row)
            for space in spaces:
                to = course.ahead[space]
                if space not in obstacles and (to == FINISH or to < space or to != NONE and open_[to]
                                               or course.branches(space)):
                    open_[space] = 1
            for way in (-1, 1):
                for space in spaces if way > 0 else reversed(spaces):
                    if open_[space] and course.beside(space, way) >= 0 and space + way not in obstacles:
                        open_[space + way] = 1
            shut += [space for space in spaces if not open_[space]]
        self.ahead.shut = shut
        self.ahead.obstacles = list(obstacles)

    # What things cost

    def end(self, speed, grip, gear):
        """Where a move with this Speed Value ends: steps to go << 6 | penalties + 1, without the 1 where it pauses on a
        barrier."""
        key = speed << 5 | grip
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 13)
        if found & 63 < self.more + 8 + gear:
            return found
        key = key << 3 | gear + 1
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._drive_best(speed, grip, self.more + 7 + gear)
        return found

    def _drive_best(self, speed, grip, stop):
        """The end that the move straight on leads to, or one that begins with a change of lanes where that is better."""
        found = self._drive(speed, grip, 0, stop)
        if self._aside:
            for lanes in (-1, 1, -2, 2):
                if found & 63 < 2:
                    break
                other = self._drive(speed, grip, lanes, stop)
                if other is not None and (other >> 6) + (other & 63) < (found >> 6) + (found & 63):
                    found = other
        return found

    def _drive(self, speed, grip, lanes, stop):
        """The end of a move that begins with a change of lanes and then leads straight on, but for what is in the way; None
        where it can't begin so."""
        course, car, there = self.game.course, self.car, self.there
        laps = self.game.setup.laps
        ahead, limits = course.ahead, course.limits
        shown = speed - grip
        space = car.space
        left = speed
        cost = 1
        side = -1 if lanes < 0 else 1 if lanes else 0
        while lanes:
            if not left or not self._open(space, side):
                return None
            space += side
            left -= 1
            lanes -= side
        self._aside = False
        while left > 0:
            to = ahead[space]
            if to == FINISH or to < space and car.crossings + 1 >= laps and course.crosses(space, to):
                return 1 - left << 6 | cost
            if self.lines and space < course.track.in_rows and self.lines.get(course.track.row(space), 0) > speed:
                cost = 0
                break
            if to == NONE or there[to] == 1:
                self._aside = True
                way = side or (-1 if self._open(space, -1) else 1)
                if not self._open(space, way):
                    cost += left
                    break
                side = way
                space += way
                left -= 1
                continue
            space = to
            left -= 1
            limit = limits[space]
            if limit and limit < shown:
                cost += shown - limit
                if cost > stop:
                    cost = stop + 1
                    break
        return course.to_go(space, car.crossings, laps) << 6 | min(cost, 63)

    def _open(self, space, way):
        """Whether lanes can be changed there."""
        return self.game.course.sides[space] & (1 if way < 0 else 2) and self.there[space + way] != 1

    def worth(self, speed, grip, cards):
        """What a move with this Speed Value comes to, with some cards left."""
        up, down = self.turn.costs()
        return self.cost(self.end(speed, grip, self.car.gear), self.car.gear, cards // up, cards // down)

    def cost(self, end, gear, ups, downs):
        """What is still to come after a move that ends there, in a gear that may then be changed so far."""
        steps = end >> 6
        cost = (end & 63) - 1
        if steps <= 0:
            return POINT * steps
        if self.last:
            return POINT * steps + (CRASH if cost < 0 else 0)
        if cost < 0:
            return self.ahead.on_barrier(steps)[gear]
        lost = 0
        if cost:
            cost = max(0, cost - self.more)
            if cost > 6:
                gear = max(0, gear - cost + 6)
            lost = LOST[min(cost, 7)]
        turns = self.ahead.turns
        least = 9999
        for at in range(7 * steps + max(0, gear - downs), 7 * steps + min(6, gear + ups) + 1):
            least = min(least, turns[at])
        return lost + least

    def tokens(self, name):
        """How many tokens of an upgrade there are."""
        return data.DIGITS.index(self.car.upgrades[data.UPGRADES.index(name)])

    def price(self, name):
        """What a token is worth that is kept: nothing where the race ends with this turn."""
        return 0 if self.last else PRICES[name]

    # The stages of a turn

    def before(self, options):
        """Gears, upgrades, and a set, or pass."""
        game, turn, car = self.game, self.turn, self.car
        hand = data.gears(turn.hand())
        counts = [len(hand) if game.by_table else hand.count(str(gear)) for gear in range(7)]
        steps = game.to_go(car)
        best = "pass"
        least = TURN + (CRASH if car.paused else self.cost(steps << 6 | 1, car.gear, 0, 0))
        to = game.course.ahead[car.space]
        if len(hand) >= game.base(car) and (to == FINISH or to != NONE and self.there[to] != 1):
            least += WAIT
        bonus = turn.bonus + (0 if car.turns else 2 * self.tokens("tires"))
        used = "turbo" in turn.used
        turbos = (1,) if used else (0, 1) if "use turbo" in options else (0,)
        for saved in range(1 + min(2, self.tokens("transmission"))):
            up, down = [max(1, cost - saved) for cost in turn.costs()]
            for shift in range(-3, 7):
                gear = car.gear + shift
                cards = len(hand) - (up * shift if shift > 0 else -down * shift)
                if not 0 <= gear <= 6 or cards < 0 or saved and not shift:
                    continue
                first = "use transmission" if saved else "shift up" if shift > 0 else "shift down" if shift else ""
                price = saved * self.price("transmission")
                if shift and not car.paused:
                    worth = TURN + price + self.cost(steps << 6 | 1, gear, 0, 0)
                    if worth < least:
                        least, best = worth, first
                for turbo in turbos:
                    if not gear + turbo:
                        continue
                    if turbo and not used:
                        price += self.price("turbo")
                    worth, text = yield from self._set(counts, cards, gear, min(6, gear + turbo), bonus, shift, up, down)
                    if worth + price < least:
                        least = worth + price
                        best = first or ("use turbo" if turbo and not used else text)
                    yield
        return best if best in options else options[0]

    def _set(self, counts, cards, gear, row, bonus, shift, up, down):
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
            for speed in self.ahead.odds[5 * row - 5:5 * row]:
                costs.append(self.cost(self.end(speed + bonus, 0, gear), gear, ups, downs) + self.icon(speed, row))
                if self._aside:
                    yield
                costs.sort()
            if any_[0]:
                worth = expected(costs, min(number, any_[0]))
                if worth < least:
                    least, text = worth, "play %d %d" % (any_[1], min(number, any_[0]))
            if own:
                most = self.cost(self.end(self.game.box.minimum(gear) + bonus, 0, gear), gear, ups, downs)
                worth = expected([min(most, cost) for cost in costs], min(number, own))
                if worth < least:
                    least, text = worth, "play %d %d" % (gear, min(number, own))
        return TURN + least, text

    def icon(self, speed, row):
        """What a damage icon costs."""
        if not self.game.damage or speed > data.ICONS[row]:
            return 0
        return ICON[min(2, self.car.damage + (1 if self.car.control else 0))]

    def speed(self, options):
        """A speed, or what makes it better."""
        turn, car = self.turn, self.car
        if "use gambler" in options:
            return "use gambler"
        cards = len(turn.hand()) // 2
        row = turn.row()
        best, least = self._pick(turn.choices(), row, turn.bonus, turn.grip, cards)
        yield
        gain = 0
        other = ""
        for number in range(1, 1 + self.tokens("tires")):
            first = 0 if car.turns else number
            worth = self._pick(turn.choices(), row, turn.bonus + 2 * first, turn.grip + number - first, cards)[1]
            if least - worth - number * self.price("tires") > gain:
                gain, other = least - worth - number * self.price("tires"), "use tires"
            yield
        if "use nitrous" in options:
            sum_ = 0
            values = self.game.box.values(0)
            for value in values:
                sum_ += self._pick(turn.choices(), row, turn.bonus + value, turn.grip, cards)[1]
                yield
            worth = least - sum_ // len(values) - self.price("nitrous")
            if worth > gain:
                gain, other = worth, "use nitrous"
        if "use power" in options and turn.set:
            most = self.worth(turn.minimum + turn.bonus, turn.grip, cards) if turn.minimum else 9999
            costs = [min(most, self.worth(speed + turn.bonus, turn.grip, cards) + self.icon(speed, row))
                     for speed in self.ahead.odds[5 * row - 5:5 * row]]
            costs.sort()
            worth = least - expected(costs, turn.set[1]) - self.price("power")
            if worth > gain:
                gain, other = worth, "use power"
            yield
        if turn.flipped and turn.flipped[0] != "?":
            for step, text in ((1, "shift up"), (-1, "shift down")):
                if text in options:
                    other_row = min(6, row + step)
                    speeds = [self.game.box.speed(card, other_row) for card in data.cards(turn.flipped)] if other_row else []
                    if turn.minimum:
                        speeds.append(turn.minimum)
                    car.gear += step
                    worth = least - self._pick(speeds, other_row, turn.bonus, turn.grip,
                                               cards - turn.costs()[0 if step > 0 else 1])[1] - 1
                    car.gear -= step
                    if worth > gain:
                        gain, other = worth, text
                    yield
        return other or "pick %d" % best

    def _pick(self, speeds, row, bonus, grip, cards):
        """(speed, worth) of the best of these."""
        best = 0
        least = None
        for speed in speeds:
            worth = self.worth(speed + bonus, grip, cards)
            if speed != self.turn.minimum:
                worth += self.icon(speed, row)
            if least is None or worth < least:
                best, least = speed, worth
        return best, least if least is not None else 9999

    def move(self, options):
        """The best end."""
        game, car = self.game, self.car
        if "use ghost" in options:
            return "use ghost"
        cards = len(self.turn.hand()) // 2
        up, down = self.turn.costs()
        best = options[0]
        least = None
        for end in self.turn.reach().ends if not self.turn.crashes() else []:
            space, cost = end >> 5, end & 31
            after = game.course.to_go(space, car.crossings, game.setup.laps) << 6
            if end not in self.turn.reach().pauses:
                after += cost + 1
            worth = self.cost(after, car.gear, cards // up, cards // down)
            worth = 16 * worth + self.clear(space) + (8000 if self.there[space] else 0)
            if least is None or worth < least:
                least = worth
                best = "go " + game.track.space_name(space) + (" cost %d" % (end & 31) if end & 31 else "")
                yield
        finish = self.turn.reach().finish if not self.turn.crashes() else -1
        if finish >= 0 and (least is None or -16 * POINT * finish < least):
            best = "pick finish %d" % finish
        return best if best in options else options[0]

    def clear(self, space):
        """What stands in the way from there, in sixteenths."""
        course = self.game.course
        for far in range(9):
            to = course.ahead[space]
            if to == FINISH:
                break
            if to == NONE or self.there[to]:
                return 16 * (9 - far)
            space = to
        return 0

    def after(self, options):
        """A gear for the next turn."""
        steps = self.game.to_go(self.car)
        cards = len(self.turn.hand()) // 2
        up, down = self.turn.costs()
        turns = self.ahead.on_barrier(steps) if self.car.paused else self.ahead.turns[7 * steps:7 * steps + 7]
        gear = self.car.gear
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
