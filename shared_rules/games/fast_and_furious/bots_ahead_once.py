"""How long the bots reckon that a race still lasts, for each row and gear. Loaded to find that out.

Of a course that nobody else drives on: each turn two cards are flipped, and before or after the move the gear goes up by
one, or down by two at the most.
"""

from array import array

from shared_rules.games.fast_and_furious.bots import Ahead
from shared_rules.games.fast_and_furious.bots_plan_once import CRASH, LOST, POINT, TURN, expected

#: Cards that are flipped in a turn.
FLIPS = 2
#: The fastest speed from one row to another.
FAR = 36


def begin(game):
    """An Ahead in which nothing is known yet; a generator that returns it."""
    ahead = Ahead()
    odds = bytearray()
    for gear in range(1, 7):
        speeds = sorted([game.box.speed("1" + letter, gear) for letter in "abcdefghijklmnopqrst"])
        odds += bytes([speeds[at] for at in range(2, 20, 4)])
        yield
    ahead.odds = bytes(odds)
    course = game.course
    track = course.track
    ahead.laps = laps = game.setup.laps
    # From the last row of the start card, or from a row that a short side road leads past; then two rows may be as far away.
    ahead.most = max([course.to_go(space, 0, laps) for space in range(track.count)])
    ahead.limits = bytearray(ahead.most + 1)
    ahead.barriers = bytearray(ahead.most + 1)
    for row in range(1, track.rows + 1):
        space = track.row_spaces(row)[0]
        for crossed in range(laps if track.closed else 1):
            steps = course.to_go(space, crossed, laps)
            ahead.limits[steps] = course.limits[space]
            ahead.barriers[steps] = max(ahead.barriers[steps], course.barrier(space))
        if not row & 7:
            yield
    ahead.turns = array("h", [0] * 7)
    ahead.best = array("h", [0] * 7)
    return ahead


def grow(ahead):
    """Reckons one step more, a generator."""
    steps = len(ahead.turns) // 7
    if ahead.barriers[steps]:
        row = yield from _row(ahead, steps, CRASH)
        ahead.paused.append((steps, row))
    row = yield from _row(ahead, steps, 0)
    best = array("h")
    for gear in range(7):
        best.append(min(row[max(0, gear - 2):gear + 2]))
    ahead.turns.extend(row)
    ahead.best.extend(best)
    if steps == ahead.most:
        ahead.limits = ahead.barriers = ahead.best = None


def _row(ahead, steps, crash):
    """The turns of each gear from here; ``crash`` is what it costs to be too slow for a barrier here."""
    near = [at for at in range(steps - 1, max(0, steps - FAR), -1) if ahead.limits[at]]
    lines = [at for at in range(steps, max(0, steps - FAR), -1) if ahead.barriers[at]]
    ready = [9999] * 8
    shifting = [9999] * 8
    turns, best = ahead.turns, ahead.best
    for gear in range(1, 7):
        plain = []
        again = []
        for speed in ahead.odds[5 * gear - 5:5 * gear]:
            left, cost = _end(ahead, near, lines, steps, speed, 7 + gear) if near or lines else (steps - speed, 0)
            if left <= 0:
                plain.append(POINT * left)
                again.append(POINT * left)
                continue
            if cost < 0:
                cost = crash or ahead.on_barrier(left)[gear]
                plain.append(cost)
                again.append(cost)
                continue
            at = 7 * left + (gear if cost < 7 else max(0, gear - cost + 6))
            cost = LOST[min(cost, 7)]
            plain.append(cost + turns[at])
            again.append(cost + best[at])
        plain.sort()
        again.sort()
        ready[gear] = TURN + expected(plain, FLIPS)
        shifting[gear] = TURN + expected(again, FLIPS)
        yield
    row = array("h", [0] * 7)
    for gear in range(6, -1, -1):
        least = min(shifting[gear], ready[gear + 1])
        if gear > 1:
            least = min(least, ready[gear - 1])
        if gear > 2:
            least = min(least, ready[gear - 2])
        if gear < 5:
            least = min(least, crash or TURN + row[gear + 2])
        row[gear] = least
    return row


def _end(ahead, near, lines, steps, speed, stop):
    """(steps left, penalties) of a speed; -1 penalties: it pauses on a barrier."""
    to = steps - speed
    cost = pause = 0
    for at in lines:
        if at > to and ahead.barriers[at] > speed:
            to = at
            pause = 1
            break
    for at in near:
        if at < to:
            break
        if ahead.limits[at] < speed:
            cost += speed - ahead.limits[at]
            if cost >= stop:
                return at, stop
    return to, -1 if pause else cost
