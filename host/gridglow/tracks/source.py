"""Track sources: the TOML that people edit, read into a TrackSource with every error reported at once.

A source is a head and a list of sections in driving order from the finish line on::

    id = "gp-ring"                 # a-z, 0-9 and -
    name = "GP Ring"
    number = 2                     # in the rulebook; the menu sorts by it
    game = "moto_grand_prix"
    level = "basic"
    laps = 6
    board_cm = [60, 90]            # the board that the drawing must fit
    lanes = 3
    closed = true                  # false: a road with an end
    reversible = false             # true: may be driven the other way round

    [[section]]
    kind = "straight"              # or "corner"
    rows = 8
    hill = "up"                    # optional counter: up, down or flat
    counter = "corner"             # optional: a Corner counter; then with turn and difficulty

    [[section]]
    kind = "corner"
    turn = "left"                  # or "right"
    rows = 4
    difficulty = 2                 # 1 to 3
    angle = 107                    # requested, in whole degrees; only the drawing needs it
    counter = "straight"           # optional: a Straight counter; then without difficulty
    inner = 2                      # optional: the inner of two lanes has fewer, longer spaces than rows
    limit = 5                      # optional: the number on its spaces; [4, 5, 6] for each lane from the left
    upgrades = 2                   # optional: the red number beside it

    [[section]]
    kind = "straight"
    rows = 1
    lanes = 1                      # optional: narrower than the road: in its middle, with a start card at its left edge

    [[mark]]
    space = "12b"
    word = "oil"
    sign = "+2"                    # optional: what drawings print on the space

``roads.py`` covers what is beside the rows (side roads, ramps, a start) and how spaces are painted, ``course.py`` start
cards and barriers. A new
kind of section needs a class of its own beside ``Section``, a line in ``SECTION_KINDS`` and a few in
``pack.build_graph`` and ``geometry.centre_line``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from gridglow.tomlfile import NAME_FORM, Checker, read_toml
from gridglow.tracks.box import take_cards, take_die
from gridglow.tracks.course import (
    lane_ends,
    start_rows,
    start_spaces,
    take_barriers,
    take_limits,
    take_overpasses,
)
from gridglow.tracks.levels import abouts, levels_of, needs_difficulty, start_card
from gridglow.tracks.roads import Road, take_colours, take_paints, take_roads
from shared_rules.track import LANE_LETTERS

HEAD_KEYS = (
    "id",
    "name",
    "number",
    "game",
    "level",
    "laps",
    "board_cm",
    "lanes",
    "closed",
    "reversible",
    "colours",
    "die",
    "section",
    "road",
    "paint",
    "card",
    "mark",
    "barrier",
    "overpass",
)
SECTION_KINDS = ("straight", "corner")
HILLS = ("up", "down", "flat")
OTHER_TURN = {"left": "right", "right": "left", "": ""}
OTHER_HILL = {"up": "down", "down": "up", "flat": "flat"}
REVERSED_ID = "-reversed"
REVERSED_NAME = " (reversed)"
MOST_ROWS = 400
ID_FORM = r"[a-z0-9]+(-[a-z0-9]+)*"


@dataclass(frozen=True)
class Section:
    """A stretch of the road. ``kind`` is the tile's shape; ``counter`` "straight" or "corner" overrules it
    for the rules. ``angle`` is the requested turn in whole degrees, 0 if none was requested. ``lanes`` is 0 if the
    section is as wide as the road, ``inner`` the spaces of the inner lane if fewer than the rows, else 0.
    ``limits`` are the numbers on its spaces, one for all lanes or one for each, () if there are none; ``upgrades`` the
    red number beside it."""

    kind: str
    rows: int
    turn: str = ""
    difficulty: int = 0
    angle: int = 0
    hill: str = ""
    counter: str = ""
    lanes: int = 0
    inner: int = 0
    limits: tuple[int, ...] = ()
    upgrades: int = 0

    @property
    def rule_kind(self) -> str:
        """What the rules see."""
        return self.counter or self.kind

    @property
    def rule_turn(self) -> str:
        """The turn that the rules see: "" on anything that counts as a straight."""
        return self.turn if self.rule_kind == "corner" else ""

    @property
    def rule_difficulty(self) -> int:
        """The difficulty that the rules see: 0 on anything that counts as a straight."""
        return self.difficulty if self.rule_kind == "corner" else 0


@dataclass(frozen=True)
class TrackSource:
    """A track as its author wrote it. ``marks`` are (row, lane, word), ``signs`` (row, lane, what is printed there);
    ``roads``, ``colours`` and ``paints`` are those
    of ``roads.py``, ``die`` and ``cards`` those of ``box.py``, ``barriers`` those of ``course.py``, ``limits``
    ((row, lane), number) of single spaces of corners, ``overpasses`` the rows behind which another road crosses above this
    one; ``path`` the file it came from."""

    id: str
    name: str
    number: int
    game: str
    level: str
    laps: int
    board_cm: tuple[int, int]
    lanes: int
    sections: tuple[Section, ...]
    marks: tuple[tuple[int, int, str], ...] = ()
    closed: bool = True
    reversible: bool = False
    signs: tuple[tuple[int, int, str], ...] = ()
    roads: tuple[Road, ...] = ()
    colours: tuple[tuple[str, ...], ...] = ()
    paints: tuple[tuple[tuple[int, int], tuple[str, ...]], ...] = ()
    die: tuple[str, ...] = ()
    cards: tuple[tuple[int, str], ...] = ()
    barriers: tuple[tuple[int, int], ...] = ()
    limits: tuple[tuple[tuple[int, int], int], ...] = ()
    overpasses: tuple[int, ...] = ()
    path: Path | None = field(default=None, compare=False)

    @property
    def rows(self) -> int:
        """The number of rows of the track."""
        return sum(section.rows for section in self.sections)

    @property
    def start_rows(self) -> int:
        """The number of rows of its start card, 0 if cars don't start from one."""
        return start_rows(self.game, lanes_across(self.sections[:1], self.lanes)[0][1])

    @property
    def left_aligned(self) -> bool:
        """Whether narrow stretches are at the left edge of the road: its right lanes end and begin."""
        return start_card(self.game) > 0

    def row_lanes(self) -> list[tuple[int, int]]:
        """(leftmost lane, number of lanes) of every row."""
        return lanes_across(self.sections, self.lanes)


