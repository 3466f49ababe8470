"""The options shared by commands for a real board: which board is meant, and consent to end a race."""

from __future__ import annotations

import click

from gridglow.device.connect import Found, one


def board_options(command):
    """Adds --board and --port to a command, which gets them as `board` and `port`."""
    command = click.option(
        "--port", metavar="PATH", help="The board at this serial port, USB or not."
    )(command)
    return click.option("--board", metavar="NAME", help="The board with this name or serial number.")(command)


end_race_option = click.option("--yes", "--end-race", "end_race", is_flag=True,
                               help="Agree to end a race running on the board (it stays saved).")


def chosen(board: str | None, port: str | None) -> Found:
    """The board that is meant. Raises GridglowError if there is none, or with a list if it's unclear."""
    return one(board, [port] if port else None)
