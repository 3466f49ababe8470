"""Nothing looks up the space before the first one: -1 stands for the start, the finish or nowhere, and a list
would silently return its last entry for it.

Here the tracks, and what games make of them, refuse such lookups while races on tracks of all shapes are
asked everything: options, labels, near misses, scenes, bots.
"""

import random
from array import array

import pytest
import racing
from owners_data import random_track

from gridglow.tracks import list_tracks, load_track
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup
from shared_rules.games.ausgebremst.course import Course as Circuit
from shared_rules.games.fast_and_furious.course import Course as Streets
from shared_rules.games.full_throttle.road import Road
from shared_rules.games.moto_grand_prix.circuit import Circuit as Lines
from shared_rules.games.racing_rules.course import Course as Board
from shared_rules.track import Track

READ = {Circuit: ("_to_line",), Streets: ("ahead", "first", "limits", "sides", "to_line"), Road: ("_of_row", "stretches"),
        Lines: ("_best_left",), Board: ("_to_go",)}
OF_A_SPACE = ("row", "lane", "space_name", "ahead", "branch", "beside", "section")
OF_A_ROW = ("row_spaces", "section_of_row", "difficulty", "is_corner")
ANSWERS = 60


class Strict:
    """A list that refuses indexes below 0."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, at):
        assert isinstance(at, slice) or at >= 0, at
        return self.values[at]

    def __setitem__(self, at, value):
        assert at >= 0, at
        self.values[at] = value

    def __len__(self):
        return len(self.values)


@pytest.fixture
def strict(monkeypatch):
    """Tracks and courses that refuse anything before the first space or row."""
    for name in OF_A_SPACE + OF_A_ROW:
        monkeypatch.setattr(Track, name, _guarded(getattr(Track, name), 1 if name in OF_A_ROW else 0))
    for course, names in READ.items():
        monkeypatch.setattr(course, "__init__", _made_strict(course.__init__, names))


def _guarded(method, least):
    def guarded(track, place):
        assert least <= place, (method.__name__, place)
        return method(track, place)
    return guarded


def _made_strict(init, names):
    def made(course, *args):
        init(course, *args)
        for name in names:
            values = getattr(course, name)
            assert isinstance(values, (array, bytes, bytearray, list))
            setattr(course, name, Strict(values))
    return made


def ask(race, chance):
    """Asks everything that can be asked, and answers."""
    race.scene()
    race.standings()
    for prompt in race.prompts:
        prompt.options()
        prompt.labels()
        prompt.refused()
    prompt = race.prompts[0]
    seat = prompt.seat or 1
    if prompt.seat and prompt.kind in ("choose", "number"):
        race.bot_answer(seat)
    race.answer(seat, prompt.sample(chance))


@pytest.mark.parametrize("game", games.NAMES)
def test_nothing_is_looked_up_before_the_first_space(game, strict, tmp_path):
    tracks = [load_track(source.id).track for source in list_tracks(game)[:3]]
    tracks += [track for number in range(30) if (track := random_track(game, f"ends-{number}", tmp_path))]
    raced = 0
    for at, track in enumerate(tracks):
        about = games.about(game)
        for variant in about.VARIANTS:
            dice = random.Random(f"{game}-{at}")
            seats = "P" * dice.randrange(about.SEATS[0], about.SEATS[1] + 1)
            try:
                race = racing.new_race(game, seats, track, variant=variant, laps=min(track.laps, 3), seed=f"ends-{at}")
            except BadSetup:
                continue
            chance = Chance(f"ends-{at}", "hands")
            raced += 1
            for _ in range(ANSWERS * (3 if game == "racing_rules" else 1)):
                if race.over:
                    break
                ask(race, chance)
    assert raced >= 10
