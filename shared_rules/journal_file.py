"""A journal's header, and reading a journal: its text becomes a set-up and lines; errors name the line.

A board needs neither in the middle of a race, so they are apart from the lines.
"""

import json

from shared_rules import RULES_VERSION
from shared_rules.chance import seal
from shared_rules.errors import BadSave
from shared_rules.journal import FIRST_LINE, FORMAT, JournalLine, is_hex


class Journal:
    """A journal that was read.

    ``plain`` is the set-up as a dict for ``Setup.from_plain``, ``track`` and ``track_hash`` name the track,
    ``rules`` is the rules' version, ``sealed`` the seal or "", ``start`` what a sealed journal
    records of the start or None, ``lines`` a list of JournalLine
    and ``first`` the line number of the first of them in the file.
    """

    def __init__(self):
        self.plain = {"options": [], "players": []}
        self.track = ""
        self.track_hash = ""
        self.rules = 0
        self.sealed = ""
        self.start = None
        self.lines = []
        self.first = 0

    def line_number(self, at):
        """The line number in the file of answer ``at`` (from 0)."""
        return self.first + at

    @classmethod
    def parse(cls, text):
        """The Journal in a text; raises BadSave, which names the line."""
        self = cls()
        rows = text.split("\n")
        head = rows[0].strip()
        if not head.startswith(FIRST_LINE):
            raise BadSave("Expected a Gridglow journal, but its first line is '%s'." % head[:40])
        if head != FIRST_LINE + str(FORMAT):
            raise BadSave("Expected a journal of format %d, got '%s'; use the version that wrote it."
                          % (FORMAT, head[:40]))
        at = 1
        while at < len(rows) and rows[at].strip():
            self._head_line(at + 1, rows[at].strip())
            at += 1
        self._check_head()
        self.first = at + 2
        for number in range(at + 1, len(rows)):
            row = rows[number].strip()
            if not row:
                if any([later.strip() for later in rows[number:]]):
                    raise BadSave("Line %d: expected an answer, got an empty line." % (number + 1))
                break
            try:
                self.lines.append(JournalLine.parse(row))
            except BadSave as error:
                raise BadSave("Line %d: %s" % (number + 1, error))
        return self

    def _head_line(self, number, row):
        key, _, value = row.partition(": ")
        words = value.split(" ")
        plain = self.plain
        if key == "game" and len(words) == 2:
            plain["game"], plain["variant"] = words
        elif key == "rules" and _is_count(value):
            self.rules = int(value)
        elif key == "track" and len(words) == 2:
            self.track, self.track_hash = words
        elif key == "laps" and _is_count(value):
            plain["laps"] = int(value)
        elif key.startswith("option ") and value:
            plain["options"].append([key[7:], value])
        elif key == "seat %d" % (len(plain["players"]) + 1) and len(words) > 1:
            kind, _, name = value.partition(" ")
            plain["players"].append([kind, name])
        elif key in ("dice", "decks") and value:
            plain[key] = value
        elif key == "grid" and all([_is_count(word) for word in words]):
            plain["grid"] = [int(word) for word in words]
        elif key == "season" and value:
            plain["season"] = value
        elif key == "seed" and len(words) == 2:
            plain["seed"], plain["salt"] = words
        elif key == "sealed" and is_hex(value, 64):
            self.sealed = value
        elif key == "start" and isinstance(_json(value), list):
            self.start = _json(value)
        else:
            raise BadSave("Line %d: expected a header line of a journal, got '%s'." % (number, row[:60]))

    def _check_head(self):
        missing = [key for key in ("game", "laps", "dice", "decks") if key not in self.plain]
        if not self.track:
            missing.append("track")
        if not self.plain["players"]:
            missing.append("seat 1")
        if not self.sealed and "seed" not in self.plain:
            missing.append("seed")
        if missing:
            raise BadSave("The journal's header lacks %s; it was cut or edited." % ", ".join(missing))
        if self.rules != RULES_VERSION:
            raise BadSave("Expected a journal of rules version %d, got %d; use the version that wrote it."
                          % (RULES_VERSION, self.rules))


def _json(text):
    try:
        return json.loads(text)
    except (ValueError, RuntimeError):             # the latter if brackets nest too deeply
        return None


def _is_count(word):
    return 0 < len(word) < 6 and all(["0" <= letter <= "9" for letter in word])


def header(setup, track, sealed, start=None):
    """The header's text, with the empty line at its end; ``start``: what everybody could see at the start, if chance made
    it."""
    lines = [
        FIRST_LINE + str(FORMAT),
        "game: %s %s" % (setup.game, setup.variant),
        "rules: %d" % RULES_VERSION,
        "track: %s %s" % (track.id, track.hash),
        "laps: %d" % setup.laps,
    ]
    for key, value in setup.options:
        lines.append("option %s: %s" % (key, value))
    for at, player in enumerate(setup.players):
        lines.append("seat %d: %s %s" % (at + 1, player[0], player[1]))
    lines.append("dice: " + setup.dice)
    lines.append("decks: " + setup.decks)
    if setup.grid:
        lines.append("grid: " + " ".join([str(car) for car in setup.grid]))
    if setup.season:
        lines.append("season: " + setup.season)
    if sealed:
        lines.append("sealed: " + seal(setup.seed, setup.salt))
        if start is not None:
            lines.append("start: " + json.dumps(start))
    else:
        lines.append("seed: %s %s" % (setup.seed, setup.salt))
    return "\n".join(lines) + "\n\n"
