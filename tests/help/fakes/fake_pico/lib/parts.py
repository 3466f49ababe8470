"""Parts on a Pico's buses, for the bench `fake_pico.board`: a card reader with cards, and displays.

    reader = board.spi[17] = Rc522()        put(Card("04A1B2C3D4E5F6")), take_off(card), broken = True …
    screen = board.i2c[0x3C] = Sh1106()     rows() gives 64 texts of 128 letters, "#" for a lit dot

Written from the data sheets and ISO 14443-3, not from the drivers; runs under MicroPython and CPython.
"""

ETIMEDOUT = 110
EIO = 5


def crc_a(data):
    """The CRC of ISO 14443-3 type A, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes((crc & 0xFF, crc >> 8 & 0xFF))


class Card:
    """A card by its id (hexadecimal text, 4, 7 or 10 bytes). `random` makes a new 08…… id whenever it gets power."""

    IDLE, READY, ACTIVE, HALTED = 0, 1, 2, 3

    def __init__(self, uid, random=False):
        self.uid = bytes(int(uid[at : at + 2], 16) for at in range(0, len(uid), 2))
        self.random = random
        self.power_off()

    def power_off(self):
        """Out of the field: it forgets everything."""
        self.state = Card.IDLE
        self.asleep = False
        self.level = 0
        if self.random:
            self.uid = bytes((8,)) + bytes((byte * 5 + 17) & 255 for byte in self.uid[1:])

    def levels(self):
        """How many cascade levels its id has."""
        return {4: 1, 7: 2, 10: 3}[len(self.uid)]

    def five(self, level):
        """Its answer at a level: four bytes and their check byte."""
        start = 3 * level
        if level + 1 < self.levels():
            four = b"\x88" + self.uid[start : start + 3]
        else:
            four = self.uid[start : start + 4]
        return four + bytes((four[0] ^ four[1] ^ four[2] ^ four[3],))

    def hear(self, frame, bits):
        """Its answer to a frame, or None; `bits` is 7 for a short frame."""
        if bits == 7:
            wakes = frame[0] == 0x52 or frame[0] == 0x26 and not self.asleep
            if self.state in (Card.IDLE, Card.HALTED) and wakes:
                self.state = Card.READY
                self.level = 0
                return bytes((0x04 | (self.levels() - 1) << 6, 0x00))
            return self._lost()
        if self.state == Card.READY and len(frame) == 2 and frame[0] == 0x93 + 2 * self.level and frame[1] == 0x20:
            return self.five(self.level)
        if self.state == Card.READY and len(frame) == 9 and frame[0] == 0x93 + 2 * self.level and frame[1] == 0x70:
            if frame[7:] != crc_a(frame[:7]) or frame[2:7] != self.five(self.level):
                return self._lost()
            self.level += 1
            done = self.level == self.levels()
            self.state = Card.ACTIVE if done else Card.READY
            sak = bytes((0x08 if done else 0x04,))
            return sak + crc_a(sak)
        if self.state == Card.ACTIVE and frame == b"\x50\x00" + crc_a(b"\x50\x00"):
            self.asleep = True
        return self._lost()

    def _lost(self):
        """Something that it doesn't understand sends it back to its previous state."""
        self.state = Card.HALTED if self.asleep else Card.IDLE


