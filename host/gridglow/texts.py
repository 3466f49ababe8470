"""Text files: every string that a player reads, checked and packed for the board.

Texts shared by all games are in ``shared_rules/text``, a game's own in its folder ``text``, one file per language.
A text file is TOML with one table per section and one string per key; ``{0}``, ``{1}`` … are the arguments, and
``{0:card|cards}`` is the noun that fits the number in argument 0 (singular first). ``pack`` makes the file that
``glow/texts/texts.py`` reads (its head describes the format), ``check`` compares languages with each other.
"""

from __future__ import annotations

import binascii
import re
import struct
from collections.abc import Sequence
from pathlib import Path

from gridglow import paths
from gridglow.tomlfile import Checker, FileProblems, Problem, describe, nearest, read_toml, spell
from shared_rules.errors import GridglowError

MAGIC = b"GGTX"
FORMAT = 1
HEAD_BYTES = 16
ENTRY_BYTES = 8
KEY_MOST = 64
TEXT_MOST_BYTES = 1000
#: An argument, or the two forms of a noun that its number chooses from.
PLACE = r"\{([0-9])(?::([^{}|]+)\|([^{}|]+))?\}"


def known_languages() -> tuple[str, ...]:
    """The languages that have texts."""
    return tuple(sorted(one.stem for one in paths.text_folder().glob("*.toml")))


def text_files(language: str) -> list[Path]:
    """The files with the texts of a language: the shared one, then one per game that has this language. Raises
    GridglowError if there are none."""
    path = paths.text_folder() / f"{language}.toml"
    if not path.is_file():
        raise GridglowError(f"There are no texts in the language {language!r}{nearest(language, known_languages())}")
    return [path, *sorted((paths.rules_folder() / "games").glob(f"*/text/{language}.toml"))]


def read_language(language: str) -> dict[str, str]:
    """All texts in a language by their keys ("section.name"). Raises as ``text_files`` and ``read_texts`` do."""
    return {key: text for path in text_files(language) for key, text in read_texts(path).items()}


def pack_language(language: str) -> bytes:
    """The text pack of a language. Raises as ``text_files`` and ``pack`` do."""
    return pack(*text_files(language))


def read_texts(path: Path) -> dict[str, str]:
    """The texts of a file by key ("section.name"). Raises FileProblems with every error."""
    texts, _, _ = _read(Path(path))
    return texts


def _read(path: Path) -> tuple[dict[str, str], Checker, dict[str, tuple]]:
    table, lines = read_toml(path, "text file")
    check = Checker(path, lines)
    texts: dict[str, str] = {}
    where_of: dict[str, tuple] = {}
    for section, entries in table.items():
        if not isinstance(entries, dict):
            check.note((section,), f"Expected a section such as [board], found {describe(entries)} outside of any.")
            continue
        _check_name(check, (section,), section, "section")
        for name, text in entries.items():
            where = (section, name)
            _check_name(check, where, name, "key")
            if not isinstance(text, str):
                check.note(where, f"Expected a text in quotes, found {describe(text)}.")
                continue
            _check_text(check, where, text)
            texts[f"{section}.{name}"] = text
            where_of[f"{section}.{name}"] = where
    check.finish()
    return texts, check, where_of


def _check_name(check: Checker, where: tuple, name: str, what: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        check.note(where, f"Expected a {what} of small letters, digits and _, found {name!r}.")
    elif len(".".join(where)) > KEY_MOST:
        check.note(where, f"Expected at most {KEY_MOST} characters including the section, found {len('.'.join(where))}.")


def _check_text(check: Checker, where: tuple, text: str) -> None:
    if not text.strip():
        check.note(where, "Expected a text, found an empty one; leave the key out instead.")
    elif len(text.encode()) > TEXT_MOST_BYTES:
        check.note(where, f"Expected at most {TEXT_MOST_BYTES} bytes, found {len(text.encode())}.")
    elif any(ord(letter) < 32 for letter in text):
        check.note(where, "Expected one line without tabs, found a control character.")
    rest = re.sub(PLACE, "", text)
    if "{" in rest or "}" in rest:
        check.note(where, "Expected arguments as {0} to {9} or {0:word for 1|word for others}, found another brace.")


def arguments(text: str) -> list[str]:
    """The arguments that a text uses, sorted: ["{0}", "{1}"]. One that only chooses a noun's form counts too."""
    return sorted({"{" + found[1] + "}" for found in re.finditer(PLACE, text)})


def filled(text: str, values: Sequence[object]) -> str:
    """A text with its arguments filled in, like glow/texts/texts.py: a missing argument becomes "?"."""
    def put(found: re.Match) -> str:
        at = int(found[1])
        value = str(values[at]) if at < len(values) else "?"
        return value if found[2] is None else found[2] if value == "1" else found[3]

    return re.sub(PLACE, put, text)


def pack(*files: Path | str) -> bytes:
    """The text pack of these files together. Raises FileProblems with every error in one of them."""
    texts: dict[str, str] = {}
    seen: dict[int, str] = {}
    for file in files:
        more, check, where_of = _read(Path(file))
        for key in sorted(more):
            crc = binascii.crc32(key.encode())
            if key in texts:
                check.note(where_of[key], "This key is in two files of this language; remove it from one.")
            elif crc in seen:
                check.note(where_of[key], f"This key has the same checksum as {seen[crc]}; rename one of them.")
            seen[crc] = key
        texts.update(more)
        if len(texts) > 0xFFFF:
            check.note((), f"Expected at most 65535 texts, found {len(texts)}.")
        check.finish()
    offset = HEAD_BYTES + ENTRY_BYTES * len(texts)
    entries = []
    records = b""
    for crc in sorted(seen):
        name = seen[crc].encode()
        text = texts[seen[crc]].encode()
        entries.append(struct.pack(">II", crc, offset + len(records)))
        records += bytes([len(name)]) + name + struct.pack(">H", len(text)) + text
    body = b"".join(entries) + records
    return MAGIC + struct.pack(">BBHII", FORMAT, 0, len(texts), len(body), binascii.crc32(body)) + body


def check(paths: list[Path]) -> list[Problem]:
    """All errors in these files; the first one is the standard for the others (keys and arguments)."""
    problems: list[Problem] = []
    read = []
    for path in paths:
        try:
            read.append((Path(path), *_read(Path(path))))
        except FileProblems as error:
            problems += error.problems
    for path, texts, checker, where_of in read[1:]:
        first_path, first, _, _ = read[0]
        for key in first:
            if key not in texts:
                section = (key.split(".")[0],)
                problems.append(Problem(str(path), checker.line(section), key,
                                        f"Expected this key as in {first_path.name}, but it is missing; translate it."))
            elif arguments(texts[key]) != arguments(first[key]):
                wanted = " ".join(arguments(first[key])) or "none"
                found = " ".join(arguments(texts[key])) or "none"
                problems.append(Problem(str(path), checker.line(where_of[key]), key,
                                        f"Expected the arguments {wanted} as in {first_path.name}, found {found}."))
        for key in texts:
            if key not in first:
                problems.append(Problem(str(path), checker.line(where_of[key]), spell(where_of[key]),
                                        f"{first_path.name} has no such key; remove it here or add it there."))
    return problems
