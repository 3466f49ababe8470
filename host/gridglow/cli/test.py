"""``gridglow test``: the spec's vectors and random races on several interpreters, including a connected board."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

import click

from gridglow.cli.board_options import board_options, chosen, end_race_option
from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.micropython import no_micropython
from gridglow.races.interpreters import BOARD, NAMES, Interpreter, parse_names
from gridglow.races.proofs import Report, prove
from gridglow.races.serial import Board
from gridglow.races.spec import load_games


def take_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """The list of ``--on``; an unknown interpreter is a usage error."""
    try:
        return parse_names(value)
    except Exception as error:
        raise click.BadParameter(str(error), ctx, param) from None


def take_names_here(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """The same; without names, the interpreters that run here, with a message if one is missing."""
    if value:
        return take_names(ctx, param, value)
    why = no_micropython()
    if why:
        say(f"{why}, so only CPython is tested (--on cpython).")
    return ["cpython"] if why else list(NAMES)


def on_option(callback):
    """``--on``, with the callback that parses it."""
    return click.option(
        "--on", metavar="NAMES", callback=callback,
        help=f"Interpreters, separated by commas: {', '.join(NAMES)}, or {BOARD} for a connected board. "
             f"Default: {','.join(NAMES)}.")


@click.command()
@on_option(take_names)
@click.option("--game", metavar="GAME", help="Only this game, such as moto_grand_prix. Default: all.")
@click.option("--vectors", metavar="DIR", type=click.Path(path_type=Path),
              help="A folder with more vector files (*.toml, as in shared_rules/spec/FORMAT.md).")
@click.option("--races", metavar="N", type=click.IntRange(0, 100_000), default=20, show_default=True,
              help="Random races per variant, on its tracks in turn.")
@click.option("--sample", metavar="N", type=click.IntRange(1, 100_000), default=1, show_default=True,
              help="Only every N-th vector, as a board is slow.")
@board_options
@end_race_option
@json_option
def test(on: list[str], game: str | None, vectors: Path | None, races: int, sample: int, board: str | None, port: str | None,
         end_race: bool, as_json: bool) -> None:
    """Prove the rules.

    The spec of a game lists every clause of its rulebook, and vectors: a few answers in a race, and what must hold
    then. All vectors and whole random races run on every interpreter; the races must end the same way, with the
    same digests throughout. A failed vector is named with its file and step, what was expected and what came.

    \b
    gridglow test                           everything, on both interpreters
    gridglow test --on cpython --races 0    only the vectors, on CPython
    gridglow test --vectors my-vectors      also your own vector files
    gridglow test --on serial --sample 10   on the connected board and CPython

    The exit code is 0 only if nothing failed.
    """
    specs = load_games([game] if game is not None else None, vectors)
    if BOARD in on:
        report = _on_board(specs, on, races, sample, chosen(board, port), end_race, as_json)
    else:
        report = prove(specs, on, races, sample)
    for failure in report.failures:
        say(failure)
    if as_json:
        print_json(report.plain())
    else:
        _print(report)
    if report.failures:
        raise Failed


def _on_board(specs: dict, on: list[str], races: int, sample: int, found, end_race: bool, as_json: bool) -> Report:
    """The same on a connected board; its digests are compared with CPython's."""
    def opener(name: str) -> Interpreter | Board:
        return Board(found, end_race) if name == BOARD else Interpreter(name)

    with _progress(as_json) as progress:
        return prove(specs, on if len(on) > 1 else ["cpython", *on], races, sample, opener, progress)


@contextmanager
def _progress(quiet: bool):
    """Shows the board's progress, on a terminal only."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # slow to load, and useful on a terminal only
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"),
                  console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")

        def show(name: str, done: int, total: int, what: str) -> None:
            if name == BOARD:
                bar.update(task, completed=done, total=total, description=what)

        yield show


def _print(report: Report) -> None:
    rows = []
    for name, one in report.games.items():
        for interpreter in report.on:
            passed, ran = one.per[interpreter]
            rows.append([name, interpreter, f"{one.covered} + {one.table} of {one.clauses}", f"{passed} of {one.vectors}",
                         f"{ran} of {one.races}", f"{one.equal} of {one.races}"])
    print_table(["GAME", "ON", "CLAUSES", "VECTORS PASSED", "RACES RUN", "RACES EQUAL"], rows)
    say("Clauses: proven by vectors + left to the players. Races equal: same digests on every interpreter.")
    count = len(report.failures)
    say(f"{count} failure{'s' if count != 1 else ''}, named above." if count else "Nothing failed.")
