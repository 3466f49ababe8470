"""The engines that a virtual board can run in, by name."""

from __future__ import annotations

import os
import sys

from gridglow.micropython import NoMicroPython, find_micropython
from gridglow.virtual.child import ChildEngine
from gridglow.virtual.engine import EngineFault
from gridglow.virtual.pico.engine import PicoEngine

# On 64 bits, the code of the firmware and of five games takes 770 kB of it; a board has that in its flash.
HEAP_KB = 2048


def engine_named(
    name: str, root: os.PathLike | str, heap_kb: int = HEAP_KB, uf2: os.PathLike | str | None = None
) -> ChildEngine:
    """A child engine on the ready device folder `root`: "micropython" (with this much heap), "cpython", or "pico",
    a board emulated with the MicroPython in the file `uf2`.

    Raises EngineFault for another name, or if there is no MicroPython, GridglowError if the emulator is missing.
    """
    if name == "micropython":
        try:
            program = find_micropython()
        except NoMicroPython as error:
            raise EngineFault(str(error)) from None
        return ChildEngine(name, root, [program, "-X", f"heapsize={heap_kb}k"])
    if name == "cpython":
        return ChildEngine(name, root, [sys.executable, "-u"])
    if name == "pico":
        return PicoEngine(root, uf2)
    raise EngineFault(f"Expected the engine micropython, cpython or pico, got {name!r}.")
