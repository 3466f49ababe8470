"""The short layout notation, ``S8 L4d2 S6 R3d1 S5``: a track in one line, for vectors, tests and quick tries.

From the line on: ``Sn`` a straight of n rows; ``Lndk`` or ``Rndk`` a left or right corner of n rows and
difficulty k; ``S3cL2`` three straight rows that a Corner counter turns into a left corner of difficulty 2; ``R4s``
a corner that a Straight counter turns into a straight. ``u``, ``d``, ``f`` after a section: an uphill, downhill
or Flat counter, for this section only: the next one without a letter is flat again. ``@70`` at the end requests an
angle; a track without angles can be raced but not drawn.

``Kn``: a choke of n rows with one lane; ``Lnik``: a left corner of n rows whose inner lane has k spaces; ``+1a``: a bonus
space; ``1a>5>6a``: a pit lane of 5 spaces from 1a to 6a, in a lane that no row has, named from the row that it leaves on.
The last three rows are then the grid. Games whose races begin on a start card have their own notation, see
``course_layout.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gridglow.tracks.course_layout import parse_course, write_course, write_side_roads
from gridglow.tracks.levels import start_card
from gridglow.tracks.roads import Road
from gridglow.tracks.source import MOST_ROWS, Section, TrackSource, lanes_across
from shared_rules import games
from shared_rules.errors import BadTrack
from shared_rules.track import LANE_LETTERS

STRAIGHT = re.compile(r"S([0-9]+)(?:c([LR])([1-3]))?([udf])?")
CORNER = re.compile(r"([LR])([0-9]+)(?:d([1-3])|(s))([udf])?(?:@([0-9]+))?")
CHOKE = re.compile(r"K([0-9]+)")
LONG = re.compile(r"([LR])([0-9]+)i([0-9]+)(?:@([0-9]+))?")
BONUS = re.compile(r"\+([0-9]+)([a-h])")
PIT = re.compile(r"([0-9]+)([ab])>([0-9]+)>([0-9]+)([ab])")
GRID_ROWS = 3
TURNS = {"L": "left", "R": "right"}
HILLS = {"u": "up", "d": "down", "f": "flat", None: ""}


def parse_layout(
    text: str,
    lanes: int = 3,
    laps: int = 6,
    *,
    track_id: str = "layout",
    name: str = "",
    game: str = games.NAMES[0],
    level: str = "basic",
    closed: bool = True,
) -> TrackSource:
    """The track that a layout describes. Raises BadTrack with one sentence per part that can't be
    read."""
    if start_card(game):
        return parse_course(text, lanes, laps, {"track_id": track_id, "name": name, "game": game, "level": level})
    problems = []
    sections = []
    marks = []
    roads = []
    for part in text.split():
        pit = PIT.fullmatch(part)
        if pit:
            roads.append(_pit_lane(pit, lanes))
            continue
        bonus = BONUS.fullmatch(part)
        if bonus:
            marks.append((int(bonus[1]), LANE_LETTERS.index(bonus[2]) + 1, "bonus"))
            continue
        section = _parse_section(part)
        if isinstance(section, str):
            problems.append(section)
        else:
            sections.append(section)
    if not text.split():
        problems.append("The layout is empty; expected sections such as S8 L4d2.")
    rows = sum(section.rows for section in sections)
    if not problems and not 2 <= rows <= MOST_ROWS:
        problems.append(f"Expected 2 to {MOST_ROWS} rows in all, the layout has {rows}.")
    if isinstance(lanes, bool) or not isinstance(lanes, int) or not 1 <= lanes <= 4:
        problems.append(f"Expected 1 to 4 lanes, found {lanes!r}.")
    if isinstance(laps, bool) or not isinstance(laps, int) or not 1 <= laps <= 99:
        problems.append(f"Expected 1 to 99 laps, found {laps!r}.")
    if not problems:
        across = lanes_across(sections, lanes)
        problems += [f"There is no space {row}{LANE_LETTERS[lane - 1]} for a bonus." for row, lane, _ in marks
                     if not 1 <= row <= rows or not 0 <= lane - across[row - 1][0] < across[row - 1][1]]
        problems += _pit_problems(roads, across)
        marks += [mark for road in roads for mark in _pit_marks(road, across)]
        if lanes != 2 and any(section.inner for section in sections):
            problems.append("Expected 2 lanes for a corner with a shorter inner one.")
    if problems:
        raise BadTrack(" ".join(problems))
    sections = _flat_again(sections, closed)
    return TrackSource(
        track_id, name or track_id, 0, game, level, laps, (0, 0), lanes, tuple(sections), tuple(marks), closed=closed,
        roads=tuple(roads),
    )


def _pit_lane(found: re.Match, lanes: int) -> Road:
    leaves, back = [(int(row), LANE_LETTERS.index(lane) + 1) for row, lane in (found.group(1, 2), found.group(4, 5))]
    turn = "left" if leaves[1] == 1 else "right"
    return Road("side", (leaves[0], lanes + 1), int(found[3]), leaves, back, turn, 0, ((),) * int(found[3]))


def _pit_problems(roads: list[Road], across: list[tuple[int, int]]) -> list[str]:
    """A sentence for each end of a pit lane that is in no row, and for a road that is too short for it."""
    there = {(row, low + i) for row, (low, count) in enumerate(across, 1) for i in range(count)}
    ends = [cell for road in roads for cell in (road.leaves, road.back) if cell is not None]
    problems = [f"There is no space {row}{LANE_LETTERS[lane - 1]} for a pit lane." for row, lane in ends
                if (row, lane) not in there]
    if any(not road.spaces or road.cells()[-1][0] > len(across) for road in roads):
        problems.append("Expected a pit lane of at least one space, with names up to the last row at most.")
    return problems


def _pit_marks(road: Road, across: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The marks of tracks with a pit lane: field A, field C, and the last rows as the grid."""
    assert road.leaves is not None  # a pit lane leaves the rows
    grid = [(row, low + i, "grid") for row, (low, count) in list(enumerate(across, 1))[-GRID_ROWS:] for i in range(count)]
    return [(*road.leaves, "pit_in"), (*road.back, "pit_out"), *grid]


