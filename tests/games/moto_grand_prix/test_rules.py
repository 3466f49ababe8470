"""MotoGrandPrix Basic checked by a second reading of its rules: flips, ends, order, grid, laps and finish.

The expected results are worked out by brute force from the sentences of the rules, not by the game's own code.
"""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from racing import new_race, play, short_track

from gridglow.tracks import load_track
from shared_rules.chance import Chance
from shared_rules.games.moto_grand_prix import data
from shared_rules.games.moto_grand_prix.circuit import Circuit
from shared_rules.games.moto_grand_prix.flips import Flips
from shared_rules.games.moto_grand_prix.movement import Move

TRACKS = ["fabulous-driving-park", "gp-ring", "supercircus-raceway"]
LAYOUTS = ["S6 L3d1 S4 R3d2 S4", "S8 R4d3 L4d1 S3cL2 R4s S2", "L5d1 R5d2 L5d3"]


# Flips (MG-12 to MG-14)

def may_flip(faces, which, difficulty):
    """The rules, die by die: braking is free; so is accelerating on a straight. In corner 1 only the lower die may be
    accelerated, in corner 2 only the higher, in corner 3 none; in a double either die counts as lower or higher."""
    accelerated = [at for at in which if 7 - faces[at] > faces[at]]
    if difficulty == 0 or not accelerated:
        return True
    if difficulty == 3 or len(accelerated) > 1:
        return False
    other = faces[1 - accelerated[0]]
    mine = faces[accelerated[0]]
    return mine <= other if difficulty == 1 else mine >= other


@pytest.mark.parametrize("difficulty", [0, 1, 2, 3])
def test_every_flip_of_every_roll(difficulty):
    for faces in itertools.product(range(1, 7), repeat=2):
        flips = Flips(list(faces), difficulty)
        expected = {}
        for which in ((), (0,), (1,), (0, 1)):
            text = "flip " + (" ".join(str(at + 1) for at in which) or "none")
            if may_flip(faces, which, difficulty):
                expected[text] = [7 - face if at in which else face for at, face in enumerate(faces)]
            else:
                refusal = flips.explain(text)
                assert refusal is not None and refusal.clause in ("MG-13", "MG-14"), (faces, text)
        assert dict(zip(flips.texts(), flips.results(), strict=True)) == expected, (faces, difficulty)
        assert sorted(flips.near_misses()) == sorted({"flip none", "flip 1", "flip 2", "flip 1 2"} - set(expected))
        assert [label[1] for label in flips.labels()] == [sum(result) for result in flips.results()]
        assert "flip none" in expected
    assert Flips([3, 4], difficulty).explain("flip 3") is None


# Moves (MG-07, MG-15, MG-16)

def ends_by_brute_force(track, start, points, taken):
    """All spaces that any route reaches with the most usable points, and how many points those are."""
    best, ends = 0, {start}
    routes = [[start]]
    while routes:
        route = routes.pop()
        used = len(route) - 1
        if used > best:
            best, ends = used, set()
        if used == best:
            ends.add(route[-1])
        if used == points:
            continue
        row, lane = track.row(route[-1]), track.lane(route[-1])
        for other in (lane - 1, lane, lane + 1):
            space = track.space(row % track.rows + 1, other)
            if space >= 0 and space not in taken:
                routes.append([*route, space])
    return sorted(ends), best


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(LAYOUTS), st.integers(2, 4), st.integers(0, 400), st.integers(2, 9),
       st.lists(st.integers(1, 27), max_size=14))
def test_the_ends_of_a_move(layout, lanes, start, points, ahead):
    track = short_track("moto_grand_prix", layout, lanes)
    start %= track.count
    taken = sorted({(start + offset) % track.count for offset in ahead} - {start})
    move = Move(Circuit(track), start, points, taken)
    ends, used = ends_by_brute_force(track, start, points, taken)
    assert (move.ends, move.used, move.lost) == (ends, used, points - used)
    for end in move.ends:
        path = move.path(end)
        assert path[0] == start and path[-1] == end and len(path) == used + 1
        for here, there in itertools.pairwise(path):
            assert there in track.ahead(here) and there not in taken
            assert track.row(there) == track.row(here) % track.rows + 1
            assert abs(track.lane(there) - track.lane(here)) <= 1
    for text in move.near_misses():
        refusal = move.explain(text)
        assert refusal is not None and refusal.clause in ("MG-02", "MG-07", "MG-11", "MG-15", "MG-16"), text


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 131), st.integers(2, 12), st.lists(st.integers(0, 131), max_size=20))
def test_every_space_of_the_track_is_an_end_or_explained(start, points, taken):
    track = load_track("fabulous-driving-park").track
    taken = [space for space in taken if space != start]
    move = Move(Circuit(track), start, points, taken)
    for space in range(track.count):
        refusal = move.explain("go " + track.space_name(space))
        if space not in move.ends:
            assert refusal is not None and refusal.clause.startswith("MG-")
    assert move.explain("go 999a").clause == "MG-02"
    assert move.explain("go 3z").clause == "MG-02"
    assert move.explain("flip none") is None and move.explain("go 3b cost 2") is None


