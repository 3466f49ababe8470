"""How long the bots reckon that a race still lasts, for each row and gear. Loaded until that is known.

Of a course that nobody else drives on: each turn two cards are flipped, and before or after the move the gear goes up by
one, or down by two at the most. What is told are hundredths of a turn.
"""

from array import array

from shared_rules.games.fast_and_furious.bots import CRASH, LOST, POINT, TURN, expected

#: Cards that are flipped in a turn.
FLIPS = 2


class Ahead:
    """``odds`` of each gear from 1st: its speeds, and how many cards have each, in pairs; ``turns[7 * steps + gear]`` how
    long it takes from so many steps before the finish; ``paused`` the same on a barrier, by steps; ``rows`` steps are known.
    """

    def __init__(self, game):
        self.odds = []
        for gear in range(1, 7):
            speeds = [game.box.speed("1" + letter, gear) for letter in "abcdefghijklmnopqrst"]
            self.odds.append([(speed, speeds.count(speed)) for speed in sorted(set(speeds))])
        course = game.course
        self.most = course.to_go(course.track.count - 1, 0, 1)       # from the last row of the start card
        self.rows = 0
        self.limits = bytearray(self.most + 1)
        self.barriers = bytearray(self.most + 1)
        track = course.track
        for row in range(1, track.rows + 1):
            space = course.first[track.row_spaces(row)[0]]
            steps = course.to_go(space, 0, 1)
            if not self.limits[steps]:
                self.limits[steps] = course.limits[space]
            self.barriers[steps] = course.barrier(space)
        self.turns = array("h", [0] * 7)
        self._best = array("h", [0] * 7)        # as turns, once the gear may have been changed
        self.paused = {}

    def grow(self):
        """Reckons one step more."""
        self.rows += 1
        steps = self.rows
        if self.barriers[steps]:
            self.paused[steps] = self._row(steps, CRASH)
        row = self._row(steps, 0)
        self.turns.extend(row)
        best = array("h")
        for gear in range(7):
            best.append(min(row[max(0, gear - 2):gear + 2]))
        self._best.extend(best)

    def _row(self, steps, crash):
        """The turns of each gear from here; ``crash`` is what it costs to be too slow for a barrier here."""
        self._near = [at for at in range(steps - 1, max(0, steps - 36), -1) if self.limits[at]]
        self._lines = [at for at in range(steps, max(0, steps - 36), -1) if self.barriers[at]]
        ready = [9999] * 9
        shifting = [9999] * 9
        for gear in range(1, 7):
            plain = []
            again = []
            for speed, count in self.odds[gear - 1]:
                left, cost = self._end(steps, speed, 7 + gear)
                if left > 0 and cost < 0:
                    cost = crash or self.paused[left][gear]
                    plain.append(cost << 5 | count)
                    again.append(cost << 5 | count)
                elif left <= 0:
                    plain.append(POINT * left << 5 | count)
                    again.append(POINT * left << 5 | count)
                else:
                    at = 7 * left + max(0, gear - max(0, cost - 6))
                    cost = LOST[min(cost, 7)]
                    plain.append(cost + self.turns[at] << 5 | count)
                    again.append(cost + self._best[at] << 5 | count)
            ready[gear] = TURN + expected(plain, FLIPS)
            shifting[gear] = TURN + expected(again, FLIPS)
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

    def _end(self, steps, speed, stop):
        """(steps left, penalties) of a speed; -1 penalties: it pauses on a barrier."""
        to = steps - speed
        cost = pause = 0
        for at in self._lines:
            if at > to and self.barriers[at] > speed:
                to = at
                pause = 1
                break
        for at in self._near:
            if at < to:
                break
            if self.limits[at] < speed:
                cost += speed - self.limits[at]
                if cost >= stop:
                    return at, stop
        return to, -1 if pause else cost
