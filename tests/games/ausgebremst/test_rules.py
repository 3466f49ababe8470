"""Ausgebremst beyond its vectors: the circuits' figures, whole races, set-ups, hands that stay hidden, players who leave."""

import json

import pytest
import racing

from gridglow.tracks import list_tracks, load_track, parse_layout
from gridglow.tracks.compiled import compile_source
from gridglow.tracks.layout import write_layout
from shared_rules import proof
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup
from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.course import Course
from shared_rules.games.ausgebremst.rules import Game
from shared_rules.games.ausgebremst.season import Season
from shared_rules.race import Race
from shared_rules.setup import Setup

# The rulebook's table: way round, fields of a race, difficulty; its chart: deposits of the three start rows,
# reserve. The lap follows from them: 84 less deposit and reserve are three laps and the step over the line.
TABLE = {
    "bleifuss-drom": ("right", 74, "easy", ("44", "43", "42"), 3, 24),
    "plattfuss-circuit": ("right", 76, "middle", ("54", "53", "52"), 2, 24),
    "nuerburg-ring": ("right", 80, "hard", ("3", "2", "1"), 2, 26),
    "bleifuss-circuit": ("left", 73, "easy", ("65", "64", "63"), 3, 23),
    "nuerburg-drom": ("left", 80, "hard", ("3", "2", "1"), 2, 26),
    "plattfuss-ring": ("left", 77, "middle", ("42", "32", "31"), 2, 25),
    "nuerburg-circuit": ("right", 79, "hard", ("42", "32", "31"), 2, 25),
    "plattfuss-drom": ("left", 77, "middle", ("42", "32", "31"), 2, 25),
}


def plain(who="PPP", **more):
    return racing.plain_setup("ausgebremst", who, laps=3, **more)


def new_race(who="PPP", track="bleifuss-drom", **more):
    there = load_track(track).track
    return Race(Setup.from_plain(plain(who, **more), there), there)


def shortest(track, space, pit):
    """Steps from a space to the line, found by walking the graph: over the pit lane's first field, or without the lane."""
    seen, edge, steps = {(space, False)}, [(space, False)], 0
    while edge:
        steps += 1
        found = []
        for here, through in edge:
            for to in track.ahead(here) + (track.branch(here) if pit else []):
                if to < here < track.in_rows:
                    if through or not pit:
                        return steps
                    continue
                place = (to, through or to >= track.in_rows)
                if place not in seen:
                    seen.add(place)
                    found.append(place)
        edge = found
    raise AssertionError("the line can't be reached")


# The circuits


def test_the_eight_circuits_in_their_order():
    sources = sorted(list_tracks("ausgebremst"), key=lambda source: source.number)
    assert [source.id for source in sources] == list(TABLE)
    assert [source.number for source in sources] == list(range(1, 9))
    assert {source.laps for source in sources} == {3}


@pytest.mark.parametrize("name", TABLE)
def test_every_distance_of_the_table_comes_out_of_the_graph(name):
    way, fields, level, deposits, reserve, lap = TABLE[name]
    track = load_track(name).track
    first = track.row_spaces(1)
    grid = [track.row_spaces(track.rows - row) for row in range(3)]
    assert {shortest(track, space, False) for space in first} == {lap}
    assert {section.turn for section in track.sections if section.kind == "corner"} == {way}
    assert track.level == level
    detour = shortest(track, track.roads[0][1], True) - lap
    for row, spaces in enumerate(grid):
        for space in spaces:
            without = shortest(track, space, False) + 3 * lap
            assert without == 3 * lap + 1 + row
            assert without + detour == fields + row
            assert 84 - sum(int(card) for card in deposits[row]) - reserve == without
    course = Course(track, 3)
    assert (course.lap, course.detour(), course.pit_fields) == (lap, detour, track.roads[0][3])
    assert data.chart(name) == (deposits, reserve)
    inner = track.lane(course.entry)
    assert inner == (2 if way == "right" else 1) and track.lane(course.exit) == inner
    assert [track.lane(space) for space in course.grid] == [inner, 3 - inner] * 3


@pytest.mark.parametrize("name", TABLE)
def test_both_fields_of_every_straight_row_are_as_far_from_the_line(name):
    track = load_track(name).track
    for row in range(1, track.rows + 1):
        spaces = track.row_spaces(row)
        if len(spaces) == 2 and not track.is_corner(row):
            assert len({shortest(track, space, False) for space in spaces}) == 1, row


