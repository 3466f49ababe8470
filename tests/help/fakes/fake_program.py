"""Gridglow's own program for a fake board: the files frozen into the real one, compiled for MicroPython on this computer.

    program = make_program(folder)                     this checkout's
    program = make_program(folder, firmware="0")       another version of it
    FakeBoard(tmp_path, program=program)

`program.uf2(path)` writes a UF2 that tests use for it: it contains no code, only its mark, by which host and
fake board recognise it.
"""

import re
import struct
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from gridglow.firmware.compiler import compile_all, host_arch
from gridglow.firmware.frozen import DATA_MODULE, Frozen, data_module, freeze

#: MicroPython runs these two as they are; on a real board they are frozen too.
SOURCES = ("boot.py", "main.py")
FLASH = 0x10000000


@dataclass(frozen=True)
class Program:
    """A program: its folder, which a fake board has at /rom, its id, and its mark."""

    folder: Path
    id: str
    mark: bytes

    def uf2(self, path: Path, bytes_: int = 2048) -> Path:
        """A UF2 file of this program, with this many bytes."""
        text = b"MicroPython v1.28.0 on 2026-01-01\0" + self.mark
        data = text.ljust(bytes_, b"\0")
        parts = [data[at:at + 256] for at in range(0, len(data), 256)]
        path.write_bytes(b"".join(
            struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, FLASH + 256 * at, 256, at, len(parts), 0xE48BFF56)
            + part.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30) for at, part in enumerate(parts)))
        return path


@lru_cache(maxsize=2)
def frozen(chip: str = "rp2040") -> Frozen:
    """What is frozen in for a chip; worked out once."""
    return freeze(chip)


def make_program(folder: Path, firmware: str | None = None, **modules: bytes) -> Program:
    """The program in a folder. `firmware` is a different version; `modules`: sources that replace its own,
    by their names with __ for / and without .py."""
    own = frozen()
    changed = {name.replace("__", "/") + ".py": text for name, text in modules.items()}
    if firmware is not None:
        changed["glow/__init__.py"] = own.modules["glow/__init__.py"].replace(
            b'FIRMWARE = "' + own.firmware.encode() + b'"', b'FIRMWARE = "' + firmware.encode() + b'"')
    return program_of(folder, replace(own, modules=own.modules | changed, firmware=firmware or own.firmware)
                      if changed else own)


def program_of(folder: Path, made: Frozen, rules: int | None = None) -> Program:
    """The program with these frozen files; `rules`: what its mark says about its rules, if that is another version."""
    mark = made.mark
    if rules is not None:
        mark = re.sub(rb'"rules":\d+', b'"rules":%d' % rules, mark)
    files = {**made.modules, DATA_MODULE: data_module(made.data, mark)}
    compiled = [name for name in files if name not in SOURCES]
    for name, content in zip(compiled, compile_all([(name, files[name]) for name in compiled], host_arch())):
        _write(folder / name.replace(".py", ".mpy"), content)
    for name in SOURCES:
        _write(folder / name, files[name])
    return Program(folder, made.id, mark)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


__all__ = ["Program", "frozen", "make_program", "program_of"]
