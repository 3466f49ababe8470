"""``gridglow new-game``: the skeleton of a game, which is playable and passes every check from the first minute."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click

from gridglow import paths
from gridglow.races.cheatsheets import LANGUAGES, sheet_html
from gridglow.tracks.levels import abouts
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.games import in_folders

SKELETON = Path(__file__).resolve().parent / "skeleton"
#: Template: its place in the checkout.
PLACES = {
    "about.py": "shared_rules/games/{id}/about.py", "about_why.py": "shared_rules/games/{id}/about_why.py",
    "rules.py": "shared_rules/games/{id}/rules.py", "bots.py": "shared_rules/games/{id}/bots.py",
    "spec_view.py": "shared_rules/games/{id}/spec_view.py", "trials.py": "shared_rules/games/{id}/trials.py",
    "text.en.toml": "shared_rules/games/{id}/text/en.toml", "text.de.toml": "shared_rules/games/{id}/text/de.toml",
    "spec.toml": "shared_rules/spec/{id}.toml", "track.toml": "shared_rules/tracks/{id}/{track}.toml",
    "test.py": "tests/compliance/test_{id}.py",
}
MOST_LETTERS = 20


@click.command("new-game")
@click.argument("game", metavar="ID")
@click.option("--name", help="The name for players. Default: made from the id.")
def new_game(game: str, name: str | None) -> None:
    """Write the skeleton of a game: rules, a clause with its vectors, texts, a track, cheat sheets, tests.

    ID consists of small letters, digits and _, such as my_race. CONTRIBUTING.md says how to go on.
    """
    for path in write_skeleton(game, name or game.replace("_", " ").title()):
        click.echo(path.relative_to(paths.CHECKOUT).as_posix())
    click.echo(f"\nRace it:  gridglow play --track {track_of(game)}\nProve it: gridglow test --game {game}\n"
               "Then read \"How to add a game\" in CONTRIBUTING.md.")


def track_of(game: str) -> str:
    """The id of the track that comes with a new game."""
    return game.replace("_", "-") + "-ring"


def write_skeleton(game: str, name: str) -> list[Path]:
    """Writes all files of a new game and returns their paths. Raises GridglowError if the id is invalid or taken."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", game) or len(game) > MOST_LETTERS:
        raise GridglowError(f"Expected an id of at most {MOST_LETTERS} small letters, digits and _, such as my_race, "
                            f"got {game!r}.")
    if not re.fullmatch(r"[^\W_][^\"\\{}\n]*", name):
        raise GridglowError("Expected a name that begins with a letter or digit and has no quotes, braces or backslashes, "
                            f"got {name!r}.")
    letters = "".join(word[0] for word in game.split("_"))
    words = {"@ID@": game, "@NAME@": name, "@CLAUSE@": f"{(letters if len(letters) > 1 else game[:2]).upper()}-01",
             "@TRACK@": track_of(game)}
    files = {paths.CHECKOUT / place.format(id=game, track=track_of(game)): (SKELETON / f"{template}.txt").read_text("utf-8")
             for template, place in PLACES.items()}
    there = [path for path in (paths.CHECKOUT / "shared_rules" / "games" / game, *files) if path.exists()]
    if there:
        raise GridglowError(f"{there[0].relative_to(paths.CHECKOUT).as_posix()} already exists; choose another id, or "
                            "remove the old game's files.")
    for path, text in files.items():
        for word, put in words.items():
            text = text.replace(word, put)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    package = paths.CHECKOUT / "shared_rules" / "games" / game / "__init__.py"
    package.write_text("", "utf-8")
    return [package, *files, *_make(game)]


def _make(game: str) -> list[Path]:
    """Makes everything derived from a game's files: its cheat sheets, golden races and kept saves."""
    games.NAMES = in_folders.found()
    abouts.cache_clear()
    made = []
    for language in LANGUAGES:
        path = paths.CHECKOUT / "docs" / "cheatsheets" / f"{game}.{language}.html"
        path.write_text(sheet_html(game, language), "utf-8")
        made.append(path)
    golden = paths.CHECKOUT / "tests" / "help" / "renew_golden_races.py"
    done = subprocess.run([sys.executable, str(golden)], cwd=paths.CHECKOUT, capture_output=True, text=True)
    if done.returncode:
        raise GridglowError(f"The golden race of {game} can't be played: {done.stderr.strip()[-300:]}")
    return made + sorted((paths.CHECKOUT / "tests" / "help" / "golden_races").glob(f"{game}-*.journal"))