def lanes_across(sections: Iterable[Section], lanes: int) -> list[tuple[int, int]]:
    """(leftmost lane, number of lanes) of every row of these sections. The spaces of a shorter inner lane belong to the
    first rows of their turn."""
    found = []
    for section in sections:
        if not section.inner:
            found += [(1, section.lanes or lanes)] * section.rows
            continue
        outer = 2 if section.turn == "left" else 1
        found += [(1, 2)] * section.inner + [(outer, 1)] * (section.rows - section.inner)
    return found


def read_source(path: str | Path) -> TrackSource:
    """The track in a TOML file. Raises FileProblems with every error in it."""
    path = Path(path)
    table, lines = read_toml(path, "track file")
    check = Checker(path, lines)
    check.known(table, (), HEAD_KEYS)
    source_id = check.take_text(table, (), "id", ID_FORM, "small letters, digits and single hyphens")
    if source_id and len(source_id) > 40:
        check.note(("id",), f"Expected at most 40 characters, found {len(source_id)}.")
    name = check.take_text(table, (), "name", NAME_FORM, "a name of 1 to 40 characters")
    number = check.take_int(table, (), "number", 1, 999)
    game = check.take_word(table, (), "game", tuple(abouts()))
    level = _take_level(check, table, game)
    laps = check.take_int(table, (), "laps", 1, 99)
    board_cm = check.take_ints(table, (), "board_cm", 2, 10, 500)
    lanes = check.take_int(table, (), "lanes", 1, 4)
    closed = check.take(table, (), "closed", bool, True)
    reversible = check.take(table, (), "reversible", bool, False)
    sections = [
        _take_section(check, one, ("section", i), game, lanes)
        for i, one in enumerate(check.take_tables(table, (), "section", needed=True))
    ]
    whole = None not in sections
    rows = sum(section.rows for section in sections) if whole else 0
    if whole and sections and not 4 <= rows <= MOST_ROWS:
        check.note(
            ("section", len(sections) - 1),
            f"Expected 4 to {MOST_ROWS} rows in all sections together, found {rows}.",
        )
    if whole and sections and closed and all(section.kind == "straight" for section in sections):
        check.note((), "A loop needs corners, found only straights; add corners or set closed = false.")
    start = start_spaces(game, lanes_across(sections[:1], lanes)[0][1]) if whole and sections and lanes else []
    for i, say in lane_ends(sections, lanes, closed is not False) if start else []:
        check.note(("section", i, "lanes"), say)
    across = lanes_across(sections, lanes) if whole and lanes else []
    roads = take_roads(check, table, across, lanes, set(start))
    colours = take_colours(check, table, (), "colours")
    paints = take_paints(check, table, across, lanes)
    die = take_die(check, table, game)
    cards = take_cards(check, table, game)
    barriers = take_barriers(check, table, rows, closed)
    overpasses = take_overpasses(check, table, rows)
    if reversible and (roads or colours or paints or start_card(game)):
        check.note(("reversible",), "A track with roads, colours or a start card can be driven one way only; remove "
                   "reversible.")
    marks, signs = _take_marks(check, table, across, lanes)
    check.finish()
    return TrackSource(
        source_id,
        name,
        number,
        game,
        level,
        laps,
        tuple(board_cm),
        lanes,
        tuple(sections),
        tuple(marks),
        closed,
        reversible,
        tuple(signs),
        tuple(roads),
        tuple(colours),
        tuple(paints),
        tuple(die),
        tuple(cards),
        tuple(barriers),
        overpasses=tuple(overpasses),
        path=path,
    )


