"""TOML files that people edit: read and checked, with all errors reported at once with file, line and key.

``read_toml`` returns the table and the line of every key; a ``Checker`` takes values from it and collects
``Problem`` objects; ``Checker.finish()`` raises ``FileProblems`` with all of them, in the order of the file.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridglow.plaintext import decoded
from shared_rules.errors import GridglowError
from shared_rules.names import HIDDEN, JOINERS

# What shared_rules.names accepts as a name, as a pattern.
_HIDDEN = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in HIDDEN)
NAME_FORM = rf"[^\s{JOINERS}{_HIDDEN}]([^{_HIDDEN}]{{0,38}}[^\s{_HIDDEN}])?"
Where = tuple  # ("section", 2, "rows"): where a value is in the file


@dataclass(frozen=True)
class Problem:
    """One error in a file: where (line 0 if no line can be named), which key, and a
    sentence."""

    file: str
    line: int
    key: str
    say: str

    def __str__(self) -> str:
        at = f"{self.file}:{self.line}" if self.line else self.file
        return f"{at}: {self.key}: {self.say}" if self.key else f"{at}: {self.say}"

    def plain(self) -> dict:
        """The same for --json."""
        return {"file": self.file, "line": self.line, "key": self.key, "say": self.say}


class FileProblems(GridglowError):
    """A file that can't be used. ``problems`` has all its errors, in the order of its
    lines."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


def read_toml(path: Path, what: str) -> tuple[dict, dict[Where, int]]:
    """The table in a file and the line of each of its keys. ``what`` names the kind of file in messages.

    Raises FileProblems if the file is missing, or isn't text, or isn't TOML.
    """
    name = str(path)

    def refuse(line: int, say: str) -> FileProblems:
        return FileProblems([Problem(name, line, "", say)])

    if path.is_dir():
        raise refuse(0, f"Expected a {what}, this is a folder; name a file in it.")
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise refuse(0, f"There is no such {what}; check the spelling and the folder.") from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise refuse(0, f"The {what} can't be read ({said}); check its name and permissions.") from None
    try:
        text = decoded(raw)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise refuse(
            line, f"Expected a {what} in UTF-8 text, found an invalid byte; save it as UTF-8."
        ) from None
    if not text.strip():
        raise refuse(0, f"The {what} is empty; the packaged ones show what belongs in it.")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = re.search(r"\(at line (\d+), column (\d+)\)", said)
        line = int(found[1]) if found else text.count("\n") + 1
        said = said.split(" (at ")[0]
        raise refuse(
            line, f"This is not TOML: {said[:1].lower()}{said[1:]}; correct this line first."
        ) from None
    except (ValueError, RecursionError):
        raise refuse(
            0,
            f"This {what} has a number that is too long or brackets that are nested too deep; "
            "the packaged ones show what belongs in it.",
        ) from None
    return table, find_lines(text)


def find_lines(text: str) -> dict[Where, int]:
    """The line (from 1) of every table head and key in valid TOML: {("section", 0, "rows"): 12}.

    Keys inside an inline table are on the line where the outer key begins.
    """
    lines: dict[Where, int] = {}
    counts: dict[Where, int] = {}
    table: Where = ()
    for number, line in _logical_lines(text):
        head = re.match(r"\[\[(.+?)\]\]", line)
        if head:
            table = _where(counts, _keys(head[1])[:-1]) + (_keys(head[1])[-1],)
            counts[table] = counts.get(table, -1) + 1
            table += (counts[table],)
            lines[table] = number
        elif line.startswith("["):
            table = _where(counts, _keys(line[1 : line.index("]")]))
            lines[table] = number
        else:
            where = table
            for key in _keys(line):
                where += (key,)
                lines.setdefault(where, number)
    return lines


def find_line(lines: dict[Where, int], where: Where) -> int:
    """The line of a value, or of the nearest table around it; 1 if there is none."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where, 1)


def _logical_lines(text: str):
    """(number, text) of each line that begins outside any string or bracket, without blank lines and
    comments."""
    depth = 0
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not quote and depth == 0 and stripped and not stripped.startswith("#"):
            yield number, stripped
        at = 0
        while at < len(line):
            if quote:
                if quote[0] == '"' and line[at] == "\\":
                    at += 2
                elif line.startswith(quote, at):
                    at += len(quote)
                    quote = ""
                else:
                    at += 1
            elif line[at] == "#":
                break
            elif line[at] in "\"'":
                quote = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
                at += len(quote)
            else:
                depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(line[at], 0)
                at += 1
        if len(quote) == 1:
            quote = ""


def _keys(line: str) -> list[str]:
    """The dotted key at the start of a line."""
    keys = []
    while True:
        found = re.match(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""", line)
        if not found:
            return keys
        keys.append(next(part for part in found.groups() if part is not None))
        line = line[found.end() :]
        if not line.startswith("."):
            return keys
        line = line[1:]


def _where(counts: dict[Where, int], keys: list[str]) -> Where:
    """The path of a table head: below an array of tables it belongs to the latest one so far."""
    where: Where = ()
    for key in keys:
        where += (key,)
        if where in counts:
            where += (counts[where],)
    return where


