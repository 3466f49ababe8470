"""A Pico's boot loader: how a board gets there, and the drive that it shows then.

The ways there, in order: asked over the link; by MicroPython's prompt; by opening the port with 1200 baud; by hand with
BOOTSEL. Linux does not mount the drive by itself everywhere, so one that is not mounted is told with the command.
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
#: How long a drive is waited for when the board was asked to show it, and when a person is.
ASKED_S, BY_HAND_S = 12.0, 180.0
COPIED_S = 30.0


@dataclass(frozen=True)
class Drive:
    """The drive of a Pico in its boot loader. `chip` is "rp2040", "rp2350" or "" where it doesn't say."""

    path: Path
    chip: str
    model: str = ""


def find_drives(folders: Sequence[Path] | None = None) -> list[Drive]:
    """The drives of all Picos in their boot loader, found by INFO_UF2.TXT where the system mounts drives."""
    found = {}
    for folder in _mounts() if folders is None else folders:
        with contextlib.suppress(OSError):
            drive = drive_at(folder)
            if drive is not None:
                found[folder.resolve()] = drive
    return sorted(found.values(), key=lambda drive: str(drive.path))


def drive_at(folder: Path) -> Drive | None:
    """The drive in a folder, or None where there is none."""
    try:
        text = (folder / INFO).read_bytes()[:1000].decode("ascii", "replace")
    except OSError:
        return None
    board = re.search(r"Board-ID:\s*(\S+)", text)
    model = re.search(r"Model:\s*([^\r\n]+)", text)
    chip = LABELS.get(board.group(1) if board else "", "")
    return Drive(folder, chip, model.group(1).strip() if model else "")


def _mounts() -> list[Path]:
    """Where this system mounts drives that are plugged in."""
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
    """The device of a Pico's drive that Linux sees and has not mounted, such as /dev/sda1, or ""."""
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
    """The one drive that `look` finds within `limit_s`, or None. Raises GridglowError where there are two."""
    until = clock.now() + limit_s
    told = False
    while True:
        drives = look()
        if len(drives) > 1:
            paths = ", ".join(str(one.path) for one in drives)
            raise GridglowError(f"{len(drives)} Picos are in their boot loader ({paths}); say which with --drive DIR.")
        if drives:
            return drives[0]
        device = "" if told else hidden()
        if device:
            told = True
            say(f"The Pico's drive is there as {device} and is not mounted; in another terminal run: "
                f"udisksctl mount -b {device}")
            until = max(until, clock.now() + BY_HAND_S)
        if clock.now() >= until:
            return None
        clock.rest(0.2)


def to_bootloader(found: Found | None, look: Callable[[], list[Drive]], say: Callable[[str], None], end_race: bool = False,
                  clock=Clock, hidden: Callable[[], str] = unmounted) -> Drive:
    """Bring a board into its boot loader, by each way in turn, and return its drive; `found` None: by hand only.

    `look` gives the drives that count. Raises RaceRuns where a race runs and the user has not agreed, GridglowError when no
    drive has come.
    """
    if found is not None:
        for words, way in (("over the link", _by_link), ("by MicroPython's prompt", _by_repl), ("by 1200 baud", _by_touch)):
            asked = way(found, end_race)
            if asked is None:
                continue
            if asked:
                say(f"The board is asked {words} to go into its boot loader; its drive is waited for, up to {ASKED_S:g} s.")
                drive = wait_for_drive(ASKED_S, look, say, clock, hidden)
                if drive is not None:
                    return drive
            say(f"That did not work {words}.")
    say("Unplug the board, hold its button BOOTSEL, plug it in again and let go of the button; its drive is waited for, up "
        f"to {BY_HAND_S / 60:g} minutes.")
    drive = wait_for_drive(BY_HAND_S, look, say, clock, hidden)
    if drive is None:
        raise GridglowError(f"No drive of a Pico has appeared within {BY_HAND_S / 60:g} minutes; try another cable (many "
                            "only charge) and another USB port, or name the drive's folder with --drive DIR. Nothing was "
                            "changed.")
    return drive


def _by_link(found: Found, end_race: bool) -> bool | None:
    """None where this way isn't there, False where it failed, True where the board was asked."""
    if found.state != GRIDGLOW:
        return None
    if found.race_runs and not end_race:
        raise RaceRuns(f"A race runs on {found.title}, and this would end it; say --yes where it may be ended.")
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
    """Copy a checked UF2. The drive's vanishing is success: systems report an error then, though it has worked.

    Raises GridglowError where the drive is still there afterwards.
    """
    failure = ""
    try:
        _copy(uf2.data, drive.path / "firmware.uf2")
    except OSError as error:
        failure = error.strerror or str(error)
    say("The firmware was copied; the board restarts by itself.")
    until = clock.now() + COPIED_S
    while clock.now() < until:
        if drive_at(drive.path) is None:
            return
        clock.rest(0.1)
    why = f" ({failure})" if failure else ", and the board did not restart"
    raise GridglowError(f"The firmware was not taken: the drive {drive.path} is still there after {COPIED_S:g} s{why}; copy "
                        f"{uf2.path} onto it by hand, or unplug the board and repeat the command.")


def _copy(data: bytes, path: Path) -> None:
    with open(path, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view[:65536]) :]
        os.fsync(file.fileno())
