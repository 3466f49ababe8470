"""The backup of a board that a flash makes before it changes anything, so that it can continue after any interruption.

    kept = keep(found, repl)             backs up the board's own data to a file, read back and compared with the board
    waiting(found)                       backups by earlier flashes of this board that were not put back
    put_back(kept, there)                which of its saves belong on the board as it is now

A file NAME-DATE.flash.zip is in the folder `backups` of the data folder from before the first change until all of it is
on the board again; one with more than the board gets is then renamed NAME-DATE.zip, and stays.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gridglow import paths
from gridglow.device import backup, manifest
from gridglow.device.backup import FOLDER, RACE_FILES, Kept, Progress
from gridglow.device.connect import Found
from gridglow.device.repl import Repl
from gridglow.firmware.image import OUR_FOLDERS
from shared_rules.errors import GridglowError

#: Gridglow's other files in a board's root, besides those in its manifest.
OURS = ("boot.py", "main.py", "install.py", "safe_pin.txt", "code.pool", "pool.live", "pool.live.new", "starts.txt",
        "safe_once", "proof.pack", manifest.NAME)
CODE_FOLDERS = (*OUR_FOLDERS, "new", "code")
WAITS = ".flash.zip"
#: One of these holds the saved race from its first line on.
HEADERS = ("save/race.log", "save/race.a", "save/race.b")


@dataclass(frozen=True)
class PutBack:
    """The saves to put back; `left` is True if the board now has another race, which stays."""

    files: dict[str, bytes]
    left: bool = False


def folder() -> Path:
    """The folder of the backups. Raises GridglowError if it can't be made."""
    home = paths.data_folder() / "backups"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GridglowError(f"{home} for the saves can't be made ({error.strerror or error}); choose another data "
                            "folder with --data. Nothing was changed.") from None
    return home


def keep(found: Found, repl: Repl, progress: Progress | None = None) -> Kept | None:
    """Backs up what is the board's own (saves; and others: its builder's files, its board file) to a file, reads that
    back, and compares it with the board again. None if there's nothing.

    Raises GridglowError with one sentence; nothing has been changed then.
    """
    home = folder()
    sizes = repl.listing()
    had = manifest.parse(repl.get(manifest.NAME)) if manifest.NAME in sizes else None
    ours = set(had.files) if had else set()
    gridglow = had is not None or bool(found.about.get("gridglow") or found.about.get("fw"))
    names = [name for name in sorted(sizes) if not _is_ours(name, ours, gridglow)]
    total = sum(sizes[name] for name in names)
    files: dict[str, bytes] = {}
    for name in names:
        files[name] = repl.get(name, 30.0 + sizes[name] / 1000)
        if progress:
            progress(sum(map(len, files.values())), total, name)
    if not files:
        return None
    saves = {name: data for name, data in files.items() if name.startswith(FOLDER)}
    others = {name: data for name, data in files.items() if not name.startswith(FOLDER)}
    about = {"board": found.name, "serial": found.serial or _number(repl), "gridglow": 1 if gridglow else 0,
             "choice": had.head if had else {}, "program": found.program}
    path = _free_name(home, found)
    backup.write_file(path, saves, about, others)
    kept = backup.read_kept(path)
    wrong = differing(repl, {**kept.files, **kept.others})
    if wrong or (kept.files, kept.others) != (saves, others):
        path.unlink(missing_ok=True)
        raise GridglowError(f"{wrong or 'A file'} was read from {found.title} with errors, so nothing was changed; "
                            "repeat the command.")
    return kept


def differing(repl: Repl, files: Mapping[str, bytes]) -> str:
    """The name of the first of these files that differs on the board or is missing there; "" if all are the same."""
    there = crcs(repl, files)
    return next((name for name, data in sorted(files.items()) if there.get(name) != manifest.crc_of(data)), "")


