"""What each seat rolled in a race, counted from its journal: bad luck is mostly just that, and figures calm a table.

A roll that was undone doesn't count, and a corrected one counts as it stands now.
"""

from __future__ import annotations

from dataclasses import dataclass

from gridglow.tracks import load_track
from shared_rules import games
from shared_rules.errors import BadSave, GridglowError
from shared_rules.journal_file import Journal
from shared_rules.marks import seat_of, words_of
from shared_rules.prompts import TABLE
from shared_rules.race import Race
from shared_rules.setup import Setup


@dataclass(frozen=True)
class DieCount:
    """One kind of die of one seat: ``faces`` as in answers, and ``counts``, how often each came up."""

    seat: int
    name: str
    faces: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def rolled(self) -> int:
        """How many of these dice the seat rolled."""
        return sum(self.counts)

    @property
    def mean(self) -> float | None:
        """The mean of the rolls; None if the faces aren't numbers."""
        worth = _worth(self.faces)
        return sum(a * b for a, b in zip(worth, self.counts)) / self.rolled if worth and self.rolled else None

    @property
    def expected(self) -> float | None:
        """The mean of a fair die; None if the faces aren't numbers."""
        worth = _worth(self.faces)
        return sum(worth) / len(worth) if worth else None

    def plain(self) -> dict:
        """For --json and the page; means with two decimals."""
        def rounded(value: float | None) -> float | None:
            return None if value is None else round(value, 2)

        return {"seat": self.seat, "name": self.name, "faces": list(self.faces), "counts": list(self.counts),
                "rolled": self.rolled, "mean": rounded(self.mean), "expected": rounded(self.expected)}


def _worth(faces: tuple[str, ...]) -> list[int]:
    """The numbers on a die: "3", or "blue-3"; [] if its faces aren't numbers."""
    words = [face.rpartition("-")[2] for face in faces]
    return [int(word) for word in words] if all(word.isascii() and word.isdigit() for word in words) else []


def count_dice(text: str) -> list[DieCount]:
    """The dice of every seat that rolled any, by seat, from a journal's text (up to its first secret answer if it's
    sealed). Raises GridglowError if it's no journal, or can't be replayed."""
    journal = Journal.parse(text)
    if journal.plain["game"] not in games.NAMES:
        raise BadSave(f"The journal is from a race of {journal.plain['game']!r}; use the version that wrote it.")
    track = load_track(journal.track, journal.plain["game"]).track
    if track.hash != journal.track_hash:
        raise BadSave(f"The journal is for another version of the track {track.id}; find the track file of that race.")
    setup = Setup.from_plain(journal.plain, track)
    try:
        race = _begun(setup, track, journal)
        for line in journal.lines:
            if journal.sealed and line.text == "sealed":
                break
            race.feed_answer(line.seat, line.text)
        return _counted(race, _begun(setup, track, journal))
    except GridglowError:
        raise
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise BadSave(f"The journal can't be replayed ({error}); it was edited.") from None


def _begun(setup: Setup, track, journal: Journal) -> Race:
    race = Race(setup, track, None, None, journal.start or bool(journal.sealed))
    race.forgets = False  # keep all answers, to know in the end which ones count
    return race


def _counted(race: Race, other: Race) -> list[DieCount]:
    """The counted answers of `race`, given again to `other`, whose questions say which die was rolled."""
    found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for mark in race.taken:
        seat, words = seat_of(mark), words_of(race, mark)
        prompt = other.prompt_of(seat)
        if words[0] == "roll" and prompt is not None:
            for die, face in zip(prompt.dice, words[1:]):
                faces = tuple(dict.fromkeys(str(one) for one in die))
                counts = found.setdefault((seat, faces), [0] * len(faces))
                counts[faces.index(face)] += 1
        other.give_again(seat, words, mark)
    players = race.setup.players
    return [DieCount(seat, players[seat - 1][1] if seat != TABLE else "", faces, tuple(counts))
            for (seat, faces), counts in sorted(found.items())]
