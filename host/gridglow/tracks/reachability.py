"""The reachability check: whether a track can be raced at all, and whether its races end.

A valid track file may still make no race possible: a die without the colours of the finish, cards
that nobody can draw, obstacles across the whole road. A game's module ``reachability`` knows what its races need; a track
that lacks it is refused before it reaches a board, a page or a bot.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from functools import lru_cache

from gridglow import cache
from gridglow.tomlfile import Problem, find_line, read_toml
from gridglow.tracks.levels import abouts
from gridglow.tracks.pack import pack_source
from gridglow.tracks.source import TrackSource
from shared_rules.errors import BadSetup, BadTrack
from shared_rules.setup import Setup
from shared_rules.track import Track

CODE = ("gridglow.tracks.reachability", "shared_rules")


@dataclass(frozen=True)
class Lack:
    """What keeps races from ending: the key of the track file that causes it, and a sentence."""

    key: str
    say: str


def lacks(track: Track) -> list[Lack]:
    """Everything that keeps a track from being raced; [] if its races end.

    A track must suit at least one variant of its game, and races must be able to end in every variant that it suits.
    """
    about = abouts()[track.game]
    good: list[str] = []
    refused: list[list[str]] = []
    for variant in about.VARIANTS:
        try:
            Setup.from_plain(_plain(track, variant, about), track, about)
            good.append(variant)
        except BadSetup as error:
            refused.append(error.problems)
    if not good:
        said = list(dict.fromkeys(say for problems in refused for say in problems))
        everywhere = [say for say in said if all(say in problems for problems in refused)]
        return [Lack("", say) for say in everywhere or said]
    module = f"shared_rules.games.{track.game}.reachability"
    try:
        found = importlib.import_module(module).lacks(track, good)
    except ModuleNotFoundError as error:
        if not module.startswith(error.name or "?"):
            raise
        return []
    return [Lack(key, say) for key, say in found]


def _plain(track: Track, variant: str, about: type) -> dict:
    players = [["person", f"Player {seat + 1}"] for seat in range(about.SEATS[0])]
    return {"game": track.game, "variant": variant, "players": players}


def unraceable_problems(source: TrackSource) -> list[Problem]:
    """The same for a track file, with file and line. Empty for a track that can't be compiled: its compiler
    reports that."""
    try:
        pack = pack_source(source)
    except BadTrack:
        return []
    found = _kept(pack, source.game)
    if not found or source.path is None:
        return [Problem("", 0, key, say) for key, say in found]
    lines = read_toml(source.path, "track file")[1]
    return [Problem(str(source.path), find_line(lines, (key, 0)) if key else 0, key, say) for key, say in found]


@lru_cache(maxsize=64)
def _kept(pack: bytes, game: str) -> list[tuple[str, str]]:
    """(key, sentence) for everything that a pack lacks, found once and cached."""
    key = cache.key_of(cache.code_of(*CODE, f"shared_rules.games.{game}"), pack)

    def found() -> bytes:
        return json.dumps([[one.key, one.say] for one in lacks(Track.unpack(pack))]).encode()

    return [(key, say) for key, say in json.loads(cache.kept("reachability", key, found))]
