"""Races of Ausgebremst with one player among five cars that nobody drives, thousands a second: what
``ausgebremst_learn.py`` learns from and ``ausgebremst_limits.py`` searches.

The player starts last, as where ``gridglow bench --bots`` measures one bot alone. The ways come from the game's own
``Course``; the turns are told once more here, in arrays, so that numba can compile them (``pip install gridglow[learn]``).
Without numba all of it runs too, a thousand times slower; tests/test_ausgebremst_learn.py compares both with the game.

A state is one array of small numbers, of which a copy is all that a search needs:

    6 cars, FIELDS numbers each    space (OFF: none), crossings, status, begun, stopped, spaces to go when it was taken off,
                                   cards in its deck, then how many of value 1 to 6
    HAND                           cards in the player's hand, then how many of value 1 to 6
    AT, HOME, MOVED, STALLED       whose turn it is, cars at the finish, and the round as in ``rules.Game``
    BESIDE                         the cards beside the pit lane, high card first, 0 for none

In the pro game the player's "deck" is what lies on the four stacks: they are sorted so that a value lies on one stack, high
cards below, so how many there are of each value says all.
"""

from collections import namedtuple

import numpy as np

from shared_rules.games.ausgebremst import bots, data
from shared_rules.games.ausgebremst.course import FINISH, Course

try:
    import numba
    njit = numba.njit(fastmath=True, error_model="numpy")
except ImportError:                                # slow, but the same
    def njit(function):
        return function

SPACE, CROSSED, STATUS, BEGUN, STOPPED, TO_GO, CARDS = range(7)
FIELDS = 13
HAND = 6 * FIELDS
AT, HOME, MOVED, STALLED, BESIDE = range(HAND + 7, HAND + 12)
STATE = BESIDE + 2
OFF = -1
RUN, DONE, OUT = range(3)
#: The finish as a space of a way: no track has as many.
END = 63
#: Kinds of steps: the pit lane is open, has still to be taken, is closed.
FREE, DUTY, CLOSED = range(3)
#: The turns of the race: cars 1 to 5, then the player, car 0.
ORDER = (1, 2, 3, 4, 5, 0)
#: What a choice is, and a way: see ``choices``.
CHOICE = 6
MOST_CHOICES = 200
MOST_WAYS = 16

#: A track in arrays: of each kind of step, crossings and space how many steps there are, where they lead, whether they
#: change lanes, whether they cross the line; of each space the spaces to the line, whether it is in the inner lane, its
#: row, whether it is a chicane; then numbers.
Track = namedtuple("Track", ["count", "to", "changes", "crosses", "to_line", "inner", "row", "chicane", "lap", "laps",
                             "entry", "pit", "detour", "grid"])
#: What a race starts from: whether it is the pro game, the decks, what lies beside the pit lane, the stack of each value,
#: the stack that the first two cards come from, and the cards of a hand.
Start = namedtuple("Start", ["pro", "deck", "complete", "beside", "stacks", "first", "hand"])


def track_of(track, laps=3):
    """The arrays of a track of the game."""
    course = Course(track, laps)
    count = np.zeros((3, laps + 1, track.count), np.int16)
    to, changes, crosses = [np.zeros((3, laps + 1, track.count, 4), np.int16) for _ in range(3)]
    for kind in (FREE, DUTY, CLOSED):
        for crossings in range(laps + 1):
            for space in range(track.count):
                steps = course.ahead(space, crossings, kind == DUTY, 0 if kind == CLOSED else 2)
                count[kind, crossings, space] = len(steps)
                for at, end in enumerate(steps):
                    home = end == FINISH
                    to[kind, crossings, space, at] = END if home else end
                    changes[kind, crossings, space, at] = not home and course.changes_lane(space, end)
                    crosses[kind, crossings, space, at] = home or course.crosses(space, end)
    spaces = range(track.count)
    inner = [track.lane(space) == track.lane(course.entry) for space in spaces]
    return Track(count, to, changes, crosses, np.array([course.to_go(space, laps) for space in spaces], np.int16),
                 np.array(inner, np.int16), np.array([track.row(space) for space in spaces], np.int16),
                 np.array([course.is_chicane(space) for space in spaces], np.int16),
                 course.lap, laps, course.entry, course.pit, course.detour(), np.array(course.grid, np.int16))


