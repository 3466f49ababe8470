"""The inside of a fake board: what a Pico does between power-on and its prompt. Runs under MicroPython (unix) with -i.

    fake_board_child.py FOLDER RAW MPY FULL_AT BLOCKS NAMES PROGRAM MACHINE

FOLDER holds flash.img and the notes that this process leaves for fakes/fake_board.py. RAW 1: the last prompt
was raw, so main.py doesn't run, as after a soft reset by a tool. MPY: the value for sys.implementation._mpy,
0 for the real one. FULL_AT: after this many block writes the flash takes no more, 0 for never. BLOCKS: those
of the file system, at the flash's end. NAMES: modules of fakes/fake_pico/lib. PROGRAM: the folder with the
frozen files, or "-". MACHINE: the value for sys.implementation._machine, "-" for the real one.
"""

import json
import os
import sys

import vfs

FOLDER, RAW, MPY, FULL_AT, BLOCKS, NAMES, PROGRAM, MACHINE = sys.argv[1:9]
BLOCK_BYTES = 4096
#: Where a fake board has its frozen files.
ROM = "/rom"


class Flash:
    """A block device in a file."""

    def __init__(self, path):
        self.file = open(path, "r+b")
        self.count = int(BLOCKS)
        self.begin = self.file.seek(0, 2) - self.count * BLOCK_BYTES
        self.left = int(FULL_AT)

    def readblocks(self, block, buffer, offset=0):
        self.file.seek(self.begin + block * BLOCK_BYTES + offset)
        self.file.readinto(buffer)

    def writeblocks(self, block, buffer, offset=None):
        if self.left:
            self.left -= 1
            if not self.left:
                self.left = 1
                raise OSError(28)
        self.file.seek(self.begin + block * BLOCK_BYTES + (offset or 0))
        self.file.write(buffer)

    def ioctl(self, op, _arg):
        if op == 4:
            return self.count
        if op == 5:
            return BLOCK_BYTES
        if op == 6:  # a write stores exactly what it says, so that only a block which stays unchanged need be erased
            self.file.seek(self.begin + _arg * BLOCK_BYTES)
            self.file.write(b"\xff" * BLOCK_BYTES)
        return 0


class Sys:
    """The module sys with a different idea of which .mpy files this MicroPython loads."""

    class implementation:
        name = "micropython"
        version = sys.implementation.version
        _machine = MACHINE if MACHINE != "-" else sys.implementation._machine
        _mpy = int(MPY) or sys.implementation._mpy

    def __getattr__(self, name):
        return getattr(_real_sys, name)


class Os:
    """The module os of a board, hiding the folder in which a fake one has its program."""

    def __getattr__(self, name):
        return getattr(_real_os, name)

    def ilistdir(self, *path):
        for entry in _real_os.ilistdir(*path):
            if entry[0] != ROM[1:]:
                yield entry

    def listdir(self, *path):
        return [name for name in _real_os.listdir(*path) if name != ROM[1:]]


class NoChip:
    """The module machine of a board without parts."""

    unique_id = staticmethod(lambda: b"\xe6\x61\x00\x01\x02\x03\x04\x05")


_real_sys = sys
_real_os = os


def end(how):
    """What a reset does: nothing runs any more. `how` is left for the supervisor."""
    os.system("echo %s > %s/reset; kill -9 $PPID" % ("hard" if how == "watchdog" else how, FOLDER))


def prepare():
    """Modules of the chip, then the flash instead of this machine's files."""
    sys.path.insert(0, [place for place in sys.path if place.endswith("fake_pico/lib")][0])
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
    if int(MPY) or MACHINE != "-":
        sys.modules["sys"] = Sys()
    del sys.path[:]
    sys.path.extend(("", ".frozen", "/lib"))
    del sys.argv[:]
    device = Flash(FOLDER + "/flash.img")
    if "rp2" in sys.modules:
        sys.modules["rp2"].Flash = lambda: device
    if PROGRAM == "-":
        open(FOLDER + "/started", "w").close()
        vfs.umount("/")
        try:
            vfs.mount(vfs.VfsLfs2(device, progsize=256), "/")
        except OSError:                            # a stock MicroPython silently formats what it can't mount
            vfs.VfsLfs2.mkfs(device, progsize=256)
            vfs.mount(vfs.VfsLfs2(device, progsize=256), "/")
        try:
            from hal import file_system
            file_system.state = "ok"               # as _boot.py has it
        except ImportError:                        # MicroPython alone
            pass
    else:
        rom = vfs.VfsPosix(PROGRAM)
        open(FOLDER + "/started", "w").close()
        vfs.umount("/")
        vfs.mount(rom, ROM)
        sys.path.insert(2, ROM)
        sys.modules["os"] = Os()
        import frozen_data

        from hal import changed, file_system
        changed.FROZEN = ROM + "/"
        file_system.mount()
    try:
        os.chdir("/")
    except OSError:                                # there is no file system
        pass
    if bench:
        try:
            with open("board.json") as file:
                bench.setup(json.load(file))
        except (OSError, ValueError):
            if PROGRAM != "-":
                bench.setup(json.loads(dict(frozen_data.FILES)["board.json"]))


def run(name):
    """Runs a file from the flash (or the program) as the board does; errors are printed, and the prompt follows."""
    name = name if PROGRAM == "-" else ROM + "/" + name
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
