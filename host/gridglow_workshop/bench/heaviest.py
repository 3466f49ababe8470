"""The questions whose options take an interpreter the longest, as saves that a board can resume.

In the largest race, the question with the most options is searched. Any game may name its own: a vector of its spec with
``heaviest = true`` (shared_rules/spec/FORMAT.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from gridglow.races.spec import GameSpec, Vector, job_vector, load_games, vector_pack
from shared_rules.proof import vector_race
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

#: The number of answers among which to look for the most options.
ANSWERS = 400


@dataclass(frozen=True)
class Heavy:
    """A question: the seat's answer that leads to it, and the race just before that, with its track's pack."""

    name: str
    pack: bytes
    save: str
    seat: int
    text: str
    game: str


def of_race(plain: dict, compiled) -> Heavy:
    """The question with the most options in a race of bots."""
    race = Race(Setup.from_plain(plain, compiled.track), compiled.track)
    most, found = -1, ("", 0, "")
    for _ in range(ANSWERS):
        if race.over:
            break
        seat = race.prompts[0].seat
        before, text = race.save(), race.bot_answer(seat)
        race.answer(seat, text)
        race.drop_events()
        options = max((len(prompt.options()) for prompt in race.prompts), default=0)
        if options > most:
            most, found = options, (before, seat, text)
    return Heavy(plain["game"], compiled.pack, *found, plain["game"])


def of_specs(specs: dict[str, GameSpec] | None = None) -> list[Heavy]:
    """The questions named by games, by their vectors' ids. Raises GridglowError if a file is wrong."""
    specs = load_games() if specs is None else specs
    return [of_vector(vector) for spec in specs.values() for vector in spec.vectors.values()
            if vector.table.get("heaviest")]


def of_vector(vector: Vector) -> Heavy:
    """The question after the last answer of a vector."""
    pack = vector_pack(vector)
    answers = [step["do"] for step in vector.table["steps"] if "do" in step]
    race = vector_race(job_vector(vector), Track.unpack(pack))
    for answer in answers[:-1]:
        seat, _, text = answer.partition(" ")
        race.answer(int(seat), text)
    seat, _, text = answers[-1].partition(" ")
    return Heavy(vector.id, pack, race.save(), int(seat), text, vector.game)
