"""Signals that end a command: its temporary folders and boards are left as after Ctrl-C, whatever it was doing.

``caught()`` wraps every command: SIGTERM, and SIGHUP from a closed terminal, raise ``Ended`` in it.
``instead(act)`` wraps code with an end of its own: the signals then call ``act`` and raise nothing.
Only the first signal counts: a closed terminal sends two, and the second must not interrupt the clean-up.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

#: Windows has no SIGHUP.
NAMES = ("SIGTERM", "SIGHUP")


class Ended(SystemExit):
    """A signal has ended the command. Code that catches errors lets it pass, and so does asyncio's loop."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.say = f"Ended by {signal.Signals(number).name}."


class _Ending:
    """The action of the first signal."""

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
    """From here on these signals raise Ended; one that is ignored, as under nohup, stays ignored."""
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
    """The first of these signals sets ``stop`` of the loop that runs here. (The loop removes its own handlers as it
    ends: a second signal would end the process in the middle of its clean-up.)"""
    loop = asyncio.get_running_loop()

    def act(number: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(stop.set)

    return instead(act)