class Rc522:
    """An MFRC522 by its registers. `present` False: nothing is plugged in (`floats` is what the wire then reads)."""

    def __init__(self, version=0x92):
        self.version = version
        self.present = True
        self.floats = 0xFF
        self.cards = []
        self.deaf = 0  # how many exchanges go unanswered
        self.spoil = ""  # "crc", "bcc", "parity" or "short": what is wrong with the answers
        self.exchanges = 0
        self.power_up()

    def put(self, card):
        """Put a card on; it has power from now on."""
        card.power_off()
        self.cards.append(card)

    def take_off(self, card):
        """Take a card off."""
        self.cards.remove(card)
        card.power_off()

    def unplug(self):
        """Pull the reader out."""
        self.present = False

    def plug(self):
        """Plug it in again."""
        self.present = True
        self.power_up()

    def power_up(self):
        """The registers as after a reset; the antenna is off."""
        self.regs = bytearray(64)
        self.regs[0x01] = 0x20
        self.regs[0x0E] = 0x80  # ValuesAfterColl
        self.regs[0x11] = 0x3F
        self.regs[0x14] = 0x80
        self.fifo = []
        self._address = -1
        for card in self.cards:
            card.power_off()

    # SPI: a transfer's first byte is an address, then data; when reading, each further byte is again an address

    def select(self, on):
        self._address = -1

    def exchange(self, byte):
        if not self.present:
            return self.floats
        if self._address < 0:
            self._address = byte
            return 0
        if self._address & 0x80:
            value = self._read(self._address >> 1 & 0x3F)
            self._address = byte if byte else self._address
            return value
        self._write(self._address >> 1 & 0x3F, byte)
        return 0

    def _read(self, register):
        if register == 0x37:
            return self.version
        if register == 0x09:
            return self.fifo.pop(0) if self.fifo else 0
        if register == 0x0A:
            return len(self.fifo)
        return self.regs[register]

    def _write(self, register, value):
        if register == 0x09:
            if len(self.fifo) < 64:
                self.fifo.append(value)
        elif register == 0x0A:
            if value & 0x80:
                self.fifo = []
        elif register == 0x04:  # bit 7: set the marked ones, else clear them
            self.regs[4] = self.regs[4] | value & 0x7F if value & 0x80 else self.regs[4] & ~value & 0x7F
        elif register == 0x01:
            self._command(value & 0x0F)
        elif register == 0x0D:
            self.regs[13] = value & 0x7F
            if value & 0x80 and self.regs[1] & 0x0F == 0x0C:
                self._send(True)
        else:
            before = self.regs[0x14]
            self.regs[register] = value
            if register == 0x14 and before & 3 and not value & 3:
                for card in self.cards:
                    card.power_off()

    def _command(self, command):
        self.regs[1] = 0x20 | command
        if command == 0x0F:
            self.power_up()
        elif command == 0x04:
            self._send(False)

    def _send(self, receives):
        """Send what is in the FIFO to every card in the field."""
        self.exchanges += 1
        bits = self.regs[13] & 7
        frame = bytes(self.fifo)
        self.fifo = []
        if self.regs[0x12] & 0x80:
            frame += crc_a(frame)
        answers = []
        if self.regs[0x14] & 3 == 3 and self.regs[0x15] & 0x40:
            for card in self.cards:
                answer = card.hear(frame, bits)
                if answer is not None:
                    answers.append(answer)
        self.regs[6] = 0
        if not receives:
            self.regs[4] |= 0x50
            self.regs[1] = 0x20
            return
        if self.deaf:
            self.deaf -= 1
            answers = []
        if not answers:
            if self.regs[0x2A] & 0x80:
                self.regs[4] |= 0x01
            return
        self._receive(answers)

    def _receive(self, answers):
        answer = answers[0]
        for other in answers[1:]:
            if other != answer:
                self.regs[6] |= 0x08
        if self.spoil == "short":
            answer = answer[:-1]
        elif self.spoil == "parity":
            self.regs[6] |= 0x02
        elif self.spoil == "bcc" and len(answer) == 5:
            answer = answer[:4] + bytes((answer[4] ^ 0x10,))
        elif self.spoil == "crc" and len(answer) == 3:
            answer = answer[:2] + bytes((answer[2] ^ 1,))
        if self.regs[0x13] & 0x80:
            if len(answer) < 3 or crc_a(answer[:-2]) != answer[-2:]:
                self.regs[6] |= 0x04
            answer = answer[:-2]
        self.fifo = list(answer)
        self.regs[4] |= 0x30
        if self.regs[6]:
            self.regs[4] |= 0x02


