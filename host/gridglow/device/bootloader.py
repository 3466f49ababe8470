"""A Pico's boot loader: how to bring a board there, and the drive that it then shows.

The ways, in order: over the link; through MicroPython's prompt; by opening the port at 1200 baud; by hand with
BOOTSEL. Linux doesn't always mount the drive by itself; the message for an unmounted one gives the command.
"""

from __future__ import annotations

import contextlib
import os
import re
import string
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridglow.device.board_clock import Clock
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.port import GONE, Port, PortError
from gridglow.device.repl import RaceRuns
from gridglow.device.talk import NoAnswer, SaysNo
from gridglow.firmware.uf2 import RP2040, RP2350, Uf2
from shared_rules.errors import GridglowError

INFO = "INFO_UF2.TXT"
LABELS = {"RPI-RP2": RP2040, "RP2350": RP2350}
#: How long to wait for a drive after asking the board, and after asking a person.
ASKED_S, BY_HAND_S = 12.0, 180.0
COPIED_S = 30.0


@dataclass(frozen=True)
class Drive:
    """The drive of a Pico in its boot loader. `chip` is "rp2040", "rp2350" or "" if unknown."""

    path: Path
    chip: str
    model: str = ""


def find_drives(folders: Sequence[Path] | None = None) -> list[Drive]:
    """The drives of all Picos in their boot loader, recognized by INFO_UF2.TXT where the system mounts drives."""
    found = {}
    for folder in _mounts() if folders is None else folders:
        with contextlib.suppress(OSError):
            drive = drive_at(folder)
            if drive is not None:
                found[folder.resolve()] = drive
    return sorted(found.values(), key=lambda drive: str(drive.path))


def drive_at(folder: Path) -> Drive | None:
    """The drive in a folder, or None."""
    try:
        text = (folder / INFO).read_bytes()[:1000].decode("ascii", "replace")
    except OSError:
        return None
    board = re.search(r"Board-ID:\s*(\S+)", text)
    model = re.search(r"Model:\s*([^\r\n]+)", text)
    chip = LABELS.get(board.group(1) if board else "", "")
    return Drive(folder, chip, model.group(1).strip() if model else "")


def _mounts() -> list[Path]:
    """The folders where this system mounts plugged-in drives."""
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase[2:]]
    if sys.platform == "darwin":
        tops = [Path("/Volumes")]
    else:
        tops = [Path("/media"), Path("/mnt"), Path("/run/media")]
        tops += [child for top in (Path("/media"), Path("/run/media")) for child in _folders(top)]
    mounted = [child for top in tops for child in _folders(top)]
    with contextlib.suppress(OSError):
        for line in Path("/proc/mounts").read_text().splitlines():
            words = line.split(" ")
            if len(words) > 2 and words[2] in ("vfat", "msdos"):
                mounted.append(Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal.group(1), 8)), words[1])))
    return mounted


def _folders(top: Path) -> list[Path]:
    try:
        return [child for child in top.iterdir() if child.is_dir()]
    except OSError:
        return []


def unmounted(by_label: Path = Path("/dev/disk/by-label"), mounts: Path = Path("/proc/mounts")) -> str:
    """The device of a Pico's drive that Linux sees but hasn't mounted, such as /dev/sda1, or ""."""
    with contextlib.suppress(OSError):
        mounted = {line.split(" ")[0] for line in mounts.read_text().splitlines()}
        for label in LABELS:
            link = by_label / label
            if link.is_symlink() or link.exists():
                device = str(link.resolve())
                if device not in mounted:
                    return device
    return ""


