"""An emulated Pico in its own process, as `gridglow emulate` offers it, for tests that run when GRIDGLOW_UF2
names the UF2 of our own firmware: `make test-pico`.

    with Emulated(tmp_path, "mini", "--bare") as pico:
        pico.call("boards")                    a command of gridglow on its port: (exit code, output, errors)
        pico.do(do="press", panel=1, key="OK") see gridglow.virtual.pico.control
"""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
UF2 = os.environ.get("GRIDGLOW_UF2", "")
GRIDGLOW = [sys.executable, "-m", "gridglow.cli"]
COMMAND_S = 1800
TEST_S = 3 * 3600


def needs_uf2(test):
    """Skips a test if there is no UF2 file, and gives it the time that an emulated board needs on a busy computer."""
    skipped = pytest.mark.skipif(not UF2, reason="GRIDGLOW_UF2 names no UF2 of our own firmware; make test-pico does")
    return pytest.mark.timeout(TEST_S)(skipped(test))


def python_path():
    """Where a command finds its packages: in this checkout. Those in front of it stay there."""
    here = [str(ROOT), str(ROOT / "host")]
    before = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one and Path(one).is_absolute()]
    return os.pathsep.join([*before, *here])


def environment(folder):
    """A command's environment, with its own data folder."""
    return {**os.environ, "PYTHONPATH": python_path(), "GRIDGLOW_DATA": str(folder / "data"), "CI": "1"}


class Emulated:
    """The board; `port` is its serial line, `drive` where its boot loader's drive appears."""

    def __init__(self, folder, board, *more, uf2=UF2):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.drive = self.folder / "RPI-RP2"
        self._control = self.folder / "control"
        self._command = [*GRIDGLOW, "emulate", "--uf2", uf2, "--board-file", board, "--json", "--control",
                         str(self._control), "--boot-drive", str(self.drive), *map(str, more)]

    def __enter__(self):
        self._child = subprocess.Popen(self._command, env=environment(self.folder), stdout=subprocess.PIPE, text=True)
        line = self._child.stdout.readline()
        assert line, "the emulated board has not started"
        self.port = json.loads(line)["port"]
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(self._control))
        self._line = self._socket.makefile("rwb")
        return self

    def __exit__(self, *_):
        self._line.close()
        self._socket.close()
        self._child.send_signal(signal.SIGINT)     # so that it keeps its flash, if a file for it was named
        self._child.wait(60)
        self._child.stdout.close()

    def do(self, **asked):
        """Operate a part, or read it; returns the answer."""
        self._line.write(json.dumps(asked).encode() + b"\n")
        self._line.flush()
        answer = json.loads(self._line.readline())
        assert answer["ok"], answer
        return answer

    def call(self, *words):
        """A command on its port, which must succeed; returns (its output, its errors)."""
        command = [*GRIDGLOW, *map(str, words), "--port", self.port]
        done = subprocess.run(command, env=environment(self.folder), capture_output=True, text=True, timeout=COMMAND_S,
                              stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
        return done.stdout, done.stderr
