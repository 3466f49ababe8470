"""Public names of the firmware as words that MicroPython has anyway: those cost a Pico nothing.

A name that isn't in MicroPython's ROM is kept in the heap for good: its letters, and its place in a table that doubles
when it is full. Nearly a thousand names of ours took some thirty kilobytes of a Pico's 240. So for a Pico's image each
of them is lent a word out of ROM that the firmware doesn't use, such as ``reachable`` → ``umount``: the same one in all
modules, so that nothing changes but the spelling. Names that only one game's modules have share their words with those of
the other games, as no module has both. A name keeps its word when others come and go, as far as that can be: else a new
function would change nearly every file of a board.

What might be seen from elsewhere keeps its name: what sources in the root or the host's own scripts name, names that
stand in a text (``getattr``, fields of messages), arguments that are passed by name, folders and modules, classes of
errors (they are told to people), and of course all that belongs to MicroPython.
"""

from __future__ import annotations

import ast
import hashlib
import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from gridglow.device.shorten import _changed

WORDS_FILE = Path(__file__).with_name("rom_words.txt")
#: Names that no `dir()` tells: methods of objects without a type of their own, attributes of exceptions.
UNTOLD = frozenset(
    ("args", "errno", "value", "register", "unregister", "modify", "poll", "ipoll", "implementation", "version", "name",
     "getvalue", "flags", "trigger", "print_exception")
)
#: What the host runs on a board by the raw REPL as it is; a test finds what is missing here.
BY_HOST = frozenset(("serve", "Settings", "put"))
#: Words that mean something to the interpreter wherever they stand.
MEANING = frozenset(("args", "errno", "value", "self", "cls", "print", "object", "Exception", "super", "type"))
WORD = re.compile(r"[A-Za-z_]\w*")


@lru_cache(maxsize=1)
def rom_words() -> tuple[frozenset[str], frozenset[str]]:
    """(words that every MicroPython of ours has in ROM, words that any of them has)."""
    first, more = ({word for line in part.splitlines() if not line.startswith("#") for word in line.split()}
                   for part in WORDS_FILE.read_text("ascii").split("# Only in some of them:"))
    return frozenset(first), frozenset(first | more)


def lend(sources: dict[str, bytes], outside: dict[str, bytes]) -> dict[str, str]:
    """Name → word, for all modules of an image. ``sources``: those that are compiled, by names such as "glow/app.py";
    ``outside``: those that stay sources. Of the names in common, then of each game's, the longest get words; when these
    are used up, the others get short names."""
    everywhere, anywhere = rom_words()
    made: set[str] = set()
    used: Counter[str] = Counter()  # in how many modules
    quoted: set[str] = set()
    homes: dict[str, str] = {}      # the game that alone has a name, else ""
    fixed = UNTOLD | BY_HOST | anywhere
    for name in (*sources, *outside):
        fixed |= set(WORD.findall(name[:-3]))
    for text in outside.values():
        fixed |= set(WORD.findall(text.decode()))
    for module, text in sources.items():
        tree = ast.parse(text)
        made |= _made(tree)
        quoted |= _quoted(tree)
        fixed |= _seen(tree)
        names = {token.string for token in names_of(text)}
        used.update(names)
        home = _home(module)
        for name in names:
            if homes.setdefault(name, home) != home:
                homes[name] = ""
    fixed |= quoted
    begun = tuple(word for word in quoted if word.endswith("_"))  # "make_" + name
    candidates = sorted((name for name in made - fixed if _may_change(name) and not name.startswith(begun)),
                        key=lambda name: (-len(name), name))
    free = [word for word in everywhere - used.keys() - quoted - MEANING if _may_change(word)]
    short = [name for name in _short_names() if name not in used and name not in anywhere | quoted and _may_change(name)]
    lent = _of_home("", candidates, homes, free, short, used)
    taken = set(lent.values())
    free, short = [word for word in free if word not in taken], [word for word in short if word not in taken]
    for home in sorted(set(homes.values()) - {""}):
        lent.update(_of_home(home, candidates, homes, free, short, used))
    return lent


