"""The lights in service mode: single pixels, colours, counts, all at once; and how long a frame takes.

Everything drawn here goes through the limits as usual: no test draws more current than the board
file allows, nor flashes too often. Outputs and pixels count from 0.
"""

from glow.lights.effects import next_frame
from hal import ticks_diff

COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))
COLOUR_MS = 1500
FLASH_MS = 120
FULL_MS = 1000
EACH = 10
ALL = 255
#: Levels of the frame in which every pixel changes: one rise and one fall in 32 frames.
WAVE = 32


class ServiceLights:
    """Stands in for `glow.lights.lights.Lights` while service mode lasts. `limits` has the frames and shows them."""

    frame_ms = 33

    def __init__(self, limits, hal):
        self.limits = limits
        self.outputs = hal.pixels
        self.answered_ms = -1                      # how long the last press waited until its frame began
        self._hal = hal
        self._due = True
        self._last_ms = 0
        self._cycle = -1                           # the output whose first pixel cycles through the colours
        self._cycle_ms = 0
        self._flash = False                        # a press is waiting for its light, or has it
        self._flashing = False
        self._flash_ms = 0
        self._wave = None                          # while frames are measured
        self._effects = None                       # the usual lights, while theirs are measured
        self._frames = [0, 0, 0, 0]                # frames, their us, the longest, ms in all
        self._shows = [0, 0, 0, 0]
        self._begun_ms = 0

    # What is shown

    def dark(self):
        """Turn everything off and stop whatever runs."""
        self._cycle = -1
        self._wave = None
        self._effects = None
        self._flash = self._flashing = False
        for output in range(len(self.outputs)):
            self.paint(output, 0)

    def paint(self, output, colour):
        """Light all pixels of an output in a colour (0xRRGGBB)."""
        frame = self.limits.frame(output)
        one = bytes(((colour >> 16) & 255, (colour >> 8) & 255, colour & 255))
        for i in range(0, len(frame), 3):
            frame[i:i + 3] = one
        self._due = True

    def pixel(self, output, number, colour):
        """Light one pixel in a colour."""
        frame = self.limits.frame(output)
        frame[3 * number] = (colour >> 16) & 255
        frame[3 * number + 1] = (colour >> 8) & 255
        frame[3 * number + 2] = colour & 255
        self._due = True

    def cycle(self, output):
        """The first pixel of an output: red, green, blue, white, and again."""
        self._cycle = output
        self._cycle_ms = self._hal.ticks_ms()
        self._due = True

    def flash_for(self, t_ms):
        """A key came down at `t_ms`: light the first pixel of each output for it as soon as possible."""
        self._flash = True
        self._flashing = False
        self._flash_ms = t_ms
        self._due = True

    def measure_frames(self, effects):
        """Measure for a while: frames in which every pixel changes, then those of the usual lights."""
        self.dark()
        most = max([output.count for output in self.outputs] or [0])
        wave = bytearray(3 * (most + WAVE))
        for i in range(len(wave)):
            step = (i // 3) % WAVE
            wave[i] = 16 * min(step, WAVE - step) - (1 if step == WAVE // 2 else 0)
        self._wave = memoryview(wave)
        self._effects = effects
        for i in range(4):
            self._frames[i] = self._shows[i] = 0
        self._begun_ms = self._hal.ticks_ms()

    def measured(self):
        """Whether measuring is done."""
        return self._wave is None and self._effects is None

    def measure(self):
        """The result: frames a second, µs a frame and at most; "show_…" for the usual lights."""
        found = {"state": "ok"}
        for name, counts in (("", self._frames), ("show_", self._shows)):
            frames, us, most, ms = counts
            if frames:
                found[name + "frames"] = frames
                found[name + "us"] = us // frames
                found[name + "most_us"] = most
                found[name + "per_s"] = (frames * 1000 + ms // 2) // ms if ms > 0 else 0
        return found

    # Frames

    def tick(self, now):
        """Make and show a frame if one is due. True if it did."""
        if self._effects is not None and self._wave is None:
            return self._measured_show(now)        # it has its own pace
        late = ticks_diff(now, self._last_ms)
        if not self._due and 0 <= late < self.frame_ms:
            return False
        self._due = False
        self._last_ms = next_frame(self._last_ms, now, late, self.frame_ms)
        if self._wave is not None:
            self._measured_wave(now)
        else:
            self._draw(now)
            self.limits.show(now)
        return True

    def _draw(self, now):
        if self._cycle >= 0:
            red, green, blue = COLOURS[ticks_diff(now, self._cycle_ms) // COLOUR_MS % len(COLOURS)]
            self.pixel(self._cycle, 0, red << 16 | green << 8 | blue)
            self._due = False
        if not self._flash:
            return
        if not self._flashing:
            self._flashing = True
            self.answered_ms = max(0, ticks_diff(self._hal.ticks_ms(), self._flash_ms))
            self._all_first(0xFFFFFF)
        elif ticks_diff(now, self._flash_ms) > FLASH_MS:
            self._flash = self._flashing = False
            self._all_first(0)

    def _all_first(self, colour):
        for output in range(len(self.outputs)):
            if self.outputs[output].count:
                self.pixel(output, 0, colour)
        self._due = False

    def _measured_wave(self, now):
        begun = self._hal.ticks_us()
        at = 3 * (self._frames[0] % WAVE)
        for output in range(len(self.outputs)):
            size = 3 * self.outputs[output].count
            if size:
                self.limits.frame(output)[:] = self._wave[at:at + size]
        self.limits.show(now)
        if self._enough(now, self._frames, begun):
            self._wave = None
            for output in range(len(self.outputs)):
                self.paint(output, 0)
            self._begun_ms = self._hal.ticks_ms()

    def _measured_show(self, now):
        begun = self._hal.ticks_us()
        if not self._effects.tick(now):
            return False
        if self._enough(now, self._shows, begun):
            self._effects.drop_track()
            self._effects.show_dark(now)
            self._effects = None
        return True

    def _enough(self, now, counts, begun):
        """Count a frame begun at `begun` us; whether it was the last one."""
        us = ticks_diff(self._hal.ticks_us(), begun)
        counts[0] += 1
        counts[1] += us
        counts[2] = max(counts[2], us)
        counts[3] = ticks_diff(now, self._begun_ms)
        return counts[3] >= FULL_MS


# The tests: each takes the screen and three numbers, and returns its result.

def _lights(screen, output):
    """The lights, turned off; None if there are none, or no such output."""
    lights = screen.lights
    if lights is None or not 0 <= output < len(lights.outputs) or not lights.outputs[output].count:
        return None
    lights.dark()
    return lights


def dark(screen, _a, _b, _c, _rest):
    """All lights out; keys, reader and everything else that reports go quiet again."""
    screen.keys_on = screen.reader_on = False
    screen.latencies = None
    screen.page = None
    screen.what = ""
    if screen.lights:
        screen.lights.dark()
    return {"state": "ok"}


def colours(screen, a, b, _c, _rest):
    """The first pixel of output b: 0: red, green, blue, white by turns; 1 to 4: one of these."""
    lights = _lights(screen, b)
    if lights is None:
        return {"state": "missing"}
    if 1 <= a <= 4 and screen.hosted:
        red, green, blue = COLOURS[a - 1]
        lights.pixel(b, 0, red << 16 | green << 8 | blue)
    else:
        lights.cycle(b)
    return {"state": "ok", "order": _order(screen, b)}


def _order(screen, output):
    described = screen.app.hal.board.get("outputs", ())
    return described[output].get("order", "") if output < len(described) else ""


def pixel(screen, a, b, c, _rest):
    """Pixel b of output a alone, in colour c (0: white)."""
    lights = _lights(screen, a)
    if lights is None or b >= lights.outputs[a].count:
        return {"state": "missing", "pixels": lights.outputs[a].count if lights else 0}
    lights.pixel(a, b, c or 0xFFFFFF)
    return {"state": "ok", "pixels": lights.outputs[a].count}


def fill(screen, a, b, c, _rest):
    """All pixels of output a (255: of all outputs) at level b of 255, in colour c (0: white), as far as the limits allow."""
    outputs = [at for at in range(len(screen.app.hal.pixels)) if a in (ALL, at) and screen.app.hal.pixels[at].count]
    lights = _lights(screen, outputs[0]) if outputs else None
    if lights is None:
        return {"state": "missing"}
    c = c or 0xFFFFFF
    level = min(b, 255)
    part = ((c >> 16 & 255) * level // 255) << 16 | ((c >> 8 & 255) * level // 255) << 8 | (c & 255) * level // 255
    for output in outputs:
        lights.paint(output, part)
    lights.tick(screen.app.now)
    supplies = [lights.limits.ma(at) for at in range(len(lights.limits.supplies))]
    return {"state": "ok", "ma": sum(supplies), "limit_ma": sum([one.limit_ma for one in lights.limits.supplies]),
            "dimmed": lights.limits.dimmed_frames}


def count(screen, a, b, _c, _rest):
    """Every tenth pixel of output a in white, but only up to pixel number b, which is green (0: all)."""
    if not screen.hosted:
        a = b = 0
    lights = _lights(screen, a)
    if lights is None:
        return {"state": "missing"}
    pixels = lights.outputs[a].count
    last = min(b, pixels) if b else pixels
    for number in range(EACH - 1, last, EACH):
        lights.pixel(a, number, 0xFFFFFF)
    if b:
        lights.pixel(a, last - 1, 0x00FF00)
    return {"state": "ok", "pixels": pixels, "lit": last // EACH}


def rate(screen, _a, _b, _c, _rest):
    """Frames a second and µs a frame; the result is reported two seconds later."""
    if screen.lights is None:
        return {"state": "missing"}
    screen.lights.measure_frames(screen.usual_show())
    screen.rate = True
    return None


#: What can be tried here, by name.
TRIES = {"dark": dark, "colours": colours, "pixel": pixel, "fill": fill, "count": count, "rate": rate}
