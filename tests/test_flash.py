"""`gridglow flash`: into the boot loader, the copy whose drive vanishes, saves kept, Gridglow installed."""

import json
import shutil
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_board import FakeBoard
from test_uf2 import blocks

from gridglow import paths
from gridglow.cli import flash as command
from gridglow.cli.main import main
from gridglow.device import bootloader, connect
from gridglow.device import flash as flashing
from gridglow.device.bootloader import (
    Drive,
    copy_to_drive,
    drive_at,
    find_drives,
    to_bootloader,
    unmounted,
    wait_for_drive,
)
from gridglow.device.connect import Found, boards
from gridglow.device.flash import Target, flash, target
from gridglow.device.port import GONE, PortError
from gridglow.device.ports import PortInfo
from gridglow.device.repl import RaceRuns
from gridglow.device.talk import SaysNo
from gridglow.device.uf2 import read_uf2
from shared_rules.errors import GridglowError

INFO = {
    "rp2040": "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n",
    "rp2350": "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n",
}


class FakeClock:
    """Time that goes on when somebody rests; `at` calls something once at a moment."""

    def __init__(self):
        self.seconds = 0.0
        self.events = []

    def now(self):
        return self.seconds

    def at(self, seconds, call):
        self.events.append((seconds, call))

    def rest(self, seconds):
        self.seconds += seconds
        for event in [one for one in self.events if one[0] <= self.seconds]:
            self.events.remove(event)
            event[1]()


def make_drive(folder, chip="rp2040"):
    folder.mkdir(parents=True)
    (folder / bootloader.INFO).write_text(INFO[chip])
    return folder


def sentence(error):
    text = str(error.value)
    assert "\n" not in text and "Traceback" not in text and "Errno" not in text
    return text


@pytest.fixture
def uf2(tmp_path):
    """A UF2 of the MicroPython that the fake board runs."""
    return file_of(tmp_path / "pico.uf2", running_version())


