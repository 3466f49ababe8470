"""The racing line, as the rules of a game rank the lanes: for drawings only."""

from __future__ import annotations

from shared_rules.track import Track


def racing_line_ranks(track: Track) -> list[int]:
    """The rank of every space across its row, 1 for the racing line; all 0 where the game has no such line."""
    return [0] * track.count
