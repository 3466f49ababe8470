"""Spec files: the clauses of a game and the vectors that prove them, read from TOML (shared_rules/spec/FORMAT.md).

``read_spec(path)`` checks a file and lists every error in it; ``load_games`` combines a game's packaged spec
with further vector files; ``job_vector`` makes what the interpreters run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gridglow import paths
from gridglow.tomlfile import Checker, FileProblems, Problem, describe, nearest, read_toml
from gridglow.tracks import compile_layout, load_track, pack_source
from shared_rules import games
from shared_rules.errors import BadTrack, GridglowError
from shared_rules.track import LANE_LETTERS

if TYPE_CHECKING:
    from gridglow.tracks.source import TrackSource

CLAUSE_KEYS = ("id", "text", "kind", "reason")
VECTOR_KEYS = ("id", "clauses", "source", "about", "variant", "track", "board", "layout", "lanes", "laps", "seats",
               "options", "dice", "decks", "seed", "names", "refused", "arrange", "heaviest", "steps")
#: The parts of a track's board that a vector may change.
BOARD_KEYS = ("without", "paint", "die", "cards")
# The keys of a step, and the types of their values.
STEP_KEYS = {"do": str, "refuse": str, "clause": str, "seat": int, "options": list, "offers": list, "lacks": list,
             "near": str, "prompt": str, "look": dict, "scene": list, "over": bool, "standings": list}
#: What interpreters get in another form, or not at all.
NOT_AS_IT_IS = ("about", "source", "clauses", "board", "heaviest", "steps", "options")
CHECKS = tuple(key for key in STEP_KEYS if key not in ("clause", "seat"))
KINDS = ("rule", "table")
MOST_TABLE_CLAUSES = 8
ANSWER = re.compile(r"[0-9] \S.*")
#: The forms of a card and of paint on a board.
BOARD_FORMS = {"cards": (re.compile(r"[1-9][0-9]? \S+"), "3 ahead-2"),
               "paint": (re.compile(r"[1-9][0-9]{0,2}[a-h] \S+"), "81a black/gold")}


@dataclass(frozen=True)
class Clause:
    """A clause of a rulebook; ``kind`` is "table" if no program can decide it."""

    id: str
    kind: str
    file: str
    line: int


@dataclass(frozen=True)
class Vector:
    """A vector as in its file: ``table`` is the TOML table, ``where`` its file and line."""

    id: str
    game: str
    table: dict
    file: str
    line: int

    @property
    def clauses(self) -> list[str]:
        """The ids of the clauses that it proves."""
        return self.table.get("clauses", [])

    @property
    def where(self) -> str:
        """``file:line``, for messages."""
        return f"{self.file}:{self.line}"


@dataclass
class SpecFile:
    """One file."""

    game: str
    clauses: list[Clause]
    vectors: list[Vector]


@dataclass
class GameSpec:
    """All specs of a game: its packaged spec and further files. ``problems`` are sentences about the whole
    (a clause without a vector, an id twice, an unknown clause)."""

    game: str
    clauses: dict[str, Clause] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def covered(self) -> int:
        """How many rule clauses have a vector."""
        proven = {clause for vector in self.vectors.values() for clause in vector.clauses}
        return sum(clause.kind == "rule" and clause.id in proven for clause in self.clauses.values())

    @property
    def table(self) -> int:
        """How many clauses no program can decide."""
        return sum(clause.kind == "table" for clause in self.clauses.values())


def load_games(names: list[str] | None = None, more: Path | None = None) -> dict[str, GameSpec]:
    """The specs of these games (None: all), with the vectors of every ``*.toml`` in the folder ``more``.

    Raises FileProblems with all errors in the files, GridglowError for a missing folder or an unknown game.
    """
    for name in names or ():
        if name not in games.NAMES:
            raise GridglowError(f"There is no game {name!r}{nearest(name, games.NAMES)}")
    wanted = list(names or games.NAMES)
    specs = {name: GameSpec(name) for name in wanted}
    wrong: list[Problem] = []
    files = [(paths.spec_folder() / f"{name}.toml", True) for name in wanted]
    files += [(path, False) for path in vector_files(more)] if more is not None else []
    for path, packaged in files:
        try:
            spec = read_spec(path, packaged)
        except FileProblems as error:
            wrong += error.problems
            continue
        if spec.game in specs:
            _add(specs[spec.game], spec)
    if wrong:
        raise FileProblems(wrong)
    for spec in specs.values():
        _judge(spec)
    return specs


def vector_files(folder: Path) -> list[Path]:
    """The spec files in a folder, sorted. Raises GridglowError if there is no folder, or no file in it."""
    if not folder.is_dir():
        what = "is a file; name its folder" if folder.exists() else "doesn't exist; check the spelling"
        raise GridglowError(f"Expected a folder with vector files, {folder} {what}.")
    found = sorted(folder.glob("*.toml"))
    if not found:
        raise GridglowError(f"Expected vector files (*.toml) in {folder}, found none; shared_rules/spec/FORMAT.md "
                            "describes them.")
    return found


def _add(spec: GameSpec, file: SpecFile) -> None:
    """Adds each vector once, even if its file is named twice; known clauses stay."""
    for clause in file.clauses:
        spec.clauses.setdefault(clause.id, clause)
    for vector in file.vectors:
        other = spec.vectors.setdefault(vector.id, vector)
        if other.table != vector.table:
            spec.problems.append(f"{vector.where}: The id {vector.id!r} already belongs to the vector at {other.where}; "
                                 "give one of them another id.")


def _judge(spec: GameSpec) -> None:
    """Checks a spec as a whole."""
    proven: set[str] = set()
    for vector in spec.vectors.values():
        for clause in vector.clauses:
            if clause not in spec.clauses:
                spec.problems.append(f"{vector.where}: {vector.id}: There is no clause {clause!r}"
                                     f"{nearest(clause, tuple(spec.clauses))}")
        proven.update(vector.clauses)
    for clause in spec.clauses.values():
        if clause.kind == "rule" and clause.id not in proven:
            spec.problems.append(f"{clause.file}:{clause.line}: The clause {clause.id} has no vector; write one, or give "
                                 "it kind = \"table\" with the reason why no program can decide it.")
    if spec.table > MOST_TABLE_CLAUSES:
        spec.problems.append(f"{spec.game}: Expected at most {MOST_TABLE_CLAUSES} clauses of kind \"table\", found "
                             f"{spec.table}; prove some of them with vectors.")
    if len(spec.vectors) < len(spec.clauses):
        spec.problems.append(f"{spec.game}: Expected at least as many vectors as clauses, found {len(spec.vectors)} "
                             f"vectors for {len(spec.clauses)} clauses.")


# One file

def read_spec(path: Path, packaged: bool = False) -> SpecFile:
    """The clauses and vectors of a file. Raises FileProblems with every error in it, with file, line and
    key. A ``packaged`` spec must have clauses, and its vectors must say what they prove."""
    table, lines = read_toml(path, "spec file")
    check = Checker(path, lines)
    check.known(table, (), ("game", "clause", "vector"))
    game = check.take_word(table, (), "game", games.NAMES)
    clauses = []
    for i, one in enumerate(check.take_tables(table, (), "clause", needed=packaged)):
        _take_clause(check, one, ("clause", i), clauses)
    vectors: list[Vector] = []
    for i, one in enumerate(check.take_tables(table, (), "vector", needed=True)):
        _take_vector(check, one, ("vector", i), game, vectors, packaged)
    check.finish()
    return SpecFile(game, clauses, vectors)


def _take_clause(check: Checker, table: dict, where: tuple, found: list[Clause]) -> None:
    check.known(table, where, CLAUSE_KEYS)
    clause_id = check.take_text(table, where, "id", r"\S{1,40}", "an id such as \"MG-13\"")
    check.take_text(table, where, "text", r"(?s).*\S.*", "the clause in our own words")
    kind = check.take_word(table, where, "kind", KINDS)
    if kind == "table" and not str(table.get("reason", "")).strip():
        check.note(where + ("reason",), "Expected the reason why no program can decide this clause; add it.")
    elif kind == "rule" and "reason" in table:
        check.note(where + ("reason",), "Only a clause of kind \"table\" has a reason; remove one of the two.")
    if clause_id in [other.id for other in found]:
        check.note(where + ("id",), f"There already is a clause {clause_id!r}; give one of them another id.")
    elif clause_id and kind:
        found.append(Clause(clause_id, kind, check.file, check.line(where)))


def _take_vector(check: Checker, table: dict, where: tuple, game: str | None, found: list[Vector],
                 packaged: bool) -> None:
    before = len(check.problems)
    check.known(table, where, VECTOR_KEYS)
    vector_id = check.take_text(table, where, "id", r"\S(.{0,78}\S)?", "an id of 1 to 80 characters")
    clauses = check.take(table, where, "clauses", list, ... if packaged else [])
    if clauses is not None:
        _texts(check, where + ("clauses",), clauses)
        if packaged and not clauses:
            check.note(where + ("clauses",), "Expected the clauses that it proves, found none.")
    for key in ("source", "about"):
        check.take(table, where, key, str, "")
    _take_setup(check, table, where, game)
    refused = check.take(table, where, "refused", str, "")
    steps = check.take(table, where, "steps", list, [] if refused else ...)
    if refused and steps:
        check.note(where + ("steps",), "Expected no steps with a refused set-up; remove refused or the steps.")
    elif steps == [] and not refused:
        check.note(where + ("steps",), "Expected at least one step, found none.")
    for i, step in enumerate(steps or ()):
        _take_step(check, step, where + ("steps", i))
    if vector_id in [other.id for other in found]:
        check.note(where + ("id",), f"There already is a vector {vector_id!r}; give one of them another id.")
    elif len(check.problems) == before and game:
        found.append(Vector(vector_id, game, table, check.file, check.line(where)))


def _take_setup(check: Checker, table: dict, where: tuple, game: str | None) -> None:
    """What a vector says about the race: where, who, with what."""
    if game:
        rules = games.load(game)
        check.take_word(table, where, "variant", rules.VARIANTS, rules.VARIANTS[0])
    if ("track" in table) == ("layout" in table):
        check.note(where + ("track",), "Expected either the id of a track or a layout, found "
                   + ("both." if "track" in table else "neither."))
    check.take(table, where, "track", str, "")
    check.take(table, where, "layout", str, "")
    if "lanes" in table and "layout" not in table:
        check.note(where + ("lanes",), "Only a layout has its own lanes; a track already defines them.")
    _take_board(check, table, where)
    check.take_int(table, where, "lanes", 1, 4, 3)
    check.take_int(table, where, "laps", 1, 99, 6)
    check.take_int(table, where, "seats", 1, 6, 2)
    for key in ("dice", "decks"):
        check.take_word(table, where, key, ("device", "table"), "table")
    check.take(table, where, "seed", str, "")
    _texts(check, where + ("names",), check.take(table, where, "names", list, []) or [])
    for key, value in (check.take(table, where, "options", dict, {}) or {}).items():
        if not isinstance(value, str):
            check.note(where + ("options", key), f"Expected the value as text in quotes, found {describe(value)}.")
    check.take(table, where, "arrange", dict, {})
    check.take(table, where, "heaviest", bool, False)


def _take_board(check: Checker, table: dict, where: tuple) -> None:
    """The changes that a vector makes to its track's board."""
    board = check.take(table, where, "board", dict, {}) or {}
    where += ("board",)
    check.known(board, where, BOARD_KEYS)
    if board and "track" not in table:
        check.note(where, "Only a track's board can be changed; remove board, or name a track.")
    for key in BOARD_KEYS:
        _texts(check, where + (key,), check.take(board, where, key, list, []) or [])
    for key, (form, example) in BOARD_FORMS.items():
        for text in board.get(key, ()):
            if isinstance(text, str) and not form.fullmatch(text):
                check.note(where + (key,), f"Expected texts such as {example!r}, found {text!r}.")


