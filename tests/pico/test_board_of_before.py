"""`gridglow flash` of an older board: stock MicroPython on the emulated Pico with Gridglow as files. It gets
the program and keeps its saves, though the new program lies where its file system began. `make test-pico`
runs this, and builds a stock MicroPython for it.
"""

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest
from emulated import GRIDGLOW, environment
from own_pico import SOURCES, STOCK_BYTES, TEST_S, flash_of_before, own_uf2
from small_board import small_image

from gridglow.boards.boardfile import board_json, load_board
from gridglow.device.backup import read_file
from gridglow.device.board_clock import ToldClock
from gridglow.firmware import build, sources
from gridglow.firmware.uf2 import read_uf2
from gridglow.virtual.pico.bootdrive import BootDrive
from gridglow.virtual.pico.flash import FLASH_BYTES, FlashImage
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow.virtual.pico.pty_port import PtyPort, serve_port

pytestmark = [pytest.mark.timeout(TEST_S),
              pytest.mark.skipif(not (SOURCES and os.environ.get("GRIDGLOW_ALL_GAMES")),
                                 reason="make test-pico with GRIDGLOW_FIRMWARE_SOURCES flashes an older board")]

SAVES = {"save/cards": b"04A1B2C3D4E5F6 red 3 *5b3f8a11\n", "save/leds-gp-ring": b"{}",
         "save/race.log": bytes(range(256)) * 40}
OWN = {"own.txt": b"mine"}


def stock_uf2():
    """Stock MicroPython for the Pico, built from the same sources."""
    cache = Path(os.environ["GRIDGLOW_FIRMWARE_CACHE"])
    found = sources.find(Path(SOURCES), cache, print)
    compiler, picotool = build._tools(found, cache, print)
    port, objects = found.micropython / "ports" / "rp2", cache / f"stock-{found.id}"
    objects.mkdir(exist_ok=True)
    environment = build._environment() | {"MICROPY_MPYCROSS": str(compiler), "MICROPY_GIT_TAG": build.TAG,
                                          "MICROPY_GIT_HASH": build.COMMIT}
    if not (objects / "firmware.uf2").is_file():
        for command in (["cmake", "-S", str(port), "-B", str(objects), "-DPICO_BUILD_DOCS=0", "-DMICROPY_BOARD=RPI_PICO",
                         f"-DMICROPY_BOARD_DIR={port / 'boards' / 'RPI_PICO'}", f"-Dpicotool_DIR={picotool}"],
                        ["make", "-C", str(objects), f"-j{os.cpu_count()}"]):
            build._run(command, environment, objects.with_suffix(".log"), print)
    return objects / "firmware.uf2"


class Served:
    """An emulated Pico behind a port, in a thread; time limits of commands count by its clock."""

    def __init__(self, folder, pico):
        self.folder, self.pico, self.port = folder, pico, PtyPort()
        self.drive = folder / "RPI-RP2"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self):
        clock, drive = ToldClock(self.port.path), BootDrive(self.pico, self.drive)

        def each_step():
            clock.tell(self.pico.now_us)
            drive.exchange()

        serve_port(self.pico, self.port, self._over.is_set, each_step)
        drive.close()
        clock.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(60)
        self.port.close()

    def call(self, *words):
        done = subprocess.run([*GRIDGLOW, *map(str, words), "--port", self.port.path], env=environment(self.folder),
                              capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout, done.stderr


def test_its_saves_come_over_by_a_backup_that_was_verified(tmp_path):
    before = small_image("1", tracks="gp-ring", languages="en").contents
    pico = EmulatedPico(stock_uf2(), FlashImage.bare())
    Console(pico, board_json(load_board("mini")))  # what hangs on its pins
    pico.mcu.flash[FLASH_BYTES - STOCK_BYTES:FLASH_BYTES] = flash_of_before({**before, **SAVES, **OWN})
    pico.mcu.flash[FLASH_BYTES - 9000:FLASH_BYTES - 1000] = bytes(8000)  # leftovers of a deleted file
    with Served(tmp_path, pico) as board:
        out, told = board.call("flash", "--uf2", own_uf2(), "--drive", board.drive, "--yes", "--json")
        done = json.loads(out)
        for words in ("3 of its saves", "Making a new file system.", "put back"):
            assert words in told, told
        assert (done["firmware"], done["program"], done["saves"]) == (True, read_uf2(own_uf2()).mark.id, len(SAVES)), done
        board.call("backup", tmp_path / "after.zip")
        assert {**read_file(tmp_path / "after.zip"), **SAVES} == read_file(tmp_path / "after.zip")
        (state,) = json.loads(board.call("boards", "--json")[0])["boards"]
        assert (state["fs"], state["board"], state["problems"]) == ("ok", "mini", []), state
    (kept,) = (tmp_path / "data" / "backups").glob("*.zip")  # with the files that belong only to its builder
    assert f"kept in {kept}" in told
