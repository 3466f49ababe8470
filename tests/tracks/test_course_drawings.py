"""Courses as they are drawn: the seven of Fast & Furious, and free ones as in the docs, with two ways or in a circle."""

import itertools
import math

import pytest

from gridglow.tomlfile import FileProblems
from gridglow.tracks import compile_file, draw_svg, load_track, page_geometry
from gridglow.tracks.signs import HALF, room_inside
from shared_rules import proof
from shared_rules.games.fast_and_furious.rules import Game
from shared_rules.setup import Setup

COURSES = ("main-event", "tokyo-drift", "varones-test", "all-timer", "brasil", "tag-team", "shoulder-run")

#: The short way along 5d leaves in row 5 and comes back in row 24, before a barrier.
TWO_WAYS = """id = "two-ways"
name = "Two Ways"
number = 31
game = "fast_and_furious"
level = "street"
laps = 1
board_cm = [90, 60]
lanes = 3
closed = false

[[section]]
kind = "straight"
rows = 8

[[section]]
kind = "corner"
turn = "right"
rows = 3
angle = 90
limit = 5
upgrades = 1

[[section]]
kind = "straight"
rows = 6

[[section]]
kind = "corner"
turn = "right"
rows = 3
angle = 90
limit = [6, 5, 4]
upgrades = 2

[[section]]
kind = "straight"
rows = 8

[[road]]
kind = "side"
name = "5d"
spaces = 9
from = "5c"
to = "24c"
turn = "right"
limits = [0, 0, 3, 3, 0, 0, 0, 0, 0]

[[barrier]]
row = 25
speed = 6
"""

ROUND = """id = "round-town"
name = "Round Town"
number = 32
game = "fast_and_furious"
level = "street"
laps = 2
board_cm = [90, 60]
lanes = 3

[[section]]
kind = "straight"
rows = 8

[[section]]
kind = "corner"
turn = "right"
rows = 4
angle = 90
limit = 5
upgrades = 1

[[section]]
kind = "straight"
rows = 4

[[section]]
kind = "corner"
turn = "right"
rows = 4
angle = 90
limit = 7
upgrades = 2

[[section]]
kind = "straight"
rows = 3

[[section]]
kind = "straight"
rows = 5
lanes = 2

[[section]]
kind = "corner"
turn = "right"
rows = 4
angle = 90
limit = 4
lanes = 2

[[section]]
kind = "straight"
rows = 4
lanes = 2

[[section]]
kind = "corner"
counter = "straight"
turn = "right"
rows = 4
angle = 90
lanes = 2

[[mark]]
space = "4b"
word = "obstacle"
sign = "X"
"""


def written(tmp_path, text):
    path = tmp_path / (text.split('"')[1] + ".toml")
    path.write_text(text, encoding="utf-8")
    return path


def check_drawing(compiled):
    """Nothing overlaps, and everything is on the board; returns its geometry."""
    shape = page_geometry(compiled)
    pitch, lane = shape["pitch_mm"], shape["lane_mm"]
    centres = [space["centre"] for space in shape["spaces"]]
    in_rows = [space["centre"] for space in shape["spaces"] if space["lane"] <= shape["lanes"] or space["start"]]
    beside = [space["centre"] for space in shape["spaces"] if space["lane"] > shape["lanes"] and not space["start"]]
    assert min(math.dist(*pair) for pair in itertools.combinations(centres, 2)) > 0.2 * pitch
    assert all(math.dist(*pair) > 0.6 * pitch for pair in itertools.product(in_rows, beside))
    things = [one["centre"] for one in shape["indicators"]] + [one["line"][1] for one in shape["barriers"]]
    things += [point for deck in shape["overpasses"] for point in deck]
    things += [point for space in shape["spaces"] for point in space["polygon"]]
    assert all(8 < x < shape["width_mm"] - 8 and 8 < y < shape["height_mm"] - 8 for x, y in things)
    for space in shape["spaces"]:
        if space["sign"]:
            assert room_inside(space["polygon"], *space["sign_at"]) > 0.6 * HALF * lane, space["name"]
    for one in shape["indicators"]:
        assert all(room_inside(space["polygon"], *one["centre"]) < -0.2 * lane for space in shape["spaces"])
    return shape


@pytest.mark.parametrize("course", COURSES)
def test_the_seven_courses_are_drawn_whole(course):
    compiled = load_track(course)
    shape = check_drawing(compiled)
    svg = draw_svg(compiled)
    starts = [space["name"] for space in shape["spaces"] if space["start"]]
    for name in starts + [str(row) for row in range(1, shape["row_count"] + 1)]:
        assert f">{name}</text>" in svg, name
    assert svg.count("upgrades</title>") == len(shape["indicators"])
    for _, speed in compiled.track.barriers:
        assert f"<title>Speed barrier {speed}</title>" in svg


def test_the_barrier_of_the_house_course_has_a_number_for_each_direction():
    shape = page_geometry(load_track("shoulder-run"))
    assert [(one["row"], one["speed"]) for one in shape["barriers"]] == [(18, 6), (30, 9)]
    lanes = [len([space for space in shape["spaces"] if space["row"] == row and not space["start"]]) for row in (18, 30)]
    for one, wide in zip(shape["barriers"], lanes, strict=True):
        assert math.isclose(math.dist(*one["line"]), wide * shape["lane_mm"], rel_tol=0.01), "it bars every lane of its row"


