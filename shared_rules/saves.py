"""Saving a race: a text with its format number and CRC; ``restore.py`` reads it.

    gridglow save 1 1a2b3c4d      the CRC is that of all that follows
    [...]                         the snapshot: set-up, last boundary, answers since
    1 roll 3 5 | …                the journal's lines (only in ``save``)
"""

import json
from binascii import crc32

from shared_rules import RULES_VERSION

FORMAT = 1
FIRST = "gridglow save "


def save(race):
    """The whole race as one text."""
    lines = [_plain(race)] + [race.log_text(number) for number in range(1, race.lines + 1)]
    return _framed("\n".join(lines))


def snapshot(race):
    """The race as text, without the journal's lines."""
    return _framed(_plain(race))


def _framed(body):
    check = crc32(b"\n", crc32(body.encode()))  # as one text with its end it would be copied once more
    return "%s%d %08x\n%s\n" % (FIRST, FORMAT, check, body)


def _plain(race):
    at, text = race.ring[-1]
    asking = race.asking.plain() if race.asking else None
    return json.dumps([
        RULES_VERSION,
        race.setup.plain(),
        race.track.id,
        race.track.hash,
        race.lines,
        at,
        text,
        race.taken[at - race.base:],
        race.pending_answers(),
        asking,
    ])