def _home(module: str) -> str:
    """The game whose folder a module lies in, or ""."""
    words = module.split("/")
    return words[2] if words[:2] == ["shared_rules", "games"] and len(words) > 3 else ""


def _of_home(home: str, candidates: list[str], homes: Mapping[str, str], free: list[str], short: list[str],
             used: Mapping[str, int]) -> dict[str, str]:
    """A word for each candidate of a home: the longest get those that are free, the others short names."""
    names = [name for name in candidates if homes[name] == home]
    lent = _shared_out(names[:len(free)], free, used)
    lent.update(_shared_out([name for name in names[len(free):] if len(name) > 3], short, used))
    return lent


def _shared_out(names: list[str], words: list[str], used: Mapping[str, int]) -> dict[str, str]:
    """A word for each name: of those that are left the one that its hash likes best. Names of many modules choose first,
    so that a new name takes the word of one that stands in few, if of any."""
    left = {word: word.encode() for word in words}
    lent = {}
    for name in sorted(names, key=lambda name: (-used[name].bit_length(), name)):
        seed = hashlib.blake2b(name.encode(), digest_size=8)

        def likes(word: str, seed=seed) -> bytes:
            mixed = seed.copy()
            mixed.update(left[word])
            return mixed.digest()

        lent[name] = min(left, key=likes)
        del left[lent[name]]
    return lent


def spell(text: bytes, lent: dict[str, str]) -> bytes:
    """The source with its names changed."""
    return _changed(text, [(token.start, token.string, lent[token.string]) for token in names_of(text)
                           if token.string in lent])


def _may_change(name: str) -> bool:
    return not name.startswith("__") and not keyword.iskeyword(name) and not keyword.issoftkeyword(name) and len(name) > 1


def names_of(text: bytes) -> list[tokenize.TokenInfo]:
    """The names in a source, in their order, each with its place."""
    return [token for token in tokenize.tokenize(io.BytesIO(text).readline)
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string)]


def _made(tree: ast.AST) -> set[str]:
    """Names that a module gives to something. A function's own variables have numbers on a board, and no names."""
    made: set[str] = set()

    def visit(node: ast.AST, own: frozenset[str] | None) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            made.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            if own is None or node.id in own:
                made.add(node.id)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        if isinstance(node, ast.FunctionDef):
            own = frozenset(name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names)
        elif isinstance(node, ast.ClassDef):
            own = None
        for child in ast.iter_child_nodes(node):
            visit(child, own)

    visit(tree, None)
    return made


def _seen(tree: ast.AST) -> set[str]:
    """Names of a module that must stay, besides those in its texts."""
    seen = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            seen.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            seen |= {alias.asname for alias in node.names if alias.asname}
            seen |= set(WORD.findall(getattr(node, "module", None) or ""))
            if isinstance(node, ast.Import):
                seen |= {word for alias in node.names for word in WORD.findall(alias.name)}
        elif isinstance(node, ast.JoinedStr):
            seen |= set(WORD.findall(ast.unparse(node)))
        elif isinstance(node, ast.ClassDef) and _is_error(node):
            seen.add(node.name)
        elif isinstance(node, ast.FunctionDef) and any("asm_pio" in ast.unparse(one) for one in node.decorator_list):
            seen |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return seen


def _is_error(node: ast.ClassDef) -> bool:
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return bool(bases & {"Exception", "GridglowError", "ValueError", "OSError", "RuntimeError"})


def _quoted(tree: ast.AST) -> set[str]:
    """The words of a module's texts, any of which might be a name; a docstring names nothing."""
    docstrings = {id(node.value) for node in ast.walk(tree)
                  if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    quoted = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            quoted |= set(WORD.findall(node.value))
    return quoted


def _short_names():
    """aa, ab … zz"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [one + two for one in letters for two in letters]
