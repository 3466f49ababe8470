"""The journal of a race: a text that people can read and from which the race can be replayed.

A header of ``key: value`` lines, an empty line, then one line for each answer:

    1 roll 3 5 | 9a8b7c6d 11223344

seat, answer, public digest, full digest. While a race is sealed, the seed is replaced by its seal, the full
digest is left out, and a secret answer reads ``sealed``.
"""

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
        """The line's text; ``sealed`` leaves out what isn't public yet."""
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


def is_hex(word, length):
    """Whether the word is exactly ``length`` lower-case hex digits."""
    return len(word) == length and all([letter in "0123456789abcdef" for letter in word])


def is_seat(word):
    """Whether the word is a seat's number."""
    return len(word) == 1 and "0" <= word <= "9"
