"""Saving a race: a text with its format number and CRC; ``restore.py`` reads it.

    gridglow save 2 1a2b3c4d      the CRC covers everything that follows
    [...]                         set-up, last boundary, answers since as [mark, text] (in format 1 only the mark)
    1 roll 3 5 | …                the journal's lines (only in ``save``)
"""

import json
from binascii import crc32

from shared_rules import RULES_VERSION
from shared_rules.marks import words_of

FORMAT = 2
FIRST = "gridglow save "


#: Approximate letters in a piece of a snapshot.
PIECE = 200


def save(race):
    """The whole race as one text."""
    rows = [race.log_text(number) for number in range(1, race.lines + 1)]
    return "".join(list(_framed(lambda: _whole(race, rows))))


def snapshot(race):
    """Generates the race without the journal's lines, in short pieces of text: a board's heap may have no room for one long
    text. Nothing may be answered before it ends."""
    return _framed(lambda: _plain(race))


def _framed(pieces):
    """The head, then the pieces, then a line end; ``pieces()`` is called twice, because the head holds their CRC."""
    check = 0
    for piece in pieces():
        check = crc32(piece.encode(), check)
    yield "%s%d %08x\n" % (FIRST, FORMAT, crc32(b"\n", check))
    yield from pieces()
    yield "\n"


def _whole(race, rows):
    yield from _plain(race)
    for row in rows:
        yield "\n" + row


def _plain(race):
    """A list as JSON in pieces, byte for byte what ``json.dumps`` makes of it."""
    at, text = race.ring[-1]
    yield "[%d, %s" % (RULES_VERSION, json.dumps(race.setup.plain()))
    for part in (race.track.id, race.track.hash, race.lines, at):
        yield ", " + json.dumps(part)
    yield ', "'
    for start in range(0, len(text), PIECE):
        yield json.dumps(text[start:start + PIECE])[1:-1]
    yield '"'
    asking = race.asking.plain() if race.asking else None
    since = [[mark, " ".join(words_of(race, mark))] for mark in race.taken[at - race.base:]]
    for part in (since, race.pending_answers(), asking):
        yield ", " + json.dumps(part)
    yield "]"
