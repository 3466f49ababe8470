"""What the page gets from the seasons: the next race of each one under way, and whether the podium's race can count.

The page's server gets an ``Offers`` and knows nothing else of seasons. Every call may take seconds: use a thread.
"""

from __future__ import annotations

from gridglow.boards.boardfile import Board
from gridglow.seasons import adding
from gridglow.seasons.beginning import next_start
from gridglow.seasons.database import KeptSeason, opened
from gridglow.seasons.tables import LANGUAGES, Tables, Words
from shared_rules.errors import GridglowError
from shared_rules.journal_file import Journal

ON = ["cpython"]


class Offers:
    """The seasons of the data folder, for a page with the races of ``board``."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board

    def due(self, language: str = "en") -> list[dict]:
        """The seasons under way, latest first. Raises GridglowError if their file can't be read.

        Each has ``name``, ``round`` of ``races``, ``setup`` (a set-up without dice, decks and seed), ``laps``, ``grid``
        (who starts where, in words; [] if the game finds its own order), and ``problem``, a sentence if this
        board can't race it.
        """
        with opened() as database:
            every = database.all()
        words = Words(language if language in LANGUAGES else "en")
        return [self._row(kept, words) for kept in every if not kept.season.over]

    def _row(self, kept: KeptSeason, words: Words) -> dict:
        season = kept.season
        tables = Tables(kept, words)
        row = {"id": season.id, "name": season.called(), "round": season.round, "races": len(season.tracks),
               "track": tables.track(season.tracks[season.round - 1]), "game": tables.game, "setup": season.next_setup(),
               "laps": season.laps, "grid": [], "problem": ""}
        try:
            row["laps"] = next_start(season, self.board).setup.laps
            row["grid"] = tables.grid()
        except GridglowError as error:
            row["problem"] = str(error)
        return row

    def of(self, text: str) -> dict | None:
        """The season that a journal's race belongs to, {"name", "number", "counts"}; None if it is not stored here."""
        journal = Journal.parse(text)
        word, _, number = journal.plain.get("season", "").partition("/")
        with opened() as database:
            kept = database.find(word) if word else None
            counted = database.where(adding.identity(journal)) if kept else None
        if kept is None:
            return None
        return {"name": kept.season.called(), "number": counted[1] if counted else int(number), "counts": bool(counted)}

    def count(self, text: str) -> dict:
        """Counts a journal's race in the season that it names, once it is verified: {"name", "number"}. Raises
        GridglowError with the reason if it doesn't count."""
        journal = Journal.parse(text)
        with opened(write=True) as database:
            kept = adding.season_of(database, journal, None)
            race = adding.checked(database, kept, text, ON)
            database.take(kept.season, race)
        return {"name": kept.season.called(), "number": race.number}
