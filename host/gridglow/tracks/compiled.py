"""A compiled track: source, pack, graph and drawing together, and what page and boards get from it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from gridglow.tomlfile import FileProblems, Problem
from gridglow.tracks.drawing import Geometry
from gridglow.tracks.drawings import draw
from gridglow.tracks.ledmap import LedMap, map_by_row, map_by_space, map_leds
from gridglow.tracks.pack import pack_source
from gridglow.tracks.ranks import racing_line_ranks
from gridglow.tracks.signs import sign_place
from gridglow.tracks.source import TrackSource, read_source, reverse_source
from shared_rules.errors import BadTrack
from shared_rules.track import Track
from shared_rules.track_paint import colours_of

if TYPE_CHECKING:
    from gridglow.boards.boardfile import Board

Draw = Callable[[TrackSource], Geometry | None]


@dataclass(frozen=True)
class CompiledTrack:
    """What the host makes from a track; ``drawn()`` returns its drawing, made on first use."""

    source: TrackSource
    pack: bytes
    track: Track
    drawn: Callable[[], Geometry | None] = field(repr=False, compare=False)

    @property
    def geometry(self) -> Geometry | None:
        """The drawing; None for a track without angles, which is never drawn. Raises BadTrack if it can't be laid out."""
        return self.drawn()

    @property
    def id(self) -> str:
        """The track's id."""
        return self.source.id


def compile_source(source: TrackSource, draw: Draw = draw) -> CompiledTrack:
    """Compiles a source. Raises BadTrack if its loop can't be laid out.

    ``draw`` lays it out; `kept_drawing` does so once for all commands.
    """
    compiled = compile_undrawn(source, draw)
    compiled.drawn()
    return compiled


def compile_undrawn(source: TrackSource, draw: Draw = draw) -> CompiledTrack:
    """``compile_source`` without checking the loop: an error in it is reported when the drawing is requested."""
    pack = pack_source(source)
    return CompiledTrack(source, pack, Track.unpack(pack), cache(lambda: draw(source)))


def compile_file(path: str | Path, *, reverse: bool = False) -> CompiledTrack:
    """Compiles a TOML track. Raises FileProblems with every error in it.

    ``reverse`` compiles it driven the other way round; only for a reversible track.
    """
    source = read_source(path)
    if reverse and not source.reversible:
        raise BadTrack(
            f"The track {source.id} can only be driven one way; a reversible track has "
            "reversible = true."
        )
    try:
        return compile_source(reverse_source(source) if reverse else source)
    except BadTrack as error:
        raise FileProblems([Problem(str(path), 0, "", str(error))]) from None


def device_files(compiled: CompiledTrack, board: Board, light: str | None = None) -> dict[str, bytes]:
    """The files of one track for a board: {"tracks/ID.pack": …, "tracks/ID.leds": …}.

    Raises DoesNotFit if the board can't light the track.
    """
    leds = map_leds(compiled.track, board, light)
    return {
        f"tracks/{compiled.id}.pack": compiled.pack,
        f"tracks/{compiled.id}.leds": json.dumps(leds.plain(), separators=(",", ":")).encode("ascii"),
    }


def index_file(tracks: Iterable[CompiledTrack], first: str = "") -> bytes:
    """``tracks/index.json`` of a board: JSON with one line per track, so that a board reads one at a time. The track
    ``first`` leads the list: an idle board lights it; menus keep the order within a game."""
    entries = sorted(index_json(list(tracks)), key=lambda entry: entry["id"] != first)
    return ("[\n" + ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries) + "\n]\n").encode("ascii")


def index_json(tracks: list[CompiledTrack]) -> list[dict]:
    """The content of a board's ``tracks/index.json``: id, name, game, level, number and laps, in menu order."""
    ordered = sorted(tracks, key=lambda one: (one.source.game, one.source.number, one.id))
    return [
        {key: getattr(one.source, key) for key in ("id", "name", "game", "level", "number", "laps")}
        for one in ordered
    ]


