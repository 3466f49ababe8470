"""What is frozen into Gridglow's MicroPython: boot, main, rules, firmware and drivers as they are, and a board's data.

The data are in a module `frozen_data`: the board file `mini` with its safe-mode key, texts, the tracks that come with
Gridglow, the LED maps of those that `mini` can light, and `modules.txt`, one line "CRC-32 name" per frozen module. A mark
in it identifies a program, wherever it is in a file or in a flash.
"""

from __future__ import annotations

import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gridglow import paths, texts
from gridglow.boards.boardfile import Board, board_json, load_board
from gridglow.firmware import image
from gridglow.firmware.uf2 import MARK
from gridglow.tracks import CompiledTrack, DoesNotFit, device_files, index_file
from gridglow.tracks.catalogue import packaged_tracks
from shared_rules import RULES_VERSION

MICROPYTHON = "1.28.0"
#: The file system at the end of the flash, as in the board definitions. Fixed for good: saves are there.
FS_BYTES = 768 * 1024
#: The board file that a program has until it gets another one.
BOARD = "mini"
#: The track that a board lights before the first race on it.
FIRST_TRACK = "gp-ring"
#: Increased when the build itself changes in a way that no other input shows.
RECIPE = "2"
DATA_MODULE = "frozen_data.py"
MODULES_LIST = "modules.txt"


@dataclass(frozen=True)
class Frozen:
    """Everything frozen into a program: ``modules`` and ``data`` by their names on a board, the ``manifest`` that says how,
    and the definition of the ``board``. ``id`` is a hash of them, 12 hex digits, and ``mark`` the bytes that state it
    in the program."""

    chip: str
    modules: dict[str, bytes] = field(repr=False)
    data: dict[str, bytes] = field(repr=False)
    firmware: str
    manifest: bytes = field(default=b"", repr=False)
    board: bytes = field(default=b"", repr=False)

    @property
    def id(self) -> str:
        """Differs whenever a module, the data, the board definition or the build differ."""
        digest = hashlib.sha256(f"{RECIPE} {self.chip} ".encode() + self.manifest + self.board)
        for name, content in sorted((self.modules | self.data).items()):
            digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:12]

    @property
    def mark(self) -> bytes:
        """The line that identifies the program; see `uf2.read_mark`."""
        about = {"firmware": self.firmware, "rules": RULES_VERSION, "chip": self.chip, "micropython": MICROPYTHON,
                 "id": self.id, "fs_bytes": FS_BYTES}
        return MARK + json.dumps(about, separators=(",", ":")).encode("ascii") + b"\n"

    def files(self) -> dict[str, bytes]:
        """The folder that MicroPython's build freezes: the modules, and the data as one more module."""
        return {**self.modules, DATA_MODULE: data_module(self.data, self.mark)}


def freeze(chip: str) -> Frozen:
    """What is frozen for a chip ("rp2040" or "rp2350"): this checkout's modules, and the data that come with Gridglow. The
    user's data folder is left out."""
    modules = frozen_modules()
    data = board_data(_mini(chip))
    data[MODULES_LIST] = modules_list(modules | data)
    board = b"".join(f"{name} ".encode() + content for name, content in board_definition(chip).items())
    return Frozen(chip, modules, data, image.firmware_version(modules), manifest(), board)


def frozen_modules() -> dict[str, bytes]:
    """The sources of the frozen modules, by their names on a board."""
    modules = image.source_modules(None, True, "pico", native=True)
    modules["_boot.py"] = (paths.firmware_folder() / "uf2" / "_boot.py").read_bytes()
    return modules


def manifest() -> bytes:
    """What tells MicroPython's build what to freeze."""
    return (paths.firmware_folder() / "uf2" / "manifest.py").read_bytes()


def board_definition(chip: str) -> dict[str, bytes]:
    """The files that define the board for MicroPython's build."""
    folder = paths.firmware_folder() / "uf2" / "boards" / f"GRIDGLOW_{chip.upper()}"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def board_data(board: Board) -> dict[str, bytes]:
    """A board's data files as they are in the program: board file, texts, and the tracks that come with Gridglow."""
    about = board_json(board)
    files = {"board.json": _json(about)}
    if "safe_key" in about["wiring"]:
        files["safe_pin.txt"] = str(about["wiring"]["safe_key"]).encode("ascii")
    for language in texts.known_languages():
        files[f"text/{language}.pack"] = texts.pack_language(language)
    lit: list[CompiledTrack] = []
    for track in packaged_tracks():
        files[f"tracks/{track.id}.pack"] = track.pack
        try:
            files.update(device_files(track, board))
        except DoesNotFit:
            continue
        lit.append(track)
    files["tracks/index.json"] = index_file(lit, FIRST_TRACK)
    return files


def modules_list(modules: Mapping[str, bytes]) -> bytes:
    """One line "CRC-32 name" for each module's source, and for each of the data files."""
    return "".join(f"{binascii.crc32(modules[name]):08x} {name}\n" for name in sorted(modules)).encode("ascii")


def data_module(data: Mapping[str, bytes], mark: bytes) -> bytes:
    """The source of the module that holds the data: all constants, so that none of it is ever in a board's heap."""
    rows = "".join(f"    ({name!r}, {data[name]!r}),\n" for name in sorted(data))
    return (f'"""Made by gridglow firmware build: the data that a board has from its program, by their names."""\n\n'
            f"MARK = {mark!r}\nFILES = (\n{rows})\n").encode("ascii")


def _mini(chip: str) -> Board:
    board = load_board(paths.boards_folder() / f"{BOARD}.toml")
    return replace(board, wiring={**board.wiring, "chip": chip})


def _json(value) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
