"""Races of Ausgebremst among bots and driverless cars, thousands a second: ``ausgebremst_learn.py``
learns from them, and ``ausgebremst_limits.py`` searches them.

Cars are numbered 0 to 5 by their places on the grid, which is also the order of their turns. Players have the
last ones, as in the first race of a season. The turns are written here a second time, on the arrays of
``ausgebremst_arrays.py``, so that numba can compile them (``pip install gridglow[learn]``). Without numba
everything still runs, a thousand times slower; tests/games/ausgebremst/test_learn.py compares both with the game.

A state is one array of small numbers; a search only needs to copy it:

    6 cars, FIELDS numbers each    space (OFF: none), crossings, status, begun, stopped, spaces to go when taken off,
                                   cards in its deck, then how many of value 1 to 6, cards in hand, then how many of value
                                   1 to 6, the cards beside the pit lane, high card first, 0 for none
    PLAYERS                        how many of the last cars have a player
    AT, HOME, MOVED, STALLED       whose turn it is, cars at the finish, and the round as in ``rules.Game``

In the pro game a player's "deck" is the four stacks: they are sorted so that each value is on one
stack, high cards below, so the count of each value says everything.
"""

import numpy as np

from ausgebremst_arrays import CLOSED, DUTY, END, FREE, njit

SPACE, CROSSED, STATUS, BEGUN, STOPPED, TO_GO, CARDS = range(7)
HAND, BESIDE = CARDS + 7, CARDS + 14
FIELDS = BESIDE + 2
PLAYERS, AT, HOME, MOVED, STALLED = range(6 * FIELDS, 6 * FIELDS + 5)
STATE = STALLED + 1
OFF = -1
RUN, DONE, OUT = range(3)
#: The car of a single player.
LAST = 5
#: What a choice and a way are: see ``choices``.
CHOICE = 6
MOST_CHOICES = 200
MOST_WAYS = 16


@njit
def seed(number):
    """Seeds the random numbers of the compiled code."""
    np.random.seed(number)


@njit
def begin(track, start, state, players):
    """Sets a state to the start of a race: cars on the grid, decks complete, no card in hand."""
    state[:] = 0
    state[PLAYERS] = players
    for car in range(6):
        at = car * FIELDS
        state[at + SPACE] = track.grid[car]
        row = car // 2
        for value in range(1, 7):
            count = start.deck[row, value] if is_player(state, car) else start.complete[value]
            state[at + CARDS + value] = count
            state[at + CARDS] += count
        if is_player(state, car):
            state[at + BESIDE] = start.beside[row, 0]
            state[at + BESIDE + 1] = start.beside[row, 1]


@njit
def is_player(state, car):
    """Whether somebody drives this car."""
    return car >= 6 - state[PLAYERS]


@njit
def to_go(track, state, car):
    """Spaces to the finish for a car; for one that was taken off, those it had then."""
    at = car * FIELDS
    if state[at + STATUS] != RUN:
        return state[at + TO_GO]
    return track.to_line[state[at + SPACE]] + (track.laps - state[at + CROSSED]) * track.lap


@njit
def points(state, at):
    """The points of the cards counted from here: of a deck (``car * FIELDS + CARDS``) or of a hand."""
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
    """The number of cars on the track."""
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
    """The spaces that cars stand on, one bit each."""
    bits = np.int64(0)
    for car in range(6):
        if state[car * FIELDS + STATUS] == RUN:
            bits |= np.int64(1) << np.int64(state[car * FIELDS + SPACE])
    return bits


@njit
def step(track, kind, bits, ways, count, out):
    """One step on from each of ``count`` ways, [space, changes of lane, crossings, whether through
    the pit lane], with no space twice; returns the new number of ways."""
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
    """Draws a card from a deck, at random."""
    at = car * FIELDS + CARDS
    luck = np.random.randint(state[at])
    value = 1
    while luck >= state[at + value]:
        luck -= state[at + value]
        value += 1
    return value


@njit
def drive(track, start, state, car, way):
    """Moves a car along a way; True if it stops in the pit lane for the first time."""
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
    """The turn of a driverless car (AB-34 to AB-36b, AB-48); from ``decks``, if they are known, its next card."""
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
    """How far a way is from what such a car wants, in the order of ``derelicts.best``."""
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
    """Continues until a player's turn, and returns the player's car; -1 if no player's car is left."""
    while True:
        left = 0
        for car in range(6 - state[PLAYERS], 6):
            left += state[car * FIELDS + STATUS] == RUN
        if left == 0:
            return -1
        while state[AT] >= 6 or state[state[AT] * FIELDS + STATUS] != RUN:
            state[AT] += 1
            if state[AT] >= 6:
                state[AT] = 0
                state[STALLED] = 1 - state[MOVED]
                state[MOVED] = 0
        car = state[AT]
        if is_player(state, car):
            return car
        derelict(track, start, state, car, decks)
        end_turn(track, state, car)


@njit
def end_turn(track, state, car):
    """The end of a turn: a car that is out of cards is taken off (AB-35, AB-37)."""
    at = car * FIELDS
    state[at + BEGUN] = 1
    if state[at + STATUS] == RUN and state[at + CARDS] + state[at + HAND] == 0:
        take_off(track, state, car)
    state[AT] += 1


