"""From a bare Pico to a board: firmware by its boot loader, then Gridglow on it, with its saves kept on the way.

    flash(target, uf2, …)    all of it; `Target` says which board, and whether it is in its boot loader already
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gridglow import paths
from gridglow.device import backup as saves
from gridglow.device import bootloader
from gridglow.device.board_clock import Clock, clock_of
from gridglow.device.bootloader import Drive, copy_to_drive, find_drives, to_bootloader, unmounted
from gridglow.device.connect import (
    BUSY,
    FORBIDDEN,
    GONE,
    MICROPYTHON_LEAST,
    Found,
    ask_port,
    boards,
    no_board,
)
from gridglow.device.connect import one as one_board
from gridglow.device.ports import PortInfo, find_again, list_ports
from gridglow.device.sync import Result, restart
from gridglow.device.sync import sync as install
from gridglow.device.uf2 import Uf2, check_chip
from gridglow.hardware.boardfile import load_board
from shared_rules.errors import GridglowError
from shared_rules.names_once import is_name, tidied

#: How long a board may take to be back with a new firmware: the first start makes the file system.
BACK_S = 40.0
NAME_MOST = 20
WHICH_BOARD = ("This Pico can't say which board it is; say which it becomes with --board-file mini, --board-file full or "
               "the name of a file of your own. Nothing was changed.")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Target:
    """What is to be flashed: a board at a port, a drive of one in its boot loader, or neither: by hand then.

    `before` are drives that were there already and belong to other Picos; `where` is the folder in which the drive of this
    one will appear, where somebody has named it.
    """

    found: Found | None = None
    drive: Drive | None = None
    before: tuple[Path, ...] = ()
    where: Path | None = None


@dataclass
class Flashed:
    """What was done. `version` is MicroPython's, `saved` how many files were backed up and restored."""

    title: str
    version: str = ""
    firmware: bool = False
    saved: int = 0
    kept: Path | None = None  # the file with the saves, until all is done
    result: Result | None = None
    notes: list[str] = field(default_factory=list)


def target(board: str | None = None, port: str | None = None, drive: Path | None = None) -> Target:
    """Which Pico is meant. Raises GridglowError with a list where that is unclear."""
    if drive is not None and (board is not None or port is not None):
        return Target(_one(board, port), where=drive)
    drives = find_drives()
    if drive is not None:
        found = bootloader.drive_at(drive)
        if found is None:
            raise GridglowError(f"{drive} is no drive of a Pico: there is no {bootloader.INFO} in it. Hold BOOTSEL while "
                                "you plug the Pico in, and name the folder where its drive appears.")
        return Target(drive=found)
    before = tuple(one.path for one in drives)
    if board is not None or port is not None:
        return Target(_one(board, port), before=before)
    there = boards()
    if there and drives or len(drives) > 1:
        names = [f"a Pico in its boot loader at {one.path} (--drive)" for one in drives]
        names += [f"{one.name or 'a board'} at {one.port.path} (--port)" for one in there]
        raise GridglowError(f"It is unclear which Pico is meant: {'; '.join(names)}.")
    if drives:
        return Target(drive=drives[0])
    if there:
        return Target(there[0] if len(there) == 1 else one_board())
    return Target()


def _one(board: str | None, port: str | None) -> Found:
    """The board that was named; one that does not answer is meant too, where it is named by its port."""
    if board is None and port is not None:
        return boards([port])[0]
    return one_board(board, [port] if port else None)


def flash(meant: Target, uf2: Uf2 | None, *, board_file: str | None = None, games: str | None = None,
          tracks: str | None = None, languages: str | None = None, name: str | None = None,
          agree: Callable[[list[str]], bool] | None = None, say: Say = lambda text: None, progress=None,
          look: Callable[[], list[Drive]] = find_drives, clock=None, hidden: Callable[[], str] = unmounted) -> Flashed:
    """Put firmware (where a UF2 is given) and Gridglow on a Pico. Raises GridglowError with one sentence.

    `agree` is asked with sentences before something is lost. Where it fails half way the sentence names the file with the
    saves.
    """
    found = meant.found
    clock = clock or (clock_of(found.port.path) if found else Clock)
    if meant.where is not None:
        look = partial(find_drives, (meant.where,))
    if found is not None and found.state in (BUSY, FORBIDDEN, GONE):
        raise GridglowError(found.say)
    if name is not None:
        check_name(name)
    if board_file is not None:
        load_board(board_file)
    elif uf2 is not None and is_unknown(meant):
        raise GridglowError(WHICH_BOARD)
    done = Flashed(found.title if found else "the board", firmware=uf2 is not None)
    try:
        if uf2 is None:
            found = _with_micropython(meant)
        else:
            found = _firmware(done, meant, uf2, agree, say, look, clock, hidden)
        done.version = found.version
        done.result = install(found, board_file=board_file, games=games, tracks=tracks, languages=languages, agree=agree,
                              progress=progress)
        if name is not None:
            give_name(ask_port(found.port), name)
    except GridglowError as error:
        if done.kept is None:
            raise
        raise GridglowError(f"{error} Its saves are kept in {done.kept}; put them back with: gridglow restore "
                            f"{done.kept}") from error
    if done.kept is not None:
        done.kept.unlink(missing_ok=True)
    done.title = done.result.title = ask_port(found.port).title  # by its new name, where it has got one
    return done