def wait_for_drive(limit_s: float, look: Callable[[], list[Drive]], say: Callable[[str], None], clock=Clock,
                   hidden: Callable[[], str] = unmounted) -> Drive | None:
    """The one drive that `look` finds within `limit_s`, or None. Raises GridglowError if there are two."""
    until = clock.now() + limit_s
    told = False
    while True:
        drives = look()
        if len(drives) > 1:
            paths = ", ".join(str(one.path) for one in drives)
            raise GridglowError(f"{len(drives)} Picos are in their boot loader ({paths}); choose one with --drive DIR.")
        if drives:
            return drives[0]
        device = "" if told else hidden()
        if device:
            told = True
            say(f"The Pico's drive is {device}, but it isn't mounted; in another terminal, run: "
                f"udisksctl mount -b {device}")
            until = max(until, clock.now() + BY_HAND_S)
        if clock.now() >= until:
            return None
        clock.rest(0.2)


def to_bootloader(found: Found | None, look: Callable[[], list[Drive]], say: Callable[[str], None], end_race: bool = False,
                  clock=Clock, hidden: Callable[[], str] = unmounted) -> Drive:
    """Brings a board into its boot loader, trying each way in turn, and returns its drive; `found` None: by hand only.

    `look` finds the possible drives. Raises RaceRuns if a race is running and the user hasn't agreed, GridglowError if no
    drive has appeared.
    """
    if found is not None:
        for words, way in (("over the link", _by_link), ("at MicroPython's prompt", _by_repl), ("by 1200 baud", _by_touch)):
            asked = way(found, end_race)
            if asked is None:
                continue
            if asked:
                say(f"Asking the board {words} to enter its boot loader; waiting up to {ASKED_S:g} s for its drive.")
                drive = wait_for_drive(ASKED_S, look, say, clock, hidden)
                if drive is not None:
                    return drive
            say(f"That did not work {words}.")
    say("Unplug the board, hold its button BOOTSEL, plug it in again and release the button; waiting for its drive, up "
        f"to {BY_HAND_S / 60:g} minutes.")
    drive = wait_for_drive(BY_HAND_S, look, say, clock, hidden)
    if drive is None:
        raise GridglowError(f"No Pico's drive appeared within {BY_HAND_S / 60:g} minutes; try another cable (many "
                            "only charge) and another USB port, or name the drive's folder with --drive DIR. Nothing was "
                            "changed.")
    return drive


def _by_link(found: Found, end_race: bool) -> bool | None:
    """None if this way isn't available, False if it failed, True if the board was asked."""
    if found.state != GRIDGLOW:
        return None
    if found.race_runs and not end_race:
        raise RaceRuns(f"A race is running on {found.title}, and this would end it; give --yes to end it.")
    try:
        with found.talk() as talk:
            talk.ask({"t": "reset", "how": "bootloader"}, "ok")
        return True
    except PortError as error:
        return error.state == GONE
    except (NoAnswer, SaysNo):
        return False


def _by_repl(found: Found, end_race: bool) -> bool | None:
    try:
        found.repl(end_race).bootloader()
        return True
    except RaceRuns:
        raise
    except GridglowError:
        return False


def _by_touch(found: Found, end_race: bool) -> bool | None:
    try:
        port = Port(found.port)
        port.touch_1200()
        return True
    except GridglowError:
        return False


def copy_to_drive(uf2: Uf2, drive: Drive, say: Callable[[str], None] = lambda text: None, clock=Clock) -> None:
    """Copies a checked UF2. The drive's vanishing means success: systems then report an error, though the copy worked.

    Raises GridglowError if the drive is still there afterwards.
    """
    failure = ""
    try:
        _copy(uf2.data, drive.path / "firmware.uf2")
    except OSError as error:
        failure = error.strerror or str(error)
    say("Copied the firmware; the board restarts by itself.")
    until = clock.now() + COPIED_S
    while clock.now() < until:
        if drive_at(drive.path) is None:
            return
        clock.rest(0.1)
    why = f" ({failure})" if failure else ", and the board did not restart"
    raise GridglowError(f"The board didn't accept the firmware: the drive {drive.path} is still there after {COPIED_S:g} s"
                        f"{why}; copy {uf2.path} onto it by hand, or unplug the board and repeat the command.")


def _copy(data: bytes, path: Path) -> None:
    with open(path, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view[:65536]) :]
        os.fsync(file.fileno())