def test_the_same_lengths_whatever_halves_are_joined():
    laps = {name: figures[5] for name, figures in TABLE.items()}
    houses = {"bleifuss": 0, "plattfuss": 1, "nuerburg": 2}
    pits = {"circuit": 0, "drom": 1, "ring": 1}
    assert all(lap == 23 + houses[name.split("-")[0]] + pits[name.split("-")[1]] for name, lap in laps.items())
    assert {name: len(load_track(name).track.row_spaces(4)) for name in TABLE if "ring" in name} == {
        "nuerburg-ring": 1, "plattfuss-ring": 1}


def test_a_layout_has_its_pit_lane():
    source = parse_layout("S6 R5i3 S2 R5i3 S3 R5i3 S4 1b>5>6b", 2, 3, game="ausgebremst")
    short, whole = compile_source(source).track, load_track("bleifuss-drom").track
    assert list(short.ahead_to) == list(whole.ahead_to) and short.roads == whole.roads
    assert sorted(short.marks) == sorted(whole.marks)
    assert write_layout(source) == "S6 R5i3 S2 R5i3 S3 R5i3 S4 1b>5>6b"


def test_it_is_drawn_with_every_space_where_it_belongs():
    for name in TABLE:
        compiled = load_track(name)
        assert compiled.geometry.correction_deg <= 5 and len(compiled.geometry.spaces) == compiled.track.count


# Set-ups


@pytest.mark.parametrize(("more", "said"), [
    ({"who": "PP"}, "Expected 3 to 6 seats, got 2."),
    ({"who": "BB"}, "Expected 3 to 6 seats, got 2."),
    ({"who": "PPB", "decks": "table"}, "Bots can't hold real cards"),
    ({"grid": [4, 5, 6, 1, 2]}, "Expected a grid of the cars 1 to 6, those without a player (from 4 on) first"),
    ({"grid": [4, 5, 1, 6, 2, 3]}, "Expected a grid of the cars 1 to 6, those without a player (from 4 on) first"),
])
def test_what_cannot_be_raced_is_said(more, said):
    track = load_track("bleifuss-drom").track
    with pytest.raises(BadSetup) as caught:
        Setup.from_plain({**plain(more.pop("who", "PPP")), **more}, track)
    assert said in str(caught.value)


def test_more_laps_than_the_cards_last_for_and_other_tracks_are_refused():
    track = load_track("bleifuss-drom").track
    with pytest.raises(BadSetup, match="Expected at most 3 laps"):
        Setup.from_plain({**plain(), "laps": 4}, track)
    loop = compile_source(parse_layout("S6 R5i3 S2 R5i3 S3 R5i3 S4", 2, 3, game="ausgebremst")).track
    with pytest.raises(BadSetup, match="one side road from row 1"):
        Setup.from_plain(plain(), loop)


def test_one_seat_is_for_measurements_of_bots():
    class Measured(Game):
        SEATS = (1, 6)

    track = load_track("bleifuss-drom").track
    setup = Setup.from_plain(plain("B"), track, Measured)
    race = Race(setup, track, None, Measured)
    while not race.over:
        seat = race.prompts[0].seat or 1
        race.answer(seat, race.bot_answer(seat))
    assert [row[0] for row in race.standings()].count(0) == 5


def test_a_season_gives_the_start_order():
    race = new_race("PPP", grid=[4, 5, 6, 3, 1, 2], seed="season")
    grid = [race.track.space_name(space) for space in race.game.course.grid]
    stood = [car for car in race.take_events() if car[0] == "grid"]
    assert [[event[1], race.track.space_name(event[2])] for event in stood] == [
        list(pair) for pair in zip([4, 5, 6, 3, 1, 2], grid, strict=True)]
    assert race.prompts[0].seat == 3
    assert "grid: 4 5 6 3 1 2" in race.journal()
    assert Season.POINTS == (9, 6, 4, 3, 2, 1) and Season.TIES == ("wins", "last")


# Whole races


@pytest.mark.parametrize("variant", ["family", "pro"])
@pytest.mark.parametrize("decks", ["device", "table"])
def test_random_races_end_and_every_point_is_accounted_for(variant, decks):
    """A small part of what ``gridglow test --game ausgebremst --races 5000`` measures."""
    for number in range(16):
        track = load_track(list(TABLE)[number % 8]).track
        chance = Chance(f"races {variant} {decks} {number}", "setup")
        options = [[key, chance.die(values)] for key, values, _ in Game.OPTIONS]
        setup = Setup.from_plain(plain("P" * (3 + chance.below(4)), variant=variant, decks=decks, options=options,
                                       seed=f"races-{number}"), track)
        race = proof.random_race(setup, track, f"hands {number}", _sound)
        game = race.game
        for car in game.cars_:
            whole = 84 if car.seat else 105
            assert car.moved + car.void + game.points_left(car) == whole
            if car.status == "done" and not car.derelict:
                assert data.points(game.cards_of(car)) <= int(game.look("reserve %d" % car.number))
        assert sorted(game.finished + game.removed + [car.number for car in game.running()]) == list(range(1, 7))
        assert not [car for car in game.running() if not car.derelict]


