"""All available tracks: the packaged ones and those in the user's data folder.

A user's track with the id of a packaged one replaces it: that is how an owner of the real board
puts in the tracks that house layouts only stand in for. A reversible track appears twice, the second time driven
the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from gridglow import paths
from gridglow.tomlfile import FileProblems, Problem, nearest
from gridglow.tracks.compiled import CompiledTrack, compile_source, compile_undrawn
from gridglow.tracks.drawings import kept_drawing
from gridglow.tracks.reachability import unraceable_problems
from gridglow.tracks.source import TrackSource, read_source, reverse_source
from shared_rules.errors import BadTrack


@dataclass(frozen=True)
class Catalogue:
    """``tracks`` in menu order (game, number, id), and the errors of files that had to be left out; ``unraceable`` lists,
    by id, the tracks left out because no race on them is possible, though the file is valid."""

    tracks: list[TrackSource]
    problems: list[Problem]
    unraceable: dict[str, list[Problem]] = field(default_factory=dict)


def read_catalogue(game: str | None = None) -> Catalogue:
    """Every track, or those of one game. A broken file, or a user's track on which no race can end, is left out and named
    in ``problems``."""
    found: dict[str, TrackSource] = {}
    problems: list[Problem] = []
    unraceable: dict[str, list[Problem]] = {}
    for folder in (ours := paths.tracks_folder(), *paths.own("tracks")):
        here: dict[str, TrackSource] = {}
        for path in sorted(folder.rglob("*.toml")):
            try:
                source = _read(path, path.stat().st_mtime_ns)
            except FileProblems as error:
                problems += error.problems
                continue
            if source.id in here:
                problems.append(
                    Problem(
                        str(path),
                        0,
                        "id",
                        f"The id {source.id!r} belongs to {here[source.id].path} "
                        "already; give one of them another id.",
                    )
                )
                continue
            here[source.id] = source
        for source in [] if folder == ours else list(here.values()):
            lacking = unraceable_problems(source)
            if lacking:
                unraceable[source.id] = lacking
                del here[source.id]
        found.update(here)
    for source in [source for source in found.values() if source.reversible]:
        back = reverse_source(source)
        found.setdefault(back.id, back)  # a file with that id takes precedence
    tracks = [source for source in found.values() if game is None or source.game == game]
    problems += [one for lacking in unraceable.values() for one in lacking]
    return Catalogue(sorted(tracks, key=lambda one: (one.game, one.number, one.id)), problems, unraceable)


def list_tracks(game: str | None = None) -> list[TrackSource]:
    """Every readable track, in menu order; ``game`` selects those of one game."""
    return read_catalogue(game).tracks


def load_track(track_id: str, game: str | None = None) -> CompiledTrack:
    """Compiles the track of this id. Raises BadTrack if there is none, or none of this game, FileProblems for one of the
    user's that can't be raced."""
    catalogue = read_catalogue()
    source = {source.id: source for source in catalogue.tracks}.get(track_id)
    if source is None and track_id in catalogue.unraceable:
        raise FileProblems(catalogue.unraceable[track_id])
    if source is None and Path(track_id).is_file():
        raise BadTrack(f"Expected the id of a track, but {track_id} is a file; put it into {_where_own()}, and give the id "
                       "in it.")
    if source is None:
        known = tuple(one.id for one in list_tracks(game))
        raise BadTrack(f"There is no track {track_id!r}{nearest(track_id, known) if known else '.'}")
    if game is not None and source.game != game:
        raise BadTrack(
            f"The track {track_id} belongs to the game {source.game}, expected one of {game}: "
            f"{', '.join(one.id for one in list_tracks(game)) or 'there is none'}."
        )
    is_file = _read(source.path, source.path.stat().st_mtime_ns).id == source.id
    return _compile(source.path, source.path.stat().st_mtime_ns, not is_file)


def packaged_tracks() -> list[CompiledTrack]:
    """The tracks that come with Gridglow, compiled, in menu order, ignoring the user's replacements."""
    sources = [read_source(path) for path in sorted(paths.tracks_folder().rglob("*.toml"))]
    sources += [reverse_source(source) for source in sources if source.reversible]
    sources.sort(key=lambda one: (one.game, one.number, one.id))
    return [compile_undrawn(source, kept_drawing) for source in sources]


def _where_own() -> str:
    """Where a user's own tracks belong, for a sentence."""
    try:
        return str(paths.data_folder() / "tracks")
    except paths.NoHome:
        return 'the folder "tracks" of a data folder (--data)'


@lru_cache(maxsize=64)
def _read(path: Path, changed_ns: int) -> TrackSource:
    return read_source(path)


@lru_cache(maxsize=64)
def _compile(path: Path, changed_ns: int, reverse: bool) -> CompiledTrack:
    """A packaged track is laid out only when its drawing is requested, as it is known to be good. A user's track is laid
    out now: its errors should appear before a race."""
    source = _read(path, changed_ns)
    ours = path.is_relative_to(paths.tracks_folder())
    try:
        return (compile_undrawn if ours else compile_source)(reverse_source(source) if reverse else source, kept_drawing)
    except BadTrack as error:
        raise FileProblems([Problem(str(path), 0, "", str(error))]) from None