def running_version():
    import subprocess

    from gridglow.virtual.child import find_micropython

    code = "import sys;print('.'.join(str(part) for part in sys.implementation.version[:3]))"
    return subprocess.run([find_micropython(), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def file_of(path, version, machine="Raspberry Pi Pico", **more):
    says = f"MicroPython v{version} on 2025-09-11\0; {machine} with RP2040\0"
    path.write_bytes(b"".join(blocks(says=says.encode(), **more)))
    return read_uf2(path)


# Drives


def test_drives_are_found_by_their_file(tmp_path):
    first = make_drive(tmp_path / "RPI-RP2")
    second = make_drive(tmp_path / "RP2350", "rp2350")
    (tmp_path / "stick").mkdir()
    found = find_drives([tmp_path / "stick", second, first, tmp_path / "none", first])
    assert found == [Drive(second, "rp2350", "Raspberry Pi RP2350"), Drive(first, "rp2040", "Raspberry Pi RP2")]
    (first / bootloader.INFO).write_text("Board-ID: SAMD21\r\n")
    assert drive_at(first).chip == ""


def test_a_drive_that_linux_has_not_mounted(tmp_path):
    device = tmp_path / "sdb1"
    device.touch()
    labels = tmp_path / "by-label"
    labels.mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text("")
    assert unmounted(labels, mounts) == ""
    (labels / "RPI-RP2").symlink_to(device)
    assert unmounted(labels, mounts) == str(device)
    mounts.write_text(f"{device} /media/ann/RPI-RP2 vfat rw 0 0\n")
    assert unmounted(labels, mounts) == ""
    assert unmounted(tmp_path / "none", mounts) == ""


def test_an_unmounted_drive_is_told_with_the_command_and_waited_for(tmp_path):
    clock = FakeClock()
    told = []
    drive = Drive(tmp_path, "rp2040")
    found = wait_for_drive(5, lambda: [drive] if clock.seconds > 60 else [], told.append, clock, lambda: "/dev/sdb1")
    assert found == drive
    assert told == ["The Pico's drive is there as /dev/sdb1 and is not mounted; in another terminal run: "
                    "udisksctl mount -b /dev/sdb1"]


def test_two_drives_are_refused_with_a_list(tmp_path):
    drives = [Drive(tmp_path / "a", "rp2040"), Drive(tmp_path / "b", "rp2040")]
    with pytest.raises(GridglowError) as error:
        wait_for_drive(5, lambda: drives, print, FakeClock(), lambda: "")
    assert "2 Picos are in their boot loader" in sentence(error)
    assert str(tmp_path / "a") in str(error.value) and "--drive DIR" in str(error.value)


# Ways into the boot loader


class FakeFound(Found):
    """A board whose link, prompt and port behave as `ways` says: an exception to raise, or what happens then."""

    def way(self, name):
        happens = self.ways[name]
        self.tried.append(name)
        if isinstance(happens, Exception):
            raise happens
        happens()

    def talk(self):
        board = self

        class Link:
            __enter__ = lambda self: self  # noqa: E731
            __exit__ = lambda self, *_: None  # noqa: E731

            def ask(self, message, want):
                assert message == {"t": "reset", "how": "bootloader"}
                board.way("link")

        return Link()

    def repl(self, end_race=False):
        board = self

        class Prompt:
            def bootloader(self):
                board.way("repl")

        return Prompt()


def found_with(state=connect.GRIDGLOW, about=None, **ways):
    one = FakeFound(PortInfo("/dev/ttyACM9", "E66"), state, about or {"state": "idle"})
    object.__setattr__(one, "ways", ways)
    object.__setattr__(one, "tried", [])
    return one


@pytest.fixture
def touch(monkeypatch):
    """What opening the port with 1200 baud does; the test fills it."""
    there = {"call": lambda: None}

    class Touched:
        def __init__(self, port):
            self.port = port

        def touch_1200(self):
            there["call"]()

    monkeypatch.setattr(bootloader, "Port", Touched)
    return there


def bring(found, appears, clock=None, end_race=False):
    """to_bootloader, with a drive that is there once `appears` is set; returns (drive, what was told)."""
    told = []
    clock = clock or FakeClock()
    drive = Drive(Path("/media/RPI-RP2"), "rp2040")
    got = to_bootloader(found, lambda: [drive] if appears else [], told.append, end_race, clock, lambda: "")
    assert got == drive
    return told


REFUSED = SaysNo("No.")
AWAY = PortError(GONE, "It has gone.")


@pytest.mark.parametrize("state, working, tried, words", [
    (connect.GRIDGLOW, "link", ["link"], "over the link"),
    (connect.GRIDGLOW, "repl", ["link", "repl"], "by MicroPython's prompt"),
    (connect.MICROPYTHON, "repl", ["repl"], "by MicroPython's prompt"),
    (connect.GRIDGLOW, "touch", ["link", "repl", "touch"], "by 1200 baud"),
])
def test_the_ways_in_their_order(touch, state, working, tried, words):
    appears = []
    happens = {way: (lambda: appears.append(1)) if way == working else REFUSED for way in ("link", "repl", "touch")}
    found = found_with(state, **happens)
    touch["call"] = lambda: found.way("touch")
    told = bring(found, appears)
    assert found.tried == tried
    assert f"The board is asked {words} to go into its boot loader; its drive is waited for, up to 12 s." in told
    assert "BOOTSEL" not in " ".join(told)


def test_by_hand_when_nothing_else_works(touch):
    appears = []
    clock = FakeClock()
    clock.at(100, lambda: appears.append(1))
    found = found_with(link=lambda: None, repl=AWAY)
    touch["call"] = lambda: found.way("touch")
    object.__setattr__(found, "ways", {**found.ways, "touch": AWAY})
    told = bring(found, appears, clock)
    assert "That did not work over the link." in told
    assert "hold its button BOOTSEL" in told[-1] and "up to 3 minutes" in told[-1]


def test_a_bare_pico_is_brought_there_by_hand_only():
    appears = [1]
    assert [text for text in bring(None, appears) if "BOOTSEL" in text]


def test_nothing_comes():
    with pytest.raises(GridglowError) as error:
        to_bootloader(None, list, lambda text: None, False, FakeClock(), lambda: "")
    assert "No drive of a Pico has appeared within 3 minutes" in sentence(error)
    assert "Nothing was changed" in str(error.value)


def test_a_race_is_not_ended():
    race = {"state": "race", "race": {"game": "moto_grand_prix", "track": "gp-ring"}}
    found = found_with(about=race, link=lambda: None)
    with pytest.raises(RaceRuns) as error:
        bring(found, [1])
    assert found.tried == []
    assert "say --yes" in sentence(error)


# Copying


def test_a_drive_that_vanishes_has_taken_it(tmp_path, uf2, monkeypatch):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")
    clock = FakeClock()
    clock.at(1, lambda: shutil.rmtree(drive.path))
    copied = []
    monkeypatch.setattr(bootloader, "_copy", lambda data, path: copied.append((data, path.name)))
    copy_to_drive(uf2, drive, clock=clock)
    assert copied == [(uf2.data, "firmware.uf2")]


def test_an_error_of_the_system_is_no_failure_when_the_drive_has_vanished(tmp_path, uf2, monkeypatch):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")

    def fails(data, path):
        shutil.rmtree(drive.path)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(bootloader, "_copy", fails)
    copy_to_drive(uf2, drive, clock=FakeClock())


@pytest.mark.parametrize("error, words", [
    (None, "the board did not restart"),
    (OSError(28, "No space left"), "(No space left)"),
])
def test_a_drive_that_stays_has_not_taken_it(tmp_path, uf2, monkeypatch, error, words):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")

    def copy(data, path):
        if error:
            raise error

    monkeypatch.setattr(bootloader, "_copy", copy)
    with pytest.raises(GridglowError) as told:
        copy_to_drive(uf2, drive, clock=FakeClock())
    assert "is still there after 5 s" in sentence(told) and words in str(told.value)


def test_all_of_the_file_is_copied(tmp_path):
    data = bytes(range(256)) * 1000
    bootloader._copy(data, tmp_path / "firmware.uf2")
    assert (tmp_path / "firmware.uf2").read_bytes() == data


# The whole of it, on the fake board


class Loader:
    """The boot loader of a fake board: a drive that appears, and vanishes when a UF2 has been copied onto it."""

    def __init__(self, board, folder, chip="rp2040", takes=True):
        self.board = board
        self.folder = folder
        self.chip = chip
        self.takes = takes
        self.copied = b""
        board.on_bootloader = self.entered

    def look(self):
        return find_drives([self.folder])

    def entered(self, board):
        make_drive(self.folder, self.chip)
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self):
        file = self.folder / "firmware.uf2"
        size = -1
        while self.takes:
            time.sleep(0.02)
            now = file.stat().st_size if file.exists() else -1
            if now > 0 and now == size:
                self.copied = file.read_bytes()
                shutil.rmtree(self.folder)
                self.board.leave_bootloader()
                return
            size = now


@pytest.fixture
def installed(monkeypatch):
    """What is installed, in place of a sync; the test may have it fail."""
    calls = []

    class Done:
        say = "It is installed."
        notes = ()

        def plain(self):
            return {"sent": 3}

    def install(found, **chosen):
        calls.append((found, chosen))
        if isinstance(calls[0], Exception):
            raise calls[0]
        return Done()

    monkeypatch.setattr(flashing, "install", install)
    return calls


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """Shorter limits, and no drive of this computer."""
    monkeypatch.setattr(connect, "LINK_S", 1.0)
    monkeypatch.setattr(connect, "PROMPT_S", 0.5)
    monkeypatch.setattr(bootloader, "_places", list)
    monkeypatch.setattr(bootloader, "COPIED_S", 5.0)
    paths.choose_data_folder(tmp_path / "data")
    yield
    paths.choose_data_folder(None)


SAVES = {"save/race.log": b"race 1\n", "save/settings": b"[] *00000000\n", "save/cards": bytes(range(256))}


def test_a_board_with_saves(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={"main.py": b"print('x')", **SAVES}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        told = []
        done = flash(Target(boards([board.port])[0]), uf2, board_file="mini", say=told.append, look=loader.look,
                     hidden=lambda: "")
        assert loader.copied == uf2.data
        assert (done.version, done.saved, done.firmware) == (running_version(), 3, True)
        ((found, chosen),) = installed
        assert found.port.path == board.port and chosen["board_file"] == "mini"
        assert {name: data for name, data in board.files().items() if name.startswith("save/")} == SAVES
    assert list((tmp_path / "data" / "backups").iterdir()) == []
    for words in ("are backed up", "3 files of its saves are kept in", "asked by MicroPython's prompt", "is copied to",
                  "restarts by itself", f"MicroPython {running_version()} runs on it", "3 files of its saves are back"):
        assert words in " ".join(told)


def test_saves_come_back_to_a_flash_that_was_emptied(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        enter = loader.entered

        def emptied(one):
            one.write_flash({})
            enter(one)

        board.on_bootloader = emptied
        assert flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "").saved == 3
        assert board.files() == SAVES


def test_a_board_without_saves(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        done = flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "")
    assert done.saved == 0 and loader.copied == uf2.data


def test_the_saves_stay_in_their_file_when_it_fails_half_way(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2", takes=False)
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "")
    (kept,) = (tmp_path / "data" / "backups").iterdir()
    said = sentence(error)
    assert "The firmware was not taken" in said
    assert f"Its saves are kept in {kept}; put them back with: gridglow restore {kept}" in said
    from gridglow.device.backup import read_file

    assert read_file(kept) == SAVES
    assert installed == []


def test_the_saves_stay_in_their_file_when_the_install_fails(tmp_path, uf2, installed):
    installed.append(GridglowError("The flash is full."))
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "")
    assert str(error.value).startswith("The flash is full. Its saves are kept in ")
    assert len(list((tmp_path / "data" / "backups").iterdir())) == 1


def test_the_wrong_chip_is_seen_at_the_drive_before_anything_is_copied(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RP2350", chip="rp2350")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "")
        assert "is for an RP2040 (Pico, Pico W), and the board is an RP2350" in sentence(error)
        assert "Unplug it and plug it in again, and it is as it was." in str(error.value)
        assert [path.name for path in loader.folder.iterdir()] == [bootloader.INFO]


@pytest.mark.parametrize("about, version, machine, words", [
    ({"machine": "Raspberry Pi Pico2 with RP2350"}, "1.26.1", "Raspberry Pi Pico", "and the board is an RP2350"),
    ({"machine": "Raspberry Pi Pico with RP2040"}, "1.26.1", "Raspberry Pi Pico W",
     "is for Raspberry Pi Pico W, and the board says that it is a Raspberry Pi Pico."),
    ({"machine": "Raspberry Pi Pico with RP2040"}, "1.22.2", "Raspberry Pi Pico", "is older than 1.24"),
    ({"machine": "Raspberry Pi Pico with RP2040", "state": "race", "race": {"game": "g"}}, "1.26.1", "Raspberry Pi Pico",
     "is in the middle of its race"),
])
def test_what_is_refused_before_anything_is_changed(tmp_path, about, version, machine, words):
    found = found_with(about=about)  # any way into it would be a KeyError
    with pytest.raises(GridglowError) as error:
        flash(Target(found), file_of(tmp_path / "x.uf2", version, machine))
    assert words in sentence(error)
    assert "nothing was changed" in str(error.value)
    assert found.tried == []


def test_another_version_afterwards_is_told(tmp_path, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), file_of(tmp_path / "x.uf2", "1.99.0"), look=loader.look,
                  hidden=lambda: "")
    assert f"The board runs MicroPython {running_version()} after x.uf2 (MicroPython 1.99.0" in sentence(error)


# Without a UF2


def test_where_micropython_is_on_it_only_gridglow_is_installed(tmp_path, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        board.on_bootloader = lambda _: pytest.fail("It went into its boot loader.")
        done = flash(Target(boards([board.port])[0]), None, board_file="full", games="moto_grand_prix")
        assert board.starts == 1
    assert not done.firmware
    assert installed[0][1]["games"] == "moto_grand_prix"


@pytest.mark.parametrize("meant, words", [
    (Target(drive=Drive(Path("/media/RPI-RP2"), "rp2040")),
     "needs MicroPython first. Download the newest MicroPython (.uf2) from https://micropython.org/download/RPI_PICO/"),
    (Target(drive=Drive(Path("/media/RP2350"), "rp2350")), "https://micropython.org/download/RPI_PICO2/"),
    (Target(), "There is no board"),
    (Target(Found(PortInfo("COM3"), connect.SILENT, say="It says nothing.")),
     "It says nothing. Where MicroPython is not on it"),
    (Target(Found(PortInfo("COM3"), connect.BUSY, say="COM3 is busy.")), "COM3 is busy."),
])
def test_where_there_is_no_micropython(meant, words):
    with pytest.raises(GridglowError) as error:
        flash(meant, None)
    assert words in sentence(error)


# Which Pico


@pytest.fixture
def here(monkeypatch):
    """The boards and drives of this computer: here(boards, drives)."""

    def put(found=(), drives=()):
        monkeypatch.setattr(flashing, "boards", lambda ports=None: list(found))
        monkeypatch.setattr(flashing, "find_drives", lambda: list(drives))

    return put


PICO = Found(PortInfo("/dev/ttyACM0", "E66"), connect.MICROPYTHON, {"name": "Kitchen"})
RPI = Drive(Path("/media/RPI-RP2"), "rp2040")


def test_the_only_one_is_meant(here):
    here([PICO])
    assert target() == Target(PICO)
    here([], [RPI])
    assert target() == Target(drive=RPI)
    here()
    assert target() == Target()
    here([PICO], [RPI])
    assert target(port="/dev/ttyACM0") == Target(PICO, before=(RPI.path,))


def test_a_board_and_another_in_its_boot_loader_are_unclear(here):
    here([PICO], [RPI])
    with pytest.raises(GridglowError) as error:
        target()
    said = sentence(error)
    assert "It is unclear which Pico is meant" in said
    assert "/media/RPI-RP2 (--drive)" in said and "Kitchen at /dev/ttyACM0 (--port)" in said


def test_a_drive_that_is_named(tmp_path):
    make_drive(tmp_path / "drive", "rp2350")
    assert target(drive=tmp_path / "drive").drive.chip == "rp2350"
    with pytest.raises(GridglowError) as error:
        target(drive=tmp_path)
    assert "is no drive of a Pico: there is no INFO_UF2.TXT in it" in sentence(error)


@pytest.mark.parametrize("name", ["", " x", "x" * 21, "a\nb"])
def test_names_that_a_board_cannot_have(name):
    with pytest.raises(GridglowError) as error:
        flash(Target(PICO), None, name=name)
    assert "A board's name has 1 to 20 letters" in str(error.value)


# The command


def test_the_command(tmp_path, uf2, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        put_on = command.put_on
        monkeypatch.setattr(command, "put_on", lambda *a, **k: put_on(*a, **k, look=loader.look, hidden=lambda: ""))
        data = str(tmp_path / "data")
        result = CliRunner().invoke(main, ["--data", data, "flash", "--uf2", str(uf2.path), "--port", board.port, "--json"])
        assert result.exit_code == 0, result.output
        told = json.loads(result.stdout)
        assert told["sent"] == 3 and told["saves"] == 3 and told["micropython"] == running_version()
        assert "is copied to" in result.stderr


def test_a_bad_file_is_refused_before_the_board_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "target", lambda *_: pytest.fail("The board was asked."))
    (tmp_path / "x.uf2").write_bytes(b"hello")
    result = CliRunner().invoke(main, ["flash", "--uf2", str(tmp_path / "x.uf2")], prog_name="gridglow")
    assert result.exit_code == 1
    assert result.stderr.startswith("gridglow: x.uf2 is no UF2")
