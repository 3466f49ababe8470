"""The save of the running race on flash. Power may be cut at any byte; nothing here raises an OSError.

Files in the save folder, all readable text in UTF-8:

- ``race.log``  the head (race number, wear, header) and one numbered line an answer, each with its CRC; only appended to.
- ``race.a``, ``race.b``  snapshots, two generations in turn: head, header, text, CRC. A snapshot says how many lines of
  the log it covers; only the lines after them are still to be replayed.
- ``race.new``  the file being written; it is closed and then renamed over the old file, never the other way round.

A reason is a text key of the section [save], "" means done.
"""

import json

from glow.store import read
from glow.store.files import (
    FORMAT,
    GENERATIONS,
    LOG,
    NEW,
    ints,
    lines_of,
    make_folder,
    opened,
    reason_of,
    remove,
    sealed,
    snapshot_pieces,
    write,
    write_all,
)

SETTINGS = "settings"


class Store:
    """The save in a folder, which is made if possible."""

    log_most_bytes = 400000
    pending_most = 200  # lines kept in the heap while the flash refuses them
    reserve_bytes = 16384  # of flash that a race leaves free: for settings, the crash box, what a computer sends

    def __init__(self, folder):
        self._folder = folder
        self.line_count = 0
        self.notes = []  # reasons that didn't prevent loading: "save.torn_line", "save.older_generation"
        self._race = 0
        self._serial = 0
        self._appends = 0
        self._snapshots = 0
        self._header = ""
        self._log_bytes = 0
        self._torn = False  # the log may end in half a line
        self._pending = []
        self._room = 0  # bytes that are known to fit
        self._broken = 0
        self._ready = False  # the log on flash is this race's
        self._known = False  # begin or load has succeeded
        make_folder(folder)

    def _path(self, name):
        return self._folder + "/" + name

    @property
    def wear(self):
        """(appends, snapshots) over the board's life, as far as its saves record it."""
        if not self._known:
            self._look_back()
        return self._appends, self._snapshots

    # Writing

    def begin(self, header):
        """Begin the save of a new race; this replaces the previous one, all at once. Returns "" or
        a reason. With the header "", no race is saved any more."""
        if not self._known:
            self._look_back()
        self._race += 1
        self._header = header
        self.line_count = 0
        self._serial = 0
        self._pending = []
        reason = self._write_log_head()
        self._known = True
        if not reason:
            for name in GENERATIONS:
                remove(self._path(name))
        return reason

    def _look_back(self):
        """Find the numbers of the last race, so that its leftovers are never taken for the next race's."""
        self._take_numbers(read.look_back(self._folder))

    def cut(self, count):
        """Keep the first `count` lines of the log; the rest never comes back. Returns "" or a
        reason; with a reason, nothing has changed."""
        reason = self._write_log_head(count)
        if not reason:
            self.line_count = count
        return reason

    def _write_log_head(self, keep=0):
        """Write a new log with the first `keep` lines of the existing one, as far as they are sound."""
        words = "gridglow log %d %d %d %d " % (FORMAT, self._race, self._appends, self._snapshots)
        line = sealed((words + json.dumps(self._header)).encode())
        pieces = read.sound_lines(self._folder, line, keep) if keep else (line,)
        try:
            write(self._path(LOG), self._path(NEW), pieces)
        except OSError as error:
            remove(self._path(NEW))
            self._ready = False
            return reason_of(error)
        self._ready = True
        self._log_bytes = len(line)
        self._torn = False
        return ""

    def append(self, line):
        """Append one line (an answer). Returns "" or a reason; a line that can't be written now goes with the next."""
        self.line_count += 1
        text = json.dumps(line) if "\n" in line or line[:1] == '"' else line
        data = sealed(("%d " % self.line_count + text).encode())
        if self._log_bytes + len(data) > self.log_most_bytes:
            return "save.too_long"
        self._pending.append(data)
        if len(self._pending) > self.pending_most:
            self._pending.pop(0)
        return self._write_pending()

    def _write_pending(self):
        """Write the lines that aren't in the log yet. Returns "" or a reason; then they wait for the next time."""
        reason = "" if self._ready else self._write_log_head()
        if reason or not self._pending:
            return reason
        whole = b"".join(self._pending)
        if self._torn:
            whole = b"\n" + whole
        if not self._has_room(len(whole)):
            return "save.full"
        try:
            with open(self._path(LOG), "ab") as file:
                write_all(file, whole)
        except OSError as error:
            self._torn = True
            return reason_of(error)
        self._appends += len(self._pending)
        self._log_bytes += len(whole)
        self._pending = []
        self._torn = False
        return ""

    def _has_room(self, size):
        """Whether `size` more bytes leave the reserve free; the flash is asked only when that isn't certain."""
        self._room -= size
        if self._room < 0:
            self._room = read.room(self._folder) - self.reserve_bytes - size
        return self._room >= 0

    def snapshot(self, texts):
        """Store a whole state (pieces of text) after all lines so far. Returns "" or a reason; then the old one stays."""
        reason = self._write_pending()
        if reason:  # without its lines, or beside another race's log, it would be useless
            return reason
        if self._serial < 2:
            self._room = 0  # the two generations take up room from now on
        if not self._has_room(0):
            return "save.full"
        serial = self._serial + 1
        head = "gridglow save %d %d %d %d " % (FORMAT, self._race, serial, self.line_count)
        header = self._header.encode()
        head += "%d %d %d\n" % (self._appends, self._snapshots + 1, len(header))
        name = GENERATIONS[serial & 1]
        try:
            write(self._path(name), self._path(NEW), snapshot_pieces(head.encode() + header + b"\n", texts))
        except OSError as error:
            remove(self._path(NEW))
            return reason_of(error)
        self._serial = serial
        self._snapshots += 1
        return ""

    # Reading

    def load(self):
        """The saved race: (header, text of its last snapshot or "", lines after it), or (None, reason)."""
        found = read.find(self._folder)
        self.notes = found.notes
        if found.known:
            self._take_numbers(found)
        if found.reason:
            return None, found.reason
        self._header = found.header
        self._log_bytes = found.log_bytes
        self._torn = found.torn
        if not self._ready:
            self._write_log_head(1 << 29)  # its head is lost, but not what comes after it
        lines = []
        for line in self._walk(self.line_count + 1):
            lines.append(line)
        if self._broken:
            self.notes.append("save.torn_line")
        self.line_count += len(lines)
        self._appends += len(lines)
        if self._stale and self.cut(self.line_count):  # lines behind a lost one would come back later, out of place
            return None, "save.no_room"
        return found.header, found.text, lines

    def _take_numbers(self, found):
        self._known = True
        self._ready = found.has_log
        self._race = found.race
        self._serial = found.serial
        self.line_count = found.lines
        self._appends = found.appends
        self._snapshots = found.snapshots
        self._pending = []

    def _walk(self, first):
        """The lines of the log from number `first` on; lines out of order are skipped and counted."""
        expected = first
        self._broken = self._stale = 0
        head = True
        rows = lines_of(self._path(LOG))
        try:
            for line in rows:
                if line and not head:
                    body = opened(line)
                    number, _, text = body.partition(b" ") if body else (b"", b"", b"")
                    numbers = ints((number,))
                    if not numbers:
                        self._broken += 1
                    elif numbers[0] == expected:
                        expected += 1
                        yield _line_text(text)
                    elif numbers[0] > expected:
                        self._stale += 1
                head = False
        except (OSError, ValueError):
            self._broken += 1
        finally:
            rows.close()                           # no file stays open if the reader stops half-way

    def lines(self, first=1):
        """The lines of the race's log from number `first` on, one by one (for the whole journal)."""
        return self._walk(first)


