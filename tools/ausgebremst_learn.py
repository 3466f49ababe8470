"""Makes the tables of Ausgebremst's bots, the folder ``shared_rules/games/ausgebremst/values``:

    pip install -e .[learn]
    python tools/ausgebremst_learn.py                                  all six, three tries each, which takes hours
    python tools/ausgebremst_learn.py nuerburg-ring family --races 600000 --tries 1

It races one to six players among cars that nobody drives (SHARES); each player takes the place that the
table so far rates best, and now and then a random one. After each race the worth of each place moves
towards that of the player's next one, and the worth of the last towards whether the player got home:
TD(LAMBDA) with Adam. Of several tries, the one is kept with which the most players of other races got
home, without looking at a next turn. Then weights are rounded to bytes, in fortieths of a logit.

The resulting file differs with each version of numba's random numbers, but it achieves the figures printed. The
tables of the family game come from 600,000 races and one try, which took ten minutes; those of the pro game came
from an earlier program that raced a single player, and are used only for one player (``values.MOST_PLAYERS``).
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from ausgebremst_arrays import njit, start_of, track_of
from ausgebremst_sim import (
    CARDS,
    CHOICE,
    CROSSED,
    DONE,
    FIELDS,
    HAND,
    HOME,
    MOST_CHOICES,
    PLAYERS,
    RUN,
    SPACE,
    STATE,
    STATUS,
    STOPPED,
    begin,
    choices,
    end_turn,
    fill_up,
    first_hands,
    held,
    is_player,
    lost,
    need,
    play,
    points,
    running,
    seed,
    to_go,
    to_player,
    top,
)
from shared_rules.games.ausgebremst import bots_value as form
from shared_rules.games.ausgebremst import values

#: Parts of a logit in a table.
PARTS = 40
LAMBDA = 0.7
#: One in this many choices is random.
ANY = 100
#: How many of 100 races have 1 to 6 players: a single player among driverless cars has the hardest
#: race; then the numbers of players that are judged.
SHARES = (40, 4, 20, 16, 12, 8)
JUDGED = (1, 3, 5)
#: Step sizes, first and last; races before each step.
FIRST_STEP, LAST_STEP = 0.003, 0.00005
BATCH = 4
#: The groups of the table as in ``bots_value.py``; then the rows of the units.
POS, NEXT, SLACK, SLACK_NEXT, HAND_NEXT, HAND_SLACK, DECK = (
    form.POS, form.NEXT, form.SLACK, form.SLACK_NEXT, form.HAND, form.HAND_SLACK, form.DECK)
CAR, CAR_SPACE, SPEED, MISC, LAPS, VALUES = form.CAR, form.SPACE, form.SPEED, form.MISC, form.LAPS, form.VALUES
UNITS = form.UNITS
ROW_DECK, ROW_HAND, ROW_SLACK, ROW_NEAR = [(at - form.U_DECK) // UNITS for at in (
    form.U_DECK, form.U_HAND, form.U_SLACK, form.U_NEAR)]
ROWS = (form.U_FOR - form.U_DECK) // UNITS
#: What is learned separately and then added to others: for a hand, a space, a class of the nearest car by itself.
ONE_HAND = form.VALUES + 256
ONE_SPACE = ONE_HAND + 28
ONE_NEAR = ONE_SPACE + 64
ENTRIES = ONE_NEAR + 8
MOST_ENTRIES, MOST_ROWS, MOST_TURNS = 40, 9, 100
NEAR = np.array(list(form.NEAR) + [form.FAR] * 80, np.int16)
NONE = np.zeros((0, 28), np.int16)
LOST, HOME_WORTH = -99.0, 99.0


@njit
def entries(track, start, state, me, out, rows):
    """The table's entries, and the rows of its units, that add up for a player's place; how many entries (rows: 9)."""
    mine = me * FIELDS
    space, crossed, stopped = state[mine + SPACE], state[mine + CROSSED], 1 if state[mine + STOPPED] else 0
    here = to_go(track, state, me)
    slack = min(11, max(0, held(state, me) - need(track, start, state, me)))
    low = high = values = 0
    for value in range(1, 7):
        for _ in range(state[mine + HAND + value]):
            low, high = (value, 0) if low == 0 else (low, value if high == 0 else high)
    pair = low if high == 0 else high * (high - 1) // 2 + low + 6
    found = near = 0
    nearest = 99
    for car in range(6):
        at = car * FIELDS
        if car == me or state[at + STATUS] != RUN:
            continue
        ahead = here - to_go(track, state, car)
        if 0 <= ahead < nearest:
            nearest = ahead
        if ahead < -10 or ahead > 27:
            continue
        where = state[at + SPACE]
        out[found] = CAR + 3 * (ahead + 10) + (2 if where >= track.pit else 0 if track.inner[where] else 1)
        found += 1
        if -2 <= ahead <= 20:
            near += 1
            apart = 0 if ahead < 2 else ahead // 2 if ahead < 8 else 4 if ahead < 12 else 5
            speed = form.UNKNOWN_SPEED if is_player(state, car) else 0
            if speed == 0 and state[at + CARDS]:
                speed = min(9, max(0, points(state, at + CARDS) * 4 // state[at + CARDS] - 10))
            out[found] = CAR_SPACE + 2 * where + (1 if ahead >= 0 else 0)
            out[found + 1] = SPEED + 10 * apart + speed
            found += 2
    kind = NEAR[nearest]
    for value in range(1, 7):
        out[found] = DECK + 8 * (value - 1) + state[mine + CARDS + value]
        rows[value - 1] = ROW_DECK + 8 * (value - 1) + state[mine + CARDS + value]
        found += 1
    rows[6], rows[7], rows[8] = ROW_HAND + pair, ROW_SLACK + 4 * slack + crossed, ROW_NEAR + kind
    few = slack if slack < 2 else 2 if slack < 4 else 3
    for entry in (POS + 2 * space + stopped, NEXT + 8 * space + kind, SLACK + 4 * slack + crossed,
                  SLACK_NEXT + 8 * slack + kind, HAND_NEXT + 8 * pair + min(7, nearest), HAND_SLACK + 4 * pair + few,
                  MISC + (1 if nearest == 99 else 0), MISC + 2 + (1 if state[HOME] else 0), MISC + 4 + near,
                  MISC + 9 + running(state), LAPS + 4 * space + crossed, ONE_HAND + pair, ONE_SPACE + space,
                  ONE_NEAR + kind):
        out[found] = entry
        found += 1
    if start.pro:
        for value in range(1, 7):
            if state[mine + HAND + value] or top(start, state, me, start.stacks[value]) == value:
                values |= 1 << (value - 1)
        out[found] = VALUES + 4 * values + kind // 2
        found += 1
    return found


@njit
def total(table, units, found, out, rows, sums):
    """What a place is worth, as a logit; ``sums`` are its units."""
    worth = 0.0
    for at in range(found):
        worth += table[out[at]]
    sums[:] = 0
    for at in range(MOST_ROWS):
        for unit in range(UNITS):
            sums[unit] += units[rows[at], unit]
    for unit in range(UNITS):
        if sums[unit] > 0:
            worth += sums[unit] if unit < UNITS // 2 else -sums[unit]
    return worth


@njit
def worth_of(track, start, state, car, table, units, out, rows, sums):
    """What the state after a player's choice is worth to the player, as a logit."""
    if state[car * FIELDS + STATUS] == DONE:
        return HOME_WORTH
    if lost(track, start, state, car):
        return LOST
    return total(table, units, entries(track, start, state, car, out, rows), out, rows, sums)


