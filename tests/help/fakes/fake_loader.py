"""A fake board's boot loader, and the ways into it: drives, and boards that go there or refuse."""

import shutil
import threading
import time

import pytest

from gridglow import paths
from gridglow.device import bootloader, connect
from gridglow.device.bootloader import find_drives
from gridglow.device.connect import Found, boards
from gridglow.device.ports import PortInfo
from gridglow.firmware.uf2 import read_mark

INFO = {
    "rp2040": "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n",
    "rp2350": "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n",
}


def make_drive(folder, chip="rp2040"):
    folder.mkdir(parents=True)
    (folder / bootloader.INFO).write_text(INFO[chip])
    return folder


class Loader:
    """The boot loader of a fake board: a drive that appears, and vanishes when a UF2 has been copied onto it.
    The board then has that file's program, from those in `programs`."""

    def __init__(self, board, folder, *programs, chip="rp2040", takes=True):
        self.board = board
        self.folder = folder
        self.programs = {one.id: one for one in programs}
        self.chip = chip
        self.takes = takes
        self.copied = []
        board.on_bootloader = self.entered

    def look(self):
        return find_drives([self.folder])

    def entered(self, board):
        if not self.folder.exists():
            make_drive(self.folder, self.chip)
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self):
        file = self.folder / "firmware.uf2"
        size = -1
        while self.takes:
            time.sleep(0.02)
            now = file.stat().st_size if file.exists() else -1
            if now > 0 and now == size:
                data = file.read_bytes()
                self.copied.append(data)
                shutil.rmtree(self.folder)
                mark = read_mark(data[32:288] + data[544:800] + data[1056:1312])
                self.board.load(self.programs[mark.id] if mark else None)
                self.board.leave_bootloader()
                return
            size = now


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
    one = FakeFound(PortInfo("/dev/ttyACM9", "E66", 0x2E8A), state, about or {"state": "idle"})
    object.__setattr__(one, "ways", ways)
    object.__setattr__(one, "tried", [])
    return one


def found(board):
    """What `connect` finds at the port of a fake board."""
    return boards([board.port])[0]


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """Shorter limits, and no drive of this computer."""
    monkeypatch.setattr(connect, "LINK_S", 8.0)
    monkeypatch.setattr(connect, "PROMPT_S", 0.5)
    monkeypatch.setattr(bootloader, "_mounts", list)
    monkeypatch.setattr(bootloader, "COPIED_S", 5.0)
    monkeypatch.setattr(bootloader, "ASKED_S", 4.0)
    monkeypatch.setattr(bootloader, "BY_HAND_S", 1.0)
    paths.choose_data_folder(tmp_path / "data")
    yield
    paths.choose_data_folder(None)


def sentence(error):
    """The message to people, which must be one sentence."""
    text = str(error.value)
    assert "\n" not in text and "Traceback" not in text and "Errno" not in text
    return text
