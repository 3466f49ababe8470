"""Gridglow's firmware: the race on lights, panels, display and flash. It runs on whatever `hal` puts below it."""

#: The version of the firmware.
FIRMWARE = "1"


def step(work, end=None):
    """What a generator yields next, `end` where it has ended: next() has no default in MicroPython 1.24 on a Pico."""
    try:
        return next(work)
    except StopIteration:
        return end


def random_word(hal):
    """36 hex characters from the board's own chance and the moment."""
    data = hal.urandom(16)
    return "".join(["%02x" % byte for byte in data]) + "%04x" % (hal.ticks_us() & 0xFFFF)
