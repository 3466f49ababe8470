"""The bot of Fast & Furious: it reckons how many turns the race still lasts after all that it may do now.

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
LOST = (0, 4, 10, 20, 32, 46, 105, 130)
#: Being out of the race.
CRASH = 2000
#: What an upgrade is worth that is kept.
PRICES = {"nitrous": 14, "power": 14, "tires": 9, "turbo": 14, "transmission": 14}
#: An icon beside a speed, by the damage that the car has.
ICON = (30, 60, 999)


def choose(game, prompt, chance):
    """The text of one option, or a generator that returns it."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    if not game.now or prompt.kind != "choose":
        return _prepare(game, prompt, options)
    turn = prompt.turn if prompt.ask[17:] in ("ask_before", "ask_speed", "ask_move", "ask_after") else None
    if not turn:
        return _discard(game, game.now, options)
    return _think(Mind(game, turn), options)


def _think(mind, options):
    ahead = mind.ahead
    while ahead.rows < ahead.most:
        ahead.grow()
        yield
    stage = mind.turn.stage
    if stage == "before":
        return (yield from mind.before(options))
    if stage == "speed":
        return (yield from mind.speed(options))
    if stage == "move":
        return (yield from mind.move(options))
    return mind.after(options)


def ahead(game):
    """What is known of the course."""
    found = getattr(game.course, "ahead_of_bots", None)
    if not found:
        from shared_rules.games.fast_and_furious import bots_ahead_once
        found = game.course.ahead_of_bots = bots_ahead_once.Ahead(game)
    return found


def expected(costs, flips):
    """The least of some costs, each of which stands with its count of cards as cost << 5 | count, of so many cards."""
    flips = min(flips, 3)
    costs.sort()
    every = rest = sum([one & 31 for one in costs])
    out = 0
    for one in costs:
        after = rest - (one & 31)
        out += (one >> 5) * (rest ** flips - after ** flips)
        rest = after
    return out // every ** flips


def _prepare(game, prompt, options):
    """What comes before the race."""
    from shared_rules.games.fast_and_furious import bots_once
    return bots_once.prepare(game, prompt, options)


def _discard(game, turn, options):
    """Cards of which the hand has fewest; those of the own gear and the next ones stay longest."""
    gears = data.gears(turn.hand())
    best = options[0]
    least = None
    for text in options:
        if text[:8] != "discard ":
            continue
        worth = 4 * gears.count(text[8:]) - abs(int(text[8:]) - turn.car.gear) // 2
        if least is None or worth < least:
            best, least = text, worth
    return best


