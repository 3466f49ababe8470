"""Which serial ports there are, and which of them may be asked whether they lead to a board.

A board is identified by its USB serial number, not by a port: names such as COM3 and /dev/ttyACM0 change when it's
plugged in again. Ports without USB ids, Bluetooth ports and other makers' devices are listed but never written to; a
user can still name one with --port.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from shared_rules.errors import GridglowError

RASPBERRY_PI = 0x2E8A
#: Raspberry Pi products with a serial port that are not boards.
PROBES = {0x0004: "a debug probe", 0x000C: "a debug probe"}
#: A Pico waiting in its boot loader; some systems offer no serial port for it.
BOOT_LOADERS = (0x0003, 0x000F)
BLUETOOTH = ("bluetooth", "bthenum", "rfcomm", "cu.blth", "tty.blth")

#: Kinds of ports, for `PortInfo.what`.
BOARD, BLUETOOTH_PORT, NO_IDS, OTHER, NAMED = "board", "bluetooth", "no ids", "other", "named"


@dataclass(frozen=True)
class PortInfo:
    """A serial port. `serial` is the USB serial number or ""; `vid` and `pid` are the USB ids or None.

    `what` is "board" (possibly a board: asked), "named" (named by the user: asked), "bluetooth", "no ids" or
    "other"; `problem` says why a port of the last three kinds isn't asked, else it's "".
    """

    path: str
    serial: str = ""
    vid: int | None = None
    pid: int | None = None
    what: str = NAMED
    problem: str = ""

    @property
    def asked(self) -> bool:
        """Whether a command may write to it."""
        return self.what in (BOARD, NAMED)

    @property
    def title(self) -> str:
        """The port for a sentence: its name, with the serial number if there is one."""
        return f"{self.path} (serial number {self.serial})" if self.serial else self.path


def list_ports() -> list[PortInfo]:
    """All serial ports, possible boards first."""
    found = [_port_of(one) for one in _system_ports()]
    return sorted(found, key=lambda port: (not port.asked, port.path))


def named_port(path: str) -> PortInfo:
    """The port with this name, whatever it is: a named port is asked. It needn't exist."""
    for port in list_ports():
        if path == port.path or _same_file(path, port.path):
            return replace(port, what=NAMED, problem="")
    return PortInfo(path)


def find_again(port: PortInfo, limit_s: float, now=time.monotonic, sleep=time.sleep) -> PortInfo:
    """The port of the same board, which may have another name now; waits for it up to `limit_s`.

    Raises GridglowError with one sentence if it hasn't come back.
    """
    until = now() + limit_s
    while True:
        for one in list_ports():
            if port.serial and one.serial == port.serial and one.vid == port.vid:
                return replace(one, what=port.what, problem="")
        if not port.serial and _is_there(port.path):
            return port
        if now() >= until:
            raise GridglowError(f"The board at {port.title} didn't come back within {limit_s:g} s; plug it in again and "
                                "repeat the command.")
        sleep(0.1)


def _system_ports() -> Sequence:
    """The ports that pyserial lists; any field of an entry may be None."""
    from serial.tools import list_ports as system  # each system has its own module, some have none

    return system.comports()


def _port_of(entry) -> PortInfo:
    path = str(entry.device or "")
    vid, pid = entry.vid, entry.pid
    serial = str(entry.serial_number or "")
    words = " ".join(str(one or "") for one in (path, entry.description, entry.hwid, entry.manufacturer)).lower()
    if any(word in words for word in BLUETOOTH):
        say = f"{path} is a Bluetooth port, so it isn't asked; connect a board with a USB cable."
        return PortInfo(path, serial, vid, pid, BLUETOOTH_PORT, say)
    if vid is None or pid is None:
        say = f"{path} has no USB ids, so it isn't asked; if it leads to a board, name it with --port {path}."
        return PortInfo(path, serial, vid, pid, NO_IDS, say)
    if vid == RASPBERRY_PI and pid not in PROBES and pid not in BOOT_LOADERS:
        return PortInfo(path, serial, vid, pid, BOARD)
    thing = PROBES.get(pid, "a Pico in its boot loader") if vid == RASPBERRY_PI else _thing(entry)
    say = (f"{path} is {thing} ({vid:04x}:{pid:04x}), so it isn't asked; if it leads to a board, name it with "
           f"--port {path}.")
    return PortInfo(path, serial, vid, pid, OTHER, say)


def _thing(entry) -> str:
    """The system's name for another maker's device."""
    for text in (entry.product, entry.description, entry.manufacturer):
        text = " ".join(str(text or "").split())
        if text and text.lower() != "n/a":
            return repr(text[:40])
    return "another device"


def _same_file(one: str, other: str) -> bool:
    """Whether two names mean the same device: /dev/serial/by-id holds links."""
    try:
        return Path(one).resolve() == Path(other).resolve()
    except OSError:
        return False


def _is_there(path: str) -> bool:
    """Whether a port without a serial number can be opened by name: a file, except on Windows."""
    return not path.startswith("/") or Path(path).exists()
