"""Where seasons are stored: one SQLite file in the data folder, intact after a power cut, readable after years.

    with opened() as kept:
        kept.begin(season)                 a new season
        kept.season(id)                    a Season with the results of its races
        kept.take(season, race)            counts a race, all or nothing
        kept.rename(season, "Summer")      and kept.remove(season), with all its races

The file states its format (``user_version``); an older one is upgraded in one step, a newer one refused.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridglow import paths
from shared_rules.errors import BadSave, GridglowError
from shared_rules.season import Season

FILE = "seasons.db"
MEMORY = ":memory:"  # no file at all
#: Distinguishes our file from any other SQLite database: "GGsn".
APPLICATION = 0x4747736E
#: The steps from format n to format n + 1.
MIGRATIONS = (
    """
    CREATE TABLE season (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, head TEXT NOT NULL, begun TEXT NOT NULL
    ) STRICT;
    CREATE TABLE race (
        season TEXT NOT NULL REFERENCES season (id), number INTEGER NOT NULL, content TEXT NOT NULL UNIQUE,
        laps INTEGER NOT NULL, answers INTEGER NOT NULL, cars TEXT NOT NULL, standings TEXT NOT NULL, digest TEXT NOT NULL,
        journal TEXT NOT NULL, added TEXT NOT NULL, PRIMARY KEY (season, number)
    ) STRICT;
    """,
)
#: How long another gridglow may hold the file.
WAIT_S = 10.0


@dataclass(frozen=True)
class KeptRace:
    """A counted race. ``content`` identifies its journal, ``added`` is the day it was added (ISO)."""

    number: int
    content: str
    laps: int
    answers: int
    cars: list[list]
    standings: list[list[int]]
    digest: str
    journal: str
    added: str


@dataclass(frozen=True)
class KeptSeason:
    """A season with its races, and the day it began (ISO)."""

    season: Season
    begun: str
    races: list[KeptRace]


class Database:
    """An open file of seasons."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def all(self) -> list[KeptSeason]:
        """Every season, latest first."""
        rows = self._db.execute("SELECT head, begun FROM season ORDER BY begun DESC, rowid DESC").fetchall()
        return [self._kept(head, begun) for head, begun in rows]

    def find(self, word: str) -> KeptSeason | None:
        """The season of this name or id, or None."""
        row = self._db.execute("SELECT head, begun FROM season WHERE name = ? OR id = ?", (word, word.lower())).fetchone()
        return self._kept(*row) if row else None

    def begin(self, season: Season, day: str) -> None:
        """Stores a new season. Raises GridglowError if its name or id is taken."""
        self._write("INSERT INTO season (name, head, id, begun) VALUES (?, ?, ?, ?)", season, day)

    def rename(self, season: Season, name: str) -> None:
        """Renames a season, here and in the object. Raises GridglowError if another has the name."""
        old, season.name = season.name, name
        try:
            self._write("UPDATE season SET name = ?, head = ? WHERE id = ?", season)
        except GridglowError:
            season.name = old
            raise

    def remove(self, season: Season) -> None:
        """Deletes a season and all its races, with their journals."""
        self._db.execute("DELETE FROM race WHERE season = ?", (season.id,))
        self._db.execute("DELETE FROM season WHERE id = ?", (season.id,))

    def _write(self, statement: str, season: Season, *more: str) -> None:
        """Writes a season's head, which holds nothing about its races."""
        head = {key: value for key, value in season.plain().items() if key not in ("cars", "results")}
        try:
            self._db.execute(statement, (season.name, json.dumps(head, ensure_ascii=False), season.id, *more))
        except sqlite3.IntegrityError:
            raise GridglowError(f"There already is a season {season.name!r}; choose another name.") from None

    def where(self, content: str) -> tuple[str, int] | None:
        """(name of the season, number) of the race with this content, or None."""
        return self._db.execute("SELECT season.name, race.number FROM race JOIN season ON season.id = race.season "
                                "WHERE race.content = ?", (content,)).fetchone()

    def take(self, season: Season, race: KeptRace) -> None:
        """Stores a counted race; the season already has its result."""
        self._db.execute(
            "INSERT INTO race VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (season.id, race.number, race.content, race.laps, race.answers, json.dumps(race.cars),
             json.dumps(race.standings), race.digest, race.journal, race.added))

    def _kept(self, head: str, begun: str) -> KeptSeason:
        try:
            return self._read(head, begun)
        except (ValueError, KeyError, TypeError, RecursionError, BadSave) as error:
            raise GridglowError(f"{database_file()} holds a season that can't be read ({error}); put back a copy of the "
                                "file, or use the version that wrote it.") from None

    def _read(self, head: str, begun: str) -> KeptSeason:
        plain = json.loads(head)
        rows = self._db.execute(
            "SELECT number, content, laps, answers, cars, standings, digest, journal, added FROM race WHERE season = ? "
            "ORDER BY number", (plain["id"],)).fetchall()
        races = [KeptRace(*row[:4], json.loads(row[4]), json.loads(row[5]), *row[6:]) for row in rows]
        plain["cars"] = [row[:4] for row in races[0].cars] if races else []
        plain["results"] = [[race.standings, race.digest] for race in races]
        return KeptSeason(Season.from_plain(plain), begun, races)


