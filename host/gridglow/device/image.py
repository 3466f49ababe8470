"""Prepares a device folder: rules and firmware, board file, texts and tracks, as they lie on a board's flash.

    main.py boot.py install.py         sources, so that they can be read on a board
    shared_rules/ glow/ hal/ drivers/  .mpy for MicroPython, or .py for CPython
    code_files.mpy glow.code …         on a Pico instead: the .mpy of a folder in one file, and what has them imported
    code.pool                          the bytecode of all modules once more, for a Pico to run out of its flash
    board.json safe_pin.txt            the compiled board file, and the pin of its safe-mode key
    text/en.pack                       what players read, a file a language
    tracks/index.json ID.pack ID.leds  the tracks that the board can light
    manifest.txt                       the list of all these, and what was chosen
    save/                              the board's own; never touched

Only what changed is written, and what an earlier image left behind is removed.
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
from functools import lru_cache
from pathlib import Path

from gridglow import paths, texts
from gridglow.device import code_files, code_pool, manifest
from gridglow.device.compiler import ARCHES, NATIVE, compile_all, host_arch
from gridglow.device.romwords import lend, spell
from gridglow.device.shorten import shorten
from gridglow.hardware.boardfile import Board, board_json, load_board
from gridglow.tomlfile import nearest
from gridglow.tracks import CompiledTrack, DoesNotFit, device_files, index_json, list_tracks, load_track
from shared_rules import RULES_VERSION
from shared_rules import games as all_games
from shared_rules.errors import GridglowError

#: Lines with code that a Pico may hold at once.
LINES_BUDGET = 6000
#: Folders of ours on a device. What else lies in its root is left alone.
OUR_FOLDERS = ("shared_rules", "glow", "hal", "drivers", "text", "tracks")
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
           tokenize.ENDMARKER)
#: These stay sources: a board runs them before anything else.
SOURCES_ALWAYS = ("main.py", "boot.py", "install.py")
#: Only for proofs and for the host; a race needs neither.
PROOF_ONLY = ("proof.py", "proof_bots.py", "advice.py")
#: Only for the host, which checks tracks before a board gets them.
HOST_ONLY = ("reachability.py",)
#: The seam of the virtual board, which a Pico never loads.
VIRTUAL_ONLY = ("hal/virtual.py", "hal/surface.py", "hal/pipes.py", "hal/pipes_windows.py")
#: What only a Pico can load.
PICO_ONLY = ("code_files.py", "hal/pico.py", "hal/pico_start.py", "hal/usb.py", "hal/console.py", "hal/mirror.py",
             "hal/safe.py", "hal/code_pool.py", "hal/code_copy.py", "hal/code_move.py", "hal/changed.py",
             "hal/file_system.py", "drivers/")
#: What only a firmware of our own has, see `gridglow.firmware`.
FROZEN_ONLY = ("uf2/",)
#: Machine code for what an image is for.
AUTO = "auto"
TARGETS = {"pico": VIRTUAL_ONLY, "virtual": PICO_ONLY, None: ()}


@dataclass(frozen=True)
class Module:
    """A Python module of the image: its name there, its source, and ``bytes_``, its size as .mpy or, where it
    stays a source, as that."""

    name: str
    source: bytes = field(repr=False)
    bytes_: int

    @property
    def lines(self) -> int:
        """Lines of its source, blank ones and comments included."""
        return len(self.source.splitlines())

    @property
    def code_lines(self) -> int:
        """Lines of its source with code on them."""
        return code_lines(self.source)

    @property
    def part(self) -> str:
        """Where it belongs: "engine", a game's id, "firmware", "hal", "drivers" or "start"."""
        words = self.name.split("/")
        if words[0] == "shared_rules":
            return words[2] if words[1] == "games" and len(words) > 3 else "engine"
        return {"glow": "firmware"}.get(words[0], words[0]) if len(words) > 1 else "start"