# Racing line (MG-02b) and grid (MG-09)

@pytest.mark.parametrize("name", TRACKS)
def test_the_racing_line_of_every_row(name):
    track = load_track(name).track
    circuit = Circuit(track)
    for row in range(1, track.rows + 1):
        here = track.section_of_row(row)
        if here.kind == "corner":
            left_best = here.turn == "left"
        else:
            ahead = row
            while track.section_of_row(ahead).kind != "corner":
                ahead = ahead % track.rows + 1
            left_best = track.section_of_row(ahead).turn == "right"
        ranks = [circuit.rank(space) for space in track.row_spaces(row)]
        assert ranks == ([1, 2, 3] if left_best else [3, 2, 1]), row
        assert [circuit.rank(space) for space in circuit.best_first(row)] == [1, 2, 3]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TRACKS), st.sampled_from([("PP", "1"), ("PPP", "2"), ("PPPPPP", "1"), ("PBP", "2")]),
       st.integers(0, 999))
def test_the_grid_comes_from_the_pole_rolls(name, who, seed):
    kinds, bikes = who
    race = new_race("moto_grand_prix", kinds, load_track(name).track, dice="table", options=[["bikes", bikes]],
                    seed=str(seed))
    totals = {bike.number: [] for bike in race.game.bikes}
    chance = Chance(str(seed), "pole")
    while race.game.phase == "pole":
        prompt = race.prompts[0]
        text = prompt.sample(chance)
        assert prompt.options() == ["roll"] or len(prompt.options()) == 36
        drawn = prompt.drawn
        race.answer(prompt.seat, text)
        faces = drawn if drawn is not None else [int(word) for word in text.split(" ")[1:]]
        totals[prompt.car].append(sum(faces))
    # Highest first; a tie is settled by the next roll, and only the tied roll again.
    expected = sorted(totals, key=lambda number: [-total for total in totals[number]])
    track, circuit = race.track, race.game.circuit
    for one, other in itertools.combinations(totals, 2):
        shared = min(len(totals[one]), len(totals[other]))
        assert totals[one][:shared] != totals[other][:shared]
    for place, number in enumerate(expected):
        space = race.game.bike(number).space
        assert track.row(space) == track.rows - place // 3 and circuit.rank(space) == place % 3 + 1
    assert race.game.to_act == expected
    assert all(bike.crossings == 0 for bike in race.game.bikes) and race.lap == 1


# Whole races

class Reader:
    """Follows a race by its answers, with the rules of order, laps and finish written once more."""

    def __init__(self, race):
        self.race = race
        self.track = race.track
        self.acted = []
        self.order = list(race.game.to_act)
        self.start_turn()

    def start_turn(self):
        self.acted = []
        self.ridden = {bike.number: self.ahead(bike) for bike in self.race.game.bikes if bike.space >= 0}
        # Leader first; of two in one row, the one on the darker position (MG-10).
        by_place = sorted(self.ridden, key=lambda number: (-self.ridden[number], self.race.game.circuit.rank(
            self.race.game.bike(number).space)))
        assert self.order == by_place

    def ahead(self, bike):
        return bike.crossings * self.track.rows + self.track.row(bike.space)

    def follow(self, chance):
        race, game = self.race, self.race.game
        car = game.to_act[0]
        assert car == self.order[len(self.acted)]
        before = self.ahead(game.bike(car))
        places = [bike.place for bike in game.bikes]
        flip = move = None
        while flip is None or move is None:
            prompt = race.prompts[0]
            assert prompt.car == car and prompt.seat == game.bike(car).seat
            text = prompt.sample(chance)
            value = prompt.values()[prompt.options().index(text)] if prompt.kind == "choose" else None
            last = prompt.ask == "moto_grand_prix.ask_move"
            used = prompt.args[0] if last else None
            note = prompt.note
            race.answer(prompt.seat, text)
            if last:
                move = used
            elif prompt.kind == "choose":
                flip = sum(value)
        assert move <= flip and (note is None) == (move == flip)
        self.acted.append(car)
        bike = game.bike(car)
        if len(self.acted) < len(self.order):
            assert self.ahead(bike) == before + move
            assert [other.place for other in game.bikes] == places, "ranked before the turn's end"
            return
        self.finish(places)

    def finish(self, places):
        """The turn's end: those over the line after the last lap are ranked, the furthest ahead first (MG-17)."""
        game = self.race.game
        newly = [bike for bike in game.bikes if bike.place and not places[bike.number - 1]]
        for bike in newly:
            assert bike.crossings == self.race.laps + 1 and bike.space == -1
        taken = len([place for place in places if place])
        assert sorted(bike.place for bike in newly) == list(range(taken + 1, taken + 1 + len(newly)))
        for bike in game.bikes:
            if bike.space >= 0:
                assert bike.crossings <= self.race.laps
        self.order = list(game.to_act)
        if self.order:
            self.start_turn()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(TRACKS), st.sampled_from([("PP", "1"), ("PB", "2"), ("PPP", "2"), ("PPPPPP", "1")]),
       st.integers(1, 2), st.integers(0, 10**6))
