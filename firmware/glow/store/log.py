"""The journal lines of a race on the board's flash, with the last ones in memory."""

from glow import step
from shared_rules.errors import BadSave


class StoreLog:
    """Same interface as MemoryLog, over a Store.

    While the flash refuses to be written, the lines that it lacks stay in memory (the Store tries them again with
    the next one). ``trouble(reason, "journal")`` is called when that begins, and with the reason "" when it is over.
    """

    recent_lines = 16

    def __init__(self, store, folder, trouble, count=0):
        self._store = store
        self._folder = folder
        self._trouble = trouble
        self._count = count
        self._recent = []
        self._failed = False
        self._reader = None
        self._next = 0

    def __len__(self):
        return self._count

    def append(self, text):
        """Adds a line at the end."""
        self._close()
        try:
            reason = self._store.append(text)
        except OSError:
            reason = "save.unwritable"
        if (reason != "") != self._failed:
            self._failed = not self._failed
            self._trouble(reason, "journal")
        self._count += 1
        self._recent.append(text)
        while len(self._recent) > self.recent_lines and not self._failed:
            self._recent.pop(0)

    def truncate(self, count):
        """Keeps the first ``count`` lines: a power cut may have let through only some of a group that belongs
        together. Raises OSError if the flash has no room for that; then nothing has changed."""
        self._close()
        if self._store.cut(count):
            raise OSError(28)
        self._store.notes.append("save.torn_line")
        self._recent = []
        self._count = count

    def _close(self):
        """Closes the file that lines are read from: an open file on flash must not be changed."""
        if self._reader:
            self._reader.close()
            self._reader = None

    def line(self, number):
        """The text of line ``number``, from 1; raises BadSave if the flash has lost it."""
        first = self._count - len(self._recent) + 1
        if number >= first:
            return self._recent[number - first]
        if self._reader is None or number != self._next:
            self._close()
            self._reader = self._store.lines(number)
            self._next = number
        text = step(self._reader)
        self._next += 1
        if text is None:
            self._reader = None
            raise BadSave("Line %d of the journal is gone from the board's flash; use an older save." % number)
        return text
