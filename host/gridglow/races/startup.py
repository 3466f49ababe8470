"""A race's set-up from a few words, as on the command line: everything left out gets its default.

``race_setup(track="gp-ring", seats=3, bots="all")`` returns a checked Setup with its compiled track; all
errors are reported at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridglow.tomlfile import FileProblems, nearest
from gridglow.tracks import CompiledTrack, list_tracks, load_track, map_leds
from shared_rules import games
from shared_rules.errors import BadSetup, BadTrack, GridglowError
from shared_rules.setup import Setup

if TYPE_CHECKING:
    from gridglow.boards.boardfile import Board

DEFAULT_GAME = games.NAMES[0]
SEED_BYTES = 16


@dataclass(frozen=True)
class RaceStart:
    """A race that is ready to start."""

    setup: Setup
    track: CompiledTrack


def race_setup(
    game: str | None = None,
    variant: str | None = None,
    track: str | None = None,
    laps: int | None = None,
    seats: int | None = None,
    bots: int | str = 0,
    seed: str | None = None,
    dice: str = "device",
    decks: str = "device",
    options: list[str] | None = None,
    board: Board | None = None,
) -> RaceStart:
    """The race for these words: ``bots`` is "all" or how many of the last seats are bots, ``options`` are KEY=VALUE.

    Defaults: ``game`` the track's, or the first; ``variant`` the game's first; ``track`` the first that fits;
    ``seats`` the fewest; ``seed`` a new one. ``board``: the board that must be able to light the track.
    Raises BadSetup with one sentence per problem, DoesNotFit if only the board is too small.
    """
    game = _game_of(track) if game is None else game
    if game not in games.NAMES:
        raise BadSetup([f"There is no game {game!r}{nearest(game, games.NAMES)}"])
    rules = games.load(game)
    wrong: list[str] = []
    if variant is not None and variant not in rules.VARIANTS:
        wrong.append(f"There is no variant {variant!r} of {game}{nearest(variant, rules.VARIANTS)}")
        variant = None
    variant = variant or rules.VARIANTS[0]
    pairs = _options(rules, options or [], wrong)
    players = _players(rules, seats, bots, wrong)
    compiled = None
    try:
        compiled = _track(game, variant, track)
    except GridglowError as error:
        wrong += _sentences(error)
    plain = {
        "game": game, "variant": variant, "laps": laps, "options": pairs, "players": players, "dice": dice, "decks": decks,
        # A chosen seed is no secret: then the salt, which only seals it, needn't be one either.
        "seed": new_seed() if seed is None else seed, "salt": new_seed() if seed is None else "",
    }
    if seed == "":
        wrong.append("Expected a seed of letters and digits, got an empty one; leave --seed out for a new one.")
    setup = None
    if compiled is not None or not list_tracks(game):
        setup = _checked(plain, compiled, wrong)
    else:  # check the rest anyway, on a track that exists
        _checked(plain, load_track(list_tracks(game)[0].id), wrong)
    if wrong or setup is None or compiled is None:
        raise BadSetup(wrong)
    if board is not None:
        map_leds(compiled.track, board)
    return RaceStart(setup, compiled)


def _game_of(track: str | None) -> str:
    """The game of a track; the first game if there is no track, or no playable game has a track of this id."""
    return next((source.game for source in list_tracks() if source.id == track and source.game in games.NAMES), DEFAULT_GAME)


def new_seed() -> str:
    """128 random bits from the system, as 32 hex characters."""
    return os.urandom(SEED_BYTES).hex()


def _checked(plain: dict, compiled: CompiledTrack | None, wrong: list[str]) -> Setup | None:
    if compiled is None:
        return None
    try:
        return Setup.from_plain(plain, compiled.track)
    except BadSetup as error:
        wrong += error.problems
        return None


def _track(game: str, variant: str, track: str | None) -> CompiledTrack:
    if track is not None:
        return load_track(track, game)
    first = next(tracks_for(game, variant), None)
    if first is None:
        raise BadTrack(f"There is no track for {game} {variant}; add one to your data folder.")
    return first


def tracks_for(game: str, variant: str) -> Iterator[CompiledTrack]:
    """A variant's possible tracks, in menu order; each is compiled on request."""
    for source in list_tracks(game):
        try:
            compiled = load_track(source.id, game)
            few = games.load(game).SEATS[0]
            Setup.from_plain({"game": game, "variant": variant, "players": [["person", "Player"]] * few}, compiled.track)
        except (BadSetup, BadTrack, FileProblems):
            continue  # "gridglow track check" says what's wrong with a file
        yield compiled


def _options(rules, given: list[str], wrong: list[str]) -> list[list[str]]:
    """KEY=VALUE words as pairs; notes unknown options."""
    values = {key: allowed for key, allowed, _ in rules.OPTIONS}
    pairs: list[list[str]] = []
    for word in given:
        key, equals, value = word.partition("=")
        if not equals:
            wrong.append(f"Expected an option as KEY=VALUE, got {word!r}.")
        elif key not in values:
            wrong.append(f"There is no option {key!r} for {rules.ID}{nearest(key, tuple(values)) if values else '.'}")
        elif value not in values[key]:
            wrong.append(f"Expected {key} to be {' or '.join(values[key])}, got {value!r}.")
        elif key in [pair[0] for pair in pairs]:
            wrong.append(f"The option {key} is given twice; give it once.")
        else:
            pairs.append([key, value])
    return pairs


def _players(rules, seats: int | None, bots: int | str, wrong: list[str]) -> list[list[str]]:
    few, most = rules.SEATS
    seats = few if seats is None else seats
    if not few <= seats <= most:
        wrong.append(f"Expected {few} to {most} seats for {rules.ID}, got {seats}.")
        bots, seats = 0, few
    count = seats if bots == "all" else int(bots)
    if not 0 <= count <= seats:
        wrong.append(f"Expected 0 to {seats} bots at {seats} seats, got {count}; for all seats give --bots all.")
        count = 0
    people = seats - count
    return ([["person", f"Player {n + 1}"] for n in range(people)]
            + [["bot", f"Bot {n + 1}"] for n in range(people, seats)])


def _sentences(error: GridglowError) -> list[str]:
    """The sentences of an error, one per problem."""
    problems = getattr(error, "problems", None)
    return [str(problem) for problem in problems] if problems else [str(error)]
