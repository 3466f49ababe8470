"""A new season from a few words, and the set-up of its next race."""

from __future__ import annotations

import os

from gridglow.boards.boardfile import Board
from gridglow.races.startup import RaceStart, new_seed
from gridglow.seasons.adding import named
from gridglow.seasons.database import opened
from gridglow.tomlfile import nearest
from gridglow.tracks import list_tracks, load_track, map_leds
from shared_rules import games
from shared_rules.errors import BadSetup, GridglowError
from shared_rules.names import is_name, tidied
from shared_rules.season import Season, is_track_id
from shared_rules.setup import Setup

REVERSED = "-reversed"
NAME_MOST = 40


def games_with_seasons() -> list[str]:
    """The games that have a championship, in menu order."""
    return [name for name in games.NAMES if games.season(name)]


def new_season(name: str, game: str, variant: str | None, tracks: list[str], players: list[list[str]], laps: int | None,
               options: list[list[str]]) -> Season:
    """A checked season, whose races can all be raced. Default for ``tracks``: all that fit the variant, in menu order, one
    direction each. Raises BadSetup with every error."""
    if game not in games_with_seasons():
        having = games_with_seasons()
        raise BadSetup([f"No championship for {game!r}{nearest(game, tuple(having))}" if game not in games.NAMES else
                        f"The game {game} has no championship; choose one of {', '.join(having)}."])
    about = games.about(game)
    variant = variant or about.VARIANTS[0]
    if variant not in about.VARIANTS:
        raise BadSetup([f"There is no variant {variant!r} of {game}{nearest(variant, about.VARIANTS)}"])
    plain = {"game": game, "variant": variant, "laps": laps, "options": options, "players": players}
    wrong: list[str] = []
    check_name(name, wrong)
    fitting = []
    checked = None
    for track in tracks or [source.id for source in list_tracks(game) if not source.id.endswith(REVERSED)]:
        try:
            checked = Setup.from_plain(plain, load_track(track, game).track)
            fitting.append(track)
        except BadSetup as error:
            wrong += [say for say in error.problems if say not in wrong] if tracks else []
            last = error.problems
        except GridglowError as error:
            wrong.append(str(error))
    if not fitting and not tracks:
        wrong += last
    if wrong or checked is None:
        raise BadSetup(wrong)
    return Season.from_plain({
        "id": os.urandom(4).hex(), "name": name, "game": game, "variant": variant,
        "options": [list(pair) for pair in checked.options], "laps": laps or 0,
        "players": [list(player) for player in checked.players], "tracks": fitting,
    })


def check_name(name: str, wrong: list[str]) -> None:
    """Notes what is wrong with a season's name."""
    if not is_name(name, NAME_MOST) or name != tidied(name):
        wrong.append(f"Expected a name of 1 to {NAME_MOST} visible characters for the season, got {name!r}.")
    elif is_track_id(name) and len(name) == 8 and all(letter in "0123456789abcdef" for letter in name):
        wrong.append(f"The name {name!r} looks like a season's id; choose another.")


def next_race(word: str, board: Board | None = None, seed: str | None = None, dice: str = "device",
              decks: str = "device") -> RaceStart:
    """``next_start`` of the season of this name or id. Raises GridglowError."""
    with opened() as database:
        season = named(database, word).season
    return next_start(season, board, seed, dice, decks)


def next_start(season: Season, board: Board | None = None, seed: str | None = None, dice: str = "device",
               decks: str = "device") -> RaceStart:
    """The next race of a season, ready to start. Raises GridglowError if all are raced, or it can't be raced."""
    if season.over:
        raise GridglowError(f"All {len(season.tracks)} races of the season {season.called()} have been raced.")
    plain = season.next_setup()
    compiled = load_track(plain["track"], season.game)
    plain |= {"dice": dice, "decks": decks, "seed": new_seed() if seed is None else seed,
              "salt": new_seed() if seed is None else ""}
    setup = Setup.from_plain(plain, compiled.track)
    if board is not None:
        map_leds(compiled.track, board)
    return RaceStart(setup, compiled)
