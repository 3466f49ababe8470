"""`gridglow flash`: from a bare Pico to a board, with its saves kept on the way. Drive and board are fakes."""

import json
import shutil
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_board import FakeBoard, gridglow_files
from test_bootloader import file_of, found_with, make_drive, running_version, sentence, uf2  # noqa: F401

from gridglow import paths
from gridglow.cli import flash as command
from gridglow.cli.main import main
from gridglow.device import bootloader, connect
from gridglow.device import flash as flashing
from gridglow.device.bootloader import Drive, find_drives
from gridglow.device.connect import Found, boards
from gridglow.device.flash import Flashed, Target, flash, target
from gridglow.device.ports import PortInfo
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError

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
        assert flash(Target(boards([board.port])[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "").saved == 3
        assert board.files() == SAVES


def test_a_board_without_saves(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        done = flash(Target(boards([board.port])[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "")
    assert done.saved == 0 and loader.copied == uf2.data


def test_the_saves_stay_in_their_file_when_it_fails_half_way(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2", takes=False)
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "")
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
            flash(Target(boards([board.port])[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "")
    assert str(error.value).startswith("The flash is full. Its saves are kept in ")
    assert len(list((tmp_path / "data" / "backups").iterdir())) == 1


def test_the_wrong_chip_is_seen_at_the_drive_before_anything_is_copied(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RP2350", chip="rp2350")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "")
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
        flash(Target(found), file_of(tmp_path / "x.uf2", version, machine), board_file="mini")
    assert words in sentence(error)
    assert "nothing was changed" in str(error.value)
    assert found.tried == []


def test_another_version_afterwards_is_told(tmp_path, installed):
    with FakeBoard(tmp_path / "board", files={}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), file_of(tmp_path / "x.uf2", "1.99.0"), board_file="mini",
                  look=loader.look, hidden=lambda: "")
    assert f"The board runs MicroPython {running_version()} after x.uf2 (MicroPython 1.99.0" in sentence(error)


@pytest.mark.parametrize("board_file, words", [
    (None, "say which it becomes with --board-file mini, --board-file full or the name of a file of your own. Nothing was"),
    ("minni", "There is no board 'minni'; did you mean"),
])
def test_a_bare_board_is_not_flashed_before_somebody_says_what_it_becomes(tmp_path, uf2, installed, board_file, words):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        board.on_bootloader = lambda _: pytest.fail("It went into its boot loader.")
        with pytest.raises(GridglowError) as error:
            flash(Target(boards([board.port])[0]), uf2, board_file=board_file)
        assert words in str(error.value)
        with pytest.raises(GridglowError):
            flash(Target(drive=Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")), uf2, board_file=board_file)
        assert board.starts == 1 and not (tmp_path / "RPI-RP2" / "firmware.uf2").exists()


def test_a_board_that_says_which_it_is_keeps_that(tmp_path, uf2, installed):
    with FakeBoard(tmp_path / "board", files={"board.json": b'{"id": "full"}'}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        flash(Target(boards([board.port])[0]), uf2, look=loader.look, hidden=lambda: "")
    assert installed[0][1]["board_file"] is None


def test_a_person_is_asked_which_board_it_becomes(tmp_path, uf2, monkeypatch):
    asked = []

    class Ann:
        def ask(self, question, answers):
            asked.append((question, answers))
            return "full"

    monkeypatch.setattr(command, "somebody", Ann)
    monkeypatch.setattr(command, "put_on", lambda *a, board_file, **k: asked.append(board_file) or Flashed("it"))
    drive = make_drive(tmp_path / "RPI-RP2")
    result = CliRunner().invoke(main, ["flash", "--uf2", str(uf2.path), "--drive", str(drive)])
    assert result.exit_code == 0, result.output
    assert asked == [("Which board does this Pico become?", ["full", "mini"]), "full"]


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


def test_the_new_name_is_told(tmp_path):
    files = gridglow_files(tmp_path / "device", "mini", tracks=[load_track("gp-ring")])
    with FakeBoard(tmp_path / "board", files) as board:
        words = ["flash", "--port", board.port, "--tracks", "gp-ring", "--yes"]
        for name in ("Kitchen", "Hall"):
            result = CliRunner().invoke(main, [*words, "--name", name])
            assert result.exit_code == 0, result.output
            assert result.stdout.startswith(f"{name} at {board.port}")


# The command


def test_the_command(tmp_path, uf2, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", files=SAVES) as board:
        loader = Loader(board, tmp_path / "RPI-RP2")
        put_on = command.put_on
        monkeypatch.setattr(command, "put_on", lambda *a, **k: put_on(*a, **k, look=loader.look, hidden=lambda: ""))
        data = str(tmp_path / "data")
        result = CliRunner().invoke(main, ["--data", data, "flash", "--uf2", str(uf2.path), "--port", board.port, "--json",
                                           "--board-file", "mini"])
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
