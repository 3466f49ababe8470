"""The USB serial line of a Pico, which the REPL uses too. Nothing here ever waits for the PC.

In: `read(n)` of a Pico waits until n bytes have come, so one byte is read for each poll that says there is one.

Out: a poll says "writable" as soon as there is room for one byte, and writing more waits up to 500 ms for a PC that
doesn't read. But USB takes 64 bytes at a time from a buffer of 256: as long as only pieces of 32 go in, the room is a
multiple of 32 too, and where there is room for a byte there is room for a piece. So lines are padded with line ends
(which are no message) to whole pieces. If something else was printed between them, a write comes back late or short;
then single bytes are written until the buffer is full once, and from there on the pieces fit again. If it never gets
full, the PC is reading and no piece will wait: after more single bytes than USB can hold, whole pieces are written
again.
"""

import select
import sys
import time

PIECE_BYTES = 32
LATE_MS = 20
HELD_BYTES = 256 + 64  # by USB, at most, for a PC that doesn't read


class Usb:
    """Standard input and output of a Pico."""

    bytes_per_tick = 96  # in; about 26 µs each
    pieces_per_tick = 12  # out
    single_per_tick = 48  # bytes, where pieces may not fit

    def __init__(self):
        self._source = sys.stdin.buffer
        self._sink = sys.stdout.buffer
        self._reading = select.poll()
        self._reading.register(sys.stdin, select.POLLIN)
        self._writing = select.poll()
        self._writing.register(sys.stdout, select.POLLOUT)
        self._one = bytearray(1)
        self._come = bytearray(self.bytes_per_tick)
        self._view = memoryview(self._come)
        self._rest = None  # of the outgoing bytes
        self._last = b""  # their last piece, padded
        self._tail = b""  # the incomplete last piece of a line that goes on
        self._whole = True  # the outgoing bytes end with a line
        self._wary = 0  # how many single bytes to write before whole pieces again
        self.slow = 0  # writes that came back late or short

    def read(self):
        """A view of the bytes that have come (valid until the next read), at most as many as a tick has time for."""
        count = 0
        while count < self.bytes_per_tick and _ready(self._reading):
            if not self._source.readinto(self._one):
                break  # end of file instead of a line
            self._come[count] = self._one[0]
            count += 1
        return self._view[:count] if count else b""

    def idle(self):
        """Whether nothing is on its way."""
        return self._rest is None

    def begin(self, data, whole=True):
        """Take the next bytes to send; only when idle. With `whole` they end with a line, else more will follow."""
        if self._tail:
            data = self._tail + data
        cut = len(data) // PIECE_BYTES * PIECE_BYTES
        self._tail = data[cut:]
        if whole and self._tail:
            self._last = self._tail + b"\n" * (PIECE_BYTES - len(self._tail))
            self._tail = b""
        self._whole = whole
        self._rest = memoryview(data)[:cut]
        if not cut:
            self._next_part()

    def _next_part(self):
        self._rest = memoryview(self._last) if self._last else None
        self._last = b""

    def _fill(self):
        """After single bytes, pad the rest to a whole piece, or keep it for the bytes that follow."""
        rest = bytes(self._rest) + self._last
        self._last = b""
        if self._whole:
            self._rest = memoryview(rest + b"\n" * (-len(rest) % PIECE_BYTES))
        else:
            self._tail = rest + self._tail
            self._rest = None

    def pump(self):
        """Write what there is room for now, at most `pieces_per_tick`; False if the PC isn't reading for now."""
        for _ in range(self.single_per_tick if self._wary else self.pieces_per_tick):
            if not self._wary and self._rest is not None and len(self._rest) < PIECE_BYTES:
                self._fill()
            if self._rest is None:
                return True
            if not _ready(self._writing):
                self._wary = 0
                return False
            size = 1 if self._wary else PIECE_BYTES
            begun = time.ticks_ms()
            count = self._sink.write(self._rest[:size])
            if count != min(size, len(self._rest)) or time.ticks_diff(time.ticks_ms(), begun) > LATE_MS:
                self.slow += 1
                self._wary = HELD_BYTES
            elif self._wary:
                self._wary -= 1
            if count and count < len(self._rest):
                self._rest = self._rest[count:]
            elif count:
                self._next_part()
        return True


def _ready(poll):
    """Whether a poll says yes; `ipoll` takes no memory."""
    for _ in poll.ipoll(0):
        return True
    return False
