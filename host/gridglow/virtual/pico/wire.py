"""LED strips on the emulated pins: edges become bits, bits become pixels, and a silence ends a frame.

rp2040py has its own decoder; this one also splits a wire into the outputs chained on it, records the times
that show whether a real strip would have understood, and needs no alarm per bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from rp2040py.gpio_pin import GPIOPinState

ONE_NS = 560  # high for longer is a 1: between the 375 ns of a 0 and the 750 ns of a 1
LATCH_NS = 280_000  # what newer strips need; after a longer interruption they show half a frame
HIGH, LOW = GPIOPinState.HIGH, GPIOPinState.LOW


class Strip:
    """The pixels of one wire. `parts`: (count, order) of its outputs, starting at the Pico.

    `outputs` are their pixels as RGB bytes, as the strip shows them; `on_frame(strip)` is called after each frame.
    Times are emulated nanoseconds: of the last frame's first edge (`begun_ns`), the silence before
    it (`gap_ns`), and of the first bit that differs from the frame before (`changed_ns`, None if none does).
    `bad` counts frames that no strip would show as intended: cut within a pixel, with a pulse too short or
    long, or after too short a silence.
    """

    SHORTEST_NS, LONGEST_NS = 200, 1100  # limits of a valid bit's pulse

    def __init__(self, mcu, clock, pin: int, parts: list[tuple[int, str]],
                 on_frame: Callable[[Strip], None] | None = None) -> None:
        self.pin = pin
        self.parts = [(count, order.upper()) for count, order in parts]
        self.outputs = [bytes(3 * count) for count, _ in self.parts]
        self.on_frame = on_frame
        self.frames = 0
        self.bad = 0
        self.begun_ns = self.gap_ns = 0.0
        self.changed_ns: float | None = None
        self.last: bytes = b""  # the bytes of the last frame, as received
        self.present = True  # False: nothing is connected to the wire, so nothing is shown
        self._clock = clock
        self._bytes = bytearray()
        self._times = array("d")
        self._bits = 0
        self._count = 0
        self._rise_ns = 0.0
        self._fall_ns = 0.0
        self._odd = 0
        self._remove = mcu.gpio[pin].add_listener(self._edge)

    def _edge(self, state, before) -> None:
        now_ns = self._clock.nanos
        if state is HIGH:
            if now_ns - self._fall_ns > LATCH_NS and (self._bytes or self._count):
                self._end()
            if not self._count:
                if not self._bytes:
                    self.gap_ns = now_ns - self._fall_ns
                    self.begun_ns = now_ns
                self._times.append(now_ns)
            self._rise_ns = now_ns
        elif state is LOW and before is HIGH:
            high_ns = now_ns - self._rise_ns
            if not self.SHORTEST_NS < high_ns < self.LONGEST_NS:
                self._odd += 1
            self._fall_ns = now_ns
            self._bits = self._bits << 1 | (high_ns > ONE_NS)
            self._count += 1
            if self._count == 8:
                self._bytes.append(self._bits)
                self._bits = self._count = 0

    def settle(self) -> None:
        """Shows a frame that ended in a lasting silence; call it from time to time."""
        if (self._bytes or self._count) and self._clock.nanos - self._fall_ns > LATCH_NS:
            self._end()

    def restarted(self) -> None:
        """The chip has been reset: cuts off a half-sent frame. Strips keep their light."""
        self._forget()

    def _end(self) -> None:
        came, times = bytes(self._bytes), self._times
        whole = self._count == 0 and not self._odd and (not self.frames or self.gap_ns >= LATCH_NS)
        before = self.last
        self._forget()
        if not self.present:
            return
        self.frames += 1
        self.last = came
        self.changed_ns = None
        if came != before:
            for index, byte in enumerate(came):
                differs = byte ^ (before[index] if index < len(before) else 0)
                if differs:
                    self.changed_ns = times[index] + (8 - differs.bit_length()) * 1250
                    break
        begin = 0
        for number, (count, order) in enumerate(self.parts):
            piece = came[begin:begin + count * len(order)]
            if len(piece) % len(order):
                whole = False
            begin += count * len(order)
            self.outputs[number] = _shown(piece, order, self.outputs[number])
        if not whole or begin != len(came):
            self.bad += 1
        if self.on_frame is not None:
            self.on_frame(self)

    def _forget(self) -> None:
        self._bytes = bytearray()
        self._times = array("d")
        self._bits = self._count = self._odd = 0


def _shown(piece: bytes, order: str, before: bytes) -> bytes:
    """The pixels of one output as RGB; those without new bytes keep their colour."""
    size = len(order)
    count = len(piece) // size
    shown = bytearray(before)
    for letter, channel in zip("RGB", range(3)):
        shown[channel:3 * count:3] = piece[order.index(letter):count * size:size]
    if "W" in order:
        for pixel in range(count):
            white = piece[pixel * size + order.index("W")]
            for channel in range(3):
                shown[3 * pixel + channel] = min(255, shown[3 * pixel + channel] + white)
    return bytes(shown)
