"""The flash limiter: at most three on/off pairs in any second, for every pixel and for the mean of every output.

Both guards work alike. A *rise* begins where any of the three channels comes up by a step from its lowest level since
the last fall (or from dark to lit); it lasts as long as its peak goes up, and the next can begin where any channel has
fallen by a step from its peak. A fourth rise within a second is not let through: the light is held at its low level
until the second has passed. A guard only ever takes light away, so it can stand behind the current limiter. As every
channel is watched, any measure of brightness (luminance, sum, largest channel) has at most three rises a second too.
"""

flashes_per_second = 3
calm_flashes_per_second = 1

# Moments are kept in units of 32 ms in a byte. 32 units are a little more than a second. After the 8 seconds of a wrap
# an old moment can pass for a new one: that may hold a light back for a second too much, never let one flash.
_UNIT_BITS = 5
_WINDOW_UNITS = 32

CHUNK = 32  # pixels that are compared, summed and skipped together

_RISING = 0x80
_COUNT = 0x03


class PixelGuard:
    """Watches each pixel of one output; all state in fixed arrays."""

    step = 4  # of 255: a smaller change of a lit channel is no flash

    def __init__(self, count):
        self._extreme = bytearray(3 * count)  # peak while rising, lowest level while falling
        self._moments = bytearray(3 * count)  # of the last three rises
        self._state = bytearray(count)  # how many moments are set: 0 to 3; and RISING
        self.allowed = flashes_per_second

    def pass_chunk(self, first, last, frame, table, out, now):
        """Bring the pixels first … last - 1 from `frame` through the brightness `table` into `out`.

        Returns how many pixels were held back. Only pixels that change cost more than a comparison.
        """
        extreme = self._extreme
        state = self._state
        step = self.step
        held = 0
        for pixel in range(first, last):
            i = 3 * pixel
            red = table[frame[i]]
            green = table[frame[i + 1]]
            blue = table[frame[i + 2]]
            if red == out[i] and green == out[i + 1] and blue == out[i + 2]:
                continue
            if state[pixel] & _RISING:
                if (
                    red > extreme[i] - step
                    and green > extreme[i + 1] - step
                    and blue > extreme[i + 2] - step
                    and (red or green or blue)
                ):
                    if red > extreme[i] or green > extreme[i + 1] or blue > extreme[i + 2]:
                        extreme[i] = max(extreme[i], red)
                        extreme[i + 1] = max(extreme[i + 1], green)
                        extreme[i + 2] = max(extreme[i + 2], blue)
                        self._moments[i + (state[pixel] & _COUNT) - 1] = (now >> _UNIT_BITS) & 0xFF
                    out[i] = red
                    out[i + 1] = green
                    out[i + 2] = blue
                    continue
                state[pixel] &= _COUNT
                extreme[i] = out[i]
                extreme[i + 1] = out[i + 1]
                extreme[i + 2] = out[i + 2]
            low_red = extreme[i]
            low_green = extreme[i + 1]
            low_blue = extreme[i + 2]
            dark = not (low_red or low_green or low_blue)
            if (
                red >= low_red + step
                or green >= low_green + step
                or blue >= low_blue + step
                or (dark and (red or green or blue))
            ):
                if self._may_rise(pixel, now):
                    state[pixel] |= _RISING
                    extreme[i] = red
                    extreme[i + 1] = green
                    extreme[i + 2] = blue
                    out[i] = red
                    out[i + 1] = green
                    out[i + 2] = blue
                    continue
                held += 1
                if dark:
                    red = green = blue = 0
                if red > low_red:
                    red = low_red
                if green > low_green:
                    green = low_green
                if blue > low_blue:
                    blue = low_blue
            if red < low_red:
                extreme[i] = red
            if green < low_green:
                extreme[i + 1] = green
            if blue < low_blue:
                extreme[i + 2] = blue
            out[i] = red
            out[i + 1] = green
            out[i + 2] = blue
        return held

    def _may_rise(self, pixel, now):
        """Whether one more rise fits in this second; if so, it is noted."""
        unit = (now >> _UNIT_BITS) & 0xFF
        moments = self._moments
        i = 3 * pixel
        recent = 0
        for k in range(self._state[pixel] & _COUNT):
            if (unit - moments[i + k]) & 0xFF <= _WINDOW_UNITS:
                moments[i + recent] = moments[i + k]
                recent += 1
        fits = recent < self.allowed
        if fits:
            moments[i + recent] = unit
            recent += 1
        self._state[pixel] = recent
        return fits


class MeanGuard:
    """Watches the sums of the three channels of one output."""

    def __init__(self, count):
        self._step = count if count > 4 else 4  # one level of 255 in the mean
        self._extreme = [0, 0, 0]
        self.sums = [0, 0, 0]  # of the frame that is shown
        self._rising = False
        self._moments = [0, 0, 0]
        self._rises = 0
        self.allowed = flashes_per_second

    def share(self, red, green, blue, now):
        """How much of a frame with these sums may be shown, in 256ths, so that it is no fourth rise in this second."""
        if self._recent(now) < self.allowed:
            return 256
        # While rising nothing may go past the peak; else nothing may come up from the lowest level by a step.
        slack = 0 if self._rising else self._step - 1
        extreme = self._extreme
        part = 256
        ceiling = extreme[0] + slack
        if red > ceiling:
            part = min(part, ceiling * 256 // red)
        ceiling = extreme[1] + slack
        if green > ceiling:
            part = min(part, ceiling * 256 // green)
        ceiling = extreme[2] + slack
        if blue > ceiling:
            part = min(part, ceiling * 256 // blue)
        return part

    def shown(self, red, green, blue, now):
        """Note the sums of the frame that is shown."""
        extreme = self._extreme
        before = self.sums
        step = self._step
        if self._rising:
            if red > extreme[0] - step and green > extreme[1] - step and blue > extreme[2] - step:
                if red > extreme[0] or green > extreme[1] or blue > extreme[2]:
                    extreme[0] = max(extreme[0], red)
                    extreme[1] = max(extreme[1], green)
                    extreme[2] = max(extreme[2], blue)
                    self._rises = max(self._rises, 1)
                    self._moments[self._rises - 1] = (now >> _UNIT_BITS) & 0xFF
            else:
                self._rising = False
                extreme[0] = before[0]
                extreme[1] = before[1]
                extreme[2] = before[2]
        if not self._rising:
            if red >= extreme[0] + step or green >= extreme[1] + step or blue >= extreme[2] + step:
                self._rising = True
                self._recent(now)
                if self._rises < 3:
                    self._moments[self._rises] = (now >> _UNIT_BITS) & 0xFF
                    self._rises += 1
                extreme[0] = red
                extreme[1] = green
                extreme[2] = blue
            else:
                extreme[0] = min(extreme[0], red)
                extreme[1] = min(extreme[1], green)
                extreme[2] = min(extreme[2], blue)
        before[0] = red
        before[1] = green
        before[2] = blue

    def _recent(self, now):
        """How many rises the last second had; older ones are forgotten."""
        unit = (now >> _UNIT_BITS) & 0xFF
        recent = 0
        for k in range(self._rises):
            if (unit - self._moments[k]) & 0xFF <= _WINDOW_UNITS:
                self._moments[recent] = self._moments[k]
                recent += 1
        self._rises = recent
        return recent
