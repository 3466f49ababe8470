"""Roads beside the rows, and painted spaces: read, joined, packed, drawn and lit."""

import itertools
import math

import pytest
from lights_script import BOARD, MemoryHal, Picture, take
from sights import APART, SIGHTS, lab, seen

from glow.lights import painted as paint
from glow.lights.lights import Lights
from gridglow import paths
from gridglow.tomlfile import FileProblems
from gridglow.tracks import compile_file, draw_svg, list_tracks, load_track, page_geometry
from gridglow.tracks.ledmap import map_by_space, wire_order
from shared_rules.track import Track
from shared_rules.track_paint import COLOURS, colours_of

HOUSE = paths.tracks_folder() / "racing_rules" / "house-board.toml"


@pytest.fixture(scope="module")
def house():
    return load_track("house-board")


def changed(tmp_path, *changes):
    text = HOUSE.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "house-board.toml"
    path.write_text(text, encoding="utf-8")
    return path


def names(track, spaces):
    return [track.space_name(space) for space in spaces]


def test_a_side_road_leaves_the_rows_and_comes_back(house):
    track = house.track
    way = [track.branch(track.named("38a"))[0]]
    while track.space_name(way[-1]) != "42a":
        way += track.ahead(way[-1])
    assert names(track, way) == [f"{row}b" for row in range(31, 42)] + ["42a"]
    assert names(track, track.ahead(track.named("38a"))) == ["39a"]


def test_a_ramp_is_gone_into_and_left_the_same_way(house):
    track = house.track
    space, inward = track.named("80a"), []
    while track.branch(space):
        space = track.branch(space)[0]
        inward.append(space)
    outward = [space]
    while track.ahead(outward[-1]):
        outward += track.ahead(outward[-1])
    assert names(track, inward) == ["78b", "79b", "80b", "81b"]
    assert names(track, outward) == ["81b", "80b", "79b", "78b", "81a"]


def test_a_start_leads_onto_the_first_row(house):
    assert names(house.track, house.track.ahead(house.track.named("1b"))) == ["1a"]


def test_the_pack_keeps_roads_and_paint(house):
    track = Track.unpack(house.pack)
    assert [[road[0], road[3]] for road in track.roads] == [["start", 1], ["side", 11], ["ramp", 4]]
    assert [colours_of(track, track.named(name)) for name in ("1a", "8a", "81a", "31b", "79b", "1b")] == [
        ("black",), ("white",), ("black", "gold"), ("green",), ("red", "purple"), ()]
    plain = load_track("gp-ring").track
    assert (plain.roads, plain.painted, plain.die, plain.cards) == ((), b"", (), ())
    assert colours_of(plain, 0) == ()


def test_the_drawing_has_every_space_and_no_two_on_one_another(house):
    shape = page_geometry(house)
    assert len(shape["spaces"]) == len(house.geometry.spaces) == house.track.count == 97
    assert [road["kind"] for road in shape["roads"]] == ["start", "side", "ramp"]
    centres = [space["centre"] for space in shape["spaces"]]
    nearest = min(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in itertools.combinations(centres, 2))
    assert nearest > 0.75 * shape["pitch_mm"]
    board = [0, 0, shape["width_mm"], shape["height_mm"]]
    for space in shape["spaces"]:
        assert all(board[0] < x < board[2] and board[1] < y < board[3] for x, y in space["polygon"])
        assert (len(space["colours"]) > 1) == bool(space["further"])
    svg = draw_svg(house)
    assert svg.count("<title>81a black gold</title>") == 1 and "<title>22a yellow pit_stop</title>" in svg


def test_spaces_beside_the_rows_have_pixels_of_their_own(house):
    leds = map_by_space(house.track)
    assert sorted(leds.leds) == list(range(97))
    names = [name for name, _ in wire_order(house.track, "lane")]
    assert names[:2] == ["1b", "1a"] and names[37:51] == [
        "37a", "38a", "31b", "33b", "35b", "37b", "39b", "41b", "40b", "38b", "36b", "34b", "32b", "39a"]


