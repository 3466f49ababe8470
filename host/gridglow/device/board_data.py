"""What a board holds besides its program: board file, LED maps, tracks and texts, unless its program contains them.

    board.json safe_pin.txt            the board, and the pin of its safe-mode key
    text/en.pack                       what players read, one file per language
    tracks/index.json ID.pack ID.leds  the tracks that the board can light
    code/…                             replacement modules, see `changed_code`
    manifest.txt                       the list of all these, and what was chosen
    save/                              the board's own data; never touched

A file in the file system takes precedence over the program's file of the same name. LED maps and the list of tracks
belong to a board file: a board with its own board file gets all of them from here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gridglow import texts
from gridglow.boards.boardfile import Board, board_json
from gridglow.device import manifest
from gridglow.firmware.frozen import FIRST_TRACK
from gridglow.firmware.image import default_tracks
from gridglow.tracks import CompiledTrack, device_files, index_file

INDEX = "tracks/index.json"


@dataclass
class BoardData:
    """The files by name, including their manifest; `notes`: sentences about what was left out."""

    contents: dict[str, bytes] = field(repr=False)
    manifest: manifest.Manifest
    notes: list[str] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Whether the program alone is enough, and nothing but the defaults was chosen."""
        return not self.manifest.files and all(self.manifest.head.get(key) == "all" for key in ("tracks", "languages"))


def board_data(board: Board, frozen: Mapping[str, str], firmware: str, tracks: Sequence[CompiledTrack] | None = None,
               languages: Sequence[str] | None = None, code: Mapping[str, bytes] | None = None) -> BoardData:
    """What a board holds besides a program that has these files (`frozen`: CRC-32 by name).

    ``tracks``: those to send, default all that the board can light; ``languages``: default all. Raises GridglowError for a
    track that the board can't light, or an unknown language.
    """
    notes: list[str] = []
    chosen = None if tracks is None else [track.id for track in tracks]
    if tracks is None:
        tracks, notes = default_tracks(board)
    about = board_json(board)
    files = {"board.json": _json(about)}
    if "safe_key" in about.get("wiring", {}):
        files["safe_pin.txt"] = str(about["wiring"]["safe_key"]).encode("ascii")
    own_board = any(_differs(files, frozen, name) for name in files)
    for language in texts.known_languages() if languages is None else languages:
        files[f"text/{language}.pack"] = texts.pack_language(language)
    for track in tracks:
        files.update(device_files(track, board))
    files[INDEX] = index_file(tracks, FIRST_TRACK)
    kept = {name: content for name, content in files.items()
            if _differs(files, frozen, name) or own_board and _is_of_board(name)}
    kept |= code or {}
    head = {"fw": firmware, "board": board.id, "tracks": _words(chosen), "languages": _words(languages)}
    made = manifest.of_files(kept, head)
    return BoardData({**kept, manifest.NAME: made.text()}, made, notes)


def _differs(files: Mapping[str, bytes], frozen: Mapping[str, str], name: str) -> bool:
    return frozen.get(name) != manifest.crc_of(files[name])


def _is_of_board(name: str) -> bool:
    return "/" not in name or name == INDEX or name.endswith(".leds")


def _words(chosen: Sequence[str] | None) -> str:
    return "all" if chosen is None else ",".join(chosen)


def _json(value) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


__all__ = ["BoardData", "board_data"]