def is_unknown(meant: Target) -> bool:
    """Whether nobody can say which board this Pico is: it has no Gridglow yet, or can't be asked."""
    return meant.found is None or not meant.found.about.get("board")


def _with_micropython(meant: Target) -> Found:
    """The board that has MicroPython already. Raises GridglowError where it hasn't, with where it is to be had."""
    if meant.drive is not None:
        raise GridglowError(f"The Pico at {meant.drive.path} is in its boot loader, so it needs MicroPython first. "
                            f"{bootloader.where_from(meant.drive.chip)}")
    if meant.found is None:
        raise GridglowError(no_board())
    if not meant.found.answers:
        raise GridglowError(f"{meant.found.say} Where MicroPython is not on it: {bootloader.where_from('')}")
    return meant.found


def _firmware(done: Flashed, meant: Target, uf2: Uf2, agree, say: Say, look, clock, hidden) -> Found:
    """The part with the UF2: check, back up, boot loader, copy, verify, restore."""
    found = meant.found
    check_chip(uf2, found.chip if found else meant.drive.chip if meant.drive else "")
    check_firmware(uf2, found, agree)
    agreed = _agree_to_race(found, agree)
    files: dict[str, bytes] = {}
    if found is not None and found.answers:
        say(f"The saves of {found.title} are backed up.")
        files, done.kept, found = back_up(found, agreed)
        say(f"{_count(files)} kept in {done.kept} until all is done." if done.kept else "It has no saves yet.")
    elif meant.drive is not None:
        say("The Pico is in its boot loader already, so saves on it can't be backed up; a firmware leaves them as they are.")
    ports = {port.path for port in list_ports()}
    try:
        drive = meant.drive or to_bootloader(found, lambda: [one for one in look() if one.path not in meant.before], say,
                                             agreed, clock, hidden)
    except GridglowError:
        if found is not None and found.answers:  # it was stopped for this: it shall go on
            with contextlib.suppress(GridglowError):
                found.repl(end_race=True).hard_reset(wait=False)
        raise
    _check_drive(uf2, drive)
    say(f"{uf2.title} is copied to {drive.path} ({len(uf2.data) / 1000:.0f} kB).")
    copy_to_drive(uf2, drive, say, clock)
    found = verify(uf2, wait_for_port(found, ports, clock), clock)
    say(f"MicroPython {found.version} runs on it.")
    if files:
        with found.repl(end_race=True) as repl:
            done.saved = saves.restore(repl, files)
        say(f"{_count(files)} back on it.")
    return found


def _count(files: dict[str, bytes]) -> str:
    return "1 file of its saves is" if len(files) == 1 else f"{len(files)} files of its saves are"


def _agree_to_race(found: Found | None, agree) -> bool:
    """Whether what runs on the board may be ended: nothing that is a race does, or the user agrees."""
    if found is None:
        return True
    if found.race_runs:
        say = f"{found.title} is in the middle of its {found.doing}; flashing ends that (it stays saved)."
    elif not found.answers:
        say = f"{found.say} A race may run on it; flashing ends whatever runs."
    else:
        return True
    if not (agree and agree([say])):
        raise GridglowError(f"{say} Say --yes to agree; nothing was changed.")
    return True


