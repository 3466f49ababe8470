"""From any Pico to a board: Gridglow's program through the boot loader, then the board's own data.

    flash(target, uf2, …)    does it all; `Target` says which board, and whether it is in its boot loader already

What is on the board is backed up to a file before anything is changed, and put back at the end (`kept`). If anything is
interrupted, run the same command to continue: a program already there isn't copied again, and the backup is found by
the board's serial number.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gridglow.device import backup as saves
from gridglow.device import bootloader, firmware_file, kept, new_program
from gridglow.device.backup import Kept
from gridglow.device.board_clock import Clock, clock_of
from gridglow.device.bootloader import Drive, copy_to_drive, find_drives, to_bootloader, unmounted
from gridglow.device.connect import (
    BUSY,
    FORBIDDEN,
    GONE,
    GRIDGLOW,
    Found,
    ask_port,
    boards,
)
from gridglow.device.connect import one as one_board
from gridglow.device.new_program import verify, wait_for_port
from gridglow.device.port import PortError
from gridglow.device.ports import list_ports
from gridglow.device.sync import Result, check_choice, restart
from gridglow.device.sync import sync as install
from gridglow.device.sync_plan import saved_track
from gridglow.firmware.uf2 import Uf2, check_chip
from shared_rules.errors import GridglowError
from shared_rules.names import is_name, tidied

NAME_MOST = 20
WHICH_BOARD = ("This Pico can't say which board it is; choose with --board-file mini, --board-file full or "
               "the name of a file of your own. Nothing was changed.")

Say = Callable[[str], None]
Agree = Callable[[list[str]], bool] | None


@dataclass(frozen=True)
class Target:
    """What is to be flashed: a board at a port, the drive of one in its boot loader, or neither: then by hand.

    `before` are drives already there that belong to other Picos; `where` is the folder in which this one's drive will
    appear, if the user has named it.
    """

    found: Found | None = None
    drive: Drive | None = None
    before: tuple[Path, ...] = ()
    where: Path | None = None

    @property
    def chip(self) -> str:
        """Its chip, or "" if unknown."""
        return (self.found.chip if self.found else "") or (self.drive.chip if self.drive else "")


@dataclass
class Flashed:
    """The result. `version` is MicroPython's, `program` the id of Gridglow's program or "", `firmware` whether a file was
    copied, `saved` how many saves were backed up and are on the board."""

    title: str
    version: str = ""
    program: str = ""
    firmware: bool = False
    saved: int = 0
    result: Result | None = None
    notes: list[str] = field(default_factory=list)


def target(board: str | None = None, port: str | None = None, drive: Path | None = None) -> Target:
    """Which Pico is meant. Raises GridglowError with a list if that's unclear."""
    if drive is not None and (board is not None or port is not None):
        return Target(_one(board, port), where=drive)
    drives = find_drives()
    if drive is not None:
        found = bootloader.drive_at(drive)
        if found is None:
            raise GridglowError(f"{drive} isn't a Pico's drive: there is no {bootloader.INFO} in it. Hold BOOTSEL while "
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
    """The named board; if it's named by its port, it needn't answer."""
    if board is None and port is not None:
        return boards([port])[0]
    return one_board(board, [port] if port else None)


def is_unknown(meant: Target) -> bool:
    """Whether nothing says which board this Pico is: it has no Gridglow yet, or can't be asked."""
    return meant.found is None or not meant.found.about.get("board")


def flash(meant: Target, uf2: Uf2 | None = None, *, board_file: str | None = None, tracks: str | None = None,
          languages: str | None = None, name: str | None = None, agree: Agree = None, say: Say = lambda text: None,
          progress=None, look: Callable[[], list[Drive]] = find_drives, clock=None,
          hidden: Callable[[], str] = unmounted) -> Flashed:
    """Puts a program (the one built here, if no UF2 is given) and the board's data on a Pico.

    `agree` is asked, with sentences, before something is lost. Raises GridglowError with one sentence; if there is a backup,
    it names the file, and the same command continues from there.
    """
    found = meant.found
    if found is not None and found.state in (BUSY, FORBIDDEN, GONE):
        raise GridglowError(found.say)
    if name is not None:
        check_name(name)
    check_choice(board_file, tracks, languages)
    if uf2 is None and meant.chip:
        uf2 = firmware_file.pick(meant.chip, agree)
    if uf2 is not None:
        firmware_file.check(uf2, found, meant.chip, agree)
    if board_file is None and is_unknown(meant) and (uf2 is None or uf2.mark):
        raise GridglowError(WHICH_BOARD)
    if meant.where is not None:
        look = partial(find_drives, (meant.where,))
    clock = clock or (clock_of(found.port.path) if found else Clock)
    wanted = {"board_file": board_file, "tracks": tracks, "languages": languages}
    work = _Flash(meant, uf2, wanted, agree, say, progress, _Drives(look, clock, hidden))
    try:
        return work.run(name)
    except (GridglowError, KeyboardInterrupt) as error:
        if work.kept is None:
            raise
        told = f"What was on it is kept in {work.kept.path}; run the same command to continue."
        if isinstance(error, KeyboardInterrupt):
            say(told)
            raise
        raise GridglowError(f"{error} {told}") from error


@dataclass(frozen=True)
class _Drives:
    """How drives are found, and the clock for waiting for them."""

    look: Callable[[], list[Drive]]
    clock: Clock
    hidden: Callable[[], str]


class _Flash:
    """One flash, step by step. `found` is the board as last asked, `kept` its backup file."""

    def __init__(self, meant: Target, uf2: Uf2 | None, wanted: dict[str, str | None], agree: Agree, say: Say, progress,
                 drives: _Drives) -> None:
        self.meant, self.uf2, self.wanted = meant, uf2, wanted
        self.agree, self.say, self.progress = agree, say, progress
        self.drives = drives
        self.found = meant.found
        self.kept: Kept | None = None
        self.agreed = False                        # to end what runs on the board
        self._stays: list[Kept] = []               # backups with more than the board will get back

    def run(self, name: str | None) -> Flashed:
        """All steps, except those that an earlier flash has done."""
        done = Flashed(self.found.title if self.found else "the board")
        if not self._is_there(name):
            self._keep()
            self._choose()
            self._check_saved_race()
            self._copy()
            done.firmware = True
        done.version, done.program = self.found.version, self.found.program
        if not self.uf2.mark:
            if self.kept is not None:
                done.notes.append(f"What was on it is kept in {kept.lay_aside(self.kept)}.")
                self.kept = None
            return done
        waiting = kept.waiting(self.found)
        self.kept = self.kept or next(iter(waiting), None)
        self._file_system()
        self._put_back(done, waiting)
        if firmware_file.is_of_here(self.uf2):
            done.result = self._install()
        else:
            done.notes.append(f"{self.uf2.title} has another version than this gridglow, so nothing else was sent.")
        if name is not None:
            give_name(ask_port(self.found.port), name)
        self._forget(done, waiting)
        done.title = ask_port(self.found.port).title  # by its new name, if it has one
        if done.result is not None:
            done.result.title = done.title
        return done

    def _is_there(self, name: str | None) -> bool:
        """Whether the board already runs this very program; then a race is ended only for what remains to be done."""
        same = (self.found is not None and self.uf2 is not None and self.uf2.mark is not None
                and self.found.state == GRIDGLOW and self.found.program == self.uf2.mark.id)
        if same:
            self.say(f"{self.found.title[:1].upper()}{self.found.title[1:]} already runs this program "
                     f"({self.uf2.mark.id}), so it isn't copied.")
            if self.found.race_runs and (name is not None or kept.waiting(self.found)):
                self._end_race()
        return same

    def _end_race(self) -> None:
        found = self.found
        self._need(f"{found.title[:1].upper()}{found.title[1:]} is in the middle of its {found.doing}; flashing ends that "
                   "(it stays saved).")

    # Before anything is changed

    def _keep(self) -> None:
        """Backs up what is on the board. Raises GridglowError if the user doesn't agree to what is lost."""
        found = self.found
        if found is None:
            where = f" at {self.meant.drive.path}" if self.meant.drive else ""
            self._need(f"The Pico{where} will be flashed through its boot loader, where its content can't be read: a board "
                       "that had Gridglow on a stock MicroPython loses its saves. Plug such a board in without "
                       "BOOTSEL, and this command backs them up first.")
            return
        if found.race_runs:
            self._end_race()
        elif not found.answers:
            self._need(f"{found.say} Another program or a race may be running on it: flashing interrupts that, backs "
                       "up its files if they can be read, and removes it from the board.")
        self.agreed = True
        try:
            with found.repl(end_race=True) as repl:
                repl.soft_reset()                  # what ran there used memory, and may have left files open
                self.say(f"Backing up what is on {found.title}.")
                self.kept = kept.keep(found, repl, self.progress)
        except GridglowError as error:
            if isinstance(error, PortError) or found.about.get("fw") or found.about.get("gridglow"):
                self._go_on()
                raise
            self._need(f"What is on {found.title} can't be backed up: {error} Flashing would lose it.")
            return
        self.found = self._at_prompt(found)
        if self.kept is None:
            self.say("It holds nothing of its own.")
            return
        self.say(f"{_count(self.kept)} kept in {self.kept.path} until all is done.")
        if not self.kept.about["gridglow"]:
            names = sorted(self.kept.others)
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            self._need(f"On {found.title} are files that aren't Gridglow's ({', '.join(names[:3])}{more}); flashing removes "
                       "them, and they stay in the backup file.")

    def _at_prompt(self, found: Found) -> Found:
        """The board at its prompt, with the name that it gave before."""
        there = ask_port(found.port)
        return Found(there.port, there.state, {**there.about, "name": found.name or there.name}, there.say)

    def _choose(self) -> None:
        """Picks the file as soon as the chip is known, at the latest when a drive appears."""
        if self.uf2 is None and self.found is not None and self.found.chip:
            try:
                self.uf2 = firmware_file.pick(self.found.chip, self.agree)
                firmware_file.check(self.uf2, self.found, self.found.chip, self.agree)
            except GridglowError:
                self._as_it_was()
                raise

    def _check_saved_race(self) -> None:
        """Warns if a saved race was begun with other rules, and asks for consent."""
        if self._other_rules():
            self._need(f"The race saved on {self.meant.found.title} was begun with rules version "
                       f"{kept.rules_of(self.kept.files)}, but the new program has {self.uf2.mark.rules}: you can then "
                       "look at it, but not play on. Finish it first if you want to; it also stays in the backup "
                       "file.")

    def _other_rules(self) -> bool:
        """Whether the board has a saved race that can't continue with the new program."""
        if self.kept is None or self.uf2 is None or self.uf2.mark is None:
            return False
        rules = kept.rules_of(self.kept.files)
        return bool(rules) and rules != self.uf2.mark.rules and bool(saved_track(self.kept.files.get("save/settings", b"")))

    def _need(self, sentence: str) -> None:
        """Asks the user; if they don't agree, nothing has been changed, and the board goes on as before."""
        if self.agree and self.agree([sentence]):
            return
        self._as_it_was()
        raise GridglowError(f"{sentence} Give --yes to agree; nothing was changed.")

    def _as_it_was(self) -> None:
        """Nothing was changed: deletes the backup, and lets a stopped board go on."""
        self._go_on()
        if self.kept is not None:                  # made by this flash: backups of earlier ones are looked for later
            self.kept.path.unlink(missing_ok=True)
            self.kept = None

    def _go_on(self) -> None:
        """Restarts a board that was stopped for this."""
        if self.agreed and self.found is not None:
            with contextlib.suppress(GridglowError):
                self.found.repl(end_race=True).hard_reset(wait=False)

    # The program

    def _copy(self) -> None:
        ports = {port.path for port in list_ports()}
        look, clock, hidden = self.drives.look, self.drives.clock, self.drives.hidden
        try:
            drive = self.meant.drive or to_bootloader(
                self.found, lambda: [one for one in look() if one.path not in self.meant.before], self.say, self.agreed,
                clock, hidden)
        except GridglowError:
            self._go_on()
            raise
        self._check_drive(drive)
        uf2 = self.uf2
        self.say(f"Copying {uf2.title} to {drive.path} ({len(uf2.data) / 1000:.0f} kB).")
        copy_to_drive(uf2, drive, self.say, clock)
        self.found = verify(uf2, wait_for_port(self.meant.found, ports, clock), clock)
        self.say(f"Gridglow {uf2.mark.firmware} is running on it (program {uf2.mark.id})." if uf2.mark
                 else f"MicroPython {self.found.version} is running on it.")

    def _check_drive(self, drive: Drive) -> None:
        """The chip is known by now: picks the file for it and checks that it fits."""
        try:
            if self.uf2 is None:
                if drive.chip not in firmware_file.CHIPS:
                    raise GridglowError(f"The drive {drive.path} doesn't say which chip the Pico has; name the file for "
                                        "it with --uf2.")
                self.uf2 = firmware_file.pick(drive.chip, self.agree)
                firmware_file.check(self.uf2, self.found, drive.chip, self.agree)
            check_chip(self.uf2, drive.chip)
        except GridglowError as error:
            raise GridglowError(f"{error} Unplug it and plug it in again; nothing has changed on it.") from None

    # The board's own data

    def _file_system(self) -> None:
        """Makes a file system if the flash holds something else. Without a backup of the content, the user is asked."""
        if self.found.about.get("fs") != "foreign":
            return
        if self.kept is None:
            sentence = (f"The program is on {self.found.title}, but its memory doesn't hold a Gridglow file "
                        "system: until one is made, nothing is saved. Making one deletes what is there; \"gridglow backup "
                        "--raw FILE\" backs that up first.")
            if not (self.agree and self.agree([sentence])):
                raise GridglowError(f"{sentence} Give --yes to agree; until then the board plays without saving.")
        self.say("Making a new file system.")
        self.found = new_program.make_file_system(self.found)

    def _put_back(self, done: Flashed, waiting: list[Kept]) -> None:
        """Puts backups back: of the latest all that differs, of older ones what the board lacks."""
        newest = [self.kept] if self.kept else []
        files = newest + [one for one in waiting if not self.kept or one.path != self.kept.path]
        if not any(one.files for one in files):
            return
        with self.found.repl(end_race=True) as repl:
            repl.soft_reset()
            put = 0
            for one in files:
                there = kept.crcs(repl, list(repl.listing(saves.FOLDER[:-1])))
                back = kept.put_back(one, there, one is self.kept)
                if back.files:
                    saves.restore(repl, back.files, self.progress)
                if kept.differing(repl, back.files):
                    raise GridglowError(f"The saves didn't arrive intact on {self.found.title}; repeat the command.")
                put += len(back.files)
                done.saved += len(one.files) if one is self.kept else len(back.files)
                if back.left or one is self.kept and self._other_rules():
                    self._stays.append(one)
            restart(self.found, repl)
        self.say(f"{_files(put)} of its saves put back." if put else "Its saves are still on it.")

    def _install(self) -> Result:
        """Sends board file, LED maps, tracks and texts: those asked for, else those that the board had before."""
        had = self.kept.about.get("choice") or {} if self.kept else {}
        before = str(self.meant.found.about.get("board") or "") if self.meant.found else ""
        return install(ask_port(self.found.port), board_file=self.wanted["board_file"] or had.get("board") or before or None,
                       tracks=self.wanted["tracks"] or had.get("tracks"),
                       languages=self.wanted["languages"] or had.get("languages"), agree=self.agree, progress=self.progress)

    def _forget(self, done: Flashed, waiting: list[Kept]) -> None:
        """Deletes the backups, except those with files that the board doesn't have."""
        for one in {one.path: one for one in [*waiting, *([self.kept] if self.kept else [])]}.values():
            others = sorted(name for name in one.others if name != "board.json")
            if one in self._stays:
                path = kept.lay_aside(one)
                done.notes.append(f"{path} keeps a race that the board can't continue now; put it back with: gridglow "
                                  f"restore {path}")
            elif others:
                done.notes.append(f"{_files(len(others))} of your own, kept in {kept.lay_aside(one)} "
                                  f"({', '.join(others[:3])}).")
            else:
                one.path.unlink(missing_ok=True)
        self.kept = None


def _count(one: Kept) -> str:
    what = [f"{len(one.files)} of its saves"] if one.files else []
    what += [f"{len(one.others)} other file{'s' if len(one.others) != 1 else ''}"] if one.others else []
    return f"{' and '.join(what)} {'is' if len(one.files) + len(one.others) == 1 else 'are'}"


def _files(count: int) -> str:
    return "1 file is" if count == 1 else f"{count} files are"


#: Where a board has its settings; older programs had all of `glow` in one folder.
SETTINGS = "try:\n from glow.store.store import Settings\nexcept ImportError:\n from glow.store import Settings\n"


def check_name(name: str) -> None:
    """Raises GridglowError for an invalid board name."""
    if not is_name(name, NAME_MOST) or name != tidied(name):
        raise GridglowError(f"A board's name has 1 to {NAME_MOST} visible characters, without spaces around them; "
                            f"got {name!r}.")


def give_name(found: Found, name: str) -> None:
    """Has the board's own code store a name. Raises GridglowError."""
    check_name(name)
    repl = found.repl(end_race=True)
    try:
        repl.soft_reset()
        said = repl.run(f"{SETTINGS}print(Settings('save').put('name',{name!r}))").strip()
        if said:
            raise GridglowError(f"The board at {found.port.path} couldn't store its name ({said}); its flash may be full.")
        restart(found, repl)
    finally:
        repl.port.close()


__all__ = ["Flashed", "Target", "flash", "give_name", "is_unknown", "target"]
