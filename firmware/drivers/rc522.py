"""The card reader: an MFRC522 (or a clone) on SPI, which reads ids of 4, 7 and 10 bytes.

`poll` makes at most one exchange with a card, so it takes some 2 ms at most: a round is a wake-up,
then for each cascade level an anticollision and a select, then a halt. Bad reads end the round
without a card. Waits are bounded: a fixed number of looks at a register. Nothing raises.
"""

# Registers, as the byte that is sent to write them; with READ, to read them.
READ = 0x80
COMMAND = 0x01 << 1
COM_IRQ = 0x04 << 1
ERROR = 0x06 << 1
FIFO_DATA = 0x09 << 1
FIFO_LEVEL = 0x0A << 1
BIT_FRAMING = 0x0D << 1
COLL = 0x0E << 1
TX_MODE = 0x12 << 1
RX_MODE = 0x13 << 1
TX_CONTROL = 0x14 << 1
VERSION = 0x37 << 1

_IDLE = 0x00
_TRANSMIT = 0x04
_TRANSCEIVE = 0x0C
_SOFT_RESET = 0x0F
_POWER_DOWN = 0x10
_DONE_IRQS = 0x31  # something came, the command has ended, or the timer has run out
_TIMER_IRQ = 0x01
_COLLISION = 0x08
_ERRORS = 0x17  # buffer, CRC, parity, protocol
_WITH_CRC = 0x80
_CASCADE = 0x04  # in SAK: the id goes on

_SETUP = (
    (TX_MODE, 0), (RX_MODE, 0), (0x24 << 1, 0x26),  # 106 kbit/s, width of the modulation
    (0x2A << 1, 0x80), (0x2B << 1, 0xA9),  # the timer starts by itself at the end of a frame; a tick is 25 us
    (0x2C << 1, 0), (0x2D << 1, 60),  # and gives up after 1.5 ms; a card answers after 0.1
    (0x15 << 1, 0x40), (0x11 << 1, 0x3D),  # full modulation, CRC preset as in ISO 14443
)
_WAKE_UP = b"\x12\x52"
_HALT = b"\x12\x50\x00"
#: The first byte sent for each cascade level.
_LEVELS = b"\x93\x95\x97"
_CASCADE_TAG = 0x88

# What the next poll does.
_BEGIN, _ANTICOLLISION, _SELECT, _HALTS = range(4)


