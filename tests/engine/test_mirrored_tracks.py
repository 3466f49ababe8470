"""A track and its mirror image are the same to the rules: whole races on random layouts, with left and right swapped.

Nothing may depend on which lane is called a, or on where the first turn comes. Each race runs beside its
mirror image: at every question the options, everybody's position and the leader must be mirror images too.
"""

import random

import pytest
import racing

from gridglow.tracks import compile_layout
from shared_rules.chance import Chance
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import LANE_LETTERS, Track

ANSWERS = 20_000


class Mirror:
    """Names of spaces on the other of two tracks: in a row that several lanes cross, the lanes are swapped;
    spaces beside the rows keep their names."""

    def __init__(self, track, other):
        self.names = {}
        for space in range(track.count):
            row, lane = track.row(space), track.lane(space)
            if space >= track.in_rows:
                start = [road for road in track.roads if road[0] == "start" and road[2] <= space]
                wide = len(track.row_spaces(1))
                there = LANE_LETTERS[2 * 4 + wide - lane] if start else LANE_LETTERS[lane - 1]
            else:
                wide = track.lanes if len(self.turn_rows(track, row)) > 1 else len(track.row_spaces(row))
                there = LANE_LETTERS[wide - lane]
            self.names[track.space_name(space)] = f"{row}{there}"
        self.spaces = [other.named(self.names[track.space_name(space)]) for space in range(track.count)]
        assert sorted(self.spaces) == list(range(other.count))

    @staticmethod
    def turn_rows(track, row):
        """The rows of the turn with a shorter inner lane that a row belongs to, or just that row."""
        section = track.section_of_row(row)
        rows = range(section.first_row, section.first_row + section.rows)
        widths = {len(track.row_spaces(one)) for one in rows}
        return rows if section.kind == "corner" and len(widths) > 1 else [row]

    def text(self, text):
        """An answer with its space names swapped."""
        return " ".join(self.names.get(word, word) for word in text.split(" "))


def random_round(dice, turn, full):
    """A layout whose turns all go one way, as a list of parts: rows, chokes, turns with a shorter inner lane."""
    parts = []
    row = 1
    bonuses = []
    for _ in range(dice.randrange(2, 6)):
        kind = dice.choice("SSKT")
        if kind == "T":
            inner = dice.randrange(1, 4)
            outer = inner + dice.randrange(1, 4)
            parts.append(f"{turn}{outer}i{inner}")
            spaces = [(row + at, 0) for at in range(inner)] + [(row + at, 1) for at in range(outer)]
            row += outer
        else:
            rows = dice.randrange(1, 3 if kind == "K" else 5)
            parts.append(f"{kind}{rows}")
            spaces = [(row + at, side) for at in range(rows) for side in range(1 if kind == "K" else 2)]
            row += rows
        bonuses += [(at, side, kind) for at, side in spaces if dice.random() < 0.15]
    if not any(part[0] == turn for part in parts):
        parts.append(f"{turn}4i2")
    parts.append("S%d" % max(3, 9 - row))
    if full:
        for at, side, kind in bonuses:
            lane = "a" if kind == "K" else "ab"[side if turn == "L" else 1 - side]
            parts.append(f"+{at}{lane}")
    return parts


def both(layouts, lanes, laps, game, level):
    tracks = [Track.unpack(compile_layout(layout, lanes, laps, game=game, level=level, track_id="mirrored"))
              for layout in layouts]
    return tracks, Mirror(*tracks)


def races_on(tracks, who, **more):
    """A race on each of these tracks, all with the same set-up."""
    return [Race(Setup.from_plain(racing.plain_setup(track.game, who, laps=track.laps, **more), track), track)
            for track in tracks]


def drive(one, other, mirror):
    """Gives both races the same answers, mirrored, to the end."""
    hands = Chance("mirror", "hands")
    for _ in range(ANSWERS):
        compare(one, other, mirror)
        if one.over:
            return
        prompt = one.prompts[0]
        text = prompt.sample(hands)
        one.answer(prompt.seat or 1, text)
        other.answer(prompt.seat or 1, mirror.text(text))
    raise AssertionError("the race doesn't end")


