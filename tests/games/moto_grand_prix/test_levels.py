"""The Standard and Expert rules, read a second time: each route is walked, and nothing is taken from the
rules' own code except the position that is judged."""

import dataclasses
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from racing import new_race

from gridglow.races.interpreters import NAMES
from gridglow.races.proofs import prove
from gridglow.races.spec import load_games
from gridglow.tracks import list_tracks, load_track
from gridglow_workshop.bench.duels import measure_duels
from shared_rules.games.moto_grand_prix import expert, riding, standard
from shared_rules.games.moto_grand_prix.about import About
from shared_rules.games.moto_grand_prix.bike import OUT, RACING
from shared_rules.games.moto_grand_prix.rules import RACE

ROOT = Path(__file__).resolve().parents[3]
CIRCUITS = [source.id for source in list_tracks("moto_grand_prix")]
RACES = 30
SETTINGS = settings(max_examples=150, deadline=None)


# The circuit, read from its sections

class Road:
    """Rows and lanes by number, from the sections alone."""

    def __init__(self, track):
        self.rows = []
        for section in track.sections:
            self.rows += [(section.kind, section.turn, section.difficulty)] * section.rows
        self.count = len(self.rows)

    def at(self, row):
        return self.rows[(row - 1) % self.count]

    def difficulty(self, row):
        kind, _, difficulty = self.at(row)
        return difficulty if kind == "corner" else 0

    def best_lane(self, row):
        """MG-02b: inside of a corner; before a corner, the side away from it."""
        kind, turn, _ = self.at(row)
        if kind == "corner":
            return 1 if turn == "left" else 3
        while self.at(row)[0] != "corner":
            row += 1
        return 3 if self.at(row)[1] == "left" else 1

    def rank(self, row, lane):
        return 1 + abs(lane - self.best_lane(row))


def routes(road, others, start, most, contact):
    """Every route: (row, lane, rows, cost, whether a corner was stood on or entered), walked one by one."""
    found = set()

    def walk(row, lane, rows, cost, cornered):
        if cost > most or (row, lane, rows, cost, cornered) in found:
            return
        found.add((row, lane, rows, cost, cornered))
        ahead = row % road.count + 1
        for to in (lane - 1, lane, lane + 1):
            if not 1 <= to <= 3 or (ahead, to) in others:
                continue
            step = 1
            beside = any(other == ahead for other, _ in others)
            if road.difficulty(ahead) and beside and to != road.best_lane(ahead) and not contact:
                step += road.difficulty(ahead)
            walk(ahead, to, rows + 1, cost + step, cornered or road.difficulty(ahead) > 0)

    walk(start[0], start[1], 0, 0, road.difficulty(start[0]) > 0)
    return found


def affordable(bike, points, bonus, cost, cornered):
    """(Front Tire, Rear Tire, Engine) points of a route, or None if the bike can't pay them (MG-22, MG-29 to MG-31)."""
    if points <= cost <= points + bonus:
        return (0, 0, 0)
    if cost < points:
        return (points - cost, 0, 0) if bike.front - (points - cost) >= 1 else None
    engine = cost - points - bonus
    rear = 1 if cornered else 0
    if engine > 3 or bike.engine - engine < 1 or bike.rear - rear < 1:
        return None
    return (0, rear, engine)


def offers(ride):
    """(space, what is spent) of each answer."""
    return [(riding.space_of(value), ride.spending(riding.rows_of(value), riding.cost_of(value)))
            for value in ride.values]


def outer_lane(road, row, cornering):
    """The lane that a contact carries to: away from the corner ahead at a braking point, away from the one being left."""
    if road.at(row)[0] == "straight" and cornering == "first-straight" and road.at(row + 1)[0] == "straight":
        turn = road.at(row - 1)[1]
    else:
        turn = road.at(row)[1] or road.at(row + 1)[1]
    return 3 if turn == "left" else 1


# Random positions

