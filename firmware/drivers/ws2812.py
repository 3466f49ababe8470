"""LED wires: strips of WS2812 (and SK6812 with a white channel) on the state machines of PIO 0, each fed by a DMA channel.

An output keeps a copy of its latest frame; `pump` turns it into the wire's words in a second
buffer, and the DMA sends that while the program goes on. Nothing waits, and interrupts stay on.
"""
# ruff: noqa: F821 PIO programs are written in names that rp2.asm_pio gives them

import time
from array import array

import rp2
from machine import Pin

try:
    from drivers.ws2812_fast import pack
except (ImportError, ValueError, SyntaxError, NameError):  # no native code, or code for another chip
    from drivers.ws2812_plain import pack

# The first transmit FIFO; that of state machine n lies 4 n further on, and its DMA request has the number n.
TX_FIFO = {"rp2040": 0x50200010, "rp2350": 0x50200010}
MACHINES = 4
BIT_TICKS = 10  # of 125 ns


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def ws2812():
    # 3, 3, 4: high for 375 ns is a 0, for 750 ns a 1, within both the old and the new data sheets.
    wrap_target()
    label("bit")
    out(x, 1).side(0)[3]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[2]
    label("zero")
    nop().side(0)[2]
    wrap()


class _Slice:
    def __getitem__(self, what):
        return what


ALL = _Slice()[:]  # kept: writing [:] in the loop would take memory each time


class Output:
    """A run of pixels on a wire. `use` is the hal's: "track", "dials" or "spare"."""

    def __init__(self, wire, first, count, order):
        self.count = count
        self.use = ""
        self.frames = 0  # those that differed from the previous one
        self.late = False  # the latest frame hasn't been sent yet
        self.marks = None  # pixels that stay lit whatever the frames say, -1 for none (an array)
        self._colour = bytearray(3)  # their colour
        self.wire = wire
        self._known = memoryview(bytearray(3 * count))
        shifts = [8 * (3 - order.index(letter)) for letter in "RGB"]
        self._span = array("i", [first, count] + shifts)  # see ws2812_plain.pack

    def show(self, frame):
        """Show a frame (RGB, 3 bytes a pixel); it is copied and goes out with the wire's next `pump`."""
        if self._known != frame:
            self._known[ALL] = frame
            self.late = self.wire.due = True
            self.frames = (self.frames + 1) & 0x3FFFFFFF

    def put(self, words):
        """Put the latest frame into the wire's words."""
        if self.late:
            self.late = False
            pack(self._known, words, self._span)
            if self.marks:
                for pixel in self.marks:
                    if pixel >= 0:
                        self._light(pixel)

    def mark(self, number, pixel, red, green, blue):
        """Light a pixel from the next frame on until `unmark`, whatever the frames say: `marks[number]`.
        All marks lit at the same time share one colour. A timer may call this at any moment."""
        self.marks[number] = pixel
        colour = self._colour
        colour[0] = red
        colour[1] = green
        colour[2] = blue
        self._light(pixel)
        self.wire.due = True

    def unmark(self, number):
        """Let the frames control this pixel again."""
        self.marks[number] = -1
        self.late = self.wire.due = True

    def _light(self, pixel):
        span = self._span
        words = self.wire.words
        at = 4 * (span[0] + pixel)
        for part in range(3):
            words[at + (span[2 + part] >> 3)] = self._colour[part]


