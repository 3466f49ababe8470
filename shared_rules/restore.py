"""Loading a saved race; ``saves.py`` describes the text.

A board loads this only to resume a saved race.
"""

import json
from binascii import crc32

from shared_rules import RULES_VERSION, games, rewind
from shared_rules.errors import BadSave, BadSetup, GridglowError
from shared_rules.journal_log import MemoryLog
from shared_rules.saves import FIRST, FORMAT
from shared_rules.setup import Setup

#: Save formats that can be read: in the first one only the log has the answers since the boundary.
READABLE = ("1", str(FORMAT))


def load(race_class, text, track, game_class, sealed=False):
    """The race in a ``save``; ``sealed`` as in Race."""
    rows = _unframed(text)
    return _restored(race_class, rows[0], track, MemoryLog(rows[1:]), game_class, sealed)


def resume(race_class, text, track, log, game_class):
    """The race in a ``snapshot``; the lines that the log has gained since are given again."""
    rows = _unframed(text)
    return _restored(race_class, rows[0], track, log, game_class)


def track_of(text):
    """(id, hash) of the track that a save needs; raises BadSave."""
    plain = _parsed(_unframed(text)[0])
    return plain[2], plain[3]


def _unframed(text):
    if not text:
        raise BadSave("Expected a saved race, got an empty file; start a new race.")
    head, _, body = text.partition("\n")
    words = head[len(FIRST):].split(" ")
    if not head.startswith(FIRST) or len(words) != 2:
        raise BadSave("Expected a saved race, got a file that begins with '%s'; start a new race." % head[:30])
    if words[0] not in READABLE:
        raise BadSave("Expected a save of format %d, got format %s; use the version that wrote it."
                      % (FORMAT, words[0][:8]))
    if words[1] != "%08x" % crc32(body.encode()):
        raise BadSave("The saved race is damaged: its checksum doesn't fit; use an older save.")
    rows = body.split("\n")
    rows.pop()
    return rows or [""]


def _parsed(row):
    try:
        plain = json.loads(row)
    except (ValueError, RuntimeError):             # the latter if brackets nest too deeply
        plain = None
    if not isinstance(plain, list) or len(plain) != 10:
        raise BadSave("The saved race can't be read; use an older save.")
    if plain[0] != RULES_VERSION:
        raise BadSave("Expected a save of rules version %d, got %s; use the version that wrote it."
                      % (RULES_VERSION, plain[0]))
    return plain


def _restored(race_class, row, track, log, game_class, sealed=False):
    _, setup, track_id, track_hash, lines, at, text, marks, pending, asking = _parsed(row)
    if (track.id, track.hash) != (track_id, track_hash):
        raise BadSave("Expected track %s %s, got %s %s; sync the track that the race began on."
                      % (track_id, track_hash, track.id, track.hash))
    if type(lines) is not int or not 0 <= lines <= len(log):
        raise BadSave("Expected a journal of %s lines, got %d; use an older save." % (lines, len(log)))
    try:
        game = game_class or games.load(setup["game"])
        race = race_class(Setup.from_plain(setup, track, game), track, log, game, sealed)
        for number, mark in enumerate(marks):
            if isinstance(mark, list):
                marks[number], race.kept_words[mark[0]] = mark
        race.take_up(at, text, marks)
        race.drop_events()
        if asking:
            seat, verb, words, line, waiting = asking
            race.asking = rewind.Asking(seat, verb, words, line, waiting, race.take_serial())
        asked = race.prompts
        race.replay_lines(lines + 1, len(log))
        for by, answer in pending:
            # Lines that came since already hold these answers, unless all still wait for others.
            if race.prompt_of(by) in asked:
                race.feed_answer(by, answer)
    except BadSetup as error:
        raise BadSave("The saved race has a set-up that can't be played: %s" % error)
    except BadSave:
        raise
    except (GridglowError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise BadSave("The saved race doesn't fit these rules (%s); use the version that wrote it." % error)
    race.drop_events()
    return race
