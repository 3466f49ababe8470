"""Track sources: the TOML that people edit, read into a TrackSource with every mistake named at once.

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
    angle = 107                    # wished, in whole degrees; only the drawing needs it
    counter = "straight"           # optional: a Straight counter; then without difficulty

    [[mark]]
    space = "12b"
    word = "oil"

A further kind of section (pit lane, choke, ramp, extra outer spaces) is a class of its own beside
``Section``, a line in ``SECTION_KINDS`` and a few in ``pack.build_graph`` and ``geometry.centre_line``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from gridglow.tomlfile import NAME_FORM, Checker, read_toml
from shared_rules.track import LANE_LETTERS

# The games that tracks may be for, with the levels of their tracks.
LEVELS = {
    "moto_grand_prix": ("basic", "standard", "expert", "pro"),
}
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
    "section",
    "mark",
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
    for the rules. ``angle`` is the wished turn in whole degrees, 0 where nobody wished one."""

    kind: str
    rows: int
    turn: str = ""
    difficulty: int = 0
    angle: int = 0
    hill: str = ""
    counter: str = ""

    @property
    def rule_kind(self) -> str:
        """What the rules see."""
        return self.counter or self.kind

    @property
    def rule_turn(self) -> str:
        """The turn that the rules see: "" on whatever counts as a straight."""
        return self.turn if self.rule_kind == "corner" else ""

    @property
    def rule_difficulty(self) -> int:
        """The difficulty that the rules see: 0 on whatever counts as a straight."""
        return self.difficulty if self.rule_kind == "corner" else 0


@dataclass(frozen=True)
class TrackSource:
    """A track as its author wrote it. ``marks`` are (row, lane, word); ``path`` the file it came from."""

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
    path: Path | None = field(default=None, compare=False)

    @property
    def rows(self) -> int:
        """All rows of the track."""
        return sum(section.rows for section in self.sections)


def read_source(path: str | Path) -> TrackSource:
    """The track in a TOML file. Raises FileProblems with every mistake in it."""
    path = Path(path)
    table, lines = read_toml(path, "track file")
    check = Checker(path, lines)
    check.known(table, (), HEAD_KEYS)
    source_id = check.take_text(table, (), "id", ID_FORM, "small letters, digits and single hyphens")
    if source_id and len(source_id) > 40:
        check.note(("id",), f"Expected at most 40 characters, found {len(source_id)}.")
    name = check.take_text(table, (), "name", NAME_FORM, "a name of 1 to 40 characters")
    number = check.take_int(table, (), "number", 1, 999)
    game = check.take_word(table, (), "game", tuple(LEVELS))
    level = _take_level(check, table, game)
    laps = check.take_int(table, (), "laps", 1, 99)
    board_cm = check.take_ints(table, (), "board_cm", 2, 10, 500)
    lanes = check.take_int(table, (), "lanes", 1, 4)
    closed = check.take(table, (), "closed", bool, True)
    reversible = check.take(table, (), "reversible", bool, False)
    sections = [
        _take_section(check, one, ("section", i), bool(closed))
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
        check.note((), "A loop needs corners, found only straights; add corners or say closed = false.")
    marks = _take_marks(check, table, rows, lanes)
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
        path,
    )


def reverse_source(source: TrackSource) -> TrackSource:
    """The same circuit driven the other way round: last section first, left and right, up and down changed
    over.

    The first row is again the one after the line; lane a is again the leftmost. Id and name say that it is reversed;
    reversed again they are those of the file.
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
        turned.append(replace(section, turn=OTHER_TURN[section.turn], hill="" if hill == before else hill))
        before = hill
    marks = tuple(
        sorted((source.rows + 1 - row, source.lanes + 1 - lane, word) for row, lane, word in source.marks)
    )
    return replace(
        source,
        id=_toggled(source.id, REVERSED_ID),
        name=_toggled(source.name, REVERSED_NAME),
        sections=tuple(turned),
        marks=marks,
    )


def _toggled(text: str, suffix: str) -> str:
    return text.removesuffix(suffix) if text.endswith(suffix) else text + suffix


def _take_level(check: Checker, table: dict, game: str | None) -> str | None:
    if game is not None:
        return check.take_word(table, (), "level", LEVELS[game])
    return check.take(table, (), "level", str)


def _take_section(check: Checker, table: dict, place: tuple, closed: bool) -> Section | None:
    before = len(check.problems)
    kind = check.take_word(table, place, "kind", SECTION_KINDS)
    rows = check.take_int(table, place, "rows", 1, 99)
    hill = check.take_word(table, place, "hill", HILLS, "")
    if kind == "corner":
        section = _take_corner(check, table, place)
    else:
        section = _take_straight(check, table, place)
    if len(check.problems) > before or section is None:
        return None
    return replace(section, rows=rows, hill=hill)


def _take_straight(check: Checker, table: dict, place: tuple) -> Section | None:
    """Also checks what it can of a section whose kind nobody can read."""
    unknown = table.get("kind") not in SECTION_KINDS
    counter = check.take_word(table, place, "counter", ("straight", "corner") if unknown else ("corner",), "")
    if counter == "corner" or unknown:
        check.known(
            table,
            place,
            ("kind", "rows", "turn", "difficulty", "hill", "counter") + (("angle",) if unknown else ()),
        )
    else:
        check.known(table, place, ("kind", "rows", "hill", "counter"))
        return Section("straight", 1)
    if unknown:
        return None
    turn = check.take_word(table, place, "turn", ("left", "right"))
    difficulty = check.take_int(table, place, "difficulty", 1, 3)
    return Section("straight", 1, turn=turn or "", difficulty=difficulty or 0, counter="corner")


def _take_corner(check: Checker, table: dict, place: tuple) -> Section:
    counter = check.take_word(table, place, "counter", ("straight",), "")
    turn = check.take_word(table, place, "turn", ("left", "right"))
    angle = check.take_int(table, place, "angle", 1, 300)
    difficulty = 0
    if counter == "straight":
        check.known(table, place, ("kind", "rows", "turn", "angle", "hill", "counter"))
    else:
        check.known(table, place, ("kind", "rows", "turn", "angle", "difficulty", "hill", "counter"))
        difficulty = check.take_int(table, place, "difficulty", 1, 3)
    return Section(
        "corner", 1, turn=turn or "", difficulty=difficulty or 0, angle=angle or 0, counter=counter or ""
    )


def _take_marks(check: Checker, table: dict, rows: int, lanes: int | None) -> list[tuple[int, int, str]]:
    marks = []
    for i, one in enumerate(check.take_tables(table, (), "mark", needed=False)):
        place = ("mark", i)
        check.known(one, place, ("space", "word"))
        space = check.take_text(one, place, "space", r"[1-9][0-9]{0,2}[a-h]", 'a space such as "12b"')
        word = check.take_text(one, place, "word", r"[a-z][a-z_]{0,19}", "a word of small letters")
        if space is None or word is None:
            continue
        mark = (int(space[:-1]), LANE_LETTERS.index(space[-1]) + 1, word)
        if rows and lanes and (mark[0] > rows or mark[1] > lanes):
            check.note(
                place + ("space",),
                f"Expected a space up to row {rows}, lane {LANE_LETTERS[lanes - 1]}, found {space}.",
            )
        elif mark in marks:
            check.note(place + ("space",), f"{space} is marked {word!r} already; take one of the two out.")
        else:
            marks.append(mark)
    return marks
