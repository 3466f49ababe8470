"""The trial ``resumes``: a race is resumed after each of its answers, and ends the same."""

from __future__ import annotations

from gridglow.races.startup import race_setup
from gridglow_workshop.torture import child
from gridglow_workshop.torture.cuts import SCRIPT, gather, teller
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from shared_rules import games
from shared_rules.errors import GridglowError

NAME = "resumes"
WHAT = "A board is switched off and on after every answer of a race of each game: each time the race ends the same."

#: The answers after a resume that go through the whole board; the others go to the rules and the journal.
BY_BOARD = 20
#: In a quick run: every how many places, and how many answers of the games with the longest races.
EVERY = 6
FEW = 24
SHORT_GAME = "racing_rules"


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Long: after each of 200 answers (or of all) of a whole race of every variant of each game, with a bot if three
    play. Quick: at a few places of the fullest variant, and in some games only the first answers."""
    quick = amount == QUICK
    jobs = []
    for game in child.TRACKS:
        variants = [variant for variant in games.about(game).VARIANTS if fits(game, variant)]
        for variant in variants[-1:] if quick else variants:
            setup = child.plain_setup(game, f"resumes-{seed}", variant=variant)
            setup["players"][-1][0] = "bot" if len(setup["players"]) > 2 else "person"
            most = FEW if quick and game != SHORT_GAME else None
            jobs.append({"races": [[setup, most]], "seed": str(seed), "cuts": "answers", "first": seed % EVERY,
                         "every": EVERY if quick else 1, "deep": 0, "by_board": BY_BOARD})
    return gather(NAME, "resumes", child.run_all(SCRIPT, jobs, teller(NAME, say)), jobs, amount, seed)


def fits(game: str, variant: str) -> bool:
    """Whether the variant can be raced on the game's short track."""
    try:
        race_setup(game, variant, child.TRACKS[game])
    except GridglowError:
        return False
    return True