class Mind:
    """What a bot thinks of a turn."""

    def __init__(self, game, turn):
        self.game = game
        self.turn = turn
        self.car = turn.car
        self.ahead = ahead(game)
        self.there = bytearray(game.course.track.count)
        for car in game.cars_:
            if car is not turn.car:
                if car.block >= 0:
                    self.there[car.block] = 2
                if car.space >= 0:
                    self.there[car.space] = 1
        for space in game.obstacles:
            self.there[space] = 1
        if game.obstacles:
            self._dead_ends()
        self.last = any([car.status == "done" for car in game.cars_])
        self._ends = {}

    def _dead_ends(self):
        """Spaces from which obstacles leave no way are as good as taken."""
        course = self.game.course
        obstacles = self.game.obstacles
        open_ = bytearray(len(self.there))
        for row in range(course.track.rows, 0, -1):
            spaces = course.track.row_spaces(row)
            for space in spaces:
                if space in obstacles:
                    continue
                to = course.ahead[space]
                if to == FINISH or to < space or to != NONE and open_[to] or course.branches(space):
                    open_[space] = 1
            for way in (-1, 1):
                for space in spaces if way > 0 else reversed(spaces):
                    if open_[space] and space not in obstacles and course.beside(space, way) >= 0:
                        open_[space + way] = 1
            for space in spaces:
                if not open_[space]:
                    self.there[space] = 1

    # What things cost

    def end(self, speed, grip, gear):
        """(steps to go, penalties) after a move with this Speed Value; -1 penalties: it pauses on a barrier."""
        stop = self.game.base(self.car) + 1 + gear
        key = (speed << 5 | grip) << 5 | stop
        found = self._ends.get(key)
        if not found:
            found = self._drive(speed, grip, 0, stop)
            if self._aside:
                for lanes in (-2, -1, 1, 2):
                    other = self._drive(speed, grip, lanes, stop)
                    if other and other[0] + abs(other[1]) < found[0] + abs(found[1]):
                        found = other
            self._ends[key] = found
        return found

    def _drive(self, speed, grip, lanes, stop):
        """The end of a move that begins with a change of lanes and then leads straight on, but for what is in the way; None
        where it can't begin so."""
        course, car, there = self.game.course, self.car, self.there
        laps = self.game.setup.laps
        space = car.space
        left = speed
        cost = 0
        side = -1 if lanes < 0 else 1 if lanes else 0
        while lanes:
            if not left or not self._open(space, side):
                return None
            space += side
            left -= 1
            lanes -= side
        self._aside = False
        while left > 0:
            to = course.ahead[space]
            if to == FINISH or to < space and course.crosses(space, to) and car.crossings + 1 >= laps:
                return 1 - left, cost
            if course.barrier(space) > speed:
                return course.to_go(space, car.crossings, laps), -1
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
            limit = course.limits[space]
            if limit and limit < speed - grip:
                cost += speed - grip - limit
                if cost >= stop:
                    cost = stop
                    break
        return course.to_go(space, car.crossings, laps), cost

    def _open(self, space, way):
        """Whether lanes can be changed there."""
        return self.game.course.sides[space] & (1 if way < 0 else 2) and self.there[space + way] != 1

    def worth(self, speed, gear, cards, grip=0):
        """What a move with this Speed Value comes to."""
        steps, cost = self.end(speed, grip, gear)
        return self.cost(steps, cost, gear, cards)

    def cost(self, steps, cost, gear, cards):
        """What is still to come after a move that ends there with penalties, in a gear, with some cards left."""
        if steps <= 0:
            return POINT * steps
        if self.last:
            return POINT * steps + (CRASH if cost < 0 else 0)
        if cost < 0:
            return self.ahead.paused[steps][gear]
        cost = max(0, cost - self.game.base(self.car) + 6)
        gear = max(0, gear - max(0, cost - 6))
        up, down = self.turn.costs()
        low = max(0, gear - cards // down)
        high = min(6, gear + cards // up)
        return LOST[min(cost, 7)] + min(self.ahead.turns[7 * steps + low:7 * steps + high + 1])

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
        steps = game.to_go(car)
        count = len(hand)
        best = "pass"
        least = TURN + (CRASH if car.paused else self.cost(steps, 0, car.gear, 0))
        tires = 2 * self.tokens("tires") if not car.turns else 0
        for saved in range(1 + min(2, self.tokens("transmission"))):
            up, down = turn.costs()
            up, down = max(1, up - saved), max(1, down - saved)
            if saved and up == turn.costs()[0] and down == turn.costs()[1]:
                break
            for shift in range(-car.gear, 7 - car.gear):
                cards = count - (up * shift if shift > 0 else -down * shift)
                if cards < 0 or saved and not shift:
                    continue
                gear = car.gear + shift
                if shift and not car.paused:
                    worth = TURN + self.cost(steps, 0, gear, 0) + saved * self.price("transmission")
                    if worth < least:
                        least = worth
                        best = "use transmission" if saved else "shift up" if shift > 0 else "shift down"
                for turbo in range(2 if "use turbo" in options or "turbo" in turn.used else 1):
                    row = min(6, gear + turbo)
                    if not row or not turbo and "turbo" in turn.used:
                        continue
                    price = saved * self.price("transmission")
                    if turbo and "turbo" not in turn.used:
                        price += self.price("turbo")
                    text, worth = self._set(hand, cards, gear, row, turn.bonus + tires, least - price)
                    worth += price
                    if text and worth < least:
                        least = worth
                        best = text
                        if saved:
                            best = "use transmission"
                        elif shift:
                            best = "shift up" if shift > 0 else "shift down"
                        elif turbo and "turbo" not in turn.used:
                            best = "use turbo"
                    yield
        return best if best in options else options[0]

    def _set(self, hand, cards, gear, row, bonus, least):
        """(text, worth) of the best set with so many cards."""
        minimum = self.game.box.minimum(gear) if gear else 0
        text = ""
        for number in range(1, cards + 1):
            for one in range(1, 7):
                if hand.count(str(one)) < number and hand != "?" * len(hand):
                    continue
                left = cards - number
                costs = []
                for speed, count in self.ahead.odds[row - 1]:
                    costs.append(self.worth(speed + bonus, gear, left) + self.icon(speed, row) << 5 | count)
                if one == gear:
                    most = self.worth(minimum + bonus, gear, left)
                    costs = [min(most, cost >> 5) << 5 | cost & 31 for cost in costs]
                worth = TURN + expected(costs, number)
                if worth < least:
                    least = worth
                    text = "play %d %d" % (one, number)
        return text, least

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
        if "use tires" in options:
            first = 0 if car.turns else 1
            worth = self._pick(turn.choices(), row, turn.bonus + 2 * first, turn.grip + 1 - first, cards)[1]
            if least - worth > self.price("tires"):
                gain, other = least - worth - self.price("tires"), "use tires"
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
            costs = []
            most = self.worth(turn.minimum + turn.bonus, car.gear, cards, turn.grip) if turn.minimum else 9999
            for speed, count in self.ahead.odds[row - 1]:
                cost = self.worth(speed + turn.bonus, car.gear, cards, turn.grip) + self.icon(speed, row)
                costs.append(min(most, cost) << 5 | count)
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
            worth = self.worth(speed + bonus, self.car.gear, cards, grip)
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
        best = options[0]
        least = None
        for end in self.turn.reach().ends if not self.turn.crashes() else []:
            space, cost = end >> 5, end & 31
            if end in self.turn.reach().pauses:
                cost = -1
            worth = self.cost(game.course.to_go(space, car.crossings, game.setup.laps), cost, car.gear, cards)
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
        turns = self.ahead.paused[steps] if self.car.paused else self.ahead.turns[7 * steps:7 * steps + 7]
        gear = self.car.gear
        best = min(turns[max(0, gear - cards // down):min(6, gear + cards // up) + 1])
        if best < turns[gear] - 1:
            if "shift up" in options and best in list(turns[gear + 1:]):
                return "shift up"
            if "shift down" in options:
                return "shift down"
        for text in options:
            if text[:12] == "use handling":
                return text
        return "ok"
