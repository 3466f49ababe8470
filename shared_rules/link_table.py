"""The messages between a board and its host: one table for both ends, and the lines that carry them.

A line is `>{json}*crc32` to the board and `<{json}*crc32` from it, in printable ASCII: other letters travel as \\uXXXX,
because 0x03 on the USB line would interrupt the program. An object has "t" (its type) and "n" (a number that the sender
counts up). Anything else (modem probes, prints, tracebacks, half lines, echoes) is skipped and counted.
"""

import binascii

from shared_rules.link_lines import (
    FROM_BOARD,
    KEYS,
    LINE_MAX,
    PROTOCOL,
    TO_BOARD,
    ascii_json,
    line_of,
)
from shared_rules.link_read import MESSAGES_TO_BOARD, is_int, read_line
from shared_rules.link_read import Decoder as _LineDecoder

__all__ = ("ANSWERS", "FROM_BOARD", "KEYS", "LINE_MAX", "MESSAGES", "PROTOCOL", "STATES", "TO_BOARD", "Decoder",
           "answer_to", "ascii_json", "check", "decode", "encode", "fields", "types")

STATES = ("idle", "menu", "start", "race", "podium", "service")

# One entry per message: its type and its fields, "name:kind". A "?" after the kind: the field may be missing or null.
# Kinds: int (0 … 2^30), text, hex, base64 (texts of such characters), key and state (words of the lists above),
# ints, texts, rows (list of lists), objects (list of objects), object, list (of anything).
MESSAGES = {
    TO_BOARD: MESSAGES_TO_BOARD,
    FROM_BOARD: (
        # outputs: [pixels, use]; dials: [panel, label, output, first pixel, pixels, "ring" or "bar"?] of each dial;
        # lang: the language of its sentences, "en" or "de"; left: the panels whose keys are in left-handed order
        ("hello", "v:int fw:text board:text outputs:rows panels:int display:ints impl:text dials:rows? lang:text? "
                  "left:ints?"),
        ("px", "o:int d:hex"),  # output from 0; RRGGBB of each of its pixels, after the limits
        ("show", "lines:texts private:int"),  # the display; private: the only seat that may read it, or 0
        ("sound", "name:text"),
        # What can be played here: games [{id, name, variants: [id or [id, name]], options: [[key, values, default,
        # label, labels of the values?]], seats: [min, max], decks: 0|1?, laps: 0|1?,
        # tracks: [{id, name, level, number, laps}]}]; in messages k, from 0 to the last:
        # an id that came before brings more tracks
        ("menu", "games:objects k:int? last:int?"),
        # seats: [kind, name]; cars: [car, seat, label, colour, rhythm]; panels: the seats that panels 1, 2 … serve;
        # lights: how many of the five start lights are lit
        (
            "race",
            (
                "state:state game:text variant:text track:text laps:int lap:int seats:rows cars:rows dice:text "
                "decks:text seed_hash:text panels:list lights:int?"
            ),
        ),
        ("prompts", "list:objects"),  # Prompt.plain() with "say" (a sentence), "labels" (one per choice),
        # "teach" (a sentence that explains it) while its seat doesn't know this kind of question, and "ends" (the
        # space of each choice) where choices lead to spaces without naming them
        # cars: [car, "12b" or "", status]; marks: ["12b", mark, name, colour], the last two only if it has a name
        # dials: [seat, car, label, value, max, the value from which it warns?]
        ("scene", "cars:rows lap:int laps:int lines:texts dials:rows events:rows marks:rows?"),
        ("standings", "list:rows final:int"),  # [seat, car, place, points, label], best first
        ("line", "i:int seat:int text:text say:text clause:text pd:text"),  # one line of the journal
        ("view", "seat:int prompt:object? private:list re:int?"),
        ("why", "seat:int items:rows re:int?"),  # [answer, sentence, clause]
        ("file", "name:text k:int of:int d:base64"),  # part k (from 0) of `of`
        ("ok", "re:int"),
        ("no", "re:int say:text clause:text"),
        # A fault begins (on: 1) or ends (on: 0), with what is wrong in `about`; without them it is momentary. text: its
        # [text key, arg, …], for telling it in another language
        ("fault", "say:text text:list? about:text? on:int?"),
        # What the host tool asks for: about: who the board is and how its parts are; edge: a key in service mode; card: one
        # on the reader; tried: the result of a `try`
        ("info", "about:object"),
        ("edge", "p:int k:text d:int"),
        ("card", "uid:text"),
        ("tried", "what:text value:object"),
        ("stat", "heap_free:int frames:int dropped:int tick_us:int"),
        # The end of a race of bots alone: standings [seat, car, place, points]
        ("done", "digest:text answers:int turns:int standings:rows seed:text public:text?"),
        ("again", "of:int"),  # as in messages to the board
        ("gone", ""),
    ),
}

