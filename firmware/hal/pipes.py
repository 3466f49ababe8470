"""The two ends of the pipe that the virtual board talks through, in a form that never makes a tick wait.

The parent makes the read end non-blocking before it starts the child; the child polls before each
read and each write, and then moves at most one chunk.
"""

import os
import select
import sys

IN_CHUNK_BYTES = 1024  # in each tick; a buffer of this size stays in the heap
# A pipe that polls as writable has room for this much: one page on Linux, PIPE_BUF on macOS.
OUT_CHUNK_BYTES = 512 if sys.platform == "darwin" else 4096


class PollPipe:
    """Standard input and output of this process, polled: MicroPython, and CPython on Linux and macOS."""

    def __init__(self):
        self._by_number = hasattr(os, "set_blocking")  # CPython: file numbers; MicroPython: its unbuffered files
        if self._by_number:
            os.set_blocking(0, False)
        self._source = 0 if self._by_number else sys.stdin.buffer
        self._sink = 1 if self._by_number else sys.stdout.buffer
        self._chunk = bytearray(IN_CHUNK_BYTES)
        self._whole = memoryview(self._chunk)
        self._reading = select.poll()
        self._reading.register(0 if self._by_number else sys.stdin, select.POLLIN)
        self._writing = select.poll()
        self._writing.register(1 if self._by_number else sys.stdout, select.POLLOUT)

    def read(self, wait_ms=0):
        """A view of the bytes that have come (valid until the next read), b"" if none have, None at the end."""
        if not self._reading.poll(wait_ms):
            return b""
        try:
            if self._by_number:
                got = os.read(0, IN_CHUNK_BYTES)
                return got if got else None
            count = self._source.readinto(self._chunk)
        except OSError as error:
            return b"" if _try_again(error) else None
        if count is None:
            return b""
        return self._whole[:count] if count else None

    def write(self, data):
        """Pass on the first bytes of `data` (a memoryview); returns how many, 0 when the reader is behind, -1 when gone."""
        events = self._writing.poll(0)
        if not events:
            return 0
        if events[0][1] & (select.POLLERR | select.POLLHUP):
            return -1
        try:
            part = data[:OUT_CHUNK_BYTES]
            count = os.write(1, part) if self._by_number else self._sink.write(part)
        except OSError as error:
            return 0 if _try_again(error) else -1
        return 0 if count is None else count


def _try_again(error):
    return error.args[0] in (11, 35)  # EAGAIN: Linux, macOS


def open_pipe():
    """The pipe to the process that started this one."""
    if sys.platform == "win32":
        from hal.pipes_windows import ThreadPipe

        return ThreadPipe()
    return PollPipe()