@dataclass
class Image:
    """What a device folder holds. ``written`` counts the files that had changed, ``notes`` are sentences about what
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
    manifest: manifest.Manifest = field(default_factory=manifest.Manifest, repr=False)

    def lines_at_once(self, code: bool = False) -> int:
        """The most lines that a Pico could hold at once: engine, firmware, seam, and the longest of the games.

        With ``code`` only lines with code on them. The virtual board's side of the seam does not count. A race holds
        fewer: menus and readers of files are loaded when they are needed.
        """
        def lines(module: Module) -> int:
            return module.code_lines if code else module.lines

        # A module of machine code stands in for its plain twin.
        idle = {module.name.replace("fast", "plain") for module in self.modules
                if NATIVE in module.source and "fast" in module.name}
        held = [module for module in self.modules if module.name not in VIRTUAL_ONLY and module.name not in idle]
        in_games = [sum(lines(module) for module in held if module.part == game) for game in all_games.NAMES]
        return sum(lines(module) for module in held if module.part not in all_games.NAMES) + max(in_games, default=0)


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
               '("gridglow track show ID" tells what each needs).')
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
    rom_names: bool | None = None,
) -> Image:
    """Prepare the device folder ``root`` and return what is in it.

    ``tracks``: those to take, default all that the board can light. ``mpy`` False copies sources, as CPython needs
    them. ``games``: ids, default all. ``languages``: names of text files, default all that there are.
    ``proof`` adds what runs vectors and random races on the device. ``target`` "pico" or "virtual" leaves out the
    modules that only the other of them can load. ``native`` is the machine code of some modules, "armv6m", "armv7emsp",
    "x64" or None for none: without it the board file's chip decides for a Pico, and this computer for all else. A
    board that can't run it falls back on plain modules. ``rom_names``: whether public names are words of a Pico's ROM;
    None: in a Pico's image, where scripts needn't look into it.
    Raises DoesNotFit for a track that the board can't light, GridglowError with one sentence for all else.
    """
    root = Path(root)
    board = board if isinstance(board, Board) else load_board(board)
    _check_games(games)
    image = Image(root, board, mpy)
    chosen_tracks = None if tracks is None else [track.id for track in tracks]
    if tracks is None:
        tracks, image.notes = default_tracks(board, games)
    about = board_json(board)
    if native == AUTO:
        native = ARCHES[about.get("wiring", {}).get("chip", "rp2040")] if target == "pico" else host_arch()
    sources = source_modules(games, proof, target, native=mpy and native is not None)
    rom_names = target == "pico" if rom_names is None else rom_names
    files = _modules(image, sources, native, spelt(sources, rom_names) if mpy else sources, target)
    pool = code_pool.build(files) if target == "pico" and native else b""
    if target == "pico" and mpy:
        files = code_files.grouped(files)
    if pool:
        files[manifest.POOL] = pool
    files["board.json"] = _json(about)
    if "safe_key" in about.get("wiring", {}):
        files["safe_pin.txt"] = str(about["wiring"]["safe_key"]).encode("ascii")
    for language in known_languages() if languages is None else languages:
        files[f"text/{language}.pack"] = texts.pack(text_file(language))
    for track in tracks:
        files.update(device_files(track, board))
    files["tracks/index.json"] = _json(index_json(list(tracks)))
    image.tracks = [entry["id"] for entry in index_json(list(tracks))]
    code = manifest.rules_code(sources, all_games.NAMES if games is None else games)
    head = manifest.head_of(firmware_version(sources), board.id, games, chosen_tracks, languages, RULES_VERSION, code)
    image.manifest = manifest.of_files(files, head)
    files[manifest.NAME] = image.manifest.text()
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
    that are nothing but machine code."""
    rules = paths.rules_folder()
    listed = all_games.NAMES if games is None else games     # a game in the making has a folder before it has a name there
    found: dict[str, bytes] = {}
    for path in sorted(rules.rglob("*.py")):
        name = path.relative_to(rules.parent).as_posix()
        words = name.split("/")
        other_game = words[1] == "games" and len(words) > 3 and words[2] not in listed
        if not other_game and path.name not in HOST_ONLY and (proof or path.name not in PROOF_ONLY):
            found[name] = path.read_bytes()
    firmware = paths.firmware_folder()
    for path in sorted(firmware.rglob("*.py")):
        name = path.relative_to(firmware).as_posix()
        text = path.read_bytes()
        if name.startswith(FROZEN_ONLY):
            continue
        if not name.startswith(TARGETS[target]) and (native or NATIVE not in text):
            found[name] = text
    if games is not None:
        name = "shared_rules/games/__init__.py"
        found[name] = _only_games(found[name], games)
    return found


