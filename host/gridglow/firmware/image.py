"""Prepares a device folder, on which a virtual board runs: a real one has it frozen in, or gets it by `gridglow sync`.

    main.py boot.py install.py         sources
    shared_rules/ glow/ hal/ drivers/  .mpy for MicroPython, or .py for CPython
    board.json safe_pin.txt            the compiled board file, and the pin of its safe-mode key
    text/en.pack                       what players read, one file per language
    tracks/index.json ID.pack ID.leds  the tracks that the board can light
    save/                              the board's own data; never touched

Only changed files are written, and what an earlier image left behind is removed.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gridglow import paths, texts
from gridglow.boards.boardfile import Board, board_json, load_board
from gridglow.firmware.compiler import ARCHES, NATIVE, compile_all, host_arch
from gridglow.tomlfile import nearest
from gridglow.tracks import (
    CompiledTrack,
    DoesNotFit,
    device_files,
    index_file,
    index_json,
    list_tracks,
    load_track,
)
from shared_rules import games as all_games
from shared_rules.errors import GridglowError

#: Gridglow's folders on a device. Other files in its root are left alone.
OUR_FOLDERS = ("shared_rules", "glow", "hal", "drivers", "text", "tracks")
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
           tokenize.ENDMARKER)
#: These stay sources: any Python runs them first.
SOURCES_ALWAYS = ("main.py", "boot.py", "install.py")
#: Only for proofs and the host; a race doesn't need them.
PROOF_ONLY = ("proof.py", "proof_bots.py", "advice.py")
#: Only for the host, which checks tracks before a board gets them, lists the games with a folder, and tests them.
HOST_ONLY = ("reachability.py", "trials.py", "games/in_folders.py")
#: The virtual board's hardware layer, which a Pico never loads.
VIRTUAL_ONLY = ("hal/virtual.py", "hal/surface.py", "hal/pipes.py", "hal/pipes_windows.py")
#: What only a Pico can load.
PICO_ONLY = ("hal/pico.py", "hal/pico_start.py", "hal/usb.py", "hal/console.py", "hal/mirror.py", "hal/safe.py",
             "hal/changed.py", "hal/file_system.py", "drivers/")
#: What only Gridglow's own firmware has, see `build`.
FROZEN_ONLY = ("uf2/",)
#: Machine code for each kind of image.
AUTO = "auto"
TARGETS = {"pico": VIRTUAL_ONLY, "virtual": PICO_ONLY, None: ()}


@dataclass(frozen=True)
class Module:
    """A Python module of the image: its name there, its source, and ``bytes_``, its size as .mpy or as
    source, if it stays that."""

    name: str
    source: bytes = field(repr=False)
    bytes_: int

    @property
    def lines(self) -> int:
        """Lines of its source, including blank lines and comments."""
        return len(self.source.splitlines())

    @property
    def code_lines(self) -> int:
        """Lines of its source with code."""
        return code_lines(self.source)

    @property
    def part(self) -> str:
        """The part it belongs to: "engine", a game's id, "firmware", "hal", "drivers" or "start"."""
        words = self.name.split("/")
        if words[0] == "shared_rules":
            return words[2] if words[1] == "games" and len(words) > 3 else "engine"
        return {"glow": "firmware"}.get(words[0], words[0]) if len(words) > 1 else "start"


@dataclass
class Image:
    """The content of a device folder. ``written`` counts the changed files, ``notes`` are sentences about what
    was left out."""

    root: Path
    board: Board
    mpy: bool
    modules: list[Module] = field(default_factory=list)
    tracks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    bytes_: int = 0
    written: int = 0
    contents: dict[str, bytes] = field(default_factory=dict, repr=False)


def default_tracks(board: Board, games: Sequence[str] | None = None) -> tuple[list[CompiledTrack], list[str]]:
    """The tracks of these games that this board can light, and sentences about the others."""
    found: list[CompiledTrack] = []
    notes: list[str] = []
    large: list[str] = []
    say = ""
    for source in list_tracks():
        if source.game not in (all_games.NAMES if games is None else games):
            continue
        try:
            compiled = load_track(source.id)
            device_files(compiled, board)
        except DoesNotFit as error:
            say = str(error)
            large.append(source.id)
        except GridglowError as error:
            notes.append(f"The track {source.id} was left out: {error}")
        else:
            found.append(compiled)
    if len(large) > 1:
        say = (f"{len(large)} tracks are left out, as they don't fit the board {board.id}: {', '.join(large)} "
               '("gridglow track show ID" says what each needs).')
    return found, ([say] if large else []) + notes


