"""The voltage of the LED rail, behind a divider of 10 kΩ and 10 kΩ on an ADC pin."""

from machine import ADC, Pin

FULL_MV = 3300  # at the pin, for 65535
DIVIDER = 2
READS = 4


class Supply:
    """Whether the 5 V of the LEDs are there."""

    on_mv = 4300  # from here up it counts as on,
    off_mv = 3800  # below this as off again: a load that comes and goes must not make it flicker

    def __init__(self, pin):
        self._adc = ADC(Pin(pin))
        self._on = False

    def millivolts(self):
        """Of the rail, as the mean of four readings."""
        total = 0
        for _ in range(READS):
            total += self._adc.read_u16() * (FULL_MV * DIVIDER) // 65535
        return total // READS

    def on(self):
        """Whether it is on now."""
        millivolts = self.millivolts()
        self._on = millivolts >= (self.off_mv if self._on else self.on_mv)
        return self._on
