"""How often a car of Ausgebremst can get home alone among driverless cars, where a bot fails to in 80 of 100 races:

    pip install -e .[learn]
    python tools/ausgebremst_limits.py                                  all that `bench --bots` names as a reason
    python tools/ausgebremst_limits.py nuerburg-drom family --races 50 --playouts 0,40 --no-hindsight

Three things about each circuit and variant, with the deals of ``gridglow bench --bots``:

- how many points the cards hold and how many spaces each starting row has to go;
- how many races are won by a search that knows as little as a bot and plays each choice to the end `--playouts` times,
  each time with newly shuffled cards, by the tables of ``bots_value.py``. More playouts come nearer to the best that is
  possible, but prove nothing: the playouts' own play limits it as well;
- how many races can be finished at all: every play is tried with all cards known. No bot can do better, and none knows as
  much. In the pro game that is for the bot's own deck, stacks and first cards.
"""

import argparse
import sys
import time

import numpy as np

from ausgebremst_arrays import njit, start_of, track_of
from ausgebremst_learn import LOST, MOST_ENTRIES, MOST_ROWS, NONE, UNITS, race_home, weights_of, worth_of
from ausgebremst_sim import (
    CHOICE,
    DONE,
    FIELDS,
    HAND,
    HOME,
    LAST,
    MOST_CHOICES,
    STATE,
    STATUS,
    begin,
    choices,
    end_turn,
    fill_up,
    first_hands,
    held,
    lost,
    need,
    play,
    seed,
    to_player,
)
from shared_rules.chance import Chance
from shared_rules.games.ausgebremst import data, measured, values
from shared_rules.games.ausgebremst.rules import Game
from shared_rules.setup import Setup

#: Choices that the table rates worse by this much, in logits, aren't played out.
MARGIN = 1.0
#: The table's rating of a choice counts as this many playouts.
AS_MANY = 10
#: A choice is dropped when it is this many standard deviations behind.
BEHIND = 2.0
ROUNDS = 4


class Few(Game):
    """One player is enough, as when bots are measured."""

    SEATS = measured.SEATS


def deal_of(source, variant, number):
    """The decks of the bench's race with this number: a row for each car, the player's last."""
    setup = Setup.from_plain({"game": "ausgebremst", "variant": variant, "seed": f"duel-{variant}-{number}",
                              "players": [["bot", "Bot"]]}, source, Few)
    game = Few(setup, source, Chance(setup.seed, "deal"))
    while game.phase == data.DRAW:
        for _ in game.turn():
            raise AssertionError("one player draws no card for the start")
    decks = np.zeros((6, 28), np.int64)
    for car in range(6):
        own = car == LAST                          # the first car of the game
        cards = [int(card) for card in (game.hands[0] + game.decks[0] if own else game.decks[car + 1])]
        decks[car, :len(cards)] = cards
    return decks


def table_of(source, variant):
    """The weights that the bot uses here."""
    return weights_of(values.load(source.id, variant))


