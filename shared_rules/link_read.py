"""Reading the lines of the link: what a board needs once a host has something to say. See `link_lines.py`."""

import binascii
import json

from shared_rules.link_lines import KEYS, LINE_MAX

# The messages to the board: a type and its fields, "name:kind", as `link_table.py` describes them.
MESSAGES_TO_BOARD = (
    ("hi", "v:int"),  # the host is there and speaks version v; the board answers hello and a full picture
    ("key", "p:int k:key d:int"),  # panel from 1, d 1 pressed, 0 let go
    ("answer", "seat:int serial:int text:text"),
    ("start", "setup:object"),
    ("resume", ""),
    ("view", "seat:int"),
    ("why", "seat:int"),
    ("journal", ""),
    ("stop", ""),
    # For the host tool. mirror: whether pixels and display go out as messages.
    ("info", ""),
    ("mirror", "on:int"),
    ("read", "name:text"),  # a file on the flash that isn't secret; the answer is `file`
    ("put", "name:text k:int of:int d:text"),  # part k (from 0) of a file to be installed, in base64
    ("commit", "name:text crc:text"),  # installs what was put, listed in the manifest `name` with this CRC-32
    ("service", "on:int force:int?"),  # service mode: no race, no watchdog, parts tried one by one
    ("try", "what:text a:int? b:int? c:int?"),  # in service mode
    ("crash", ""),  # what the crash box holds, as a `file`
    ("reset", "how:text"),  # "run", "safe", "bootloader" or "repl"
    # About the lines themselves, see link_again.py. again: the line with this number came broken; gone: it is no longer kept
    ("again", "of:int"),
    ("gone", ""),
)

INT_MAX = 1 << 30


def is_int(value):
    """Whether a value is a whole number as messages carry them."""
    return isinstance(value, int) and value is not True and value is not False and 0 <= value <= INT_MAX


def known(message):
    """Whether this is a message to the board with correct fields; `link_table.check` says what is wrong with others."""
    if not isinstance(message, dict) or not is_int(message.get("n", 0)):
        return False
    for kind, fields in MESSAGES_TO_BOARD:
        if kind == message.get("t"):
            for field in fields.split():
                name, sort = field.split(":")
                value = message.get(name)
                if sort[-1] == "?":
                    if value is None:
                        continue
                    sort = sort[:-1]
                if sort == "int":
                    right = is_int(value)
                elif sort == "object":
                    right = isinstance(value, dict)
                else:
                    right = isinstance(value, str) and (sort == "text" or value in KEYS)
                if not right:
                    return False
            return True
    return False


def read_line(direction, line):
    """The object on one line (bytes without the line end). Raises ValueError with one sentence if there is none."""
    if len(line) < 12 or line[:2] != (direction + "{").encode() or line[-9:-8] != b"*":
        raise ValueError("A line is " + direction + "{json}*crc32; this one is not.")
    body = bytes(line[1:-9])
    if ("%08x" % (binascii.crc32(body) & 0xFFFFFFFF)).encode() != bytes(line[-8:]):
        raise ValueError("The checksum of the line is wrong.")
    try:
        text = str(body, "ascii")
        message = json.loads(_pairs_joined(text) if "\\ud" in text else text)
    except (ValueError, UnicodeError, RuntimeError):
        raise ValueError("The line holds no JSON.")
    return message


def number_of(start, line):
    """The number in the head of a broken line; 0 if it can't be read, -1 if it is no line at all."""
    at = line.find(start)
    if at < 0:
        return -1
    at = line.find(b'"n":', at)
    number = 0
    if at >= 0:
        for byte in line[at + 4:at + 14]:
            if not 48 <= byte <= 57:
                return number if byte == 44 and number <= INT_MAX else 0
            number = number * 10 + byte - 48
    return 0


