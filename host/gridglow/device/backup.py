"""A board's saves as one file, and back: races, settings, cards and LED maps, which no sync ever touches.

    files = backup(repl)            the content of the board's folder save, by path
    write_file(path, files, about)  a zip with a list of their checksums
    files = read_file(path)         checked completely before anything is written
    restore(repl, files)            writes temporary files and renames them, so a power cut does no harm
    read_blocks(repl)               the flash's file system as raw blocks, for when its files can't be read

A race's own files hold its seed and everybody's hand: this is the only way they leave a board.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from base64 import b64decode
from binascii import crc32
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gridglow.device.manifest import crc_of
from gridglow.device.repl import BoardError, Repl
from gridglow.targets import MORE
from shared_rules.errors import GridglowError

FORMAT = 1
LIST = "gridglow-backup.json"
#: The folder of the other files in a backup.
OTHERS = "others/"
FOLDER = "save/"
TEMPORARY = ".new"
#: Limits for one file, and for all together; a Pico 2 has 4 MB of flash.
FILE_MOST, ALL_MOST = 2_000_000, 8_000_000
#: A race's files belong together: where a restored race lacks one, the old race's file must not remain.
RACE_FILES = ("save/race.log", "save/race.a", "save/race.b")

#: Time limit for reading a block of the flash.
BLOCK_S = 30.0

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Kept:
    """The content of a backup: the saves, `others` besides them (files that a restore leaves out), and what the backup says
    about its board."""

    path: Path
    files: dict[str, bytes] = field(repr=False)
    others: dict[str, bytes] = field(default_factory=dict, repr=False)
    about: dict = field(default_factory=dict)


def backup(repl: Repl, progress: Progress | None = None) -> dict[str, bytes]:
    """The content of the board's folder save, by path. The raw REPL must be entered."""
    sizes = {name: size for name, size in repl.listing(FOLDER[:-1]).items() if not name.endswith(TEMPORARY)}
    files = {}
    for name in sorted(sizes):
        files[name] = repl.get(name)
        if progress:
            progress(sum(map(len, files.values())), sum(sizes.values()), name)
    return files


def restore(repl: Repl, files: Mapping[str, bytes], progress: Progress | None = None) -> int:
    """Puts saves back; returns the number of files. Other saves on the board stay, except those of another race.

    All files are written beside the old ones and checked; then they are renamed over them. Raises GridglowError.
    """
    for name in files:
        check_name(name)
    for folder in sorted({name.rpartition("/")[0] for name in files}):
        repl.make_folder(folder)
    done, total = 0, sum(map(len, files.values()))
    for name, data in files.items():
        repl.put(name + TEMPORARY, data)
        done += len(data)
        if progress:
            progress(done, total, name)
    wrong = repl.run(_CHECK.format(files={name + TEMPORARY: crc_of(data) for name, data in files.items()}), 120.0).split()
    if wrong:
        raise GridglowError(f"{wrong[0]} arrived damaged on the board at {repl.port.path}, so nothing was restored; "
                            "repeat the command.")
    gone = [name for name in RACE_FILES if name not in files] if any(name in files for name in RACE_FILES) else []
    repl.run(_RENAME.format(names=sorted(files), gone=gone, more=TEMPORARY), 60.0)
    return len(files)


def check_name(name: str) -> None:
    """Raises GridglowError if a file of this name can't be a save."""
    odd = any(part in ("", ".", "..") for part in name.split("/")) or "\\" in name or not name.isprintable()
    if odd or not name.startswith(FOLDER):
        raise GridglowError(f"{name!r} is not a board's save; this is not a backup of a board.")


def write_file(path: Path, files: Mapping[str, bytes], about: Mapping | None = None,
               others: Mapping[str, bytes] | None = None) -> None:
    """Writes saves (and others) to a file, completely or not at all, readable by its owner only."""
    others = others or {}
    told = {"format": FORMAT, "about": dict(about or {}), "files": _list(files)}
    if others:
        told["others"] = _list(others)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(LIST, json.dumps(told, indent=1))
        for name, data in sorted(files.items()):
            archive.writestr(name, data)
        for name, data in sorted(others.items()):
            archive.writestr(OTHERS + name, data)
    write_whole(path, buffer.getvalue())


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file completely or not at all, readable by its owner only. Raises GridglowError."""
    new = path.with_name(path.name + MORE)
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(new, path)
    except OSError as error:
        raise GridglowError(f"{path} can't be written ({error.strerror or error}); choose another file.") from None


def _list(files: Mapping[str, bytes]) -> dict[str, list]:
    return {name: [crc_of(data), len(data)] for name, data in sorted(files.items())}


def read_file(path: Path) -> dict[str, bytes]:
    """The saves in a file. Raises GridglowError if it's damaged or no backup."""
    return read_kept(path).files


