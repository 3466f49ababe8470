"""The file save/settings of a board, as its store writes it."""

import binascii
import json


def settings(*pairs):
    """The file with these settings, [name, value] each."""
    body = json.dumps([list(pair) for pair in pairs], separators=(",", ":")).encode()
    return body + b" *%08x\n" % binascii.crc32(body)
