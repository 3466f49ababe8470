"""Starts the board: its hardware (or the virtual board's), the app, and the loop that ticks it.

Arguments on the virtual board: --root DIR --headless (one race on a fake clock, as fast as it goes) --fake-clock
--pace slow|normal|fast|instant
"""

import gc
import os
import sys

TICK_MS = 5
#: A headless race makes one frame a tick.
HEADLESS_TICK_MS = 34
#: A start has gone well once the loop has run for so many ticks (some ten seconds).
GOOD_START_TICKS = 2000


def run(hal, app, headless=False):
    """The loop. A headless board ends after its race, any other when its host is gone."""
    step_ms = HEADLESS_TICK_MS if headless else TICK_MS
    raced = False
    sent = False
    ticks = 0
    while not app.stopped:
        now = hal.ticks_ms()
        connected = app.safely("link", hal.poll, now)
        raced = raced or app.race is not None
        if connected is False and not (headless and app.waits_for_bots()):
            break                                  # None: the link has failed for now, and the race goes on
        app.tick(now)
        if headless and app.state == "podium":
            if not sent:
                app.link.done()
                app.link.file("journal")
                sent = True
            elif not app.link.file_waits():
                break
        elif headless and raced and app.state == "idle":
            break                                  # stopped by a fault or by the host
        ticks += 1
        if ticks == GOOD_START_TICKS:
            started_well()
        try:                                       # not app.safely: a clock must not rest
            hal.sleep_ms(step_ms)
        except Exception as error:
            app.part_failed("clock", error)
    hal.drain()


def started_well(path="starts.txt"):
    """Takes away the file in which boot.py counts starts that fail."""
    try:
        os.remove(path)
    except OSError:
        pass


def main(arguments):
    """Builds the board that the arguments describe and runs it."""
    if hasattr(gc, "threshold"):
        gc.threshold(2048)                         # see glow.loading.pack_heap
    from glow.app import App
    from hal.virtual import VirtualHal
    headless = "--headless" in arguments
    hal = VirtualHal(_value(arguments, "--root", "."), fake_clock=headless or "--fake-clock" in arguments,
                     mirror=not headless)
    pace = _value(arguments, "--pace", "instant" if headless else None)
    run(hal, App(hal, pace=pace, quiet=headless), headless)


def _value(arguments, name, default):
    """What stands behind an argument."""
    if name in arguments and arguments.index(name) + 1 < len(arguments):
        return arguments[arguments.index(name) + 1]
    return default


if __name__ == "__main__":
    if globals().get("SAFE_MODE"):
        print("Gridglow is in safe mode: the race doesn't start. Run 'gridglow doctor'.")
    else:
        main(sys.argv[1:])
