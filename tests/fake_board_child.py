"""The inside of a fake board: what a Pico does between power-on and its prompt. Runs under MicroPython (unix) with -i.

    fake_board_child.py FOLDER RAW MPY FULL_AT BLOCKS NAMES

FOLDER holds flash.img and the notes that this process leaves for tests/fake_board.py. RAW 1: the last prompt was a raw
one, so main.py doesn't run, as after a soft reset by a tool. MPY: what sys.implementation._mpy shall be, 0 for the real
one. FULL_AT: after so many block writes the flash takes no more, 0 for never. NAMES: modules of tests/fake_pico/lib.
"""

import json
import os
import sys

import vfs

FOLDER, RAW, MPY, FULL_AT, BLOCKS, NAMES = sys.argv[1:7]
BLOCK_BYTES = 4096


class Flash:
    """A block device in a file."""

    def __init__(self, path):
        self.file = open(path, "r+b")
        self.count = int(BLOCKS)
        self.left = int(FULL_AT)

    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * BLOCK_BYTES + offset)
        self.file.readinto(buffer)

    def writeblocks(self, block, buffer, offset=None):
        if self.left:
            self.left -= 1
            if not self.left:
                self.left = 1
                raise OSError(28)
        self.file.seek(block * BLOCK_BYTES + (offset or 0))
        self.file.write(buffer)

    def ioctl(self, op, _arg):
        if op == 4:
            return self.count
        if op == 5:
            return BLOCK_BYTES
        return 0


class Sys:
    """The module sys with another idea of which .mpy files this MicroPython loads."""

    class implementation:
        name = "micropython"
        version = sys.implementation.version
        _machine = sys.implementation._machine
        _mpy = int(MPY)

    def __getattr__(self, name):
        return getattr(_real_sys, name)


class NoChip:
    """The module machine of a board without parts."""

    unique_id = staticmethod(lambda: b"\xe6\x61\x00\x01\x02\x03\x04\x05")


_real_sys = sys


def end(how):
    """What a reset does: nothing runs any more. `how` is left for the supervisor."""
    os.system("echo %s > %s/reset; kill -9 $PPID" % ("hard" if how == "watchdog" else how, FOLDER))


def prepare():
    """Modules of the chip, then the flash in place of this machine's files."""
    lib = [place for place in sys.path if place.endswith("tests")][0] + "/fake_pico/lib"
    sys.path.insert(0, lib)
    for name in NAMES.split(","):
        if name:
            __import__(name)
    machine = sys.modules.setdefault("machine", NoChip())
    machine.reset = lambda: end("hard")
    machine.soft_reset = lambda: end("soft")
    machine.bootloader = lambda *_: end("bootloader")
    bench = None
    if "fake_pico" in sys.modules:
        from bench_line import BenchLine
        from fake_pico import board
        board.on_reset = end
        bench = BenchLine(FOLDER)
        board.timers.append(bench)
    if int(MPY):
        sys.modules["sys"] = Sys()
    del sys.path[:]
    sys.path.extend(("", ".frozen", "/lib"))
    del sys.argv[:]
    flash = vfs.VfsLfs2(Flash(FOLDER + "/flash.img"), progsize=256)  # as a Pico's
    open(FOLDER + "/started", "w").close()
    vfs.umount("/")
    vfs.mount(flash, "/")
    os.chdir("/")
    if bench:
        try:
            with open("board.json") as file:
                bench.setup(json.load(file))
        except (OSError, ValueError):
            pass


def run(name):
    """Runs a file of the flash as the board does; what goes wrong is printed, and the prompt follows."""
    try:
        os.stat(name)
    except OSError:
        return True
    try:
        with open(name) as file:
            text = file.read()
        exec(compile(text, name, "exec"), globals())
    except SystemExit:
        end("soft")
    except BaseException as error:
        _real_sys.print_exception(error, _real_sys.stdout)
        return False
    return True


prepare()
if run("boot.py") and RAW != "1":
    run("main.py")