@pytest.mark.parametrize(("old", "new", "key", "says"), [
    ('kind = "side"', 'kind = "loop"', "road 2 kind", "Expected 'side', 'ramp' or 'start', found 'loop'."),
    ('from = "38a"', 'from = "38"', "road 2 from", 'Expected a space such as "12b"'),
    ('from = "38a"', 'from = "82a"', "road 2 from", "Expected a space in a row, up to 81a."),
    ('name = "31b"', 'name = "31a"', "road 2 name", "in a lane that neither the rows nor another road use"),
    ('name = "31b"', 'name = "75b"', "road 2 name", "Expected a name whose 11 rows end by row 81"),
    ('"blue/yellow"', '"blue/pink"', "road 3 colours", "Expected one of black, gold"),
    ('colour = "black/gold"', 'colour = "golden"', "paint 1 colour", "found 'golden'"),
    ("lanes = 1\n", "lanes = 1\ndie = [1, 2]\n", "die", "Expected 2 to 20 faces"),
    ("closed = false\n", "closed = false\nreversible = true\n", "reversible", "can be driven one way only"),
    ("\n[[mark]]", '\n[[card]]\nword = "Ahead 2"\ncount = 1\n\n[[mark]]', "card 1 word", "a word of small letters, digits"),
])
def test_mistakes_are_told(tmp_path, old, new, key, says):
    with pytest.raises(FileProblems) as caught:
        compile_file(changed(tmp_path, (old, new)))
    told = [(one.key, one.say) for one in caught.value.problems if one.key == key]
    assert told and says in told[0][1], caught.value.problems


def test_a_road_without_room_is_refused(tmp_path):
    with pytest.raises(FileProblems, match="is too short: it bridges 4.0 rows with 2 spaces; give it more"):
        compile_file(changed(tmp_path, ("spaces = 11", "spaces = 2")))
    with pytest.raises(FileProblems, match="overlap"):
        compile_file(changed(tmp_path, ("spaces = 11", "spaces = 40")))


ACROSS = """id = "across"
name = "Across"
number = 90
game = "racing_rules"
level = "house"
laps = 1
board_cm = [90, 60]
lanes = 2
[[road]]
kind = "side"
name = "7c"
spaces = SPACES
from = "6b"
to = "25b"
turn = "right"
""" + "".join(f"""
[[section]]
kind = "straight"
rows = {rows}
[[section]]
kind = "corner"
turn = "right"
rows = 4
angle = 90
""" for rows in (8, 6, 8, 6))


@pytest.mark.parametrize("spaces", [10, 12])
def test_a_road_straight_across_a_loop_bears_off_in_the_place_of_folding(tmp_path, spaces):
    path = tmp_path / "across.toml"
    path.write_text(ACROSS.replace("SPACES", str(spaces)), encoding="utf-8")
    compiled = compile_file(path)
    shape = page_geometry(compiled)
    road = [space["centre"] for space in shape["spaces"][compiled.track.in_rows:]]
    assert len(road) == spaces
    for (at, one), (beyond, other) in itertools.combinations(enumerate(road), 2):
        assert math.dist(one, other) > (0.65 if beyond == at + 1 else 0.79) * shape["pitch_mm"], (at, beyond)


def test_a_road_that_must_fold_is_refused(tmp_path):
    path = tmp_path / "across.toml"
    path.write_text(ACROSS.replace("SPACES", "30"), encoding="utf-8")
    with pytest.raises(FileProblems, match="The road of across folds: its spaces .* overlap; give it fewer"):
        compile_file(path)


# Light


def lit(house, cars=(), calm=False):
    hal = MemoryHal(BOARD)
    lights = Lights(BOARD, hal)
    leds = map_by_space(house.track).plain()
    lights.load_track(leds, house.track)
    lights.set_cars([[1, 1, "game.car", "cyan", 0], [2, 2, "game.car", "orange", 1]])
    lights.set_calm(calm)
    take(lights, Picture(cars), 1000)
    lights.show_race(1000)
    lights.tick(1000)
    return lights, hal, leds["leds"]


def test_every_painted_space_is_lit_in_its_colour(house):
    _, hal, leds = lit(house)
    shown = {}
    for space in range(house.track.count):
        colours = colours_of(house.track, space)
        if len(colours) == 1:
            shown.setdefault(colours[0], set()).add(hal.pixels[0].pixel(leds[space]))
    assert set(shown) == set(COLOURS)
    assert all(len(pixels) == 1 and any(min(pixels)) for pixels in shown.values()), shown
    assert len({min(pixels) for pixels in shown.values()}) == 8
    assert not any(hal.pixels[0].pixel(leds[house.track.named("1b")])), "the start must have no colour"


