"""Tracks on the host: sources that people edit, compiled to a pack for the rules, a drawing and an LED map.

The interface for other rooms: ``load_track``, ``list_tracks``, ``compile_file``, ``compile_layout``,
``page_geometry``, ``device_files``, ``index_file``, ``index_json``, ``draw_svg``.
"""

from __future__ import annotations

from gridglow.tracks.catalogue import Catalogue, list_tracks, load_track, read_catalogue
from gridglow.tracks.compiled import (
    CompiledTrack,
    compile_file,
    compile_source,
    device_files,
    index_file,
    index_json,
    page_geometry,
)
from gridglow.tracks.layout import parse_layout
from gridglow.tracks.ledmap import DoesNotFit, LedMap, map_leds
from gridglow.tracks.pack import pack_source
from gridglow.tracks.svg import draw_svg

__all__ = [
    "Catalogue",
    "CompiledTrack",
    "DoesNotFit",
    "LedMap",
    "compile_file",
    "compile_layout",
    "compile_source",
    "device_files",
    "draw_svg",
    "index_file",
    "index_json",
    "list_tracks",
    "load_track",
    "map_leds",
    "page_geometry",
    "parse_layout",
    "read_catalogue",
]


def compile_layout(text: str, lanes: int = 3, laps: int = 6, **head) -> bytes:
    """The pack of a layout in the short notation (spec/FORMAT.md). Raises BadTrack with all errors in
    it.

    ``head`` may name track_id, name, game, level and closed.
    """
    return pack_source(parse_layout(text, lanes, laps, **head))