def _flat_again(sections: list[Section], closed: bool) -> list[Section]:
    """The sections with a Flat counter on each one after a hill that has no letter of its own."""
    out = []
    before = sections[-1].hill if closed else ""
    for section in sections:
        if not section.hill and before in ("up", "down"):
            section = replace(section, hill="flat")
        out.append(section)
        before = section.hill
    return out


def write_layout(source: TrackSource, angles: bool = True) -> str:
    """The layout of a track: ``parse_layout`` turns it back into the same sections. What has no short form, such as a
    ramp, is left out."""
    if start_card(source.game):
        return write_course(source, angles)
    parts = []
    letters = {hill: letter or "" for letter, hill in HILLS.items()}
    for section in source.sections:
        turn = section.turn[:1].upper()
        if section.kind == "straight":
            part = f"{'K' if section.lanes == 1 else 'S'}{section.rows}"
            part += f"c{turn}{section.difficulty}" if section.counter else ""
        elif section.inner:
            part = f"{turn}{section.rows}i{section.inner}"
        else:
            part = f"{turn}{section.rows}" + ("s" if section.counter else f"d{section.difficulty}")
        part += letters[section.hill]
        if angles and section.angle:
            part += f"@{section.angle}"
        parts.append(part)
    parts += [f"+{row}{LANE_LETTERS[lane - 1]}" for row, lane, word in source.marks if word == "bonus"]
    parts += write_side_roads(source)
    return " ".join(parts)


def _parse_section(part: str) -> Section | str:
    """A Section, or a sentence saying why it is invalid."""
    straight, choke, long = STRAIGHT.fullmatch(part), CHOKE.fullmatch(part), LONG.fullmatch(part)
    if choke:
        section = Section("straight", int(choke[1]), lanes=1)
    elif long:
        section = Section("corner", int(long[2]), TURNS[long[1]], 0, int(long[4] or 0), inner=int(long[3]))
    elif straight:
        rows, turn, difficulty, hill = straight.groups()
        if turn:
            section = Section(
                "straight", int(rows), TURNS[turn], int(difficulty), counter="corner", hill=HILLS[hill]
            )
        else:
            section = Section("straight", int(rows), hill=HILLS[hill])
    else:
        corner = CORNER.fullmatch(part)
        if not corner:
            return f"Expected S8, L4d2, R4s or S3cL2 (followed by u, d or f for a hill), found {part[:20]!r}."
        turn, rows, difficulty, counter, hill, angle = corner.groups()
        section = Section(
            "corner",
            int(rows),
            TURNS[turn],
            int(difficulty or 0),
            int(angle or 0),
            HILLS[hill],
            "straight" if counter else "",
        )
    if not 1 <= section.rows <= 99 or (long and not 1 <= section.inner < section.rows) or not 0 <= section.angle <= 300:
        return f"Expected 1 to 99 rows and an angle up to 300, found {part[:20]!r}."
    return section