class Reader:
    """`spi` is a machine.SPI (mode 0, up to 10 MHz), `cs` and `reset` are output pins (`reset` may be None)."""

    #: How many looks at a register before an exchange is given up; the chip's own timer ends it earlier.
    most_looks = 60

    def __init__(self, spi, cs, reset=None):
        self.busy = False  # a round is under way: the next poll carries on with it
        self.there = False  # it answered when last asked
        self.collided = False  # the last round met more than one card
        self._spi = spi
        self._cs = cs
        self._reset = reset
        self._out = bytearray(2)
        self._in = bytearray(2)
        self._anticollision = bytearray((FIFO_DATA, 0, 0x20))
        self._select = bytearray((FIFO_DATA, 0, 0x70, 0, 0, 0, 0, 0))
        self._five_out = bytearray((FIFO_DATA | READ,) * 5 + (0,))
        self._five = bytearray(6)
        self._uid = bytearray(10)
        self._size = 0
        self._last = b""
        self._next = _BEGIN
        self._again = False  # a card was met in the last round; one left half-way through misses the next wake-up
        self._level = 0
        cs.value(1)
        if reset:
            reset.value(1)

    def version(self):
        """The chip's version register: 0x91 or 0x92, other values for clones; 0x00 and 0xFF mean that nothing answers."""
        return self._read(VERSION)

    def start(self):
        """Set the reader up; True if it answers. If it doesn't, it is reset for the next try."""
        self.busy = self.there = self.collided = False
        self._next = _BEGIN
        if self._none(self.version()):
            if self._reset:
                self._reset.value(0)  # the pulse needs 100 ns; what follows takes longer
                self._reset.value(1)
            return False
        self._write(COMMAND, _SOFT_RESET)
        for _ in range(self.most_looks):
            if not self._read(COMMAND) & _POWER_DOWN:
                break
        for register, value in _SETUP:
            self._write(register, value)
        self._write(TX_CONTROL, self._read(TX_CONTROL) | 3)  # the antenna
        self.there = self._read(TX_CONTROL) & 3 == 3 and not self._none(self.version())
        return self.there

    def poll(self):
        """Make the next exchange. Returns the id (bytes) once a card is read completely, else None. `busy` says
        whether this round goes on, `there` whether the reader answers, `collided` whether there are several cards."""
        if self._next == _BEGIN:
            return self._begin()
        if self._next == _HALTS:
            self.busy = False
            self._next = _BEGIN
            self._exchange(_HALT, _TRANSMIT, _WITH_CRC, 0)
            return self._found()
        going_on = self._anticollide() if self._next == _ANTICOLLISION else self._selected()
        if not going_on:
            self.busy = False
            self._next = _BEGIN
        return None

    def _begin(self):
        """Wake every card in reach, sleeping ones too."""
        self.collided = False
        control = self._read(TX_CONTROL)
        self.there = control & 3 == 3 and control != 0xFF
        if not self.there:  # gone, or it has lost power meanwhile
            self.busy = False
            return None
        self._level = self._size = 0
        self._write(COLL, 0)  # clear everything received after a collision
        count = self._exchange(_WAKE_UP, _TRANSCEIVE, 0, 7)
        if count == 2 or self.collided:  # two cards of different kinds already differ here
            self.collided = False
            self.busy = self._again = True
            self._next = _ANTICOLLISION
        elif self._again:
            self._again = False
            self.busy = True
        else:
            self.busy = False
        return None

    def _anticollide(self):
        """Ask for this level's bytes of the id."""
        self._anticollision[1] = _LEVELS[self._level]
        if self._exchange(self._anticollision, _TRANSCEIVE, 0, 0) != 5:
            return False
        five = self._five
        self._cs.value(0)
        self._spi.write_readinto(self._five_out, five)  # five[0] doesn't count: the answer comes one byte later
        self._cs.value(1)
        if five[1] ^ five[2] ^ five[3] ^ five[4] ^ five[5]:
            return False
        select = self._select
        select[1] = _LEVELS[self._level]
        for at in range(1, 6):
            select[2 + at] = five[at]
        self._next = _SELECT
        return True

    def _selected(self):
        """Select the card found; it says whether its id goes on."""
        if self._exchange(self._select, _TRANSCEIVE, _WITH_CRC, 0) != 1:
            return False
        goes_on = self._read(FIFO_DATA) & _CASCADE != 0
        five = self._five
        if goes_on != (five[1] == _CASCADE_TAG) or goes_on and self._level == 2:
            return False
        for at in range(2 if goes_on else 1, 5):
            self._uid[self._size] = five[at]
            self._size += 1
        if goes_on:
            self._level += 1
        self._next = _ANTICOLLISION if goes_on else _HALTS
        return True

    def _found(self):
        """The id; a new object only if it differs from the last one."""
        same = len(self._last) == self._size
        for at in range(self._size):
            same = same and self._last[at] == self._uid[at]
        if not same:
            self._last = bytes(self._uid[: self._size])
        return self._last

    def _exchange(self, frame, command, crc, last_bits):
        """Send a frame; returns how many bytes came back, -1 for none or bad ones. `last_bits`: of a short frame."""
        self._write(COMMAND, _IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)  # empty it
        self._write(TX_MODE, crc)
        self._write(RX_MODE, crc)
        self._cs.value(0)
        self._spi.write(frame)
        self._cs.value(1)
        self._write(BIT_FRAMING, last_bits)
        self._write(COMMAND, command)
        if command == _TRANSMIT:
            return -1  # what this sends gets no answer from a card
        self._write(BIT_FRAMING, 0x80 | last_bits)
        irqs = 0
        for _ in range(self.most_looks):
            irqs = self._read(COM_IRQ) & _DONE_IRQS
            if irqs:
                break
        errors = self._read(ERROR)
        if errors & _COLLISION:
            self.collided = True
        if not irqs or irqs == _TIMER_IRQ or errors & (_ERRORS | _COLLISION):
            return -1
        return self._read(FIFO_LEVEL)

    def _none(self, value):
        return value == 0 or value == 0xFF

    def _read(self, register):
        self._out[0] = register | READ
        self._out[1] = 0
        self._cs.value(0)
        self._spi.write_readinto(self._out, self._in)
        self._cs.value(1)
        return self._in[1]

    def _write(self, register, value):
        self._out[0] = register
        self._out[1] = value
        self._cs.value(0)
        self._spi.write(self._out)
        self._cs.value(1)
