"""The firmware's `gc` while Python emulates the flash (see flash.py): a collection in the middle of a write closes other
files, and littlefs doesn't survive that. Runs in a device folder.
"""

import gc

from glow import app
from glow.board import races


class AtItsWord:
    """Collects only at every `times`-th request of the firmware: collecting such a large heap is slow."""

    def __init__(self, times):
        self.times = times
        self.said = 0

    def collect(self):
        self.said += 1
        if self.said % self.times == 0:
            gc.collect()


def spare(times):
    """Has the firmware's modules collect at every `times`-th request. CPython's `gc` needs none of this."""
    if hasattr(gc, "threshold"):
        gc.threshold(-1)
        one = AtItsWord(times)
        for module in (app, races):
            module.gc = one
