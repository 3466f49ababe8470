"""The buzzer: named sounds, as tones of a PWM pin that follow each other while the loop goes on."""

from time import ticks_add, ticks_diff

from machine import PWM, Pin

# What is played: (hertz, ms) one after the other, 0 hertz is a rest. A piezo is loudest at 2 to 4 kHz.
SOUNDS = {
    "press": ((3000, 12),),
    "refused": ((900, 90), (0, 40), (700, 140)),
    "roll": ((2200, 20), (0, 30), (2600, 20), (0, 30), (3000, 20), (0, 30), (3400, 40)),
    "lamp": ((1000, 180),),
    "go": ((2000, 600),),
    "bumped": ((600, 60), (400, 120)),
    "lap": ((2000, 70), (2700, 110)),
    "out": ((1200, 120), (900, 120), (600, 240)),
    "finished": ((2000, 100), (2500, 100), (3000, 100), (4000, 250)),
    "scale": ((1047, 200), (1175, 200), (1319, 200), (1397, 200), (1568, 200), (1760, 200), (1976, 200), (2093, 300)),
    "podium": ((2000, 150), (0, 30), (2000, 150), (0, 30), (2700, 150), (0, 30), (4000, 500)),
}
OTHER = ((2000, 60),)  # for a name that is not among them


class Buzzer:
    """A passive piezo on a pin. `mute` may be set at any time, and silences at once."""

    def __init__(self, pin, mute=False):
        self._mute = mute
        self._notes = None
        self._place = 0
        self._begun = False
        self._next_ms = 0
        self._sounding = False
        self._pwm = PWM(Pin(pin), freq=2000, duty_u16=0)

    @property
    def mute(self):
        """Whether it is silenced."""
        return self._mute

    @mute.setter
    def mute(self, on):
        self._mute = on
        if on:
            self._silence()

    def play(self, name):
        """Play a named sound from the next `tick` on; a newer one ends the older. Muted, it is forgotten."""
        if not self._mute:
            self._notes = SOUNDS.get(name, OTHER)
            self._place = -1
            self._begun = False

    def tick(self, now_ms):
        """Go on to the next tone where it is due; a late tick makes a tone longer, never skips one."""
        notes = self._notes
        if notes is None or (self._begun and ticks_diff(now_ms, self._next_ms) < 0):
            return
        self._begun = True
        self._place += 1
        if self._place == len(notes):
            self._silence()
            return
        hertz, length_ms = notes[self._place]
        self._next_ms = ticks_add(now_ms, length_ms)
        if hertz:
            self._pwm.freq(hertz)
            self._pwm.duty_u16(32768)
            self._sounding = True
        else:
            self._pwm.duty_u16(0)

    def _silence(self):
        self._notes = None
        if self._sounding:
            self._sounding = False
            self._pwm.duty_u16(0)

    def close(self):
        """Silent, and the pin let go."""
        self._silence()
        self._pwm.deinit()