def compare(one, other, mirror):
    assert one.over == other.over
    assert one.standings() == other.standings()
    for prompt, there in zip(one.prompts, other.prompts, strict=True):
        assert (prompt.kind, prompt.seat) == (there.kind, there.seat)
        assert sorted(mirror.text(text) for text in prompt.options()) == sorted(there.options())
    cars, others = one.scene().cars, other.scene().cars
    assert [[car, mirror.spaces[space] if space >= 0 else space, status] for car, space, status in cars] == others
    assert one.game.lap() == other.game.lap()


@pytest.mark.parametrize("number", range(24))
def test_full_throttle(number):
    seed = f"full-{number}"
    dice = random.Random(seed)
    layouts = []
    for turn in "LR":
        dice.seed(seed)
        layouts.append(" ".join(random_round(dice, turn, True)))
    tracks, mirror = both(layouts, 2, 2, "full_throttle", "house")
    races = races_on(tracks, "P" * (2 + number % 5), seed=seed)
    races[1].game.spaces = [mirror.spaces[space] for space in races[0].game.spaces]
    drive(*races, mirror)
    assert races[0].game.race_order() == races[1].game.race_order()


@pytest.mark.parametrize("number", range(12))
def test_ausgebremst(number):
    seed = f"pit-{number}"
    dice = random.Random(seed)
    layouts = []
    for turn in "LR":
        dice.seed(seed)
        first = f"S{dice.randrange(2, 5)}" if dice.random() < 0.7 else f"{turn}4i2"
        pit = f"1a>{dice.randrange(1, 6)}>2a"
        parts = [first, *random_round(dice, turn, False), "S3", pit if turn == "L" else pit.replace("a", "b")]
        layouts.append(" ".join(parts))
    tracks, mirror = both(layouts, 2, 2, "ausgebremst", "easy")
    variant = ("family", "pro")[number % 2]
    drive(*races_on(tracks, "P" * (3 + number % 4), seed=seed, variant=variant), mirror)


@pytest.mark.parametrize("number", range(15))
def test_moto_grand_prix(number):
    seed = f"bikes-{number}"
    dice = random.Random(seed)
    parts = [f"S{dice.randrange(1, 7)}"]
    for _ in range(dice.randrange(2, 6)):
        parts.append(f"{dice.choice('LR')}{dice.randrange(1, 6)}d{dice.randrange(1, 4)}")
        parts.append(f"S{dice.randrange(1, 6)}")
    parts.append("S9")
    if dice.random() < 0.3:
        parts.append("L4d1")                       # the line comes after a corner
    layout = " ".join(parts)
    turned = layout.translate(str.maketrans("LR", "RL"))
    variant = ("basic", "standard", "expert")[number % 3]
    tracks, mirror = both([layout, turned], 2 + number % 3, 2, "moto_grand_prix", "basic")
    drive(*races_on(tracks, "P" * (2 + number % 4), seed=seed, variant=variant), mirror)


@pytest.mark.parametrize("number", range(9))
def test_fast_and_furious(number):
    seed = f"cars-{number}"
    dice = random.Random(seed)
    lanes = 2 + number % 3
    parts = [f"S{dice.randrange(2, 6)}"]
    for _ in range(dice.randrange(1, 4)):
        parts.append(f"{dice.choice('LR')}{dice.randrange(1, 4)}v{dice.randrange(2, 7)}")
        parts.append(f"S{dice.randrange(2, 6)}")
    layout = " ".join(parts)
    turned = layout.translate(str.maketrans("LR", "RL"))
    tracks, mirror = both([layout, turned], lanes, 1, "fast_and_furious", "street")
    drive(*races_on(tracks, "P" * (2 + number % 3), seed=seed, options=[["obstacles", "turns"]]), mirror)
