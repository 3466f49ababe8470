"""Turns a file of the board into messages, a piece in each."""

import binascii

#: Bytes of a file in one message, before base64.
FILE_CHUNK = 600


def part(name, k, of, data):
    """The message with part ``k`` (from 0) of ``of`` parts of a file."""
    text = binascii.b2a_base64(data).decode().strip()
    return {"t": "file", "name": name, "k": k, "of": of, "d": text}
