"""The pipe for CPython on Windows, where pipes can't be polled: one thread reads, another writes."""

import _thread  # subset: ok only CPython on Windows comes here
import os
import time

from hal.pipes import IN_CHUNK_BYTES, OUT_CHUNK_BYTES


class ThreadPipe:
    """Same interface as PollPipe."""

    def __init__(self):
        self._come = []
        self._go = []
        self._ended = False
        self._gone = False
        self._wake = _thread.allocate_lock()  # free while the writer has something to do
        _thread.start_new_thread(self._reader, ())
        _thread.start_new_thread(self._writer, ())

    def _reader(self):
        while True:
            try:
                got = os.read(0, IN_CHUNK_BYTES)
            except OSError:
                got = b""
            if not got:
                self._ended = True
                return
            while len(self._come) > 16:  # the board reads one chunk a tick: hold the sender back, as a pipe does
                time.sleep(0.005)
            self._come.append(got)

    def _writer(self):
        while True:
            while not self._go:
                self._wake.acquire()
            try:
                data = self._go[0]
                while data:
                    data = data[os.write(1, data):]
            except OSError:
                self._gone = True
                return
            self._go.pop(0)

    def read(self, wait_ms=0):
        """See PollPipe.read."""
        if wait_ms and not self._come:
            time.sleep(wait_ms / 1000)
        if self._come:
            return self._come.pop(0)
        return None if self._ended else b""

    def write(self, data):
        """See PollPipe.write."""
        if self._gone:
            return -1
        if len(self._go) > 3:
            return 0
        part = bytes(data[:OUT_CHUNK_BYTES])
        self._go.append(part)
        if self._wake.locked():
            self._wake.release()
        return len(part)

    def handed_over(self, limit_ms):
        """Wait until everything has left this process; False if that takes too long."""
        for _ in range(limit_ms):
            if self._gone or not self._go:
                return True
            time.sleep(0.001)
        return False