def test_a_space_of_two_colours_shows_them_by_turns(house):
    lights, hal, leds = lit(house)
    pixel = leds[house.track.named("79b")]
    seen_there = []
    for moment in range(1000, 9000, 40):
        lights.tick(moment)
        if not seen_there or seen_there[-1] != hal.pixels[0].pixel(pixel):
            seen_there.append(hal.pixels[0].pixel(pixel))
    assert len(set(seen_there)) == 2 and 4 <= len(seen_there) <= 7


def test_cars_and_offered_spaces_stand_out(house):
    track = house.track
    lights, hal, leds = lit(house, [[1, track.named("20a"), "run"], [2, track.named("26a"), "run"]])
    lights.ends([track.named("30a"), track.named("32a")], 0, 1000)
    painted = max(max(hal.pixels[0].pixel(leds[space])) for space in range(50, 60))
    least = dict.fromkeys(("20a", "26a", "30a"), 255)
    most = dict.fromkeys(("30a", "32a"), 0)
    for moment in range(1040, 6000, 40):
        lights.tick(moment)
        for name in least:
            least[name] = min(least[name], max(hal.pixels[0].pixel(leds[track.named(name)])))
        for name in most:
            most[name] = max(most[name], max(hal.pixels[0].pixel(leds[track.named(name)])))
    assert least["20a"] >= 2 * painted and least["26a"] >= 2 * painted, "a car in its low phase must be brighter"
    assert least["30a"] >= 4 * painted and most["32a"] >= 3 * painted


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_colours_of_spaces_stay_apart(sight):
    for one, two in itertools.combinations(range(1, 9), 2):
        a, b = lab(*seen(paint.rgb(one), sight)), lab(*seen(paint.rgb(two), sight))
        assert sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5 >= APART, (COLOURS[one - 1], COLOURS[two - 1])


def test_lanes_of_a_turn_with_a_shorter_inner_one_have_a_solid_line_between_them():
    track = load_track("bleifuss-drom")
    shape = page_geometry(track)
    turns = [section for section in track.source.sections if section.inner]
    assert len(shape["solid"]) == len(turns) == 3
    for line, turn in zip(shape["solid"], turns):
        long = sum(math.dist(*pair) for pair in itertools.pairwise(line))
        assert abs(long - turn.rows * shape["pitch_mm"]) < 0.1 * shape["pitch_mm"]
        assert all(distance_to(shape["centre_line"], place) < 0.5 for place in line)
    assert draw_svg(track).count('id="solid"') == 1 and page_geometry(load_track("gp-ring"))["solid"] == []


def distance_to(points, place):
    """How close a place is to a line of points."""
    found = []
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        along = ((place[0] - ax) * (bx - ax) + (place[1] - ay) * (by - ay)) / max((bx - ax) ** 2 + (by - ay) ** 2, 1e-9)
        along = min(1.0, max(0.0, along))
        found.append(math.dist(place, (ax + (bx - ax) * along, ay + (by - ay) * along)))
    return min(found)


@pytest.mark.parametrize("name", [source.id for source in list_tracks("ausgebremst")])
def test_a_pit_lane_lies_on_no_row(name):
    shape = page_geometry(load_track(name))
    row, lane = shape["pitch_mm"], shape["lane_mm"]
    pit = [space for space in shape["spaces"] if space["lane"] == 3]
    assert len(pit) in (5, 6)
    for space in pit:
        for corner in space["polygon"]:
            assert distance_to(shape["centre_line"], corner) > lane - 0.1 * row, (name, space["name"])
        along = math.dist(space["polygon"][0], space["polygon"][8]) + math.dist(space["polygon"][9], space["polygon"][-1])
        assert 0.5 * row < along / 2 < 1.4 * row, (name, space["name"])
    for one, other in itertools.pairwise(pit):
        assert math.dist(one["centre"], other["centre"]) > 0.65 * row
    # Its ends are beside fields A and C.
    for end, mark in ((pit[0], "pit_in"), (pit[-1], "pit_out")):
        joined = next(space for space in shape["spaces"] if mark in space["marks"])
        assert 0.7 * row < math.dist(end["centre"], joined["centre"]) < 1.4 * row
