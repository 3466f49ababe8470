"""Gridglow's firmware: the race on lights, panels, display and flash. It runs on whatever `hal` puts below it."""

#: The version of the firmware.
FIRMWARE = "1"


def step(work, end=None):
    """What a generator yields next, or `end` once it has finished: MicroPython 1.24's next() on a Pico has no default."""
    try:
        return next(work)
    except StopIteration:
        return end


def random_word(hal):
    """36 hex characters from the board's random numbers and the time."""
    data = hal.urandom(16)
    return "".join(["%02x" % byte for byte in data]) + "%04x" % (hal.ticks_us() & 0xFFFF)
