"""As many games as the flash of a Pico has room for, where no sync decides that: on emulated boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridglow.device import manifest
from gridglow.device.image import Image, build
from gridglow.device.sync_plan import INSTALL_RESERVE_BLOCKS, RESERVE_BLOCKS, blocks_of
from gridglow.hardware.boardfile import Board
from gridglow.tracks import CompiledTrack
from gridglow.virtual.pico.flash import BLOCK_BYTES, FlashImage
from shared_rules import games as all_games
from shared_rules.errors import GridglowError


def build_fitting(root: Path | str, board: Board, tracks: Sequence[CompiledTrack] | None = None) -> Image:
    """As `build` for a Pico. With ``tracks`` it has their games alone; else all, but the last ones of the menu that an
    empty flash has no room for, and a sentence in its notes tells which. Raises GridglowError as `build` does."""
    chosen = None if tracks is None else list(dict.fromkeys(one.track.game for one in tracks))
    games = list(all_games.NAMES) if chosen is None else chosen
    left_out: list[str] = []
    image = build(root, board, tracks, games=chosen, target="pico")
    while len(games) > 1 and not fits(image):
        left_out.insert(0, games.pop())
        image = build(root, board, tracks, games=list(games), target="pico")
    if left_out:
        image.notes.append(f"{', '.join(left_out)} left out, as a Pico has no room for all games beside the tracks of the "
                           f"board {board.id}.")
    return image


def fits(image: Image) -> bool:
    """Whether an empty flash has room for an image, for the copy that the board makes of its code, and for saves."""
    try:
        free = FlashImage.from_folder(image.root).free_bytes() // BLOCK_BYTES
    except GridglowError:
        return False
    pool = blocks_of(len(image.contents.get(manifest.POOL, b"")))
    return free >= max(RESERVE_BLOCKS, pool + INSTALL_RESERVE_BLOCKS)
