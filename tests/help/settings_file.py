"""A board's file save/settings, as its store writes it."""

import binascii
import json


def settings(*pairs):
    """The file with these settings, each as [name, value]."""
    body = json.dumps([list(pair) for pair in pairs], separators=(",", ":")).encode()
    return body + b" *%08x\n" % binascii.crc32(body)
