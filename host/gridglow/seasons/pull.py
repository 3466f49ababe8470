"""The season on a board, fetched over the link: its head, and the journals of its races.

Nothing is taken on trust: every journal is replayed and verified like one from a file. The board keeps everything.
"""

from __future__ import annotations

import binascii
import json
from dataclasses import dataclass

from gridglow.device.talk import SaysNo, Talk
from gridglow.races.replays import read_journal
from gridglow.seasons.adding import AlreadyCounted, checked
from gridglow.seasons.beginning import NAME_MOST, check_name
from gridglow.seasons.database import Database, KeptRace
from shared_rules.errors import BadSave, BadSetup, GridglowError
from shared_rules.names import is_name
from shared_rules.season import Season

HEAD = "save/season"
JOURNAL = "save/season-{}-{}"
TRAILER_BYTES = 11  # " *", eight hexadecimal digits and the line's end


@dataclass(frozen=True)
class OnBoard:
    """What a board has: its season with all results, and the journals of the races that it could store, by number."""

    season: Season
    journals: dict[int, bytes]


def fetch(talk: Talk, known: int | None = None) -> OnBoard:
    """What the board at the other end has. Raises GridglowError if it has no season, or the link fails."""
    try:
        head = talk.read_file(HEAD)
    except SaysNo:
        raise GridglowError("The board has no season; begin one in its menu (Season), or on this computer with: gridglow "
                            "season new NAME") from None
    season = read_head(head)
    journals = {}
    for number in range(1 + (known or 0), len(season.results) + 1):
        try:
            journals[number] = talk.read_file(JOURNAL.format(season.id, number))
        except SaysNo:
            continue  # the flash had no room for it
    return OnBoard(season, journals)


def read_head(data: bytes) -> Season:
    """The season of a board's file. Raises GridglowError if it's damaged."""
    body, trailer = data[:-TRAILER_BYTES], data[-TRAILER_BYTES:]
    try:
        if trailer != b" *%08x\n" % binascii.crc32(body):
            raise ValueError("its checksum differs")
        return Season.from_plain(json.loads(body))
    except (ValueError, RecursionError, BadSave) as error:
        raise GridglowError(f"The season on the board can't be read ({error}); begin a new one in its menu.") from None


def take_over(database: Database, there: OnBoard, name: str | None, day: str,
              on: list[str]) -> tuple[Season, list[KeptRace], str]:
    """Stores what the board has and the database lacks: (season, the added races, the reason why not all, or "").

    A season not stored yet is begun as ``name`` or under its name on the board. Raises GridglowError.
    """
    board = there.season
    kept = database.find(board.id)
    if kept is None:
        wrong: list[str] = []
        check_name(name or "", wrong)
        if name is not None and wrong:
            raise BadSetup(wrong)
        board_name = board.name if is_name(board.name, NAME_MOST) else f"Season {board.id}"
        begun = board.plain() | {"name": name or board_name, "cars": [], "results": []}
        database.begin(Season.from_plain(begun), day)
        kept = database.find(board.id)
    elif name is not None and name.lower() != kept.season.name.lower():
        raise GridglowError(f"The board's season is stored here as {kept.season.name}; leave out the name {name!r}.")
    season = kept.season
    for field in ("game", "variant", "options", "laps", "players", "tracks"):
        if getattr(board, field) != getattr(season, field):
            raise GridglowError(f"The board's season {board.id} has other {field} than the one here, {season.name}; "
                                "one of them was edited.")
    for number, (ours, theirs) in enumerate(zip(season.results, board.results), 1):
        if ours != theirs:
            raise GridglowError(f"Race {number} of {season.name} on the board differs from the one that counts here.")
    added: list[KeptRace] = []
    for number in range(season.round, len(board.results) + 1):
        if season.over:
            break
        if number not in there.journals:
            return season, added, (f"The board has only the result of race {number}, not its journal, so it can't be "
                                   "verified and doesn't count, nor do later ones.")
        try:
            race = checked(database, kept, read_journal(there.journals[number]), on)
        except AlreadyCounted as error:
            return season, added, str(error)
        except GridglowError as error:
            return season, added, f"Race {number} of the board: {error}"
        database.take(season, race)
        added.append(race)
        if [race.standings, race.digest] != board.results[number - 1]:
            raise GridglowError(f"The result of race {number} on the board doesn't match its journal; nothing was taken "
                                "over.")
    return season, added, ""
