"""The trial ``files``: saves that are empty, cut, scrambled, of a later format, or folders, and a full flash."""

from __future__ import annotations

from gridglow_workshop.torture import child
from gridglow_workshop.torture.trial import QUICK, Outcome, Say

NAME = "files"
WHAT = "A save's files are damaged and the flash is filled: the older save takes over, or a sentence says why not."

ANSWERS = 20
#: In a quick run, with one game: every how many cuts and changes, and every how many blocks.
EVERY = 409
FULL = 12


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Long: every way, for a race of each game. Quick: a sample for one game."""
    quick = amount == QUICK
    names = list(child.TRACKS)
    jobs = [{"setup": child.plain_setup(game, f"files-{seed}"), "answers": ANSWERS, "seed": str(seed),
             "every": EVERY if quick else 1, "first": seed % EVERY, "full": FULL if quick else 1}
            for game in (names[-1:] if quick else names)]

    def done(job: dict, found: dict) -> None:
        say(f"{NAME}: {job['setup']['game']}: {found['tried']} tried, {found['failed']} failed.")

    found = child.run_all("spoil_saves", jobs, done)
    again = f"gridglow torture --only {NAME} --seed {seed}" + (" --quick" if quick else "")
    failures = [f"{job['setup']['game']}, {failure}; run it again with: {again}."
                for job, one in zip(jobs, found) for failure in one["failures"]]
    tried, failed, full = (sum(one[key] for one in found) for key in ("tried", "failed", "full"))
    size = max(one["bytes"] for one in found)
    facts = [f"The save of a race took up to {size} bytes after {ANSWERS} answers.", f"{full} of these were races on a full "
             "flash."]
    return Outcome(NAME, tried, tried - failed, "damaged saves", facts, failures)
