"""An RC522 card reader on the emulated SPI, register by register, with cards that people put down and take away."""

from __future__ import annotations

from dataclasses import dataclass, field

from rp2040py.gpio_pin import GPIOPinState

COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, TX_MODE, RX_MODE, TX_CONTROL, VERSION = 0x0C, 0x0D, 0x0E, 0x12, 0x13, 0x14, 0x37
TIMER_MODE, TIMER_SCALE, TIMER_HIGH, TIMER_LOW = 0x2A, 0x2B, 0x2C, 0x2D
TRANSMIT, TRANSCEIVE, SOFT_RESET = 0x04, 0x0C, 0x0F
TX_IRQ, RX_IRQ, IDLE_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x01
COLLISION = 0x08
CARRIER_HZ = 13_560_000
BIT_NS = 9440  # 106 kbit/s
TURN_NS = 86_400  # from the end of a frame to the answer


@dataclass
class Card:
    """A card with an id of 4, 7 or 10 bytes."""

    uid: bytes
    state: str = "idle"  # idle, ready, active, halted
    level: int = field(default=0, repr=False)
    was_halted: bool = field(default=False, repr=False)

    def part(self, level: int) -> bytes:
        """The five bytes of a cascade level: four of the id and their check byte."""
        levels = {4: 1, 7: 2, 10: 3}[len(self.uid)]
        four = self.uid[3 * level:3 * level + 4] if level == levels - 1 else b"\x88" + self.uid[3 * level:3 * level + 3]
        return four + bytes([four[0] ^ four[1] ^ four[2] ^ four[3]])

    def take(self, frame: bytes, bits: int) -> bytes | None:
        """The answer to a frame (`bits` of its last byte, 0 for all); None for no answer."""
        if bits == 7 and frame in (b"\x26", b"\x52"):
            if self.state == "halted" and frame == b"\x26" or self.state in ("ready", "active"):
                self._lapse()
                return None
            self.was_halted = self.state == "halted"
            self.state, self.level = "ready", 0
            return bytes([{4: 0x04, 7: 0x44, 10: 0x84}[len(self.uid)], 0])
        if self.state == "ready" and len(frame) >= 2 and frame[0] == (0x93, 0x95, 0x97)[self.level]:
            if frame[1] == 0x20:
                return self.part(self.level)
            if frame[1] == 0x70 and frame[2:7] == self.part(self.level):
                more = len(self.uid) > 4 + 3 * self.level
                self.level += more
                self.state = "ready" if more else "active"
                return b"\x04" if more else b"\x08"
            self._lapse()
            return None
        if self.state == "active" and frame[:2] == b"\x50\x00":
            self.state = "halted"
            return None
        if self.state in ("ready", "active"):
            self._lapse()
        return None

    def _lapse(self) -> None:
        self.state = "halted" if self.was_halted or self.state == "halted" else "idle"
        self.level = 0