def code_lines(text: bytes) -> int:
    """How many lines of a source have code on them: neither blank nor comment nor docstring."""
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


def spelt(sources: dict[str, bytes], rom_names: bool) -> dict[str, bytes]:
    """Those of these modules that are compiled, with the names that a board has them by. ``rom_names``: public names are
    words of a Pico's ROM; they are the same whatever an image holds, so that a module that is added later fits."""
    compiled = [name for name in sources if name not in SOURCES_ALWAYS]
    if not rom_names:
        return dict(_shortened(tuple((name, sources[name]) for name in compiled)))
    short, lent = _lent(sources)
    return {name: spell(short[name], lent) for name in compiled}


def lent_names(sources: dict[str, bytes] | None = None) -> dict[str, str]:
    """The words that the firmware's public names are spelt with on a Pico; see `gridglow.device.romwords`. ``sources``:
    modules that the image has besides those that a Pico could have."""
    return dict(_lent(sources or {})[1])


def _lent(more: dict[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """All modules that a Pico could have (and ``more``) with their private names made short, and the words lent."""
    return _lent_of(tuple(sorted((source_modules(None, True, "pico", True) | more).items())))


@lru_cache(maxsize=4)
def _lent_of(every: tuple[tuple[str, bytes], ...]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The same for these modules, reckoned once, as it takes some seconds; what comes back is not to be changed."""
    short = _shortened(tuple((name, text) for name, text in every if name not in SOURCES_ALWAYS))
    return short, lend(short, {name: text for name, text in every if name in SOURCES_ALWAYS})


@lru_cache(maxsize=8)
def _shortened(modules: tuple[tuple[str, bytes], ...]) -> dict[str, bytes]:
    """``shorten`` of these modules, likewise."""
    return shorten(dict(modules))


def _modules(image: Image, sources: dict[str, bytes], native: str | None, short: dict[str, bytes],
             target: str | None) -> dict[str, bytes]:
    """The files of the modules; ``short``: the text of each one that is compiled."""
    compiled = [name for name in sources if image.mpy and name not in SOURCES_ALWAYS]
    by_path = [(name, short[name]) for name in compiled]
    if target == "pico":
        by_path = [(code_files.path_of(name), text + code_files.path_line(name)) for name, text in by_path]
    files = dict(zip(compiled, compile_all(by_path, native)))
    for name, text in sources.items():
        image.modules.append(Module(name, text, len(files.setdefault(name, text))))
    return {name[:-3] + ".mpy" if name in compiled else name: content for name, content in files.items()}


def firmware_version(sources: dict[str, bytes]) -> str:
    """The version of the firmware in these modules; "0" where they have none."""
    found = re.search(rb'^FIRMWARE = "(.+)"', sources.get("glow/__init__.py", b""), re.MULTILINE)
    return found.group(1).decode() if found else "0"


def _check_games(games: Sequence[str] | None) -> None:
    for game in games or ():
        if game not in all_games.NAMES:
            raise GridglowError(f"There is no game {game!r}{nearest(game, all_games.NAMES)}")


def _only_games(text: bytes, games: Sequence[str]) -> bytes:
    """The list of games with these alone: a board must not offer what it does not hold."""
    lines = text.decode().split("\n")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "NAMES":
            kept = tuple(game for game in all_games.NAMES if game in games)
            lines[node.lineno - 1:node.end_lineno] = [f"NAMES = {kept!r}"]
    return "\n".join(lines).encode()


def known_languages() -> tuple[str, ...]:
    """The languages that there are texts in."""
    return tuple(sorted(one.stem for one in paths.text_folder().glob("*.toml")))


def text_file(language: str) -> Path:
    """The texts in a language. Raises GridglowError where there are none."""
    path = paths.text_folder() / f"{language}.toml"
    if not path.is_file():
        raise GridglowError(f"There are no texts in the language {language!r}{nearest(language, known_languages())}")
    return path


def _json(value) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _write(image: Image, files: dict[str, bytes]) -> None:
    """Write what differs, then remove what is ours and no longer wanted: twins (.py beside .mpy), old tracks."""
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
