"""The bot of Ausgebremst on circuits where one point decides a race: it knows from many races what a spot is worth.

The value of a spot after a card is a sum of table entries: for where the car stands, the points that it can still waste,
its cards, and the distances to the other cars. The tables (in the folder ``values``, one for each circuit and variant) were
learned from races by ``tools/ausgebremst_learn.py``, which moved the value of each spot towards that of the next one, and
the last one's towards how the race ended. Sums are in fortieths of a logit, so ``SIGMOID`` turns one into a chance to get
home.

Among the cards that are nearly the best by that sum, the bot guesses a few times where all others and its own draw lead, and
takes the card after which the best spot of the next turn has the highest value. It looks only at what its seat can see.
"""

from shared_rules.games.ausgebremst import data, derelicts, values
from shared_rules.games.ausgebremst.course import FINISH, PIT_OPENS

#: The stack for the cards of value 1 to 6 in the races behind the tables, and where the first two cards come from.
STACKS = (4, 4, 3, 2, 1, 1)
FIRST = 1
#: Where each group of entries begins: own space and stop; space and nearest car; points to waste and laps; points and
#: nearest car; cards in hand and nearest car; cards and points; what is in the deck; cars by distance and lane, by space,
#: by distance and speed; lead, winner, cars near and on the track; space and laps. At the end, only in the pro game: the
#: values in the hand or on top of a stack, and the nearest car.
POS, NEXT, SLACK, SLACK_NEXT, HAND, HAND_SLACK, DECK, CAR, SPACE, SPEED, MISC, LAPS, VALUES = (
    0, 128, 640, 688, 784, 1008, 1120, 1168, 1282, 1410, 1470, 1486, 2799)
#: Eight more sums, mostly of its own cards, count only if they are above 0, the first ones for the spot, the others
#: against it. Their entries: deck, hand, points and laps, nearest car; how many are for it.
UNITS = 8
U_DECK, U_HAND, U_SLACK, U_NEAR, U_FOR = 1742, 2126, 2350, 2734, 2798
ZERO = 128
#: 255 times the chance, for sums of 0, 4, 8, …
SIGMOID = (b"\x80\x86\x8c\x92\x99\x9f\xa4\xaa\xb0\xb5\xba\xbf\xc4\xc8\xcc\xd0\xd4\xd7\xdb\xde\xe0\xe3"
           b"\xe5\xe8\xea\xeb\xed\xef\xf0\xf2\xf3\xf4"
           b"\xf5\xf6\xf7\xf7\xf8\xf9\xf9\xfa\xfa\xfb\xfb\xfc\xfc\xfc\xfc\xfd\xfd\xfd\xfd\xfd\xfe\xfe\xfe\xfe"
           b"\xfe\xfe\xfe\xfe\xfe\xff\xff\xff")
#: The class of each distance to the nearest car ahead.
NEAR = b"\x00\x00\x01\x01\x02\x02\x03\x03\x04\x04\x04\x05\x05\x05\x05\x06\x06\x06\x06\x06\x06\x06"
FAR = 7
LOST = -9999
HOME = 999
#: Sums further below the best than this are ignored; how often it guesses.
MARGIN = 40
GUESSES = 10
PRO_GUESSES = 20
#: Chance of a card: a number below this one, so that all cards of a deck are equally likely to within a thousandth.
LUCK = 27720
#: How far ahead and behind cars are moved for a guess.
AHEAD = 14
BEHIND = -8
#: Four times the points of a mean card, minus ten, for cars whose cards nobody knows.
UNKNOWN_SPEED = 4


def knows(game):
    """Whether bots have value tables for this race."""
    return game.track.id in values.TRACKS and len(game.setup.players) <= values.MOST_PLAYERS[game.pro]


def load(game):
    """The table of this circuit and variant."""
    return values.load(game.track.id, game.setup.variant)


def play(game, prompt, chance):
    """A card and its way."""
    options = prompt.options()
    car = game.car(prompt.car)
    table = load(game)
    cars = _cars(game, car)
    rows = []
    for at, value in enumerate(prompt.values()):
        if value is None:                                       # the hand is shown, if the table holds it
            continue
        if value[1][2][-1] == FINISH:
            return options[at]
        for row in _rows(game, table, car, value, cars):
            rows.append((at, value, row))
        yield
    return options[(yield from _best(game, table, car, chance, rows))]


