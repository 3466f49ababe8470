"""What people operate, on the emulated pins: chains of 74HC165 with keys, keys with their own pins, an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rp2040py.gpio_pin import GPIOPinState

HIGH, LOW = GPIOPinState.HIGH, GPIOPinState.LOW
#: How a chip's inputs read a pin that is driven, or only pulled.
READ_HIGH = (HIGH, GPIOPinState.INPUT_PULL_UP)
READ_LOW = (LOW, GPIOPinState.INPUT_PULL_DOWN)


class ShiftChain:
    """Modules with one 74HC165 each, starting at the Pico. A module's inputs: H to ground, G to 3.3 V, F to A its keys, to
    ground when pressed; A is the first key. The first `plugged` modules are connected; beyond them only ones are read.

    `wires[n]` overrides what a module's eight inputs read, for broken wires (None: normal).
    """

    def __init__(self, mcu, clock, clock_pin: int, latch_pin: int, data_pin: int, modules: int) -> None:
        self.modules = modules
        self.plugged = modules
        self.down = [0] * modules  # one bit per key, bit 0 is A
        self.wires: list[int | None] = [None] * modules
        self.scans = 0
        self.early_clocks = 0  # CLK was high when LATCH rose, which the chip's data sheet forbids
        self._data = mcu.gpio[data_pin]
        self._clock_pin = mcu.gpio[clock_pin]
        self._loading = False
        self._bits = 0
        self._left = 0
        self._level: bool | None = None
        mcu.gpio[clock_pin].add_listener(self._clocked)
        mcu.gpio[latch_pin].add_listener(self._latched)
        self._load()

    def press(self, module: int, key: int, down: bool = True) -> None:
        """Presses or releases a key (0 to 5) of a module (from 0)."""
        if down:
            self.down[module] |= 1 << key
        else:
            self.down[module] &= ~(1 << key)
        if self._loading:
            self._load()

    def inputs(self, module: int) -> int:
        """The eight inputs of a module, H first."""
        fixed = self.wires[module]
        return 0x40 | 0x3F & ~self.down[module] if fixed is None else fixed

    def restarted(self) -> None:
        """The Pico restarts: its pins lose their states and pull the latch down, which loads."""
        self._level = None
        self._loading = True
        self._load()

    def _load(self) -> None:
        self._bits = 0
        for module in range(self.plugged):
            self._bits = self._bits << 8 | self.inputs(module)
        self._left = 8 * self.plugged
        self._show()

    def _show(self) -> None:
        """Puts out the first module's bit: first its own, later those of the modules after it, then the pull-up's ones."""
        level = bool(self._bits >> (self._left - 1) & 1) if self._left else True
        if level is not self._level:
            self._level = level
            self._data.set_input_value(level)

    def _latched(self, state, before) -> None:
        if state in READ_LOW:
            self._loading = True
            self._load()
        elif self._loading and state in READ_HIGH:
            self._loading = False
            self.scans += 1
            if self._clock_pin.value in READ_HIGH:
                self.early_clocks += 1

    def _clocked(self, state, before) -> None:
        if state in READ_HIGH and before in READ_LOW and not self._loading and self._left:
            self._left -= 1
            self._show()


class PinKeys:
    """Keys with their own pins, to ground; the Pico's pull-ups hold them up."""

    def __init__(self, mcu, pins: Sequence[int]) -> None:
        self._pins = {pin: mcu.gpio[pin] for pin in pins}

    def press(self, pin: int, down: bool = True) -> None:
        """Presses or releases the key on this pin."""
        if down:
            self._pins[pin].set_input_value(False)
        else:
            self._pins[pin].release_input()


class Encoder:
    """A rotary encoder whose two contacts go through a full cycle per click."""

    STEP_US = 1500  # a quick turn by hand
    CLOCKWISE = ((0, 1), (0, 0), (1, 0), (1, 1))  # A leads

    def __init__(self, mcu, pin_a: int, pin_b: int, after_us: Callable[[float, Callable[[], None]], None]) -> None:
        self._a, self._b = mcu.gpio[pin_a], mcu.gpio[pin_b]
        self._after_us = after_us
        self._set(1, 1)

    def _set(self, a: int, b: int) -> None:
        self._a.set_input_value(bool(a))
        self._b.set_input_value(bool(b))

    def turn(self, clicks: int) -> float:
        """Turns it by this many clicks, to the left if negative; returns how long that takes, in microseconds."""
        steps = self.CLOCKWISE if clicks > 0 else tuple((b, a) for a, b in self.CLOCKWISE)
        at_us = 0.0
        for _ in range(abs(clicks)):
            for a, b in steps:
                at_us += self.STEP_US
                self._after_us(at_us, lambda a=a, b=b: self._set(a, b))
        return at_us