def test_whole_races(name, who, laps, seed):
    kinds, bikes = who
    race = new_race("moto_grand_prix", kinds, load_track(name).track, laps=laps, options=[["bikes", bikes]], seed=str(seed))
    chance = Chance(str(seed), "whole")
    while race.game.phase == "pole":
        race.answer(race.prompts[0].seat, "roll")
    reader = Reader(race)
    lap = race.lap
    while not race.over:
        reader.follow(chance)
        leader = max([bike.crossings for bike in race.game.bikes])
        assert race.lap == max(1, min(leader, laps)) >= lap
        lap = race.lap
        spaces = [bike.space for bike in race.game.bikes if bike.space >= 0]
        assert len(set(spaces)) == len(spaces)
    rows = race.standings()
    assert [row[3] for row in rows] == list(data.POINTS[:len(rows)])
    assert [race.game.bike(row[1]).place for row in rows] == [row[2] for row in rows]


def test_points_of_the_championship():
    assert [data.points(place) for place in range(1, 18)] == [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]
    assert data.points(0) == data.points(-1) == 0


def test_who_has_left_scores_nothing_and_comes_last():
    race = new_race("moto_grand_prix", "PPP", load_track("gp-ring").track, options=[["bikes", "2"]])
    play(race, 60)
    race.answer(2, "leave")
    play(race)
    assert [row[0] for row in race.standings()][4:] == [2, 2]
    assert [row[3] for row in race.standings()] == [25, 20, 16, 13, 0, 0]


def test_all_leave_and_the_race_is_over():
    race = new_race("moto_grand_prix", "PPP", load_track("gp-ring").track)
    for seat in (3, 1, 2):
        race.answer(seat, "leave")
    assert race.over and [row[3] for row in race.standings()] == [0, 0, 0]


def test_four_to_six_players_share_the_three_teams():
    race = new_race("moto_grand_prix", "PPPPPP", load_track("gp-ring").track)
    assert [car[3] for car in race.game.cars()] == ["blue", "yellow", "red"] * 2
    assert [car[2].split(".")[1] for car in race.game.cars()] == [
        "bike_blue_1", "bike_yellow_1", "bike_red_1", "bike_blue_2", "bike_yellow_2", "bike_red_2"]


@pytest.mark.parametrize("who, bikes, words", [("PPPP", "2", "2 or 3 players"), ("P", "1", "2 to 6 seats"),
                                               ("PPPPPPP", "1", "2 to 6 seats")])
def test_set_ups_that_are_refused(who, bikes, words):
    from shared_rules.errors import BadSetup
    with pytest.raises(BadSetup, match=words):
        new_race("moto_grand_prix", who, load_track("gp-ring").track, options=[["bikes", bikes]])


def test_a_track_of_another_level_is_refused():
    from gridglow.tracks import compile_layout
    from shared_rules.errors import BadSetup
    from shared_rules.track import Track
    for layout, more, words in (("S8 L4d1 S8", {"level": "expert"}, "level basic"), ("S4 L3d1 S3", {}, "at least 18 rows"),
                                ("S8 L4d1 S8", {"closed": False}, "closed circuit")):
        with pytest.raises(BadSetup, match=words):
            new_race("moto_grand_prix", "PP", Track.unpack(compile_layout(layout, 3, 2, **more)))
