"""The emulated board as a child process, with the link's lines on stdin and stdout like every engine's child.

The emulation keeps a processor busy, so it stays out of the process that serves the page. For the firmware the lines
go over the emulated USB; keys are pressed on the emulated panels, and pixels and display are read off the emulated
wires: the firmware's own mirror of them is dropped.

The display itself doesn't show whether its content is a hand. In a race with secret prompts, everything shown while a
WHY key is held, and for a while after, counts as private.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path

from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow.virtual.pico.pty_port import Pace
from shared_rules.errors import GridglowError
from shared_rules.link_table import FROM_BOARD, TO_BOARD, decode, encode

FRAME_S = 1 / 30
SETTLED_US = 40_000  # the display is drawn page by page
PRIVATE_US = 1_000_000
#: The minimum time between changes of a key: a person's click takes a tenth of a second; a busy board needs some ms of its
#: own time, or its debouncing would miss the key.
HELD_US = 60_000
LEFT_OUT = ("px", "show")
WHY = "WHY"


class Child:
    """One board between two pipes. `folder` is its device folder."""

    def __init__(self, uf2: Path, folder: Path, taken: int = 0, given: int = 1) -> None:
        self.folder = folder
        self._taken, self._given = taken, given
        board = json.loads((folder / "board.json").read_text(encoding="utf-8"))
        self.pico = EmulatedPico(uf2, FlashImage.from_folder(folder), self._said)
        self.console = Console(self.pico, board)
        self.stopped = False
        self._pace = Pace(self.pico)
        self._part = bytearray()  # part of a line to the board
        self._line = bytearray()  # part of a line from it
        self._shown: dict[int, bytes] = {}
        self._lines: tuple = ()
        self._next_frame_s = 0.0
        self._key_us: dict[tuple[int, str], float] = {}  # when each key may change again
        self._why_down: set[int] = set()
        self._why_us = -PRIVATE_US
        self._secret = False

    def run(self) -> None:
        """Runs until the pipe ends or a stop is requested."""
        while not self.stopped:
            self._pace.step(self._rest)
            self.console.settle()
            self._take()
            if time.monotonic() >= self._next_frame_s:
                self._next_frame_s = time.monotonic() + FRAME_S
                self._show()
        with contextlib.suppress(GridglowError):
            self.pico.get_flash().to_folder(self.folder, under="save")

    def _rest(self, seconds: float) -> None:
        select.select([self._taken], [], [], seconds)

    # To the board

    def _take(self) -> None:
        try:
            data = os.read(self._taken, 65_536)
        except BlockingIOError:
            return
        if not data:
            self.stopped = True
            return
        self._part += data
        while (end := self._part.find(b"\n")) >= 0:
            line = bytes(self._part[:end + 1])
            del self._part[:end + 1]
            self._pass_on(line)

    def _pass_on(self, line: bytes) -> None:
        try:
            message = decode(TO_BOARD, line.rstrip(b"\r\n"))
        except ValueError:
            message = {}
        if message.get("t") == "key":
            if message["k"] == WHY:
                self._why(message["p"], bool(message["d"]))
            self._key(message["p"], message["k"], bool(message["d"]))
            return
        if message.get("t") == "stop":
            self.stopped = True
        self.pico.write(line)

    def _key(self, panel: int, name: str, down: bool) -> None:
        """Presses or releases a key, once its current state has lasted long enough."""
        def change() -> None:
            with contextlib.suppress(GridglowError):  # a key that this board doesn't have
                self.console.key(panel, name, down)

        now_us = self.pico.now_us
        at_us = max(now_us, self._key_us.get((panel, name), 0.0))
        self._key_us[panel, name] = at_us + HELD_US
        if at_us > now_us:
            self.pico.at_us(at_us, change)
        else:
            change()

    def _why(self, panel: int, down: bool) -> None:
        self._why_us = self.pico.now_us
        if down:
            self._why_down.add(panel)
        else:
            self._why_down.discard(panel)

    # From the board

    def _said(self, data: bytes) -> None:
        self._line += data
        while (end := self._line.find(b"\n")) >= 0:
            line = bytes(self._line[:end + 1])
            del self._line[:end + 1]
            try:
                message = decode(FROM_BOARD, line.rstrip(b"\r\n"))
            except ValueError:
                message = {}
            if message.get("t") in LEFT_OUT:
                continue
            if message.get("t") == "prompts" and any(one.get("secret") for one in message["list"]):
                self._secret = True
            elif message.get("t") == "hello":  # somebody new is watching: send everything again
                self._shown.clear()
                self._lines = ()
            self._give(line)

    def _show(self) -> None:
        for output in range(len(self.console.board["outputs"])):
            pixels = self.console.output_pixels(output)
            if pixels and self._shown.get(output) != pixels and self.console.output_strip(output).frames:
                self._shown[output] = pixels
                self._send({"t": "px", "o": output, "d": pixels.hex()})
        glass = self.console.glass
        if glass is None or self.pico.now_us - glass.changed_ns / 1000 < SETTLED_US:
            return
        private = 0
        if self._secret and (self._why_down or self.pico.now_us - self._why_us < PRIVATE_US):
            private = min(self._why_down, default=1)
        shown = (private, *glass.lines())
        if shown != self._lines:
            self._lines = shown
            self._send({"t": "show", "lines": [""] * 6 if private else list(shown[1:]), "private": private})

    def _send(self, message: dict) -> None:
        self._give(encode(FROM_BOARD, message).encode("ascii"))

    def _give(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._given, data):]
            except BlockingIOError:
                select.select([], [self._given], [], 1)
            except BrokenPipeError:
                self.stopped = True
                return


def main(arguments: list[str]) -> int:
    """The process: --uf2 FILE, in a device folder. An engine's other arguments for the firmware are ignored here."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--uf2", type=Path, required=True)
    known, _ = parser.parse_known_args(arguments)
    try:
        child = Child(known.uf2, Path.cwd())
        signal.signal(signal.SIGTERM, lambda *_: setattr(child, "stopped", True))
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when it ends
        child.run()
    except GridglowError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
