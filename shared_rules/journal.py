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
FIRST_LINE = "gridglow journal "


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
        good = (len(halves) == 2 and len(words) == 2 and is_seat(words[0]) and 1 <= len(marks) <= 3
                and all([is_hex(mark, 8) for mark in marks[:2]]) and marks[2:] in ([], ["secret"]))
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
        there = self._source.line(self._count) if self._count <= len(self._source) else "no more lines"
        if there != text:
            raise BadSave("Line %d of the journal: expected '%s', got '%s'; the journal was changed."
                          % (self._count, text, there))

    def line(self, number):
        """The text of line ``number``, from 1."""
        return self._source.line(number)


def header(setup, track, sealed):
    """The header's text, with the empty line at its end."""
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
    if sealed:
        lines.append("sealed: " + seal(setup.seed, setup.salt))
    else:
        lines.append("seed: %s %s" % (setup.seed, setup.salt))
    return "\n".join(lines) + "\n\n"


def is_hex(word, length):
    """Whether the word is so many lower-case hex digits."""
    return len(word) == length and all([letter in "0123456789abcdef" for letter in word])


def is_seat(word):
    """Whether the word is a seat's number."""
    return len(word) == 1 and "0" <= word <= "9"