def _sound(race):
    """No two cars share a space, and nobody is on the way home without a stop."""
    game = race.game
    taken = game.taken()
    assert len(taken) == len(set(taken))
    for car in game.cars_:
        assert car.status != "done" or car.stopped or game.pro


def test_who_has_finished_keeps_place_and_points_among_cars_without_drivers():
    for number in range(6):
        race = new_race("BBB", seed=f"points-{number}")
        while not race.over:
            race.answer(race.prompts[0].seat, race.bot_answer(race.prompts[0].seat))
        for seat, car, place, points in race.standings():
            home = race.game.car(car).status == "done"
            assert points == (data.POINTS[place - 1] if seat and home else 0)


# Hands


@pytest.mark.parametrize("variant", ["family", "pro"])
def test_a_hand_is_seen_by_its_own_seat_alone(variant):
    race = new_race("PPP", variant=variant, seed="hidden")
    while race.game.phase != "race":
        prompt = race.prompts[0]
        race.answer(prompt.seat, "draw" if prompt.kind == "draw" else prompt.options()[0])
    prompt = race.prompts[0]
    seat = prompt.seat
    hand = " ".join(reversed(race.game.hands[seat - 1]))
    assert ["ausgebremst.in_hand", hand] in race.view(seat)["private"]
    assert race.view(seat)["prompt"]["choices"] == prompt.options() and prompt.plain()["choices"] is None
    for other in (1, 2, 3):
        if other != seat:
            assert race.view(other)["prompt"] is None or race.view(other)["prompt"]["choices"] is None
    public = json.dumps([prompt.plain(), race.game.dump(race.game.secret_fields), race.journal()])
    assert "in_hand" not in public and '"%s"' % race.game.hands[seat - 1] not in public
    race.answer(seat, prompt.options()[0])
    assert prompt.laid_open and race.line(race.lines).text == prompt.options()[0]
    assert race.journal().splitlines()[-1].startswith(f"{seat} sealed")


def test_the_pro_game_tells_nobody_the_deck():
    dials = [dial[2] for dial in new_race("PPP", variant="pro").scene().dials]
    assert set(dials) == {"ausgebremst.dial_points", "ausgebremst.dial_pit"}
    faces = []
    for deck in data.DECKS:
        race = new_race("PPP", variant="pro", grid=[4, 5, 6, 1, 2, 3], options=[["stacking", "card"]], seed="deck")
        racing.give(race, "1 pick " + deck, "2 pick slow", "3 pick slow")
        for _ in range(23):
            for seat in (1, 2, 3):
                race.answer(seat, race.prompt_of(seat).options()[0])
        faces.append([race.public_digest(), [prompt.plain()["ask"] for prompt in race.prompts], race.scene().dials])
    assert faces[0] == faces[1] == faces[2]


def test_taking_back_a_card_needs_the_others_as_a_new_one_was_drawn():
    race = new_race("PPPPPP", grid=[1, 2, 3, 4, 5, 6], seed="undo")
    race.answer(1, race.prompts[0].options()[0])
    race.answer(1, "undo")
    assert race.asking.waiting == [2, 3, 4, 5, 6]


# Leaving


@pytest.mark.parametrize("variant", ["family", "pro"])
def test_who_leaves_becomes_derelict_or_is_taken_off(variant):
    for choice in ("derelict", "removed"):
        race = new_race("PPPP", variant=variant, options=[["leaver", choice]], seed="leave")
        racing.play(race, 70)
        assert race.game.phase == "race"
        cards = sorted(race.game.cards_of(race.game.car(2)))
        race.answer(2, "leave")
        racing.play_until(race, lambda race: 2 in race.left)
        car = race.game.car(2)
        assert race.game.cars()[1][1] == 2
        if choice == "removed":
            assert (car.status, car.space) == ("out", -1) and race.game.removed[-1] == 2
        else:
            assert car.derelict and len(cards) - len(race.game.cards_of(car)) <= 2
        racing.play(race)
        assert race.over and [row[3] for row in race.standings() if row[1] == 2] == [0]


def test_all_leave_and_the_race_is_over():
    race = new_race("PPP", seed="gone")
    for seat in (1, 2, 3):
        race.answer(seat, "leave")
    assert race.over
