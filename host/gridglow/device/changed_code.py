"""Modules of this checkout that differ from a board's program: compiled, to replace the program's modules one by one.

A board keeps them in the folder `code`, each under the path of the module that it replaces, and in `code/for.txt` the
id of the program that they were made for; with another program, and in safe mode, it ignores them. They take up heap,
which a program's own modules don't, so there can't be many.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field

from gridglow.firmware.compiler import ARCHES, compile_mpy
from gridglow.firmware.frozen import frozen_modules
from shared_rules.errors import GridglowError

FOLDER = "code/"
FOR = "code/for.txt"
#: What runs before a module can be replaced; these can only change with the program.
WITH_PROGRAM = ("boot.py", "main.py", "install.py", "_boot.py", "hal/__init__.py", "hal/changed.py", "hal/data_files.py",
                "hal/file_system.py")
#: Limits for the replacements, as they must leave a race its room in the board's heap.
BYTES_MOST = 48_000
MODULES_MOST = 24


@dataclass
class Code:
    """The replacements: the files by their names on the board, and sentences about what is left out."""

    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def changed_code(frozen: Mapping[str, str], program: str, chip: str) -> Code:
    """The modules here that differ from a program's (`frozen`: their CRC-32 by name), compiled for its chip.

    Raises GridglowError if one of them can't be compiled.
    """
    sources = differing(frozen)
    with_program = [name for name in sources if name in WITH_PROGRAM]
    made = Code()
    if with_program:
        made.notes.append(f"{_names(with_program)} here differ from the board's program and can't be replaced one by one; "
                          "to update them: gridglow firmware build, and gridglow flash")
    try:
        compiled = {name: compile_mpy(name, text, ARCHES.get(chip)) for name, text in sources.items()
                    if name not in with_program}
    except GridglowError as error:
        raise GridglowError(f"{error} Nothing was sent.") from None
    total = sum(map(len, compiled.values()))
    if len(compiled) > MODULES_MOST or total > BYTES_MOST:
        made.notes.append(f"{len(compiled)} modules here ({total // 1000} kB) differ from those in the board's program, "
                          f"more than fit beside a race ({MODULES_MOST}, {BYTES_MOST // 1000} kB), so none "
                          "was sent; to update them: gridglow firmware build, and gridglow flash")
        return made
    if compiled:
        made.files = {FOLDER + name.removesuffix(".py") + ".mpy": content for name, content in compiled.items()}
        made.files[FOR] = program.encode("ascii")
    return made


def differing(frozen: Mapping[str, str]) -> dict[str, bytes]:
    """The sources of the modules here that differ from a program's, or are missing from it."""
    return {name: text for name, text in frozen_modules().items()
            if frozen.get(name) != f"{binascii.crc32(text):08x}"}


def _names(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


__all__ = ["Code", "changed_code", "differing"]
