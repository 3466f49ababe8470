"""Trial ``faults``: whatever fails in a race is noticed, shown, reported and logged within a second, and the race goes on.

Every kind of fault (see on_board/breaking.py) in races of every game, at places that follow from the seed: parts that vanish
and return or answer with errors, rules and screens that raise, a computer that floods, reads nothing or is unplugged in
mid-message, no memory, a clock that restarts. Each race ends like the same race without a fault, or is resumed from
the save and ends like it.
"""

from __future__ import annotations

from gridglow import scratch
from gridglow.races.trials import trials
from gridglow_workshop.torture import child
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from shared_rules import games

NAME = "faults"
WHAT = "Whatever fails in a race is noticed, shown, reported and logged within a second, and the race goes on."
HEAP_KB = 1200
#: Rounds of every kind in every game in the long run: (pace, whether the clock restarts).
ROUNDS = (("instant", False), ("instant", True), ("fast", False), ("fast", True), ("instant", True), ("instant", False))
QUICK_GAMES = tuple(game for game in games.NAMES if trials(game).QUICK)
QUICK_FAULTS = 9


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Every kind of fault in every game, six times over; quick: nine kinds in two games."""
    names, rounds, most = (QUICK_GAMES, ROUNDS[1:2], QUICK_FAULTS) if amount == QUICK else (games.NAMES, ROUNDS, 0)
    tried = survived = slowest_ms = memory = stopped = races = 0
    failures: list[str] = []
    for number, (pace, wraps) in enumerate(rounds):
        for game in names:
            row = f"{seed}-{number}"
            found = hold(game, row, pace, wraps, most)
            tried, survived = tried + found["tried"], survived + found["survived"]
            memory, stopped, races = memory + found["memory"], stopped + found["stopped"], races + found["races"]
            slowest_ms = max(slowest_ms, found["slowest_ms"])
            again = f"gridglow torture --only {NAME} --seed {seed}" + (" --quick" if amount == QUICK else "")
            failures += [f"{what}; run it again with: {again}." for what in found["failures"]]
            say(f"{NAME}: round {number + 1} of {len(rounds)}, {game}: {found['survived']} of {found['tried']} survived")
    facts = [
        f"{races} races of {len(names)} games ended as they do without faults.",
        f"Failures were noticed after {slowest_ms} ms of the board's clock at most.",
        f"Memory ran out {memory} times; {stopped} times a race had to be resumed from what was saved.",
    ]
    return Outcome(NAME, tried, min(survived, tried) if failures else survived, "faults", facts, failures)


def hold(game: str, seed: str, pace: str, wraps: bool, most: int) -> dict:
    """The result of on_board/broken_races.py in one race of a game. Raises GridglowError if the firmware failed."""
    seats = games.about(game).SEATS[0] + 1
    setup = child.plain_setup(game, f"faults-{seed}", seats)
    setup["variant"] = games.about(game).VARIANTS[0]
    setup["players"][-1] = ["bot", "Bot"]
    with scratch.folder("faults") as flash:
        job = {"races": [setup], "faults": most, "flash": str(flash), "pace": pace, "seed": seed, "wraps": wraps}
        return child.run("broken_races", job, HEAP_KB)
