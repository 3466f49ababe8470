"""The lines of the link: what a board needs to write them, and no more.

A line is `>{json}*crc32` to the board and `<{json}*crc32` from it, in printable ASCII: other letters travel as \\uXXXX,
because 0x03 on the USB line would interrupt the program. An object has "t" (its type) and "n" (a number that the sender
counts up). Anything else (modem probes, prints, tracebacks, half lines, echoes) is skipped and counted. The
whole table of messages is in `link_table.py`; how a board reads them is in `link_read.py`.
"""

import binascii
import json

PROTOCOL = 1

TO_BOARD = ">"
FROM_BOARD = "<"

# Longest line in bytes without its end. A Pico holds one incoming line in its heap; a host has room for long prompts.
LINE_MAX = {TO_BOARD: 4096, FROM_BOARD: 65536}

#: Lines are numbered. A session's numbers begin at 1 more than a random multiple of this, so that a new partner isn't taken
#: for the old one; a number farther off than `NEAR` is from another session. Number 0 is outside the count: link_again.py.
SESSION = 4096
SESSIONS = 0x3FFFF
NEAR = 64

#: Messages to a board that may be sent twice under one number: those that count get their answer again, others only ask.
REPEATABLE = ("answer", "start", "resume", "why", "view", "info")

#: The message whose line isn't kept: what only one seat may see is never sent twice.
NEVER_AGAIN = "view"

KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")


def session(chance):
    """The number before a session's first one, from a random whole number."""
    return chance % SESSIONS * SESSION + SESSION


def following(number):
    """The next line's number."""
    return number + 1 if number < (1 << 30) - 1 else 1


def ascii_json(value):
    """The JSON of `value`, without spaces and in printable ASCII; MicroPython's own dumps leaves letters raw."""
    text = json.dumps(value, separators=(",", ":"))
    if _is_ascii(text):
        return text
    return ",".join([part if _is_ascii(part) else _escaped(part) for part in text.split(",")])


def _is_ascii(text):
    return len(text.encode()) == len(text) and "\x7f" not in text


def _escaped(text):
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


def line_of(direction, parts):
    """The line (ASCII with its line end, as a bytearray) whose JSON is these texts joined. Raises ValueError
    with one sentence if it is too long."""
    size = 11 + sum([len(part) for part in parts])
    if size - 1 > LINE_MAX[direction]:
        raise ValueError("A line has at most " + str(LINE_MAX[direction]) + " bytes; this one has " + str(size - 1) + ".")
    line = bytearray(size)                         # filled part by part: a board has no room for a second copy of a long one
    line[:1] = direction.encode()
    at = 1
    crc = 0
    for part in parts:
        data = part.encode()
        crc = binascii.crc32(data, crc)
        line[at:at + len(data)] = data
        at += len(data)
    line[at:] = ("*%08x\n" % (crc & 0xFFFFFFFF)).encode()
    return line


class Json:
    """A message's value whose JSON exists already, in printable ASCII, in pieces: long ones are made piece by piece."""

    def __init__(self, texts):
        self.texts = texts


def encode_bytes(direction, message, n):
    """The line that carries `message` (unchecked: a board knows what it sends) with the number `n`, as a bytearray."""
    parts = ['{"t":"' + message["t"] + '","n":' + str(n)]
    for name in message:
        value = message[name]
        if name != "t" and name != "n" and value is not None:
            parts.append(',"' + name + '":')
            parts += value.texts if isinstance(value, Json) else (ascii_json(value),)
    parts.append("}")
    return line_of(direction, parts)
