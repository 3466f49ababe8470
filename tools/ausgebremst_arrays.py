"""A track of Ausgebremst and a race's starting data as arrays: what ``ausgebremst_sim.py`` races
on. The ways come from the game's own ``Course``, so that no rule of the road is written twice.
"""

from collections import namedtuple

import numpy as np

from shared_rules.games.ausgebremst import bots_value, data
from shared_rules.games.ausgebremst.course import FINISH, Course

try:
    import numba
    njit = numba.njit(fastmath=True, error_model="numpy")
except ImportError:                                # slow, but the same results
    def njit(function):
        return function

#: The finish as a space of a way: no track has this many spaces.
END = 63
#: Kinds of steps: the pit lane is open, still has to be taken, is closed.
FREE, DUTY, CLOSED = range(3)

#: A track in arrays: for each kind of step, number of crossings and space: how many steps there are, where they
#: lead, whether they change lanes, whether they cross the line; for each space: the spaces to the line, whether
#: it is in the inner lane, its row, whether it is a chicane, the row if two cars block it, else -1; then numbers.
Track = namedtuple("Track", ["count", "to", "changes", "crosses", "to_line", "inner", "row", "chicane", "blocks", "lap",
                             "laps", "entry", "pit", "detour", "grid"])
#: A race's starting data: whether it is the pro game; for each starting row, the players' decks and the cards beside the
#: pit lane; the deck of a driverless car, the stack of each value, that of the first two cards, the cards of a hand.
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
                 np.array([_blocked_row(track, course, space) for space in spaces], np.int16),
                 course.lap, laps, course.entry, course.pit, course.detour(), np.array(course.grid, np.int16))


def _blocked_row(track, course, space):
    """The same as ``rules.Game.block_road``."""
    if space >= track.in_rows:
        return -1
    row = track.row(space)
    return -1 if track.is_corner(row) or track.row(course.entry) < row < track.row(course.exit) else row


def start_of(track, variant):
    """The starting data of a race of this variant on this track."""
    pro = variant == "pro"
    deck = np.array([(0,) + data.counts(data.SLOW)] * 3, np.int16)
    beside = np.zeros((3, 2), np.int16)
    for row in range(3 if pro else 0):
        for at, card in enumerate(data.chart(track.id)[0][row]):
            beside[row, at] = int(card)
            deck[row, int(card)] -= 1
    return Start(pro, deck, np.array((0,) + data.COMPLETE, np.int16), beside, np.array((0,) + bots_value.STACKS, np.int16),
                 bots_value.FIRST, data.PRO_HAND if pro else data.FAMILY_HAND)
