"""The bytecode of an image's functions in one file, so laid out that a Pico can run it where it lies in the flash.

MicroPython loads the bytecode of a module into the heap, where it takes a Pico some sixty of its 240 kilobytes. The flash
is part of the address space, and bytecode is the same whatever it is called by: names stand in a table of its module. So
the board points its functions to the bytes in the flash instead (``firmware/hal/code_pool.py``, ``code_move.py``).

A file of littlefs lies in the flash in blocks of 4,096 bytes, anywhere. Block n > 0 begins with ctz(n) + 1 pointers of
four bytes. What follows in each block is laid out here so that no function goes over its end:

    "GGcp"  id: 4 bytes  nonce: 4 bytes  block: 2 bytes  functions: 2 bytes
    of each function, by rising keys: key, way from here to the bytecode, length, number of inner functions (2 bytes each)
    the bytecode

``id`` is the CRC-32 of all functions. ``nonce`` is 0 here; the board makes its own copy with a random one, so that what
littlefs leaves behind of older copies can't be taken for a block of it, and removes this file then.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from gridglow.device.mpy_tables import after_names, number

MAGIC = b"GGcp"
BLOCK_BYTES = 4096
HEAD = struct.Struct("<4sIIHH")
ENTRY = struct.Struct("<HHHH")
#: The key of a function is made of so many bytes; shorter ones stay in the heap.
KEY_BYTES = 6
#: What runs while the board moves its code must stay where it is.
STAYS = ("hal/code_pool.mpy", "hal/code_move.mpy", "hal/code_copy.mpy")
#: What no race holds: it would only take room in the flash.
NOT_IN_RACES = ("glow/link_files", "glow/menu", "glow/plain", "glow/service", "glow/store_read", "drivers/ws2812_plain",
                "hal/pico_start", "hal/safe", "shared_rules/setup_check", "shared_rules/track_read")
#: In a .mpy file: kinds of code.
_BYTECODE = 2


@dataclass(frozen=True)
class Function:
    """A function's bytecode, and how many functions are made in it."""

    code: bytes
    inner: int

    @property
    def key(self) -> int:
        """What the board looks it up by: 16 bits."""
        key = 0
        for byte in self.code[:KEY_BYTES]:
            key = (key * 31 + byte) & 0xFFFF
        return key


def build(files: Mapping[str, bytes]) -> bytes:
    """The pool of these ``.mpy`` files (by name; others are passed over); b"" where there is nothing to hold."""
    functions = {function for name, content in files.items()
                 if name.endswith(".mpy") and not name.startswith((*STAYS, *NOT_IN_RACES)) and "spec_view" not in name
                 for function in functions_of(content)}
    ordered = sorted(functions, key=lambda one: (one.key, one.code, one.inner))
    ordered = [one for one in ordered if KEY_BYTES <= len(one.code) <= BLOCK_BYTES - 64]
    crc = 0
    for one in ordered:
        crc = zlib.crc32(ENTRY.pack(one.key, len(one.code), one.inner, 0) + one.code, crc)
    made = bytearray()
    while ordered:
        number = len(made) // BLOCK_BYTES  # pointers are written, too, for as long as it is made
        room = BLOCK_BYTES - pointer_bytes(number)
        count, used = 0, HEAD.size
        while count < len(ordered) and used + ENTRY.size + len(ordered[count].code) <= room:
            used += ENTRY.size + len(ordered[count].code)
            count += 1
        made += bytes(pointer_bytes(number)) + _block(crc, number, ordered[:count]).ljust(room, b"\xff")
        del ordered[:count]
    return b"".join(bytes(made[at + pointer_bytes(at // BLOCK_BYTES):at + BLOCK_BYTES])
                    for at in range(0, len(made), BLOCK_BYTES))


def pointer_bytes(block: int) -> int:
    """How much of a file's n-th block littlefs takes for itself."""
    return 4 * (block & -block).bit_length()


def _block(crc: int, number: int, functions: list[Function]) -> bytes:
    at = HEAD.size + ENTRY.size * len(functions)
    entries, codes = b"", b""
    for place, one in enumerate(functions):
        entries += ENTRY.pack(one.key, at + len(codes) - HEAD.size - ENTRY.size * place, len(one.code), one.inner)
        codes += one.code
    return HEAD.pack(MAGIC, crc, 0, number, len(functions)) + entries + codes


def functions_of(mpy: bytes) -> list[Function]:
    """The functions of a ``.mpy`` file of version 6 that are bytecode, in its order, without the module's own code, which
    runs once. Functions in machine code, and what follows them in the file, are passed over."""
    reader = _Reader(mpy)
    try:
        reader.code()
    except _MachineCode:
        pass
    return reader.found[:-1] if reader.whole else reader.found


class _MachineCode(Exception):
    """The end of what can be read."""


class _Reader:
    """Goes through a .mpy file (tools/mpy-tool.py of MicroPython is the reference)."""

    def __init__(self, mpy: bytes) -> None:
        self.mpy = mpy
        self.at = 4
        self.found: list[Function] = []
        self.whole = False
        if mpy[2] & 0x40:
            self.number()  # flags of the architecture
        names, objects = self.number(), self.number()
        self.at = after_names(mpy, self.at, names)
        for _ in range(objects):
            self.constant()

    def number(self) -> int:
        value, self.at = number(self.mpy, self.at)
        return value

    def constant(self) -> None:
        kind = self.mpy[self.at]
        self.at += 1
        if kind <= 4:  # the table of functions, None, False, True, ...
            return
        length = self.number()
        if kind == 10:  # a tuple
            for _ in range(length):
                self.constant()
        else:
            self.at += length + (kind in (5, 6))  # text and bytes end with a zero

    def code(self, inner: bool = False) -> None:
        head = self.number()
        kind, has_inner, length = (head & 3) + _BYTECODE, head >> 2 & 1, head >> 3
        if kind != _BYTECODE:
            raise _MachineCode
        code = self.mpy[self.at:self.at + length]
        self.at += length
        count = self.number() if has_inner else 0
        for _ in range(count):
            self.code(True)
        self.found.append(Function(code, count))
        self.whole = not inner
