"""A board with the fake firmware behind a pseudo-terminal, for commands that mirror a board: `watch` and `logs`."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import threading
import time
import tty

from browser import fake_root
from shared_rules.link_table import TO_BOARD, Decoder

#: A race that the whole firmware accepts.
RACE = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1,
        "players": [["person", "Ann"], ["bot", "Bo"]]}


class BoardOnALine:
    """The tests' firmware behind a pseudo-terminal, whose cable can be pulled and put back while it runs on."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        self.port = str(folder / "port")
        self.arguments = arguments
        self.heard = []
        self._decoder = Decoder(TO_BOARD)
        self._master = None
        self._lock = threading.Lock()
        self._stopping = False

    def __enter__(self):
        fake_root(self.folder)
        self.plug()
        self.power_on()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping = True
        self._thread.join(10)
        self._power_off()
        self.unplug()

    @property
    def kinds(self):
        """The types of the messages sent to the board."""
        return [message["t"] for message in self.heard]

    def power_on(self):
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        self._child = subprocess.Popen([sys.executable, "-u", "main.py", *self.arguments], cwd=self.folder, env=environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.set_blocking(self._child.stdout.fileno(), False)

    def _power_off(self):
        self._child.kill()
        self._child.wait()
        self._child.stdin.close()
        self._child.stdout.close()

    def end_program(self, last_words):
        """The program has ended with these words, and MicroPython's prompt echoes its input."""
        with self._lock:
            self._power_off()
            self._child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            os.set_blocking(self._child.stdout.fileno(), False)
            os.write(self._master, last_words + b"\r\n>>> ")

    def reset(self):
        """The firmware restarts, and the port disappears meanwhile."""
        with self._lock:
            self._unplug()
            self._power_off()
            self.power_on()

    def plug(self):
        with self._lock:
            self._master, slave = pty.openpty()
            tty.setraw(slave)
            os.symlink(os.ttyname(slave), self.port)
            os.close(slave)
            os.set_blocking(self._master, False)

    def unplug(self):
        with self._lock:
            self._unplug()

    def _unplug(self):
        if self._master is not None:
            os.unlink(self.port)
            os.close(self._master)
            self._master = None

    @property
    def alive(self):
        return self._child.poll() is None

    def _run(self):
        waiting = b""
        while not self._stopping:
            with self._lock:
                waiting = self._move(waiting)
            time.sleep(0.001)

    def _move(self, waiting):
        if len(waiting) < 8192:
            waiting += self._child.stdout.read(4096) or b""
        if self._master is None:
            return b""
        poll = select.poll()
        poll.register(self._master, select.POLLIN | select.POLLOUT)
        events = dict(poll.poll(0)).get(self._master, 0)
        if events & select.POLLIN:
            with contextlib.suppress(OSError):
                data = os.read(self._master, 4096)
                self.heard += self._decoder.feed(data)
                self._child.stdin.write(data)
                self._child.stdin.flush()
        if events & select.POLLHUP:
            return b""  # nobody has the port open
        if waiting and events & select.POLLOUT:
            with contextlib.suppress(OSError):
                waiting = waiting[os.write(self._master, waiting[:2048]) :]
        return waiting


def about(**more):
    """What a board says about itself in a race of the fake firmware."""
    return {"name": "Kitchen", "board": "mini", "state": "race", "race": {"game": "ring_game", "track": "gp-ring"}, **more}