def database_file() -> Path:
    """The path of the database."""
    return paths.data_folder() / FILE


@contextlib.contextmanager
def opened(write: bool = False) -> Iterator[Database]:
    """The seasons; with ``write`` everything until the end is done as a whole or, after an error, not at all.

    Raises GridglowError if the file can't be used. Without ``write`` no file is made: without a file, or a
    place for one, there are no seasons.
    """
    try:
        path = database_file()
    except paths.NoHome:
        if write:
            raise
        path = Path(MEMORY)
    try:
        if write:
            path.parent.mkdir(parents=True, exist_ok=True)
        there = path.exists()
        connection = sqlite3.connect(path if there or write else MEMORY, timeout=WAIT_S, isolation_level=None)
    except (sqlite3.Error, OSError) as error:
        raise GridglowError(f"The seasons in {path} can't be opened ({error}); check the folder's permissions.") from None
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        _bring_up_to_date(connection, path)
        if write:
            connection.execute("BEGIN IMMEDIATE")
        yield Database(connection)
        if write:
            connection.execute("COMMIT")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the second: SQLite's message may hold damaged text of the file
        raise GridglowError(_said(error, path)) from None
    finally:
        connection.close()  # drops whatever wasn't committed


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Creates the tables, or upgrades those of an older format: one transaction, so a power cut leaves the old ones."""
    connection.execute("BEGIN IMMEDIATE" if _form(connection, path) != len(MIGRATIONS) else "BEGIN")
    form = _form(connection, path)
    for step in MIGRATIONS[form:]:
        for statement in step.split(";"):
            connection.execute(statement)
    if form < len(MIGRATIONS):
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute("COMMIT")


def _form(connection: sqlite3.Connection, path: Path) -> int:
    """The file's format, 0 if it's new. Raises GridglowError if it isn't ours or too new."""
    form = connection.execute("PRAGMA user_version").fetchone()[0]
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and not ours:
        raise GridglowError(f"{path} is another program's database, expected Gridglow's seasons; move it away.")
    if form > len(MIGRATIONS):
        raise GridglowError(f"{path} has format {form}, but this gridglow reads formats up to {len(MIGRATIONS)}; use the "
                            "newer gridglow that wrote it.")
    return form


def _said(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"{path} can't be read as Gridglow's seasons (its text is damaged); put back a copy of it, or move it away."
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        return f"Another gridglow is using the seasons in {path}; let it finish, and repeat the command."
    if isinstance(error, sqlite3.OperationalError) and ("readonly" in str(error) or "full" in str(error)):
        return f"The seasons in {path} can't be written ({error}); make room, or check the file's permissions."
    return f"{path} can't be read as Gridglow's seasons ({error}); put back a copy of it, or move it away."