def reverse_source(source: TrackSource) -> TrackSource:
    """The same circuit driven the other way round: last section first, left and right, up and down
    swapped.

    The first row is again the one after the line; lane a is again the leftmost. Id and name say that it is reversed;
    reversing it again restores those of the file.
    """
    slopes = {}
    slope = "flat"
    for _ in range(2 if source.closed else 1):
        for i, section in enumerate(source.sections):
            slope = section.hill or slope
            slopes[i] = slope
    turned = []
    before = OTHER_HILL[slopes[0]] if source.closed and len(set(slopes.values())) > 1 else "flat"
    for i, section in reversed(list(enumerate(source.sections))):
        hill = OTHER_HILL[slopes[i]]
        turned.append(replace(section, turn=OTHER_TURN[section.turn], hill="" if hill == before else hill,
                              limits=section.limits[::-1]))
        before = hill
    return replace(
        source,
        id=_toggled(source.id, REVERSED_ID),
        name=_toggled(source.name, REVERSED_NAME),
        sections=tuple(turned),
        marks=_turned(source, source.marks),
        signs=_turned(source, source.signs),
    )


def _turned(source: TrackSource, marks: tuple) -> tuple:
    """Marks or signs in the rows and lanes of the reversed track. Each lane of a section is reversed by itself, as the
    spaces of a shorter inner lane belong to the first rows of their turn whichever way it is driven."""
    found = []
    across = source.row_lanes()
    last = 0
    for section in source.sections:
        first, last = last + 1, last + section.rows
        lanes: dict[int, list[int]] = {}
        for row in range(first, last + 1):
            low, count = across[row - 1]
            for lane in range(low, low + count):
                lanes.setdefault(lane, []).append(row)
        found += [(source.rows + 1 - last + lanes[lane][-1] - row, max(lanes) + 1 - lane, word)
                  for row, lane, word in marks if first <= row <= last]
    return tuple(sorted(found))


def _toggled(text: str, suffix: str) -> str:
    return text.removesuffix(suffix) if text.endswith(suffix) else text + suffix


def _take_level(check: Checker, table: dict, game: str | None) -> str | None:
    if game is not None:
        return check.take_word(table, (), "level", levels_of(abouts()[game]))
    return check.take(table, (), "level", str)


