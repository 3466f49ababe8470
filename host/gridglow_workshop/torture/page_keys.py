"""The seats' keys for the trial `page`: nobody guesses one, and each opens one seat only, as long as its players play."""

from __future__ import annotations

import math
import string

from gridglow.virtual.access import SeatKeys
from gridglow_workshop.torture.chances import chi_square_chance

SEATS = 6
LETTERS = string.ascii_letters + string.digits + "-_"
#: 16 random bytes in base64; the last character has four more bits than they have.
KEY_LETTERS, FULL_LETTERS = 22, 21
LEAST_BITS = 128
#: Keys with characters as uneven as this would occur by mere chance once in this many runs.
ALARM = 1e-9


def try_keys(count: int, failures: list[str]) -> tuple[int, list[str]]:
    """Has this many keys made, race after race; returns how many, and facts."""
    seen: set[str] = set()
    letters = dict.fromkeys(LETTERS, 0)
    keys = SeatKeys()
    before: list[str] = []
    races = math.ceil(count / SEATS)
    for race in range(races):
        keys.take([["person", f"{race}-{seat}"] for seat in range(1, SEATS + 1)])
        links = [path.rpartition("/")[2] for _seat, _name, path in keys.links()]
        if any(keys.seat_of(key) for key in before):
            failures.append("a previous player's key still opened a seat")
        for seat, key in enumerate(links, 1):
            if keys.seat_of(key) != seat:
                failures.append(f"the key of seat {seat} opened seat {keys.seat_of(key)}")
            if len(key) < KEY_LETTERS or set(key) - set(LETTERS):
                failures.append(f"a key has {len(key)} characters, expected {KEY_LETTERS} of base64")
            for letter in key[:FULL_LETTERS]:
                letters[letter] = letters.get(letter, 0) + 1
        first, second = links[:2]
        for wrong in ("", first[:-1], first + "A", first.swapcase(), "\ud800", "\x00", first[:11] + second[11:]):
            if wrong not in links and keys.seat_of(wrong):
                failures.append(f"{wrong!r} opened a seat")
        seen.update(links)
        before = links
    made = races * SEATS
    if len(seen) != made:
        failures.append(f"{made - len(seen)} of {made} keys were made twice")
    counts = [letters[letter] for letter in LETTERS]
    chance = chi_square_chance(counts, [sum(counts) / len(counts)] * len(counts))
    if chance < ALARM:
        failures.append(f"the characters of {made} keys are uneven (chance {chance:.1e})")
    return made, [f"{made} keys of {LEAST_BITS} random bits, no two alike, each for one seat; their characters are even "
                  f"(chance {chance:.2g}, alarm below {ALARM:g})."]
