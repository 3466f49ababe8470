"""Journals replayed on interpreters: everything is drawn again, and every digest compared.

``replay(text, on)`` returns a Replay; its ``problem`` is None if the journal verifies everywhere.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from gridglow.plaintext import decoded
from gridglow.races.interpreters import REPLAY_HEAP_KB, Interpreter, InterpreterFault
from gridglow.texts import filled, read_language
from gridglow.tracks import load_track
from shared_rules import games
from shared_rules.errors import BadSave
from shared_rules.journal_file import Journal

LONGEST_BYTES = 4_000_000


@dataclass
class Replay:
    """``results`` has what ``proof.replay`` returned on each interpreter (or {"problem": why it returned nothing});
    ``journal`` is the journal that was read."""

    journal: Journal
    results: dict[str, dict]

    @property
    def problems(self) -> list[str]:
        """One sentence per problem; only once if all interpreters say the same."""
        said: dict[str, list[str]] = {}
        for interpreter, result in self.results.items():
            if result.get("problem"):
                said.setdefault(spoken(result["problem"]), []).append(interpreter)
        if len(said) == 1 and len(next(iter(said.values()))) == len(self.results):
            return list(said)
        found = [f"On {' and '.join(names)}: {problem}" for problem, names in said.items()]
        if not found and any(result != self.best for result in self.results.values()):
            ends = "; ".join(f"{name}: {result['digest']}" for name, result in self.results.items())
            found = [f"The interpreters end differently ({ends}), though every line matches on each of them."]
        return found

    @property
    def best(self) -> dict:
        """The result with standings, if there is one, else the first."""
        for result in self.results.values():
            if "standings" in result and not result["problem"]:
                return result
        return next(iter(self.results.values()))


def spoken(problem: str) -> str:
    """A problem with the engine's reasons ("engine.dice_count (2, 1) [MG-11]") as players read them."""
    texts = read_language("en")

    def say(found: re.Match) -> str:
        key, arguments, clause = found.groups()
        if key not in texts:
            return found[0]
        said = filled(texts[key], (arguments or "").split(", "))
        return f"{said} ({clause})" if clause else said

    return re.sub(r"\b([a-z_]+\.[a-z_0-9]+)(?: \(([^()]*)\))?(?: \[([A-Z0-9a-z-]+)\])?", say, problem)


def read_journal(data: bytes) -> str:
    """The text of a journal file. Raises BadSave if it can't be one."""
    if len(data) > LONGEST_BYTES:
        raise BadSave(f"A journal has at most {LONGEST_BYTES} bytes, this file has {len(data)}; name another file.")
    try:
        text = decoded(data)
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise BadSave(f"Line {line}: Expected a journal in UTF-8 text, found an invalid byte.") from None
    if not text.strip():
        raise BadSave("The journal is empty; it was cut, or another file was meant.")
    return text


def replay(text: str, on: list[str]) -> Replay:
    """Replays a journal's text on these interpreters.

    Raises BadSave if it's no journal, BadTrack if its track is missing, GridglowError if an interpreter is.
    """
    journal = Journal.parse(text)
    game = journal.plain["game"]
    if game not in games.NAMES:
        raise BadSave(f"The journal is from a race of {game!r}, expected one of {', '.join(games.NAMES)}; use the version "
                      "that wrote it.")
    pack = load_track(journal.track, game).pack
    with ThreadPoolExecutor(len(on)) as pool:
        results = list(pool.map(lambda name: _replay(name, text, pack), on))
    return Replay(journal, dict(zip(on, results)))


def _replay(name: str, text: str, pack: bytes) -> dict:
    with Interpreter(name, REPLAY_HEAP_KB) as interpreter:
        try:
            return interpreter.on_track(pack).ask({"job": "replay", "text": text}, "the replay of this journal")
        except InterpreterFault as error:
            return {"problem": str(error)}