def start_of(track, variant):
    """What a race of this variant starts from on this track."""
    pro = variant == "pro"
    deck = np.array((0,) + data.COUNTS[data.SLOW], np.int16)
    beside = np.zeros(2, np.int16)
    if pro:
        for at, card in enumerate(data.chart(track.id)[2]):
            beside[at] = int(card)
            deck[int(card)] -= 1
    return Start(pro, deck, np.array((0,) + data.COMPLETE, np.int16), beside, np.array((0,) + bots.VALUED_STACKS, np.int16),
                 bots.VALUED_FIRST, data.PRO_HAND if pro else data.FAMILY_HAND)


@njit
def seed(number):
    """Sets the chance of what is compiled."""
    np.random.seed(number)


@njit
def begin(track, start, state):
    """Puts a state to the start of a race: cars on the grid, decks complete, no card in hand."""
    state[:] = 0
    for place in range(6):
        car = ORDER[place]
        state[car * FIELDS + SPACE] = track.grid[place]
        for value in range(1, 7):
            count = start.complete[value] if car else start.deck[value]
            state[car * FIELDS + CARDS + value] = count
            state[car * FIELDS + CARDS] += count
    state[BESIDE] = start.beside[0]
    state[BESIDE + 1] = start.beside[1]


@njit
def to_go(track, state, car):
    """Spaces to the finish of a car; of one that was taken off what it had then."""
    at = car * FIELDS
    if state[at + STATUS] != RUN:
        return state[at + TO_GO]
    return track.to_line[state[at + SPACE]] + (track.laps - state[at + CROSSED]) * track.lap


@njit
def points(state, at):
    """The points of the cards counted from here: of a deck (``car * FIELDS + CARDS``) or of the hand."""
    return (state[at + 1] + 2 * state[at + 2] + 3 * state[at + 3] + 4 * state[at + 4] + 5 * state[at + 5]
            + 6 * state[at + 6])


@njit
def leads(track, state, car):
    """Whether no car on the track has fewer spaces to go."""
    least = mine = to_go(track, state, car)
    for other in range(6):
        if state[other * FIELDS + STATUS] == RUN:
            least = min(least, to_go(track, state, other))
    return least == mine


@njit
def running(state):
    """How many cars are on the track."""
    count = 0
    for car in range(6):
        count += state[car * FIELDS + STATUS] == RUN
    return count


@njit
def six_open(track, state, car):
    """Whether a car may move a 6 (AB-25 to AB-28)."""
    return (state[car * FIELDS + BEGUN] == 0 or state[HOME] > 0 or not leads(track, state, car) or running(state) == 1)


@njit
def taken(state):
    """The spaces on which cars stand, a bit each."""
    bits = np.int64(0)
    for car in range(6):
        if state[car * FIELDS + STATUS] == RUN:
            bits |= np.int64(1) << np.int64(state[car * FIELDS + SPACE])
    return bits


@njit
def step(track, kind, bits, ways, count, out):
    """One step on from each of ``count`` ways, [space, changes of lane, crossings, whether through the pit lane], each
    space once; how many there are then."""
    found = 0
    for at in range(count):
        space = ways[at, 0]
        steps = 1 if space == END else track.count[kind, ways[at, 2], space]
        for one in range(steps):
            if space == END:
                to, changes, crossings, through = END, ways[at, 1], ways[at, 2], ways[at, 3]
            else:
                to = track.to[kind, ways[at, 2], space, one]
                if to != END and bits >> np.int64(to) & 1:
                    continue
                changes = ways[at, 1] + track.changes[kind, ways[at, 2], space, one]
                crossings = ways[at, 2] + track.crosses[kind, ways[at, 2], space, one]
                through = 1 if to != END and to >= track.pit else ways[at, 3]
            place = found
            for other in range(found):
                if out[other, 0] == to:
                    place = other
            if place < found and changes >= out[place, 1]:
                continue
            out[place, 0], out[place, 1], out[place, 2], out[place, 3] = to, changes, crossings, through
            found += place == found
    return found


