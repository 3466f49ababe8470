"""led_map.csv, the string of LEDs that a module needs, and the checks of both."""

import csv
import dataclasses
import io
import itertools
import json
import math
import re

import pytest
from polygons import inside

from gridglow import paths
from gridglow.boards.boardfile import read_board
from gridglow.hardware import led_csv, string_checks
from gridglow.hardware.build import plan_build
from gridglow.hardware.string_plan import extension_note, plan_string
from gridglow.tomlfile import FileProblems
from gridglow.tracks import device_files, list_tracks, load_track
from gridglow.tracks.compiled import compile_source

TRACKS = [source.id for source in list_tracks()]


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def table(build):
    files = dict(led_csv.make(build))
    return list(csv.DictReader(io.StringIO(files["led_map.csv"].decode()))), files


def own_board(tmp_path, old="", new="", board="full"):
    text = (paths.boards_folder() / f"{board}.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "own.toml"
    path.write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
    return path


@pytest.mark.parametrize("track_id", TRACKS)
def test_every_space_has_a_pixel_and_every_wire_reaches(track_id):
    """With a pixel for each space on the full board, which can carry every track."""
    build = plan_build("full", track_id)
    rows, files = table(build)
    track = build.track.track
    assert sorted(row["space"] for row in rows) == sorted(track.space_name(s) for s in range(track.count))
    assert [int(row["index"]) for row in rows] == list(range(track.count)), "a permutation, in the order of the wire"
    assert {row["output"] for row in rows} == {"1"}
    places = [(float(row["x_mm"]), float(row["y_mm"])) for row in rows]
    hops = [math.dist(one, other) for one, other in itertools.pairwise(places)]
    assert all(abs(hop - float(row["hop_mm"])) < 0.07 and hop <= float(row["wire_mm"]) for hop, row in zip(hops, rows[1:]))
    leds = json.loads(files[f"tracks/{track_id}.leds"])["leds"]
    assert [leds[track.named(row["space"])] for row in rows] == list(range(track.count)), "the map that the board gets"
    assert files[f"tracks/{track_id}.leds"] == device_files(load_track(track_id), build.board)[f"tracks/{track_id}.leds"]


def test_pixels_lie_in_their_spaces():
    for track_id in ("brasil", "track-a", "gp-ring"):
        build = plan_build("full", track_id)
        for hole in plan_string(build).holes:
            space = build.drawing["spaces"][hole.spaces[0]]
            assert math.dist(space["centre"], (hole.x, hole.y)) < build.drawing["lane_mm"] / 6
            assert inside((hole.x, hole.y), space["polygon"])


def test_by_row_lanes_share_a_hole_and_a_long_way_is_told():
    build = plan_build("mini", "tag-team")
    rows, _ = table(build)
    assert build.light == "row" and len({row["pixel"] for row in rows}) == 29
    assert {(row["x_mm"], row["y_mm"]) for row in rows if row["space"] in ("1a", "1b", "1c", "1d")} != set()
    plan = plan_string(build)
    (longer,) = plan.extensions
    assert (longer.before, longer.after, longer.wire_mm) == (1, 2, 180) and plan.wire_mm == 100
    noted = [row for row in rows if row["note"]]
    assert [(row["pixel"], row["wire_mm"]) for row in noted] == [("2", "180")]
    assert noted[0]["note"] == extension_note(longer) == (
        "wire of 180 mm or more from pixel 1 to pixel 2, as the holes are 171 mm apart")


def test_the_shortest_string_that_reaches_is_taken(tmp_path):
    assert plan_string(plan_build("full", "gp-ring")).wire_mm == 75
    assert plan_string(plan_build("full", "track-a")).wire_mm == 100
    short = own_board(tmp_path, "wires_mm = [75, 100]", "wires_mm = [40, 70]")
    plan = plan_string(plan_build(short, "track-a"))
    assert plan.wire_mm == 70 and plan.extensions
    assert all(one.hop_mm > 70 and one.hop_mm <= one.wire_mm < one.hop_mm + 10 for one in plan.extensions)


@pytest.mark.parametrize(("old", "new", "key", "says"), [
    (r"extension_mm = 200 .*", "", "string wires_mm", "171 mm, but the string has 100 mm of wire; set extension_mm = 180"),
    (r"extension_mm = 200", "extension_mm = 170", "string extension_mm", "and extension_mm allows 170; set"),
    (r"wires_mm = \[75, 100\]", "wires_mm = [25]", "string extension_mm", ""),
    (r"extension_mm = 200", "extension_mm = 2001", "string extension_mm", "Expected 0 to 2000, found 2001"),
])
def test_a_way_beyond_the_wire_is_a_mistake(tmp_path, old, new, key, says):
    """Unless the board file says that a longer wire may be used."""
    text = (paths.boards_folder() / "mini.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(re.sub(old, new, text), "utf-8")
    if not says:
        assert len(plan_string(plan_build(path, "tag-team")).extensions) == 28
        return
    with pytest.raises(FileProblems) as caught:
        plan_build(path, "tag-team")
    problem, = caught.value.problems
    assert problem.key == key and says in problem.say and problem.line > 1, problem


def test_a_dark_pixel_leaves_the_wire_of_two(tmp_path):
    build = plan_build(own_board(tmp_path, 'order = "GRB"', 'order = "GRB"\nskip = [3]'), "gp-ring")
    holes = plan_string(build).holes
    assert [hole.pixel for hole in holes][:3] == [1, 2, 4] and build.led_map.pixels == 172
    assert plan_string(build).pixels == 172
    rows, _ = table(build)
    assert [(row["space"], row["pixel"], row["index"]) for row in rows[:3]] == [
        ("1a", "1", "0"), ("1b", "2", "1"), ("1c", "4", "3")]


@pytest.mark.parametrize(("old", "new", "key", "says"), [
    ("wires_mm = [75, 100]", "wires_mm = [100, 50]", "string wires_mm", "Expected 1 to 4 lengths of 20 to 1000 mm, from"),
    ("wires_mm = [75, 100]", "wires_mm = [5]", "string wires_mm", "Expected 1 to 4 lengths"),
    ("hole_mm = 12", "hole_mm = 13", "string hole_mm", "Expected at most 12, the pixel's diameter, found 13"),
    ("hole_mm = 12", "holes_mm = 12", "string holes_mm", "did you mean 'hole_mm'?"),
    ("pixel_mm = 12", "pixel_mm = 20", "string pixel_mm", "pairs are too close); a pixel measures 20 mm"),
])
def test_mistakes_have_line_and_key(tmp_path, old, new, key, says):
    path = own_board(tmp_path, old, new)
    with pytest.raises(FileProblems) as caught:
        plan_build(path, "gp-ring")
    (problem,) = caught.value.problems
    lines = path.read_text("utf-8").splitlines()
    assert problem.key == key and says in problem.say, problem.say
    assert lines[problem.line - 1].startswith(new.split(" ")[0])


def test_a_module_without_a_pixel_somewhere_is_refused(tmp_path):
    text = '\n[[module]]\ntrack = "gp-ring"\nlight = "lane"\nskip = []\njumps = [[40, "57c"]]\n'
    with pytest.raises(FileProblems, match=r"own.toml:\d+: module 1: Expected a pixel for every space, found none for .*"
                       r" and \d+ more of gp-ring; remove .*module"):
        plan_build(own_board(tmp_path, "", text), "gp-ring")


def test_what_no_track_of_ours_has_is_found_too():
    """A loop that doesn't meet its start, a bend too tight, holes off the board, a pixel for two spaces."""
    build = plan_build("full", "gp-ring")
    geometry = build.track.geometry
    line = [*geometry.centre_line[:-1], (geometry.centre_line[-1][0] + 2, geometry.centre_line[-1][1])]
    angles = [angle * 2 for angle in geometry.angles_deg]
    wrong = dataclasses.replace(geometry, centre_line=line, angles_deg=angles)
    broken = dataclasses.replace(build, track=dataclasses.replace(build.track, drawn=lambda: wrong))
    says = [problem.say for problem in string_checks.check(broken)]
    assert says[0].startswith("The loop doesn't close: its end misses its beginning by 2.0 mm")
    assert says[1].startswith("Section 2 bends too tightly: the radius of its inner border is -")
    leds = build.led_map.leds[:]
    leds[7] = leds[6]
    twice = dataclasses.replace(build, led_map=dataclasses.replace(build.led_map, leds=leds))
    says = [problem.say for problem in string_checks.check(twice)]
    assert f"Expected one space for each pixel; {leds[6] + 1} of gp-ring" in says[0]
    small = compile_source(build.track.source)
    board = dataclasses.replace(small.geometry, board_mm=(700.0, 600.0))
    near = dataclasses.replace(small, drawn=lambda: board)
    edge = dataclasses.replace(build, track=near)
    (off,) = string_checks.check(edge)
    assert "would be closer than 3 mm to the edge of the board of 700 × 600 mm" in off.say
    assert off.file.endswith("gp-ring.toml")


def test_a_board_without_the_table_has_usual_strings(tmp_path):
    text = (paths.boards_folder() / "full.toml").read_text("utf-8")
    start = text.index("[string]")
    path = tmp_path / "own.toml"
    path.write_text(text[:start] + text[text.index("[supply]") :], "utf-8")
    assert read_board(path).string.wires_mm == (75, 100)


@pytest.mark.parametrize("source", list_tracks(), ids=lambda source: source.id)
def test_between_two_holes_enough_board_stays(source):
    build = plan_build("full", source.id)
    holes = plan_string(build).holes
    least = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.combinations(holes, 2))
    assert least - build.board.string.hole_mm >= 4


def test_a_web_that_would_crack_is_a_mistake():
    build = plan_build("full", "brasil")
    string = dataclasses.replace(build.board.string, hole_mm=20)
    wide = dataclasses.replace(build, board=dataclasses.replace(build.board, string=string))
    (thin,) = string_checks.check(wide)
    assert thin.key == "string hole_mm" and "mm of board remain" in thin.say and "it takes 4 mm not to crack" in thin.say
