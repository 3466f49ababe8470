"""Panels whose keys have a pin each, to ground, with the Pico's own pull-ups; the surface of hc165.Chain."""

from machine import Pin


class Keys:
    """`pins`: for each panel the pins of its keys, in the order of KEYS. Edges go into `ring`."""

    def __init__(self, pins, ring, ticks_ms):
        self.modules = len(pins)
        self.scans = 0
        self._ring = ring
        self._ticks_ms = ticks_ms
        self._states = b"\x01" * len(pins)  # a pin can't tell whether a key hangs on it
        self._pins = []
        self._panels = bytearray()
        self._numbers = bytearray()
        for panel in range(len(pins)):
            for number in range(len(pins[panel])):
                self._pins.append(Pin(pins[panel][number], Pin.IN, Pin.PULL_UP))
                self._panels.append(panel + 1)
                self._numbers.append(number)
        self._levels = bytearray(b"\x01" * len(self._pins))

    def states(self):
        """See hc165.Chain.states: all are there."""
        return self._states

    def tick(self, _timer=None):
        """Look at all keys: the timer's callback."""
        levels = self._levels
        for place in range(len(levels)):
            level = self._pins[place].value()
            if level != levels[place]:
                levels[place] = level
                self._ring.put(self._ticks_ms(), self._panels[place], self._numbers[place], 1 - level)
        self.scans = (self.scans + 1) & 0x3FFFFFFF

    def close(self):
        """Nothing to stop."""