def _pairs_joined(text):
    """Joins the two halves of each character beyond 0xFFFF: MicroPython's loads would make two broken ones of them."""
    out = []
    at = 0
    while True:
        slash = text.find("\\", at)
        if slash < 0:
            out.append(text[at:])
            return "".join(out)
        out.append(text[at:slash])
        high = _half(text, slash, 0xD800)
        low = _half(text, slash + 6, 0xDC00) if high >= 0 else -1
        if low >= 0:
            out.append(chr(0x10000 + (high << 10) + low))
            at = slash + 12
        elif high >= 0 or _half(text, slash, 0xDC00) >= 0:
            out.append("?")
            at = slash + 6
        else:
            out.append(text[slash : slash + 2])
            at = slash + 2


def _half(text, at, base):
    """The ten bits of the half character \\uXXXX at `at` that belongs to `base`, or -1."""
    digits = text[at + 2 : at + 6]
    if text[at : at + 2] != "\\u" or len(digits) != 4:
        return -1
    try:
        code = int(digits, 16) - base
    except ValueError:
        return -1
    return code if 0 <= code < 0x400 else -1


class Decoder:
    """Makes messages from the bytes of one direction, in whatever pieces they come.

    `skipped` counts the lines (or pieces of lines) that were no message; `last_fault` is the sentence about the last one.
    `noise` is the last such line since the last message (bytes, cut): after a program ends, its last words.
    """

    resyncs_per_line = 8  # a message may follow noise on the same line; how often to try that

    def __init__(self, direction):
        self.direction = direction
        self.skipped = 0
        self.last_fault = ""
        self.noise = b""
        self._start = (direction + "{").encode()
        self._part = b""
        self._overlong = False
        self._order = None
        self._now_ms = 0

    def read(self, line):
        """The message on one line; raises ValueError with one sentence for anything else."""
        message = read_line(self.direction, line)
        if not known(message):
            raise ValueError("The line holds no message to a board.")
        return message

    def feed(self, data, order=None, now_ms=0):
        """Takes bytes and returns the list of completed messages; never raises, whatever came. An `Order`
        (see link_again.py) gets the messages instead of the list, and the broken lines too."""
        found = []
        self._order = order
        self._now_ms = now_ms
        data = bytes(data)
        at = 0
        while True:
            end = data.find(b"\n", at)
            piece = data[at:] if end < 0 else data[at:end]
            if not self._overlong:
                if len(self._part) + len(piece) > LINE_MAX[self.direction] + 1:  # one more for a \r
                    self._skip("A line has at most " + str(LINE_MAX[self.direction]) + " bytes; a longer one came.", b"")
                    self._overlong = True
                    self._part = b""
                    self._tell_broken(b"")
                else:
                    self._part = self._part + piece if self._part else piece
            if end < 0:
                return found
            line = self._part
            self._part = b""
            if not self._overlong:
                message = self._line(line)
                if message is not None:
                    self.noise = b""
                    if order is None:
                        found.append(message)
                    else:
                        order.take(message, now_ms)
                elif line.strip():
                    self._tell_broken(line)
            self._overlong = False
            at = end + 1

    def _line(self, line):
        while line[-1:] == b"\r":
            line = line[:-1]
        if not line:
            return None
        start = line.find(self._start)
        if start != 0:
            self._skip("A line is " + self.direction + "{json}*crc32; something else came.", line)
        tries = 0
        while start >= 0 and tries < self.resyncs_per_line:
            try:
                return self.read(line[start:])
            except ValueError as error:
                if tries == 0 and line.find(self._start) == 0:
                    self._skip(str(error), line)
                elif tries == 0:
                    self.last_fault = str(error)
            start = line.find(self._start, start + 1)
            tries += 1
        return None

    def _tell_broken(self, line):
        if self._order is not None:
            self._order.broken(number_of(self._start, line), self._now_ms)

    def _skip(self, why, line):
        self.skipped += 1
        self.last_fault = why
        self.noise = bytes(line[:120])
