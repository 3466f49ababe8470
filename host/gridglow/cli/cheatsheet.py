"""``gridglow cheatsheet``: a page to print for a game."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.cli.common import say
from gridglow.races.cheatsheets import LANGUAGES, sheet_html
from shared_rules import games
from shared_rules.errors import GridglowError


@click.command()
@click.argument("game", type=click.Choice(games.NAMES))
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="Its language (default: en).")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: GAME.html here).")
def cheatsheet(game: str, language: str, out: Path | None) -> None:
    """Write a cheat sheet: the turn, what the lights mean, the keys.

    It is one self-contained HTML page that prints on one sheet of A4 or Letter.

    \b
    gridglow cheatsheet racing_rules
    gridglow cheatsheet full_throttle --language de --out spickzettel.html
    """
    path = out or Path(f"{game}.html")
    try:
        path.write_text(sheet_html(game, language), encoding="utf-8")
    except OSError as error:
        raise GridglowError(f"The cheat sheet can't be written to {path} ({error.strerror or error}); choose a folder "
                            "that exists and that you can write to.") from None
    say(f"The cheat sheet is in {path}; print it from your browser.")