@njit
def best_choice(track, start, state, car, table, units, found, count, worths):
    """The number of the best choice, by the place that each leads to."""
    out, rows, sums = np.empty(MOST_ENTRIES, np.int64), np.empty(MOST_ROWS, np.int64), np.empty(UNITS)
    best = 0
    for at in range(count):
        after = state.copy()
        play(track, start, after, car, found[at])
        worths[at] = worth_of(track, start, after, car, table, units, out, rows, sums)
        if worths[at] > worths[best]:
            best = at
    return best


@njit
def race_home(track, start, table, units, state):
    """Plays a race to its end, each player taking the best place each time; how many get home. A
    single player gives up once the remaining points aren't enough."""
    found, worths = np.empty((MOST_CHOICES, CHOICE), np.int64), np.empty(MOST_CHOICES)
    while True:
        car = to_player(track, start, state, NONE)
        if car < 0:
            break
        count = choices(track, start, state, car, found)
        if count:
            best = best_choice(track, start, state, car, table, units, found, count, worths)
            play(track, start, state, car, found[best])
            if state[PLAYERS] == 1 and lost(track, start, state, car):
                return 0
            fill_up(start, state, car, NONE)
        end_turn(track, state, car)
    home = 0
    for car in range(6 - state[PLAYERS], 6):
        home += state[car * FIELDS + STATUS] == DONE
    return home


