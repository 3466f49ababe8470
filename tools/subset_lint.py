"""Checks the language that CPython and MicroPython both understand: shared_rules and firmware are written in it.

    python tools/subset_lint.py [FILE or FOLDER …]      with no arguments: shared_rules and firmware of this checkout

Every finding is one line, ``file:line: rule: what to write instead``, and the exit code is then 1. If a
finding is wrong, say so on the line with a reason: ``# subset: ok the list is never compared``. A sort
key that ends in something unique with another name says ``# unique: no two bikes have the same place``.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
RULES_FOLDER = "shared_rules"
FIRMWARE_FOLDER = "firmware"

#: Standard modules that shared_rules may import, and the additional ones for the firmware.
RULES_MODULES = ("json", "binascii", "hashlib", "struct", "array", "sys", "gc")
FIRMWARE_MODULES = RULES_MODULES + ("time", "os", "io", "select")
#: Modules of the board itself: only behind the seam, or on a line that says why.
BOARD_MODULES = ("machine", "rp2", "micropython", "uctypes", "vfs", "framebuf", "deflate", "builtins",
                 "frozen_data")
BOARD_FOLDERS = ("hal", "drivers")
FIRMWARE_PACKAGES = ("glow", "hal", "drivers", "main", "boot", "install",
                     "shared_rules")

NO_METHODS = {
    "zfill": "use '%02d' % number", "ljust": "pad by hand", "rjust": "pad by hand",
    "bit_length": "shift and count", "isdigit": "compare with '0' and '9': '²'.isdigit() is True on CPython",
    "isalpha": "compare with 'a' and 'z'", "isnumeric": "compare with '0' and '9'",
    "isdecimal": "compare with '0' and '9'", "isalnum": "compare letters",
    "isidentifier": "compare letters", "isprintable": "compare with ' ' and '~'",
    "removeprefix": "slice", "removesuffix": "slice", "casefold": "use lower() on ASCII text",
    "capitalize": "MicroPython has none", "title": "MicroPython has none", "swapcase": "MicroPython has none",
    "expandtabs": "MicroPython has none", "translate": "replace one letter at a time",
    "format_map": "use % or format()",
}
#: Last parts of a sort key that are unique within a list.
UNIQUE_NAMES = ("number", "id", "seat", "car", "space", "row", "key", "name", "index", "at")
#: Calls that don't care about the order of their arguments' items.
ORDER_FREE = ("sorted", "len", "sum", "min", "max", "any", "all", "set", "frozenset")
#: Calls that go through their arguments' items in order.
ORDERED = ("list", "tuple", "enumerate", "iter", "next", "zip")
#: Parts of names that suggest a check of digits before int().
DIGIT_CHECKS = ("number", "is_", "digit", "space")
LARGEST_SMALL_INT = (1 << 30) - 1
CRC_MASK = 0xFFFFFFFF

_OK = re.compile(r"#\s*subset: ok\b\s*(.*)$")
_UNIQUE = re.compile(r"#\s*unique:\s*(.*)$")


@dataclass(frozen=True, order=True)
class Finding:
    """What is wrong on a line: the rule's name and a sentence with what to write instead."""

    path: str
    line: int
    rule: str
    say: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.say}"


def check_text(text: str, path: str, rules: bool) -> list[Finding]:
    """The findings in a file's text; with ``rules`` it belongs to shared_rules, where floats are banned too."""
    try:
        tree = ast.parse(text, path)
    except SyntaxError as error:
        return [Finding(path, error.lineno or 0, "syntax", f"Python can't read this: {error.msg}.")]
    lines = text.splitlines()
    checker = _Checker(path, lines, rules, tree)
    checker.visit(tree)
    return sorted(checker.kept())


def check_file(path: Path, checkout: Path = CHECKOUT) -> list[Finding]:
    """The findings in a file; files in shared_rules follow its rules, all others those of the firmware."""
    path = path.resolve()
    shown = path.relative_to(checkout) if path.is_relative_to(checkout) else path
    return check_text(path.read_text("utf-8"), str(shown), RULES_FOLDER in shown.parts)


