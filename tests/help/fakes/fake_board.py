"""A board without hardware: the real MicroPython (unix) behind a pseudo-terminal, with a flash, a prompt and resets.

    with FakeBoard(tmp_path, files={"main.py": b"..."}) as board:
        serial.Serial(board.port)

It has what a Pico has: littlefs of 1,441,792 bytes in a file, boot.py and main.py, Ctrl-C, friendly and raw
prompt, soft reset (Ctrl-D), hard reset (the port goes away and comes back), boot loader (it goes away). With
`program` it has Gridglow's own program (`fake_program`) instead of a stock MicroPython, and littlefs of
786,432 bytes at the flash's end. `faults` switches on what boards and cables do on bad days.
"""

import contextlib
import errno
import fcntl
import json
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import termios
import threading
import time
import tty
from pathlib import Path

from gridglow.device import connect
from gridglow.micropython import find_micropython

BLOCK_BYTES = 4096
BLOCKS = 352
PROGRAM_BLOCKS = 192
#: How many blocks, from the start of a stock board's file system, a program of ours takes.
TAKEN_BLOCKS = 90
HERE = Path(__file__).resolve().parent
LIB = HERE / "fake_pico" / "lib"
CHILD = HERE.parent / "children" / "fake_board_child.py"
#: Modules of the chip that the firmware imports by name; these import the others.
CHIP_MODULES = ("time", "machine", "rp2")
RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n"
FRIENDLY_PROMPT = b"\r\n>>> "
WAITING_BYTES = 4096
PICO = "Raspberry Pi Pico with RP2040"
connect.LINK_S = 16.0  # it shares its computer with other tests, unlike a Pico


