"""The firmware's `gc` where the heap is many times a Pico's: each tidying takes as many times as long, and most of a trial's
time went into them. Runs in a device folder.
"""

import gc

from glow import app, app_races, loading


class Roomy:
    """Tidies by itself when `times` as much was taken as on a Pico, and always at the firmware's word."""

    def __init__(self, times):
        self.times = times
        self.mem_free = gc.mem_free
        self.mem_alloc = gc.mem_alloc

    def threshold(self, most):
        gc.threshold(self.times * most)

    def collect(self):
        gc.collect()


class AtItsWord(Roomy):
    """Tidies never by itself, and at each `times`-th word of the firmware: what is tidied in the middle of a write closes
    other files, and where Python plays the flash (see flash.py) littlefs doesn't survive that."""

    said = 0

    def threshold(self, _most):
        gc.threshold(-1)

    def collect(self):
        self.said += 1
        if self.said % self.times == 0:
            gc.collect()


def spare(kind, times, *others):
    """Has the firmware's modules (and these) tidy as a Roomy of this kind. CPython's `gc` needs none of this."""
    if hasattr(gc, "threshold"):
        one = kind(times)
        for module in (app, app_races, loading) + others:
            module.gc = one
