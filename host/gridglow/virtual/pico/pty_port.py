"""The emulated board's serial line as a pseudo-terminal, in step with the wall clock.

A program opens the port by its path, closes it, and another opens it later; modem lines mean nothing here. What the
board prints while nobody has the port open is lost, as on a real port. When idle, the emulated board would run ahead of
the wall clock, so it is held back; under load it falls behind, and never catches up.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable

from gridglow.virtual.pico.machine import EmulatedPico
from shared_rules.errors import GridglowError


class PtyPort:
    """A pseudo-terminal whose `path` other programs open; POSIX only."""

    WAITING_BYTES = 16_384  # what the system would buffer for a slow program
    TAKEN_BYTES = 4096

    def __init__(self) -> None:
        try:
            import tty

            self._ours, theirs = os.openpty()
        except (ImportError, OSError) as error:
            raise GridglowError(f"This system gives no pseudo-terminal ({error}); use Linux or macOS.") from None
        tty.setraw(theirs)  # still in effect after the close; else our output would come back as an echo
        self.path = os.ttyname(theirs)
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._out = bytearray()
        self._poll = select.poll()
        self._poll.register(self._ours, select.POLLIN)

    @property
    def open_elsewhere(self) -> bool:
        """Whether a program has the port open."""
        return not any(event & select.POLLHUP for _, event in self._poll.poll(0))

    @property
    def full(self) -> bool:
        """Whether the program that has it open isn't reading."""
        return len(self._out) >= self.WAITING_BYTES

    def put(self, data: bytes) -> None:
        """Takes bytes from the board."""
        self._out += data

    def exchange(self) -> bytes:
        """Passes waiting data to the program; returns what it has written."""
        if not self.open_elsewhere:
            self._out.clear()
            return self._read()  # the last data of a program that has closed it
        while self._out:
            try:
                count = os.write(self._ours, self._out[:self.TAKEN_BYTES])
            except BlockingIOError:
                break
            except OSError:
                self._out.clear()
                break
            del self._out[:count]
        return self._read()

    def _read(self) -> bytes:
        with contextlib.suppress(OSError):
            return os.read(self._ours, self.TAKEN_BYTES)
        return b""

    def close(self) -> None:
        """Removes the port, like pulling the plug."""
        if self._ours >= 0:
            os.close(self._ours)
            self._ours = -1


class Pace:
    """Runs a board in steps, never ahead of the wall clock by more than one step."""

    STEP_US = 2000
    LAG_S = 0.05

    def __init__(self, pico: EmulatedPico, speed: float = 1.0) -> None:
        self.pico = pico
        self.speed = speed
        self._begin()

    def _begin(self) -> None:
        self._wall_s = time.monotonic()
        self._emulated_us = self.pico.now_us

    def step(self, rest: Callable[[float], None] = time.sleep) -> None:
        """Runs one step; `rest(seconds)` waits if the board is ahead (waiting for input works as well)."""
        self.pico.run_us(self.STEP_US)
        ahead_s = (self.pico.now_us - self._emulated_us) / 1e6 / self.speed - (time.monotonic() - self._wall_s)
        if ahead_s < -self.LAG_S:
            self._begin()
        elif ahead_s > 0.0005:
            rest(ahead_s)


def serve_port(
    pico: EmulatedPico,
    port: PtyPort,
    stop: Callable[[], bool],
    each_step: Callable[[], None] | None = None,
    pace: Pace | None = None,
) -> None:
    """Runs the board behind the port until `stop()`."""
    pace = pace or Pace(pico)
    chained = pico.on_output

    def said(data: bytes) -> None:
        port.put(data)
        if chained is not None:
            chained(data)

    pico.on_output = said
    try:
        while not stop():
            came = port.exchange()
            if came:
                pico.write(came)
            pico.usb.reading = not port.full
            if each_step is not None:
                each_step()
            pace.step()
    finally:
        pico.on_output = chained
