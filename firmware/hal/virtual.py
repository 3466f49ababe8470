"""The virtual board: the interface of a board whose pixels, panels and display are at the other end of a pipe.

It is a platform like the Pico, not a mock: what the strip, the panels and the display would do goes out and comes in
as lines of `shared_rules.link_table`. Nothing here waits for the host, except `drain` at the end of a race.
"""

import sys
import time

from hal import ticks_add, ticks_diff
from hal.keyring import KeyRing
from hal.outbox import Linked
from hal.output import Output
from hal.pipes import open_pipe
from hal.surface import Display, Sound


class VirtualHal(Linked):
    """The board at the other end of the pipe. `root` is the folder that is the flash on a Pico.

    With `fake_clock`, time stands still between two calls of `advance`, and slow hosts are waited
    for: nothing is lost. Without `mirror`, neither pixels nor display are sent (a race without a
    page). `pipe` is for tests; otherwise the pipe is this process's standard input and output.
    """

    queue_bytes = 262144  # what may wait for a slow host, apart from pixels; a Pico's link has less
    chunks_per_tick = 32

    def __init__(self, root, fake_clock=False, pipe=None, start_ms=1000, mirror=True):
        self._fake = fake_clock
        self._clock_ms = start_ms                      # first, because the numbers of lines begin with the time on the clock
        super().__init__(root, KeyRing())
        self.pixels = [Output(one.get("pixels", 0), one.get("use", "spare")) for one in self.board.get("outputs", ())]
        self.display = Display()
        self.sound = Sound(self)
        self._mirror = mirror
        self._pipe = pipe or open_pipe()
        self._early = b""  # what came while the loop was resting; None: the end
        self._open = True
        self._frame = None  # the output whose frame is going out
        self._rest = None  # of the lines that are going out
        self._px = 0
        for name in ("pixels", "panels", "display", "buzzer"):
            self._note_part(name, "ok")

    # The clock

    def ticks_ms(self):
        """The clock in ms, 0 to 2^30 - 1."""
        return self._clock_ms if self._fake else self._real_ms()

    def _real_ms(self):
        if hasattr(time, "ticks_ms"):
            return ticks_add(time.ticks_ms(), 0)
        return ticks_add(time.monotonic_ns() // 1000000, 0)

    def ticks_us(self):
        """A finer clock, for measuring only; wraps as ticks_ms does."""
        if hasattr(time, "ticks_us"):
            return ticks_add(time.ticks_us(), 0)
        return ticks_add(time.monotonic_ns() // 1000, 0)

    def advance(self, ms):
        """Move the fake clock on."""
        self._clock_ms = ticks_add(self._clock_ms, ms)

    def sleep_ms(self, ms):
        """Rest until the next tick. Input ends the rest early; the fake clock moves on by `ms` instead."""
        if self._fake:
            self.advance(ms)
            self._send_all(10000)
        elif self._open and self._early == b"":
            self._early = self._pipe.read(ms)

    def trace(self, error):
        """Write an error and where it happened to standard error, which the host keeps."""
        if hasattr(sys, "print_exception"):
            sys.print_exception(error, sys.stderr)
        else:
            sys.excepthook(type(error), error, error.__traceback__)

    def frame_out(self):
        """Whether the newest frame is on its way: here always, once it is made."""
        return True

    def rests(self, now):
        """Whether there is time for work that can wait: always."""
        return True

    # In

    def poll(self, now):
        """Take what has come and send what is waiting; at most one chunk in a tick. False once the host is gone."""
        if self._open:
            early = self._early
            self._early = b""
            data = self._pipe.read(0) if early == b"" else early
            if data is None:
                self._open = False
            elif data:
                self._hear(data)
        if self._open:
            self._pump()
        return self._open

    def keys(self):
        """The edges of keys since the last call: a list of (t_ms, panel, key, down), oldest first."""
        return self._far_keys.take_all()

    # Out

    def mirror(self, on):
        """Whether pixels and display go out as messages."""
        self._mirror = on
        if on:
            self.refresh()

    def refresh(self):
        """Send all pixels and the display again: somebody new is watching."""
        for output in self.pixels:
            output.late = True
        self.display.late = True

    def flush(self):
        """Send what the host takes at once, at most a few chunks."""
        if self._open:
            self._pump()

    def _pump(self):
        self._stalled = False
        for _ in range(self.chunks_per_tick):
            if self._rest is None and not self._next_line():
                return
            count = self._pipe.write(self._rest)
            if count < 0:
                self._open = False
                return
            if count == 0:
                self._stalled = True
                return
            self._rest = self._rest[count:] if count < len(self._rest) else None

    def _next_line(self):
        """Take the next lines to send: messages first, then the display, then the latest frames."""
        if self._frame is not None:
            self._rest = memoryview(self._frame.next_piece())
            if not self._frame.sending:
                self._frame = None
            return True
        if not self._queue and self._late_surface():
            return True
        if not self._queue:
            return False
        self._rest = memoryview(self._next_lines())
        return True

    def _late_surface(self):
        """Begin the line of a late frame (True), or put the display's message in the queue."""
        if not self._mirror:
            return False
        if self.display.late:
            self.display.late = False
            self.send(self.display.message())
            return False
        for place in range(len(self.pixels)):
            output = self.pixels[place]
            if output.late:
                self._px += 1
                self._frame = output
                self._rest = memoryview(output.begin_line(place, self._next_number()))
                return True
        return False

    def drain(self, limit_ms=2000):
        """Send everything that is waiting; True when nothing is left. It waits for a slow host: for the end of a race."""
        handed_over = getattr(self._pipe, "handed_over", None)  # a pipe with threads has a queue of its own
        return self._send_all(limit_ms) and (handed_over is None or handed_over(limit_ms))

    def _send_all(self, limit_ms):
        begun = 0
        while self._open:
            self._pump()
            if self._rest is None and self._frame is None and not self._queue and not self._waiting_surface():
                return True
            if self._stalled:
                time.sleep(0.001)
                begun = begun or self._real_ms()
                if ticks_diff(self._real_ms(), begun) > limit_ms:
                    return False
        return False

    def _waiting_surface(self):
        if not self._mirror:
            return False
        for output in self.pixels:
            if output.late:
                return True
        return self.display.late

    def close(self):
        """The end: sends what is waiting."""
        self.drain()

    def counts(self):
        """What has gone wrong so far: a dict of counts for the message `stat` and for `doctor`."""
        skipped = 0
        for output in self.pixels:
            skipped += output.skipped
        return {
            "dropped": self._dropped + skipped,
            "lost": self._lost_count,
            "keys_lost": self._far_keys.lost,
            "unread": self._unread,
            "noise": self._decoder.skipped if self._decoder else 0,
            "bad": self._bad,
            "px": self._px,
        }
