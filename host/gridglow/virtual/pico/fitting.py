"""The content of an emulated board's file system: its data. Everything else is frozen into the program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gridglow.boards.boardfile import Board, board_json
from gridglow.firmware.image import Image, default_tracks
from gridglow.tracks import CompiledTrack, device_files, index_file


def build_fitting(root: Path | str, board: Board, tracks: Sequence[CompiledTrack] | None = None) -> Image:
    """Writes a board's data to a folder: its board file, and ``tracks`` (all that it can light) with their LED maps. The
    image's notes say what is left out. Raises GridglowError."""
    image = Image(Path(root), board, True)
    if tracks is None:
        tracks, image.notes = default_tracks(board)
    about = board_json(board)
    files = {"board.json": _json(about), "tracks/index.json": index_file(tracks)}
    if "safe_key" in about.get("wiring", {}):
        files["safe_pin.txt"] = str(about["wiring"]["safe_key"]).encode("ascii")
    for track in tracks:
        files |= device_files(track, board)
    for name, content in files.items():
        path = image.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    image.contents, image.tracks = files, [track.id for track in tracks]
    image.files, image.bytes_ = len(files), sum(len(content) for content in files.values())
    return image


def _json(value) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
