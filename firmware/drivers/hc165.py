"""Panels on a chain of 74HC165: a PIO program shifts their keys in; a timer starts the scans and collects the results.

A module shifts out inputs H and G first, wired to 0 and 1, so that a panel, an empty place and a broken wire look
different; then F to A, its keys, which are 0 when down. Input A is the first key (PREV, or 1 on a dice pad), F the last.
"""
# ruff: noqa: F821 PIO programs are written in names that rp2.asm_pio gives them

from array import array

import rp2
from machine import Pin

DICE_PAD = 200  # the panel number in its keys' edges
ABSENT, THERE, FAULT = 0, 1, 2
MACHINES = (4, 5, 6, 7)  # of PIO 1; on a Pico W the radio may hold one of them
WORD_BITS = 24  # three modules: a word stays a small int, which needs no memory
MODULES_MOST = 12  # as many words as the FIFO holds
WAIT_LOOKS = 60  # of some 8 µs each: twelve modules take 390 µs


@rp2.asm_pio(sideset_init=[rp2.PIO.OUT_LOW, rp2.PIO.OUT_HIGH], in_shiftdir=rp2.PIO.SHIFT_LEFT, autopush=True,
             push_thresh=24)
def hc165():
    # Side-set bit 0 is CLK, bit 1 LATCH. At 1 MHz even slow chips follow; CLK is low whenever LATCH rises.
    wrap_target()
    pull(block).side(0b10)
    mov(x, osr).side(0b00)[3]
    nop().side(0b10)[1]
    label("bit")
    in_(pins, 1).side(0b10)[1]
    jmp(x_dec, "bit").side(0b11)[1]
    wrap()


class Chain:
    """Up to 12 modules: panels 1, 2, … counted from the Pico; with `dice_pad`, the last place is the dice pad.

    Edges go into `ring` by its `put(t_ms, panel, key, down)`, timed by `ticks_ms`. A module counts
    as there, gone or broken once it has looked so for `settle_scans`; until it is there its keys
    report nothing, and when it goes, the keys that are down are released.
    """

    settle_scans = 4
    late_ticks = 4  # then a scan is lost

    def __init__(self, clock, latch, data, modules, ring, dice_pad, ticks_ms):
        if latch != clock + 1:
            raise ValueError("the panels' latch must be on the pin after the clock: %d, not %d" % (clock + 1, latch))
        if not 0 < modules <= MODULES_MOST:
            raise ValueError("a chain has 1 to %d modules, not %d" % (MODULES_MOST, modules))
        self.modules = modules
        self.scans = 0
        self._ring = ring
        self._pad = modules - 1 if dice_pad else -1
        self._ticks_ms = ticks_ms
        self._states = bytearray(modules)
        self._keys = bytearray(modules)  # one bit for each key that is down
        self._told = bytearray(modules)  # the same, as last reported to the ring
        self.untold = False  # something has changed that isn't in the ring yet,
        self._changed_ms = 0  # and the start of the scan that saw it first
        self._bytes = bytearray(modules)  # as they came in the last scan
        self._same = bytearray(modules)  # for how many scans each module has looked as it does now
        self._looks = bytearray(modules)
        self._count = (modules + 2) // 3  # words
        self._order = WORD_BITS * self._count - 1  # what starts the program: the number of bits less one
        self._words = array("I", bytes(4 * self._count))
        self._known = array("I", bytes(4 * self._count))  # the words of the last scan
        self._unsettled = self.settle_scans  # scans for which all modules are checked, even with no change
        self._begun = False
        self._waits = 0  # how often the tick that begins a scan looks for its end
        self._late = 0  # ticks that found a scan still under way
        self._machine = _machine(Pin(clock), Pin(data, Pin.IN, Pin.PULL_UP))
        self._machine.active(1)
        self._latched_ms = ticks_ms()

    def states(self):
        """One byte for each module: 0 not there, 1 there, 2 miswired. Known 30 ms after the start.

        Returns a copy, which takes memory: don't call it every tick.
        """
        return bytes(self._states)

    def raw(self, module):
        """The last byte of a module (from 0), for the self-test."""
        return self._bytes[module]

    def tick(self, _timer=None):
        """One scan: a timer's callback. A timer with little stack calls begin, fetch and tell itself."""
        self.begin()
        self.fetch()
        if self.untold:
            self.tell()

    def begin(self):
        """Collect the previous scan, if nobody has, and begin a new one, which needs some 0.1 ms a panel."""
        machine = self._machine
        if self._begun:
            self._waits = 0 if self.scans & 63 else WAIT_LOOKS  # too slow to wait for; tried again now and then
            if not self.fetch():
                self._late += 1
                if self._late < self.late_ticks:
                    return
                while machine.rx_fifo():
                    machine.get()
        else:
            self._waits = WAIT_LOOKS
        self._late = 0
        self._begun = True
        self._latched_ms = self._ticks_ms()
        machine.put(self._order)

    def fetch(self):
        """Collect the scan under way; False if it isn't complete yet. A slow chain is seldom waited for."""
        machine = self._machine
        left = self._waits
        while machine.rx_fifo() != self._count:
            left -= 1
            if left < 0:
                return False
        machine.get(self._words)
        self._begun = False
        if self._unsettled or self._words != self._known:
            self._look()
        self.scans = (self.scans + 1) & 0x3FFFFFFF
        return True

    def _look(self):
        """Check every module: something has changed, or not all have settled yet. This calls
        nothing, because a timer's callback may come with little stack left."""
        self._unsettled = self._unsettled - 1 if self._words == self._known else self.settle_scans
        for module in range(self.modules):
            byte = self._words[module // 3] >> 16 - module % 3 * 8 & 0xFF
            self._bytes[module] = byte
            looks = THERE if byte & 0xC0 == 0x40 else ABSENT if byte == 0xFF else FAULT
            if looks != self._looks[module]:
                self._looks[module] = looks
                self._same[module] = 0
            if self._same[module] < self.settle_scans:
                self._same[module] += 1
            if looks != self._states[module]:
                if self._same[module] < self.settle_scans:
                    continue
                self._states[module] = looks
            keys = byte & 0x3F ^ 0x3F if looks == THERE else 0
            if keys != self._keys[module]:
                self._keys[module] = keys
                if not self.untold:
                    self.untold = True
                    self._changed_ms = self._latched_ms
        for place in range(self._count):
            self._known[place] = self._words[place]

    def tell(self):
        """Put the changes into the ring. If that breaks off, the next scan carries on."""
        t_ms = self._changed_ms
        for module in range(self.modules):
            keys = self._keys[module]
            changed = keys ^ self._told[module]
            if changed:
                panel = DICE_PAD if module == self._pad else module + 1
                for key in range(6):
                    if changed >> key & 1:
                        self._ring.put(t_ms, panel, key, keys >> key & 1)
                        self._told[module] ^= 1 << key
        self.untold = False

    def close(self):
        """Stop scanning."""
        self._machine.active(0)


def _machine(clock, data):
    """The first state machine that is free."""
    last = None
    for number in MACHINES:
        try:
            return rp2.StateMachine(number, hc165, freq=1000000, sideset_base=clock, in_base=data, push_thresh=24)
        except (ValueError, OSError) as error:
            last = error
    raise OSError("no state machine is free for the panels: %s" % last)