def check_firmware(uf2: Uf2, found: Found | None, agree=None) -> None:
    """Raise GridglowError for firmware that Gridglow can't run on, or that is for another board than this; what can't be
    told is let pass."""
    version = tuple(int(part) for part in uf2.version.split("-")[0].split(".")) if uf2.version else ()
    if version and version < MICROPYTHON_LEAST:
        least = ".".join(map(str, MICROPYTHON_LEAST))
        raise GridglowError(f"{uf2.title} is older than {least}, which Gridglow needs; nothing was changed. "
                            f"{bootloader.where_from(uf2.chip)}")
    machine = str((found.about if found else {}).get("machine") or "").partition(" with ")[0]
    if uf2.machine and machine.startswith("Raspberry Pi Pico") and machine != uf2.machine:
        say = f"{uf2.title} is for {uf2.machine}, and the board says that it is a {machine}."
        if not (agree and agree([say])):
            raise GridglowError(f"{say} Say --yes to take it all the same; nothing was changed.")


def _check_drive(uf2: Uf2, drive: Drive) -> None:
    try:
        check_chip(uf2, drive.chip)
    except GridglowError as error:
        raise GridglowError(f"{error} Unplug it and plug it in again, and it is as it was.") from None


def back_up(found: Found, end_race: bool) -> tuple[dict[str, bytes], Path | None, Found]:
    """(saves, the file that keeps them or None, the board at its prompt). Raises GridglowError; nothing is changed then."""
    with found.repl(end_race) as repl:
        files = saves.backup(repl)
    kept = None
    if files:
        folder = paths.data_folder() / "backups"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GridglowError(f"{folder} for the saves can't be made ({error.strerror or error}); choose another data "
                                "folder with --data. Nothing was changed.") from None
        kept = folder / f"{_file_name(found)}-{time.strftime('%Y-%m-%d-%H%M%S')}.zip"
        saves.write_file(kept, files, {"board": found.name, "serial": found.serial})
    return files, kept, ask_port(found.port)


def _file_name(found: Found) -> str:
    name = found.name or found.serial or "board"
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name).strip("-") or "board"


def wait_for_port(found: Found | None, before: set[str], clock=Clock) -> PortInfo:
    """The port of the board that was flashed: the one with its serial number, or the one that is new."""
    until = clock.now() + BACK_S
    while clock.now() < until:
        if found is not None:
            try:
                return find_again(found.port, 0)
            except GridglowError:
                pass
        else:
            new = [port for port in list_ports() if port.asked and port.path not in before]
            if len(new) == 1:
                return new[0]
            if len(new) > 1:
                raise GridglowError("The firmware was copied, and several new boards have appeared; say which gets "
                                    "Gridglow: gridglow flash --port PATH")
        clock.rest(0.2)
    raise GridglowError(f"The firmware was copied, and the board has not appeared as a serial port within {BACK_S:g} s; "
                        "unplug it, plug it in again and run: gridglow flash")


def verify(uf2: Uf2, port: PortInfo, clock=Clock) -> Found:
    """The board with its new firmware, by what that says of itself. Raises GridglowError where it says something else."""
    until = clock.now() + BACK_S
    while True:
        found = ask_port(port)
        if found.version or clock.now() >= until:
            break
        clock.rest(0.5)
    if not found.version:
        raise GridglowError(f"The firmware was copied, and the board does not answer afterwards ({found.doing}); unplug it, "
                            "plug it in again and run: gridglow flash")
    short = uf2.version.split("-")[0]
    if short and found.version != short:
        raise GridglowError(f"The board runs MicroPython {found.version} after {uf2.title} was copied, so it has not taken "
                            "it; repeat the command, and hold BOOTSEL while you plug the board in.")
    return found


def check_name(name: str) -> None:
    """Raise GridglowError for what a board can't be called."""
    if not is_name(name, NAME_MOST) or name != tidied(name):
        raise GridglowError(f"A board's name has 1 to {NAME_MOST} letters that can be seen, and no spaces around them; "
                            f"this one is {name!r}.")


def give_name(found: Found, name: str) -> None:
    """Have the board keep a name, by its own code. Raises GridglowError."""
    check_name(name)
    repl = found.repl(end_race=True)
    try:
        repl.soft_reset()
        said = repl.run(f"from glow.store import Settings\nprint(Settings('save').put('name',{name!r}))").strip()
        if said:
            raise GridglowError(f"The board at {found.port.path} could not keep its name ({said}); its flash may be full.")
        restart(found, repl)
    finally:
        repl.port.close()


__all__ = ["Flashed", "Target", "back_up", "check_firmware", "flash", "give_name", "is_unknown", "target", "verify"]
