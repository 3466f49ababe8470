"""The list of a board's files that are ours: manifest.txt, as a board keeps it and `firmware/install.py` reads it.

    gridglow manifest 1 fw=1 board=full games=all tracks=all languages=de,en rules=1 code=moto_grand_prix:1a2b3c4d
    8c3c33a0 800 board.json
    …                             CRC-32, size and path of each file, sorted by path

The words of the head say what was chosen for the board, so that the next sync keeps the choice, and which rules its
games have: `rules` is the version that saves carry, `code` a CRC-32 of the code that decides a race of each game.
"""

from __future__ import annotations

import ast
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

NAME = "manifest.txt"
FIRST = "gridglow manifest 1"
NEW = "new/"
READY = "new/ready"
#: The board unpacks these first, as it goes on by them where power was cut (`firmware/install.py`).
MOST_FIRST = ("install.py", "boot.py")
#: The board makes the second of the first, which then goes (`firmware/hal/code_pool.py`).
POOL, POOL_COPY = "code.pool", "pool.live"
#: While it makes it.
POOL_COMING = "pool.live.new"
#: Modules of shared_rules that no race's course depends on.
NO_RULES = ("link_lines.py", "link_read.py", "link_table.py", "proof.py", "journal_file.py", "advice.py", "scene.py")
#: … and how the names of all others begin: those of bots.
NO_RULES_BEGIN = "bots"


@dataclass(frozen=True)
class Manifest:
    """The words of the head, and (CRC-32 in hexadecimal digits, size) of each file by its path."""

    head: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, int]] = field(default_factory=dict)

    def text(self) -> bytes:
        """The file: the same for the same content."""
        lines = [" ".join([FIRST, *(f"{key}={value}" for key, value in self.head.items())])]
        lines += [f"{crc} {size} {name}" for name, (crc, size) in sorted(self.files.items())]
        return ("\n".join(lines) + "\n").encode("ascii")

    @property
    def crc(self) -> str:
        """The CRC-32 of the file, in eight hexadecimal digits."""
        return crc_of(self.text())

    def choice(self, key: str) -> list[str] | None:
        """What was chosen under "games", "tracks" or "languages"; None: all that there are."""
        words = self.head.get(key, "all")
        return None if words == "all" else [word for word in words.split(",") if word]

    def code_of(self, game: str) -> str:
        """The CRC-32 of the code that decides a race of this game, or "" where it has none."""
        pairs = [pair.partition(":") for pair in self.head.get("code", "").split(",")]
        return next((crc for name, _, crc in pairs if name == game), "")


@dataclass(frozen=True)
class Difference:
    """What must be sent, and what removed, to make of one set of files another."""

    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed)


def crc_of(data: bytes) -> str:
    """The CRC-32 of bytes, in eight hexadecimal digits."""
    return f"{binascii.crc32(data):08x}"


def of_files(files: Mapping[str, bytes], head: Mapping[str, str] | None = None) -> Manifest:
    """The manifest of these files; one of the name manifest.txt is left out."""
    return Manifest(dict(head or {}), {name: (crc_of(data), len(data)) for name, data in files.items() if name != NAME})


def parse(text: bytes) -> Manifest | None:
    """The manifest in a file, or None where it is none of ours; lines that are damaged are left out."""
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
    """What differs between the files that a board has and those that it shall have."""
    return Difference(tuple(name for name in sorted(want.files) if have.get(name) != want.files[name]),
                      tuple(name for name in sorted(have) if name not in want.files))


def head_of(firmware: str, board: str, games: Iterable[str] | None, tracks: Iterable[str] | None,
            languages: Iterable[str] | None, rules: int, code: Mapping[str, str]) -> dict[str, str]:
    """The words of a head; None stands for all that there are."""
    def words(chosen: Iterable[str] | None) -> str:
        return "all" if chosen is None else ",".join(chosen)

    return {"fw": firmware, "board": board, "games": words(games), "tracks": words(tracks), "languages": words(languages),
            "rules": str(rules), "code": ",".join(f"{game}:{crc}" for game, crc in sorted(code.items()))}


def rules_code(sources: Mapping[str, bytes], games: Iterable[str]) -> dict[str, str]:
    """The CRC-32 of the code that decides a race, of each game; comments and docstrings don't count.

    `sources` has the modules of a device by their names there.
    """
    crcs = {}
    for game in games:
        crc = 0
        for name in sorted(sources):
            words = name.split("/")
            other_game = len(words) > 3 and words[1] == "games" and words[2] != game
            no_rules = words[-1] in NO_RULES or words[-1].startswith(NO_RULES_BEGIN)
            if words[0] == "shared_rules" and not no_rules and not other_game and words[1:3] != ["games", "__init__.py"]:
                crc = binascii.crc32(_bare(sources[name]), crc)
        crcs[game] = f"{crc:08x}"
    return crcs


@lru_cache(maxsize=512)
def _bare(source: bytes) -> bytes:
    """A module as its syntax tree in text, without docstrings, comments and places."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0].value.value = ""
    return ast.dump(tree).encode()
