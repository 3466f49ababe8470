"""What is on the pins of an emulated board, according to its board file, and how people use it."""

from __future__ import annotations

from collections.abc import Callable

from gridglow.virtual.pico.glass import Glass
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.panels import Encoder, PinKeys, ShiftChain
from gridglow.virtual.pico.reader import CardReader
from gridglow.virtual.pico.wire import Strip
from shared_rules.errors import GridglowError

DICE_PAD, CONSOLE = 200, 201
DICE_KEYS = ("1", "2", "3", "4", "5", "6")
CONSOLE_KEYS = {"OK": "ok", "UNDO": "back", "MENU": "back", "PUSH": "push"}
ADC_FULL_MV = 3300
SUPPLY_MV = 5000


class Console:
    """The parts of a board, made from the output of `board_json`. A part that the board file lacks is None (or empty).

    `strips` are the wires, `output_pixels(n)` the pixels of the board's output n (from 0). `on_frame(output)` is called
    for each output whose wire has shown a frame. Keys are pressed with `key`; `present` False removes a part.
    The reading of the analogue pin is set here: `supply_mv` (rp2040py by itself reads 0 there).
    """

    def __init__(self, pico: EmulatedPico, board: dict, on_frame: Callable[[int], None] | None = None) -> None:
        self.pico = pico
        self.board = board
        self.key_names = list(board["keys"])
        wiring = board.get("wiring", {})
        mcu, clock = pico.mcu, pico.clock
        self._on_frame = on_frame
        self._wired: list[tuple[Strip, int] | None] = [None] * len(board["outputs"])
        self.strips = self._make_strips(board["outputs"])
        self.chain: ShiftChain | None = None
        self._own_pins: list[list[int]] = []
        self.keys: PinKeys | None = None
        pad = 1 if wiring.get("dice_pad") else 0
        self.modules = board["panels"] + pad
        self._pad = pad
        panels = wiring.get("panels_on") or {}
        pins: list[int] = []
        if "clock" in panels:
            self.chain = ShiftChain(mcu, clock, panels["clock"], panels["latch"], panels["data"], self.modules)
        elif "keys" in panels:
            self._own_pins = panels["keys"]
            pins += [pin for panel in self._own_pins for pin in panel]
        self._console = wiring.get("console") or {}
        self.encoder: Encoder | None = None
        if self._console:
            self.encoder = Encoder(mcu, self._console["a"], self._console["b"], pico.after_us)
            pins += [self._console[key] for key in ("push", "ok", "back")]
        self.safe_key = wiring.get("safe_key")
        if self.safe_key is not None:
            pins.append(self.safe_key)
        self.keys = PinKeys(mcu, pins)
        screen = wiring.get("display_on")
        self.glass = Glass(mcu, clock, screen["sda"] // 2 % 2, screen["address"], screen["kind"]) if screen else None
        card = wiring.get("reader_on")
        self.reader = CardReader(mcu, clock, card["sck"] // 8 % 2, card["cs"], card.get("reset")) if card else None
        self.buzzer = Buzzer(mcu, wiring["buzzer"]) if wiring.get("buzzer") is not None else None
        self._sense = wiring.get("sense")
        self.supply_mv = SUPPLY_MV
        pico.on_restart.append(self._restarted)

    def _make_strips(self, outputs: list[dict]) -> list[Strip]:
        wires: dict[int, list[int]] = {}
        for index, output in enumerate(outputs):
            if output["pixels"]:
                wires.setdefault(output["pin"], []).append(index)
        strips = []
        for pin, indexes in wires.items():
            indexes.sort(key=lambda index: (outputs[index].get("after", 0), index))
            parts = [(outputs[index]["pixels"], outputs[index]["order"]) for index in indexes]
            strip = Strip(self.pico.mcu, self.pico.clock, pin, parts, self._shown)
            strips.append(strip)
            for number, index in enumerate(indexes):
                self._wired[index] = (strip, number)
        return strips

    def _shown(self, strip: Strip) -> None:
        if self._on_frame is not None:
            for index, there in enumerate(self._wired):
                if there is not None and there[0] is strip:
                    self._on_frame(index)

    def _restarted(self) -> None:
        for strip in self.strips:
            strip.restarted()
        if self.chain is not None:
            self.chain.restarted()

    def settle(self) -> None:
        """Ends frames that are followed by silence only; call it from time to time."""
        for strip in self.strips:
            strip.settle()

    # Lights

    def output_pixels(self, output: int) -> bytes:
        """The pixels of an output (from 0), RGB, as its strip shows them."""
        there = self._wired[output]
        return there[0].outputs[there[1]] if there else b""

    def output_strip(self, output: int) -> Strip | None:
        """The wire of an output."""
        there = self._wired[output]
        return there[0] if there else None

    # Keys

    def key(self, panel: int, name: str, down: bool = True) -> None:
        """Presses or releases a key: of a panel (1 …), of the dice pad (200, "1" to "6") or of the console (201: OK, UNDO,
        PUSH; PREV and NEXT turn the encoder by a click). Raises GridglowError for a key that the board doesn't have."""
        if panel == CONSOLE and name in ("PREV", "NEXT") and self.encoder is not None:
            if down:
                self.encoder.turn(1 if name == "NEXT" else -1)
            return
        if panel == CONSOLE and self._console and name in CONSOLE_KEYS:
            self.keys.press(self._console[CONSOLE_KEYS[name]], down)
            return
        names = DICE_KEYS if panel == DICE_PAD else self.key_names
        module = self.modules - 1 if panel == DICE_PAD and self._pad else panel - 1
        if name not in names or not 0 <= module < self.modules or panel == DICE_PAD and not self._pad:
            raise GridglowError(f"The board has no key {name} on panel {panel}; name one that it has.")
        number = names.index(name)
        if self.chain is not None:
            self.chain.press(module, number, down)
        elif self._own_pins:
            self.keys.press(self._own_pins[module][number], down)
        else:
            raise GridglowError("The board file doesn't say which pins the keys are on; add [panels] clock, latch, data.")

    def press(self, panel: int, name: str, held_us: float = 60_000, at_us: float | None = None) -> None:
        """Presses a key and releases it, in emulated time: now, or at `at_us`."""
        begin_us = self.pico.now_us if at_us is None else at_us
        self.pico.at_us(begin_us, lambda: self.key(panel, name, True))
        self.pico.at_us(begin_us + held_us, lambda: self.key(panel, name, False))

    # Other parts

    @property
    def supply_mv(self) -> int:
        """The pixels' 5 V supply, as the divider of two equal resistors shows it to the Pico."""
        return self._supply_mv

    @supply_mv.setter
    def supply_mv(self, millivolts: int) -> None:
        self._supply_mv = millivolts
        if self._sense is not None:
            self.pico.mcu.adc.channel_values[self._sense - 26] = min(4095, millivolts // 2 * 4095 // ADC_FULL_MV)


class Buzzer:
    """A piezo on a pin: the tone that it would make."""

    CLOCK_HZ = 125_000_000
    PWM_FUNCTION = 4

    def __init__(self, mcu, pin: int) -> None:
        self._mcu = mcu
        self._pin = pin

    def tone_hz(self) -> int:
        """The current tone, 0 for none."""
        channel = self._mcu.pwm.channels[self._pin // 2 % 8]
        level = channel.cc >> 16 & 0xFFFF if self._pin % 2 else channel.cc & 0xFFFF
        if self._mcu.gpio[self._pin].function_select != self.PWM_FUNCTION or not channel.csr & 1 or not level:
            return 0
        divider = channel.div / 16 or 256
        return round(self.CLOCK_HZ / divider / (channel.top + 1)) if level <= channel.top else 0
