"""UF2 files of stock MicroPython with no program in them: their blocks, one by one."""

import struct
import subprocess

from gridglow.firmware.uf2 import read_uf2
from gridglow.micropython import find_micropython

RP2040, RP2350_ARM, RP2350_ABSOLUTE, RISCV, ESP32 = 0xE48BFF56, 0xE48BFF59, 0xE48BFF57, 0xE48BFF5A, 0x1C5F21B0
FLASH = 0x10000000
SAYS = b"x\0MicroPython v1.26.1 on 2025-09-11\0; Raspberry Pi Pico with RP2040\0"


def block(number, of, family=RP2040, address=None, size=256, flags=0x2000, payload=b"",
          marks=(0x0A324655, 0x9E5D5157, 0x0AB16F30)):
    address = FLASH + 256 * number if address is None else address
    head = struct.pack("<8I", marks[0], marks[1], flags, address, size, number, of, family)
    return head + payload.ljust(476, b"\0") + struct.pack("<I", marks[2])


def blocks(of=4, family=RP2040, says=SAYS, **more):
    return [block(number, of, family, payload=says if number == 1 else b"", **more) for number in range(of)]


def running_version():
    """The version of the MicroPython on fake boards."""
    code = "import sys;print('.'.join(str(part) for part in sys.implementation.version[:3]))"
    return subprocess.run([find_micropython(), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def file_of(path, version, machine="Raspberry Pi Pico", **more):
    says = f"MicroPython v{version} on 2025-09-11\0; {machine} with RP2040\0"
    path.write_bytes(b"".join(blocks(says=says.encode(), **more)))
    return read_uf2(path)
