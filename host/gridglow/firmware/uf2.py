"""UF2 files: whether one is complete, for which chip, and whose program it holds, before anything on a board is changed.

A chip's boot loader silently skips blocks of another family, so flashing a wrong file looks like a success.
Gridglow's own programs carry a mark, a line that says what they are; see `read_mark`.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

from shared_rules.errors import GridglowError

BLOCK = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
NOT_FLASH, HAS_FAMILY = 0x00000001, 0x00002000
PAYLOAD_MOST = 476

RP2040, RP2350 = "rp2040", "rp2350"
#: Families of a file's blocks, and the chip that accepts them. "absolute" is a single block in front of an RP2350's.
FAMILIES = {0xE48BFF56: RP2040, 0xE48BFF59: RP2350, 0xE48BFF57: "absolute"}
OTHER_FAMILIES = {0xE48BFF5A: "an RP2350's RISC-V cores", 0xE48BFF5B: "an RP2350's non-secure side", 0x1C5F21B0: "an ESP32",
                  0xADA52840: "an nRF52840", 0x68ED2B88: "a SAMD21", 0x55114460: "a SAMD51"}
FLASH_BEGIN = 0x10000000
#: Flash of the known boards: a Pico has 2 MB, a Pico 2 has 4 MB. The file system's part is included.
FLASH_BYTES = {RP2040: 2 << 20, RP2350: 4 << 20}
#: A program loaded there runs once, and is gone when the board is switched off.
RAM_BEGIN, RAM_END = 0x20000000, 0x20082000
FILE_MOST = 16 << 20
#: How the mark of Gridglow's programs begins; one JSON object and a line end follow.
MARK = b"gridglow-firmware:"

CHIP_NAMES = {RP2040: "an RP2040 (Pico, Pico W)", RP2350: "an RP2350 (Pico 2, Pico 2 W)"}
#: What to do if a file is unusable.
HOW_TO_BUILD = "Build the right one with: gridglow firmware build"


class BadUf2(GridglowError):
    """A file that is no complete UF2 for a Pico; one sentence."""


@dataclass(frozen=True)
class Mark:
    """What a Gridglow program says about itself: its version, its rules' version, its chip, its MicroPython, the
    hash of everything frozen in, and the size in bytes of the file system at the end of the flash."""

    firmware: str
    rules: int
    chip: str
    micropython: str
    id: str
    fs_bytes: int


@dataclass(frozen=True)
class Uf2:
    """A checked UF2: its chip, how many blocks and bytes, where they end in the flash, and what the
    firmware in it calls itself: its version, such as "1.26.1" or "", and the board that it's for, or "". `mark` is set for
    a Gridglow program, else None."""

    path: Path
    data: bytes = field(repr=False)
    chip: str
    blocks: int
    end: int
    version: str = ""
    machine: str = ""
    mark: Mark | None = None

    @property
    def title(self) -> str:
        """The file's name for a sentence."""
        if self.mark:
            return f"{self.path.name} (Gridglow {self.mark.firmware}, program {self.mark.id})"
        what = f" (MicroPython {self.version}{f' for {self.machine}' if self.machine else ''})" if self.version else ""
        return f"{self.path.name}{what}"

    @property
    def fs_begin(self) -> int:
        """Where the file system begins after a Gridglow program, counted from the flash's first byte; 0 if there is
        none."""
        return FLASH_BYTES[self.chip] - self.mark.fs_bytes if self.mark else 0


