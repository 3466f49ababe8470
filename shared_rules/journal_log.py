"""Where a computer keeps a journal's lines: in memory, or as the lines that a replay is compared with. A board keeps its own
on flash: firmware/glow/store/log.py."""

from shared_rules.errors import BadSave


class MemoryLog:
    """The lines of a race in memory; a board keeps them in a file behind the same interface.

    Lines are kept in blocks of one text each: hundreds of small strings would fragment a small heap.
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


class ShortLog(MemoryLog):
    """The last lines of a long race: enough for what can be taken back within the ring of boundaries. A board, whose
    journal is on flash, keeps no more than that in its heap either."""

    keep_blocks = 16

    def append(self, text):
        """Adds a line's text; drops the oldest."""
        super().append(text)
        old = len(self._blocks) - 1 - self.keep_blocks
        if old >= 0:
            self._blocks[old] = ""


class EchoLog:
    """A log that is being replayed: each appended line must equal the one already there."""

    def __init__(self, source, count):
        self._source = source
        self._count = count

    def __len__(self):
        return self._count

    def append(self, text):
        """Compares; raises BadSave, which names the line."""
        self._count += 1
        there = self._source.line(self._count) if self._count <= len(self._source) else "no more lines"
        if there != text:
            raise BadSave("Line %d of the journal: expected '%s', got '%s'; the journal was changed."
                          % (self._count, text, there))

    def line(self, number):
        """The text of line ``number``, from 1."""
        return self._source.line(number)
