"""track.svg and track.dxf, measured and read by other programs; the single-stroke letters."""

import math
import xml.etree.ElementTree as tree

import pytest
from polygons import inside

from gridglow.hardware import burn_once, hiding, laser, laser_art, strokes
from gridglow.hardware.build import plan_build
from gridglow.hardware.labels import middle_of, place_labels, wide
from gridglow.hardware.string_plan import plan_string
from gridglow.tracks import list_tracks

ezdxf = pytest.importorskip("ezdxf")
#: One track of each game, and the largest.
TRACKS = ["bleifuss-drom", "tag-team", "track-a", "gp-ring", "grand-prix-of-japan", "house-board"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("source", list_tracks(), ids=lambda source: source.id)
def test_every_track_lies_on_its_board(source):
    build = plan_build("full", source.id)
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    items = laser_art.laser_items(build)
    for item in items:
        points = item.points if isinstance(item, laser_art.Line) else [(item.x - item.radius, item.y + item.radius)]
        assert all(-0.01 <= x <= width + 0.01 and -0.01 <= y <= height + 0.01 for x, y in points)
    assert set(laser_art.LAYERS) - {item.layer for item in items} <= {"SOLID"}
    assert [item.layer for item in items].count("CUT") == 1


@pytest.mark.parametrize("track_id", TRACKS)
def test_a_dxf_is_read_without_a_fault(tmp_path, track_id):
    build = plan_build("full", track_id)
    files = dict(laser.make(build))
    assert files == dict(laser.make(plan_build("full", track_id))), "the same bytes each time"
    path = tmp_path / "track.dxf"
    path.write_bytes(files["track.dxf"])
    doc = ezdxf.readfile(path)
    audit = doc.audit()
    assert (audit.errors, audit.fixes) == ([], []) and doc.dxfversion == "AC1009"
    height = build.drawing["height_mm"]
    holes = list(doc.modelspace().query('CIRCLE[layer=="HOLES"]'))
    assert sorted((round(one.dxf.center.x, 2), round(height - one.dxf.center.y, 2)) for one in holes) == sorted(
        (round(hole.x, 2), round(hole.y, 2)) for hole in plan_string(build).holes)
    assert {one.dxf.radius for one in holes} == {6.0}
    (outline,) = doc.modelspace().query('POLYLINE[layer=="CUT"]')
    assert outline.is_closed
    assert set(laser_art.LAYERS) - {one.dxf.layer for one in doc.modelspace()} == (
        set() if build.drawing["solid"] or build.drawing["barriers"] else {"SOLID"})
    colours = {name: doc.layers.get(name).dxf.color for name in laser_art.LAYERS}
    assert len(set(colours.values())) == 5 and colours["CUT"] == 1


def test_the_outline_has_round_corners(tmp_path):
    build = plan_build("mini", "track-a")
    path = tmp_path / "track.dxf"
    path.write_bytes(dict(laser.make(build))["track.dxf"])
    (outline,) = ezdxf.readfile(path).modelspace().query('POLYLINE[layer=="CUT"]')
    arcs = [one for one in outline.virtual_entities() if one.dxftype() == "ARC"]
    assert len(arcs) == 4 and all(abs(arc.dxf.radius - laser_art.CORNER_MM) < 0.01 for arc in arcs)
    middles = sorted((round(arc.dxf.center.x), round(arc.dxf.center.y)) for arc in arcs)
    assert middles == [(12, 12), (12, 388), (588, 12), (588, 388)], "rounded outwards, not inwards"


def test_the_svg_is_to_scale_and_says_the_same():
    build = plan_build("full", "gp-ring")
    root = tree.fromstring(dict(laser.make(build))["track.svg"])
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("900mm", "600mm", "0 0 900 600")
    assert [group.get("id") for group in root.iter(SVG + "g")] == ["TEXT", "ENGRAVE", "SOLID", "HOLES", "CUT"], "cut last"
    (group,) = (group for group in root.iter(SVG + "g") if group.get("id") == "HOLES")
    holes = [(float(one.get("cx")), float(one.get("cy"))) for one in group.iter(SVG + "circle")]
    shape = build.drawing
    assert len(holes) == 171 and math.dist(holes[0], holes[5]) == pytest.approx(shape["pitch_mm"], abs=0.02), "1a, 2a"
    assert not list(root.iter(SVG + "text")), "letters are lines: no font is needed"


@pytest.mark.parametrize("track_id", ["gp-ring", "track-a", "brasil", "house-board"])
def test_no_line_is_burnt_twice(track_id):
    seen = set()
    shape = plan_build("full", track_id).drawing
    total = 0
    for points, closed in laser_art._once([space["polygon"] for space in shape["spaces"]], len(shape["spaces"])):
        for one, other in zip(points, points[1:] + (points[:1] if closed else [])):
            piece = frozenset((one, other))
            assert piece not in seen and len(piece) == 2
            seen.add(piece)
            total += 1
    edges = set()
    for space in shape["spaces"]:
        points = [(round(x * 100) / 100, round(y * 100) / 100) for x, y in space["polygon"]]
        edges |= {frozenset(ends) for ends in zip(points, points[1:] + points[:1])}
    assert seen == {edge for edge in edges if len(edge) == 2} and total == len(seen), "all of them must be there"


def test_rows_hide_what_lies_below_them():
    above = [(0, 0), (10, 0), (10, 10), (0, 10)]
    below = [(5, 2), (20, 2), (20, 8), (5, 8)]
    lines = laser_art._once([above, below], 1)
    pieces = [frozenset(ends) for points, _ in lines for ends in zip(points, points[1:])]
    assert frozenset(((5, 2), (5, 8))) not in pieces and frozenset(((20, 2), (20, 8))) in pieces


@pytest.mark.parametrize("track_id", ["us-grand-prix", "brasil", "all-timer"])
def test_no_line_of_the_road_runs_through_a_sign_or_below_a_deck(track_id):
    build = plan_build("full", track_id)
    shape = build.drawing
    items = laser_art.laser_items(build)
    signs = [item for item in items if isinstance(item, laser_art.Circle) and item.layer == "ENGRAVE"]
    hidden = [hiding.disc(sign.x, sign.y, sign.radius - 0.1) for sign in signs]
    hidden += [hiding.Cover([(x + (a - x) * 0.01, y + (b - y) * 0.01) for x, y in deck])
               for deck in shape["overpasses"] for a, b in [middle(deck)]]
    drawn = [points for item in items if isinstance(item, laser_art.Line) and item.layer in ("ENGRAVE", "SOLID")
             for points in [item.points] if len(points) > 1]
    marks = [points for points in drawn if any(math.dist(points[0], (sign.x, sign.y)) < sign.radius - 1 for sign in signs)]
    assert len(marks) == sum(bool(section["hill"]) for section in shape["sections"]), "inside signs only hills are drawn"
    for points in drawn:
        for one, other in zip(points, points[1:]) if points not in marks else ():
            at = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
            assert not any(cover.holds(at) for cover in hidden), (one, other)
    assert len(signs) >= 5


def middle(points):
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def test_what_is_hidden_is_cut_away_to_the_border():
    square = hiding.Cover([(2, 2), (6, 2), (6, 6), (2, 6)])
    assert hiding.seen_of((0, 4), (10, 4), [square]) == [((0, 4), (2.0, 4.0)), ((6.0, 4.0), (10, 4))]
    assert hiding.seen_of((3, 3), (5, 5), [square]) == [] and hiding.seen_of((0, 1), (9, 1), [square]) == [((0, 1), (9, 1))]
    ring = [(0, 0), (4, 0), (4, 4), (0, 4)]
    (left,) = hiding.cut_away([(ring, True)], [square])
    assert left == ([(2.0, 4.0), (0, 4), (0, 0), (4, 0), (4.0, 2.0)], False), "one line, even with another starting point"
    assert hiding.cut_away([(ring, True)], [hiding.disc(20, 20, 3)]) == [(ring, True)]
    assert hiding.cut_away([(ring, True)], [hiding.disc(2, 2, 9)]) == []


@pytest.mark.parametrize(("board", "track_id"), [
    ("full", "gp-ring"), ("full", "brasil"), ("mini", "brasil"), ("full", "track-b"), ("full", "grand-prix-of-japan"),
    ("mini", "bleifuss-drom")])
def test_labels_lie_in_their_spaces_and_beside_the_holes(board, track_id):
    build = plan_build(board, track_id)
    labels = place_labels(build, pixels=True)
    names = {label.space: label.text for label in labels if label.kind == "name"}
    assert names == {s: build.track.track.space_name(s) for s in range(build.track.track.count)}
    holes = plan_string(build).holes
    assert sorted(int(label.text[1:]) for label in labels if label.kind == "pixel") == [hole.pixel for hole in holes]
    radius = build.board.string.hole_mm / 2
    for label in labels:
        x, y = middle_of(label)
        for deck in build.drawing["overpasses"]:
            half = wide(label.text, label.size) / 2 + 2  # the shadow of its deck
            turn = math.radians(label.turn_deg)
            ends = [(x + side * half * math.cos(turn), y + side * half * math.sin(turn)) for side in (-1, 0, 1)]
            assert not any(inside(end, deck) for end in ends), (label, "below another road")
        space = build.drawing["spaces"][label.space]
        assert inside((x, y), space["polygon"]), (label, "lies in another space")
        assert -91 < label.turn_deg < 90 and label.size >= 1.5, "never upside down, never too small to read"
        for hole in holes:
            assert math.dist((x, y), (hole.x, hole.y)) > radius + label.size * 0.3, (label, hole.pixel)


def test_letters_read_from_left_to_right_and_stand_upright():
    """A 7 has its bar on top, a 4 its stem on the right; nothing is mirrored."""
    bar, *_ = strokes.write("7", 0, 0, 6, "start")
    assert bar[0] == (0.0, -6.0) and bar[1] == (4.0, -6.0) and bar[2][1] == 0
    right = max(x for stroke in strokes.write("4", 0, 0, 6, "start") for x, _ in stroke)
    stem = strokes.write("4", 0, 0, 6, "start")[0]
    assert stem[0][0] > right / 2 and stem[0][1] == 0
    wide = strokes.write("12b", 0, 0, 6)
    xs = [x for stroke in wide for x, _ in stroke]
    assert abs(min(xs) + max(xs)) < 1 and max(xs) - min(xs) < 15
    assert strokes.write("Ü", 0, 0, 6) != strokes.write("U", 0, 0, 6) and strokes.write("東", 0, 0, 6) == []
    assert all(strokes.write(letter, 0, 0, 6) for letter in "0123456789abcdefghABCDEFGHIJKLMNOPQRSTUVWXYZ+-@#")


@pytest.mark.parametrize("source", list_tracks(), ids=lambda source: source.id)
def test_nothing_engraved_lies_on_a_line_before_it(source):
    """No copy, and no stretch shared by two lines; a laser would burn it dark."""
    items = laser_art.laser_items(plan_build("full", source.id))
    lines = [(item.points, item.closed) for item in items if isinstance(item, laser_art.Line) and item.layer == "ENGRAVE"]
    assert burn_once.overlaps(lines) == []


def test_what_lies_on_each_other_is_found_and_left_out():
    square = ([(0, 0), (100, 0), (100, 100), (0, 100)], True)
    for other, left in (
        (square, []),
        (([(100, 100), (0, 100)], False), []),
        (([(50, 0), (150, 0)], False), [([(100.0, 0.0), (150, 0)], False)]),
        (([(50, 0.04), (80, 0.0)], False), []),
        (([(50, -10), (50, 10)], False), [([(50, -10), (50, 10)], False)]),
        (([(20, 0.2), (80, 0.2)], False), [([(20, 0.2), (80, 0.2)], False)]),
    ):
        assert burn_once.once([square, other]) == [square, *left]
        assert bool(burn_once.overlaps([square, other])) == (left != [other])


def test_kerbs_end_where_a_road_comes_out():
    build = plan_build("full", "house-board")
    track = build.track.track
    space = build.drawing["spaces"][[track.space_name(at) for at in range(track.count)].index("78b")]
    stripes = [stripe for kerb in build.drawing["kerbs"] for stripe in kerb["stripes"]]
    middles = [[sum(point[axis] for point in stripe) / len(stripe) for axis in (0, 1)] for stripe in stripes]
    assert len(stripes) == 110 and not any(inside(middle, space["polygon"]) for middle in middles)


def test_inkscape_takes_the_groups_for_layers():
    files = dict(laser.make(plan_build("mini", "track-a")))
    root = tree.fromstring(files["track.svg"])
    name = f"{{{laser.INKSCAPE}}}"
    groups = list(root.iter(f"{SVG}g"))
    assert [group.get("id") for group in groups] == list(laser_art.LAYERS)
    assert all(group.get(f"{name}groupmode") == "layer" and group.get(f"{name}label") == group.get("id") for group in groups)
