"""The drawing: loops close, spaces tile the road, everything is on the board."""

import dataclasses
import itertools
import math
import xml.etree.ElementTree as tree

import pytest

from gridglow.tracks import compile_source, list_tracks, load_track, page_geometry, parse_layout
from gridglow.tracks.geometry import EDGE_MARGIN_MM, build_geometry
from gridglow.tracks.loop import close_loop
from gridglow.tracks.source import reverse_source
from gridglow.tracks.svg import draw_svg
from shared_rules.errors import BadTrack

CIRCUITS = {  # number, level, rows, laps, corners of difficulty 1, 2, 3, board: the tables of the rules page
    "fabulous-driving-park": (1, "basic", 44, 6, [2, 1, 1], (60, 70)),
    "gp-ring": (2, "basic", 57, 6, [3, 2, 1], (60, 90)),
    "supercircus-raceway": (3, "basic", 66, 6, [3, 2, 1], (70, 75)),
    "april-raceway": (4, "standard", 75, 6, [3, 3, 2], (100, 80)),
    "startline-driving-park": (5, "standard", 86, 6, [7, 6, 2], (120, 75)),
    "free-speedway": (6, "standard", 96, 6, [4, 3, 2], (115, 85)),
    "grandprix-speedway": (7, "standard", 106, 6, [4, 3, 2], (120, 90)),
    "max-speed-circuit": (8, "standard", 118, 6, [5, 4, 2], (115, 90)),
    "race-bike-course": (9, "standard", 125, 5, [4, 4, 2], (115, 90)),
    "us-grand-prix": (10, "expert", 104, 5, [3, 5, 2], (115, 90)),
    "gran-premio-d-italia": (11, "expert", 116, 5, [4, 4, 2], (120, 90)),
    "gran-premi-de-catalunya": (12, "expert", 112, 5, [4, 4, 3], (120, 90)),
    "grand-prix-of-japan": (13, "pro", 140, 5, [6, 5, 2], (120, 90)),
}
REVERSIBLE = ("fabulous-driving-park", "grandprix-speedway")
LARGEST_PITCH_MM = {
    "fabulous-driving-park": 44.5, "april-raceway": 36.3, "race-bike-course": 25.8, "grand-prix-of-japan": 24.8,
}
# More worked layouts: short with many corners, the longest, connected corners.
LAYOUTS = [
    (
        "S12 R3d3@81 S2 R2d1@28 S1 R2d2@41 S2 L2d1@38 R2d2@46 S1 L2d1@34 S2 R3d2@61 S10 R3d3@96 S2 L2d1@31 "
        "S1 L2d2@43 L2d1@33 S2 R3d2@59 R2d1@39 S1 R3d2@55 R2d1@35 S15",
        86,
        (120, 75),
    ),
    (
        "S12 R4d3@88 R5d1@32 S6 R4d2@57 R5d1@33 S8 L5d2@66 S5 L4d2@65 R5d1@40 S9 R4d3u@93 R5d1@40 S22d "
        "R4d2@75 R5d1@49 S7 L4d2@60 R4d1@44 S13",
        140,
        (120, 90),
    ),
]


def drawn(layout, board=(60, 80), **head):
    return dataclasses.replace(parse_layout(layout, **head), board_cm=board)


def area(polygon):
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1])) / 2


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_circuits_are_those_of_the_rules_page(track_id):
    number, level, rows, laps, difficulties, board = CIRCUITS[track_id]
    compiled = load_track(track_id)
    track = compiled.track
    found = [section for section in track.sections if section.kind == "corner"]
    assert (track.number, track.level, track.rows, track.laps, track.lanes) == (number, level, rows, laps, 3)
    assert [sum(corner.difficulty == d for corner in found) for d in (1, 2, 3)] == difficulties
    assert len(found) == sum(difficulties)
    assert compiled.source.board_cm == board
    assert track.reversible == (track_id in REVERSIBLE)
    assert track.sections[0].kind == "straight" and track.sections[0].rows >= 8


def test_all_circuits_are_there_in_menu_order_and_the_reversed_ones_after_theirs():
    wanted = []
    for track_id in CIRCUITS:
        wanted += [track_id, track_id + "-reversed"] if track_id in REVERSIBLE else [track_id]
    assert [source.id for source in list_tracks("moto_grand_prix")] == wanted