def crcs(repl: Repl, names: Mapping[str, bytes] | list[str]) -> dict[str, str]:
    """The CRC-32 of those of these files that the board has."""
    rows = repl.run(_CRCS.format(names=sorted(names)), 120.0).splitlines() if names else []
    return {name: crc for crc, _, name in (row.partition(" ") for row in rows)}


def waiting(found: Found) -> list[Kept]:
    """Backups of this board that were not put back, latest first; damaged files are skipped."""
    home = paths.data_folder() / "backups"
    ids = {one.casefold() for one in (found.port.serial, str(found.about.get("id") or "")) if one}
    kept = []
    for path in home.glob("*" + WAITS) if home.is_dir() else ():
        with contextlib.suppress(GridglowError):
            one = backup.read_kept(path)
            if str(one.about.get("serial") or "").casefold() in ids:
                kept.append(one)
    return sorted(kept, key=lambda one: one.path.stat().st_mtime_ns, reverse=True)


def put_back(kept: Kept, there: Mapping[str, str], newest: bool = True) -> PutBack:
    """Which of these saves belong on a board that has these (name → CRC-32): of the latest backup all that differs, of an
    older one what the board lacks. If the board now has a race other than the saved one, that race stays, and so does
    everything on the board."""
    differ = {name: data for name, data in kept.files.items() if there.get(name) != manifest.crc_of(data)}
    race_there = {name: there[name] for name in RACE_FILES if name in there}
    race_kept = {name: manifest.crc_of(kept.files[name]) for name in RACE_FILES if name in kept.files}
    same_race = not race_there or not race_kept or race_there == race_kept
    if newest and (not race_there or race_there == race_kept):
        return PutBack(differ)
    lacks = {name: data for name, data in differ.items() if name not in there}
    if race_there:
        lacks = {name: data for name, data in lacks.items() if name not in RACE_FILES}
    return PutBack(lacks, not same_race)


def lay_aside(kept: Kept) -> Path:
    """Keeps the file for good; flashes no longer look for it. Returns its new name."""
    path = kept.path.with_name(kept.path.name.removesuffix(WAITS) + ".zip")
    with contextlib.suppress(OSError):
        kept.path.replace(path)
        return path
    return kept.path


def rules_of(files: Mapping[str, bytes]) -> int:
    """The rules version with which the saved race was begun; 0 if none is saved, or it's unknown."""
    for name in HEADERS:
        found = re.search(rb"(?:\n|\\n)rules: (\d{1,9})(?:\n|\\n)", files.get(name, b"")[:4000])
        if found:
            return int(found.group(1))
    return 0


def _number(repl: Repl) -> str:
    """The chip's own number, as a board reports it; "" if there is none."""
    return repl.run("try:\n import machine\n print(''.join('%02x'%b for b in machine.unique_id()))\nexcept "
                    "Exception:pass").strip()


def _is_ours(name: str, ours: set[str], gridglow: bool) -> bool:
    """Whether a file comes with Gridglow and so needs no backup."""
    if not gridglow:
        return False
    top = name.split("/")[0]
    return name in OURS or name.endswith(backup.TEMPORARY) or (top in CODE_FOLDERS if "/" in name else
                                                               name in ours and name != "board.json")


def _free_name(home: Path, found: Found) -> Path:
    name = found.name or found.serial or "board"
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name).strip("-") or "board"
    stem = f"{name}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    count = 1
    while list(home.glob(f"{stem}.*")):
        count += 1
        stem = f"{stem}-{count}"
    return home / (stem + WAITS)


_CRCS = """import binascii
for n in {names!r}:
 c=0
 try:
  with open(n,'rb') as f:
   while 1:
    b=f.read(512)
    if not b:break
    c=binascii.crc32(b,c)
  print('%08x'%(c&0xffffffff),n)
 except OSError:pass"""

__all__ = ["PutBack", "crcs", "differing", "folder", "keep", "lay_aside", "put_back", "rules_of", "waiting"]