def test_the_overpass_lies_above_the_road_and_changes_no_row():
    compiled = load_track("brasil")
    shape = page_geometry(compiled)
    (deck,) = shape["overpasses"]
    row = {space["name"]: space for space in shape["spaces"]}
    middle = [sum(x) / 4 for x in zip(*deck)]
    for one, other in (("31a", "32a"), ("31b", "32b")):
        assert compiled.track.ahead(row[one]["space"])[0] == row[other]["space"]
        assert room_inside(deck, *row[one]["centre"]) < 0 > room_inside(deck, *row[other]["centre"])
    assert math.dist(middle, row["31a"]["centre"]) < shape["pitch_mm"]
    svg = draw_svg(compiled)
    assert svg.count("<title>Overpass</title>") == 1 and svg.index("Overpass") > svg.rindex("<title>31b</title>")


def raced(compiled, seats=3):
    """How many cars of four random races have come home, and the highest lap shown."""
    home, laps = 0, set()
    for seed in range(4):
        plain = {"game": "fast_and_furious", "variant": "street", "track": compiled.id, "laps": compiled.track.laps,
                 "dice": "device", "decks": "device", "seed": str(seed), "salt": "s",
                 "players": [["person", f"P{at}"] for at in range(seats)], "options": []}
        setup = Setup.from_plain(plain, compiled.track, Game)
        race = proof.random_race(setup, compiled.track, f"free-{seed}", lambda one: laps.add(one.game.lap()), Game)
        assert race.over
        home += [car.status for car in race.game.cars_].count("done")
    return home, max(laps)


def test_a_course_with_two_ways_is_drawn_checked_and_raced(tmp_path):
    compiled = compile_file(written(tmp_path, TWO_WAYS))
    shape = check_drawing(compiled)
    track = compiled.track
    assert [track.space_name(space) for space in track.branch(track.named("5c"))] == ["5d"]
    assert [track.space_name(space) for space in track.ahead(track.named("13d"))] == ["24c"]
    signs = {space["name"]: space["sign"] for space in shape["spaces"] if space["sign"]}
    assert signs["7d"] == "3" and "5d" not in signs and [signs[f"18{lane}"] for lane in "abc"] == ["6", "5", "4"]
    svg = draw_svg(compiled)
    assert ">5d</text>" in svg and ">13d</text>" in svg
    assert svg.index("<title>5d</title>") < svg.index("<title>5c</title>"), "it must come out from below the rows"
    home, lap = raced(compiled)
    assert home and lap == 0


def test_a_circular_course_of_two_laps_is_drawn_checked_and_raced(tmp_path):
    compiled = compile_file(written(tmp_path, ROUND))
    shape = check_drawing(compiled)
    assert shape["closed"] and "2 laps" in draw_svg(compiled)
    track = compiled.track
    assert track.space_name(track.ahead(track.named("40b"))[0]) == "1b"
    assert [track.space_name(space) for space in track.ahead(track.named("1e"))] == ["1a"]
    home, lap = raced(compiled, 2)
    assert home and lap == 2


@pytest.mark.parametrize(("text", "old", "new", "key", "says"), [
    (ROUND, "rows = 3\n", "rows = 3\nlanes = 2\n", "section 5 lanes", "Lanes can't end in the corner of row 20; put a "
     "straight row of 3 lanes between."),
    (ROUND, 'space = "4b"', 'space = "28c"', "mark 1 space", "Row 28 is narrower and has no space 28c"),
    (ROUND, "limit = 7", "limit = 70", "section 4 limit", "Expected 1 to 30, found 70"),
    (TWO_WAYS, "limit = [6, 5, 4]", "limit = [6, 5]", "section 4 limit", "one for each of the 3 lanes"),
    (TWO_WAYS, "limits = [0, 0, 3, 3, 0, 0, 0, 0, 0]", "limits = [0, 3]", "road 1 limits", "9"),
    (TWO_WAYS, 'to = "24c"', 'to = "29c"', "road 1 to", "Expected a space in a row, up to 28c."),
    (TWO_WAYS, "speed = 6", "sped = 6", "barrier 1 sped", "did you mean 'speed'?"),
    (TWO_WAYS, "[[barrier]]\nrow = 25\nspeed = 6", "[[overpass]]\nrow = 28", "overpass 1 row", "Expected 1 to 27, found 28"),
])
def test_mistakes_are_told_with_file_line_and_key(tmp_path, text, old, new, key, says):
    assert old in text
    changed = text.replace(old, new, 1)
    path = written(tmp_path, changed)
    with pytest.raises(FileProblems) as caught:
        compile_file(path)
    told = [one for one in caught.value.problems if one.key == key]
    assert told and told[0].file == str(path) and says in told[0].say, caught.value.problems
    assert told[0].line == 1 + changed[:changed.index(new) + len(new.rstrip())].count("\n")