def page_geometry(compiled: CompiledTrack, board: Board | None = None, light: str | None = None) -> dict:
    """The drawing of a track for the page, ready for JSON.

    Lengths are mm from the board's top left corner, x to the right, y down; headings are degrees clockwise
    from "to the right". Keys: ``id name game level number laps row_count lanes closed hash``; ``width_mm
    height_mm`` (board); ``box`` [x, y, width, height] of the drawing; ``pitch_mm lane_mm``; ``spaces`` (by
    number: space, name, row, lane, section, rank on the racing line from 1, or 0 if the game has none,
    polygon, centre, heading_deg, colours and marks: words, further: the far half of one with two colours,
    start: whether cars stand there before the race, limit: the number on a corner's space, else 0, sign: what is
    printed on it, by default its limit, sign_at: where); ``rows`` (row, centre,
    heading_deg); ``finish`` (left point, right point); ``outline`` {left, right} (the asphalt's borders, points in
    driving direction); ``centre_line``; ``roads`` (the borders of each road beside the rows, all around: kind, outline);
    ``solid`` (lines between lanes that may not be crossed);
    ``kerbs`` (section, side, stripes: polygons in two alternating colours); ``sections`` (kind, turn, difficulty, number,
    hill, first_row, rows, centre, heading_deg); ``barriers`` (row, speed, line: left point, right point); ``indicators``
    (upgrades, centre: where the red number stands); ``overpasses`` (the deck of each, its two long sides one after the
    other); ``light`` "lane" or "row" and ``leds`` (led, centre, spaces).
    Without a board, every space has its own LED. Raises BadTrack for a track without angles, DoesNotFit if the
    board can't light it.
    """
    geometry, track = compiled.geometry, compiled.track
    if geometry is None:
        raise BadTrack(
            f"The track {compiled.id} has no angles, so it can't be drawn; give every corner an angle."
        )
    leds = map_leds(track, board, light) if board else (map_by_row if light == "row" else map_by_space)(track)
    ranks = racing_line_ranks(track)
    printed = {(row, lane): sign for row, lane, sign in compiled.source.signs}
    signs = [printed.get((track.row(s), track.lane(s)), "") or _limit_sign(track, s) for s in range(track.count)]
    starts = [s for kind, _, first, count, _ in track.roads if kind == "start" for s in range(first, first + count)]
    width, height = geometry.board_mm
    return {
        "id": track.id,
        "name": track.name,
        "game": track.game,
        "level": track.level,
        "number": track.number,
        "laps": track.laps,
        "row_count": track.rows,
        "lanes": track.lanes,
        "closed": track.closed,
        "hash": track.hash,
        "width_mm": _mm(width),
        "height_mm": _mm(height),
        "box": [
            _mm((width - geometry.size_mm[0]) / 2),
            _mm((height - geometry.size_mm[1]) / 2),
            _mm(geometry.size_mm[0]),
            _mm(geometry.size_mm[1]),
        ],
        "pitch_mm": _mm(geometry.pitch_mm),
        "lane_mm": _mm(geometry.lane_mm),
        "spaces": [
            {
                "space": s,
                "name": track.space_name(s),
                "row": track.row(s),
                "lane": track.lane(s),
                "section": track.section(s).index,
                "rank": ranks[s],
                "polygon": _points(shape.polygon),
                "centre": _point(shape.centre),
                "heading_deg": _mm(shape.heading_deg),
                "colours": list(colours_of(track, s)),
                "further": _points(_further_half(shape.polygon)) if len(colours_of(track, s)) > 1 else [],
                "marks": track.marks_on(s),
                "start": s in starts,
                "limit": track.limits[s] if track.limits else 0,
                "sign": signs[s],
                "sign_at": _sign_at(shape.polygon, geometry.lane_mm) if signs[s] else [],
            }
            for s, shape in enumerate(geometry.spaces)
        ],
        "rows": [
            {"row": row, "centre": _point(centre), "heading_deg": _mm(heading)}
            for row, (centre, heading) in enumerate(geometry.rows, 1)
        ],
        "finish": _points(geometry.finish),
        "outline": {"left": _points(geometry.left_edge), "right": _points(geometry.right_edge)},
        "centre_line": _points(geometry.centre_line),
        "roads": [
            {"kind": road[0], "outline": _points(outline)} for road, outline in zip(track.roads, geometry.roads)
        ],
        "solid": [_points(line) for line in geometry.solid],
        "kerbs": [
            {"section": kerb.section, "side": kerb.side, "stripes": [_points(one) for one in kerb.stripes]}
            for kerb in geometry.kerbs
        ],
        "sections": [
            {
                "kind": section.kind,
                "turn": section.turn,
                "difficulty": section.difficulty,
                "number": section.number,
                "hill": section.hill,
                "first_row": section.first_row,
                "rows": section.rows,
                "centre": _point(geometry.section_middles[section.index][0]),
                "heading_deg": _mm(geometry.section_middles[section.index][1]),
            }
            for section in track.sections
        ],
        "barriers": [
            {"row": row, "speed": speed, "line": _points(line)}
            for (row, speed), line in zip(track.barriers, geometry.barriers)
        ],
        "indicators": [
            {"upgrades": compiled.source.sections[section].upgrades, "centre": _point(centre)}
            for centre, section in geometry.indicators
        ],
        "overpasses": [_points(deck) for deck in geometry.overpasses],
        "light": leds.mode,
        "leds": _led_points(leds, geometry, track),
    }


