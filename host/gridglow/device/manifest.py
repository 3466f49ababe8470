"""The list of Gridglow's files on a board: manifest.txt, as a board stores it and `firmware/install.py` reads it.

    gridglow manifest 1 fw=1 board=full tracks=all languages=de,en
    8c3c33a0 800 board.json
    …                             CRC-32, size and path of each file, sorted by path

The words of the head say what was chosen for the board, so that the next sync keeps the choice.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field

NAME = "manifest.txt"
FIRST = "gridglow manifest 1"
NEW = "new/"
READY = "new/ready"


@dataclass(frozen=True)
class Manifest:
    """The words of the head, and (CRC-32 in hexadecimal digits, size) of each file by its path."""

    head: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, int]] = field(default_factory=dict)

    def text(self) -> bytes:
        """The content of the file: the same for equal manifests."""
        lines = [" ".join([FIRST, *(f"{key}={value}" for key, value in self.head.items())])]
        lines += [f"{crc} {size} {name}" for name, (crc, size) in sorted(self.files.items())]
        return ("\n".join(lines) + "\n").encode("ascii")

    @property
    def crc(self) -> str:
        """The CRC-32 of the file, in eight hexadecimal digits."""
        return crc_of(self.text())

    def choice(self, key: str) -> list[str] | None:
        """What was chosen under "tracks" or "languages"; None: all."""
        words = self.head.get(key, "all")
        return None if words == "all" else [word for word in words.split(",") if word]


@dataclass(frozen=True)
class Difference:
    """What to send and what to remove to turn one set of files into another."""

    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed)


def crc_of(data: bytes) -> str:
    """The CRC-32 of bytes, in eight hexadecimal digits."""
    return f"{binascii.crc32(data):08x}"


def of_files(files: Mapping[str, bytes], head: Mapping[str, str] | None = None) -> Manifest:
    """The manifest of these files; a file called manifest.txt is left out."""
    return Manifest(dict(head or {}), {name: (crc_of(data), len(data)) for name, data in files.items() if name != NAME})


def parse(text: bytes) -> Manifest | None:
    """The manifest in a file, or None if it isn't one; damaged lines are left out."""
    lines = text.decode("ascii", "replace").splitlines()
    if not lines or not lines[0].startswith(FIRST):
        return None
    pairs = [word.partition("=") for word in lines[0][len(FIRST):].split()]
    files = {}
    for line in lines[1:]:
        crc, _, rest = line.partition(" ")
        size, _, name = rest.partition(" ")
        if len(crc) == 8 and size.isdigit() and name:
            files[name] = (crc, int(size))
    return Manifest({key: value for key, _, value in pairs}, files)


def diff(have: Mapping[str, tuple[str, int]], want: Manifest) -> Difference:
    """The difference between the files that a board has and those that it should have."""
    return Difference(tuple(name for name in sorted(want.files) if have.get(name) != want.files[name]),
                      tuple(name for name in sorted(have) if name not in want.files))
