"""The messages between a board and its host: one table that both ends read, and the lines that carry them.

A line is `>{json}*crc32` to the board and `<{json}*crc32` from it, in printable ASCII: other letters travel as \\uXXXX,
because 0x03 on the USB line would interrupt the program. An object has "t" (its type) and "n" (a number that the sender
counts up). What is no such line (modem probes, prints, tracebacks, half lines, echoes) is skipped and counted.
"""

import binascii
import json

PROTOCOL = 1

TO_BOARD = ">"
FROM_BOARD = "<"

# Longest line in bytes without its end. A Pico holds one incoming line in its heap; a host has room for long prompts.
LINE_MAX = {TO_BOARD: 4096, FROM_BOARD: 65536}

KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")
STATES = ("idle", "menu", "start", "race", "podium")

# One entry a message: its type and its fields, "name:kind". A "?" behind the kind: the field may be missing or null.
# Kinds: int (0 … 2^30), text, hex, base64 (texts of such characters), key and state (words of the lists above),
# ints, texts, rows (list of lists), objects (list of objects), object, list (of anything).
MESSAGES = {
    TO_BOARD: (
        ("hi", "v:int"),  # the host is there and speaks version v; the board answers hello and a full picture
        ("key", "p:int k:key d:int"),  # panel from 1, d 1 pressed, 0 let go
        ("answer", "seat:int serial:int text:text"),
        ("start", "setup:object"),
        ("resume", ""),
        ("view", "seat:int"),
        ("why", "seat:int"),
        ("journal", ""),
        ("stop", ""),
    ),
    FROM_BOARD: (
        # outputs: [pixels, use]; dials: [panel, label, output, first pixel, pixels, "ring" or "bar"?] of each dial
        ("hello", "v:int fw:text board:text outputs:rows panels:int display:ints impl:text dials:rows?"),
        ("px", "o:int d:hex"),  # output from 0; RRGGBB of each of its pixels, after the limits
        ("show", "lines:texts private:int"),  # the display; private: the seat that alone may read it, or 0
        ("sound", "name:text"),
        # What can be played here: games [{id, name, variants: [id or [id, name]], options: [[key, values, default,
        # label, labels of the values?]], seats: [min, max], decks: 0|1?, tracks: [{id, name, level, number, laps}]}]
        ("menu", "games:objects"),
        # seats: [kind, name]; cars: [car, seat, label, colour, rhythm]; panels: seats that panel 1, 2 … serve;
        # lights: how many of the five start lights are lit
        (
            "race",
            (
                "state:state game:text variant:text track:text laps:int lap:int seats:rows cars:rows dice:text "
                "decks:text seed_hash:text panels:list lights:int?"
            ),
        ),
        ("prompts", "list:objects"),  # Prompt.plain() with "say" (a sentence) and "labels" (one a choice)
        # cars: [car, "12b" or "", status]; dials: [seat, car, label, value, max]; marks: ["12b", mark]
        ("scene", "cars:rows lap:int laps:int lines:texts dials:rows events:rows marks:rows?"),
        ("standings", "list:rows final:int"),  # [seat, car, place, points, label], best first
        ("line", "i:int seat:int text:text say:text clause:text pd:text"),  # one line of the journal
        ("view", "seat:int prompt:object? private:list"),
        ("why", "seat:int items:rows"),  # [answer, sentence, clause]
        ("file", "name:text k:int of:int d:base64"),  # part k (from 0) of `of`
        ("ok", "re:int"),
        ("no", "re:int say:text clause:text"),
        ("fault", "say:text"),
        ("stat", "heap_free:int frames:int dropped:int tick_us:int"),
        # The end of a race without people: standings [seat, car, place, points]
        ("done", "digest:text answers:int turns:int standings:rows seed:text public:text?"),
    ),
}