def build(
    root: Path | str,
    board: Board | Path | str,
    tracks: Sequence[CompiledTrack] | None = None,
    mpy: bool = True,
    games: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
    proof: bool = False,
    target: str | None = None,
    native: str | None = AUTO,
) -> Image:
    """Prepares the device folder ``root`` and returns its content.

    ``tracks``: those to include, default all that the board can light. ``mpy`` False copies sources, as CPython needs
    them. ``games``: ids, default all. ``languages``: names of text files, default all.
    ``proof`` adds what runs vectors and random races on the device. ``target`` "pico" or "virtual" leaves out the
    modules that only the other one can load. ``native`` is the machine code of some modules, "armv6m", "armv7emsp",
    "x64" or None for none: by default the board file's chip decides for a Pico, and this computer for everything else. A
    board that can't run it falls back on plain modules.
    Raises DoesNotFit for a track that the board can't light, GridglowError with one sentence for anything else.
    """
    root = Path(root)
    board = board if isinstance(board, Board) else load_board(board)
    _check_games(games)
    image = Image(root, board, mpy)
    if tracks is None:
        tracks, image.notes = default_tracks(board, games)
    about = board_json(board)
    if native == AUTO:
        native = ARCHES[about.get("wiring", {}).get("chip", "rp2040")] if target == "pico" else host_arch()
    sources = source_modules(games, proof, target, native=mpy and native is not None)
    files = _modules(image, sources, native)
    files["board.json"] = _json(about)
    if "safe_key" in about.get("wiring", {}):
        files["safe_pin.txt"] = str(about["wiring"]["safe_key"]).encode("ascii")
    for language in texts.known_languages() if languages is None else languages:
        files[f"text/{language}.pack"] = texts.pack_language(language)
    for track in tracks:
        files.update(device_files(track, board))
    files["tracks/index.json"] = index_file(tracks)
    image.tracks = [entry["id"] for entry in index_json(list(tracks))]
    image.contents = files
    image.files, image.bytes_ = len(files), sum(len(content) for content in files.values())
    try:
        _write(image, files)
    except OSError as error:
        raise GridglowError(f"The device folder {root} can't be written: {error.strerror or error}; choose another "
                            "folder, or make room.") from None
    return image


def source_modules(games: Sequence[str] | None = None, proof: bool = False,
                   target: str | None = None, native: bool = False) -> dict[str, bytes]:
    """The sources of all modules of a device by their names there, such as "glow/app.py"; with ``native`` also those
    that consist of machine code only."""
    rules = paths.rules_folder()
    listed = all_games.NAMES if games is None else games
    found: dict[str, bytes] = {}
    for path in sorted(rules.rglob("*.py")):
        name = path.relative_to(rules.parent).as_posix()
        words = name.split("/")
        other_game = words[1] == "games" and len(words) > 3 and words[2] not in listed
        if not other_game and not name.endswith(HOST_ONLY) and (proof or path.name not in PROOF_ONLY):
            found[name] = path.read_bytes()
    firmware = paths.firmware_folder()
    for path in sorted(firmware.rglob("*.py")):
        name = path.relative_to(firmware).as_posix()
        text = path.read_bytes()
        if name.startswith(FROZEN_ONLY):
            continue
        if not name.startswith(TARGETS[target]) and (native or NATIVE not in text):
            found[name] = text
    name = "shared_rules/games/__init__.py"
    found[name] = _listing(found[name], listed)
    return found


def code_lines(text: bytes) -> int:
    """How many lines of a source contain code, not just blanks, comments or docstrings."""
    docstrings = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for number in range(node.lineno, node.end_lineno + 1)
    }
    lines = {
        number
        for token in tokenize.tokenize(io.BytesIO(text).readline)
        if token.type not in NO_CODE
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - docstrings)


def _modules(image: Image, sources: dict[str, bytes], native: str | None) -> dict[str, bytes]:
    """The files of the modules."""
    compiled = [name for name in sources if image.mpy and name not in SOURCES_ALWAYS]
    files = dict(zip(compiled, compile_all([(name, sources[name]) for name in compiled], native)))
    for name, text in sources.items():
        image.modules.append(Module(name, text, len(files.setdefault(name, text))))
    return {name[:-3] + ".mpy" if name in compiled else name: content for name, content in files.items()}


def firmware_version(sources: dict[str, bytes]) -> str:
    """The version of the firmware in these modules; "0" if they have none."""
    found = re.search(rb'^FIRMWARE = "(.+)"', sources.get("glow/__init__.py", b""), re.MULTILINE)
    return found.group(1).decode() if found else "0"


def _check_games(games: Sequence[str] | None) -> None:
    for game in games or ():
        if game not in all_games.NAMES:
            raise GridglowError(f"There is no game {game!r}{nearest(game, all_games.NAMES)}")


def _listing(text: bytes, games: Sequence[str]) -> bytes:
    """The source with this list of games in it: a board can't search folders, and must not offer games that it doesn't
    hold."""
    lines = text.decode().split("\n")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "NAMES":
            kept = tuple(game for game in all_games.NAMES if game in games)
            lines[node.lineno - 1:node.end_lineno] = [f"NAMES = {kept!r}"]
    return "\n".join(lines).encode()


def _json(value) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _write(image: Image, files: dict[str, bytes]) -> None:
    """Writes what differs, then removes our files that are no longer wanted: twins (.py beside .mpy), old tracks."""
    for name, content in files.items():
        path = image.root / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_bytes(content)
        os.replace(new, path)
        image.written += 1
    for folder in OUR_FOLDERS:
        top = image.root / folder
        for path in sorted(top.rglob("*"), reverse=True) if top.is_dir() else ():
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path.relative_to(image.root).as_posix() not in files:
                path.unlink()
