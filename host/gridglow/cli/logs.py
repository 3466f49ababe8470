"""``gridglow logs``: a board's race line by line, its faults, its crash box, its journal."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path

import click

from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import json_option, print_json, say
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.port import Port
from gridglow.device.ports import find_again
from gridglow.device.repl import BoardError
from gridglow.device.talk import NoAnswer, SaysNo, Talk
from gridglow.races.journal_files import check_journal_file, write_journal
from shared_rules.errors import GridglowError
from shared_rules.link_table import PROTOCOL

#: How long a greeted board may be quiet before its picture counts as whole, and the longest wait in all.
QUIET_S, PICTURE_S = 0.7, 15.0
#: Files of the crash box on the flash, for a board that isn't running.
CRASH_FILES = ("save/crash",)


@click.command()
@board_options
@click.option("--follow", is_flag=True, help="Keep logging until Ctrl-C.")
@click.option("--crash", is_flag=True, help="Only the crash box: the last events and the traceback of the last crash.")
@click.option("--journal", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the race's journal here; sealed before the podium. Never overwrites a file.")
@json_option
def logs(board: str | None, port: str | None, follow: bool, crash: bool, journal: Path | None, as_json: bool) -> None:
    """Show the log of a board.

    Without options: its race so far, line by line, and its faults. Secret answers read "sealed" until the podium, as
    everywhere outside the board. No race is ended.

    \b
    gridglow logs --follow             keep logging
    gridglow logs --crash              why it stopped
    gridglow logs --journal race.txt   for "gridglow replay", or a bug report
    """
    if follow and as_json:
        raise click.UsageError("--follow never ends, and --json prints one object; leave out one of them.")
    if journal is not None:
        check_journal_file(journal)
    found = chosen(board, port)
    if crash:
        _show_crash(found, as_json)
        return
    with found.talk() as talk:
        if journal is not None:
            _, data = talk.ask_file({"t": "journal"})
            write_journal(journal, data.decode("utf-8", "replace"))
            say(f"The journal is in {journal}.")
            if as_json:
                print_json({"name": found.name or None, "port": found.port.path, "journal": str(journal)})
            return
        _show(found, talk, follow, as_json)


def _show(found: Found, talk: Talk, follow: bool, as_json: bool) -> None:
    log = Log()
    told = log.lines(picture(talk))
    faults = found.problems()
    if as_json:
        print_json({"name": found.name or None, "port": found.port.path, "doing": found.doing, "lines": told,
                    "faults": faults, "counts": found.about.get("counts") or {}})
        return
    say(f"{found.title[:1].upper()}{found.title[1:]}: {found.doing}.")
    for line in told:
        click.echo(line)
    for fault in faults:
        say(fault)
    if follow:
        _follow(found, talk, log)


def picture(talk: Talk, now=time.monotonic) -> list[dict]:
    """The messages in which a greeted board reports its whole state. Raises GridglowError if it doesn't."""
    hello = talk.ask({"t": "hi", "v": PROTOCOL}, "hello")
    kept = [hello]
    until = now() + PICTURE_S
    while now() < until:
        came = list(talk.messages(QUIET_S))
        kept += came
        if all(message["t"] in ("stat", "px", "show", "sound") for message in came):
            break
    return kept


def sentence(message: dict) -> str:
    """A message as a line of the log, or "" if it's no event."""
    kind = message["t"]
    if kind == "line":
        clause = f" [{message['clause']}]" if message["clause"] else ""
        return f"{message['i']:4}  seat {message['seat']}  {message['text']}  {message['say']}{clause}"
    if kind == "fault":
        over = message.get("on") == 0
        return f"      {'over' if over else 'fault'}: {message['say']}" if message["say"] else ""
    if kind == "race":
        race = f" of {message['game']} {message['variant']} on {message['track']}, lap {message['lap']} of {message['laps']}"
        return f"      {message['state']}{race if message['game'] else ''}"
    return ""


class Log:
    """The lines of a log. Identical repeats appear once: a board sends the head of its race for each of the five start
    lights too, and the log says nothing of those."""

    def __init__(self) -> None:
        self._state = self._last = ""

    def lines(self, messages: Iterable[dict]) -> list[str]:
        """The new lines in these messages."""
        return [line for line in map(self._line, messages) if line]

    def _line(self, message: dict) -> str:
        line = sentence(message)
        before = self._state if message["t"] == "race" else self._last
        if not line or line == before:
            return ""
        if message["t"] == "race":
            self._state = line
        self._last = line
        return line


def _follow(found: Found, talk: Talk, log: Log) -> None:
    """Logs until Ctrl-C; waits for a board that goes away."""
    while True:
        try:
            for message in talk.messages(3600.0):
                for line in log.lines([message]):
                    click.echo(line)
        except GridglowError as error:
            say(str(error))
            talk = _again(found)


def _again(found: Found) -> Talk:
    while True:
        with contextlib.suppress(GridglowError):
            port = find_again(found.port, 2.0)
            talk = Talk(Port(port))
            talk.send({"t": "hi", "v": PROTOCOL})
            say(f"{found.title[:1].upper()}{found.title[1:]} is back.")
            return talk
        time.sleep(0.5)


def _show_crash(found: Found, as_json: bool) -> None:
    text = crash_of(found)
    if as_json:
        print_json({"name": found.name or None, "port": found.port.path, "crash": text or None})
    elif text:
        click.echo(text.rstrip("\n"))
    else:
        say(f"The crash box of {found.title} is empty.")


def crash_of(found: Found) -> str:
    """The content of the crash box, with the sources' names, or "". Asks a board that isn't running through its prompt."""
    if found.state == GRIDGLOW:
        with found.talk() as talk:
            try:
                return talk.ask_file({"t": "crash"})[1].decode("utf-8", "replace")
            except SaysNo:
                return ""
    if not found.answers:
        raise NoAnswer(found.say)
    with found.repl() as repl:
        for path in CRASH_FILES:
            with contextlib.suppress(BoardError):
                return repl.get(path).decode("utf-8", "replace")
    return ""
