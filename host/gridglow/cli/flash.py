"""``gridglow flash``: turns a Pico into a board."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.boards.boardfile import list_boards
from gridglow.cli.board_options import board_options
from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.sync import agree_by, progress_bar
from gridglow.device.flash import Target, is_unknown, target
from gridglow.device.flash import flash as put_on
from gridglow.device.person import somebody
from gridglow.device.sync import check_choice
from gridglow.firmware.uf2 import read_uf2


@click.command()
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="The program, a .uf2 file. Default: build/gridglow-CHIP.uf2, or the one that came with Gridglow.")
@click.option("--board-file", metavar="BOARD",
              help="The board to make: full, mini, mini-direct, or a board file of your own.")
@click.option("--name", metavar="NAME", help="A new name for the board.")
@click.option("--tracks", metavar="IDS", help="The tracks to put on it; all means all that it can light.")
@click.option("--languages", metavar="NAMES", help="The languages to put on it, such as en,de, or all.")
@click.option("--drive", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="The drive of a Pico in its boot loader, if it isn't found; with --board or --port the folder where "
              "it will appear.")
@click.option("--yes", is_flag=True, help="Agree to everything asked: end a running race (it stays saved), replace another "
                                          "program.")
@board_options
@json_option
def flash(uf2: Path | None, board_file: str | None, name: str | None, tracks: str | None, languages: str | None,
          drive: Path | None, yes: bool, board: str | None, port: str | None, as_json: bool) -> None:
    """Turn a Pico into a board, whatever runs on it: first Gridglow's program, then the board's data.

    The command checks the program against the board, backs up the board's data and reads the copy back, brings the board
    into its boot loader, copies the program and checks what it reports, and puts the saves back. If it is interrupted, run
    the same command to continue. The program comes from "gridglow firmware build".

    \b
    gridglow flash --board-file mini                  a bare Pico
    gridglow flash --board-file full --name Kitchen   with a name, too
    gridglow flash                                    update an older Gridglow
    """
    file = read_uf2(uf2) if uf2 is not None else None
    check_choice(board_file, tracks, languages)
    meant = target(board, port, drive)
    board_file = board_file or asked_board(meant, as_json)
    with progress_bar(as_json) as progress:
        done = put_on(meant, file, board_file=board_file, tracks=tracks, languages=languages, name=name,
                      agree=agree_by(yes, as_json), say=say, progress=progress)
    result = done.result
    if as_json:
        print_json({**(result.plain() if result else {}), "board": done.title, "firmware": done.firmware,
                    "micropython": done.version, "program": done.program, "saves": done.saved})
    else:
        click.echo(result.say if result else f"{done.title[:1].upper()}{done.title[1:]} has its new program.")
    for note in [*done.notes, *(result.notes if result else ())]:
        say(f"note: {note}")


def asked_board(meant: Target, as_json: bool) -> str | None:
    """The board that a bare Pico becomes, chosen by the person at the terminal; None if the Pico says it itself, or there is
    no terminal."""
    person = None if as_json or not is_unknown(meant) else somebody()
    return person.ask("Which board should this Pico become?", list_boards()) if person else None
