"""Trials that try to break what a table of people relies on: ``gridglow torture``.

A trial is a module here, imported by name on demand; `trial` describes its content. Add a new one to
``TRIALS``.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from gridglow_workshop.torture.trial import Outcome, Say

#: In the order in which they run.
TRIALS: tuple[str, ...] = ("cuts", "resumes", "files", "faults", "soak",
                           "link", "inputs", "page", "sight", "flashes", "current", "dice")


def trial(name: str) -> ModuleType:
    """The module of a trial, one of TRIALS."""
    return importlib.import_module("gridglow_workshop.torture." + name)


def hold(name: str, amount: str, seed: int, say: Say) -> Outcome:
    """Runs one trial. Any exception in it is returned as a failure, so that the others run as well."""
    try:
        return trial(name).run(amount, seed, say)
    except Exception as error:  # a trial that ends early has failed, whatever the reason
        told = " ".join(f"{type(error).__name__}: {error}".split())
        again = f"gridglow torture --only {name} --seed {seed}" + (" --quick" if amount == "quick" else "")
        return Outcome(name, 1, 0, "trials", [], [f"The trial itself ended with {told}; run it again with: {again}."])
