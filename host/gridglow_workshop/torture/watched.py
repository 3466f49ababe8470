"""A watched board: the firmware in its own process, on its own clock, and every frame that it sends.

A trial gives it a programme (a list of steps, see on_board/watched.py), and gets notes, and frames as the outputs got them:
the bytes after the limits, which is what the pixels show. The firmware doesn't know that it's watched.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board, load_board
from gridglow.firmware.image import build, default_tracks
from gridglow.micropython import plain_environment
from gridglow.tracks import CompiledTrack
from shared_rules import games
from shared_rules.errors import GridglowError

#: Time limit in seconds for one programme on this computer.
RUN_S = 1800.0
FRAME_MS = 33

#: The script in the device folder.
PLAYER = "watched.py"


@dataclass(frozen=True)
class Note:
    """What the board, or the programme, said between two frames: a list that begins with a word."""

    words: list


@dataclass(frozen=True)
class Frame:
    """What all outputs show from this time (ms of the board's clock) on: bytes, three per pixel, red, green, blue."""

    ms: int
    outputs: list[bytes]


class WatchedBoard:
    """A board whose image is in a folder for the length of the trial; a context manager."""

    def __init__(self, name: str, only: tuple[str, ...] = games.NAMES, languages: tuple[str, ...] = ("en",)) -> None:
        self.board: Board = load_board(name)
        self.tracks: list[CompiledTrack] = []
        self._only = only
        self._languages = languages
        self._held = contextlib.ExitStack()

    def __enter__(self) -> WatchedBoard:
        self.root = self._held.enter_context(scratch.folder("watched"))
        self.tracks, _ = default_tracks(self.board, list(self._only))
        build(self.root, self.board, self.tracks, mpy=False, games=list(self._only), languages=self._languages,
              target="virtual")
        shutil.copy(Path(__file__).parent / "on_board" / PLAYER, self.root / PLAYER)
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def tracks_of(self, game: str) -> list[CompiledTrack]:
        """The tracks of a game that this board lights."""
        return [track for track in self.tracks if track.source.game == game]

    def counts(self) -> list[int]:
        """Pixels of each output."""
        return [output.pixels_max for output in self.board.outputs]

    def watch(self, steps: list, seed: int = 0, frame_ms: int = FRAME_MS, **more: object) -> Iterator[Note | Frame]:
        """Runs a programme and yields its notes and frames. Raises GridglowError with the last words of a firmware that
        failed."""
        job = {"steps": steps, "seed": seed, "frame_ms": frame_ms, **more}
        (self.root / "watched.json").write_text(json.dumps(job), encoding="utf-8")
        kept = plain_environment()
        sizes = [3 * count for count in self.counts()]
        with tempfile.TemporaryFile() as errors, subprocess.Popen(
            [sys.executable, PLAYER], cwd=self.root, stdout=subprocess.PIPE, stderr=errors,
            env={**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
        ) as child:
            try:
                while line := child.stdout.readline():
                    if line[:2] == b"F ":
                        yield Frame(int(line[2:]), [child.stdout.read(size) for size in sizes])
                    elif line[:2] == b"N ":
                        yield Note(json.loads(line[2:]))
                code = child.wait(RUN_S)
            finally:
                if child.poll() is None:
                    child.kill()
            if code:
                errors.seek(0)
                said = [row for row in errors.read().decode("utf-8", "replace").splitlines() if row.strip()]
                raise GridglowError(f"The firmware failed while watched: {said[-1] if said else f'code {code}'}; "
                                    "check the latest changes to the lights.")