@st.composite
def positions(draw, variant="expert", near=8, same_row=False):
    """(race, number of the judged bike): bikes stand close together on any circuit, their tires worn."""
    circuits = [track_id for track_id in CIRCUITS if variant == "expert" or load_track(track_id).track.level != "expert"]
    track = load_track(draw(st.sampled_from(circuits))).track
    cornering = draw(st.sampled_from(["last-corner", "first-straight"]))
    race = new_race("moto_grand_prix", "PPPPPP", track, variant=variant, options=[["cornering", cornering]])
    game = race.game
    game.phase, game.game_turn = RACE, 5
    row = draw(st.integers(1, track.rows))
    places = [(row, draw(st.integers(1, 3)))]
    for _ in range(draw(st.integers(0, 5))):
        place = ((row + draw(st.integers(0, 1 if same_row else near)) - 1) % track.rows + 1, draw(st.integers(1, 3)))
        if place not in places:
            places.append(place)
    for bike in game.bikes:
        bike.status, bike.space = OUT, -1
    for bike, place in zip(game.bikes, places):
        bike.status, bike.crossings, bike.space = RACING, 1, track.space(*place)
        bike.front, bike.rear, bike.engine = (draw(st.integers(1, 8)) for _ in range(3))
        bike.stance = draw(st.sampled_from(["straight", "leaning", "wheelie"]))
    game.to_act = [bike.number for bike in game.race_order()]
    return race, 1


# RIDING (MG-28 to MG-35)

@SETTINGS
@given(positions(), st.integers(0, 13), st.integers(0, 1))
def test_ends_and_what_they_cost(position, points, bonus):
    race, number = position
    game, track = race.game, race.track
    bike, road = game.bike(number), Road(track)
    others = {(track.row(one.space), track.lane(one.space)) for one in game.bikes if one.on_track and one is not bike}
    wanted = set()
    for row, lane, _, cost, cornered in routes(road, others, (track.row(bike.space), track.lane(bike.space)),
                                               points + bonus + 3, False):
        spent = affordable(bike, points, bonus, cost, cornered)
        if spent is not None:
            wanted.add((track.space(row, lane), spent))
    ride = riding.Ride(game, bike, points, bonus)
    offered = offers(ride)
    assert len(offered) == len(set(offered)) and set(offered) == wanted
    texts = ride.texts()
    assert len(texts) == len(set(texts)) == len(ride.labels()) == len(offered)
    for value in ride.values:
        path = ride.path(value)
        assert path[0] == bike.space and path[-1] == riding.space_of(value) and len(path) == riding.rows_of(value) + 1
        cost = 0
        for one, other in zip(path, path[1:]):
            place = (track.row(other), track.lane(other))
            assert place[0] == track.row(one) % track.rows + 1 and abs(place[1] - track.lane(one)) <= 1
            assert place not in others
            beside = any(row == place[0] for row, _ in others)
            cost += 1 + (road.difficulty(place[0]) if beside and place[1] != road.best_lane(place[0]) else 0)
        assert cost == riding.cost_of(value)


@settings(max_examples=500, deadline=None)
@given(positions(same_row=True, near=4), st.integers(0, 6))
def test_ends_of_a_contact(position, points):
    race, number = position
    game, track = race.game, race.track
    bike, road = game.bike(number), Road(track)
    start = (track.row(bike.space), track.lane(bike.space))
    if not standard.is_duel_row(game, start[0]):
        return
    others = {(track.row(one.space), track.lane(one.space)) for one in game.bikes if one.on_track and one is not bike}
    outer = outer_lane(road, start[0], game.setup.option("cornering"))
    wanted = set()
    reached = routes(road, others, start, points + 3, True)
    for cost in {cost for _, _, _, cost, _ in reached}:
        ends = [(abs(lane - outer), row, lane, cornered) for row, lane, _, other, cornered in reached if other == cost]
        _, row, lane, cornered = min(ends)
        spent = affordable(bike, points, 0, cost, cornered)
        if spent is not None:
            wanted.add((track.space(row, lane), spent))
    ride = riding.Ride(game, bike, points, 0, True)
    offered = offers(ride)
    assert len(offered) == len(set(offered)) and set(offered) == wanted


# BRAKING POINT AND CORNERING (MG-26, MG-27)

