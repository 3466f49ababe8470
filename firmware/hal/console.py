"""The console: an encoder with a push, and the keys OK and BACK. It serves every seat, as the panel CONSOLE."""

from drivers.encoder import Encoder
from machine import Pin

from hal import CONSOLE, ticks_diff

_PREV, _NEXT, _OK, _UNDO, _MENU = 0, 1, 2, 3, 5  # their indexes in KEYS


class Console:
    """`tick` is called by the timer that scans the keys: turns are PREV and NEXT, push and OK are
    OK, BACK is UNDO when released, and MENU when held."""

    hold_ms = 800
    bounce_ms = 20

    def __init__(self, wiring, ring, ticks_ms):
        self._ring = ring
        self._ticks_ms = ticks_ms
        self._encoder = Encoder(wiring["a"], wiring["b"])
        self._push = Pin(wiring["push"], Pin.IN, Pin.PULL_UP)
        self._ok = Pin(wiring["ok"], Pin.IN, Pin.PULL_UP)
        self._back = Pin(wiring["back"], Pin.IN, Pin.PULL_UP)
        self._ok_down = False
        self._back_down = False
        self._back_ms = 0
        self._told = False
        self._clicks = 0  # not yet in the ring

    def tick(self):
        """Put the changes into the ring."""
        now = self._ticks_ms()
        self._clicks += self._encoder.take()
        while self._clicks:  # if this breaks off, it carries on at the next tick
            self._stroke(now, _NEXT if self._clicks > 0 else _PREV)
            self._clicks -= 1 if self._clicks > 0 else -1
        down = not (self._push.value() and self._ok.value())
        if down != self._ok_down:  # bounce is handled where edges become presses
            self._ring.put(now, CONSOLE, _OK, down)
            self._ok_down = down
        down = not self._back.value()
        since_ms = ticks_diff(now, self._back_ms)
        if since_ms < 0:                           # days ago, and the clock has wrapped
            since_ms = self.bounce_ms
        if down != self._back_down:
            if since_ms >= self.bounce_ms:
                if not down and not self._told:
                    self._stroke(now, _UNDO)
                self._back_down = down
                self._back_ms = now
                self._told = False
        elif down and not self._told and since_ms >= self.hold_ms:
            self._stroke(now, _MENU)
            self._told = True

    def _stroke(self, now, key):
        self._ring.put(now, CONSOLE, key, 1)
        self._ring.put(now, CONSOLE, key, 0)

    def close(self):
        """Switch off the encoder's interrupts."""
        self._encoder.close()