class Wire:
    """The outputs chained on one pin. `parts`: (pixels, colour order) of each, counted from the Pico.

    `machine_number` is the state machine, 0 to 3. Raises ValueError or OSError for a wire that can't be had.
    """

    gap_us = 300  # newer chips show a frame after 280 µs of silence
    slack_us = 20
    stuck_us = 20000  # longer than a frame takes
    again_us = 1000000  # resend even an unchanged frame: pixels that lost power are dark and can't say so

    def __init__(self, pin, machine_number, parts, chip="rp2040"):
        if chip not in TX_FIFO:
            raise ValueError("the LED driver knows no chip %s" % chip)
        if not 0 <= machine_number < MACHINES:
            raise ValueError("there are %d LED wires at most" % MACHINES)
        bits = 0
        self.count = 0  # pixels
        for count, order in parts:
            if bits and bits != 8 * len(order):
                raise ValueError("outputs chained on one pin need the same number of colours, and pin %d has both "
                                 "%d and %d" % (pin, bits // 8, len(order)))
            if sorted(order) not in (["B", "G", "R"], ["B", "G", "R", "W"]):
                raise ValueError("no strip has the colour order %s" % order)
            bits = 8 * len(order)
            self.count += count
        self.words = bytearray(4 * self.count)  # what the DMA reads
        self._sending = False  # keeps a timer from starting another frame meanwhile
        self.outputs = []
        first = 0
        for count, order in parts:
            self.outputs.append(Output(self, first, count, order))
            first += count
        self.due = True  # the first frame is dark: a strip keeps its light over a reset
        self.frames = 0  # sent
        self.stuck = False  # the DMA doesn't finish
        self._pin = Pin(pin, Pin.OUT, value=0)
        self._machine = rp2.StateMachine(machine_number, ws2812, freq=8000000, sideset_base=self._pin,
                                         pull_thresh=bits or 24)
        self._dma = rp2.DMA()
        self._dma.config(
            write=TX_FIFO[chip] + 4 * machine_number,
            ctrl=self._dma.pack_ctrl(size=2, inc_read=True, inc_write=False, treq_sel=machine_number),
        )
        self._machine.active(1)
        self._frame_us = self.count * (bits or 24) * BIT_TICKS // 8 + 1
        self._rest_us = self.gap_us  # counted from `_begun_us`, until the next frame may begin
        self._begun_us = time.ticks_us()

    def pump(self, now_us):
        """Send what is due once the wire has been silent for long enough; True if it did. `now_us`:
        time.ticks_us(). A timer may call this too, even in the middle of the loop's call, and then does nothing."""
        if self._sending or not self.due and -self.stuck_us < time.ticks_diff(now_us, self._begun_us) < self.again_us:
            return False
        self._sending = True
        try:
            waited_us = time.ticks_diff(now_us, self._begun_us)
            if -self.stuck_us < waited_us < self._rest_us:  # below 0: the timer has sent since `now_us`
                return False
            if self._dma.active():
                self.stuck = not 0 <= waited_us < self._frame_us + self.stuck_us
                return False
            self._send()
            return True
        finally:
            self._sending = False

    def _send(self):
        self.due = False
        self.stuck = False
        if not self.count:
            return
        for output in self.outputs:
            output.put(self.words)
        self._dma.config(read=self.words, count=self.count, trigger=True)
        # Taken after the start, so that it can only be late: an interrupt may have come in between.
        self._begun_us = time.ticks_us()
        self._rest_us = self._frame_us + self.gap_us + self.slack_us
        self.frames = (self.frames + 1) & 0x3FFFFFFF

    def dark(self):
        """Turn all pixels off now, and wait until they are: for the end of a program."""
        self._wait()
        for output in self.outputs:
            output.show(bytes(3 * output.count))
        self._send()
        self._wait()

    def _wait(self):
        """Wait for the frame that is going out, and its gap; a stuck one is waited for only briefly."""
        limit_us = self._rest_us + self.stuck_us
        while True:
            waited_us = time.ticks_diff(time.ticks_us(), self._begun_us)
            if not 0 <= waited_us < limit_us or (waited_us >= self._rest_us and not self._dma.active()):
                return
            time.sleep_us(100)

    def close(self):
        """Release the state machine and the DMA channel; the wire stays low."""
        self._dma.active(0)
        self._dma.close()
        self._machine.active(0)
        self._pin.init(Pin.OUT, value=0)
