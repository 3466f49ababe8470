"""The faults that a board reports, in the pages' languages: lasting ones are kept until they're over."""

from __future__ import annotations

from functools import cache

from gridglow.texts import filled, read_language
from shared_rules.errors import GridglowError

LANGUAGES = ("en", "de")


class Faults:
    """The current faults, oldest first."""

    most = 32

    def __init__(self) -> None:
        self._lasting: dict[str, dict] = {}

    def take(self, message: dict) -> dict:
        """Takes a ``fault`` message and returns it as the pages get it, with ``says`` in each language."""
        about = message.get("about")
        says = {language: say for language in LANGUAGES if (say := said(message.get("text"), language))}
        found = {**message, **({"says": says} if says and "says" not in message else {})}
        if about:
            self._lasting.pop(about, None)
            if message.get("on") == 1 and len(self._lasting) < self.most:
                self._lasting[about] = found
        return found

    def clear(self) -> None:
        """Forgets all faults, as a board that says hello reports its faults again."""
        self._lasting.clear()

    def lasting(self) -> list[dict]:
        """The faults for a page that has just opened."""
        return list(self._lasting.values())


def said(text: object, language: str) -> str:
    """The sentence of a text [key, arg, …] as the board itself words it in this language; "" if there is none."""
    if not isinstance(text, list) or not text:
        return ""
    texts = _texts(language)
    found = texts.get(text[0]) if isinstance(text[0], str) else None
    return filled(found, [texts.get(arg[1:], arg) if isinstance(arg, str) and arg[:1] == "@" else arg
                          for arg in text[1:]]) if found else ""


@cache
def _texts(language: str) -> dict[str, str]:
    try:
        return read_language(language)
    except GridglowError:  # then use the board's own sentence
        return {}
