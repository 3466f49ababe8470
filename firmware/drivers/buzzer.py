"""The buzzer: named sounds, played note by note on a PWM pin while the loop runs on."""

from time import ticks_add, ticks_diff

from machine import PWM, Pin

# The sounds: notes of two characters each. The first is the tone: a is 400 hertz, b 600, … s 4000, and - is a rest
# (a piezo is loudest at 2 to 4 kHz). The second is the length in units of 30 ms. This form takes little memory.
SOUNDS = {
    "press": b"n1",
    "refused": b"c3-1b5",
    "roll": b"j1-1l1-1n1-1p1",
    "lamp": b"d6",
    "go": b"i9i9i2",
    "bumped": b"b2a4",
    "lap": b"i2m4",
    "out": b"e4c4b8",
    "finished": b"i3k3n3s8",
    "podium": b"i5-1i5-1m5-1s9s8",
    "scale": b"a2c2e2g2i2k2m2o2q2s2",  # for the self-test
}
OTHER = b"i2"  # for names not listed above
LOWEST_HERTZ = 400
STEP_HERTZ = 200
NOTE_MS = 30


class Buzzer:
    """A passive piezo on a pin. `mute` may be set at any time and takes effect at once."""

    def __init__(self, pin, mute=False):
        self._mute = mute
        self._notes = None
        self._place = 0
        self._next_ms = 0
        self._sounding = False
        self._pwm = PWM(Pin(pin), freq=2000, duty_u16=0)

    @property
    def mute(self):
        """Whether it is muted."""
        return self._mute

    @mute.setter
    def mute(self, on):
        self._mute = on
        if on:
            self._silence()

    def play(self, name):
        """Play a named sound from the next `tick` on, in place of any still playing. While muted, the call is dropped."""
        if not self._mute:
            self._notes = SOUNDS.get(name, OTHER)
            self._place = 0

    def tick(self, now_ms):
        """Go on to the next note when it is due; a late tick makes a note longer, never skips one."""
        notes = self._notes
        if notes is None or (self._place and ticks_diff(now_ms, self._next_ms) < 0):
            return
        if self._place == len(notes):
            self._silence()
            return
        tone = notes[self._place] - 97
        self._next_ms = ticks_add(now_ms, NOTE_MS * (notes[self._place + 1] - 48))
        self._place += 2
        if tone < 0:
            self._pwm.duty_u16(0)
            return
        self._pwm.freq(LOWEST_HERTZ + STEP_HERTZ * tone)
        self._pwm.duty_u16(32768)
        self._sounding = True

    def _silence(self):
        self._notes = None
        if self._sounding:
            self._sounding = False
            self._pwm.duty_u16(0)

    def close(self):
        """Go silent and release the pin."""
        self._silence()
        self._pwm.deinit()
