"""The seam between the firmware and what it runs on: pixels, panels, display, sound, flash and clock.

Every module here has the same interface; everything above it is the same code on a Pico and on the virtual board.
"""

# Panel numbers that aren't panels: the console's encoder and keys serve every seat, the dice pad has the keys 1 to 6.
CONSOLE = 201
DICE_PAD = 200

_MASK = 0x3FFFFFFF
_HALF = 0x20000000


def ticks_diff(later, earlier):
    """Milliseconds from `earlier` to `later` (negative if `later` comes first), even across the wrap.

    The clock counts up to 2^30 ms (12.4 days) and starts again at 0, as it does on a Pico.
    """
    return ((later - earlier + _HALF) & _MASK) - _HALF


def ticks_add(moment, ms):
    """The clock's value `ms` milliseconds after `moment`."""
    return (moment + ms) & _MASK
