"""The racing line, as a game's rules rank the lanes; drawings show it."""

from __future__ import annotations

import importlib

from shared_rules.track import Track


def racing_line_ranks(track: Track) -> list[int]:
    """The rank of every space across its row, 1 for the racing line; all 0 if the game has no such line.

    A game with a racing line has a class ``Circuit`` with ``rank(space)`` in its module ``circuit``.
    """
    try:
        circuit = importlib.import_module(f"shared_rules.games.{track.game}.circuit").Circuit(track)
    except (ImportError, AttributeError):
        return [0] * track.count
    return [circuit.rank(space) for space in range(track.count)]