@njit
def draw(state, car):
    """A card of a deck, at random."""
    at = car * FIELDS + CARDS
    luck = np.random.randint(state[at])
    value = 1
    while luck >= state[at + value]:
        luck -= state[at + value]
        value += 1
    return value


@njit
def drive(track, start, state, car, way):
    """Takes a car along a way; True where it stops in the pit lane for the first time."""
    at = car * FIELDS
    due = not start.pro and state[at + STOPPED] == 0
    if way[0] == END:
        state[at + STATUS], state[at + SPACE], state[at + TO_GO] = DONE, OFF, 0
        state[HOME] += 1
        return False
    state[at + SPACE] = way[0]
    state[at + CROSSED] = way[2]
    if way[0] >= track.pit:
        first = state[at + STOPPED] == 0
        state[at + STOPPED] = 1
        return first
    if due and way[3] and way[2] == track.laps:    # it drove through (AB-32)
        take_off(track, state, car)
    return False


@njit
def take_off(track, state, car):
    """Takes a car off the track."""
    at = car * FIELDS
    state[at + TO_GO] = to_go(track, state, car)
    state[at + STATUS], state[at + SPACE] = OUT, OFF


@njit
def derelict(track, start, state, car, decks):
    """The turn of a car without a driver (AB-34 to AB-36b, AB-48); of ``decks``, where they are known, its next card."""
    at = car * FIELDS
    due = not start.pro and state[at + STOPPED] == 0
    kind = CLOSED if start.pro else DUTY if due else FREE
    bits = taken(state)
    ways, more = np.empty((MOST_WAYS, 4), np.int64), np.empty((MOST_WAYS, 4), np.int64)
    ways[0, 0], ways[0, 1], ways[0, 2], ways[0, 3] = state[at + SPACE], 0, state[at + CROSSED], 0
    if step(track, kind, bits, ways, 1, more) == 0:
        return                                     # blocked (AB-35)
    value = decks[car, decks.shape[1] - state[at + CARDS]] if len(decks) else draw(state, car)
    state[at + CARDS] -= 1
    state[at + CARDS + value] -= 1
    state[MOVED] = 1
    if value == 6 and not six_open(track, state, car):
        return
    count = 1
    for _ in range(value):
        count = step(track, kind, bits, ways, count, more)
        ways, more = more, ways
    best, least = -1, 0
    for one in range(count):
        rated = _rated(track, ways[one], due)
        if best < 0 or rated < least:
            best, least = one, rated
    if best >= 0:
        drive(track, start, state, car, ways[best])


@njit
def _rated(track, way, due):
    """How far a way is from what such a car wants, as ``derelicts.best`` orders them."""
    if way[0] == END:
        return -1
    space = way[0]
    rated = 0 if due and space >= track.pit else 1
    rated = rated * 128 + track.to_line[space] + (track.laps - way[2]) * track.lap
    rated = rated * 2 + (0 if due and space == track.entry and way[2] >= 2 else 1)
    rated = rated * 8 + way[1]
    return (rated * 2 + 1 - track.inner[space]) * 64 + 63 - track.row[space]


@njit
def to_player(track, start, state, decks):
    """Goes on until the player is due or its race is over; True while it is not over."""
    while state[STATUS] == RUN:
        while state[AT] >= 6 or state[ORDER[state[AT]] * FIELDS + STATUS] != RUN:
            state[AT] += 1
            if state[AT] >= 6:
                state[AT] = 0
                state[STALLED] = 1 - state[MOVED]
                state[MOVED] = 0
        car = ORDER[state[AT]]
        if car == 0:
            return True
        derelict(track, start, state, car, decks)
        end_turn(track, state, car)
    return False


@njit
def end_turn(track, state, car):
    """The end of a turn: out of cards, a car is taken off (AB-35, AB-37)."""
    at = car * FIELDS
    state[at + BEGUN] = 1
    if state[at + STATUS] == RUN and state[at + CARDS] + (state[HAND] if car == 0 else 0) == 0:
        take_off(track, state, car)
    state[AT] += 1