def _sign_at(polygon: list, lane_mm: float) -> list[float]:
    return _point(sign_place(polygon, _middle_of(polygon), lane_mm))


def _limit_sign(track: Track, space: int) -> str:
    return str(track.limits[space]) if track.limits and track.limits[space] else ""


def _further_half(polygon: list) -> list:
    """The far half of a space in driving direction; its polygon runs along the left border, then back along the right."""
    left, right = polygon[: len(polygon) // 2], polygon[len(polygon) // 2 :][::-1]
    middle = []
    for border in (left, right):
        at = (len(border) - 1) / 2
        before, after = border[math.floor(at)], border[math.ceil(at)]
        middle.append(((before[0] + after[0]) / 2, (before[1] + after[1]) / 2))
    further = len(left) // 2
    return [middle[0], *left[further:], *right[further:][::-1], middle[1]]


def _led_points(leds: LedMap, geometry: Geometry, track: Track) -> list[dict]:
    points: list[dict] = [{"led": led, "centre": [], "spaces": []} for led in range(leds.pixels)]
    for space, led in enumerate(leds.leds):
        if led >= 0:  # a module may have no pixel on this space
            points[led]["spaces"].append(space)
    for point in points:
        if point["spaces"]:
            point["centre"] = _point(_led_place(leds.mode, point["spaces"], geometry, track))
    return points


def _led_place(mode: str, spaces: list[int], geometry: Geometry, track: Track) -> tuple[float, float]:
    """The position and width of the pixel for these spaces: in the middle of its space or row.

    The middle of a space is its centroid: so in a tight bend pixels stay further apart, above all on the inner lane.
    """
    if mode == "row" and spaces[0] < track.in_rows:
        return geometry.rows[track.row(spaces[0]) - 1][0]
    middles = [_middle_of(geometry.spaces[space].polygon) for space in spaces]
    return sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)


def _middle_of(polygon: list[tuple[float, float]]) -> tuple[float, float]:
    """The centroid of a polygon."""
    x0, y0 = polygon[0]
    twice = x = y = 0.0
    for (ax, ay), (bx, by) in pairwise(polygon):
        piece = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
        twice += piece
        x += piece * (x0 + ax + bx)
        y += piece * (y0 + ay + by)
    return x / twice / 3, y / twice / 3


def _mm(length: float) -> float:
    return round(length, 2)


def _point(point) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]


def _points(points) -> list[list[float]]:
    return [_point(point) for point in points]
