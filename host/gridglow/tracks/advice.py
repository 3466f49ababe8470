"""A game's build guidelines as advice on a track: never a reason to refuse it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from gridglow.texts import filled, read_language
from shared_rules.track import Track


@dataclass(frozen=True)
class Advice:
    """One guideline that a track breaks: its id, the numbers, and a sentence."""

    id: str
    args: list
    say: str

    def plain(self) -> dict:
        """The same for --json."""
        return {"id": self.id, "args": self.args, "say": self.say}


def advise(track: Track) -> list[Advice]:
    """What the track's game advises against; nothing if the game has no guidelines."""
    module = f"shared_rules.games.{track.game}.advice"
    try:
        hints = importlib.import_module(module).advise(track)
    except ModuleNotFoundError as error:
        if not module.startswith(error.name or "?"):
            raise
        return []
    texts = read_language("en")
    return [Advice(hint[0], list(hint[1:]), _say(texts, track.game, hint)) for hint in hints]


def _say(texts: dict[str, str], game: str, hint: list) -> str:
    sentence = texts.get(f"{game}.advice_" + hint[0].replace("-", "_"))
    if sentence is None:
        return " ".join(str(part) for part in hint)
    return filled(sentence, hint[1:])
