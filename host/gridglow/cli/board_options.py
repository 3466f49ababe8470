"""What commands for a real board share: which board is meant, and the words that choose it."""

from __future__ import annotations

import click

from gridglow.device.connect import Found, one


def board_options(command):
    """Adds --board and --port to a command, which gets them as `board` and `port`."""
    command = click.option(
        "--port", metavar="PATH", help="The board at this serial port, also at one that isn't USB's."
    )(command)
    return click.option("--board", metavar="NAME", help="The board with this name or serial number.")(command)


end_race_option = click.option("--yes", "--end-race", "end_race", is_flag=True,
                               help="Agree that a race which runs on the board is ended (it stays saved).")


def chosen(board: str | None, port: str | None) -> Found:
    """The board that is meant. Raises GridglowError with a list where that is unclear, and where there is none."""
    return one(board, [port] if port else None)
