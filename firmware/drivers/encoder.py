"""A rotary encoder on two pins, decoded by a state table in their interrupts: contact bounce adds up to 0."""

from machine import Pin

# The step from one state of the pins (a << 1 | b) to the next, at before << 2 | after, plus 1: a quarter turn forwards
# is 3 -> 1 -> 0 -> 2 -> 3. Where both pins have changed, an edge was missed and the direction is unknown: no step.
STEPS = b"\x01\x00\x02\x01" b"\x02\x01\x01\x00" b"\x00\x01\x01\x02" b"\x01\x02\x00\x01"
REST = 3  # both open: the detent
STEPS_A_CLICK = 4  # all four must be seen: with some lost, the knob may just as well have turned back


class Encoder:
    """Pins A and B to ground, with the Pico's own pull-ups. Clockwise A closes first."""

    def __init__(self, pin_a, pin_b):
        self._a = Pin(pin_a, Pin.IN, Pin.PULL_UP)
        self._b = Pin(pin_b, Pin.IN, Pin.PULL_UP)
        self._state = self._a() << 1 | self._b()
        self._steps = 0  # since the last detent
        self._turned = 0  # clicks since the start; only the interrupt writes it
        self._taken = 0  # only `take` writes it
        self._missed = False
        self.restarts = 0
        self._listen()

    def _listen(self):
        both = Pin.IRQ_RISING | Pin.IRQ_FALLING
        self._a.irq(handler=self._edge, trigger=both, hard=True)
        self._b.irq(handler=self._edge, trigger=both, hard=True)

    def _edge(self, _pin):
        state = self._a() << 1 | self._b()
        self._steps += STEPS[self._state << 2 | state] - 1
        self._state = state
        if state == REST:
            if self._steps >= STEPS_A_CLICK:
                self._turned += 1
            elif self._steps <= -STEPS_A_CLICK:
                self._turned -= 1
            self._steps = 0

    def take(self):
        """The clicks since the last call: above 0 clockwise, below 0 anticlockwise. MicroPython removes an interrupt
        handler that has raised; where the pins show twice what no edge has reported, the handler is set again."""
        state = self._a() << 1 | self._b()
        missed = self._missed
        self._missed = state != self._state
        if missed and self._missed:
            self.restarts += 1
            self._state = state
            self._steps = 0
            self._listen()
        turned = self._turned
        clicks = turned - self._taken
        self._taken = turned
        return clicks

    def close(self):
        """No more interrupts."""
        self._a.irq(handler=None)
        self._b.irq(handler=None)