def source_files(folders: list[Path]) -> list[Path]:
    """All Python files in these files and folders."""
    found: list[Path] = []
    for folder in folders:
        found += [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
    return found


class _Checker(ast.NodeVisitor):
    """Walks a file once. ``kept()`` gives the findings that no mark on their line excuses."""

    def __init__(self, path: str, lines: list[str], rules: bool, tree: ast.Module) -> None:
        self.path = path
        self.lines = lines
        self.rules = rules
        self.found: list[Finding] = []
        self.order_free: set[ast.AST] = set()
        self.functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.scopes: list[ast.FunctionDef] = []
        self.kinds: list[dict[str, str]] = [{}]  # of the names in each open scope: "set" or "dict"

    def note(self, node: ast.AST, rule: str, say: str) -> None:
        self.found.append(Finding(self.path, node.lineno, rule, say))

    def kept(self) -> list[Finding]:
        used: set[int] = set()
        out: list[Finding] = []
        for finding in self.found:
            mark = _OK.search(self.lines[finding.line - 1])
            if mark:
                used.add(finding.line)
            else:
                out.append(finding)
        for number, line in enumerate(self.lines, 1):
            mark = _OK.search(line)
            if mark and not mark.group(1).strip():
                out.append(Finding(self.path, number, "mark", "Say why behind '# subset: ok'."))
            elif mark and number not in used:
                out.append(Finding(self.path, number, "mark", "There is nothing to excuse here; take the mark out."))
        return list(dict.fromkeys(out))

    # Modules

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level:
            self.note(node, "import", "Import by the whole name: from shared_rules.prompts import Roll.")
        elif node.module == "__future__":
            self.note(node, "import", "MicroPython has no __future__; leave annotations out.")
        else:
            self._module(node, node.module or "")

    def _module(self, node: ast.AST, name: str) -> None:
        top = name.split(".")[0]
        if self.rules:
            allowed, who = (*RULES_MODULES, RULES_FOLDER), "shared_rules"
        else:
            board = BOARD_MODULES if set(Path(self.path).parts) & set(BOARD_FOLDERS) else ()
            allowed, who = (*FIRMWARE_MODULES, *FIRMWARE_PACKAGES, *board), "the firmware"
        if top not in allowed:
            self.note(node, "import", f"Expected one of {', '.join(allowed)} in {who}, found {top}.")

    # Syntax that MicroPython lacks or handles differently

    def visit_Match(self, node: ast.AST) -> None:
        self.note(node, "match", "MicroPython has no match; use if and elif.")
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        self._no_star(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self._no_star(node)

    def visit_Set(self, node: ast.Set) -> None:
        self._no_star(node)

    def _no_star(self, node) -> None:
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if not stored and any(isinstance(part, ast.Starred) for part in node.elts):
            self.note(node, "star", "MicroPython has no [*a]; add lists: [1] + list(a).")
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        if any(key is None for key in node.keys):
            self.note(node, "star", "MicroPython has no {**a}; copy with dict(a) and update it.")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                inner = [one for one in ast.walk(part.value) if isinstance(one, ast.Constant)]
                if any(isinstance(one.value, (str, bytes)) for one in inner):
                    self.note(node, "f-string", "MicroPython trips over quotes inside an f-string; name the value first.")
        self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AST) -> None:
        self.note(node, "async", "There is one loop, app.tick; no async.")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.slice, ast.Slice) and node.slice.step is not None:
            self.note(node, "slice-step", "MicroPython slices texts and bytes only by steps of 1; use range or reversed().")
        self.generic_visit(node)

    # Errors

    def visit_Try(self, node: ast.Try) -> None:
        for handler in node.handlers:
            self._handler(handler)
        for part in node.finalbody:
            for inner in ast.walk(part):
                if isinstance(inner, (ast.Return, ast.Break, ast.Continue)):
                    self.note(inner, "swallow", "Leaving from 'finally' swallows KeyboardInterrupt.")
        self.generic_visit(node)

    def _handler(self, handler: ast.ExceptHandler) -> None:
        names = _names_of(handler.type)
        raises = any(isinstance(part, ast.Raise) and part.exc is None for part in ast.walk(handler))
        if handler.type is None or "BaseException" in names:
            self.note(handler, "except", "This swallows KeyboardInterrupt; name the errors, or Exception.")
        elif ("KeyboardInterrupt" in names or "SystemExit" in names) and not raises:
            self.note(handler, "swallow", "Ctrl-C must reach the prompt; end this handler with 'raise'.")
        if self.rules and handler.name and "KeyError" in names:
            for part in ast.walk(handler):
                if _is_text_of(part, handler.name):
                    self.note(part, "str-of-key-error", "The text of a KeyError differs; use its args, or repr().")

    # Calls

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ORDER_FREE:
            self.order_free.update(node.args)
        if method in NO_METHODS:
            self.note(node, "method", f"No .{method}(): {NO_METHODS[method]}.")
        if method == "encode" and node.args and _constant(node.args[0]) in ("ascii", "latin-1"):
            self.note(node, "encode", "MicroPython always encodes as UTF-8; check the letters first.")
        if method == "__init__" and _ends_like_error(node.func.value):
            self.note(node, "super", "MicroPython can't call it so; use super().__init__(…).")
        if name == "next" and len(node.args) > 1:
            self.note(node, "next", "MicroPython 1.24 has no next() with a default; use glow.step, or catch StopIteration.")
        if name == "hash":
            self.note(node, "hash", "hash() differs from run to run; use crc32.")
        if name == "int" and len(node.args) == 1:
            self._int(node)
        if name == "sorted" or method == "sort":
            self._sort(node)
        if method == "dumps":
            for part in node.args[:1]:
                if any(isinstance(inner, (ast.Dict, ast.DictComp)) for inner in ast.walk(part)):
                    self.note(node, "dict-order", "Each interpreter dumps a dict in its own order; use lists.")
        if self.rules and name in ("float", "round", "complex"):
            self.note(node, "float", f"No {name}(): floats differ between boards and PCs; use whole numbers.")
        if (name in ORDERED and node not in self.order_free) or method == "join":
            for part in node.args:
                self._ordered(part)
        self.generic_visit(node)

    def _int(self, node: ast.Call) -> None:
        """Checks int() of an unchanged parameter, in a function that checks no digits."""
        scope = self.scopes[-1] if self.scopes else None
        value = node.args[0]
        while isinstance(value, (ast.Subscript, ast.Attribute, ast.Call)):
            if isinstance(value, ast.Call) and not isinstance(value.func, ast.Attribute):
                return
            value = value.func if isinstance(value, ast.Call) else value.value
        words = ("text", "word", "line", "raw", "string", "typed")
        if scope is None or not isinstance(value, ast.Name) or value.id not in words:
            return
        if value.id in [argument.arg for argument in scope.args.args] and not _looks_at_digits(scope):
            self.note(node, "int", "int() takes '٣' on CPython only; use notation.number().")

    def _sort(self, node: ast.Call) -> None:
        key = next((word.value for word in node.keywords if word.arg == "key"), None)
        if key is None:
            return
        marks = [_UNIQUE.search(self.lines[number - 1]) for number in range(node.lineno, (node.end_lineno or 0) + 1)]
        if any(mark and mark.group(1).strip() for mark in marks):
            return
        if not self._ends_unique(key):
            self.note(node, "sort-key", "MicroPython's sort is not stable: let the key be a tuple that ends in a unique "
                                        "id, or say '# unique: why'.")

    def _ends_unique(self, key: ast.AST) -> bool:
        if isinstance(key, ast.Lambda):
            return _is_unique(key.body)
        name = key.id if isinstance(key, ast.Name) else key.attr if isinstance(key, ast.Attribute) else ""
        function = self.functions.get(name)
        if function is None:
            return False
        returned = [part.value for part in ast.walk(function) if isinstance(part, ast.Return)]
        return bool(returned) and all(_is_unique(value) for value in returned)

    # Sets and dicts have no order

    def visit_For(self, node: ast.For) -> None:
        if not _fills_by(node):
            self._ordered(node.iter)
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def _comprehension(self, node) -> None:
        if node not in self.order_free:
            for part in node.generators:
                self._ordered(part.iter)
        self.generic_visit(node)

    def _ordered(self, node: ast.AST) -> None:
        """Something is gone through in order."""
        kind = self._kind(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            owner, method = self._kind(node.func.value), node.func.attr
            if method == "items" or (owner == "dict" and method in ("keys", "values")):
                kind = "dict"
        if kind == "set":
            self.note(node, "set-order", "A set has no order; sort it first.")
        elif kind == "dict":
            self.note(node, "dict-order", "MicroPython's dicts don't keep their order; sort, or use a list of pairs.")

    def _kind(self, node: ast.AST) -> str:
        """ "set" or "dict" if this is clearly one, else ""."""
        if isinstance(node, ast.Name):
            return next((names[node.id] for names in reversed(self.kinds) if node.id in names), "")
        if isinstance(node, (ast.Set, ast.SetComp)):
            return "set"
        if isinstance(node, (ast.Dict, ast.DictComp)):
            return "dict"
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        return {"set": "set", "frozenset": "set", "dict": "dict"}.get(name, "")

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.kinds[-1][target.id] = self._kind(node.value)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scopes.append(node)
        self.kinds.append({argument.arg: "" for argument in node.args.args})
        self.generic_visit(node)
        self.kinds.pop()
        self.scopes.pop()

    # Numbers

    def visit_Constant(self, node: ast.Constant) -> None:
        if not self.rules:
            return
        if isinstance(node.value, (float, complex)):
            self.note(node, "float", "Floats differ between boards and PCs; use whole numbers of a smaller unit.")
        elif isinstance(node.value, int) and node.value > LARGEST_SMALL_INT and node.value != CRC_MASK:
            self.note(node, "large-int", "A Pico allocates memory for a number above 2^30; stay below.")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._division(node)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._division(node)
        self.generic_visit(node)

    def _division(self, node) -> None:
        if self.rules and isinstance(node.op, ast.Div):
            self.note(node, "float", "'/' makes a float; use '//'.")


def _names_of(node: ast.AST | None) -> list[str]:
    if isinstance(node, ast.Tuple):
        return [name for part in node.elts for name in _names_of(part)]
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.attr] if isinstance(node, ast.Attribute) else []