def _take_step(check: Checker, step, where: tuple) -> None:
    if not isinstance(step, dict):
        check.note(where, f"Expected a step such as {{ do = \"1 roll 1 5\" }}, found {describe(step)}.")
        return
    check.known(step, where, tuple(STEP_KEYS))
    for key, kind in STEP_KEYS.items():
        value = check.take(step, where, key, kind, None)
        if isinstance(value, list):
            _texts(check, where + (key,), value)
        if key in ("do", "refuse") and value is not None and not ANSWER.fullmatch(value):
            check.note(where + (key,), f"Expected a seat and its answer such as \"1 roll 1 5\", found {describe(value)}.")
        if key == "look":
            for name, text in (value or {}).items():
                if not isinstance(text, str):
                    check.note(where + (key, name), f"Expected its value as text in quotes, found {describe(text)}.")
    if not any(key in step for key in CHECKS):
        check.note(where, f"Expected one of {', '.join(CHECKS)} in a step, found none.")
    if "clause" in step and "refuse" not in step and "near" not in step:
        check.note(where + ("clause",), "Only a step with refuse or near has a clause.")


def _texts(check: Checker, where: tuple, values: list) -> None:
    for value in values:
        if not isinstance(value, str):
            check.note(where, f"Expected a list of texts in quotes, found {describe(value)} in it.")
            return


