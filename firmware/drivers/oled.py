"""The display: 128 x 64 dots behind an SH1106 or SSD1306 on I2C, as six lines of 21 characters.

`lines` only records what to show. `pump`, once a tick, does one small piece of the work: it draws one line, or
sends one changed page (129 bytes, 3 ms at 400 kHz). After a private screen the display's memory is rewritten
completely: nothing of it is left there, and the next seat's private screen appears only after a blank one.
"""

import framebuf

from drivers import font

LETTERS = 21
LINES = 6
PAGES = 8
#: Where the lines begin, in dot rows: they fill the height, and two lines fit into a single page each.
TOPS = b"\x00\x0b\x15\x20\x2b\x36"
ALL_PAGES = (1 << PAGES) - 1
#: Dots of a page, and the byte before them that says that dots follow.
PAGE_BYTES = 129

_MARGIN = 1  # columns left of the first character: 21 characters of 6 fill 126 of 128
_OFF = b"\x00\xae"
_ON = b"\x00\xaf"
_SETUP = (
    b"\x00\xd5\x80\xa8\x3f\xd3\x00\x40"  # clock, 64 rows, no shift
    b"\xa1\xc8\xda\x12\x81\x9f\xd9\xf1\xdb\x40\xa4\xa6"  # right way round, contrast, drive, from memory, not inverted
)
_POWER = {"sh1106": b"\x00\xad\x8b\x32", "ssd1306": b"\x00\x8d\x14\x20\x02"}  # the dots' own supply; page by page
_FIRST_COLUMN = {"sh1106": 2, "ssd1306": 0}


class Oled:
    """`kind` is "sh1106" or "ssd1306". Nothing is sent before `start`; `lines` may be called at any time."""

    #: After this many idle pumps the display is set up again and one page sent: only that shows
    #: whether it is still there, and a display that lost power for a moment gets its picture back.
    idle_pumps = 120

    def __init__(self, i2c, kind, address=0x3C):
        self.late = False  # what `message` returns has changed since the hal took it
        self._i2c = i2c
        self._address = address
        self._power = _POWER[kind]
        self._power_while_lit = kind == "ssd1306"  # an SH1106 turns it on at its own reset, and accepts this only while dark
        column = _FIRST_COLUMN[kind]
        self._at = bytearray((0, 0xB0, column & 15, 0x10 | column >> 4))
        self._texts = [""] * LINES
        self._private = 0
        # One page after another, each behind its own first byte, so that a page goes out just as it lies here.
        dots = bytearray(PAGES * PAGE_BYTES + 1)
        view = memoryview(dots)
        pages = []
        for page in range(PAGES):
            dots[page * PAGE_BYTES] = 0x40
            pages.append(view[page * PAGE_BYTES : (page + 1) * PAGE_BYTES])
        self._pages = pages
        self._screen = framebuf.FrameBuffer(view[1:], 128, 64, framebuf.MONO_VLSB, PAGE_BYTES)
        self._line = framebuf.FrameBuffer(bytearray(128), 128, 8, framebuf.MONO_VLSB)
        height = 8 * (len(font.COLUMNS) // 5)
        self._font = (font.COLUMNS, 5, height, framebuf.MONO_VLSB)
        try:
            self._line.blit(self._font, 0, 0)
        except TypeError:                          # MicroPython 1.24 wants a FrameBuffer, and one on writable bytes
            self._font = framebuf.FrameBuffer(bytearray(font.COLUMNS), 5, height, framebuf.MONO_VLSB)
        self._codes = [b""] * LINES  # of the characters: their font places, in order of ASCII
        self._undrawn = 0  # one bit for each line, and below for each page
        self._unsent = ALL_PAGES
        self._secret = 0  # pages on the glass that still show a private screen that has ended
        self._lit = False
        self._idle = 0
        self._next_page = 0

    def start(self):
        """Set the display up, dark until all its pages have been sent. Raises OSError if it doesn't answer."""
        self._lit = False
        self._idle = 0
        self._unsent = ALL_PAGES
        self._send(_OFF)
        self._send(_SETUP)
        self._send(self._power)

    def lines(self, lines, private_seat=0):
        """Show six lines (longer ones are cut). `private_seat`: the only seat that may read them, 0 for everybody."""
        changed = private_seat != self._private
        if changed and self._private:
            self._wipe()
        self._private = private_seat
        for row in range(LINES):
            line = lines[row][:LETTERS] if row < len(lines) else ""
            if line != self._texts[row]:
                changed = True
                self._texts[row] = line
                self._undrawn |= 1 << row
                codes = line.encode()
                if len(codes) != len(line):
                    codes = bytes([font.FIRST + font.place(letter) for letter in line])
                self._codes[row] = codes
        if changed:
            self.late = True

    def message(self):
        """The display's content as a message. A private screen isn't mirrored to anybody: its lines stay empty."""
        lines = [""] * LINES if self._private else list(self._texts)
        return {"t": "show", "lines": lines, "private": self._private}

    def _wipe(self):
        """Leave a private screen: discard everything drawn and send every page again."""
        for row in range(LINES):
            self._texts[row] = ""
            self._codes[row] = b""
        self._screen.fill(0)
        self._line.fill(0)
        self._undrawn = 0
        self._unsent = self._secret = ALL_PAGES

    def pump(self):
        """Do one piece of work; True while more is left. Raises OSError when the display doesn't
        answer: nothing is lost then, and `start` begins anew."""
        if self._undrawn and not (self._private and self._secret):
            row = 0
            while not self._undrawn >> row & 1:
                row += 1
            self._draw(row)
            self._undrawn &= ~(1 << row)
        elif self._unsent:
            page = 0
            while not self._unsent >> page & 1:
                page += 1
            self._send_page(page)
        elif not self._lit:
            self._send(_ON)
            self._lit = True
        else:
            self._idle += 1
            if self._idle >= self.idle_pumps:
                self._idle = 0
                self._send(_SETUP)
                if self._power_while_lit:
                    self._send(self._power)
                self._send_page(self._next_page)
                self._send(_ON)
                self._next_page = (self._next_page + 1) % PAGES
            return False
        return True

    def _draw(self, row):
        line = self._line
        line.fill(0)
        column = _MARGIN
        for code in self._codes[row]:
            if code != font.FIRST:
                place = code - font.FIRST if code > font.FIRST else font.BOX
                line.blit(self._font, column, -8 * place)
            column += 6
        top = TOPS[row]
        self._screen.blit(line, 0, top)
        self._unsent |= 1 << (top >> 3) | 1 << (top + 7 >> 3)

    def _send_page(self, page):
        self._at[1] = 0xB0 | page
        self._send(self._at)
        self._send(self._pages[page])
        left = ~(1 << page)
        self._unsent &= left
        self._secret &= left

    def _send(self, data):
        self._i2c.writeto(self._address, data)