def _line_text(data):
    text = str(data, "utf-8")
    return json.loads(text) if text[:1] == '"' else text


class Settings:
    """What survives power-off besides the race: brightness, mute, language, calm mode."""

    def __init__(self, folder):
        self._folder = folder
        self._values = []
        make_folder(folder)
        try:
            for line in lines_of(folder + "/" + SETTINGS):
                body = opened(line)
                values = json.loads(str(body, "utf-8")) if body else ()
                for row in values if isinstance(values, list) else ():
                    if isinstance(row, list) and len(row) == 2:
                        self._values.append(row)
        except (OSError, ValueError, RuntimeError):  # the last one for brackets nested too deep
            pass

    def get(self, key, default):
        """The value of a setting; the default if it was never set or the file is damaged."""
        for name, value in self._values:
            if name == key:
                return value
        return default

    def put(self, key, value):
        """Set a value and write it. Returns "" or a reason; even then the value holds until power-off."""
        return self.put_all(((key, value),))

    def put_all(self, pairs):
        """Set the values of (key, value) and write them together. Returns "" or a reason, as `put` does."""
        pairs = [[key, value] for key, value in pairs if self.get(key, None) != value]
        if not pairs:
            return ""
        keys = [key for key, _ in pairs]
        self._values = [row for row in self._values if row[0] not in keys] + pairs
        line = sealed(json.dumps(self._values).encode())
        try:
            write(self._folder + "/" + SETTINGS, self._folder + "/" + SETTINGS + ".new", (line,))
        except OSError as error:
            return reason_of(error)
        return ""
