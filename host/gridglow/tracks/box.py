"""What comes in the box with a board: a die with its own faces, and cards that replace the game's house deck.

::

    die = ["red-1", "purple-2"]    # one word per face: letters, digits and hyphens; the game decides which are valid

    [[card]]
    word = "ahead-2"
    count = 3
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gridglow.tracks.levels import box_keys

if TYPE_CHECKING:
    from gridglow.tomlfile import Checker

WORD_FORM = r"[a-z0-9]+(-[a-z0-9]+)*"
WORD_MEANS = "a word of small letters, digits and hyphens"
MOST_FACES = 20
MOST_CARDS = 99


def take_die(check: Checker, table: dict, game: str | None) -> list[str]:
    """The faces of the board's die, [] if it has none of its own."""
    _check_used(check, table, game, "die", "never rolled")
    faces = check.take(table, (), "die", list, [])
    if faces is None:
        return []
    wrong = [face for face in faces if not isinstance(face, str) or not re.fullmatch(WORD_FORM, face)]
    if wrong or "die" in table and not 2 <= len(faces) <= MOST_FACES:
        found = repr(wrong[0]) if wrong else f"{len(faces)} of them"
        check.note(("die",), f"Expected 2 to {MOST_FACES} faces, each {WORD_MEANS}, found {found}.")
        return []
    return faces


def take_cards(check: Checker, table: dict, game: str | None) -> list[tuple[int, str]]:
    """(count, word) of the board's cards."""
    _check_used(check, table, game, "card", "never drawn")
    cards = []
    for i, one in enumerate(check.take_tables(table, (), "card", needed=False)):
        check.known(one, ("card", i), ("word", "count"))
        word = check.take_text(one, ("card", i), "word", WORD_FORM, WORD_MEANS)
        count = check.take_int(one, ("card", i), "count", 1, MOST_CARDS)
        if word and count:
            cards.append((count, word))
    return cards


def _check_used(check: Checker, table: dict, game: str | None, key: str, say: str) -> None:
    """Notes a die or cards that the game doesn't use, so that nobody waits for them."""
    if key in table and game is not None and key not in box_keys(game):
        check.note((key,), f"A board's {key} is {say} in {game}; remove it.")
