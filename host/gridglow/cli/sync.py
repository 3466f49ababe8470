"""``gridglow sync``: a connected board gets what it shall hold, and only what changed is sent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import json_option, print_json, print_table, say
from gridglow.device.sync import Result, check_choice
from gridglow.device.sync import sync as install


@click.command()
@click.option("--tracks", metavar="IDS", help="The tracks that it gets, or all that it can light.")
@click.option("--languages", metavar="NAMES", help="The languages that it gets, such as en,de, or all.")
@click.option("--board-file", metavar="BOARD",
              help="The board that it is: full, mini, mini-direct, or a board file of your own.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be sent and removed.")
@click.option("--yes", is_flag=True, help="Agree to what can be lost: a race that runs, one that is saved.")
@board_options
@json_option
def sync(tracks: str | None, languages: str | None, board_file: str | None, dry_run: bool, yes: bool,
         board: str | None, port: str | None, as_json: bool) -> None:
    """Bring a connected board up to date.

    It gets its board file, LED maps, tracks and texts as far as its program hasn't got them, and modules of this folder that
    its program has in another way; only what changed is sent. It becomes valid all at once or not at all, also where the
    cable is pulled out in the middle: the same command goes on from there. Saves are never touched.

    \b
    gridglow sync                     what the board had before, renewed
    gridglow sync --tracks gp-ring    only this track from now on
    gridglow sync --dry-run           what it would do

    Tracks and texts alone are sent while the board runs, also in the middle of a race; they hold from the next race on.
    """
    check_choice(board_file, tracks, languages)
    found = chosen(board, port)
    with progress_bar(as_json) as progress:
        result = install(found, board_file=board_file, tracks=tracks, languages=languages, dry_run=dry_run,
                         agree=agree_by(yes, as_json), progress=progress)
    if as_json:
        print_json(result.plain())
    else:
        if dry_run:
            _print_plan(result)
        click.echo(result.say)
    for note in result.notes:
        say(f"note: {note}")


def agree_by(yes: bool, as_json: bool = False):
    """Asks a person at a terminal whether to go on; elsewhere only --yes agrees."""
    def agree(sentences: list[str]) -> bool:
        if yes:
            for sentence in sentences:
                say(sentence)
            return True
        if as_json or not sys.stdin.isatty() or not sys.stderr.isatty():
            return False
        for sentence in sentences:
            say(sentence)
        return click.confirm("Go on?", err=True)

    return agree


@contextmanager
def progress_bar(quiet: bool) -> Iterator:
    """Shows how far the files are, on a terminal only."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # slow to load, and of use on a terminal only
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
                  console=Console(stderr=True), transient=True) as bar:
        task = None

        def show(done: int, total: int, name: str) -> None:
            nonlocal task
            if task is None:
                task = bar.add_task(name, total=total)
            bar.update(task, completed=done, total=total, description=name)

        yield show


def _print_plan(result: Result) -> None:
    made = result.plan
    rows = [["send", name, len(made.data.contents[name])] for name in made.send]
    rows += [["remove", name, 0] for name in made.remove]
    if rows:
        print_table(["", "FILE", "BYTES"], rows)
    for sentence in made.agree:
        say(sentence)
