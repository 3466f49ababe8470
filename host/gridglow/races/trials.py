"""What tests, bench and trials must know of a game, from the module ``trials.py`` in the game's folder; no board has it."""

from __future__ import annotations

import importlib
from types import ModuleType


def trials(game: str) -> ModuleType:
    """The module: ``SHORT_TRACK``, the track on which a race is short; ``TABLE``, what a set-up
    says where dice and cards lie on the table; ``QUICK``, whether quick trials race it;
    ``RACE_BYTES``, what its largest race may take of MicroPython's heap; ``QUESTIONS``, how many its cheat sheet explains,
    at least."""
    return importlib.import_module(f"shared_rules.games.{game}.trials")
