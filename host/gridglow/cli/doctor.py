"""``gridglow doctor``: examines a board, step by step."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from gridglow.boards.boardfile import Board, load_board
from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import Failed, json_option, print_json, say
from gridglow.device.connect import GRIDGLOW, MICROPYTHON, SAFE, Found
from gridglow.device.doctor import bundle
from gridglow.device.doctor.examiner import FAIL, OK, Result
from gridglow.device.doctor.rounds import Doctor, choose
from gridglow.device.person import somebody
from gridglow.targets import check_target
from shared_rules.errors import GridglowError

MARKS = {OK: "ok", FAIL: "FAIL"}


@click.command()
@board_options
@click.option("--board-file", metavar="NAME", help="The board file, if not the one that the board names.")
@click.option("--steps", metavar="A,B", help="Only these steps, separated by commas.")
@click.option("--bundle", "bundle_file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write a zip for a bug report, without saves, seeds, hands or names.")
@click.option("--yes", "--end-race", "yes", is_flag=True,
              help="Agree to end a race running on the board; it stays saved.")
@json_option
def doctor(board: str | None, port: str | None, board_file: str | None, steps: str | None, bundle_file: Path | None,
           yes: bool, as_json: bool) -> None:
    """Examine a board: supply, LEDs, panels, console, display, sound, cards, memory, flash and speed.

    At a terminal the steps ask what you see, hear and measure; q quits. Elsewhere, and with --json, only the steps that
    need nobody run. Each step reports what it found and, if something is wrong, the cause and what to do next. The
    exit code is 1 if a step failed.

    \b
    gridglow doctor
    gridglow doctor --steps colours,count
    gridglow doctor --json
    gridglow doctor --bundle report.zip
    """
    names = [name.strip() for name in steps.split(",") if name.strip()] if steps else None
    choose(names)
    if bundle_file is not None:
        check_target(bundle_file, "the bundle")
    found = chosen(board, port)
    console, problem = board_of(found, board_file)
    person = None if as_json else somebody()
    if problem:
        say(f"gridglow: {problem}")
    if person is None and not as_json:
        say("There is no terminal here, so only the steps that need nobody run.")
    one = Doctor(found, console, person, yes, lambda: chosen(board, port), say)
    for result in one.run(names):
        if not as_json:
            print_result(result)
    if bundle_file is not None:
        write_bundle(one, bundle_file)
        say(f"The bundle is {bundle_file}; attach it to your bug report.")
    failed = [result for result in one.results if result.state == FAIL]
    if as_json:
        told: dict = {"board": found.name or None, "port": found.port.path, "ok": not failed,
                      "steps": [result.plain() for result in one.results]}
        if failed:
            problems = [f"{result.step}: {result.say}" for result in failed]
            told |= {"error": " ".join(problems), "problems": problems}
        print_json(told)
    else:
        say(verdict(one.results))
    if failed:
        raise Failed


def board_of(found: Found, board_file: str | None) -> tuple[Board | None, str]:
    """The board file of a board, and a sentence if there is none. Raises for an invalid file named with --board-file."""
    if board_file is not None:
        return load_board(board_file), ""
    name = str(found.about.get("board") or "")
    if not name:
        return None, "The board doesn't say which board file it has; name it with --board-file."
    try:
        return load_board(name), ""
    except GridglowError as error:
        return None, f"{error} Name the board's file with --board-file."


def print_result(result: Result) -> None:
    """Prints a step's result to stdout."""
    click.echo(f"{MARKS.get(result.state, result.state):8}{result.step:9}{result.say}")
    if result.next:
        click.echo(f"{'':17}→ {result.next}")


def verdict(results: list[Result]) -> str:
    """All results in one sentence."""
    counts = {state: sum(1 for result in results if result.state == state) for state in ("ok", "fail", "skipped")}
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    if counts["fail"]:
        first = next(result.step for result in results if result.state == FAIL)
        return f"{counts['fail']} of {len(results)} steps failed{skipped}; start with {first}."
    fine = "1 step is" if counts["ok"] == 1 else f"{counts['ok']} steps are"
    return f"{fine} fine{skipped}."


def write_bundle(one: Doctor, path: Path) -> None:
    """Writes the zip for a bug report, with answers of the board if it still answers. Raises GridglowError."""
    talk = repl = None
    with contextlib.suppress(GridglowError):
        if one.found.state == GRIDGLOW and not one.gone:
            talk = one.found.talk()
        elif one.found.state in (SAFE, MICROPYTHON) and not one.gone:
            repl = one.found.repl()
    try:
        files = bundle.collect(one.about, one.results, one.board, talk, repl)
    finally:
        if talk is not None:
            talk.close()
        if repl is not None:
            repl.leave()
            repl.port.close()
    bundle.write(path, files)
