"""The lines of the link: what a board needs to write them, and no more of it than that.

A line is `>{json}*crc32` to the board and `<{json}*crc32` from it, in printable ASCII: other letters travel as \\uXXXX,
because 0x03 on the USB line would interrupt the program. An object has "t" (its type) and "n" (a number that the sender
counts up). What is no such line (modem probes, prints, tracebacks, half lines, echoes) is skipped and counted. The
whole table of messages is `link_table.py`; how a board reads them is in `link_read.py`.
"""

import binascii
import json

PROTOCOL = 1

TO_BOARD = ">"
FROM_BOARD = "<"

# Longest line in bytes without its end. A Pico holds one incoming line in its heap; a host has room for long prompts.
LINE_MAX = {TO_BOARD: 4096, FROM_BOARD: 65536}

#: Lines are numbered. A session's numbers begin at a multiple of this and 1, at random: so a new partner isn't taken for the
#: one before; what is farther away than `NEAR` is of another session. Number 0 stands outside, see link_again.py.
SESSION = 4096
SESSIONS = 0x3FFFF
NEAR = 64

#: Messages to a board that may be said twice under one number: those that count have their answer again, others ask only.
REPEATABLE = ("answer", "start", "resume", "why", "view", "info")

#: The message whose line isn't kept: what one seat alone may see is never sent twice.
NEVER_AGAIN = "view"

KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")


def session(chance):
    """The number before the first one of a session, from some random whole number."""
    return chance % SESSIONS * SESSION + SESSION


def following(number):
    """The number of the next line."""
    return number + 1 if number < (1 << 30) - 1 else 1


def ascii_json(value):
    """Return the JSON of `value` without spaces and in printable ASCII; MicroPython's own dumps leaves letters raw."""
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
    """The line (ASCII with its line end, as a bytearray) whose JSON is these texts one after the other. Raises ValueError
    with one sentence where it is too long."""
    size = 11 + sum([len(part) for part in parts])
    if size - 1 > LINE_MAX[direction]:
        raise ValueError("A line has at most " + str(LINE_MAX[direction]) + " bytes; this one has " + str(size - 1) + ".")
    line = bytearray(size)                         # filled part by part: a second copy of a long one has no room on a board
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
    """A value of a message whose JSON is there already, in printable ASCII, in pieces: what is long is made one by one."""

    def __init__(self, texts):
        self.texts = texts


def encode_bytes(direction, message, n):
    """The line that carries `message` (right by itself: a board knows what it sends) with the number `n`, as a bytearray."""
    parts = ['{"t":"' + message["t"] + '","n":' + str(n)]
    for name in message:
        value = message[name]
        if name != "t" and name != "n" and value is not None:
            parts.append(',"' + name + '":')
            parts += value.texts if isinstance(value, Json) else (ascii_json(value),)
    parts.append("}")
    return line_of(direction, parts)
