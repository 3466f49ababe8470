"""What eyes make of pixels: luminance, flashes, colour-vision deficiencies, differences. From published definitions only;
nothing here looks at the firmware.

An LED's light is proportional to its level, so levels are linear RGB in the primaries of sRGB.

- Luminance: WCAG 2.2, "relative luminance": 0.2126 R + 0.7152 G + 0.0722 B of linear values.
- Flashes: WCAG 2.2, "general flash and red flash thresholds" (success criterion 2.3.1). A general flash is a pair of
  opposing changes of 10 % or more of the largest relative luminance where the darker one is below 0.80. A red flash is a
  pair of opposing changes of (R - G - B) × 320, held at 0 from below, by more than 20, where one of the two states of each
  is a saturated red: R / (R + G + B) >= 0.8.
- Deficiencies: Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
- Differences: CIELAB, Delta E 1976; 2.3 is a difference that can just be noticed (Mahy and others 1994).
"""

from __future__ import annotations

from collections import deque

SECOND_MS = 1000
GENERAL_STEP, DARKER_BELOW = 0.10, 0.80
RED_STEP = 20 / 320 + 1e-9  # more than that
SATURATED = 0.8

SIGHTS = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
JUST_NOTICED = 2.3


def luminance(red: float, green: float, blue: float) -> float:
    """Relative luminance of linear levels, in their unit."""
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def seen(light: tuple[float, float, float], sight: str) -> tuple[float, float, float]:
    """The linear RGB (0 to 1) seen by somebody with this sight."""
    return tuple(min(1.0, max(0.0, sum(part * one for part, one in zip(row, light)))) for row in SIGHTS[sight])


def lab(light: tuple[float, float, float]) -> tuple[float, float, float]:
    """CIELAB of linear RGB (0 to 1), white D65."""
    red, green, blue = light
    three = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in three)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: tuple[float, float, float], two: tuple[float, float, float], sight: str) -> float:
    """Delta E 1976 of two lights (linear RGB, 0 to 1) for this sight."""
    return sum((a - b) ** 2 for a, b in zip(lab(seen(one, sight)), lab(seen(two, sight)))) ** 0.5


class Swings:
    """Counts opposing changes of one value: how many on/off pairs there are in any second. A change counts if the lower
    value is below ``below``, and (``marked``) if one of its two ends was marked."""

    __slots__ = ("_high", "_high_mark", "_low", "_low_mark", "_moments", "_up", "below", "marked", "most", "step")

    def __init__(self, step: float, below: float = float("inf"), marked: bool = False) -> None:
        self.step = step
        self.below = below
        self.marked = marked
        self._low = self._high = 0.0  # everything starts dark
        self._low_mark = self._high_mark = False
        self._up: bool | None = None  # the direction of the last change
        self._moments: deque[int] = deque()
        self.most = 0

    def take(self, ms: int, value: float, mark: bool = True) -> bool:
        """Takes the value from this time on; True if that made more pairs in a second than before."""
        if value < self._low or value == self._low and mark:
            self._low, self._low_mark = value, mark
        if value > self._high or value == self._high and mark:
            self._high, self._high_mark = value, mark
        if (self._up is not True and value - self._low >= self.step and self._low < self.below
                and (mark or self._low_mark or not self.marked)):
            self._up, self._high, self._high_mark = True, value, mark
        elif (self._up is not False and self._high - value >= self.step and value < self.below
                and (mark or self._high_mark or not self.marked)):
            self._up, self._low, self._low_mark = False, value, mark
        else:
            return False
        moments = self._moments
        moments.append(ms)
        while ms - moments[0] > SECOND_MS:
            moments.popleft()
        pairs = len(moments) // 2
        if pairs > self.most:
            self.most = pairs
            return True
        return False


class FlashCounter:
    """Watches one output: each of its pixels and the mean of all. ``most`` is the largest number of pairs in a second
    in any of these measures so far."""

    ALLOWED = 3

    def __init__(self, pixels: int, full: int) -> None:
        """``full``: the level of a channel (of 255) at which white is at its brightest."""
        self.pixels = pixels
        self.most = 0
        self.over: list[tuple[str, int, int, int]] = []  # (measure, pixel or -1 for the mean, ms, pairs)
        self._full = full
        self._before = bytes(3 * pixels)
        self._light = [0.0] * pixels
        self._sum_light = 0.0
        self._of: dict[int, tuple[Swings, Swings, Swings]] = {}
        self._mean = Swings(GENERAL_STEP, DARKER_BELOW)
        self._mean_red = Swings(RED_STEP, marked=True)

    def take(self, ms: int, frame: bytes) -> None:
        """Takes the frame from this time on. Only pixels that change can flash."""
        before = self._before
        if frame == before:
            return
        self._before = frame
        for first in range(0, len(frame), 24):
            if frame[first:first + 24] != before[first:first + 24]:
                for at in range(first, min(first + 24, len(frame)), 3):
                    if frame[at:at + 3] != before[at:at + 3]:
                        self._take_pixel(ms, at // 3, frame[at], frame[at + 1], frame[at + 2])
        self._note(self._mean.take(ms, self._sum_light / self.pixels), "mean", -1, ms, self._mean)
        red, green, blue = sum(frame[0::3]), sum(frame[1::3]), sum(frame[2::3])
        reddish = max(0, red - green - blue) / self._full / self.pixels
        saturated = red > 0 and red >= SATURATED * (red + green + blue)
        self._note(self._mean_red.take(ms, reddish, saturated), "mean, red", -1, ms, self._mean_red)

    def _take_pixel(self, ms: int, pixel: int, red: int, green: int, blue: int) -> None:
        swings = self._of.get(pixel)
        if swings is None:  # all pixels start dark
            swings = self._of[pixel] = (Swings(GENERAL_STEP, DARKER_BELOW), Swings(RED_STEP, marked=True), Swings(1))
        light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / self._full
        total = red + green + blue
        reddish = max(0, red - green - blue) / self._full
        self._sum_light += light - self._light[pixel]
        self._light[pixel] = light
        self._note(swings[0].take(ms, light), "luminance", pixel, ms, swings[0])
        self._note(swings[1].take(ms, reddish, red > 0 and red >= SATURATED * total), "red", pixel, ms, swings[1])
        self._note(swings[2].take(ms, 1 if total else 0), "lit and dark", pixel, ms, swings[2])

    def _note(self, more: bool, measure: str, pixel: int, ms: int, swings: Swings) -> None:
        if not more:
            return
        self.most = max(self.most, swings.most)
        if swings.most > self.ALLOWED:
            self.over.append((measure, pixel, ms, swings.most))