def draw(game, prompt, chance):
    """The stack to draw from: the one that leads to the best spot after the next turn."""
    car = game.car(prompt.car)
    table = load(game)
    here = (None, (0, car.crossings, (car.space,)))
    rows = _rows(game, table, car, here, _cars(game, car))
    yield
    best = yield from _best(game, table, car, chance, [(at, here, row) for at, row in enumerate(rows)])
    return prompt.options()[best]


def _best(game, table, car, chance, rows):
    """The number of the best of [number, card and way, what ``_rows`` says], as a generator."""
    best = max([row[0] for _, _, row in rows])
    rows = [one for one in rows if one[2][0] >= best - MARGIN]
    out = rows[0][0]
    if best == LOST or not [1 for one in rows if one[0] != out]:
        return out
    lucks = [[chance.below(LUCK) for _ in range(len(game.order))]
             for _ in range(PRO_GUESSES if game.pro else GUESSES)]
    worths = [0] * len(rows)
    seen = []
    for _, value, _ in rows:
        end = value[1][2][-1]
        if end in seen:
            continue
        seen.append(end)
        guesses = []                            # for one spot at a time: each takes a kilobyte
        for luck in lucks:
            guesses.append((yield from _guess(game, car, end, luck)))
        for number, (_, value, row) in enumerate(rows):
            if value[1][2][-1] == end:
                worths[number] = yield from _later(game, table, car, value, row, guesses)
    return rows[worths.index(max(worths))][0]


def _cars(game, car):
    """[spaces to go, space, speed] of the others on the track."""
    out = []
    for other in game.cars_:
        if other is not car and other.space >= 0:
            out.append((game.to_go(other), other.space, _speed(game, other)))
    return out


