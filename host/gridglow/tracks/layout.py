"""The short layout notation, ``S8 L4d2 S6 R3d1 S5``: a track in one line, for vectors, tests and quick tries.

From the line on: ``Sn`` a straight of n rows; ``Lndk`` or ``Rndk`` a left or right corner of n rows and
difficulty k; ``S3cL2`` three straight rows that a Corner counter makes a left corner of difficulty 2; ``R4s``
a corner that a Straight counter makes a straight. ``u``, ``d``, ``f`` behind a section: an uphill, downhill
or Flat counter, for this section only: the next one without a letter is flat again. ``@70`` at the end wishes an
angle; without it such a track can be raced but not drawn.

``Kn``: a choke of n rows with one lane; ``Lnik``: a left corner of n rows whose inner lane has k spaces; ``+1a``: a bonus
space.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gridglow.tracks.source import MOST_ROWS, Section, TrackSource, lanes_across
from shared_rules.errors import BadTrack
from shared_rules.track import LANE_LETTERS

STRAIGHT = re.compile(r"S([0-9]+)(?:c([LR])([1-3]))?([udf])?")
CORNER = re.compile(r"([LR])([0-9]+)(?:d([1-3])|(s))([udf])?(?:@([0-9]+))?")
CHOKE = re.compile(r"K([0-9]+)")
LONG = re.compile(r"([LR])([0-9]+)i([0-9]+)(?:@([0-9]+))?")
BONUS = re.compile(r"\+([0-9]+)([a-h])")
TURNS = {"L": "left", "R": "right"}
HILLS = {"u": "up", "d": "down", "f": "flat", None: ""}


def parse_layout(
    text: str,
    lanes: int = 3,
    laps: int = 6,
    *,
    track_id: str = "layout",
    name: str = "",
    game: str = "moto_grand_prix",
    level: str = "basic",
    closed: bool = True,
) -> TrackSource:
    """The track that a layout describes. Raises BadTrack with one sentence for each part that can't be
    read."""
    problems = []
    sections = []
    marks = []
    for part in text.split():
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
        if lanes != 2 and any(section.inner for section in sections):
            problems.append("Expected 2 lanes where a corner has a shorter inner one.")
    if problems:
        raise BadTrack(" ".join(problems))
    sections = _flat_again(sections, closed)
    return TrackSource(
        track_id, name or track_id, 0, game, level, laps, (0, 0), lanes, tuple(sections), tuple(marks), closed=closed
    )


def _flat_again(sections: list[Section], closed: bool) -> list[Section]:
    """The sections with a Flat counter on each that follows a hill without a letter of its own."""
    out = []
    before = sections[-1].hill if closed else ""
    for section in sections:
        if not section.hill and before in ("up", "down"):
            section = replace(section, hill="flat")
        out.append(section)
        before = section.hill
    return out


def write_layout(source: TrackSource, angles: bool = True) -> str:
    """The layout of a track: ``parse_layout`` reads it back to the same sections."""
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
    return " ".join(parts)


def _parse_section(part: str) -> Section | str:
    """A Section, or the sentence that says why this is none."""
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
            return f"Expected S8, L4d2, R4s or S3cL2 (u, d or f behind it for a hill), found {part[:20]!r}."
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
