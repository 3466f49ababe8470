"""Panels with a pin for each key, to ground, with the Pico's own pull-ups; same interface as hc165.Chain."""

import time

from machine import Pin

PULLED_US = 100  # how long a pin with some metres of wire takes to follow its pull


def chain_hangs(clock, latch, data):
    """Whether something like a chain of 74HC165, perhaps miswired, hangs on these pins, for boards
    whose wiring isn't known: not nothing, and not a key to ground."""
    return first_panel(clock, latch, data) not in (0x00, 0xFF)


def first_panel(clock, latch, data):
    """The byte of a chain's first panel (see hc165), 0xFF if none hangs on these pins. Only pulls
    drive the pins, so a key held down there shorts nothing but a pull to ground.

    While the chip loads, it shows input H, which is wired to ground; after one clock input G, wired to 3.3 V.
    """
    Pin(clock, Pin.IN, Pin.PULL_DOWN)
    Pin(latch, Pin.IN, Pin.PULL_DOWN)
    data = Pin(data, Pin.IN, Pin.PULL_UP)
    time.sleep_us(PULLED_US)
    if data():
        return 0xFF
    Pin(latch, Pin.IN, Pin.PULL_UP)
    data.init(Pin.IN, Pin.PULL_DOWN)
    time.sleep_us(PULLED_US)
    byte = 0
    for _ in range(7):
        Pin(clock, Pin.IN, Pin.PULL_UP)
        time.sleep_us(PULLED_US)
        byte = byte << 1 | data()
        Pin(clock, Pin.IN, Pin.PULL_DOWN)
        time.sleep_us(PULLED_US)
    return byte


class Keys:
    """`pins`: the pins of each panel's keys, in the order of KEYS. Edges go into `ring`."""

    def __init__(self, pins, ring, ticks_ms):
        self.modules = len(pins)
        self.scans = 0
        self._ring = ring
        self._ticks_ms = ticks_ms
        self._states = b"\x01" * len(pins)  # a pin can't tell whether a key hangs on it
        self._pins = []
        self._whose = bytearray()  # the panel and key of each pin
        for panel in range(len(pins)):
            for key in range(len(pins[panel])):
                self._pins.append(Pin(pins[panel][key], Pin.IN, Pin.PULL_UP))
                self._whose.append(panel + 1)
                self._whose.append(key)
        self._levels = self._now = (1 << len(self._pins)) - 1  # one bit for each pin, the first on top: all open
        self.untold = False

    def states(self):
        """See hc165.Chain.states: all count as there."""
        return self._states

    def begin(self):
        """There is nothing to begin."""

    def tick(self, _timer=None):
        """One scan: the timer's callback. A timer with little stack calls fetch and tell itself."""
        self.fetch()
        if self.untold:
            self.tell()

    def fetch(self):
        """Read all keys."""
        levels = 0
        for pin in self._pins:
            levels = levels << 1 | pin()
        if levels != self._levels:
            self._now = levels
            self.untold = True
        self.scans = (self.scans + 1) & 0x3FFFFFFF

    def tell(self):
        """Put the changes into the ring. If that breaks off, the next scan carries on."""
        count = len(self._pins)
        t_ms = self._ticks_ms()
        levels = self._now
        changed = levels ^ self._levels
        for place in range(count):
            shift = count - 1 - place
            if changed >> shift & 1:
                self._ring.put(t_ms, self._whose[2 * place], self._whose[2 * place + 1], 1 - (levels >> shift & 1))
                self._levels ^= 1 << shift
        self.untold = False

    def close(self):
        """There is nothing to stop."""
