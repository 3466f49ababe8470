"""The journal of a race: a text that people can read, and from which the race can be replayed.

A header of ``key: value`` lines, an empty line, then a line an answer:

    1 roll 3 5 | 9a8b7c6d 11223344

seat, answer, public digest, full digest. While a race is sealed, the seed is replaced by its seal, the full
digest is left out, and a secret answer reads ``sealed``.
"""

from shared_rules import RULES_VERSION
from shared_rules.chance import seal
from shared_rules.errors import BadSave

FORMAT = 1
_FIRST = "gridglow journal "


class JournalLine:
    """One answer as the journal keeps it."""

    def __init__(self, seat, text, secret, public, full):
        self.seat = seat
        self.text = text
        self.secret = secret
        self.public = public
        self.full = full

    def show(self, sealed=False):
        """The line's text; with ``sealed`` without what isn't public yet."""
        if sealed:
            return "%d %s | %s" % (self.seat, "sealed" if self.secret else self.text, self.public)
        end = " secret" if self.secret else ""
        return "%d %s | %s %s%s" % (self.seat, self.text, self.public, self.full, end)

    @classmethod
    def parse(cls, text):
        """The JournalLine of a line's text; raises BadSave with what was expected and what came."""
        halves = text.split(" | ")
        words = halves[0].split(" ", 1)
        marks = halves[-1].split(" ")
        good = (len(halves) == 2 and len(words) == 2 and _is_seat(words[0]) and 1 <= len(marks) <= 3
                and all([_is_hex(mark, 8) for mark in marks[:2]]) and marks[2:] in ([], ["secret"]))
        if not good:
            raise BadSave("Expected a line such as '1 roll 3 5 | 9a8b7c6d', got '%s'." % text)
        full = marks[1] if len(marks) > 1 else ""
        return cls(int(words[0]), words[1], len(marks) == 3, marks[0], full)


class MemoryLog:
    """The lines of a race in memory; a board keeps them in a file behind the same surface.

    Lines are kept in blocks of one text each: hundreds of small strings would split a small heap into
    pieces.
    """

    block_lines = 16

    def __init__(self, lines=()):
        self._blocks = []
        self._tail = []
        for line in lines:
            self.append(line)

    def __len__(self):
        return len(self._blocks) * self.block_lines + len(self._tail)

    def append(self, text):
        """Adds a line's text at the end."""
        self._tail.append(text)
        if len(self._tail) == self.block_lines:
            self._blocks.append("\n".join(self._tail))
            self._tail = []

    def line(self, number):
        """The text of line ``number``, from 1."""
        block, at = divmod(number - 1, self.block_lines)
        return (self._blocks[block].split("\n") if block < len(self._blocks) else self._tail)[at]

    def truncate(self, count):
        """Keeps the first ``count`` lines."""
        while len(self) > count:
            if not self._tail:
                self._tail = self._blocks.pop().split("\n")
            self._tail.pop()


class EchoLog:
    """A log that is being replayed: what is appended must be what stands there already."""

    def __init__(self, source, count):
        self._source = source
        self._count = count

    def __len__(self):
        return self._count

    def append(self, text):
        """Compares; raises BadSave that names the line."""
        self._count += 1
        there = self._source.line(self._count)
        if there != text:
            raise BadSave("Line %d of the journal: expected '%s', got '%s'; the journal was changed."
                          % (self._count, text, there))

    def line(self, number):
        """The text of line ``number``, from 1."""
        return self._source.line(number)


def header(setup, track, sealed):
    """The header's text, with the empty line at its end."""
    lines = [
        _FIRST + str(FORMAT),
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
    if sealed:
        lines.append("sealed: " + seal(setup.seed, setup.salt))
    else:
        lines.append("seed: %s %s" % (setup.seed, setup.salt))
    return "\n".join(lines) + "\n\n"


class Journal:
    """A journal that was read.

    ``plain`` is the set-up as a dict for ``Setup.from_plain``, ``track`` and ``track_hash`` name the track,
    ``rules`` is the rules' version, ``sealed`` the seal or "", ``lines`` a list of JournalLine
    and ``first`` the file's line number of the first of them.
    """

    def __init__(self):
        self.plain = {"options": [], "players": []}
        self.track = ""
        self.track_hash = ""
        self.rules = 0
        self.sealed = ""
        self.lines = []
        self.first = 0

    def line_number(self, at):
        """The line of the file on which answer ``at`` (from 0) stands."""
        return self.first + at

    @classmethod
    def parse(cls, text):
        """The Journal of a text; raises BadSave that names the line."""
        self = cls()
        rows = text.split("\n")
        head = rows[0].strip()
        if not head.startswith(_FIRST):
            raise BadSave("Expected a Gridglow journal, but its first line is '%s'." % head[:40])
        if head != _FIRST + str(FORMAT):
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
        elif key == "seed" and len(words) == 2:
            plain["seed"], plain["salt"] = words
        elif key == "sealed" and _is_hex(value, 64):
            self.sealed = value
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


def _is_hex(word, length):
    return len(word) == length and all([letter in "0123456789abcdef" for letter in word])


def _is_seat(word):
    return len(word) == 1 and "0" <= word <= "9"


def _is_count(word):
    return 0 < len(word) < 6 and all(["0" <= letter <= "9" for letter in word])