# What the interpreters get

def job_vector(vector: Vector) -> dict:
    """The vector for ``shared_rules.proof.run_vector``: tables whose order could matter become lists of pairs."""
    table = vector.table
    plain = {key: value for key, value in table.items() if key not in NOT_AS_IT_IS}
    plain["game"] = vector.game
    plain["options"] = [[key, value] for key, value in table.get("options", {}).items()]
    plain["steps"] = [_job_step(step) for step in table.get("steps", ())]
    return plain


def _job_step(step: dict) -> dict | str:
    """A step; one that only gives an answer becomes its text, as tables are large in a small heap."""
    if list(step) == ["do"]:
        return step["do"]
    return {**step, "look": [[key, value] for key, value in step["look"].items()]} if "look" in step else step


def vector_pack(vector: Vector) -> bytes:
    """The pack of a vector's track. Raises FileProblems that names the key."""
    table = vector.table
    try:
        if "layout" in table:
            variant = table.get("variant") or games.load(vector.game).VARIANTS[0]
            return compile_layout(table["layout"], table.get("lanes", 3), table.get("laps", 6), game=vector.game,
                                  level=variant)
        track = load_track(table["track"], vector.game)
        return pack_source(_changed(track.source, table["board"])) if "board" in table else track.pack
    except BadTrack as error:
        key = "layout" if "layout" in table else "track"
        raise FileProblems([Problem(vector.file, vector.line, f"{vector.id} {key}", str(error))]) from None


def _changed(source: TrackSource, board: dict) -> TrackSource:
    """A track with the board as a vector changes it."""
    cards = [card.split(" ") for card in board.get("cards", ())]
    paints = [text.split(" ") for text in board.get("paint", ())]
    return replace(
        source,
        roads=tuple(road for road in source.roads if road.kind not in board.get("without", ())),
        paints=source.paints + tuple(((int(space[:-1]), LANE_LETTERS.index(space[-1]) + 1), tuple(colour.split("/")))
                                     for space, colour in paints),
        die=tuple(board.get("die", source.die)),
        cards=tuple((int(count), word) for count, word in cards) or source.cards,
    )
