"""Adding a race to a season: its journal is read, compared with what the season expects, and replayed in full.

    race = checked(database, kept, text)        a KeptRace, or GridglowError with the reason
"""

from __future__ import annotations

import hashlib
import json
from datetime import date

from gridglow.races.replays import replay
from gridglow.seasons.database import Database, KeptRace, KeptSeason
from gridglow.tracks import load_track
from shared_rules import games
from shared_rules.errors import BadSetup, GridglowError
from shared_rules.journal_file import Journal
from shared_rules.setup import Setup


class AlreadyCounted(GridglowError):
    """This very race already counts."""


def identity(journal: Journal) -> str:
    """What identifies a race, as 64 hex digits: rules, track, seed and every answer; not the file's name or line
    ends, and not the players' names."""
    plain = journal.plain
    head = [plain["game"], plain.get("variant"), journal.track, journal.track_hash, plain["laps"], plain["options"],
            plain["dice"], plain["decks"], plain.get("grid", []), plain.get("seed"), plain.get("salt"), journal.sealed]
    lines = [line.show() for line in journal.lines]
    return hashlib.sha256(json.dumps([head, lines]).encode()).hexdigest()


def season_of(database: Database, journal: Journal, word: str | None) -> KeptSeason:
    """The season that a race is for: the one named, else the one named in its journal, else the only one under way.

    Raises GridglowError if that's unclear.
    """
    if word is not None:
        return named(database, word)
    told = journal.plain.get("season", "").partition("/")[0]
    if told:
        found = database.find(told)
        if found is None:
            raise GridglowError(f"The journal belongs to the season {told}, which isn't stored here; fetch it from its "
                                "board with: gridglow season pull")
        return found
    return only_running(database)


def named(database: Database, word: str | None) -> KeptSeason:
    """The season of a name or id; by default the only one under way, else the only one at all."""
    if word is None:
        every = database.all()
        return every[0] if len(every) == 1 else only_running(database)
    found = database.find(word)
    if found is None:
        names = ", ".join(kept.season.name for kept in database.all())
        raise GridglowError(f"There is no season {word!r}; " + (f"there is {names}." if names else
                                                               "begin one with: gridglow season new NAME"))
    return found


def only_running(database: Database) -> KeptSeason:
    """The only unfinished season. Raises GridglowError if there are none or several."""
    every = database.all()
    running = [kept for kept in every if not kept.season.over]
    if len(running) == 1:
        return running[0]
    if running:
        names = ", ".join(kept.season.name for kept in running)
        raise GridglowError(f"There are {len(running)} seasons under way: {names}; choose one with --season NAME.")
    over = "; finished: " + ", ".join(kept.season.name for kept in every) if every else ""
    raise GridglowError(f"No season is under way{over}; to begin one: gridglow season new NAME")


def checked(database: Database, kept: KeptSeason, text: str, on: list[str]) -> KeptRace:
    """The race of a journal's text as the next one of the season, which gets its result. Raises GridglowError with the
    reason if it doesn't count; the season then stays as it was."""
    season = kept.season
    journal = Journal.parse(text)
    content = identity(journal)
    counted = database.where(content)
    if counted:
        raise AlreadyCounted(f"This race already counts as race {counted[1]} of {counted[0]}.")
    if journal.sealed:
        raise GridglowError("The journal is sealed, as it was written during the race; use the one from its podium.")
    game = journal.plain["game"]
    if game not in games.NAMES:
        raise GridglowError(f"The journal is for the game {game!r}, expected {season.game}.")
    track = load_track(journal.track, game).track
    try:
        setup = Setup.from_plain(journal.plain, track)
    except BadSetup as error:
        raise GridglowError(f"The journal's set-up can't be raced: {error}") from None
    problems = season.problems(setup, track)
    if season.over:
        raise GridglowError(problems[0])
    if problems:
        raise GridglowError(f"The race isn't number {season.round} of {season.called()}. " + " ".join(problems))
    played = replay(text, on)
    if played.problems:
        raise GridglowError("The race doesn't verify, so it doesn't count. " + " ".join(played.problems))
    result = played.best
    if not result["over"]:
        raise GridglowError(f"The race isn't over yet after its {result['lines']} answers; finish it, and use the journal "
                            "from its podium.")
    number = season.round
    season.add(result["cars"], result["standings"], result["digest"])
    return KeptRace(number, content, setup.laps, result["lines"], season.cars, result["standings"], result["digest"],
                    text, date.today().isoformat())
