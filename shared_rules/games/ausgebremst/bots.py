"""The bot of Ausgebremst: it plans its cards to the finish, where a wasted point is seldom recovered. On the hardest
circuits tables tell it more, see ``bots_value.py``.

For each card and way it weighs the points wasted at once (an outer lane in a curve, the pit lane without a stop) and
those that its remaining cards would have to waste in its next turn. For that it guesses a few times where the
others will stand then. High cards are played first, because low ones help in a jam; the best road is one on which the
cars ahead are far away.

It looks only at what its seat can see: the cars on the track, its own cards and, of face-down decks, only
which cards are in them. It reckons in hundredths of a point.
"""

from shared_rules.games.ausgebremst import bots_value, data
from shared_rules.games.ausgebremst.course import FINISH, PIT_OPENS
from shared_rules.games.ausgebremst.data import TAKE

#: The stack for the cards of value 1 to 6 (AB-45).
STACKS = (4, 4, 3, 2, 2, 1)

POINT = 100
#: The value of a point that may be wasted in the next turn, and of each point beyond the second wasted at once.
LATER = 30
DEAR = 26
#: The values of: a point of the card played; the first stop of the family game; an end in the outer lane; the lead; two
#: cards of the same value left in hand.
HIGH = 11
STOP = 30
OUTER = -6
LEAD = 5
TWINS = -7
#: Another car fewer spaces ahead than this, and its cost; the same for one behind.
AHEAD = ((3, 23), (5, 16), (7, 14), (10, 7))
BEHIND = 22
#: A way that is this much worse before the next turn is considered isn't considered.
HOPELESS = 60
#: The farthest that a card takes a car.
NEAR = 6
#: How often it guesses before a card; what guesses before a draw from a stack may cost, for each car and in themselves.
GUESSES = 2
DRAW_GUESSES = 72
GUESS_ITSELF = 2
#: Points wasted by a car that drives through the pit lane at its last chance (AB-32).
LOST = 60
#: A spot as one number: the space, and this for each crossing of the line.
CROSSING = 256


def choose(game, prompt, chance):
    """The text of one option, or a generator that returns it."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    ask = prompt.ask.partition(".")[2]
    car = game.car(prompt.car)
    valued = bots_value.knows(game)
    stacks = bots_value.STACKS if valued else STACKS
    if ask == "ask_play":
        return bots_value.play(game, prompt, chance) if valued else _play(game, prompt, chance)
    if ask == "ask_deck":
        return "pick " + data.SLOW
    if ask == "ask_stack_value":
        return "pick %d" % stacks[prompt.args[0] - 1]
    if ask == "ask_stack_card":
        return "pick %d" % stacks[int(game.decks[prompt.car - 1][-1]) - 1]
    if ask == "ask_draw" and game.phase == TAKE:
        return "pick %d" % bots_value.FIRST if valued else _first(game, prompt)
    if ask == "ask_draw":
        if valued:
            return bots_value.draw(game, prompt, chance)
        return _draw(game, car, chance, options, [game.stacks[car.seat - 1][which - 1][0] for which in prompt.values()])
    if ask == "ask_pit_cards":
        return _pit_cards(game, prompt, chance, stacks, valued)
    return options[0]


def _first(game, prompt):
    """Before the start: the first stack, which has the high cards, but not two of the same value."""
    at = prompt.car - 1
    for text, which in zip(prompt.options(), prompt.values()):
        if game.stacks[at][which - 1][0] not in game.hands[at]:
            return text
    return prompt.options()[0]


def _pit_cards(game, prompt, chance, stacks, valued):
    """Of the two cards the one that serves best in the next turn goes to the hand, the other onto the stack for its value.
    The tables of ``bots_value`` come from races in which the higher one went to the hand."""
    high, low = prompt.args
    options = ["pick %d %d" % (high, stacks[low - 1])]
    if high == low or valued:
        return options[0]
    options.append("pick %d %d" % (low, stacks[high - 1]))
    return _draw(game, game.car(prompt.car), chance, options, [str(high), str(low)])


def _play(game, prompt, chance):
    """A card and its way: the best of those that aren't hopeless."""
    car = game.car(prompt.car)
    values = prompt.values()
    worths = []
    for value in values:
        worths.append(_at_once(game, car, value))
        yield
    least = max(worths) - HOPELESS
    guesses = []
    around = _around(game, car, 2 * NEAR)
    for _ in range(GUESSES if around[0] else 0):
        guesses.append(_guess(game, around, chance))
        yield
    best = 0
    most = None
    for at, value in enumerate(values):
        if worths[at] < least:
            continue
        worth = worths[at]
        if value and value[1][2][-1] != FINISH:
            worth -= (yield from _later(game, car, value, guesses))
        if most is None or worth > most:
            best, most = at, worth
    return prompt.options()[best]


