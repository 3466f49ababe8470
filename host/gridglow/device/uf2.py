"""UF2 files: whether one is whole and for which chip, before anything on a board is changed.

A chip's boot loader passes over blocks of another family without a word, so a wrong file looks as if it had worked.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

from shared_rules.errors import GridglowError

BLOCK = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
NOT_FLASH, HAS_FAMILY = 0x00000001, 0x00002000
PAYLOAD_MOST = 476

RP2040, RP2350 = "rp2040", "rp2350"
#: Families of a file's blocks, and the chip that takes them. "absolute" is a single block that goes before an RP2350's.
FAMILIES = {0xE48BFF56: RP2040, 0xE48BFF59: RP2350, 0xE48BFF57: "absolute"}
OTHER_FAMILIES = {0xE48BFF5A: "an RP2350's RISC-V cores", 0xE48BFF5B: "an RP2350's non-secure side", 0x1C5F21B0: "an ESP32",
                  0xADA52840: "an nRF52840", 0x68ED2B88: "a SAMD21", 0x55114460: "a SAMD51"}
FLASH_BEGIN = 0x10000000
#: Flash of the boards that we know: a Pico has 2 MB, a Pico 2 has 4 MB. Of the file system it takes none away.
FLASH_BYTES = {RP2040: 2 << 20, RP2350: 4 << 20}
FILE_MOST = 16 << 20

CHIP_NAMES = {RP2040: "an RP2040 (Pico, Pico W)", RP2350: "an RP2350 (Pico 2, Pico 2 W)"}


class BadUf2(GridglowError):
    """A file that is no whole UF2 for a Pico; one sentence."""


@dataclass(frozen=True)
class Uf2:
    """A checked UF2: the chip that takes it, how many blocks and bytes, where they end in the flash, and what the
    firmware in it calls itself: its version, such as "1.26.1" or "", and the board that it is for, or ""."""

    path: Path
    data: bytes
    chip: str
    blocks: int
    end: int
    version: str = ""
    machine: str = ""

    @property
    def title(self) -> str:
        """The file for a sentence."""
        what = f" (MicroPython {self.version}{f' for {self.machine}' if self.machine else ''})" if self.version else ""
        return f"{self.path.name}{what}"


def read_uf2(path: Path) -> Uf2:
    """Read and check a file. Raises BadUf2 with the first thing that is wrong, and the block where it is."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= FILE_MOST else b""
    except OSError as error:
        raise BadUf2(f"{path} can't be read ({error.strerror or error}); check its name and its folder.") from None
    name = path.name
    if size > FILE_MOST:
        raise BadUf2(f"{name} has {size} bytes, more than any UF2 of a Pico; take the file of a firmware.")
    if len(data) < BLOCK or data[:8] != struct.pack("<2I", *MAGIC):
        raise BadUf2(f"{name} is no UF2: it does not begin as one; take the .uf2 file of a firmware.")
    if len(data) % BLOCK:
        raise BadUf2(f"{name} is not whole: a UF2 has a multiple of {BLOCK} bytes, and this one has {len(data)}; download "
                     "it again.")
    return _checked(path, data)


def _checked(path: Path, data: bytes) -> Uf2:
    name = path.name
    chip, end, expected, total = "", 0, 0, 0
    image = bytearray()
    count = len(data) // BLOCK
    for at in range(count):
        damaged = f"{name} is damaged: its block {at} "
        block = data[at * BLOCK : (at + 1) * BLOCK]
        magic0, magic1, flags, address, size, number, of, family = struct.unpack_from("<8I", block)
        if (magic0, magic1) != MAGIC or struct.unpack_from("<I", block, BLOCK - 4)[0] != MAGIC_END:
            raise BadUf2(f"{damaged}lacks its marks; download the file again.")
        if not flags & HAS_FAMILY:
            raise BadUf2(f"{name} does not say for which chip it is (block {at}); take a UF2 for {_names()}.")
        kind = FAMILIES.get(family)
        if kind is None:
            other = OTHER_FAMILIES.get(family, f"another chip (family {family:08X})")
            raise BadUf2(f"{name} is for {other}, not for {_names()}; take the file for your board.")
        if kind == "absolute":  # a workaround for the RP2350, numbered on its own
            if at != 0:
                raise BadUf2(f"{damaged}belongs in front; download the file again.")
            continue
        if chip and kind != chip:
            raise BadUf2(f"{name} holds blocks for two chips (block {at}); take a file for one.")
        chip = kind
        total = total or of
        if number != expected or of != total:
            raise BadUf2(f"{name} is not whole: block {expected} of {total} was expected, and {number} of {of} came; "
                         "download it again.")
        expected += 1
        if size == 0 or size > PAYLOAD_MOST or flags & NOT_FLASH:
            raise BadUf2(f"{damaged}carries {size} bytes for the flash; download the file again.")
        if not FLASH_BEGIN <= address <= FLASH_BEGIN + FLASH_BYTES[kind] - size:
            raise BadUf2(f"{name} does not fit {CHIP_NAMES[kind]} with its {FLASH_BYTES[kind] >> 20} MB of flash: block "
                         f"{at} goes to {address:#x}; take the file for your board.")
        end = max(end, address + size)
        image += block[32 : 32 + size]
    if not chip:
        raise BadUf2(f"{name} holds no block for {_names()}; take the .uf2 file of a firmware.")
    if expected != total:
        raise BadUf2(f"{name} is not whole: {expected} of {total} blocks are there; download it again.")
    version, machine = _says(bytes(image))
    return Uf2(path, data, chip, expected, end, version, machine)


def check_chip(uf2: Uf2, chip: str) -> None:
    """Raise BadUf2 where the file is for another chip than the board's ("rp2040", "rp2350" or "": not known)."""
    if chip and uf2.chip != chip:
        raise BadUf2(f"{uf2.title} is for {CHIP_NAMES[uf2.chip]}, and the board is {CHIP_NAMES.get(chip, chip)}; nothing "
                     "was changed. Take the file for your board.")


def _says(image: bytes) -> tuple[str, str]:
    """(version, board) that a firmware carries as texts; "" where it doesn't."""
    version = re.search(rb"MicroPython v?(\d+\.\d+(?:\.\d+)?(?:-[A-Za-z0-9.]+)?)", image)
    machine = re.search(rb"([A-Z][\x20-\x7e]{2,40}) with RP2\d{3}", image)
    return (version.group(1).decode() if version else "", machine.group(1).decode() if machine else "")


def _names() -> str:
    return " or ".join(CHIP_NAMES.values())