def _take_section(check: Checker, table: dict, where: tuple, game: str | None, lanes: int | None) -> Section | None:
    before = len(check.problems)
    kind = check.take_word(table, where, "kind", SECTION_KINDS)
    rows = check.take_int(table, where, "rows", 1, 99)
    hill = check.take_word(table, where, "hill", HILLS, "")
    narrow = check.take_int(table, where, "lanes", 1, lanes or 4, 0)
    inner = check.take_int(table, where, "inner", 1, max(1, (rows or 100) - 1), 0)
    if inner and (kind != "corner" or narrow or "counter" in table or lanes not in (None, 2)):
        check.note(where + ("inner",), "Expected inner only in a corner of a road with 2 lanes, without lanes or a counter "
                   "of its own.")
    if kind == "corner":
        section = _take_corner(check, table, where, needs_difficulty(game))
    else:
        section = _take_straight(check, table, where)
    limits = take_limits(check, table, where, narrow or lanes)
    upgrades = check.take_int(table, where, "upgrades", 0, 9, 0)
    if len(check.problems) > before or section is None:
        return None
    return replace(section, rows=rows, hill=hill, lanes=0 if narrow == lanes else narrow, inner=inner, limits=limits,
                   upgrades=upgrades)


def _take_straight(check: Checker, table: dict, where: tuple) -> Section | None:
    """Also checks as much as possible of a section whose kind is unreadable."""
    unknown = table.get("kind") not in SECTION_KINDS
    counter = check.take_word(table, where, "counter", ("straight", "corner") if unknown else ("corner",), "")
    if counter == "corner" or unknown:
        check.known(
            table,
            where,
            ("kind", "rows", "turn", "difficulty", "hill", "counter", "lanes", "upgrades")
            + (("angle", "inner", "limit") if unknown else ()),
        )
    else:
        check.known(table, where, ("kind", "rows", "hill", "counter", "lanes", "inner", "upgrades"))
        return Section("straight", 1)
    if unknown:
        return None
    turn = check.take_word(table, where, "turn", ("left", "right"))
    difficulty = check.take_int(table, where, "difficulty", 1, 3)
    return Section("straight", 1, turn=turn or "", difficulty=difficulty or 0, counter="corner")


def _take_corner(check: Checker, table: dict, where: tuple, difficult: bool) -> Section:
    counter = check.take_word(table, where, "counter", ("straight",), "")
    turn = check.take_word(table, where, "turn", ("left", "right"))
    angle = check.take_int(table, where, "angle", 1, 300)
    difficulty = 0
    keys = ("kind", "rows", "turn", "angle", "hill", "counter", "lanes", "inner", "limit", "upgrades")
    if counter == "straight":
        check.known(table, where, keys)
    else:
        check.known(table, where, keys + ("difficulty",))
        difficulty = check.take_int(table, where, "difficulty", 1, 3, *(() if difficult else (0,)))
    return Section(
        "corner", 1, turn=turn or "", difficulty=difficulty or 0, angle=angle or 0, counter=counter or ""
    )


def _take_marks(check: Checker, table: dict, across: list[tuple[int, int]], lanes: int | None) -> tuple[list, list]:
    """(marks, signs), both as in TrackSource."""
    marks: list[tuple[int, int, str]] = []
    signs: list[tuple[int, int, str]] = []
    for i, one in enumerate(check.take_tables(table, (), "mark", needed=False)):
        where = ("mark", i)
        check.known(one, where, ("space", "word", "sign"))
        space = check.take_text(one, where, "space", r"[1-9][0-9]{0,2}[a-h]", 'a space such as "12b"')
        word = check.take_text(one, where, "word", r"[a-z][a-z_]{0,19}", "a word of small letters")
        sign = check.take(one, where, "sign", str, "")
        if sign and not re.fullmatch(r"[!-~]{1,3}", sign):
            check.note(where + ("sign",), f"Expected 1 to 3 letters or digits, found {sign!r}.")
        if space is None or word is None:
            continue
        row, lane = int(space[:-1]), LANE_LETTERS.index(space[-1]) + 1
        if across and lanes and (row > len(across) or lane > lanes):
            check.note(
                where + ("space",),
                f"Expected a space up to row {len(across)}, lane {LANE_LETTERS[lanes - 1]}, found {space}.",
            )
        elif across and not 0 <= lane - across[row - 1][0] < across[row - 1][1]:
            check.note(where + ("space",), f"Row {row} is narrower and has no space {space}; name one that it has.")
        elif (row, lane, word) in marks:
            check.note(where + ("space",), f"{space} is already marked {word!r}; remove one of the two.")
        else:
            marks.append((row, lane, word))
            if sign:
                signs.append((row, lane, sign))
    return marks, signs