@pytest.mark.parametrize("track_id", REVERSIBLE)
def test_reversed_circuits_are_tracks_of_their_own(track_id):
    there, back = load_track(track_id), load_track(track_id + "-reversed")
    assert back.track.name == there.track.name + " (reversed)" and back.track.hash != there.track.hash
    assert back.track.id == back.id == track_id + "-reversed"
    told = [(one.kind, one.turn, one.difficulty, one.rows) for one in there.track.sections]
    other = {"left": "right", "right": "left", "": ""}
    assert [(one.kind, other[one.turn], one.difficulty, one.rows) for one in reversed(back.track.sections)] == told
    assert back.geometry.correction_deg < 0.5
    again = reverse_source(back.source)
    assert (again.id, again.name) == (there.id, there.track.name)
    assert [(one.kind, one.turn, one.difficulty, one.rows) for one in again.sections] == [
        (one.kind, one.turn, one.difficulty, one.rows) for one in there.source.sections]


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_circuits_close(track_id):
    geometry = load_track(track_id).geometry
    assert geometry.gap_mm < 1e-9 and geometry.correction_deg < 0.5
    first, last = geometry.centre_line[0], geometry.centre_line[-1]
    assert math.dist(first, last) < 1e-9
    assert abs(abs(sum(geometry.angles_deg)) - 360) < 1e-9
    wishes = [
        section.angle * (1 if section.turn == "left" else -1)
        for section in load_track(track_id).source.sections
    ]
    assert all(
        abs(angle - wish) <= geometry.correction_deg + 1e-9
        for angle, wish in zip(geometry.angles_deg, wishes)
    )


@pytest.mark.parametrize("track_id", LARGEST_PITCH_MM)
def test_the_largest_pitch_is_about_that_of_the_rules_page(track_id):
    """That page allows its own margin."""
    assert abs(load_track(track_id).geometry.pitch_mm / LARGEST_PITCH_MM[track_id] - 1) < 0.2


@pytest.mark.parametrize(("layout", "rows", "board"), LAYOUTS)
def test_long_layouts_close_too(layout, rows, board):
    source = drawn(layout, board)
    geometry = build_geometry(source)
    assert source.rows == rows and geometry.gap_mm < 1e-9 and geometry.correction_deg < 0.5
    assert max(geometry.size_mm) <= 10 * max(board)


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_largest_pitch_fits_the_board_and_no_larger_one_does(track_id):
    compiled = load_track(track_id)
    geometry = compiled.geometry
    width, height = geometry.board_mm
    assert sorted((width, height)) == sorted(10.0 * side for side in compiled.source.board_cm)
    rim = EDGE_MARGIN_MM - 0.5
    points = [point for kerb in geometry.kerbs for stripe in kerb.stripes for point in stripe]
    points += geometry.left_edge + geometry.right_edge
    assert all(rim <= x <= width - rim and rim <= y <= height - rim for x, y in points)
    assert any(x < rim + 2 or y < rim + 2 for x, y in points)
    with pytest.raises(BadTrack, match=f"{geometry.pitch_mm:.1f} mm"):
        build_geometry(compiled.source, pitch_mm=geometry.pitch_mm * 1.05)
    smaller = build_geometry(compiled.source, pitch_mm=16.67, lane_mm=14)
    assert smaller.pitch_mm == 16.67 and smaller.lane_mm == 14


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_spaces_tile_the_asphalt(track_id):
    """Their areas add up to the ring between the edges, each is about a pitch long and a lane wide, none is
    turned."""
    compiled = load_track(track_id)
    geometry, track = compiled.geometry, compiled.track
    ring = abs(abs(area(geometry.left_edge)) - abs(area(geometry.right_edge)))
    areas = [area(shape.polygon) for shape in geometry.spaces]
    assert len({one > 0 for one in areas}) == 1
    assert abs(abs(sum(areas)) - ring) < ring * 1e-6
    assert abs(ring - track.rows * geometry.pitch_mm * track.lanes * geometry.lane_mm) < ring * 0.01
    for space, shape in enumerate(geometry.spaces):
        following = geometry.spaces[track.ahead(space)[0]]
        ahead = math.degrees(
            math.atan2(following.centre[1] - shape.centre[1], following.centre[0] - shape.centre[0])
        )
        assert abs((ahead - shape.heading_deg + 180) % 360 - 180) < 25
        if track.lane(space) == 2:
            assert 0.9 < math.dist(shape.centre, following.centre) / geometry.pitch_mm <= 1.001
        if track.lane(space) == 1:  # lane 2 is on the right in driving direction (y points down)
            x, y = geometry.spaces[space + 1].centre
            side = math.radians(shape.heading_deg + 90)
            assert (
                math.dist(
                    (x, y),
                    (
                        shape.centre[0] + math.cos(side) * geometry.lane_mm,
                        shape.centre[1] + math.sin(side) * geometry.lane_mm,
                    ),
                )
                < 1e-6
            )


def test_left_corners_turn_left_on_the_board():
    geometry = load_track("fabulous-driving-park").geometry
    turned = sum((b[1] - a[1] + 180) % 360 - 180 for a, b in zip(geometry.rows, geometry.rows[1:]))
    assert turned < -300  # headings are clockwise; this circuit runs counter-clockwise


