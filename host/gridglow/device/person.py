"""The person at the terminal: gets messages and questions, and is never waited for if nobody is there.

`Terminal` reads lines in its own thread, so that a command can watch the board while it waits for an answer.
Tests use a scripted person instead.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Sequence

import click

from shared_rules.errors import GridglowError


class Stopped(GridglowError):
    """The person wants to stop, or has gone."""


class Person:
    """What commands need from a person; a subclass only has to provide `say` and `line`."""

    #: What people type to quit, whatever is asked.
    leave_words = ("q", "quit")

    def say(self, text: str) -> None:
        """Shows a message."""
        raise NotImplementedError

    def line(self, limit_s: float) -> str | None:
        """A line that they typed, or None if none comes within `limit_s`. Raises Stopped if no more will come."""
        raise NotImplementedError

    def ask(self, question: str, answers: Sequence[str], default: str = "", meanwhile: Callable[[], None] | None = None,
            slice_s: float = 0.2) -> str:
        """Asks until the answer is one of `answers` (or begins only one of them), and returns that; an empty line means
        `default`. `meanwhile` is called repeatedly while they think. Raises Stopped."""
        while True:
            self.say(f"{question} [{'/'.join(one.upper() if one == default else one for one in answers)}, q: quit]")
            typed = self.wait(meanwhile, slice_s).casefold()
            if not typed and default:
                return default
            fits = [one for one in answers if one.casefold() == typed]
            fits = fits or [one for one in answers if typed and one.casefold().startswith(typed)]
            if len(fits) == 1:
                return fits[0]
            self.say(f"Expected {' or '.join(answers)}, got {typed!r}.")

    def yes(self, question: str, default: str = "yes") -> bool:
        """Asks for yes or no. Raises Stopped."""
        return self.ask(question, ("yes", "no"), default) == "yes"

    def number(self, question: str, low: int, high: int, default: int | None = None) -> int:
        """Asks for a whole number. Raises Stopped."""
        shown = "" if default is None else f", Enter: {default}"
        while True:
            self.say(f"{question} [{low} to {high}{shown}, q: quit]")
            typed = self.wait()
            if not typed and default is not None:
                return default
            if typed.isascii() and typed.isdigit() and low <= int(typed) <= high:
                return int(typed)
            self.say(f"Expected a number from {low} to {high}, got {typed!r}.")

    def wait(self, meanwhile: Callable[[], None] | None = None, slice_s: float = 0.2) -> str:
        """The next line, stripped of spaces. Raises Stopped if it says so."""
        while True:
            typed = self.line(slice_s if meanwhile else 1.0)
            if typed is not None and typed.strip().casefold() in self.leave_words:
                raise Stopped("Stopped, as you asked.")
            if typed is not None:
                return typed.strip()
            if meanwhile:
                meanwhile()


class Terminal(Person):
    """A person at a terminal: questions go to standard error, so that only results are on standard output."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader: threading.Thread | None = None

    def say(self, text: str) -> None:
        click.echo(text, err=True)

    def line(self, limit_s: float) -> str | None:
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()
        try:
            typed = self._lines.get(timeout=limit_s)
        except queue.Empty:
            return None
        if typed is None:
            self._lines.put(None)
            raise Stopped("Nobody is answering: standard input has ended.")
        return typed

    def _read(self) -> None:
        for typed in sys.stdin:
            self._lines.put(typed.rstrip("\n"))
        self._lines.put(None)


def somebody() -> Person | None:
    """The person at this terminal, or None if there is none."""
    return Terminal() if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty() else None
