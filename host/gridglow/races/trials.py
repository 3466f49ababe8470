"""What tests, bench and trials must know about a game, from the module ``trials.py`` in its folder; boards don't have it."""

from __future__ import annotations

import importlib
from types import ModuleType


def trials(game: str) -> ModuleType:
    """The module: ``SHORT_TRACK``, the track with the shortest races; ``TABLE``, the part of a set-up
    that puts dice and cards on the table; ``QUICK``, whether quick trials race it;
    ``RACE_BYTES``, how much of MicroPython's heap its largest race may take; ``QUESTIONS``, how many its cheat sheet
    explains at least."""
    return importlib.import_module(f"shared_rules.games.{game}.trials")