def _constant(node: ast.AST):
    return node.value if isinstance(node, ast.Constant) else None


def _fills_by(loop: ast.For) -> bool:
    """A loop that only puts a value under each key: its order makes no difference."""
    key = loop.target.id if isinstance(loop.target, ast.Name) else None
    for line in loop.body:
        if not isinstance(line, ast.Assign) or not isinstance(line.targets[0], ast.Subscript):
            return False
        index = line.targets[0].slice
        if not isinstance(index, ast.Name) or index.id != key:
            return False
    return True


def _is_unique(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Tuple):
        return bool(node.elts) and _is_unique(node.elts[-1])
    if isinstance(node, ast.UnaryOp):
        return _is_unique(node.operand)
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return bool(name) and name.split("_")[-1] in UNIQUE_NAMES


def _looks_at_digits(function: ast.FunctionDef) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if any(bit in name for bit in DIGIT_CHECKS):
                return True
        if isinstance(node, ast.Compare) and any(_constant(part) == "0" for part in [node.left, *node.comparators]):
            return True
    return False


def _is_text_of(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "str":
        return False
    return len(node.args) == 1 and isinstance(node.args[0], ast.Name) and node.args[0].id == name


def _ends_like_error(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.endswith(("Exception", "Error"))


def main(arguments: list[str]) -> int:
    """Check the named files and folders; print the findings and return the exit code."""
    folders = [Path(name) for name in arguments] or [CHECKOUT / RULES_FOLDER, CHECKOUT / FIRMWARE_FOLDER]
    missing = [str(folder) for folder in folders if not folder.exists()]
    if missing:
        print(f"There is no {', '.join(missing)}; name files or folders that exist.", file=sys.stderr)
        return 2
    files = source_files(folders)
    findings = [finding for path in files for finding in check_file(path)]
    for finding in findings:
        print(finding)
    print(f"subset: {len(files)} files, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