class FakeBoard:
    """One board. `faults`: words of "flood", "garbage", "slow", "silent", "damage" (one letter in every eighth piece).

    `files`: path -> bytes, the initial flash; `folder` keeps flash.img, so a second FakeBoard on it continues
    with it. `unplug_at`: the cable comes out after this many bytes from the host; `full_at`: the flash is
    full after this many block writes; `mpy`: the value of sys.implementation._mpy; `machine`: what it says it
    is; `blocks`: the size of the flash.
    """

    awake_s = 0.1  # how long a Ctrl-C waits for a program to sleep
    back_s = 0.3  # how long the port is gone at a hard reset

    def __init__(self, folder, files=None, faults=(), unplug_at=None, full_at=0, mpy=0, blocks=BLOCKS, heap_kb=None,
                 name="port", program=None, machine=None):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = str(self.folder / name)
        self.faults = set(faults)
        self.unplug_at = unplug_at
        self.full_at = full_at
        self.mpy = mpy
        self.all_blocks = blocks
        self.program = program
        self.machine = machine or (PICO if program else "-")
        self.heap_kb = heap_kb or (4096 if program else 1024)
        self.in_bootloader = False
        self.on_bootloader = None  # called with the board once it is in its boot loader
        self.starts = 0
        self.came = 0  # bytes from the host
        self.went = 0  # bytes to it
        self.said = b""  # the last of the board's output
        self.damaged = 0  # pieces, both ways
        self._raw = False
        self._plugged = False
        self._outer = None
        self._inner = None
        self._child = None
        self._to_host = b""
        self._to_board = b""
        self._stopping = False
        self._ready = False  # boot.py is running or has run
        self._interrupt_by = 0  # the latest time for a waiting Ctrl-C to go through
        self._lock = threading.RLock()
        self._random = random.Random(7)
        self._thread = None
        for line in ("control", "answers"):  # opened here for both ways, so that neither end waits for the other
            if not (self.folder / line).exists():
                os.mkfifo(self.folder / line)
        self._control = os.open(self.folder / "control", os.O_RDWR)
        self._answers = os.fdopen(os.open(self.folder / "answers", os.O_RDWR), "rb", buffering=0)
        if files is not None or not (self.folder / "flash.img").exists():
            self.write_flash(files or {})

    # The flash

    @property
    def blocks(self):
        """The number of blocks of the file system, at the end of the flash."""
        return min(PROGRAM_BLOCKS, self.all_blocks) if self.program else self.all_blocks

    def load(self, program):
        """What a boot loader does with a UF2: the program (None: a stock MicroPython) is stored in the flash,
        overwriting the file system's first blocks."""
        self.program = program
        self.machine = PICO
        self.heap_kb = 4096 if program else 1024
        with open(self.folder / "flash.img", "r+b") as file:
            file.write(b"\xaa" * TAKEN_BLOCKS * BLOCK_BYTES)

    def spoil(self, first=0, count=2):
        """Spoil `count` blocks of the file system, from `first` on; best while the board is off."""
        with open(self.folder / "flash.img", "r+b") as file:
            for block in range(first, first + count):
                file.seek((self.all_blocks - self.blocks + block) * BLOCK_BYTES)
                file.write(b"\x5a" * BLOCK_BYTES)

    def raw(self):
        """The file system's part of the flash."""
        return (self.folder / "flash.img").read_bytes()[-self.blocks * BLOCK_BYTES:]

    def _file_system(self, image=None):
        import littlefs

        context = littlefs.UserContext(self.blocks * BLOCK_BYTES)
        if image is not None:
            context.buffer[: len(image)] = image
        fs = littlefs.LittleFS(context=context, mount=False, block_size=BLOCK_BYTES, block_count=self.blocks,
                               prog_size=256, read_size=32, cache_size=1024,  # as in MicroPython
                               disk_version=0x00020000 if image is None else 0)
        if image is None:
            fs.format()
        fs.mount()
        return fs, context

    def write_flash(self, files):
        """Rewrite the flash with these files. Only while the board isn't running."""
        fs, context = self._file_system()
        for path, data in files.items():
            parent = os.path.dirname(path)
            if parent:
                fs.makedirs("/" + parent, exist_ok=True)
            with fs.open("/" + path, "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
        before = b"\xff" * (self.all_blocks - self.blocks) * BLOCK_BYTES
        (self.folder / "flash.img").write_bytes(before + bytes(context.buffer))

    def files(self):
        """What is on the flash now: path -> bytes. While the board is writing, a file may be half written."""
        fs, _context = self._file_system(self.raw())
        found = {}
        for top, _folders, names in fs.walk("/"):
            for name in names:
                path = top.rstrip("/") + "/" + name
                with fs.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
        return found

    # Power and cable

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Power on and plug in."""
        with self._lock:
            self._stopping = False
            self.plug()
            self._start_child()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.wait_started()

    def wait_started(self, limit_s=60):
        """Wait until boot.py is about to run; host input before that waits too."""
        end = time.monotonic() + limit_s
        while not self._started():
            if time.monotonic() > end:
                raise TimeoutError(f"The fake board has not started within {limit_s} s: {self.said!r}")
            time.sleep(0.005)

    def _started(self):
        return self._ready or (self.folder / "started").exists()

    def stop(self):
        """Power off."""
        self._stopping = True
        if self._thread:
            self._thread.join(5)
        with self._lock:
            self._kill_child()
            self.unplug()

    def power_cut(self):
        """Power off and on again at once, in the middle of anything."""
        with self._lock:
            self._kill_child()
            self._raw = False
            self.unplug()
            self.plug()
            self._start_child()

    def plug(self):
        """Put the cable in: `port` is there."""
        with self._lock:
            if self._plugged:
                return
            master, slave = pty.openpty()
            tty.setraw(slave)
            path = os.ttyname(slave)
            os.close(slave)  # while no host has it open the board's words are lost, as a Pico's are
            os.set_blocking(master, False)
            new = self.port + ".new"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new)
            os.symlink(path, new)
            os.replace(new, self.port)
            self._outer = master
            self._to_host = b""
            self._plugged = True

    def unplug(self):
        """Pull the cable: the port goes away; the board goes on."""
        with self._lock:
            if not self._plugged:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.port)
            os.close(self._outer)
            self._outer = None
            self._plugged = False
            self._to_board = b""

    @property
    def alive(self):
        """Whether the board's processor is running."""
        return self._child is not None and self._child.poll() is None

    def leave_bootloader(self):
        """What the boot loader does after a UF2 was copied: it starts the board."""
        with self._lock:
            self.in_bootloader = False
            self._raw = False
            self.plug()
            self._start_child()

    # What people do to it (see fake_pico/lib/bench_line.py)

    def do(self, limit_s=10, **what):
        """Do something to the board's parts, or read them with show=0; returns the answer."""
        os.write(self._control, (json.dumps(what) + "\n").encode())
        if not select.select([self._answers], [], [], limit_s)[0]:
            raise TimeoutError(f"The fake board did not do {what} within {limit_s} s: {self.said[-400:]!r}")
        return json.loads(self._answers.readline())

    def click(self, panel, key):
        """Press a key and release it, as fast as people do."""
        self.do(press=[panel, key])
        time.sleep(0.06)
        self.do(release=[panel, key])
        time.sleep(0.06)

    def pixels(self, place):
        """RGB of output `place` (from 0), as bytes."""
        return bytes.fromhex(self.do(show=0)["pixels"][place])

    # Inside

    def _start_child(self):
        (self.folder / "started").unlink(missing_ok=True)
        self._ready = False
        inner, slave = pty.openpty()
        tty.setraw(slave)
        settings = termios.tcgetattr(slave)
        settings[6][termios.VMIN] = 0  # a program that asks for more than has come gets what there is; the prompt waits
        termios.tcsetattr(slave, termios.TCSANOW, settings)
        names = [name for name in CHIP_MODULES if (LIB / f"{name}.py").exists()]
        command = [find_micropython(), "-X", f"heapsize={self.heap_kb}k", "-i", str(CHILD), str(self.folder.resolve()),
                   "1" if self._raw else "0", str(self.mpy), str(self.full_at), str(self.blocks), ",".join(names),
                   str(self.program.folder.resolve()) if self.program else "-", self.machine]

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # until MicroPython itself listens to it

        self._child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, preexec_fn=own_terminal,
                                       env={**os.environ, "MICROPYPATH": str(LIB), "TERM": "dumb"}, cwd=self.folder)
        os.close(slave)
        os.set_blocking(inner, False)
        self._inner = inner
        self.starts += 1
        if self._raw:
            os.write(inner, b"\x01")

    def _kill_child(self):
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
            self._child = None
        if self._inner is not None:
            os.close(self._inner)
            self._inner = None

    def _run(self):
        while not self._stopping:
            with self._lock:
                self._step()
            time.sleep(0.0005)

    def _step(self):
        """Move on whatever can be moved, once."""
        moved = self._from_board() if len(self._to_host) < WAITING_BYTES else False
        if not moved and self._child is not None and self._child.poll() is not None:
            self._ended()
        if "flood" in self.faults and self._plugged and len(self._to_host) < WAITING_BYTES:
            self._to_host += b'<{"t":"fault","say":"flood"}*00000000\r\n' * 20
        self._host_side()
        if not self._ready and self._inner is not None:
            self._ready = (self.folder / "started").exists()
        if self._to_board and self._inner is not None and self._ready:
            self._to_child()

    def _to_child(self):
        """Pass on what the host has sent; Ctrl-C interrupts a running program, and is a character at the prompt."""
        if self._to_board[:1] == b"\x03" and self._runs_program():
            self._interrupt()
            return
        end = self._to_board.find(b"\x03", 1)
        with contextlib.suppress(BlockingIOError, OSError):
            sent = os.write(self._inner, self._to_board[: min(512, end if end > 0 else 512)])
            self._to_board = self._to_board[sent:]

    def _interrupt(self):
        """Ctrl-C for a running program. On a Pico it waits for the end of a program step; here the signal
        interrupts whatever MicroPython is doing, and while it tidies its heap that would be fatal. So it
        waits until the program sleeps, but not for long: a program may never sleep."""
        now = time.monotonic()
        self._interrupt_by = self._interrupt_by or now + self.awake_s
        if now < self._interrupt_by and self._status("State:") != "S":
            return
        self._interrupt_by = 0
        os.kill(self._child.pid, signal.SIGINT)
        self._to_board = self._to_board[1:]

    def _runs_program(self):
        """Whether MicroPython is running a program: only then does it listen to SIGINT."""
        caught = self._status("SigCgt:")
        return bool(int(caught or "0", 16) & 1 << (signal.SIGINT - 1))

    def _status(self, key):
        """A value that Linux reports about the processor's process, "" once it has gone."""
        try:
            lines = Path(f"/proc/{self._child.pid}/status").read_text().splitlines()
        except OSError:
            return ""
        return next((line.split()[1] for line in lines if line.startswith(key)), "")

    def _from_board(self):
        if self._inner is None:
            return False
        try:
            data = os.read(self._inner, 2048)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        if not data:
            return False
        self.said = (self.said + data)[-65536:]
        if RAW_BANNER in self.said[-(len(data) + 40):]:
            self._raw = True
        if self.said.endswith(FRIENDLY_PROMPT):
            self._raw = False
        if "silent" in self.faults:
            return True
        if "garbage" in self.faults and self._random.random() < 0.5:
            noise = bytes(self._random.choice(b"AT+<>{}\x00\xff\"\n*") for _ in range(self._random.randrange(60)))
            data = noise + b"\r\n" + data if data[:1] in b"<\r" else data
        if self._plugged:
            self._to_host += self._damaged(data)
        return True

    def _damaged(self, data):
        """What comes out at the other end of a bad line."""
        if not data or "damage" not in self.faults or self._random.random() > 0.125:
            return data
        self.damaged += 1
        at = self._random.randrange(len(data))
        return data[:at] + b"~" + data[at + 1:]

    def _host_side(self):
        if not self._plugged:
            return
        poll = select.poll()
        poll.register(self._outer, select.POLLIN | select.POLLOUT)
        events = dict(poll.poll(0)).get(self._outer, 0)
        if events & select.POLLHUP:  # no host has it open
            self._to_host = b""
        if events & select.POLLIN:
            with contextlib.suppress(BlockingIOError, OSError):
                data = os.read(self._outer, 4096 if len(self._to_board) < 65536 else 0)
                if "slow" in self.faults:
                    time.sleep(len(data) / 2000)
                if self.unplug_at is not None and self.came + len(data) >= self.unplug_at:
                    self._to_board += data[: max(0, self.unplug_at - self.came)]
                    self.came += len(data)
                    self.unplug_at = None
                    left, self._to_board = self._to_board, b""
                    if self._inner is not None:
                        with contextlib.suppress(OSError):
                            os.write(self._inner, left)
                    self.unplug()
                    return
                self.came += len(data)
                if "silent" not in self.faults:
                    self._to_board += self._damaged(data)
        if self._to_host and events & select.POLLOUT and not events & select.POLLHUP:
            piece = self._to_host[:40] if "slow" in self.faults else self._to_host[:2048]
            with contextlib.suppress(BlockingIOError, OSError):
                sent = os.write(self._outer, piece)
                self.went += sent
                self._to_host = self._to_host[sent:]
                if "slow" in self.faults:
                    time.sleep(sent / 2000)

    def _ended(self):
        note = self.folder / "reset"
        how = note.read_text().strip() if note.exists() else "soft"
        note.unlink(missing_ok=True)
        self._kill_child()
        self._to_board = b""
        if how == "bootloader":
            self.in_bootloader = True
            self.unplug()
            if self.on_bootloader:
                threading.Thread(target=self.on_bootloader, args=(self,), daemon=True).start()
            return
        if how == "hard":
            self._raw = False
            self.unplug()
            self._lock.release()
            try:
                time.sleep(self.back_s)
            finally:
                self._lock.acquire()
            self.plug()
        elif self._plugged:
            self._to_host += b"MPY: soft reboot\r\n"
        self._start_child()


def gridglow_files(folder, board="full", **build_options):
    """A device folder for a Pico with its manifest, as FakeBoard takes it: path -> bytes. A board without a
    program runs from it."""
    from gridglow.device import manifest
    from gridglow.firmware.image import build

    image = build(folder, board, **{"target": "pico", "native": None, **build_options})
    head = {"fw": "1", "board": board, "tracks": "all", "languages": "all"}
    return {**image.contents, manifest.NAME: manifest.of_files(image.contents, head).text()}


@contextlib.contextmanager
def racing_board(folder, board):
    """A FakeBoard with MotoGrandPrix and GP Ring on it."""
    from gridglow.tracks import load_track

    files = gridglow_files(folder / "device", board, tracks=[load_track("gp-ring")], games=["moto_grand_prix"])
    with FakeBoard(folder / "board", files) as one:
        yield one


def main():
    """Run a fake board with Gridglow's program until Ctrl-C: fake_board.py FOLDER; FOLDER stock: MicroPython alone."""
    from fake_program import make_program

    folder = Path(sys.argv[1])
    with FakeBoard(folder, program=None if sys.argv[2:] == ["stock"] else make_program(folder / "program")) as board:
        print(board.port, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(1)


if __name__ == "__main__":
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    main()
