"""Signals that end a command: whatever it is at, its temporary folders and its boards are left as after Ctrl-C.

``caught()`` stands around every command: SIGTERM, and SIGHUP of a terminal that is closed, raise ``Ended`` in it.
``instead(act)`` stands around what has an end of its own: then they do that, and raise nothing.
Only the first signal counts: a closed terminal sends two, and the second must not cut the tidying short.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

#: SIGHUP is not there on Windows.
NAMES = ("SIGTERM", "SIGHUP")


class Ended(SystemExit):
    """A signal has ended the command. It passes what catches errors, and asyncio lets it out of its loop."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.say = f"Ended by {signal.Signals(number).name}."


class _Ending:
    """What the first signal does."""

    def __init__(self) -> None:
        self.came = False
        self.act: Callable[[int], None] = _raise

    def handle(self, number: int, frame: object) -> None:
        if not self.came:
            self.came = True
            self.act(number)


def _raise(number: int) -> None:
    raise Ended(number)


_ending = _Ending()


@contextlib.contextmanager
def caught() -> Iterator[None]:
    """These signals raise Ended from here on; one that is ignored, as under nohup, stays ignored."""
    global _ending
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, _ending = _ending, _Ending()
    handlers = {}
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            handlers[number] = signal.signal(number, _ending.handle)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        _ending = before


@contextlib.contextmanager
def instead(act: Callable[[int], None]) -> Iterator[None]:
    """The first of these signals calls ``act`` with its number."""
    before, _ending.act = _ending.act, act
    try:
        yield
    finally:
        _ending.act = before


def setting(stop: asyncio.Event) -> contextlib.AbstractContextManager[None]:
    """The first of these signals sets ``stop`` of the loop that runs here. (The loop takes handlers of its own away as it
    ends: a second signal would end the process in the midst of its tidying.)"""
    loop = asyncio.get_running_loop()

    def act(number: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(stop.set)

    return instead(act)