def read_kept(path: Path) -> Kept:
    """The whole content of a backup file. Raises GridglowError if it's damaged or no backup."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GridglowError(f"{path} can't be read ({error.strerror or error}); check its name and permissions.") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            told = json.loads(archive.read(LIST))
            if told.get("format") != FORMAT:
                raise GridglowError(f"{path} is a backup of format {told.get('format')}, and this gridglow reads format "
                                    f"{FORMAT}; use the version that wrote it.")
            sizes = [info.file_size for info in archive.infolist()]
            if max(sizes) > FILE_MOST or sum(sizes) > ALL_MOST:
                raise ValueError("too large")
            for name in told["files"]:
                check_name(name)
            files = _checked(archive, told["files"], "")
            others = _checked(archive, told.get("others", {}), OTHERS)
            about = told.get("about")
    except GridglowError:
        raise
    except Exception as error:  # damaged zips raise all kinds of errors
        detail = " ".join(str(error).split())[:60] or type(error).__name__
        raise GridglowError(f"{path} is damaged or not a backup of a board ({detail}); nothing was changed. Use another "
                            "one.") from None
    return Kept(path, files, others, about if isinstance(about, dict) else {})


def _checked(archive: zipfile.ZipFile, listed: Mapping[str, list], before: str) -> dict[str, bytes]:
    """The listed files in the archive, each as its line says. Raises ValueError with the name of one that differs."""
    files = {}
    for name, (crc, size) in listed.items():
        files[name] = archive.read(before + name)
        if (crc_of(files[name]), len(files[name])) != (crc, size):
            raise ValueError(name)
    return files


def read_blocks(repl: Repl, progress: Progress | None = None) -> bytes:
    """The file system's part of the flash, block by block, whatever is in it. The raw REPL must be entered.

    Raises GridglowError if the board has no such flash, or a block arrives damaged.
    """
    try:
        count, size = repl.value("(f.ioctl(4,0),f.ioctl(5,0))", "import rp2,binascii\nf=rp2.Flash()")
    except BoardError:
        raise GridglowError(f"The board at {repl.port.path} can't give the blocks of its flash, as its program isn't a "
                            "Pico's MicroPython; nothing was read.") from None
    data = bytearray()
    for block in range(count):
        rows = repl.run(_BLOCK.format(block=block, size=size), BLOCK_S).split()
        piece = b"\xff" * size if rows == ["-"] else b64decode("".join(rows[:-1]))
        if len(piece) != size or rows != ["-"] and int(rows[-1]) != crc32(piece):
            raise GridglowError(f"Block {block} of the flash arrived damaged from the board at {repl.port.path}; repeat the "
                                "command.")
        data += piece
        if progress:
            progress(len(data), count * size, "blocks of the flash")
    return bytes(data)


_BLOCK = """b=bytearray({size})
f.readblocks({block},b)
if b==b'\xff'*{size}:print('-')
else:
 for i in range(0,{size},768):print(binascii.b2a_base64(b[i:i+768]).decode(),end='')
 print(binascii.crc32(b)&0xffffffff)"""

_CHECK = """import binascii
for n,w in {files!r}.items():
 c=0
 with open(n,'rb') as f:
  while 1:
   b=f.read(512)
   if not b:break
   c=binascii.crc32(b,c)
 if '%08x'%(c&0xffffffff)!=w:print(n)"""

_RENAME = """import os
for n in {gone!r}:
 try:os.remove(n)
 except OSError:pass
for n in {names!r}:os.rename(n+{more!r},n)"""

__all__ = ["Kept", "backup", "check_name", "read_blocks", "read_file", "read_kept", "restore", "write_file", "write_whole"]