class CardReader:
    """The chip on SPI. `cards` are on it; with `present` False nothing answers."""

    def __init__(self, mcu, clock, bus: int, cs_pin: int, reset_pin: int | None = None) -> None:
        self.cards: list[Card] = []
        self.present = True
        self.frames = 0
        self._clock = clock
        self._spi = mcu.spi[bus]
        self._spi.on_transmit = self._byte
        self._selected = False
        self._address: int | None = None
        self._answer = 0
        self._done = clock.create_alarm(lambda: self._spi.complete_transmit(self._answer))
        self._air = clock.create_alarm(self._heard)
        self._coming: tuple[bytes, int] | None = None
        mcu.gpio[cs_pin].add_listener(self._select)
        if reset_pin is not None:
            mcu.gpio[reset_pin].add_listener(self._reset_line)
        self.power_on()

    def power_on(self) -> None:
        """Its state when power comes on."""
        self._registers = [0] * 64
        self._registers[COMMAND] = 0x20
        self._registers[COM_IRQ] = 0x14
        self._registers[TX_CONTROL] = 0x80
        self._registers[VERSION] = 0x92
        self._fifo = bytearray()
        self._air.cancel()
        self._field_off()

    # Cards

    def put(self, uid: bytes) -> Card:
        """Puts a card down and returns it. Raises ValueError for an id of another length."""
        if len(uid) not in (4, 7, 10):
            raise ValueError(f"An id has 4, 7 or 10 bytes, not {len(uid)}.")
        card = Card(bytes(uid))
        self.cards.append(card)
        return card

    def take_away(self) -> None:
        """Takes all cards away."""
        self.cards.clear()

    def _field_off(self) -> None:
        for card in self.cards:
            card.state, card.level, card.was_halted = "idle", 0, False

    # The bus

    def _select(self, state, before) -> None:
        self._selected = state is GPIOPinState.LOW
        self._address = None

    def _reset_line(self, state, before) -> None:
        if state is GPIOPinState.LOW:
            self.power_on()

    def _byte(self, value: int) -> None:
        self._answer = 0xFF if not self.present else 0
        if self._selected and self.present:
            if self._address is None:
                self._address = value
            elif self._address & 0x80:
                self._answer = self._read(self._address >> 1 & 0x3F)
                self._address = value  # the next address comes with each byte
            else:
                self._write(self._address >> 1 & 0x3F, value)
        self._done.schedule(8e9 / max(1, self._spi.clock_frequency))

    # The registers

    def _read(self, register: int) -> int:
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self._registers[register]

    def _write(self, register: int, value: int) -> None:
        if register == FIFO_DATA:
            if len(self._fifo) < 64:
                self._fifo.append(value)
        elif register == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
        elif register == COM_IRQ:
            if value & 0x80:
                self._registers[COM_IRQ] |= value & 0x7F
            else:
                self._registers[COM_IRQ] &= ~value & 0x7F
        elif register == COMMAND:
            self._command(value & 0x0F)
        elif register == BIT_FRAMING:
            self._registers[register] = value & 0x7F
            if value & 0x80 and self._registers[COMMAND] & 0x0F == TRANSCEIVE:
                self._send()
        elif register == TX_CONTROL:
            if not value & 3:
                self._field_off()
            self._registers[register] = value
        elif register not in (ERROR, VERSION, CONTROL):
            self._registers[register] = value

    def _command(self, command: int) -> None:
        self._registers[COMMAND] = command
        if command == SOFT_RESET:
            self.power_on()
        elif command == TRANSMIT:
            self._send()
        elif command == 0:
            self._air.cancel()

    def _send(self) -> None:
        """Sends a frame; cards hear it, and their answer arrives later."""
        frame = bytes(self._fifo)
        self._fifo.clear()
        self.frames += 1
        registers = self._registers
        bits = registers[BIT_FRAMING] & 7
        answers = []
        if registers[TX_CONTROL] & 3 == 3 and frame:
            checked = registers[TX_MODE] & 0x80
            for card in self.cards:
                needs_check = len(frame) > 2 and frame[1] != 0x20 or frame[:2] == b"\x50\x00"
                if needs_check and not checked:
                    continue  # a card doesn't answer a frame without its check bytes
                answer = card.take(frame, bits)
                if answer is not None:
                    answers.append(answer)
        out_ns = (9 * len(frame) + 20 * bool(registers[TX_MODE] & 0x80)) * BIT_NS
        registers[ERROR] = 0
        if registers[COMMAND] & 0x0F == TRANSMIT:
            registers[COM_IRQ] |= TX_IRQ | IDLE_IRQ
            return
        if answers:
            collided = len(set(answers)) > 1
            self._coming = (answers[0], COLLISION if collided else 0)
            self._air.schedule(out_ns + TURN_NS + 9 * len(answers[0]) * BIT_NS)
        elif registers[TIMER_MODE] & 0x80:
            scale = (registers[TIMER_MODE] & 0x0F) << 8 | registers[TIMER_SCALE]
            reload = registers[TIMER_HIGH] << 8 | registers[TIMER_LOW]
            self._coming = None
            self._air.schedule(out_ns + (2 * scale + 1) * (reload + 1) / CARRIER_HZ * 1e9)

    def _heard(self) -> None:
        if self._coming is None:
            self._registers[COM_IRQ] |= TIMER_IRQ
            return
        answer, error = self._coming
        self._fifo += answer
        self._registers[ERROR] = error
        self._registers[COM_IRQ] |= RX_IRQ | IDLE_IRQ