@njit
def got_home(track, start, table, units, races, players):
    """How many players get home in this many new races."""
    state = np.empty(STATE, np.int64)
    home = 0
    for _ in range(races):
        begin(track, start, state, players)
        first_hands(start, state, NONE)
        home += race_home(track, start, table, units, state)
    return home


@njit
def adam(weight, slope, mean, square, rate):
    """One step of a weight: (weight, mean and mean square of its slopes)."""
    mean = 0.9 * mean + 0.1 * slope
    square = 0.999 * square + 0.001 * slope * slope
    return weight - rate * mean / (np.sqrt(square) + 1e-6), mean, square


@njit
def learn(track, start, table, units, races, shares):
    """Races and learns; the weights change in place. ``shares``: how many of 100 races have 1 to 6 players."""
    t_slope, t_mean, t_square = np.zeros(ENTRIES), np.zeros(ENTRIES), np.zeros(ENTRIES)
    u_slope, u_mean, u_square = np.zeros((ROWS, UNITS)), np.zeros((ROWS, UNITS)), np.zeros((ROWS, UNITS))
    t_touched, u_touched = np.zeros(ENTRIES, np.bool_), np.zeros(ROWS, np.bool_)
    t_list, u_list = np.empty(ENTRIES, np.int64), np.empty(ROWS, np.int64)
    t_count = u_count = 0
    places, counts = np.empty((6, MOST_TURNS, MOST_ENTRIES), np.int64), np.empty((6, MOST_TURNS), np.int64)
    rows, sums = np.empty((6, MOST_TURNS, MOST_ROWS), np.int64), np.empty((6, MOST_TURNS, UNITS))
    worths, turns = np.empty((6, MOST_TURNS)), np.empty(6, np.int64)
    found, choice_worths = np.empty((MOST_CHOICES, CHOICE), np.int64), np.empty(MOST_CHOICES)
    state = np.empty(STATE, np.int64)
    for race in range(races):
        rate = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (race / races)
        luck, players = np.random.randint(100), 1
        while luck >= shares[players - 1]:
            luck -= shares[players - 1]
            players += 1
        begin(track, start, state, players)
        first_hands(start, state, NONE)
        turns[:] = 0
        while True:
            car = to_player(track, start, state, NONE)
            if car < 0:
                break
            count = choices(track, start, state, car, found)
            if count:
                best = best_choice(track, start, state, car, table, units, found, count, choice_worths)
                if np.random.randint(ANY) == 0:
                    best = np.random.randint(count)
                play(track, start, state, car, found[best])
                if state[car * FIELDS + STATUS] == RUN and not lost(track, start, state, car):
                    turn = turns[car]
                    counts[car, turn] = entries(track, start, state, car, places[car, turn], rows[car, turn])
                    worths[car, turn] = total(table, units, counts[car, turn], places[car, turn], rows[car, turn],
                                              sums[car, turn])
                    turns[car] += 1
                elif players == 1:
                    break
                fill_up(start, state, car, NONE)
            end_turn(track, state, car)
        for car in range(6 - players, 6):
            target = 1.0 if state[car * FIELDS + STATUS] == DONE else 0.0
            for turn in range(turns[car] - 1, -1, -1):
                chance = 1 / (1 + np.exp(-worths[car, turn]))
                slope = chance - target
                target = LAMBDA * target + (1 - LAMBDA) * chance
                for at in range(counts[car, turn]):
                    entry = places[car, turn, at]
                    if not t_touched[entry]:
                        t_touched[entry], t_list[t_count], t_slope[entry] = True, entry, 0.0
                        t_count += 1
                    t_slope[entry] += slope
                for at in range(MOST_ROWS):
                    row = rows[car, turn, at]
                    if not u_touched[row]:
                        u_touched[row], u_list[u_count], u_slope[row] = True, row, 0.0
                        u_count += 1
                    for unit in range(UNITS):
                        if sums[car, turn, unit] > 0:
                            u_slope[row, unit] += slope if unit < UNITS // 2 else -slope
        if race % BATCH < BATCH - 1:
            continue
        for at in range(t_count):
            one = t_list[at]
            t_touched[one] = False
            table[one], t_mean[one], t_square[one] = adam(table[one], t_slope[one], t_mean[one], t_square[one], rate)
        for at in range(u_count):
            one = u_list[at]
            u_touched[one] = False
            for unit in range(UNITS):
                units[one, unit], u_mean[one, unit], u_square[one, unit] = adam(
                    units[one, unit], u_slope[one, unit], u_mean[one, unit], u_square[one, unit], rate)
        t_count = u_count = 0


