"""The rules as ``.mpy`` files, for MicroPython on this computer: what a board gets, without its firmware.

Compiling from source would need heap that a board doesn't have, so measurements would be of the compiler.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from gridglow import scratch
from gridglow.firmware.compiler import compile_all
from gridglow.firmware.image import source_modules


@lru_cache(maxsize=1)
def rules_image() -> Path:
    """A folder with the package shared_rules as ``.mpy``; made once per process, removed at its end.

    Raises GridglowError if a module can't be compiled.
    """
    sources = {name: text for name, text in source_modules(proof=True).items() if name.startswith("shared_rules/")}
    root = scratch.folder_until_exit("rules")
    for name, compiled in zip(sources, compile_all(sources.items())):
        target = (root / name).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compiled)
    return root