class _Oled:
    """A display by its memory: pages of eight rows, written column by column."""

    columns = 128
    first = 0  # the memory column at the left edge

    def __init__(self):
        self.present = True
        self.error = EIO  # what a Pico's bus reports when nothing answers; the emulated one says ETIMEDOUT
        self.dies_after = -1  # after this many more bytes it is gone
        self.bytes = 0  # everything that came
        self.pages_sent = 0
        self.most_bytes = 0  # in one transfer
        self.power_up()

    def power_up(self):
        """After a reset: dark, and anything in its memory."""
        self.ram = bytearray((37 * k + 11) & 255 for k in range(8 * self.columns))
        self.on = False
        self.inverse = self.all_on = False
        self.flipped = [False, False]
        self.start_line = self.offset = 0
        self.contrast = 0x7F
        self.pump = False
        self.page = self.column = 0
        self._arguments = []

    def unplug(self):
        """Pull it out; its memory is lost."""
        self.present = False

    def plug(self):
        """Plug it in again."""
        self.present = True
        self.power_up()

    def write(self, data):
        if not self.present:
            raise OSError(self.error)
        if 0 <= self.dies_after < len(data):
            self._take(data[: self.dies_after])
            self.dies_after = -1
            self.unplug()
            raise OSError(self.error)
        if self.dies_after >= 0:
            self.dies_after -= len(data)
        self._take(data)

    def read(self, count):
        if not self.present:
            raise OSError(self.error)
        return bytes((0 if self.on else 0x40,)) * count

    def _take(self, data):
        self.bytes += len(data)
        self.most_bytes = max(self.most_bytes, len(data))
        if not data:
            return
        if data[0] == 0x40:
            self.pages_sent += len(data) > 1
            for byte in data[1:]:
                if self.column < self.columns:
                    self.ram[self.page * self.columns + self.column] = byte
                self._next_column()
        elif data[0] == 0x00:
            for byte in data[1:]:
                self._command(byte)
        else:
            raise ValueError("Expected 0x00 or 0x40 before the data, got 0x%02x." % data[0])

    def _next_column(self):
        self.column += 1

    def _command(self, byte):
        if self._arguments:
            self._arguments.append(byte)
            if len(self._arguments) == 2:
                self._with_argument(self._arguments[0], byte)
                self._arguments = []
        elif byte < 0x10:
            self.column = self.column & 0xF0 | byte
        elif byte < 0x20:
            self.column = self.column & 0x0F | (byte & 0x0F) << 4
        elif 0x40 <= byte < 0x80:
            self.start_line = byte & 0x3F
        elif 0xB0 <= byte < 0xB8:
            self.page = byte & 7
        elif byte in (0xA0, 0xA1):
            self.flipped[0] = byte == 0xA1
        elif byte & 0xF0 == 0xC0:
            self.flipped[1] = byte & 8 != 0
        elif byte in (0xA4, 0xA5):
            self.all_on = byte == 0xA5
        elif byte in (0xA6, 0xA7):
            self.inverse = byte == 0xA7
        elif byte in (0xAE, 0xAF):
            self.on = byte == 0xAF
        elif byte in (0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB):
            self._arguments = [byte]
        elif byte != 0xE3:
            self._own_command(byte)

    def _with_argument(self, command, value):
        if command == 0x81:
            self.contrast = value
        elif command == 0xD3:
            self.offset = value
        elif command == 0xA8 and value != 63:
            raise ValueError("A display of 64 rows needs the multiplex ratio 63, got %d." % value)

    def _own_command(self, byte):
        raise ValueError("This display has no command 0x%02x." % byte)

    def rows(self):
        """What people see: 64 texts of 128 characters, "#" for a lit dot. Dark while it is off or has no supply."""
        out = []
        lit = self.present and self.on and self.pump
        for y in range(64):
            row = []
            for x in range(128):
                dot = self.ram[(y >> 3) * self.columns + self.first + x] >> (y & 7) & 1
                row.append("#" if lit and (self.all_on or dot != self.inverse) else ".")
            out.append("".join(row))
        return out


class Sh1106(_Oled):
    """132 columns, of which the glass shows those from 2 on; it has no addressing modes."""

    columns = 132
    first = 2

    def power_up(self):
        super().power_up()
        self.pump = True

    def _own_command(self, byte):
        if byte == 0xAD:
            self._arguments = [byte]
        elif not 0x30 <= byte < 0x34:  # voltage of the pump
            super()._own_command(byte)

    def _with_argument(self, command, value):
        if command == 0xAD:
            if self.on:
                raise ValueError("An SH1106 takes the command 0xAD only while it is dark.")
            self.pump = value == 0x8B
        else:
            super()._with_argument(command, value)


class Ssd1306(_Oled):
    """128 columns; it addresses page by page only when told to."""

    def power_up(self):
        super().power_up()
        self.mode = 2

    def _own_command(self, byte):
        if byte in (0x20, 0x8D):
            self._arguments = [byte]
        else:
            super()._own_command(byte)

    def _with_argument(self, command, value):
        if command == 0x20:
            self.mode = value & 3
        elif command == 0x8D:
            self.pump = value == 0x14
        else:
            super()._with_argument(command, value)

    def _next_column(self):
        self.column = (self.column + 1) % self.columns
        if not self.column and self.mode == 0:
            self.page = (self.page + 1) % 8