@SETTINGS
@given(positions(same_row=True), st.integers(0, 3))
def test_who_rolls_together(position, acted):
    race, number = position
    game, track = race.game, race.track
    road = Road(track)
    game.to_act = game.to_act[acted:]
    bike = game.bike(number)
    row = track.row(bike.space)
    corner, next_corner, last_corner = [road.at(at)[0] == "corner" for at in (row, row + 1, row - 1)]
    if game.setup.option("cornering") == "last-corner":
        duel = corner != next_corner
    else:
        duel = not corner and (next_corner or last_corner)
    group = [other.number for other in game.bikes
             if other.on_track and track.row(other.space) == row and other.number in game.to_act]
    group.sort(key=lambda other: road.rank(row, track.lane(game.bike(other).space)))
    wanted = group if duel and len(group) > 1 else []
    assert [other.number for other in standard.joint_group(game, bike)] == wanted


# SLIPSTREAM (MG-40 to MG-43)

@settings(max_examples=400, deadline=None)
@given(positions(same_row=True), st.integers(0, 2))
def test_who_may_slipstream(position, acted):
    race, _ = position
    game, track = race.game, race.track
    road = Road(track)
    game.to_act = game.to_act[acted:]
    running = [bike for bike in game.bikes if bike.on_track]
    places = {bike.number: (track.row(bike.space), track.lane(bike.space)) for bike in running}
    for front in running:
        row, lane = places[front.number]
        wanted = []
        for bike in running:
            behind, its_lane = places[bike.number]
            if (behind % track.rows + 1 == row and its_lane == lane
                    and road.difficulty(row) == road.difficulty(behind) == 0
                    and road.best_lane(row) == road.best_lane(behind) == lane
                    and sum(other[0] == row for other in places.values()) == 1
                    and bike.stance != "wheelie" and bike.number in game.to_act):
                wanted.append(bike.number)
        found = expert.follower(game, front)
        assert ([found.number] if found else []) == wanted


# CHECK POSITION (MG-44, MG-46)

@SETTINGS
@given(positions())
def test_what_hills_and_stances_add(position):
    race, number = position
    game, track = race.game, race.track
    bike = game.bike(number)
    row = track.row(bike.space)
    hills, hill = [], "flat"
    for _ in range(2):  # what applies at the line comes from the previous lap
        hills = []
        for section in track.sections:
            hill = section.hill or hill
            hills += [hill] * section.rows
    wanted = {"up": -1, "down": 1, "flat": 0}[hills[row - 1]]
    if bike.stance == "wheelie" or (bike.stance == "straight" and Road(track).difficulty(row)):
        wanted -= 1
    assert expert.modifier(game, bike) == wanted


# The levels as a whole

def test_random_races_are_the_same_on_both_interpreters(micropython):
    """Fewer than `gridglow test --races 300`, which is the whole proof. The vectors have tests of their own."""
    spec = dataclasses.replace(load_games()["moto_grand_prix"], vectors={})
    report = prove({"moto_grand_prix": spec}, list(NAMES), RACES).games["moto_grand_prix"]
    assert report.equal == report.races == RACES * len(About.VARIANTS)


def test_bots_are_ahead_of_random_players():
    """In 30 duels a level; `gridglow bench --bots` runs 200 and takes its time."""
    found = measure_duels(30, on="cpython", only=["moto_grand_prix"])
    assert [one["variant"] for one in found] == list(About.VARIANTS)
    for one in found:
        assert one["duels"] == 30 and one["won"] >= 24, one


def test_every_option_has_a_vector_with_each_of_its_values():
    said = set()
    for vector in load_games()["moto_grand_prix"].vectors.values():
        given = vector.table.get("options", {})
        said |= {(key, given.get(key, default)) for key, _, default in About.OPTIONS}
    assert said >= {(key, value) for key, values, _ in About.OPTIONS for value in values}


GAME_WORDS = re.compile(
    r"\bMG-[0-9]|redlin|slipstream|wheelie|sideslip|cornering|braking point|front.?tire|rear.?tire|\bstance|qualifying"
    r"|dice flip|racing line first", re.I)
#: What a clause looks like in the sentences about spec files and journals.
EXAMPLES = ('an id such as \\"MG-13\\"', '("engine.dice_count (2, 1) [MG-11]")')


@pytest.mark.parametrize("folder", ["host", "firmware"])
def test_no_rule_of_the_game_outside_the_rules(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".py", ".js", ".html", ".css") or "__pycache__" in path.parts or "_bundle" in path.parts:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if any(example in line for example in EXAMPLES):
                continue
            assert not GAME_WORDS.search(line), f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
