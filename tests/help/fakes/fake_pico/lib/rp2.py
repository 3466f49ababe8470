"""The module `rp2` of a Pico at the level of words: state machines that know our two kinds of programs, and DMA.

A program without `in_` sends pulses: its words go to the LED wire on its side-set pin. One with `in_` and
autopush scans the bench's chain of 74HC165. The time that both take is worked out from the program itself.
"""

import pio_asm
from fake_pico import board
from pio_asm import PIOASMError  # noqa: F401 as in the real one

TX_FIFO = 0x50200010
FIFO_WORDS = 4
DMA_CHANNELS = 12
_machines = {}


class PIO:
    """A PIO block."""

    IN_LOW, IN_HIGH, OUT_LOW, OUT_HIGH = 0, 1, 2, 3
    SHIFT_LEFT, SHIFT_RIGHT = 0, 1
    JOIN_NONE, JOIN_TX, JOIN_RX = 0, 1, 2

    def __init__(self, number):
        self.number = number

    def remove_program(self, program=None):
        pass

    def state_machine(self, number, program=None, **options):
        return StateMachine(4 * self.number + number, program, **options)


def asm_pio(**options):
    """The decorator of programs."""

    def assemble(function):
        return pio_asm.assemble(function, options)

    return assemble


def bootsel_button():
    """1 while BOOTSEL is down."""
    return board.bootsel