_INT_MAX = 1 << 30
_WORDS = {
    "int": "a whole number from 0 to 1073741824",
    "text": "a text",
    "hex": "a text of hexadecimal digits",
    "base64": "a text in base64",
    "key": "one of " + " ".join(KEYS),
    "state": "one of " + " ".join(STATES),
    "ints": "a list of whole numbers",
    "texts": "a list of texts",
    "rows": "a list of lists",
    "objects": "a list of objects",
    "object": "an object",
    "list": "a list",
}


def types(direction):
    """Return the types of the messages that travel in `direction` (">" or "<"), in the order of the table."""
    return [entry[0] for entry in MESSAGES[direction]]


def fields(direction, kind):
    """Return the fields of a message as a list of (name, kind, needed), or None where the table has no such type."""
    for entry in MESSAGES[direction]:
        if entry[0] == kind:
            found = []
            for word in entry[1].split():
                name, value = word.split(":")
                needed = not value.endswith("?")
                found.append((name, value if needed else value[:-1], needed))
            return found
    return None


def check(kind, message, direction=None):
    """Check `message` (an object) against the table as a message of type `kind`.

    Return None where it is right, else one sentence. Without a direction a message of either direction is right.
    Fields that the table does not know are let pass: a newer partner may have more to say.
    """
    if not isinstance(message, dict):
        return "A message is an object with a type, not " + _shown(message) + "."
    if not isinstance(kind, str):
        return "A message needs its type as a text in \"t\", not " + _shown(kind) + "."
    if direction is None:
        wrong = check(kind, message, TO_BOARD)
        return wrong if wrong is None or fields(FROM_BOARD, kind) is None else check(kind, message, FROM_BOARD)
    wanted = fields(direction, kind)
    if wanted is None:
        return "The type of a message is one of " + " ".join(types(direction)) + ", not " + _shown(kind) + "."
    for name, sort, needed in wanted:
        value = message.get(name)
        if value is None:
            if needed:
                return "The message " + kind + " needs the field " + name + ", " + _WORDS[sort] + "; it is missing."
        elif not _fits(sort, value):
            return "The field " + name + " of " + kind + " is " + _WORDS[sort] + ", not " + _shown(value) + "."
    number = message.get("n", 0)
    if not _fits("int", number):
        return "The field n of " + kind + " is " + _WORDS["int"] + ", not " + _shown(number) + "."
    return None


def _is_int(value):
    return isinstance(value, int) and value is not True and value is not False and 0 <= value <= _INT_MAX


def _all(value, kind):
    if not isinstance(value, (list, tuple)):
        return False
    for item in value:
        if not isinstance(item, kind):
            return False
    return True


def _fits(sort, value):
    if sort == "int":
        return _is_int(value)
    if sort == "text":
        return isinstance(value, str)
    if sort == "hex" or sort == "base64":
        if not isinstance(value, str):
            return False
        try:  # one copy and no loop: a frame of pixels is 2,520 letters
            if sort == "hex":
                binascii.unhexlify(value)
                return True
            binascii.a2b_base64(value)
        except ValueError:
            return False
        return '"' not in value and "\\" not in value and len(value) == len(value.encode())
    if sort == "key":
        return isinstance(value, str) and value in KEYS
    if sort == "state":
        return isinstance(value, str) and value in STATES
    if sort == "ints":
        if not isinstance(value, (list, tuple)):
            return False
        for item in value:
            if not _is_int(item):
                return False
        return True
    if sort == "object":
        return isinstance(value, dict)
    return _all(value, {"texts": str, "rows": (list, tuple), "objects": dict, "list": object}[sort])


def _shown(value):
    """A short ASCII picture of a value for a sentence: what came may be long or strange."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list" if len(value) else "an empty list"
    try:
        text = ascii_json(value)
    except (TypeError, ValueError):
        return "something else"
    return text if len(text) <= 40 else text[:37] + "..."


def ascii_json(value):
    """Return the JSON of `value` without spaces and in printable ASCII; MicroPython's own dumps leaves letters raw."""
    text = json.dumps(value, separators=(",", ":"))
    if len(text.encode()) == len(text) and "\x7f" not in text:
        return text
    out = []
    for letter in text:
        code = ord(letter)
        if 32 <= code < 127:
            out.append(letter)
        elif code < 0x10000:
            out.append("\\u%04x" % code)
        else:
            code -= 0x10000
            out.append("\\u%04x\\u%04x" % (0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)))
    return "".join(out)