@njit
def searched(track, start, state, table, units, found, count, playouts, number):
    """The number of the choice after which the most playouts end at home."""
    out, rows, sums = np.empty(MOST_ENTRIES, np.int64), np.empty(MOST_ROWS, np.int64), np.empty(UNITS)
    after = np.empty((count, STATE), np.int64)
    worths, wins = np.empty(count), np.zeros(count)
    for at in range(count):
        after[at] = state
        play(track, start, after[at], LAST, found[at])
        worths[at] = worth_of(track, start, after[at], LAST, table, units, out, rows, sums)
    best = np.argmax(worths)
    if playouts == 0 or abs(worths[best]) > -LOST - 1:
        return best
    alive = worths >= worths[best] - MARGIN
    for at in range(count):
        wins[at] = AS_MANY / (1 + np.exp(-worths[at]))
    done = 0
    while done < playouts and alive.sum() > 1:
        upto = min(playouts, done + max(1, playouts // ROUNDS))
        for one in range(done, upto):
            for at in range(count):
                if alive[at]:
                    np.random.seed(number * 1000 + one)         # the same luck for all
                    trial = after[at].copy()
                    fill_up(start, trial, LAST, NONE)
                    end_turn(track, trial, LAST)
                    wins[at] += race_home(track, start, table, units, trial)
        done = upto
        most = 0.0
        for at in range(count):
            if alive[at] and wins[at] > most:
                best, most = at, wins[at]
        for at in range(count):
            alive[at] = alive[at] and wins[at] >= most - BEHIND * np.sqrt(done / 2)
    return best


@njit
def searched_race(track, start, table, units, decks, playouts, number):
    """Whether the search gets home in the race with these decks; it knows only which cards are left in each."""
    state = np.empty(STATE, np.int64)
    begin(track, start, state, 1)
    first_hands(start, state, decks)
    found = np.empty((MOST_CHOICES, CHOICE), np.int64)
    turn = 0
    while to_player(track, start, state, decks) >= 0:
        count = choices(track, start, state, LAST, found)
        turn += 1
        if count:
            best = searched(track, start, state, table, units, found, count, playouts, number * 100 + turn)
            play(track, start, state, LAST, found[best])
            if lost(track, start, state, LAST):
                return False
            fill_up(start, state, LAST, decks)
        end_turn(track, state, LAST)
    return state[LAST * FIELDS + STATUS] == DONE


@njit
def following(track, start, state, decks, found, out):
    """Where each choice leads by the player's next turn, with all cards known; how many of them
    aren't lost. -1 if one leads home."""
    count = choices(track, start, state, LAST, found)
    kept = 0
    for at in range(max(1, count)):
        after = out[kept]
        after[:] = state
        if count:
            play(track, start, after, LAST, found[at])
            if after[LAST * FIELDS + STATUS] == DONE:
                return -1
            if lost(track, start, after, LAST):
                continue
            fill_up(start, after, LAST, decks)
        end_turn(track, after, LAST)
        if to_player(track, start, after, decks) >= 0:
            after[HOME] = min(1, after[HOME])
            kept += 1
    return kept


def can_get_home(track, start, decks):
    """Whether any play gets home: every one is tried, those that keep the most points first. A
    state that was met before isn't tried again."""
    state = np.empty(STATE, np.int64)
    begin(track, start, state, 1)
    first_hands(start, state, decks)
    to_player(track, start, state, decks)
    ahead = [state]
    met = set()
    found, out = np.empty((MOST_CHOICES, CHOICE), np.int64), np.empty((MOST_CHOICES, STATE), np.int64)
    while ahead:
        kept = following(track, start, ahead.pop(), decks, found, out)
        if kept < 0:
            return True
        children = []
        for at in range(kept):
            known = out[at].astype(np.int8).tobytes()
            if known not in met:
                met.add(known)
                child = out[at].copy()
                spare = held(child, LAST) - need(track, start, child, LAST)
                children.append((spare, -child[LAST * FIELDS + HAND + 6], at, child))
        ahead += [child[3] for child in sorted(children, key=lambda one: one[:3])]
    return False


def points_line(source, variant):
    """The points of the cards, and what each starting row needs."""
    track = track_of(source)
    pro = variant == "pro"
    rows = []
    for row in (1, 2, 3):
        beside = sum(int(card) for card in data.chart(source.id)[0][row - 1]) if pro else 0
        way = track.laps * track.lap + row + (0 if pro else track.detour)
        rows.append(f"row {row}: {way} spaces, {84 - beside} points" + (f" and {beside} beside the pit lane" if pro else ""))
    return "; ".join(rows)


def main(arguments):
    """Prints a few lines for each circuit and variant."""
    from gridglow.tracks import load_track

    parser = argparse.ArgumentParser(description="How often a car alone can get home in Ausgebremst.")
    parser.add_argument("track", nargs="?")
    parser.add_argument("variant", nargs="?", choices=("family", "pro"))
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--playouts", default="0,10,40,160")
    parser.add_argument("--no-hindsight", action="store_true")
    asked = parser.parse_args(arguments)
    for name in [asked.track] if asked.track else values.TRACKS:
        for variant in [asked.variant] if asked.variant else ("family", "pro"):
            source = load_track(name).track
            track, start, (table, units) = track_of(source), start_of(source, variant), table_of(source, variant)
            deals = [deal_of(source, variant, number) for number in range(asked.races)]
            print(f"{name} {variant}: {points_line(source, variant)}", flush=True)
            for playouts in [int(word) for word in asked.playouts.split(",") if word]:
                began = time.monotonic()
                seed(1)
                home = sum(searched_race(track, start, table, units, decks, playouts, number)
                           for number, decks in enumerate(deals))
                print(f"  a search with {playouts} playouts a choice: {home} of {len(deals)}, "
                      f"{100 * home / len(deals):.1f} % ({time.monotonic() - began:.0f} s)", flush=True)
            if not asked.no_hindsight:
                began = time.monotonic()
                home = sum(can_get_home(track, start, decks) for decks in deals)
                print(f"  with all cards known: {home} of {len(deals)} can be finished ({time.monotonic() - began:.0f} s)",
                      flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
