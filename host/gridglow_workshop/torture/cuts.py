"""The trial ``cuts``: the power fails at any block write of a race, and the race isn't lost."""

from __future__ import annotations

from gridglow_workshop.torture import child
from gridglow_workshop.torture.trial import QUICK, Outcome, Say

NAME = "cuts"
WHAT = "The power is cut at every block write of a race: the board comes back to its question, and the end is the same."

SCRIPT = "cut_races"
#: A long run divides a game's cuts into this many pieces, each of which plays the races once.
PIECES = 8
#: In the long run, every so many cuts, the resume after a cut is itself cut at each of its writes.
DEEP = 100
#: The answers after a cut that go through the whole board; the others go to the rules and the journal.
BY_BOARD = 3


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Long: every cut of a whole race of each game, of one abandoned before it and of one after it.
    Quick: a few cuts of a few answers each, and of a whole race of the last game, the shortest."""
    quick = amount == QUICK
    jobs = []
    for number, game in enumerate(child.TRACKS):
        whole = not quick or number == len(child.TRACKS) - 1
        plan = [[child.plain_setup(game, f"cuts-{seed}-{race}"), most]
                for race, most in enumerate((12, None, 6) if whole else (6, 12, 2))]
        every, firsts = (117 if whole else 59, [seed % 59]) if quick else (PIECES, range(PIECES))
        jobs += [{"races": plan, "seed": str(seed), "cuts": "writes", "every": every, "first": first,
                  "deep": 0 if quick else DEEP, "by_board": BY_BOARD} for first in firsts]
    return gather(NAME, "power cuts", child.run_all(SCRIPT, jobs, teller(NAME, say)), jobs, amount, seed)


def teller(name: str, say: Say):
    """A function that reports each finished job."""

    def done(job: dict, found: dict) -> None:
        say(f"{name}: {job['races'][0][0]['game']}: {found['tried']} tried, {len(found['failures'])} failed.")

    return done


def gather(name: str, unit: str, found: list[dict], jobs: list[dict], amount: str, seed: int) -> Outcome:
    """The Outcome of the script's results in these jobs."""
    tried = sum(one["tried"] for one in found)
    failed = sum(one["failed"] for one in found)
    again = f"gridglow torture --only {name} --seed {seed}" + (" --quick" if amount == QUICK else "")
    facts, failures, seen = [], [], set()
    for job, one in zip(jobs, found):
        game = job["races"][0][0]["game"]
        failures += [f"{game}, {failure}; run it again with: {again}." for failure in one["failures"]]
        if game not in seen:
            seen.add(game)
            saves = sum(one["answers"])
            facts.append(f"{game}: {saves} answers in {len(one['answers'])} races took {one['writes']} block writes and "
                         f"{one['erases']} erasures, {one['erases'] * 100 // max(1, saves)} for 100 answers.")
    deep = sum(one["deep"] for one in found)
    if deep:
        facts.append(f"{deep} of these cuts came while the board resumed after another.")
    return Outcome(name, tried, tried - failed, unit, facts, failures)
