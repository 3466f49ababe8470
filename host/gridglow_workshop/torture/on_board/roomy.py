"""The firmware's `gc` where Python plays the flash (see flash.py): what is tidied in the middle of a write closes other
files, and littlefs doesn't survive that. Runs in a device folder.
"""

import gc

from glow import app
from glow.board import races


class AtItsWord:
    """Tidies never by itself, and at each `times`-th word of the firmware: each tidying of so large a heap takes long."""

    def __init__(self, times):
        self.times = times
        self.said = 0

    def collect(self):
        self.said += 1
        if self.said % self.times == 0:
            gc.collect()


def spare(times):
    """Has the firmware's modules tidy at each `times`-th word. CPython's `gc` needs none of this."""
    if hasattr(gc, "threshold"):
        gc.threshold(-1)
        one = AtItsWord(times)
        for module in (app, races):
            module.gc = one
