"""What a virtual board has in place of parts: outputs, display and buzzer that end in messages, a ring for its keys."""

import binascii
from array import array

from shared_rules.link_lines import KEYS

DISPLAY_LETTERS = 21
DISPLAY_LINES = 6


class Output:
    """One LED output: `count` pixels, `use` is "track", "dials" or "spare"."""

    piece_bytes = 384  # of a frame, that are turned into text at a time: a whole line would take 10 kB of heap

    def __init__(self, count, use):
        self.count = count
        self.use = use
        self.late = False  # the latest frame is not sent yet
        self.sending = False  # its line is on its way
        self.skipped = 0  # frames that a newer one replaced before they were sent
        self._view = memoryview(bytes(3 * count))  # of the latest frame
        self._shown_crc = binascii.crc32(self._view)
        self._sent = 0
        self._crc = 0

    def show(self, frame):
        """Show a frame (RGB, 3 bytes a pixel). It goes out when it differs from the last; the latest wins.

        The buffer is kept, not copied: a frame that comes while the one before is on its way takes over the rest of its
        line, and goes out whole after it.
        """
        crc = binascii.crc32(frame)
        if crc == self._shown_crc:
            return
        if self.late or self.sending:
            self.skipped += 1
        self._shown_crc = crc
        self._view = memoryview(frame)
        self.late = True

    def begin_line(self, place, number):
        """The first bytes of the message `px` with the latest frame (see shared_rules.link_table for its form)."""
        self.late = False
        self.sending = True
        self._sent = 0
        head = ('{"t":"px","n":%d,"o":%d,"d":"' % (number, place)).encode()
        self._crc = binascii.crc32(head)
        return b"<" + head

    def next_piece(self):
        """The next bytes of the line; the last ones end `sending`."""
        if self._sent < 3 * self.count:
            piece = binascii.hexlify(self._view[self._sent : self._sent + self.piece_bytes])
            self._sent += self.piece_bytes
            self._crc = binascii.crc32(piece, self._crc)
            return piece
        self.sending = False
        return ('"}*%08x\n' % (binascii.crc32(b'"}', self._crc) & 0xFFFFFFFF)).encode()


class Display:
    """The display of 21 letters and six lines."""

    def __init__(self):
        self._shown = [""] * DISPLAY_LINES
        self._private = 0
        self.late = False

    def lines(self, lines, private_seat=0):
        """Show six lines (longer ones are cut). `private_seat`: the only seat that may read them, 0 for everybody."""
        same = private_seat == self._private
        for row in range(DISPLAY_LINES):
            line = lines[row][:DISPLAY_LETTERS] if row < len(lines) else ""
            if line != self._shown[row]:
                self._shown[row] = line
                same = False
        if not same:
            self._private = private_seat
            self.late = True

    def message(self):
        """What stands on it, as a message. A private screen is mirrored to nobody: its lines are left empty."""
        lines = [""] * DISPLAY_LINES if self._private else list(self._shown)
        return {"t": "show", "lines": lines, "private": self._private}


class Sound:
    """The buzzer. `mute` is applied before anything sounds."""

    def __init__(self, hal):
        self._hal = hal
        self.mute = False

    def play(self, name):
        """Play a named sound, unless muted."""
        if not self.mute:
            self._hal.send({"t": "sound", "name": name}, True)


class KeyRing:
    """A ring of fixed size between the panels and the loop: no press is lost in long work, and none allocates."""

    size = 64

    def __init__(self):
        self._moments = array("i", bytes(4 * self.size))
        self._panels = bytearray(self.size)
        self._keys = bytearray(self.size)
        self._downs = bytearray(self.size)
        self._first = 0
        self._count = 0
        self.lost = 0

    def put(self, t_ms, panel, key, down):
        """Put in one edge (key: its number in KEYS). A full ring drops it and counts."""
        if self._count == self.size:
            self.lost += 1
            return
        slot = (self._first + self._count) % self.size
        self._moments[slot] = t_ms
        self._panels[slot] = panel
        self._keys[slot] = key
        self._downs[slot] = down
        self._count += 1

    def take_all(self):
        """A list of (t_ms, panel, key word, down), oldest first; the ring is empty then."""
        if not self._count:
            return ()
        found = []
        while self._count:
            slot = self._first
            found.append((self._moments[slot], self._panels[slot], KEYS[self._keys[slot]], self._downs[slot]))
            self._first = (slot + 1) % self.size
            self._count -= 1
        return found