def _speed(game, car):
    """The class of the mean card that a car has left."""
    if not car.derelict:
        return UNKNOWN_SPEED
    cards = game.decks[car.number - 1]
    return min(9, max(0, data.points(cards) * 4 // len(cards) - 10)) if cards else 0


def _rows(game, table, car, value, cars):
    """[sum, cards in hand, stacks or deck, slack, whether it is stopped] after a card, for each stack that may then be drawn
    from; ``value`` without a card: the draw itself."""
    card, way = value
    end, crossings = way[2][-1], way[1]
    at = car.seat - 1
    hand = data.without(game.held(car), card) if card else game.held(car)
    course = game.course
    stopped = car.stopped or course.in_pit(end)
    cards = game.cards_of(car)
    beside = 0 if stopped else data.points(game.deposits[at])
    held = data.points(cards) - (int(card) if card else 0)
    if stopped and not car.stopped:
        held += data.points(game.deposits[at])
    slack = held - _need(game, end, crossings, stopped)
    if game.misses_stop(car, way) or slack + beside < 0 or not held + beside:
        return [(LOST, hand, None, 0, stopped)]
    spot = _spot(game, table, end, crossings, stopped, slack, cars)
    if not game.pro:
        return [(_worth(table, spot, _mine(table, hand, game.decks[at], None)), hand, None, held, stopped)]
    out = []
    stacks = game.stacks[at]
    for after, piles in _draws(hand, stacks, game.deposits[at] if stopped and not car.stopped else ""):
        out.append((_worth(table, spot, _mine(table, after, "", piles)), after, piles, held, stopped))
    return out


def _draws(hand, stacks, deposit):
    """[hand, stacks] for each stack that may be drawn from, in the order of the options; cards from beside the pit lane come
    first."""
    if deposit:
        piles = list(stacks)
        for card in deposit[1:]:
            which = STACKS[int(card) - 1] - 1
            piles[which] = card + piles[which]
        return [(data.ordered(hand + deposit[0]), piles)]
    out = []
    if len(hand) < data.PRO_HAND:
        for which, stack in enumerate(stacks):
            if stack:
                piles = list(stacks)
                piles[which] = stack[1:]
                out.append((data.ordered(hand + stack[0]), piles))
    return out or [(hand, stacks)]


def _need(game, space, crossings, stopped):
    """Spaces to go, including the pit lane if it is due."""
    return game.course.need(space, crossings, not stopped and not game.pro)


def _mine(table, hand, deck, piles):
    """For its own cards: (sum, number of the hand, values at hand, the eight sums)."""
    hand = hand[:2]
    pair = 0
    at_hand = 0
    if hand:
        pair = int(hand[0])
        at_hand = 1 << pair - 1
        if len(hand) > 1:
            high = int(hand[1])
            pair += high * (high - 1) // 2 + 6
            at_hand |= 1 << high - 1
    total = 0
    rows = [U_HAND + UNITS * pair]
    if piles is None:
        at_hand = -1
    else:
        for pile in piles:
            if pile:
                at_hand |= 1 << int(pile[0]) - 1
        deck = "".join(piles)
    for value in range(6):
        at = 8 * value + deck.count("123456"[value])
        total += table[DECK + at] - ZERO
        rows.append(U_DECK + UNITS * at)
    units = [-ZERO * len(rows)] * UNITS
    for row in rows:
        for unit in range(UNITS):
            units[unit] += table[row + unit]
    return total, pair, at_hand, units


def _spot(game, table, space, crossings, stopped, slack, cars, won=False):
    """The value of a spot, leaving its own cards aside: (sum, class and distance of the nearest car ahead, slack, the eight
    sums)."""
    course, track = game.course, game.track
    here = course.to_go(space, crossings)
    nearest = 99
    near = 0
    inner = track.lane(course.entry)
    total = -ZERO
    for to_go, where, speed in cars:
        ahead = here - to_go
        if 0 <= ahead < nearest:
            nearest = ahead
        if ahead < -10 or ahead > 27:
            continue
        lane = 2 if where >= course.pit else 0 if track.lane(where) == inner else 1
        total += table[CAR + 3 * (ahead + 10) + lane] - ZERO
        if -2 <= ahead <= 20:
            near += 1
            apart = 0 if ahead < 2 else ahead // 2 if ahead < 8 else 4 if ahead < 12 else 5
            total += table[SPACE + 2 * where + (ahead >= 0)] + table[SPEED + 10 * apart + speed] - 2 * ZERO
    lead = nearest == 99
    kind = NEAR[nearest] if nearest < len(NEAR) else FAR
    slack = min(11, max(0, slack))
    won = won or len(game.finished) > 0
    total += (table[POS + 2 * space + (1 if stopped else 0)] + table[NEXT + 8 * space + kind]
              + table[SLACK + 4 * slack + crossings] + table[SLACK_NEXT + 8 * slack + kind]
              + table[MISC + lead] + table[MISC + 2 + won] + table[MISC + 4 + near] + table[MISC + 10 + len(cars)]
              + table[LAPS + 4 * space + crossings] - 8 * ZERO)
    one = U_SLACK + UNITS * (4 * slack + crossings)
    other = U_NEAR + UNITS * kind
    return total, kind, min(7, nearest), slack, [table[one + at] + table[other + at] - 2 * ZERO for at in range(UNITS)]


def _worth(table, spot, mine):
    """The value of a spot with these cards."""
    total, kind, nearest, slack, more = spot
    cards, pair, at_hand, units = mine
    total += cards + table[HAND + 8 * pair + nearest] - 2 * ZERO
    total += table[HAND_SLACK + 4 * pair + (slack if slack < 2 else 2 if slack < 4 else 3)]
    if at_hand >= 0:
        total += table[VALUES + 4 * at_hand + kind // 2] - ZERO
    last = table[U_FOR]
    for at in range(UNITS):
        unit = units[at] + more[at]
        if unit > 0:
            total += unit if at < last else -unit
    return total


def _guess(game, car, end, lucks):
    """How the others may stand when this car, at this end, is due again, as a generator: (their spaces, [spaces to go,
    space, speed] of each, whether one is home, a number for the draw). ``lucks``: a number for each card."""
    at = game.order.index(car.number)
    spaces = [other.space for other in game.cars_ if other is not car and other.space >= 0] + [end]
    cars = []
    won = len(game.finished) > 0
    here = game.to_go(car)
    for number in game.order[at + 1:] + game.order[:at]:
        other = game.car(number)
        if other.space < 0:
            continue
        cards = data.ordered(game.decks[number - 1]) if other.derelict else "123456"
        card = cards[lucks[number - 1] % len(cards)] if cards else "0"
        to_go = game.to_go(other)
        space = other.space
        moves = card != "6" or won or game.six_open(other)
        if moves and card != "0" and BEHIND <= here - to_go <= AHEAD:
            ways = game.reach(other, int(card), spaces)
            if ways:
                way = derelicts.best(game, other, ways)
                spaces.remove(space)
                space = way[2][-1]
                if space == FINISH:
                    won = True
                    yield
                    continue
                spaces.append(space)
                to_go = game.course.to_go(space, way[1])
        cars.append((to_go, space, _speed(game, other)))
        yield
    spaces.remove(end)
    return spaces, cars, won, lucks[car.number - 1]


def _later(game, table, car, value, row, guesses):
    """The value of the best spots of the next turn after this card and draw, as a generator."""
    way = value[1]
    end, crossings = way[2][-1], way[1]
    _, hand, piles, held, stopped = row
    course = game.course
    at = car.seat - 1
    pro = game.pro
    deck = "" if pro else data.ordered(game.decks[at])
    beside = 0 if stopped else data.points(game.deposits[at])
    total = 0
    known = {}
    for spaces, cars, won, luck in guesses:
        least = 0 if won else min([999] + [one[0] for one in cars])
        mine = hand
        rest = deck
        if deck:
            drawn = deck[luck % len(deck)]
            mine = data.ordered(hand + drawn)
            rest = data.without(deck, drawn)
        most = LOST
        ends = _ends(game, spaces, end, crossings, stopped, 5 if course.to_go(end, crossings) <= least else 6)
        yield
        for card in data.different(mine):
            for to, laps, through in ends[int(card)]:
                if to == FINISH:
                    most = HOME
                    break
                stops = stopped or course.in_pit(to)
                slack = held - int(card) - _need(game, to, laps, stops) + (beside if stops else 0)
                if slack + (0 if stops else beside) < 0 or (through and laps == game.setup.laps and not stops and not pro):
                    continue
                key = mine + card + rest if not pro else card + (" " if stops and not stopped else "")
                if key not in known:
                    left = data.without(mine, card)
                    if pro:
                        known[key] = [_mine(table, after, "", under) for after, under in
                                      _draws(left, piles, game.deposits[at] if stops and not stopped else "")]
                    else:
                        known[key] = [_mine(table, left, rest, None)]
                spot = _spot(game, table, to, laps, stops, slack, cars, won)
                for one in known[key]:
                    most = max(most, _worth(table, spot, one))
            yield
        if most == LOST and not [1 for card in mine if ends[int(card)]]:
            mine_now = _mine(table, mine, rest, piles)
            slack = held - _need(game, end, crossings, stopped)
            most = _worth(table, _spot(game, table, end, crossings, stopped, slack, cars, won), mine_now)
        total += chance_of(most)
    return total


def chance_of(worth):
    """255 times the chance of getting home that a sum stands for."""
    if worth < 0:
        return 255 - SIGMOID[min(63, -worth // 4)] if worth > LOST else 0
    return SIGMOID[min(63, worth // 4)]


def _ends(game, spaces, space, crossings, stopped, most):
    """[space, crossings, whether it drove through the pit lane] of all ends, for each value from 0 to 6."""
    course = game.course
    duty = not game.pro and not stopped
    out = [[]]
    front = [(space, crossings, False)]
    for value in range(1, 7):
        ahead = []
        for spot in front if value <= most else ():
            at, laps, through = spot
            if at == FINISH:
                ahead.append(spot)
                continue
            for to in course.ahead(at, laps, duty, PIT_OPENS):
                if to != FINISH and to in spaces:
                    continue
                over = to != FINISH and course.crosses(at, to)
                further = (to, laps + over, through or (to != FINISH and course.in_pit(to)))
                if further not in ahead:
                    ahead.append(further)
        front = ahead
        out.append(front)
    return out
