"""Private names made short for the board: each different name costs it some thirty bytes of heap, for good.

A name with one leading underscore is private to its module, so modules may share short ones: ``_rows_ahead`` here
and ``_draw_frame`` there both become ``_c``. Modules whose classes inherit from each other number their names
together, so that none hides another. Line numbers in tracebacks stay right.

What might be seen from outside its module keeps its name: a private name of another object than ``self``, one that is
used but never made in a module, that is imported, or that stands in a text (``getattr``, f-strings).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

PRIVATE = re.compile(r"_[A-Za-z0-9][A-Za-z0-9_]*")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class _Names(ast.NodeVisitor):
    """The private names that a module makes, those that it uses, and those that must stay."""

    def __init__(self, text: bytes):
        self.made: set[str] = set()
        self.used: set[str] = set()
        self.fixed: set[str] = set()
        self.bases: set[str] = set()
        self.imported: dict[str, str] = {}
        self.visit(ast.parse(text))

    def _note(self, name: str, made: bool) -> None:
        if PRIVATE.fullmatch(name):
            (self.made if made else self.used).add(name)

    def visit_Name(self, node: ast.Name) -> None:
        self._note(node.id, isinstance(node.ctx, ast.Store))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if not own and PRIVATE.fullmatch(node.attr):
            self.fixed.add(node.attr)  # of another object, which may be one of another module
        self._note(node.attr, isinstance(node.ctx, ast.Store))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._note(node.name, True)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._note(node.name, True)
        self.bases |= {base.id for base in node.bases if isinstance(base, ast.Name)}
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        self._note(node.arg, True)

    def visit_keyword(self, node: ast.keyword) -> None:
        self._note(node.arg or "", False)
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.fixed |= {name for name in (alias.name, alias.asname or "") if PRIVATE.fullmatch(name)}
            self.imported[alias.asname or alias.name] = node.module or ""

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.fixed |= set(PRIVATE.findall(alias.asname or alias.name))

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.fixed |= {word for word in re.findall(r"\w+", node.value) if PRIVATE.fullmatch(word)}

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring says much and means nothing to the board
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.fixed |= set(PRIVATE.findall(ast.unparse(node)))


def shorten(sources: dict[str, bytes]) -> dict[str, bytes]:
    """The sources (by names such as "glow/app.py") with short private names; all of an image at once."""
    found = {module: _Names(text) for module, text in sources.items()}
    fixed = set()
    for names in found.values():
        fixed |= names.fixed | (names.used - names.made)
    short = {}
    for family in _families(found):
        taken = set()
        for module in family:
            taken |= found[module].made
        pool = _short_names(fixed)
        mapping = {name: next(pool) for name in sorted(taken - fixed)}
        short.update(dict.fromkeys(family, mapping))
    return {module: _renamed(text, short[module]) for module, text in sources.items()}


def _families(found: dict[str, _Names]) -> list[list[str]]:
    """Modules whose classes inherit across them, together; each other module alone."""
    family = {module: {module} for module in found}
    for module, names in found.items():
        for base in names.bases:
            other = names.imported.get(base, "").replace(".", "/") + ".py"
            if other in family and family[other] is not family[module]:
                joined = family[module] | family[other]
                for member in joined:
                    family[member] = joined
    unique = {id(members): sorted(members) for members in family.values()}
    return sorted(unique.values())


def _short_names(fixed: set[str]):
    """_a, _b … _Z, _aa, _ab …, those that must stay left out."""
    count = 0
    while True:
        name = ""
        number = count
        while True:
            name = LETTERS[number % len(LETTERS)] + name
            number = number // len(LETTERS) - 1
            if number < 0:
                break
        count += 1
        if "_" + name not in fixed:
            yield "_" + name


def _renamed(text: bytes, mapping: dict[str, str]) -> bytes:
    """The source with its NAME tokens changed; everything else stays where it is in its line."""
    lines = text.decode().split("\n")
    changes = [
        (token.start, token.string)
        for token in tokenize.tokenize(io.BytesIO(text).readline)
        if token.type == tokenize.NAME and token.string in mapping
    ]
    for (row, column), name in reversed(changes):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + mapping[name] + line[column + len(name):]
    return "\n".join(lines).encode()