def _at_once(game, car, value):
    """The value of a card: by what it wastes, and by where the car then stands among the others."""
    if value is None:
        return -1000 * POINT
    card, way = value
    end = way[2][-1]
    if end == FINISH:
        return 1000 * POINT - int(card)
    course = game.course
    due = game.duty(car)
    after = due and not course.in_pit(end)
    if game.misses_stop(car, way):
        return -1000 * POINT
    waste = int(card) - course.need(car.space, car.crossings, due) + course.need(end, way[1], after)
    if game.pro and not car.stopped and course.in_pit(end):
        waste -= data.points(game.deposits[car.seat - 1])
    worth = HIGH * int(card) - POINT * waste - DEAR * max(0, waste - 2)
    if due and not after:
        worth += STOP
    if end < game.track.in_rows and game.track.lane(end) != game.track.lane(course.entry):
        worth += OUTER
    rest = data.without(game.held(car), card)
    if len(rest) == 2 and rest[0] == rest[1]:
        worth += TWINS
    return worth + _among(game, car, course.to_go(end, way[1]))


def _among(game, car, to_go):
    """The value of a spot because of the other cars."""
    worth = 0
    leads = True
    for other in game.cars_:
        if other is car or other.space < 0:
            continue
        ahead = to_go - game.to_go(other)
        if ahead < 0:
            worth -= BEHIND
            continue
        leads = False
        for spaces, cost in AHEAD:
            if ahead < spaces:
                worth -= cost
                break
    return worth + (LEAD if leads else 0)


def _around(game, car, reach):
    """The starting point of guesses: ([space, crossings, cards] of the cars that may be in the way, in the order of their
    turns; whether this car can't take the lead). ``reach`` is how far ahead it looks."""
    at = game.order.index(car.number)
    here = game.to_go(car)
    others = []
    behind = len(game.finished) > 0
    for number in game.order[at + 1:] + game.order[:at]:
        other = game.car(number)
        if other.space < 0:
            continue
        ahead = here - game.to_go(other)
        if ahead > reach:
            behind = True
        elif ahead >= -NEAR:
            cards = data.ordered(game.decks[number - 1]) if other.derelict else "123456"
            others.append((other.space, other.crossings, cards))
    return others, behind


def _guess(game, around, chance):
    """Where the others may stand when this car is due again: (a byte per space, 1 for a car; the fewest spaces that any of
    them has to go, 0 if this car can't lead)."""
    course, track = game.course, game.track
    taken = bytearray(track.count)
    others, behind = around
    for space, _, _ in others:
        taken[space] = 1
    least = 0 if behind else 999
    for first, laps, deck in others:
        space, crossings = first, laps
        taken[space] = 0
        steps = int(deck[chance.below(len(deck))]) if deck else 0
        while steps:
            steps -= 1
            to = _straight_on(course, track, space, taken)
            if to < 0:
                space, crossings = first, laps
                break
            if course.crosses(space, to):
                crossings += 1
                if crossings > game.setup.laps:
                    break
            space = to
        if crossings > game.setup.laps:
            least = 0
            continue
        taken[space] = 1
        least = min(least, course.to_go(space, crossings))
    return taken, least