def encode(direction, message, n=None):
    """Return the line (a text in ASCII with its line end) that carries `message`, with the number `n` where given.

    Type and number come first and the fields in the order of the table, so both interpreters write the same line for
    the same flat message. Raises ValueError with one sentence where the table has no such message.
    """
    wrong = check(message.get("t"), message, direction)
    if wrong:
        raise ValueError(wrong)
    kind = message["t"]
    parts = [direction, '{"t":"' + kind + '","n":' + str(message.get("n", 0) if n is None else n)]
    for name, sort, _needed in fields(direction, kind):
        value = message.get(name)
        if value is None:
            continue
        parts.append(',"' + name + '":')
        if sort in ("hex", "base64"):  # long, and nothing to escape: on a Pico each copy less counts
            parts.append('"')
            parts.append(value)
            parts.append('"')
        else:
            parts.append(ascii_json(value))
    parts.append("}")
    crc = 0
    size = 10
    for at in range(1, len(parts)):
        crc = binascii.crc32(parts[at].encode(), crc)
        size += len(parts[at])
    if size > LINE_MAX[direction]:
        raise ValueError(
            "A line has at most " + str(LINE_MAX[direction]) + " bytes; this " + kind + " has " + str(size) + "."
        )
    parts.append("*%08x\n" % (crc & 0xFFFFFFFF))
    return "".join(parts)


def decode(direction, line):
    """Return the message on one line (bytes without the line end). Raises ValueError with one sentence otherwise."""
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
    wrong = check(message.get("t") if isinstance(message, dict) else None, message, direction)
    if wrong:
        raise ValueError(wrong)
    return message


def _pairs_joined(text):
    """Join the two halves of each letter beyond 0xFFFF: MicroPython's loads would make two broken ones of them."""
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
    """The ten bits of the half letter \\uXXXX at `at` that belongs to `base`, or -1."""
    digits = text[at + 2 : at + 6]
    if text[at : at + 2] != "\\u" or len(digits) != 4:
        return -1
    try:
        code = int(digits, 16) - base
    except ValueError:
        return -1
    return code if 0 <= code < 0x400 else -1


class Decoder:
    """Makes messages of the bytes of one direction, in whatever pieces they come.

    `skipped` counts the lines (or pieces of lines) that were no message; `last_fault` is the sentence about the last.
    `noise` is the last such line since the last message (bytes, cut): after the end of a program its last words.
    """

    resyncs_per_line = 8  # a message may start behind noise on the same line; how often that is tried

    def __init__(self, direction):
        self.direction = direction
        self.skipped = 0
        self.last_fault = ""
        self.noise = b""
        self._start = (direction + "{").encode()
        self._part = b""
        self._overlong = False

    def feed(self, data):
        """Take bytes, return the list of messages that became complete; nothing is raised, whatever came."""
        found = []
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
                else:
                    self._part = self._part + piece if self._part else piece
            if end < 0:
                return found
            line = self._part
            self._part = b""
            if not self._overlong:
                message = self._line(line)
                if message is not None:
                    found.append(message)
                    self.noise = b""
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
                return decode(self.direction, line[start:])
            except ValueError as error:
                if tries == 0 and line.find(self._start) == 0:
                    self._skip(str(error), line)
                elif tries == 0:
                    self.last_fault = str(error)
            start = line.find(self._start, start + 1)
            tries += 1
        return None

    def _skip(self, why, line):
        self.skipped += 1
        self.last_fault = why
        self.noise = bytes(line[:120])
