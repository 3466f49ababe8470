"""Private names made short for the board: each different name costs it some thirty bytes of heap, for good.

A name with one leading underscore is private to its module, so modules may share short ones: ``_rows_ahead`` here
and ``_draw_frame`` there both become ``_c``. Modules whose classes inherit from each other number their names
together, so that none hides another. Every line stays where it is.

A constant in capitals that no other module names is private too. The names of a function's arguments are kept by the
board as well; those without a default that nobody passes by name become ``a``, ``b`` …, the first letters that the
function doesn't use.

What might be seen from outside its module keeps its name: a private name of another object than ``self``, one that is
used but never made in a module, that is imported, or that stands in a text (``getattr``, f-strings).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

PRIVATE = re.compile(r"_[A-Za-z0-9][A-Za-z0-9_]*")
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]{2,}")
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
    constants = _own_constants(sources)
    short = {}
    for family in _families(found):
        taken = set()
        for module in family:
            taken |= found[module].made | constants[module]
        pool = _short_names(fixed)
        mapping = {name: next(pool) for name in sorted(taken - fixed)}
        short.update(dict.fromkeys(family, mapping))
    private = {module: _renamed(text, short[module]) for module, text in sources.items()}
    by_name = {node.arg for text in sources.values() for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.keyword) and node.arg}
    return {module: _short_arguments(text, by_name) for module, text in private.items()}


def _own_constants(sources: dict[str, bytes]) -> dict[str, set[str]]:
    """For each module the constants that it sets and that are named nowhere else, not even in a text."""
    words = {module: set(re.findall(r"\w+", text.decode())) for module, text in sources.items()}
    own = {}
    for module, text in sources.items():
        made = {
            target.id
            for node in ast.parse(text).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and CONSTANT.fullmatch(target.id)
        }
        quoted = {word for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)
                  and isinstance(node.value, str) for word in re.findall(r"\w+", node.value)}
        elsewhere = set().union(*(found for other, found in words.items() if other != module))
        own[module] = made - elsewhere - quoted
    return own


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


def _short_arguments(text: bytes, by_name: set[str]) -> bytes:
    """The source with short names for the needed arguments of functions that stand in no other function."""
    tree = ast.parse(text)
    in_texts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            in_texts |= set(re.findall(r"\w+", ast.unparse(node)))
    tokens = [token for token in tokenize.tokenize(io.BytesIO(text).readline) if token.type in (tokenize.NAME, tokenize.OP)]
    changes = {}
    for function in _outer_functions(tree):
        inside = [at for at, token in enumerate(tokens)
                  if (function.lineno, function.col_offset) <= token.start <= (function.end_lineno, function.end_col_offset)]
        defaults = {node.id for part in function.args.defaults for node in ast.walk(part) if isinstance(node, ast.Name)}
        kept = by_name | in_texts | defaults | {"self", "cls"}
        needed = function.args.args[:len(function.args.args) - len(function.args.defaults)]
        names = [arg.arg for arg in needed if arg.arg not in kept]
        used = {tokens[at].string for at in inside}
        letters = (letter for letter in LETTERS if letter not in used)
        mapping = {name: letter for name, letter in zip(names, letters) if len(name) > 1}
        for at in inside:
            name = tokens[at].string
            if name in mapping and tokens[at - 1].string not in (".", "def"):
                changes[tokens[at].start] = (name, mapping[name])
    return _changed(text, [(place, old, new) for place, (old, new) in sorted(changes.items())])


def _outer_functions(node: ast.AST):
    """The functions of a module and of its classes, not those within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        elif isinstance(child, (ast.ClassDef, ast.If, ast.Try)):
            yield from _outer_functions(child)


def _renamed(text: bytes, mapping: dict[str, str]) -> bytes:
    """The source with its NAME tokens changed; everything else stays where it is in its line."""
    changes = [
        (token.start, token.string, mapping[token.string])
        for token in tokenize.tokenize(io.BytesIO(text).readline)
        if token.type == tokenize.NAME and token.string in mapping
    ]
    return _changed(text, changes)


def _changed(text: bytes, changes: list[tuple[tuple[int, int], str, str]]) -> bytes:
    """The source with (row, column), old, new put in, given in the order of the text."""
    lines = text.decode().split("\n")
    for (row, column), old, new in reversed(changes):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + new + line[column + len(old):]
    return "\n".join(lines).encode()