KINDS = {
    bool: "true or false",
    int: "a whole number",
    str: "text in quotes",
    list: "a list",
    dict: "a table",
    float: "a decimal number",
}


class Checker:
    """Takes values from a TOML table and keeps a list of all errors.

    The ``take_…`` methods return the value, or None if it is missing or wrong (then the problem is noted).
    """

    def __init__(self, path: Path, lines: dict[Where, int]):
        self.file = str(path)
        self.lines = lines
        self.problems: list[Problem] = []

    def line(self, where: Where) -> int:
        """The line of a value, or of the nearest table around it."""
        return find_line(self.lines, where)

    def note(self, where: Where, say: str) -> None:
        """Notes an error here."""
        self.problems.append(Problem(self.file, self.line(where), spell(where), say))

    def finish(self) -> None:
        """Raises FileProblems if anything was noted."""
        if self.problems:
            raise FileProblems(sorted(self.problems, key=lambda problem: problem.line))

    def known(self, table: dict, where: Where, keys: tuple[str, ...]) -> None:
        """Notes every key that this table shouldn't have."""
        for key in table:
            if key not in keys:
                self.note(where + (key,), f"There is no key {key!r} here{nearest(key, keys)}")

    def take(self, table: dict, where: Where, key: str, kind: type, default: Any = ...) -> Any:
        """A value of this type; ``default`` if the key may be missing."""
        if key not in table:
            if default is ...:
                self.note(where + (key,), f"Expected {KINDS[kind]} here, but the key {key!r} is missing; add it.")
                return None
            return default
        value = table[key]
        if type(value) is not kind:
            self.note(where + (key,), f"Expected {KINDS[kind]}, found {describe(value)}.")
            return None
        return value

    def take_int(
        self, table: dict, where: Where, key: str, low: float, high: float, default: Any = ...
    ) -> int | None:
        """A whole number from ``low`` to ``high``."""
        value = self.take(table, where, key, int, default)
        if key in table and value is not None and not low <= value <= high:
            self.note(where + (key,), f"Expected {low} to {high}, found {value}.")
            return None
        return value

    def take_number(
        self, table: dict, where: Where, key: str, low: float, high: float, default: Any = ...
    ) -> float | None:
        """A number from ``low`` to ``high``, with or without decimals."""
        if type(table.get(key)) is not float:
            return self.take_int(table, where, key, low, high, default)
        value = table[key]
        if not low <= value <= high:
            self.note(where + (key,), f"Expected {low} to {high}, found {value}.")
            return None
        return value

    def take_word(
        self, table: dict, where: Where, key: str, words: tuple[str, ...], default: Any = ...
    ) -> str | None:
        """One of these words."""
        value = self.take(table, where, key, str, default)
        if key in table and value is not None and value not in words:
            close = difflib.get_close_matches(value, words, 1, 0.5) if len(words) > 2 else []
            meant = f"; did you mean {close[0]!r}?" if close else "."
            self.note(where + (key,), f"Expected {either(words)}, found {value!r}{meant}")
            return None
        return value

    def take_text(self, table: dict, where: Where, key: str, pattern: str, means: str) -> str | None:
        """A text of this form; ``means`` describes the form."""
        value = self.take(table, where, key, str)
        if value is not None and not re.fullmatch(pattern, value):
            self.note(where + (key,), f"Expected {means}, found {describe(value)}.")
            return None
        return value

    def take_ints(
        self, table: dict, where: Where, key: str, count: int, low: int, high: int, default: Any = ...
    ) -> list[int] | None:
        """A list of ``count`` whole numbers from ``low`` to ``high``."""
        value = self.take(table, where, key, list, default)
        if key not in table or value is None:
            return value
        if len(value) != count or any(type(one) is not int or not low <= one <= high for one in value):
            self.note(
                where + (key,), f"Expected {count} whole numbers from {low} to {high}, found {value!r}."
            )
            return None
        return value

    def take_tables(self, table: dict, where: Where, key: str, needed: bool) -> list[dict]:
        """The tables of a ``[[key]]``; an empty list if there are none."""
        value = table.get(key)
        if value is None or value == []:
            if needed:
                self.note(where, f"There is no [[{key}]] in the file; add one.")
            return []
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.note(where + (key,), f"Expected tables beginning with [[{key}]], found {describe(value)}.")
            return []
        return value


def nearest(word: str, words: tuple[str, ...]) -> str:
    """The end of a sentence: "; did you mean 'rows'?" or a list of what there is."""
    close = difflib.get_close_matches(word, words, 1, 0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there is {', '.join(words)}."


def either(words: tuple[str, ...]) -> str:
    """'left' or 'right'"""
    quoted = [repr(word) for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]


def describe(value: Any) -> str:
    """A value with its kind, for "Expected …, found …"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, dict)):
        return KINDS[type(value)]
    if isinstance(value, str):
        return f"the text {value[:40]!r}" if value else "an empty text"
    return str(value)


def spell(where: Where) -> str:
    """``("section", 2, "rows")`` as people read it: section 3 rows."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in where)
