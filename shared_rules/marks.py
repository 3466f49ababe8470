"""Marks of the answers that count, that is, haven't been taken back.

A *mark* is one int: the number of an answer's journal line, the seat that gave it, and whether it was given together
with the one before (then they can only be taken back together).
"""

from shared_rules.journal import JournalLine


def mark_of(line, seat, joined):
    """One int: line * 16 + seat * 2 + joined."""
    return line * 16 + seat * 2 + (1 if joined else 0)


def line_of(value):
    """The line number of a mark."""
    return value >> 4


def seat_of(value):
    """The seat of a mark."""
    return (value >> 1) & 7


def words_of(race, value):
    """The verb and words of an answer, as one list; for a correction, the corrected ones."""
    text = race.kept_words.get(value)
    if text is None:
        text = JournalLine.parse(race.log_text(line_of(value))).text
    words = text.split(" ")
    return words[2:] if words[0] == "correct" else words
