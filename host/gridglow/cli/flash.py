"""``gridglow flash``: a bare Pico becomes a board."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.cli.board_options import board_options
from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.sync import agree_by, progress_bar
from gridglow.device.flash import Target, is_unknown, target
from gridglow.device.flash import flash as put_on
from gridglow.device.person import somebody
from gridglow.device.uf2 import read_uf2
from gridglow.hardware.boardfile import list_boards


@click.command()
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="MicroPython for the board, as a .uf2 file.")
@click.option("--board-file", metavar="BOARD", help="The board that it becomes: full, mini, or a board file of your own.")
@click.option("--name", metavar="NAME", help="What the board is called from now on.")
@click.option("--games", metavar="IDS", help="The games that it gets, separated by commas, or all.")
@click.option("--tracks", metavar="IDS", help="The tracks that it gets, or all that it can light.")
@click.option("--languages", metavar="NAMES", help="The languages that it gets, such as en,de, or all.")
@click.option("--drive", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="The drive of a Pico in its boot loader, where it isn't found; with --board or --port the folder where "
              "it will appear.")
@click.option("--yes", is_flag=True, help="Agree to what can be lost, such as a race that runs (it stays saved).")
@board_options
@json_option
def flash(uf2: Path | None, board_file: str | None, name: str | None, games: str | None, tracks: str | None,
          languages: str | None, drive: Path | None, yes: bool, board: str | None, port: str | None, as_json: bool) -> None:
    """Make a board of a Pico: MicroPython, then Gridglow.

    With --uf2 the file is checked against the board's chip, the saves are backed up, the board is brought into its boot
    loader, the firmware is copied and asked for its version, and the saves are restored. Where MicroPython is on the board
    already and no --uf2 is given, only Gridglow is installed.

    \b
    gridglow flash --uf2 RPI_PICO.uf2 --board-file mini   a bare Pico
    gridglow flash --board-file full --name Kitchen       MicroPython is on it

    Nothing is downloaded: MicroPython is at micropython.org/download/RPI_PICO (Pico 2: RPI_PICO2).
    """
    file = read_uf2(uf2) if uf2 is not None else None
    meant = target(board, port, drive)
    board_file = board_file or asked_board(meant, as_json)
    with progress_bar(as_json) as progress:
        done = put_on(meant, file, board_file=board_file, games=games, tracks=tracks, languages=languages, name=name,
                      agree=agree_by(yes, as_json), say=say, progress=progress)
    result = done.result
    if as_json:
        print_json({**(result.plain() if result else {}), "board": done.title, "firmware": done.firmware,
                    "micropython": done.version, "saves": done.saved})
    elif result:
        click.echo(result.say)
    for note in [*done.notes, *(result.notes if result else ())]:
        say(f"note: {note}")


def asked_board(meant: Target, as_json: bool) -> str | None:
    """The board that a bare Pico becomes, as the person at the terminal says; None where it says it itself, or nobody is
    here."""
    person = None if as_json or not is_unknown(meant) else somebody()
    return person.ask("Which board does this Pico become?", list_boards()) if person else None
