"""The drive of an emulated Pico in its boot loader: a folder that exists while the Pico is there.

Like the chip's own boot ROM: the drive holds two files that describe it, accepts a UF2 under any name, and disappears
once that has arrived completely; the chip then starts what was flashed.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from gridglow.virtual.pico.machine import EmulatedPico, uf2_blocks
from shared_rules.errors import GridglowError

INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
OWN = {"INFO_UF2.TXT": INFO, "INDEX.HTM": "<html><body>RPI-RP2</body></html>\r\n"}
BLOCK = 512
#: Where a block states how many there are in its file.
COUNT_AT = 24


class BootDrive:
    """The drive as a folder that must not exist yet; call `exchange` from time to time, from the thread that runs the
    board. `taken` counts the files accepted."""

    def __init__(self, pico: EmulatedPico, folder: Path) -> None:
        if folder.exists():
            raise GridglowError(f"{folder} already exists; name a folder for the boot loader's drive that doesn't.")
        self.pico = pico
        self.folder = folder
        self.taken = 0

    def exchange(self) -> None:
        """Shows the drive if the board is in its boot loader, and takes what has been copied onto it."""
        shown = self.folder.exists()
        if self.pico.state != "bootloader":
            if shown:
                self.close()
            return
        if not shown:
            self._show()
            return
        for path in sorted(self.folder.iterdir()):
            data = b"" if path.name in OWN else self._whole(path)
            if data:
                self.close()
                self.pico.load(data)
                self.taken += 1
                return

    def close(self) -> None:
        """Removes the drive."""
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)

    def _show(self) -> None:
        """Creates it all at once: whoever finds the folder finds the files in it."""
        new = self.folder.with_name(self.folder.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        for name, text in OWN.items():
            (new / name).write_text(text, "ascii")
        new.rename(self.folder)

    @staticmethod
    def _whole(path: Path) -> bytes:
        """A UF2 that has arrived up to its last block; b"" for an incomplete or invalid one: the boot ROM ignores it."""
        try:
            data = path.read_bytes()
            blocks = uf2_blocks(data) if data else []
        except (OSError, GridglowError):
            return b""
        return data if blocks and len(blocks) == int.from_bytes(data[COUNT_AT:COUNT_AT + 4], "little") else b""
