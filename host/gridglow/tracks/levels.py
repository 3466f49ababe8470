"""What the games say about their tracks, read from each ``About``: nothing here knows a game by name.

``LEVELS`` are the levels that a game's tracks may have, ``CORNERS_HAVE_DIFFICULTY`` says that every corner needs one,
``START_CARD`` is how many cars stand on the card before the first row, ``BOX`` what a board may include: a ``die``, a deck
of cards (``card``). A game has a folder and tracks before it is in ``games.NAMES``: so folders count.
"""

from __future__ import annotations

import importlib
from functools import lru_cache

from gridglow import paths


@lru_cache(maxsize=1)
def abouts() -> dict[str, type]:
    """{id: About} of all games whose folder defines levels."""
    names = sorted(path.parent.name for path in (paths.rules_folder() / "games").glob("*/about.py"))
    found = {name: importlib.import_module(f"shared_rules.games.{name}.about").About for name in names}
    return {name: about for name, about in found.items() if levels_of(about)}


def levels_of(about: type) -> tuple[str, ...]:
    """The levels that an About names; () if none."""
    return tuple(getattr(about, "LEVELS", ()))


def needs_difficulty(game: str | None) -> bool:
    """Whether every corner must have a difficulty; also if the game is unknown."""
    about = abouts().get(game or "")
    return about is None or getattr(about, "CORNERS_HAVE_DIFFICULTY", False)


def box_keys(game: str) -> tuple[str, ...]:
    """Which of ``die`` and ``card`` a game uses from a board; () if neither."""
    return tuple(getattr(abouts().get(game), "BOX", ()))


def start_card(game: str | None) -> int:
    """The most cars on the game's start card; 0 if it has none."""
    return getattr(abouts().get(game or ""), "START_CARD", 0)