def test_reversed_circuit_is_the_same_road():
    source = load_track("fabulous-driving-park").source
    there, back = build_geometry(source), build_geometry(reverse_source(source))
    assert abs(there.pitch_mm - back.pitch_mm) < 1e-6
    assert [round(abs(a), 6) for a in there.angles_deg] == [
        round(abs(a), 6) for a in reversed(back.angles_deg)
    ]


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        (
            "S8 L4d2@60 S6 L5d1@60 S5 L4d1@60 S6 L3d3@60 S3",
            "doesn't close.*add up to [+]240 instead of [+]360",
        ),
        (
            "S20 L4d2@120 S2 L4d1@120 S2 L4d1@120 S2",
            "doesn't close.*; the requested angles add up, but the straights don't match them; change",
        ),
        ("S8 L4d2@180 S8 L4d2@179 S1", "at least three corners"),
        (
            "S6 L2d2@120 S6 L2d2@120 S6 L2d2@120",
            "Section 2 of layout is too tight.*radius of 1.36 rows, but has 0.95",
        ),
        ("S8 L4d2@107 S6 L5d1 S5 L4d1@70 S6 L3d3@103 S3", "no angle"),
    ],
)
def test_what_cannot_be_laid_out_is_refused_with_the_numbers(layout, says):
    with pytest.raises(BadTrack, match=says):
        build_geometry(drawn(layout))


def bone(waist, bulb=9):
    """Two round ends and a waist; it closes by itself. Longer waist corners bring the middle straights
    together."""
    half = f"R{waist}d1@60 L{bulb}d1@150 L{bulb}d1@150 R{waist}d1@60"
    return f"S3 {half} S6 {half} S3"


def test_stretches_that_come_too_close_are_named_with_the_numbers():
    """The waist is 2 (R cos 60° - r (1 - cos 60°)) rows wide: 0.57 with 3 rows a corner; with 4 the
    stretches cross."""
    line = close_loop(drawn(bone(3)))
    waist = math.dist(line.at(1)[:2], line.at(line.length / 2 - 1)[:2])
    assert line.gap < 1e-9 and abs(waist - 2 * (18 / math.radians(300) / 2 - 3 / math.radians(60) / 2)) < 1e-6
    with pytest.raises(
        BadTrack, match=r"Rows \d+ and \d+ of layout come within 0\.\d\d rows of each other, but need 2.62"
    ):
        build_geometry(drawn(bone(3)))
    with pytest.raises(BadTrack, match="but need 2.62"):
        build_geometry(drawn(bone(4)))
    build_geometry(drawn(bone(3, bulb=15)))  # the same with larger ends keeps its stretches apart


def test_open_road_keeps_its_wishes():
    compiled = compile_source(drawn("S8 L4d2@45 S6", closed=False))
    assert compiled.geometry.correction_deg == 0 and sum(compiled.geometry.angles_deg) == 45
    assert "<svg" in draw_svg(compiled)


def test_track_without_angles_can_be_raced_but_not_drawn():
    compiled = compile_source(parse_layout("S8 L4d2 S6"))
    assert compiled.geometry is None and compiled.track.rows == 18
    with pytest.raises(BadTrack, match="no angles"):
        page_geometry(compiled)


def test_page_geometry_is_whole():
    compiled = load_track("gp-ring")
    shape = page_geometry(compiled)
    track = compiled.track
    assert (
        shape["row_count"] == 57 and len(shape["spaces"]) == track.count == 171 and len(shape["rows"]) == 57
    )
    assert [space["name"] for space in shape["spaces"]] == [track.space_name(s) for s in range(track.count)]
    assert {space["rank"] for space in shape["spaces"]} == {1, 2, 3}
    assert [section["number"] for section in shape["sections"] if section["kind"] == "corner"] == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert len(shape["leds"]) == 171 and sorted(s for led in shape["leds"] for s in led["spaces"]) == list(
        range(171)
    )
    (x1, y1), (x2, y2) = shape["finish"]
    assert abs(math.dist((x1, y1), (x2, y2)) - 3 * shape["lane_mm"]) < 0.05
    assert len(shape["kerbs"]) == 12
    by_row = page_geometry(compiled, light="row")
    assert by_row["light"] == "row" and len(by_row["leds"]) == 57 and by_row["leds"][0]["spaces"] == [0, 1, 2]


def test_svg_shows_hills():
    text = draw_svg(load_track("free-speedway"))
    assert [text.count(f"<title>{word}</title>") for word in ("Uphill", "Downhill", "Flat")] == [1, 3, 2]
    assert draw_svg(load_track("gp-ring")).count("hill</title>") == 0


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_signs_lie_on_the_board(track_id):
    """Discs of corners and hills; their rims may touch the board's, not cross it."""
    root = tree.fromstring(draw_svg(load_track(track_id)))
    _, _, width, height = (float(word) for word in root.get("viewBox").split())
    discs = [node for group in root if group.get("id") in ("corners", "hills")
             for node in group.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(discs) >= sum(CIRCUITS[track_id][4])
    for disc in discs:
        x, y, radius = (float(disc.get(key)) for key in ("cx", "cy", "r"))
        assert radius < x < width - radius and radius < y < height - radius
    assert all(math.dist(*((float(one.get("cx")), float(one.get("cy"))) for one in pair)) > 0.9 * float(pair[0].get("r"))
               for pair in itertools.combinations(discs, 2)), "discs overlap"


def test_svg_shows_name_spaces_and_difficulties():
    text = draw_svg(load_track("gp-ring"))
    root = tree.fromstring(text)
    assert root.get("viewBox") == "0 0 900 600" and root.get("width") == "900mm"
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "GP Ring" in words and "57" in words
    assert text.count("<title>Corner ") == 6
