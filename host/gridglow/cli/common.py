"""What all commands share: output, errors and ``--json``.

Results go to stdout, messages and errors to stderr. With ``--json`` stdout gets one JSON object, even if the
command fails: {"error": sentence, "problems": [sentence, …]}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from shared_rules.errors import BadSetup, GridglowError

USAGE = 2
FAULT = 1
INTERRUPTED = 130

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object for scripts; messages go to stderr."
)


class Failed(click.exceptions.Exit):
    """The command has failed and has already said why."""

    def __init__(self) -> None:
        super().__init__(FAULT)


def say(text: str) -> None:
    """Tells the person at the terminal (stderr)."""
    click.echo(text, err=True)


def print_json(value: dict) -> None:
    """Prints the one object of ``--json``."""
    any_letter = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not any_letter))
    sys.stdout.flush()


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Prints a table to stdout: with rules by rich on a terminal, as plain columns elsewhere. Numbers are right-aligned."""
    cells = [[str(cell) for cell in row] for row in rows]
    right = [bool(rows) and all(isinstance(row[at], int) for row in rows) for at in range(len(head))]
    if sys.stdout.isatty():
        from rich.console import Console  # slow to load, and useful on a terminal only
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title or None, title_justify="left")
        for name, to_right in zip(head, right):
            table.add_column(name, justify="right" if to_right else "left")
        for row in cells:
            table.add_row(*[Text(cell) for cell in row])  # players' names are not markup
        Console().print(table)
        return
    widths = [max(len(row[at]) for row in [list(head), *cells]) for at in range(len(head))]
    for row in [list(head), *cells]:
        words = [cell.rjust(width) if to_right else cell.ljust(width)
                 for cell, width, to_right in zip(row, widths, right)]
        click.echo("  ".join(words).rstrip())


def print_standings(standings: Sequence[Sequence[int]], players: Sequence[Sequence[str]]) -> None:
    """Place, player, seat, car and points, best first; ``standings`` are [seat, car, place, points], with seat 0 for a car
    without a driver."""
    print_table(
        ["PLACE", "PLAYER", "SEAT", "CAR", "POINTS"],
        [[place, players[seat - 1][1] if seat else "-", seat or "-", car, points] for seat, car, place, points in standings],
    )


def standings_json(standings: Sequence[Sequence[int]]) -> list[dict]:
    """The same for --json."""
    return [{"seat": seat, "car": car, "place": place, "points": points} for seat, car, place, points in standings]


def sentences(error: Exception) -> list[str]:
    """What went wrong, one sentence per problem."""
    if isinstance(error, GridglowError):
        problems = getattr(error, "problems", None)
        return [str(problem) for problem in problems] if problems else [str(error)]
    if isinstance(error, OSError) and error.filename:
        told = {
            FileNotFoundError: f"There is no file {error.filename}; check its name and folder.",
            IsADirectoryError: f"{error.filename} is a folder, expected a file; name a file in it.",
            PermissionError: f"You may not open {error.filename}; check its permissions.",
        }
        return [told.get(type(error), f"{error.filename} can't be used: {error.strerror or error}.")]
    if isinstance(error, OSError) and error.strerror:
        return [f"The system says: {error.strerror}. Check free space and permissions, then try again."]
    return [str(error)]


def report(error: Exception, as_json: bool, command: str = "gridglow") -> int:
    """Reports what went wrong, as text or JSON; returns the exit code."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())) and not as_json:
        say(error.ctx.get_help())
        return USAGE
    if isinstance(error, click.ClickException):
        told = [" ".join(error.format_message().split())]
        if isinstance(error, click.UsageError):
            context = getattr(error, "ctx", None)
            command = context.command_path if context else command
            stop = "" if told[0].endswith((".", "?", "?)")) else "."
            told[0] += f"{stop} See {command} --help."
    else:
        told = sentences(error)
    for sentence in told:
        say(f"gridglow: {sentence}")
    if as_json:
        print_json({"error": " ".join(told), "problems": told})
    return USAGE if isinstance(error, (click.UsageError, BadSetup)) else FAULT