@njit
def top(start, state, car, stack):
    """The top card of a stack of a car's player, its lowest; 0 if the stack is empty."""
    for value in range(1, 7):
        if start.stacks[value] == stack and state[car * FIELDS + CARDS + value]:
            return value
    return 0


@njit
def only_sixes(state, car):
    """Whether all cards of a hand are 6s."""
    hand = car * FIELDS + HAND
    return state[hand] > 0 and state[hand + 6] == state[hand]


@njit
def six_allowed(track, state, car):
    """Whether a player may play a 6 (AB-27, AB-50)."""
    if six_open(track, state, car):
        return True
    if not only_sixes(state, car):
        return False
    space = state[car * FIELDS + SPACE]
    if track.chicane[space] or state[STALLED]:
        return True
    for other in range(6 - state[PLAYERS], 6):
        if (other != car and state[other * FIELDS + STATUS] == RUN and track.blocks[space] >= 0
                and track.blocks[state[other * FIELDS + SPACE]] == track.blocks[space] and only_sixes(state, other)):
            return True
    return False


@njit
def choices(track, start, state, car, out):
    """All of a player's choices, [card, end, changes of lane, crossings, whether through the pit lane, the card
    drawn then (0 for none, or by chance)], low cards first; returns their number. None: the hand is shown."""
    at = car * FIELDS
    kind = DUTY if not start.pro and state[at + STOPPED] == 0 else FREE
    six = state[at + HAND + 6] > 0 and six_allowed(track, state, car)
    bits = taken(state)
    ways, more = np.empty((MOST_WAYS, 4), np.int64), np.empty((MOST_WAYS, 4), np.int64)
    ways[0, 0], ways[0, 1], ways[0, 2], ways[0, 3] = state[at + SPACE], 0, state[at + CROSSED], 0
    count, found = 1, 0
    for value in range(1, 7):
        count = step(track, kind, bits, ways, count, more)
        ways, more = more, ways
        if not state[at + HAND + value] or value == 6 and not six:
            continue
        for one in range(count):
            stops = start.pro and ways[one, 0] != END and ways[one, 0] >= track.pit and state[at + STOPPED] == 0
            before = found
            if start.pro and ways[one, 0] != END and not (stops and state[at + BESIDE]):
                for stack in range(1, 5):
                    drawn = top(start, state, car, stack)
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
def play(track, start, state, car, choice):
    """Plays a choice: the card, the way, and in the pro game the refill of the hand."""
    at = car * FIELDS
    state[at + HAND] -= 1
    state[at + HAND + choice[0]] -= 1
    state[MOVED] = 1
    stops = drive(track, start, state, car, choice[1:5])
    if not start.pro or state[at + STATUS] != RUN:
        return
    if stops and state[at + BESIDE]:               # the first comes to the hand, a second onto its stack (AB-47)
        state[at + HAND] += 1
        state[at + HAND + state[at + BESIDE]] += 1
        if state[at + BESIDE + 1]:
            state[at + CARDS] += 1
            state[at + CARDS + state[at + BESIDE + 1]] += 1
        state[at + BESIDE] = state[at + BESIDE + 1] = 0
    elif choice[5]:
        take(state, car, choice[5])


@njit
def take(state, car, value):
    """Moves a card from a player's deck to the hand."""
    at = car * FIELDS
    state[at + CARDS] -= 1
    state[at + CARDS + value] -= 1
    state[at + HAND] += 1
    state[at + HAND + value] += 1


@njit
def fill_up(start, state, car, decks):
    """Fills up a hand in the family game."""
    at = car * FIELDS
    while not start.pro and state[at + STATUS] == RUN and state[at + HAND] < start.hand and state[at + CARDS]:
        take(state, car, decks[car, 24 - state[at + CARDS]] if len(decks) else draw(state, car))


@njit
def first_hands(start, state, decks):
    """The players' first cards; in the pro game those that the bot takes."""
    for car in range(6 - state[PLAYERS], 6):
        for _ in range(2 if start.pro else 0):
            take(state, car, top(start, state, car, start.first))
        fill_up(start, state, car, decks)


@njit
def need(track, start, state, car):
    """The spaces that a player still has to go, with the pit lane if it is due."""
    way = to_go(track, state, car)
    if not start.pro and state[car * FIELDS + STOPPED] == 0 and state[car * FIELDS + SPACE] < track.pit:
        way += track.detour
    return way


@njit
def held(state, car):
    """The points that a player has in hand and deck, without those beside the pit lane."""
    return points(state, car * FIELDS + CARDS) + points(state, car * FIELDS + HAND)


@njit
def lost(track, start, state, car):
    """Whether a player can no longer get home: taken off, or with too few points."""
    at = car * FIELDS
    if state[at + STATUS] != RUN:
        return state[at + STATUS] == OUT
    cards = held(state, car)
    if state[at + STOPPED] == 0:
        cards += state[at + BESIDE] + state[at + BESIDE + 1]
    return cards < need(track, start, state, car)