# The one answer that each message to the board has, which ends the sender's wait. "no" may come instead of any of them,
# with the reason. `ok`, `no`, `view` and `why` carry the number of the message that they answer as `re`; a file comes in
# parts. A key has no answer: the display shows what it does.
ANSWERS = (
    ("hi", "hello"), ("key", ""), ("answer", "ok"), ("start", "ok"), ("resume", "ok"), ("view", "view"), ("why", "why"),
    ("journal", "file"), ("stop", "ok"), ("info", "info"), ("mirror", "ok"), ("read", "file"), ("put", "ok"),
    ("commit", "ok"), ("service", "ok"), ("try", "tried"), ("crash", "file"), ("reset", "ok"),
)

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


def answer_to(kind):
    """Return the type of the answer to a message of this type to the board, "" if it has none."""
    for asked, answer in ANSWERS:
        if asked == kind:
            return answer
    return ""


def fields(direction, kind):
    """Return the fields of a message as a list of (name, kind, needed), or None if the table has no such type."""
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

    Return None if it is correct, else one sentence. Without a direction, messages of both directions are correct.
    Fields that the table doesn't know are accepted: a newer partner may have more to say.
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


def _all(value, kind):
    if not isinstance(value, (list, tuple)):
        return False
    for item in value:
        if not isinstance(item, kind):
            return False
    return True


def _fits(sort, value):
    if sort == "int":
        return is_int(value)
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
            if not is_int(item):
                return False
        return True
    if sort == "object":
        return isinstance(value, dict)
    return _all(value, {"texts": str, "rows": (list, tuple), "objects": dict, "list": object}[sort])


def _shown(value):
    """A short ASCII form of a value for a sentence: what came may be long or strange."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list" if len(value) else "an empty list"
    try:
        text = ascii_json(value)
    except (TypeError, ValueError):
        return "something else"
    return text if len(text) <= 40 else text[:37] + "..."


def encode(direction, message, n=None):
    """Return the line (a text in ASCII with its line end) that carries `message`, with the number `n` where given.

    Type and number come first and the fields in the order of the table, so both interpreters write the same line for
    the same flat message. Raises ValueError with one sentence if the table has no such message.
    """
    wrong = check(message.get("t"), message, direction)
    if wrong:
        raise ValueError(wrong)
    kind = message["t"]
    parts = ['{"t":"' + kind + '","n":' + str(message.get("n", 0) if n is None else n)]
    for name, sort, _needed in fields(direction, kind):
        value = message.get(name)
        if value is None:
            continue
        parts.append(',"' + name + '":')
        if sort in ("hex", "base64"):  # long, and nothing to escape: on a Pico every saved copy counts
            parts.append('"')
            parts.append(value)
            parts.append('"')
        else:
            parts.append(ascii_json(value))
    parts.append("}")
    return line_of(direction, parts).decode()


def decode(direction, line):
    """Return the message on one line (bytes without the line end). Raises ValueError with one sentence otherwise."""
    message = read_line(direction, line)
    wrong = check(message.get("t") if isinstance(message, dict) else None, message, direction)
    if wrong:
        raise ValueError(wrong)
    return message


class Decoder(_LineDecoder):
    """Makes messages from the bytes of one direction, checked against the whole table."""

    def read(self, line):
        return decode(self.direction, line)