def read_uf2(path: Path) -> Uf2:
    """Reads and checks a file. Raises BadUf2 with the first problem and its block."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= FILE_MOST else b""
    except OSError as error:
        raise BadUf2(f"{path} can't be read ({error.strerror or error}); check its name and its folder.") from None
    name = path.name
    if size > FILE_MOST:
        raise BadUf2(f"{name} has {size} bytes, more than any UF2 of a Pico; use a firmware file.")
    if len(data) < BLOCK or data[:8] != struct.pack("<2I", *MAGIC):
        raise BadUf2(f"{name} is no UF2: it doesn't begin like one; use a firmware's .uf2 file.")
    if len(data) % BLOCK:
        raise BadUf2(f"{name} is incomplete: a UF2 has a multiple of {BLOCK} bytes, and this one has {len(data)}; download "
                     "it again.")
    return _checked(path, data)


def _checked(path: Path, data: bytes) -> Uf2:
    name = path.name
    chip, first, end, expected, total = "", "", 0, 0, 0
    image: dict[int, bytes] = {}
    count = len(data) // BLOCK
    for at in range(count):
        damaged = f"{name} is damaged: its block {at} "
        block = data[at * BLOCK : (at + 1) * BLOCK]
        magic0, magic1, flags, address, size, number, of, family = struct.unpack_from("<8I", block)
        if (magic0, magic1) != MAGIC or struct.unpack_from("<I", block, BLOCK - 4)[0] != MAGIC_END:
            raise BadUf2(f"{damaged}lacks its marks; download the file again.")
        if not flags & HAS_FAMILY:
            raise BadUf2(f"{name} doesn't say which chip it is for (block {at}); use a UF2 for {_names()}.")
        kind = FAMILIES.get(family)
        if kind is None:
            other = OTHER_FAMILIES.get(family, f"another chip (family {family:08X})")
            raise BadUf2(f"{name} is for {other}, not for {_names()}; use the file for your board.")
        takes = RP2350 if kind == "absolute" else kind
        if first and takes != first:
            raise BadUf2(f"{name} holds blocks for two chips (block {at}), {CHIP_NAMES[RP2040]} and {CHIP_NAMES[RP2350]}: "
                         "it was joined from two, and a board would use part of it; use a file for one chip.")
        first = takes
        if kind == "absolute":  # a workaround for the RP2350, numbered on its own
            if at != 0:
                raise BadUf2(f"{damaged}belongs at the beginning; download the file again.")
            continue
        chip = kind
        total = total or of
        if number != expected or of != total:
            raise BadUf2(f"{name} is incomplete: expected block {expected} of {total}, found {number} of {of}; "
                         "download it again.")
        expected += 1
        if size == 0 or size > PAYLOAD_MOST or flags & NOT_FLASH:
            raise BadUf2(f"{damaged}carries {size} bytes for the flash; download the file again.")
        if RAM_BEGIN <= address < RAM_END:
            raise BadUf2(f"{name} is a program for RAM (block {at} goes to {address:#x}): it runs once and is gone when the "
                         f"board is switched off, so it can't make a Gridglow board. {HOW_TO_BUILD}")
        if not FLASH_BEGIN <= address <= FLASH_BEGIN + FLASH_BYTES[kind] - size:
            raise BadUf2(f"{name} doesn't fit {CHIP_NAMES[kind]} with its {FLASH_BYTES[kind] >> 20} MB of flash: block "
                         f"{at} goes to {address:#x}; use the file for your board.")
        end = max(end, address + size)
        image[address] = block[32 : 32 + size]
    if not chip:
        raise BadUf2(f"{name} holds no block for {_names()}; use a firmware's .uf2 file.")
    if expected != total:
        raise BadUf2(f"{name} is incomplete: it has {expected} of {total} blocks; download it again.")
    program = b"".join(image[address] for address in sorted(image))
    version, machine = _says(program)
    uf2 = Uf2(path, data, chip, expected, end, version, machine, read_mark(program))
    _check_mark(uf2)
    return uf2


def read_mark(program: bytes) -> Mark | None:
    """The mark in the bytes of a program; None if it isn't Gridglow's."""
    for found in re.finditer(re.escape(MARK) + rb"(\{[ -~]{2,400}\})\n", program):
        try:
            about = json.loads(found.group(1))
            return Mark(str(about["firmware"]), int(about["rules"]), str(about["chip"]), str(about["micropython"]),
                        str(about["id"]), int(about["fs_bytes"]))
        except (ValueError, KeyError, TypeError):
            continue
    return None


def _check_mark(uf2: Uf2) -> None:
    """Raises BadUf2 if a Gridglow program isn't what it says, or overlaps a board's saves."""
    mark = uf2.mark
    if mark is None:
        return
    if mark.chip != uf2.chip:
        raise BadUf2(f"{uf2.path.name} is damaged: its blocks are for {CHIP_NAMES[uf2.chip]}, but the program in them is "
                     f"for {CHIP_NAMES.get(mark.chip, mark.chip)}. {HOW_TO_BUILD}")
    end = uf2.end - FLASH_BEGIN
    if end > uf2.fs_begin:
        raise BadUf2(f"{uf2.path.name} reaches into the file system: it ends at {end:,} bytes, expected at most "
                     f"{uf2.fs_begin:,}, as saves begin there. {HOW_TO_BUILD}")


def check_chip(uf2: Uf2, chip: str) -> None:
    """Raises BadUf2 if the file is for a chip other than the board's ("rp2040", "rp2350" or "": unknown)."""
    if chip and uf2.chip != chip:
        raise BadUf2(f"{uf2.title} is for {CHIP_NAMES[uf2.chip]}, but the board is {CHIP_NAMES.get(chip, chip)}; nothing "
                     "was changed. Use the file for your board.")


def _says(image: bytes) -> tuple[str, str]:
    """(version, board) that a firmware contains as text; "" if missing."""
    version = re.search(rb"MicroPython v?(\d+\.\d+(?:\.\d+)?(?:-[A-Za-z0-9.]+)?)", image)
    machine = re.search(rb"([A-Z][\x20-\x7e]{2,40}) with RP2\d{3}", image)
    return (version.group(1).decode() if version else "", machine.group(1).decode() if machine else "")


def _names() -> str:
    return " or ".join(CHIP_NAMES.values())
