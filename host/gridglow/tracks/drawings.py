"""The drawing of a track, laid out once: it takes far longer than the rest of a track, and a race without a page needs none.

It is stored in the user's cache (``gridglow.cache``) under the hash of the source, of the game's start card, and
of the layout code.
"""

from __future__ import annotations

import marshal
import sys

from gridglow import cache
from gridglow.tracks.drawing import Geometry, Kerb, SpaceShape
from gridglow.tracks.geometry import build_geometry, can_draw
from gridglow.tracks.levels import start_card
from gridglow.tracks.source import TrackSource

CODE = ("gridglow.tracks", "shared_rules.track", "shared_rules.errors")


def draw(source: TrackSource) -> Geometry | None:
    """The drawing, laid out now; None for a track without angles. Raises BadTrack if it can't be laid out."""
    return build_geometry(source) if can_draw(source) else None


def kept_drawing(source: TrackSource) -> Geometry | None:
    """``draw`` with caching."""
    if not can_draw(source):
        return None
    key = cache.key_of(sys.version, cache.code_of(*CODE), _inputs(source))
    return unpacked(cache.kept("drawings", key, lambda: packed(build_geometry(source))))


def _inputs(source: TrackSource) -> str:
    """Everything in a source that can change its drawing; not the file's location."""
    fields = {name: value for name, value in vars(source).items() if name != "path"}
    return repr((sorted(fields.items()), start_card(source.game)))


def packed(geometry: Geometry) -> bytes:
    """A drawing as bytes. ``marshal`` keeps every float and distinguishes lists from tuples; its format is specific to this
    Python, and so is the key. Whoever can write to the cache could also change compiled modules: it's as safe as those."""
    plain = dict(vars(geometry))
    plain["spaces"] = [(one.polygon, one.centre, one.heading_deg) for one in geometry.spaces]
    plain["kerbs"] = [(one.section, one.side, one.stripes) for one in geometry.kerbs]
    return marshal.dumps(plain)


def unpacked(content: bytes) -> Geometry:
    """The drawing from the bytes made by ``packed``."""
    plain = marshal.loads(content)
    plain["spaces"] = [SpaceShape(*one) for one in plain["spaces"]]
    plain["kerbs"] = [Kerb(*one) for one in plain["kerbs"]]
    return Geometry(**plain)