def _straight_on(course, track, space, taken):
    """The free space one step on with the shortest way to go, or -1."""
    best = -1
    for to in track.ahead(space):
        if not taken[to] and (best < 0 or course.to_go(to, 0) < course.to_go(best, 0)):
            best = to
    return best


def _later(game, car, value, guesses):
    """What the next turn is likely to cost after this card: a generator."""
    card, way = value
    end, crossings = way[2][-1], way[1]
    rest = data.without(game.held(car), card)
    duty = game.duty(car) and not game.course.in_pit(end)
    more = _drawn(game, car, end)
    costs = [0] * 7
    for guess in guesses:
        wastes = _wastes(game, end, crossings, duty, guess)
        yield
        for top in more or "0":
            costs[int(top)] += _cost(wastes, rest + top)
    if not more:
        return LATER * costs[0] // max(1, len(guesses))
    if not game.pro:
        return LATER * sum([costs[int(top)] for top in more]) // (len(more) * max(1, len(guesses)))
    return min([LATER * costs[int(top)] // max(1, len(guesses)) - (TWINS if top in rest else 0) for top in more])


def _drawn(game, car, end):
    """The cards one of which will fill up the hand, as a text: the whole deck, sorted; in the pro game the tops of
    the stacks, or those beside the pit lane."""
    at = car.seat - 1
    if not game.pro:
        return data.ordered(game.decks[at])
    if game.course.in_pit(end) and not car.stopped and game.deposits[at]:
        return game.deposits[at]
    return "".join([stack[:1] for stack in game.stacks[at]])


def _cost(wastes, hand):
    """The points that must be wasted with this hand; a lost turn costs none."""
    least = LOST + 1
    for card in hand:
        least = min(least, wastes[int(card)])
    return 0 if least > LOST else least


def _wastes(game, space, crossings, duty, guess):
    """The least points that a card of each value would waste from here; more than LOST if it can't be played."""
    course = game.course
    taken, least = guess
    out = [LOST + 1] * 7
    need = course.need(space, crossings, duty)
    front = [space + CROSSING * crossings]
    through = False
    for value in range(1, 6 if course.to_go(space, crossings) <= least else 7):
        ahead = []
        for spot in front:
            if spot == FINISH:
                ahead.append(FINISH)
                continue
            at, laps = spot % CROSSING, spot // CROSSING
            for to in course.ahead(at, laps, duty, PIT_OPENS):
                if to != FINISH:
                    if taken[to]:
                        continue
                    to += CROSSING * (laps + course.crosses(at, to))
                if to not in ahead:
                    ahead.append(to)
        front = ahead
        if not front:
            break
        for spot in front:
            waste = 0
            if spot != FINISH:
                at, laps = spot % CROSSING, spot // CROSSING
                inside = course.in_pit(at)
                through = through or inside
                waste = value - need + course.need(at, laps, duty and not inside)
                if duty and through and at == course.exit and laps == game.setup.laps:
                    waste = LOST
            out[value] = min(out[value], waste)
    return out


def _draw(game, car, chance, options, cards):
    """Of options that each bring one of these cards to the hand, the one that serves best in the next turn."""
    hand = game.held(car)
    costs = [0] * 7
    around = _around(game, car, NEAR)
    guesses = DRAW_GUESSES // (GUESS_ITSELF + len(around[0]))
    for _ in range(guesses if hand and around[0] else 0):
        guess = _guess(game, around, chance)
        yield
        wastes = _wastes(game, car.space, car.crossings, False, guess)
        yield
        for card in cards:
            costs[int(card)] += _cost(wastes, hand + card)
    best = 0
    least = None
    for at, card in enumerate(cards):
        cost = LATER * costs[int(card)] // guesses - (TWINS if card in hand else 0)
        if least is None or cost < least:
            best, least = at, cost
    return options[best]