def bytes_of(table, units, pro):
    """The weights as a table for ``bots_value.py``."""
    table = table.copy()
    table[NEXT:SLACK] += np.add.outer(table[ONE_SPACE:ONE_NEAR], table[ONE_NEAR:]).reshape(-1)
    table[HAND_NEXT:HAND_SLACK] += np.repeat(table[ONE_HAND:ONE_SPACE], 8)
    made = _rounded(table[:form.U_DECK]) + _rounded(units.reshape(-1)) + bytes([UNITS // 2])
    return made + _rounded(table[form.VALUES:ONE_HAND]) if pro else made


def _rounded(weights):
    return bytes((np.rint(weights * PARTS).clip(-128, 127).astype(int) + form.ZERO).tolist())


def weights_of(made):
    """The weights of such a table, in logits: (entries, units)."""
    every = (np.frombuffer(made, np.uint8).astype(float) - form.ZERO) / PARTS
    table = np.zeros(ENTRIES)
    table[:form.U_DECK] = every[:form.U_DECK]
    table[form.VALUES:form.VALUES + len(every) - form.VALUES] = every[form.VALUES:]
    units = every[form.U_DECK:form.U_FOR].reshape(ROWS, UNITS)
    middle = made[form.U_FOR]
    assert middle == UNITS // 2, middle
    return table, units.copy()


def module_of(made, name, variant):
    """The text of a module with this table."""
    lines, line = [], ""
    for byte in made:
        text = chr(byte) if 32 <= byte < 127 and byte not in (34, 92) else f"\\x{byte:02x}"
        if len(line) + len(text) > 118:
            lines.append(line)
            line = ""
        line += text
    body = "".join(f'    b"{line}"\n' for line in [*lines, line])
    return (f'"""What a spot is worth to the bot of the {variant} game on {name}, for ``bots_value.py``. Learned, not '
            f'written."""\n\nTABLE = (\n{body})\n')


def made_table(source, variant, races, tries, judged, say=print):
    """(the sum of the shares that get home, the bytes) for the best of several tries."""
    track, start = track_of(source), start_of(source, variant)
    best = (-1, b"")
    for number in range(1, tries + 1):
        began = time.monotonic()
        seed(number)
        chance = np.random.default_rng(number)
        table, units = np.zeros(ENTRIES), chance.normal(0, 0.15, (ROWS, UNITS))
        learn(track, start, table, units, races, np.array(SHARES))
        made = bytes_of(table, units, start.pro)
        seed(0)
        home = [got_home(track, start, *weights_of(made), judged, players) / judged / players for players in JUDGED]
        best = max(best, (sum(home), made))
        told = ", ".join(f"{100 * share:.1f} % of {players}" for share, players in zip(home, JUDGED))
        say(f"{source.id} {variant}, try {number}: {races:,} races in {time.monotonic() - began:.0f} s; of {judged:,} other "
            f"races each, without a look at the next turn, get home {told}", flush=True)
    return best


def main(arguments):
    from gridglow import paths
    from gridglow.tracks import load_track

    parser = argparse.ArgumentParser(description="Makes the tables of Ausgebremst's bots.")
    parser.add_argument("track", nargs="?", choices=values.TRACKS)
    parser.add_argument("variant", nargs="?", choices=("family", "pro"))
    parser.add_argument("--races", type=int, default=400_000)
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--judged", type=int, default=10_000)
    parser.add_argument("--to", type=Path, default=paths.rules_folder() / "games" / "ausgebremst" / "values")
    asked = parser.parse_args(arguments)
    for name in [asked.track] if asked.track else values.TRACKS:
        for variant in [asked.variant] if asked.variant else ("family", "pro"):
            source = load_track(name).track
            _, made = made_table(source, variant, asked.races, asked.tries, asked.judged)
            file = asked.to / f"{values.module(name, variant)}.py"
            file.write_text(module_of(made, source.name, variant), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