@njit
def top(start, state, stack):
    """The card on top of a stack, the lowest there; 0 where it is empty."""
    for value in range(1, 7):
        if start.stacks[value] == stack and state[CARDS + value]:
            return value
    return 0


@njit
def choices(track, start, state, out):
    """All that the player can do, [card, end, changes of lane, crossings, whether through the pit lane, the card drawn then
    (0 for none, or by chance)], low cards first; how many there are. None: the hand is shown."""
    kind = DUTY if not start.pro and state[STOPPED] == 0 else FREE
    six = state[HAND + 6] > 0 and (six_open(track, state, 0) or (
        state[HAND + 6] == state[HAND] and (track.chicane[state[SPACE]] or state[STALLED])))
    bits = taken(state)
    ways, more = np.empty((MOST_WAYS, 4), np.int64), np.empty((MOST_WAYS, 4), np.int64)
    ways[0, 0], ways[0, 1], ways[0, 2], ways[0, 3] = state[SPACE], 0, state[CROSSED], 0
    count, found = 1, 0
    for value in range(1, 7):
        count = step(track, kind, bits, ways, count, more)
        ways, more = more, ways
        if not state[HAND + value] or value == 6 and not six:
            continue
        for one in range(count):
            stops = start.pro and ways[one, 0] != END and ways[one, 0] >= track.pit and state[STOPPED] == 0
            before = found
            if start.pro and ways[one, 0] != END and not (stops and state[BESIDE]):
                for stack in range(1, 5):
                    drawn = top(start, state, stack)
                    if drawn:
                        found = _add(out, found, value, ways[one], drawn)
            if found == before:
                found = _add(out, found, value, ways[one], 0)
    return found


@njit
def _add(out, found, value, way, drawn):
    out[found, 0] = value
    for at in range(4):
        out[found, 1 + at] = way[at]
    out[found, 5] = drawn
    return found + 1


@njit
def play(track, start, state, choice):
    """Plays a choice: the card, the way, in the pro game the refill of the hand."""
    state[HAND] -= 1
    state[HAND + choice[0]] -= 1
    state[MOVED] = 1
    stops = drive(track, start, state, 0, choice[1:5])
    if not start.pro or state[STATUS] != RUN:
        return
    if stops and state[BESIDE]:                    # the first comes to the hand, a second onto its stack (AB-47)
        state[HAND] += 1
        state[HAND + state[BESIDE]] += 1
        if state[BESIDE + 1]:
            state[CARDS] += 1
            state[CARDS + state[BESIDE + 1]] += 1
        state[BESIDE] = state[BESIDE + 1] = 0
    elif choice[5]:
        take(state, choice[5])


@njit
def take(state, value):
    """A card of the player's deck comes to the hand."""
    state[CARDS] -= 1
    state[CARDS + value] -= 1
    state[HAND] += 1
    state[HAND + value] += 1


@njit
def fill_up(start, state, decks):
    """Fills the hand in the family game."""
    while not start.pro and state[STATUS] == RUN and state[HAND] < start.hand and state[CARDS]:
        take(state, decks[0, 24 - state[CARDS]] if len(decks) else draw(state, 0))


@njit
def first_hand(start, state, decks):
    """The player's first cards; in the pro game those that the bot takes."""
    for _ in range(2 if start.pro else 0):
        take(state, top(start, state, start.first))
    fill_up(start, state, decks)


@njit
def need(track, start, state):
    """The spaces that the player has still to go, with the pit lane where it is due."""
    way = to_go(track, state, 0)
    if not start.pro and state[STOPPED] == 0 and state[SPACE] < track.pit:
        way += track.detour
    return way


@njit
def held(start, state):
    """The points that the player has in hand and deck; those beside the pit lane are not among them."""
    return points(state, CARDS) + points(state, HAND)


@njit
def lost(track, start, state):
    """Whether the player can't get home any more: taken off, or with too few points."""
    if state[STATUS] != RUN:
        return state[STATUS] == OUT
    cards = held(start, state)
    if state[STOPPED] == 0:
        cards += state[BESIDE] + state[BESIDE + 1]
    return cards < need(track, start, state)
