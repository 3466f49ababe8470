"""An LED output whose frames go out as messages: on the virtual board, and when somebody watches a Pico."""

import binascii


class Output:
    """One LED output: `count` pixels, `use` is "track", "dials" or "spare"."""

    piece_bytes = 384  # bytes of a frame turned into text at a time: a whole line would take 10 kB of heap

    def __init__(self, count, use):
        self.count = count
        self.use = use
        self.late = False  # the latest frame hasn't been sent yet
        self.sending = False  # its line is on its way
        self.skipped = 0  # frames replaced by a newer one before they were sent
        self._view = memoryview(bytes(3 * count))  # of the latest frame
        self._shown_crc = binascii.crc32(self._view)
        self._sent = 0
        self._crc = 0

    def show(self, frame):
        """Show a frame (RGB, 3 bytes a pixel). It goes out if it differs from the last; the latest wins.

        The buffer is kept, not copied: a frame that comes while the previous one is on its way
        takes over the rest of its line, and goes out complete after it.
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
        """The next bytes of the line; the last piece clears `sending`."""
        if self._sent < 3 * self.count:
            piece = binascii.hexlify(self._view[self._sent : self._sent + self.piece_bytes])
            self._sent += self.piece_bytes
            self._crc = binascii.crc32(piece, self._crc)
            return piece
        self.sending = False
        return ('"}*%08x\n' % (binascii.crc32(b'"}', self._crc) & 0xFFFFFFFF)).encode()
