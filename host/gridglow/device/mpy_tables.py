"""The table of a ``.mpy`` that must not fill its blocks of the heap.

MicroPython lays a module's names (two bytes each, rounded up to words) and its constants (a word each) in one piece of
the heap, and keeps a pointer to where the constants begin (``mp_module_context_alloc_tables`` in py/bc.h). A module without
constants whose names fill the blocks of that piece to the last byte so points at whatever lies behind. To the collector
that is in use: a module that a board has dropped long ago, with all that hangs on it, stays as long as the other does.
"""

from __future__ import annotations

#: (bytes of a word, bytes of a block) of a heap: a Pico's, and that of a computer with 64 bits.
HEAPS = ((4, 16), (8, 32))
NAME_BYTES = 2
#: A constant that takes nothing but its place in the table: None, as py/persistentcode.h writes it.
NONE = b"\x01"


def loosened(compiled: bytes) -> bytes:
    """The ``.mpy``, with a constant that nothing uses where its table would fill its blocks on any of HEAPS."""
    head = 4
    if compiled[2] & 0x40:  # flags of the architecture follow
        _, head = number(compiled, head)
    names, at = number(compiled, head)
    constants, start = number(compiled, at)
    if constants or not fills(names):
        return compiled
    end = after_names(compiled, start, names)
    return compiled[:at] + b"\x01" + compiled[start:end] + NONE + compiled[end:]


def fills(names: int) -> bool:
    """Whether so many names fill their blocks on any of HEAPS."""
    return names > 0 and any(-(-names * NAME_BYTES // word) * word % block == 0 for word, block in HEAPS)


def after_names(data: bytes, at: int, names: int) -> int:
    """Where so many names end that begin there."""
    for _ in range(names):
        length, at = number(data, at)
        if not length & 1:  # else one that every MicroPython has, by its number
            at += (length >> 1) + 1
    return at


def number(data: bytes, at: int) -> tuple[int, int]:
    """(the number that begins there, where it ends): seven bits a byte, the highest first."""
    value = 0
    while True:
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
