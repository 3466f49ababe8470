"""The cards that a board has learnt: read over the link at any time, changed in service mode.

    cards_of(talk)                       what each id stands for, in the order in which they were learnt
    keep(service, uid, meaning)          sets what an id stands for; returns a sentence about it, or ""
    forget(service, uid), clear(service)
    wait_for_card(service, limit_s)      the id of the next card put down
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
#: Ids of four bytes with this beginning are random: the card makes up a new one at each reading.
RANDOM = "08"
LOOK_S = 1.0


def cards_of(talk: Talk) -> dict[str, str]:
    """Id → what it stands for. Raises GridglowError if the board doesn't answer."""
    try:
        return parse(talk.read_file(FILE))
    except SaysNo:  # there is no such file yet
        return {}


def parse(data: bytes) -> dict[str, str]:
    """The cards in the board's file; damaged lines are skipped, as on the board."""
    found = {}
    for line in data.split(b"\n"):
        body, _, crc = line.rpartition(b" *")
        uid, _, meaning = body.decode("utf-8", "replace").partition(" ")
        if body and crc == b"%08x" % binascii.crc32(body) and meaning:
            found[uid] = meaning
    return found


def check_uid(text: str) -> str:
    """The id as the board writes it. Raises GridglowError for an invalid one."""
    uid = text.replace(":", "").replace(" ", "").upper()
    if not UID.fullmatch(uid):
        raise GridglowError(f"{text!r} is not the id of a card: expected 4 to 10 bytes in hexadecimal digits, such as "
                            "04A1B2C3D4E5F6; \"gridglow cards list\" shows the ones the board knows.")
    if len(uid) == 8 and uid.startswith(RANDOM):
        raise GridglowError(f"The id {uid} begins with 08: such a card makes up a new id each time, so it can't stand "
                            "for anything; use an NTAG21x or MIFARE sticker.")
    return uid


def check_meaning(words: str) -> str:
    """What a card stands for, as the board stores it. Raises GridglowError if it can't be stored."""
    meaning = " ".join(words.lower().replace("-", " ").replace("_", " ").split())
    if not meaning or len(meaning) > MEANING_MOST or not meaning.isprintable():
        raise GridglowError(f"Expected what the card stands for, in 1 to {MEANING_MOST} letters, such as \"red 3\"; got "
                            f"{words!r}.")
    return meaning


def keep(service: Service, uid: str, meaning: str) -> str:
    """Sets what a card stands for. Returns the board's sentence about it, or "". Raises GridglowError."""
    return _try(service, f"card {uid} {meaning}")


def forget(service: Service, uid: str) -> None:
    """Removes a card. Raises GridglowError."""
    _try(service, f"card {uid}")


def clear(service: Service) -> None:
    """Removes all cards. Raises GridglowError."""
    _try(service, "card")


def _try(service: Service, what: str) -> str:
    value = service.attempt(what)
    if value["state"] == "unknown":
        raise GridglowError("The Gridglow on this board is too old to change its cards; update it with: "
                            "gridglow flash")
    if value["state"] != "ok":
        why = value.get("say") or value.get("why") or value["state"]
        raise GridglowError(f"The board couldn't store that: {why} Nothing was changed.")
    return str(value.get("say") or "")


def wait_for_card(service: Service, limit_s: float, now: Callable[[], float] = time.monotonic) -> str:
    """The id of the card put down within `limit_s`. Raises GridglowError if there's none, or it's refused."""
    value = service.attempt("reader", 1)
    if value["state"] != "ok":
        raise GridglowError("No card reader answers on this board; check its plug, or try: gridglow doctor --steps "
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
