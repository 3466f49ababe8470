"""The cards that a board has learnt: read over the link at any time, changed in service mode.

    cards_of(talk)                       what each id stands for, in the order in which they were learnt
    keep(service, uid, meaning)          from now on; returns what there is to be told of it, or ""
    forget(service, uid), clear(service)
    wait_for_card(service, limit_s)      the id of the card that is put down next
"""

from __future__ import annotations

import binascii
import re
import time
from collections.abc import Callable

from gridglow.device.service import Service
from gridglow.device.talk import SaysNo, Talk
from shared_rules.errors import GridglowError

FILE = "save/cards"
MEANING_MOST = 40
UID = re.compile(r"(?:[0-9A-F]{2}){4,10}")
#: Ids of four bytes that begin so are made up anew each time that the card is read.
RANDOM = "08"
LOOK_S = 1.0


def cards_of(talk: Talk) -> dict[str, str]:
    """Id → what it stands for. Raises GridglowError where the board doesn't tell."""
    try:
        return parse(talk.read_file(FILE))
    except SaysNo:  # there is no such file yet
        return {}


def parse(data: bytes) -> dict[str, str]:
    """The cards in the board's file; a line that isn't whole is passed over, as the board does."""
    found = {}
    for line in data.split(b"\n"):
        body, _, crc = line.rpartition(b" *")
        uid, _, meaning = body.decode("utf-8", "replace").partition(" ")
        if body and crc == b"%08x" % binascii.crc32(body) and meaning:
            found[uid] = meaning
    return found


def check_uid(text: str) -> str:
    """An id as the board writes it. Raises GridglowError for what is none."""
    uid = text.replace(":", "").replace(" ", "").upper()
    if not UID.fullmatch(uid):
        raise GridglowError(f"{text!r} is no id of a card: expected 4 to 10 bytes in hexadecimal digits, such as "
                            "04A1B2C3D4E5F6; \"gridglow cards list\" shows those that the board knows.")
    if len(uid) == 8 and uid.startswith(RANDOM):
        raise GridglowError(f"The id {uid} begins with 08: such a card makes up a new one each time, so it can mean "
                            "nothing; take a sticker of the kind NTAG21x or MIFARE.")
    return uid


def check_meaning(words: str) -> str:
    """What a card stands for, as the board keeps it. Raises GridglowError for what can't be kept."""
    meaning = " ".join(words.lower().replace("-", " ").replace("_", " ").split())
    if not meaning or len(meaning) > MEANING_MOST or not meaning.isprintable():
        raise GridglowError(f"Expected what the card stands for, in 1 to {MEANING_MOST} letters, such as \"red 3\"; got "
                            f"{words!r}.")
    return meaning


def keep(service: Service, uid: str, meaning: str) -> str:
    """Have a card stand for something. Returns the board's sentence about it, or "". Raises GridglowError."""
    return _try(service, f"card {uid} {meaning}")


def forget(service: Service, uid: str) -> None:
    """Take a card out. Raises GridglowError."""
    _try(service, f"card {uid}")


def clear(service: Service) -> None:
    """Take all cards out. Raises GridglowError."""
    _try(service, "card")


def _try(service: Service, what: str) -> str:
    value = service.attempt(what)
    if value["state"] == "unknown":
        raise GridglowError("The Gridglow on this board is older and can't change its cards; bring it up to date with: "
                            "gridglow flash")
    if value["state"] != "ok":
        why = value.get("say") or value.get("why") or value["state"]
        raise GridglowError(f"The board could not keep that: {why} Nothing was changed.")
    return str(value.get("say") or "")


def wait_for_card(service: Service, limit_s: float, now: Callable[[], float] = time.monotonic) -> str:
    """The id of the card that is put down within `limit_s`. Raises GridglowError where none is, or it is refused."""
    value = service.attempt("reader", 1)
    if value["state"] != "ok":
        raise GridglowError("The board has no card reader that answers; look at its plug, or try: gridglow doctor --steps "
                            "reader")
    until = now() + limit_s
    try:
        while now() < until:
            for uid in service.cards(LOOK_S):
                return check_uid(uid)
            why = service.attempt("reader", 2).get("why")
            if why:
                raise GridglowError(f"{why} Put one card down by itself, and repeat the command.")
    finally:
        service.attempt("reader", 0)
    raise GridglowError(f"No card was put down within {limit_s:g} s; nothing was changed.")