class StateMachine:
    """A state machine of PIO 0 (0 to 3) or 1 (4 to 7)."""

    def __init__(self, number, program=None, freq=-1, **options):
        if not 0 <= number < 12:
            raise ValueError("invalid StateMachine")
        self.number = number
        _machines[number] = self
        self._on = 0
        self._ready = []  # (when it is there, word)
        self._free_us = 0
        self.program = None
        if program is not None:
            self.init(program, freq, **options)

    def init(self, program, freq=-1, *, in_base=None, out_base=None, set_base=None, jmp_pin=None, sideset_base=None,
             in_shiftdir=None, out_shiftdir=None, push_thresh=None, pull_thresh=None):
        self.program = program
        self.freq = board.hertz if freq <= 0 else freq
        self.in_base = in_base
        self.sideset_base = sideset_base
        self.pull_thresh = pull_thresh or program.pull_thresh
        self.push_thresh = push_thresh or program.push_thresh
        self._on = 0
        self.restart()
        for place in range(len(program.sideset_init)):
            board.pin(sideset_base.id + place).taken(program.sideset_init[place] & 1)
        if not program.uses_in:
            self._send_times()

    def _send_times(self):
        zero_high, zero = pio_asm.pulse(self.program, 0)
        one_high, one = pio_asm.pulse(self.program, 1)
        unit_ns = 1000000000 // self.freq
        if not 220 <= zero_high * unit_ns <= 400 or not 580 <= one_high * unit_ns <= 1000 or zero != one:
            board.faults.append("pulses of %d and %d ns" % (zero_high * unit_ns, one_high * unit_ns))
        self.bit_ns = one * unit_ns

    def active(self, on=None):
        if on is not None:
            self._on = 1 if on else 0
        return bool(self._on)

    def restart(self):
        self._ready = []
        self._free_us = 0

    def exec(self, instruction):
        pass

    def irq(self, handler=None, trigger=0, hard=False):
        pass

    # Words by the program: the chain

    def put(self, value, shift=0):
        if not self._on or not self.program.uses_in:
            return
        board.scans += 1
        begun = max(board.now_us(), self._free_us)  # another scan may be under way
        word = 0
        for k in range(value + 1):
            word = word << 1 | (board.chain_byte(k // 8) >> (7 - k % 8) & 1)
            if (k + 1) % self.push_thresh == 0:
                self._ready.append((begun + (11 + 4 * k) * 1000000 // self.freq, word))
                word = 0
        self._free_us = begun + (11 + 4 * value) * 1000000 // self.freq

    def rx_fifo(self):
        if board.look_us:
            board.fake_clock(board.now_us() + board.look_us)
        now = board.now_us()
        count = 0
        for due_us, _ in self._ready:
            if due_us <= now:
                count += 1
        return min(count, FIFO_WORDS)

    def tx_fifo(self):
        return 0

    def get(self, buffer=None, shift=0):
        if buffer is not None:
            for place in range(len(buffer)):
                buffer[place] = self.get(None, shift)
            return buffer
        if not self.rx_fifo():
            raise RuntimeError("get() would wait for ever: the RX FIFO is empty")
        return self._ready.pop(0)[1] << shift

    # Words by DMA: a wire

    def send(self, data, words):
        now = board.now_us()
        word_us = self.pull_thresh * self.bit_ns // 1000
        if not self._on:
            board.faults.append("DMA to a state machine that is off")
        self.wire().begin(now, data, words, self.pull_thresh, word_us)
        return now + max(0, words - FIFO_WORDS - 1) * word_us

    def wire(self):
        return board.wire(self.sideset_base.id)


class DMA:
    """A DMA channel whose transfers go to a state machine."""

    _taken = []

    def __init__(self):
        for channel in range(DMA_CHANNELS):
            if channel not in DMA._taken:
                DMA._taken.append(channel)
                self.channel = channel
                break
        else:
            raise OSError(16)
        self.read = self.write = None
        self.count = self.ctrl = 0
        self._ends_us = 0
        self._machine = None

    @staticmethod
    def _bits(**fields):
        value = 0
        for name, place in _CTRL:
            value |= int(fields.get(name, 0)) << place
        return value

    def pack_ctrl(self, default=None, **fields):
        """The control word as in the RP2040."""
        value = {"enable": 1, "size": 2, "inc_read": 1, "inc_write": 1, "treq_sel": 63, "irq_quiet": 1,
                 "chain_to": self.channel}
        value.update(fields)
        return self._bits(**value)

    @staticmethod
    def unpack_ctrl(value):
        found = {}
        for name, place in _CTRL:
            found[name] = value >> place & (3 if name == "size" else 15 if name in ("ring_size", "chain_to") else
                                            63 if name == "treq_sel" else 1)
        return found

    def config(self, *, read=None, write=None, count=None, ctrl=None, trigger=False):
        if read is not None:
            self.read = read
        if write is not None:
            self.write = write
        if count is not None:
            self.count = count
        if ctrl is not None:
            self.ctrl = ctrl
        if trigger:
            self._go()

    def _go(self):
        machine = self._target()
        fields = self.unpack_ctrl(self.ctrl)
        if fields["treq_sel"] != machine.number // 4 * 8 + machine.number % 4:
            board.faults.append("DMA paced by request %d" % fields["treq_sel"])
        if fields["size"] != 2 or fields["inc_write"] or not fields["inc_read"] or not fields["enable"]:
            board.faults.append("DMA with odd steps")
        if 4 * self.count > len(self.read):
            board.faults.append("DMA behind the end of its buffer")
        self._machine = machine
        self._ends_us = machine.send(self.read, self.count)

    def _target(self):
        if isinstance(self.write, StateMachine):
            return self.write
        place = self.write - TX_FIFO
        number = place // 0x100000 * 4 + place % 0x100000 // 4
        return _machines[number]

    def active(self, on=None):
        now = board.now_us()
        if self._machine is not None:
            self._machine.wire().look(now)
        if on is not None:
            if on:
                self._go()
            else:
                self._ends_us = now
        return now < self._ends_us

    def close(self):
        if self.channel in DMA._taken:
            DMA._taken.remove(self.channel)

    def irq(self, handler=None, hard=False):
        pass


_CTRL = (("enable", 0), ("high_pri", 1), ("size", 2), ("inc_read", 4), ("inc_write", 5), ("ring_size", 6),
         ("ring_sel", 10), ("chain_to", 11), ("treq_sel", 15), ("irq_quiet", 21), ("bswap", 22), ("sniff_en", 23))
