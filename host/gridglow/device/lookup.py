"""Tracebacks of a board in the names of the sources.

A board's modules are compiled without line numbers, and their names are those that cost it least. The image keeps the
order of all names, so its sources here tell what each function is called, and where it stands.

    File "/c/glow/app.mpy", line 1, in ALT_PWM   →   File "glow/app.py", line 131, in tick
"""

from __future__ import annotations

import ast
import re
from functools import cache, lru_cache

from gridglow.device.code_files import path_of
from gridglow.device.image import SOURCES_ALWAYS, source_modules, spelt
from gridglow.device.romwords import names_of

FRAME = re.compile(r'(\s*File ")([\w/]+)\.(?:mpy|py)(", line )(\d+)(?:, in (\S+))?')
ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
TARGET = "pico"


def readable(text: str) -> str:
    """The text of a crash box or a traceback with the functions' own names, files and first lines.

    What isn't known here (a module of another version) stays as it is. A line that tells a function is where its `def`
    stands, not where it failed: no board keeps that.
    """
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    frame = FRAME.match(line)
    module = _named().get(f"{frame[2]}.py", "") if frame else ""
    if not module:
        return ATTRIBUTE.sub(lambda found: f"has no attribute '{_public().get(found[1], found[1])}'", line)
    if frame[5] is None:
        return line
    name = _functions(module).get(frame[5])
    if name is None:
        return line
    return f'{frame[1]}{module}{frame[3]}{name[1]}, in {name[0]}'


@lru_cache(maxsize=1)
def _modules() -> dict[str, tuple[bytes, bytes]]:
    """Of each compiled module its source, and its source as it is compiled for a Pico."""
    sources = source_modules(None, True, TARGET, True)
    short = spelt(sources, True)
    return {name: (sources[name], short[name]) for name in short if name not in SOURCES_ALWAYS}


@lru_cache(maxsize=1)
def _named() -> dict[str, str]:
    """The modules by what tracebacks call them: by their paths on a Pico, and by their names."""
    return {path_of(name): name for name in _modules()} | {name: name for name in _modules()}


@cache
def _functions(module: str) -> dict[str, tuple[str, int]]:
    """A function's name on the board → its own name, and the line of the first that is called so."""
    source, short = _modules()[module]
    found: dict[str, tuple[str, int]] = {}
    for ours, theirs in zip(ast.walk(ast.parse(source)), ast.walk(ast.parse(short))):
        if isinstance(ours, ast.FunctionDef):
            before = found.get(theirs.name)
            found[theirs.name] = (ours.name, before[1] if before else ours.lineno)
    return found


@lru_cache(maxsize=1)
def _public() -> dict[str, str]:
    """A name on the board → the name in the sources, where it is the same in all modules."""
    names: dict[str, str] = {}
    several = set()
    for source, short in _modules().values():
        for ours, theirs in zip(names_of(source), names_of(short)):
            if names.setdefault(theirs.string, ours.string) != ours.string:
                several.add(theirs.string)
    return {theirs: ours for theirs, ours in names.items() if theirs not in several}
