"""Duels of one bot against one random player, on MicroPython: how often the bot is ahead, and how long it thinks.

The duels run on the heap of the rules. A bot is ahead if its car ranks first of all players' cars and isn't out of the
race. A game with a module ``measured.py`` in its folder says there what to measure instead, on each track: its set-ups,
perhaps with fewer players than a race has, whether a car that is out can be ahead of another by its distance, if the
rules rank them so, and where a lower result is to be expected.
A decision that seems to take 2 ms or more is repeated up to five times, and the shortest time counts: the answer is the
same, and the time that the computer spent on other things isn't the bot's.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType

from gridglow import paths
from gridglow.micropython import find_micropython, plain_environment
from gridglow.races.image import rules_image
from gridglow.races.interpreters import COLLECT_BYTES, RULES_HEAP_KB
from gridglow.races.startup import tracks_for
from shared_rules import games
from shared_rules.errors import GridglowError

DUELS_S = 1800.0
WANTED_PERCENT = 80

# Runs on both interpreters; one job per line, one result per line. The log forgets, as no duel goes back.
DUELIST = '''
import gc, json, sys, time
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

class Forgets:
    def __init__(self):
        self.count = 0
    def __len__(self):
        return self.count
    def append(self, text):
        self.count += 1

small = hasattr(time, "ticks_us")

def timed(race, seat, found):
    if not small:
        return race.bot_answer(seat)
    spent = 0
    for _ in range(5):
        begun = time.ticks_us()
        text = race.bot_answer(seat)
        once = time.ticks_diff(time.ticks_us(), begun)
        spent = min(spent or once, once)
        if once < 2000:
            break
        gc.collect()
    found["us"] += spent
    found["most_us"] = max(found["most_us"], spent)
    return text

def few(name, seats):
    class Few(games.load(name)):
        SEATS = seats
    return Few

def duel(setup, track, found, seats, ranked):
    rules = few(setup["game"], tuple(seats)) if seats else None
    race = Race(Setup.from_plain(setup, track, rules), track, Forgets(), rules)
    bot = 1 if race.setup.is_bot(1) else 2
    hands = Chance(setup["seed"], "hands")
    while not race.over:
        if small:
            gc.collect()
        prompt = race.prompts[0]
        if prompt.seat != bot:
            text = prompt.sample(hands)
        elif prompt.kind == "choose" and len(prompt.options()) > 1:
            found["decisions"] += 1
            text = timed(race, bot, found)
        else:
            text = race.bot_answer(bot)
        race.answer(prompt.seat or 1, text)
        race.drop_events()
    seat, car, _, _ = [row for row in race.standings() if row[0]][0]
    out = [number for number, _, status in race.scene().cars if status == "out"]
    seats = dict([(number, owner) for number, owner, _, _, _ in race.game.cars()])
    found["won"] += seat == bot and (ranked or car not in out)
    found["bots_out"] += bot in [seats[number] for number in out]

def main():
    track = None
    while True:
        row = sys.stdin.readline()
        if not row.strip():
            return
        job = json.loads(row)
        if "hex" in job:
            track = None
            gc.collect()
            track = Track.unpack(bytes([int(job["hex"][at:at + 2], 16) for at in range(0, len(job["hex"]), 2)]))
            continue
        found = {"won": 0, "bots_out": 0, "decisions": 0, "us": 0, "most_us": 0}
        duel(job["setup"], track, found, job["seats"], job["ranked"])
        print("DUEL " + json.dumps(found))

main()
'''


def measure_duels(count: int, on: str = "micropython", only: Sequence[str] = (), variants: Sequence[str] = (),
                  tracks: Sequence[str] = ()) -> list[dict]:
    """A dict for each game and variant: ``{"game", "variant", "setup", "counts", "track", "duels", "won", "won_percent",
    "bots_out", "decisions", "mean_us", "most_us", "wanted_percent", "reason"}``; the times, of decisions between at least
    two answers, are 0 on CPython.

    ``only``: ids of games, ``variants``, ``tracks``: those to measure; default all. The seats are swapped in every second
    duel; the duels use all the variant's tracks in turn (track ""). If a game names its own set-ups, there is a dict for
    each set-up and track, with ``count`` races. Raises GridglowError if the interpreter is missing or fails.
    """
    found = []
    for game in only or games.NAMES:
        for variant in games.about(game).VARIANTS:
            if not variants or variant in variants:
                found += _measured(game, variant, count, on, tracks)
    return found


def _measured(game: str, variant: str, count: int, on: str, tracks: Sequence[str]) -> list[dict]:
    named = measured_setups(game)
    fitting = [track for track in tracks_for(game, variant) if not tracks or track.track.id in tracks]
    if not fitting:
        raise GridglowError(f"There is no track for {game} {variant}.")
    if named is None:
        return [_row(game, variant, "duel", "ahead", "", _all_jobs(game, variant, "br", (), fitting, count), on)]
    return [_row(game, variant, name, counts, track.track.id,
                 _all_jobs(game, variant, players, named.SEATS, [track], count, counts in getattr(named, "RANKED", ())), on)
            for name, players, counts in named.SETUPS for track in fitting]


def measured_setups(game: str) -> ModuleType | None:
    """The module ``measured.py`` of a game, or None: ``SEATS``, ``SETUPS`` (name, players, what counts), ``RANKED`` (results
    that count by the ranking alone, including cars that are out), ``WANTED_PERCENT`` and ``REASONS`` (variant, track, why a
    lower result is to be expected)."""
    name = f"shared_rules.games.{game}.measured"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def _row(game: str, variant: str, name: str, counts: str, track: str, all_jobs: list[list[dict]], on: str) -> dict:
    found = []
    for jobs in all_jobs:
        found += _run(jobs, on, f"{game} {variant}")
    total = {key: sum(one[key] for one in found) for key in ("won", "bots_out", "decisions", "us")}
    named = measured_setups(game)
    reasons = [why for which, where, why in named.REASONS if (which, where) == (variant, track)] if named else []
    return {
        "game": game, "variant": variant, "setup": name, "counts": counts, "track": track, "duels": len(found),
        "won": total["won"], "won_percent": 100 * total["won"] // len(found), "bots_out": total["bots_out"],
        "decisions": total["decisions"], "mean_us": round(total["us"] / max(1, total["decisions"])),
        "most_us": max(one["most_us"] for one in found),
        "wanted_percent": named.WANTED_PERCENT if named else wanted_percent(game, variant),
        "reason": "".join(reasons),
    }


def wanted_percent(game: str, variant: str) -> int:
    """The percentage of duels that the bot must win: WANTED_PERCENT unless the game's bots define AHEAD_PERCENT, pairs of
    variant and percent; variants missing there leave next to nothing to decide, so legal answers are enough."""
    named = getattr(games.bots(game), "AHEAD_PERCENT", None)
    return WANTED_PERCENT if named is None else dict(named).get(variant, 0)


def _all_jobs(game: str, variant: str, players: str, seats: Sequence[int], tracks: list, count: int,
              ranked: bool = False) -> list[list[dict]]:
    """The jobs of each track, for its own child process: the line that carries a track needs a large piece of the heap.
    A pair of duels with swapped seats is on one track. ``seats``: fewest and most, if they differ from the game's own."""
    all_jobs = []
    for at, compiled in enumerate(tracks):
        numbers = [number for number in range(count) if number // 2 % len(tracks) == at]
        jobs: list[dict] = [{"hex": compiled.pack.hex()}]
        for number in numbers:
            seated = [["bot", "Bot"] if one == "b" else ["person", "Random"] for one in players]
            jobs.append({"seats": seats, "ranked": ranked,
                         "setup": {"game": game, "variant": variant, "seed": f"duel-{variant}-{number}",
                                   "players": seated[::-1] if number % 2 else seated}})
        if numbers:
            all_jobs.append(jobs)
    return all_jobs


def _run(jobs: list[dict], on: str, what: str) -> list[dict]:
    if on == "micropython":
        root = str(rules_image())
        start = f"import gc; gc.threshold({COLLECT_BYTES})\n{DUELIST}"
        command = [find_micropython(), "-X", f"heapsize={RULES_HEAP_KB}k", "-c", start]
    else:
        root = str(paths.rules_folder().parent)
        command = [sys.executable, "-P", "-B", "-c", f"import sys; sys.path.insert(0, {root!r})\n{DUELIST}"]
    kept = plain_environment()
    environment = {**kept, "MICROPYPATH": f"{root}{os.pathsep}.frozen"}
    rows = "".join(json.dumps(job) + "\n" for job in jobs)
    try:
        child = subprocess.run(command, cwd=root, env=environment, input=rows, capture_output=True, text=True,
                               encoding="utf-8", timeout=DUELS_S, check=False)
    except subprocess.TimeoutExpired:
        raise GridglowError(f"The duels of {what} didn't end within {DUELS_S:g} s.") from None
    found = [json.loads(line[5:]) for line in child.stdout.splitlines() if line.startswith("DUEL ")]
    if len(found) != sum("setup" in job for job in jobs):
        words = [line for line in (*child.stdout.splitlines(), *child.stderr.splitlines())
                 if line.strip() and not line.startswith("DUEL ")]
        raise GridglowError(f"The duels of {what} failed: {words[-1] if words else f'code {child.returncode}'}.")
    return found
