"""Tracks on the host: sources that people edit, compiled to the pack of the rules, a drawing and an LED map."""

from __future__ import annotations

from gridglow.tracks.layout import parse_layout
from gridglow.tracks.pack import pack_source


def compile_layout(text: str, lanes: int = 3, laps: int = 6, **head) -> bytes:
    """The pack of a layout in the short notation (spec/FORMAT.md). Raises BadTrack with all that is wrong in it.

    ``head`` may name track_id, name, game, level and closed.
    """
    return pack_source(parse_layout(text, lanes, laps, **head))
