"""The short layout notation for courses that begin on a start card: ``S8 R2x2v4*2 |10 S3 o4b 12a>5>20a loop``.

``S8x2``: 8 straight rows, 2 lanes wide; ``L3v5``: a left corner of 3 rows with the number 5; ``*2`` after a section: a
red number; ``|10``: a speed barrier here; ``12b=5``: the number of one space of a corner; ``o4b``: an obstacle;
``12a>5>20a``: a side road of 5 spaces; ``loop``: a circular course. ``@70`` at the end of a section requests an angle.
"""

from __future__ import annotations

import re

from gridglow.tracks.course import START_LANE, start_spaces
from gridglow.tracks.roads import Road
from gridglow.tracks.source import MOST_ROWS, Section, TrackSource, lanes_across
from shared_rules.errors import BadTrack
from shared_rules.track import LANE_LETTERS

SECTION = re.compile(r"([SLR])([0-9]+)(?:x([1-4]))?(?:v([0-9]+))?(?:\*([0-9]))?(?:@([0-9]+))?")
BARRIER = re.compile(r"\|([0-9]+)")
LIMIT = re.compile(r"([0-9]+)([a-d])=([0-9]+)")
OBSTACLE = re.compile(r"o([0-9]+)([a-d])")
ROAD = re.compile(r"([0-9]+)([a-d])>([0-9]+)>([0-9]+)([a-d])")
TURNS = {"S": "", "L": "left", "R": "right"}


def parse_course(text: str, lanes: int, laps: int, head: dict) -> TrackSource:
    """The course that a layout describes; ``head`` holds id, name, game and level. Raises BadTrack with one sentence per
    unreadable part."""
    problems, sections, marks, roads, barriers, limits = [], [], [], [], [], []
    closed = False
    for part in text.split():
        section, barrier, road = SECTION.fullmatch(part), BARRIER.fullmatch(part), ROAD.fullmatch(part)
        if part == "loop":
            closed = True
        elif section:
            sections.append(_section(section))
        elif barrier:
            barriers.append((sum(one.rows for one in sections), int(barrier[1])))
        elif found := LIMIT.fullmatch(part):
            limits.append((_cell(found[1], found[2]), int(found[3])))
        elif found := OBSTACLE.fullmatch(part):
            marks.append((*_cell(found[1], found[2]), "obstacle"))
        elif road:
            roads.append(road)
        else:
            problems.append(f"Expected S8x2, L3v5*1, |10, o4b, 12b=5, 12a>5>20a or loop, found {part[:20]!r}.")
    rows = sum(section.rows for section in sections)
    if not problems and not 2 <= rows <= MOST_ROWS:
        problems.append(f"Expected 2 to {MOST_ROWS} rows in all, the layout has {rows}.")
    if isinstance(lanes, bool) or not isinstance(lanes, int) or not 1 <= lanes <= 4:
        problems.append(f"Expected 1 to 4 lanes, found {lanes!r}.")
    if problems:
        raise BadTrack(" ".join(problems))
    across = lanes_across(sections, lanes)
    there = [cell for cell, _ in limits] + [mark[:2] for mark in marks]
    there += [_cell(*ends) for road in roads for ends in (road.group(1, 2), road.group(4, 5))]
    for row, lane in there:
        if not (1 <= row <= rows and lane <= across[row - 1][1]):
            problems.append(f"There is no space {row}{LANE_LETTERS[lane - 1]}.")
    if problems:
        raise BadTrack(" ".join(problems))
    taken = set(start_spaces(head["game"], across[0][1]))
    beside = []
    for found in roads:
        beside.append(_side_road(found, taken))
        taken.update(beside[-1].cells())
    return TrackSource(
        head["track_id"], head["name"] or head["track_id"], 0, head["game"], head["level"], laps, (0, 0), lanes,
        tuple(sections), tuple(marks), closed=closed, roads=tuple(beside), barriers=tuple(sorted(barriers)),
        limits=tuple(limits),
    )


def _cell(row: str, lane: str) -> tuple[int, int]:
    return int(row), LANE_LETTERS.index(lane) + 1


def _section(found: re.Match) -> Section:
    kind, rows, wide, limit, upgrades, angle = found.groups()
    return Section("straight" if kind == "S" else "corner", int(rows), TURNS[kind], 0, int(angle or 0), lanes=int(wide or 0),
                   limits=(int(limit),) if limit else (), upgrades=int(upgrades or 0))


def _side_road(found: re.Match, taken: set) -> Road:
    leaves, back, spaces = _cell(*found.group(1, 2)), _cell(*found.group(4, 5)), int(found[3])
    for lane in range(START_LANE, len(LANE_LETTERS) + 1):
        road = Road("side", (leaves[0], lane), spaces, leaves, back, "left" if leaves[1] == 1 else "right", 0,
                    ((),) * spaces)
        if not taken.intersection(road.cells()):
            break
    return road


def write_course(source: TrackSource, angles: bool = True) -> str:
    """The layout of a course: ``parse_course`` turns it back into the same sections."""
    parts = []
    row = 0
    barriers = dict(source.barriers)
    for section in source.sections:
        start, row = row, row + section.rows
        cuts = [at for at in sorted(barriers) if start < at <= row]
        for at in sorted({*cuts, row}):
            if at > start:
                parts.append(_part(section, at - start, source.lanes, angles, start + section.rows == row))
                start = at
            if at in cuts:
                parts.append(f"|{barriers.pop(at)}")
    parts += [f"o{row}{LANE_LETTERS[lane - 1]}" for row, lane, word in source.marks if word == "obstacle"]
    return " ".join(parts + write_side_roads(source) + (["loop"] if source.closed else []))


def write_side_roads(source: TrackSource) -> list[str]:
    """The side roads of a layout; a ramp or a start has no form in it."""
    found = []
    for road in source.roads:
        if road.kind == "side" and road.leaves is not None:
            ends = [f"{row}{LANE_LETTERS[lane - 1]}" for row, lane in (road.leaves, road.back)]
            found.append(f"{ends[0]}>{road.spaces}>{ends[1]}")
    return found


def _part(section: Section, rows: int, lanes: int, angles: bool, whole: bool) -> str:
    """A section, or a piece of one up to a barrier."""
    straight = section.kind == "straight" or section.counter == "straight" and not angles
    part = ("S" if straight else section.turn[:1].upper()) + str(rows)
    part += f"x{section.lanes}" if section.lanes and section.lanes != lanes else ""
    part += f"v{section.limits[0]}" if section.limits else ""
    part += f"*{section.upgrades}" if section.upgrades and whole else ""
    return part + (f"@{section.angle}" if angles and section.angle and whole else "")
