"""Starts the board: its hardware (or the virtual board's), the app, and the loop that ticks it.

Arguments on the virtual board: --root DIR --headless (one race on a fake clock, at full speed) --fake-clock
--pace slow|normal|fast|instant
"""

import gc
import os
import sys

TICK_MS = 5
#: A headless race makes one frame a tick.
HEADLESS_TICK_MS = 34
#: A start counts as good once the loop has run for this many ticks (some ten seconds).
GOOD_START_TICKS = 2000
#: After this many ticks in a row without memory (ten seconds) the board restarts.
SHORT_TICKS = 2000
#: The heap is tidied each time this many bytes were taken: the first while a Pico starts, the
#: second from then on. Tidying takes some 20 ms, and while it starts nothing else is waiting.
BOOT_BYTES = 49152
RACE_BYTES = 32768
#: A Pico waits this long before it loads anything: Ctrl-C then gives the prompt, whatever is wrong with the rest.
WINDOW_MS = 300


def run(hal, app, headless=False):
    """The loop. A headless board ends after its race, any other when its host is gone; a Pico's doesn't end."""
    step_ms = HEADLESS_TICK_MS if headless else TICK_MS
    raced = False
    sent = False
    ticks = short = 0
    while not app.stopped:
        now = hal.ticks_ms()
        try:                                       # not app.safely: this brings the keys and feeds the watchdog
            connected = hal.poll(now)
        except Exception as error:
            connected = None
            app.part_failed("link", error)
        raced = raced or app.race is not None
        if connected is False and not (headless and app.waits_for_bots()):
            break                                  # None: the link has failed for now, and the race goes on
        try:
            app.tick(now)
            short = 0
        except MemoryError as error:               # not even room for a call, perhaps only for a moment
            short += 1
            if short > SHORT_TICKS:
                raise
            app.part_failed("race", error)
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
    """Removes the file in which boot.py counts failed starts."""
    try:
        os.remove(path)
    except OSError:
        pass


def main(arguments):
    """Builds the board described by the arguments and runs it."""
    headless = "--headless" in arguments
    from glow.app import App
    from hal.virtual import VirtualHal
    hal = VirtualHal(_value(arguments, "--root", "."), fake_clock=headless or "--fake-clock" in arguments,
                     mirror=not headless)
    pace = _value(arguments, "--pace", "instant" if headless else None)
    run(hal, App(hal, pace=pace, quiet=headless), headless)


def _value(arguments, name, default):
    """The word that follows an argument's name."""
    if name in arguments and arguments.index(name) + 1 < len(arguments):
        return arguments[arguments.index(name) + 1]
    return default


def on_pico():
    """Whether this is a Pico: only its MicroPython has the module `rp2` (a PC may have stubs with that name)."""
    if sys.implementation.name != "micropython":
        return False
    try:
        import rp2  # subset: ok only a Pico has it # noqa: F401
    except ImportError:
        return False
    return True


def pico():
    """Runs a Pico. However it ends, the board goes dark and silent. Ctrl-C leads to the prompt; any
    other error goes into the crash box, and the board restarts."""
    import time
    time.sleep_ms(WINDOW_MS)
    gc.threshold(BOOT_BYTES)
    changed_modules()
    from hal.pico import PicoHal
    hal = PicoHal()                                # first, because it lights a pixel
    from glow.app import App
    app = None
    try:
        app = App(hal)
        gc.threshold(RACE_BYTES)
        run(hal, app)
        started_well()                             # the host wants the prompt
    except KeyboardInterrupt:
        started_well()                             # somebody wants the prompt: that isn't a failed start
        raise
    except Exception as error:
        events = app.events if app else []
        app = None
        _crashed(hal, events, error)
    finally:
        _close(hal)


def changed_modules():
    """Puts in the modules of the board's owner, see hal.changed."""
    from hal import changed
    from hal.data_files import frozen_id
    try:
        changed.put_in(frozen_id())
    except Exception as error:                     # the board starts without them
        sys.print_exception(error)


def _crashed(hal, events, error):
    """Records what is known about an error, and restarts the board."""
    gc.collect()
    try:
        from glow.board import crashbox
        crashbox.crashed(hal, events, error)
        sys.print_exception(error)
    except Exception:                              # no memory left even for that
        pass
    _close(hal)
    hal.crashed()
    import machine  # subset: ok only a Pico comes here
    machine.soft_reset()


def _close(hal):
    """Closes the board, even if Ctrl-C is pressed again meanwhile."""
    try:
        hal.close()
    except KeyboardInterrupt:
        _close(hal)
        raise


def say_safe():
    """Says that the race doesn't start, and what to do."""
    print("Gridglow is in safe mode: the race doesn't start. Run 'gridglow doctor', or switch the board off and on.")
    try:
        from hal.safe import show
        show()
    except Exception:                              # what doesn't work here may be the reason for safe mode
        pass


if __name__ == "__main__":
    if globals().get("SAFE_MODE"):
        say_safe()
    elif on_pico():
        pico()
    else:
        main(sys.argv[1:])
