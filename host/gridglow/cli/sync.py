"""``gridglow sync``: updates a connected board, sending only what changed."""

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
@click.option("--tracks", metavar="IDS", help="The tracks to put on it; all means all that it can light.")
@click.option("--languages", metavar="NAMES", help="The languages to put on it, such as en,de, or all.")
@click.option("--board-file", metavar="BOARD",
              help="Its board file: full, mini, mini-direct, or one of your own.")
@click.option("--dry-run", is_flag=True, help="Only show what would be sent and removed.")
@click.option("--yes", is_flag=True, help="Agree to losing a running or saved race.")
@board_options
@json_option
def sync(tracks: str | None, languages: str | None, board_file: str | None, dry_run: bool, yes: bool,
         board: str | None, port: str | None, as_json: bool) -> None:
    """Bring a connected board up to date.

    The board gets its board file, LED maps, tracks and texts unless its program already has them, and the modules of this
    folder that differ from its program's; only what changed is sent. The update takes effect all at once or not at all. If
    the cable is pulled out halfway, run the same command again to continue. Saves are never touched.

    \b
    gridglow sync                     update what the board had before
    gridglow sync --tracks gp-ring    only this track from now on
    gridglow sync --dry-run           only show what it would do

    Tracks and texts alone are sent while the board runs, even during a race; they apply from the next race on.
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
    """Shows the progress of the files, on a terminal only."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # slow to load, and useful on a terminal only
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
