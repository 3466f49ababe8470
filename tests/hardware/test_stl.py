"""Printed parts: watertight, as large as the board file says, as many as in the parts list, and never
mirrored: the face is printed downwards, and its correct side in the model is seen from the other side."""

import io
import math
import zlib

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("manifold3d")
trimesh = pytest.importorskip("trimesh")

from gridglow import paths  # noqa: E402
from gridglow.boards.boardfile import board_path, examine_board  # noqa: E402
from gridglow.boards.prints import Prints, bezel_of, take_prints  # noqa: E402
from gridglow.hardware import bom, solids, stl  # noqa: E402
from gridglow.hardware.build import check_file, plan_build  # noqa: E402
from gridglow.hardware.panel_plan import plan_panel, printed_parts  # noqa: E402
from gridglow.hardware.strokes import write  # noqa: E402
from gridglow.tomlfile import Checker, FileProblems  # noqa: E402

LABELS = ["PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"]


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def builds():
    """The build of each board, and the maker's files."""
    found = {board: plan_build(board, "track-a") for board in ("full", "mini")}
    return {board: (build, dict(stl.make(build))) for board, build in found.items()}


def mesh(content):
    return trimesh.load(io.BytesIO(content), file_type="stl")


class Face:
    """The side of a part that lies on the bed, seen from below: x to the right, y up."""

    def __init__(self, content):
        rows = np.frombuffer(content, np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("s", "<u2")]), offset=84)
        down = rows["c"][rows["n"][:, 2] < -0.99].astype(float)
        self.x, self.y, self.z = -down[:, :, 0], down[:, :, 1], down[:, 0, 2]

    def depth(self, x, y):
        """How far behind the face the part begins there, None at a hole."""
        sides = [(self.x[:, j] - self.x[:, i]) * (y - self.y[:, i]) - (self.y[:, j] - self.y[:, i]) * (x - self.x[:, i])
                 for i, j in ((0, 1), (1, 2), (2, 0))]
        over = np.all([side >= 0 for side in sides], axis=0) | np.all([side <= 0 for side in sides], axis=0)
        return self.z[over].min() if over.any() else None


def points_of(text, at, size, spread=1.0):
    """Points on a word's strokes, three on each, y up."""
    return [(at[0] + spread * (a[0] + (b[0] - a[0]) * way), at[1] - (a[1] + (b[1] - a[1]) * way))
            for line in write(text, 0, size / 2, size) for a, b in zip(line, line[1:]) for way in (0.2, 0.5, 0.8)]


def engraved(face, points):
    """The share of points where something is engraved."""
    depths = [face.depth(x, y) for x, y in points]
    return sum(depth == pytest.approx(solids.ENGRAVED, abs=0.01) for depth in depths) / len(points)


def png(content):
    """Width, height and rows of grey."""
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    at, packed = 8, b""
    while at < len(content):
        size, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        data = content[at + 8 : at + 8 + size]
        assert int.from_bytes(content[at + 8 + size : at + 12 + size], "big") == zlib.crc32(kind + data)
        packed += data if kind == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return width, height, rows[:, 1:].astype(int)


@pytest.mark.parametrize("board", ["full", "mini"])
def test_watertight_and_on_the_bed(board, builds):
    build, files = builds[board]
    for path, content in files.items():
        if not path.endswith(".stl"):
            continue
        found = mesh(content)
        assert not content.startswith(b"solid"), "such a file would be taken for text"
        assert found.is_watertight and found.is_winding_consistent and found.volume > 1000, path
        assert (found.extents <= build.board.prints.bed_mm).all()
        assert found.bounds[0][2] == 0 and abs(found.bounds[:, :2].sum(axis=0)).max() < 0.01, "centred, on the bed"
        assert pieces(found) == 1, path


def pieces(found):
    """How many unconnected pieces a part has."""
    label, before = np.arange(len(found.faces)), None
    one, other = found.face_adjacency.T
    while before is None or (label != before).any():
        before = label.copy()
        least = np.minimum(label[one], label[other])
        np.minimum.at(label, one, least)
        np.minimum.at(label, other, least)
        label = label[label]
    return len(set(label))


@pytest.mark.parametrize(("board", "names"), [
    ("full", {"dial_bezel_x18", "bar_bezel_x12", "panel_x6", "reader_tray_x1"}), ("mini", {"dial_bezel_x6", "panel_x2"}),
])
def test_the_names_are_those_of_the_parts_list(board, names, builds):
    build, files = builds[board]
    listed = {row.value: row.quantity for row in bom.bom_rows(build) if row.role == "printed"}
    assert set(listed) == {path for path in files if path.endswith(".stl")} == {f"stl/{name}.stl" for name in names}
    assert {f"stl/{path.split('/')[1][:-4]}" for path in files if path.endswith(".png")} == {
        path.rsplit("_x", 1)[0] for path in listed}
    for path, quantity in listed.items():
        assert path.endswith(f"_x{quantity}.stl")
    counts = {row.role: row.quantity for row in bom.bom_rows(build)}
    for role, name in (("ring", "dial_bezel"), ("bar", "bar_bezel"), ("reader", "reader_tray")):
        assert counts.get(role, 0) == next((n for path, n in listed.items() if name in path), 0)
    screws = 4 * (build.board.panels + 2 + counts.get("reader", 0)) + 2 * (counts["ring"] + counts.get("bar", 0))
    assert counts["screw"] == counts["nut"] == screws


def test_numbers_run_clockwise_and_are_not_mirrored(builds):
    build, files = builds["full"]
    face = Face(files["stl/dial_bezel_x18.stl"])
    plan = bezel_of(build.board.prints, "ring", 8)
    radius = math.hypot(*plan.labels[0][1])
    for i in range(8):
        turn = math.radians(45 * i)
        at = (radius * math.sin(turn), radius * math.cos(turn))  # clockwise from the top, as seen from the front
        points = points_of(str(i + 1), at, plan.text)
        assert engraved(face, points) == 1, i + 1
        window = build.board.prints.ring_leds_mm / 2
        assert face.depth(window * math.sin(turn), window * math.cos(turn)) is None, "light comes through"
        if i + 1 != 8:  # which looks nearly the same in a mirror
            assert engraved(face, [(2 * at[0] - x, y) for x, y in points]) < 1, i + 1
    assert face.depth(0, 0) == 0 and face.depth(20 * math.sin(0.4), 20 * math.cos(0.4)) in (0, None)


def test_numbers_of_a_bar_run_from_left_to_right(builds):
    build, files = builds["full"]
    face, (length, _) = Face(files["stl/bar_bezel_x12.stl"]), build.board.prints.bar_mm
    plan = bezel_of(build.board.prints, "bar", 8)
    for i in range(8):
        x = (i + 0.5) * length / 8 - length / 2
        assert face.depth(x, 0) is None
        assert engraved(face, points_of(str(i + 1), (x, plan.labels[0][1][1]), plan.text)) == 1


@pytest.mark.parametrize(("board", "quantity"), [("full", 6), ("mini", 2)])
def test_keys_of_a_panel_stand_in_their_order_with_word_and_sign(board, quantity, builds):
    build, files = builds[board]
    content = files[f"stl/panel_x{quantity}.stl"]
    face, plan = Face(content), plan_panel(build.board)
    assert [key for key, _ in plan.keys] == LABELS
    xs = [x for _, (x, _) in plan.keys]
    assert np.diff(xs) == pytest.approx([19.05] * 5)
    corners = mesh(content).vertices
    for key, (x, y) in plan.keys:
        points = points_of(key, (x, y - solids.WORD_DOWN), solids.WORD, solids.SPREAD)
        assert engraved(face, points) == 1, key
        assert engraved(face, [(2 * x - a, b) for a, b in points]) < 1, f"{key} is mirrored"
        sign = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for line in solids.SIGNS[key] for a, b in zip(line, line[1:])]
        scale = solids.SIGN / 10
        middles = [(x + (a - 5) * scale, y + solids.SIGN_UP + (b - 5) * scale) for a, b in sign]
        assert engraved(face, middles) == 1, key
        # The hole: 14.0 mm on the face, and thin enough behind for a switch's clips.
        around = corners[(abs(-corners[:, 0] - x) < 9) & (abs(corners[:, 1] - y) < 8.5)]
        assert np.ptp(around[around[:, 2] == 0][:, :2], axis=0) == pytest.approx([14, 14], abs=0.01)
        assert sorted({float(z) for z in around[:, 2]}) == [0, 1.5, 3]
    arrow = [[x for x, _ in solids.SIGNS[key][0]] for key in ("PREV", "NEXT")]
    assert arrow[0][1] == min(arrow[0]) and arrow[1][1] == max(arrow[1]), "the point of < must be left, of > right"


def test_every_bezel_fits_its_hole_in_the_panel(builds):
    for build, files in builds.values():
        plan = plan_panel(build.board)
        face = Face(next(content for path, content in files.items() if "panel" in path and path.endswith(".stl")))
        boxes = []
        for dial, (x, y) in plan.dials:
            wide, tall = dial.box
            boxes.append((x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
            assert face.depth(x, y) is None
            half = dial.hole[0] / 2
            assert face.depth(x + half - 0.1, y) is None and face.depth(x - half - 0.3, y) == 0
            for dx, dy in dial.screws:
                assert face.depth(x + dx, y + dy) is None
                assert math.hypot(dx, dy) - half >= 2.9, "a nut of 5.5 mm must grip the panel"
        boxes += [(x - 9.525, y - 15.5, x + 9.525, y + 17.5) for _, (x, y) in plan.keys]
        for i, (left, low, right, high) in enumerate(boxes):
            assert -plan.width / 2 < left and right < plan.width / 2 and -plan.height / 2 < low and high < plan.height / 2
            for other in boxes[:i]:
                assert right <= other[0] + 1e-6 or other[2] <= left + 1e-6 or high <= other[1] or other[3] <= low


def test_a_card_lies_close_to_the_coil(builds):
    _, files = builds["full"]
    found = mesh(files["stl/reader_tray_x1.stl"])
    up = found.triangles[found.face_normals[:, 2] > 0.99][:, 0, 2]
    assert up.min() == pytest.approx(solids.TRAY_PLATE, abs=0.01)
    assert solids.TRAY_PLATE + solids.READER_BOARD <= 3
    face = Face(files["stl/reader_tray_x1.stl"])
    points = points_of("CARD", (-10, 0), 6)
    assert all(face.depth(x, y) == pytest.approx(solids.TRAY_ENGRAVED, abs=0.01) for x, y in points)
    assert face.depth(26, 0) is None, "a hole for the pins"


@pytest.mark.parametrize(("board", "path"), [("full", "dial_bezel"), ("mini", "dial_bezel")])
def test_the_picture_shows_the_front_as_it_is_seen(board, path, builds):
    build, files = builds[board]
    width, height, grey = png(files[f"previews/{path}.png"])
    assert (width, height) == (1000, 480)
    plan = bezel_of(build.board.prints, "ring", 8)
    scale = (480 - 24) / plan.size[0]
    plain = grey[240, 300]
    dark = []
    for number, at in plan.labels:
        points = points_of(number, at, plan.text)
        values = [grey[round(240 - y * scale), round(300 + x * scale)] for x, y in points]
        assert max(values) < plain - 25, number
        dark.append(max(grey[round(240 - y * scale), round(300 + 2 * at[0] * scale - x * scale)] for x, y in points))
    assert max(dark) == plain, "mirrored, the picture would differ"
    assert (grey[:, 600:] < 250).any() and (grey[0] == 255).all() and (grey[-1] == 255).all(), "a margin all round"


def test_the_same_bytes_each_time(builds):
    build, files = builds["mini"]
    assert dict(stl.make(build)) == files


def test_pictures_are_small(builds):
    for _, files in builds.values():
        assert sum(len(content) for path, content in files.items() if path.endswith(".png")) < 100_000


def edited(tmp_path, board, *changes):
    text = board_path(board).read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path, text


@pytest.mark.parametrize(("old", "new", "key", "say"), [
    ("ring_leds_mm = 25 ", "ring_leds_mm = 30 ", "prints ring_leds_mm", "Expected at most 27"),
    ("ring_mm = 32 ", "ring_mm = 900 ", "prints ring_mm", "Expected 15 to 180, found 900"),
    ("bar_mm = [51.1, 10.2]", "bar_mm = [51.1]", "prints bar_mm", "Expected length and width"),
    ("bar_mm = [51.1, 10.2]", "bar_mm = [20, 10]", "prints bar_mm", "Expected room for 8 LEDs of at least 3 mm"),
    ("bed_mm = 200 ", "bed_mm = 120 ", "dials shapes", "Expected a panel that fits the 120 mm of bed_mm"),
    ("reader_mm = [60, 40]", "reader_mm = [40, 60]", "prints reader_mm", "Expected length and width"),
    ("key_mm = 14.0", "key_hole = 14.0", "prints key_hole", "There is no key 'key_hole' here"),
])
def test_what_cannot_be_printed_is_told_with_its_line(tmp_path, old, new, key, say):
    path, text = edited(tmp_path, "full", (old, new))
    with pytest.raises(FileProblems) as caught:
        check_file(path)
    (one,) = caught.value.problems
    assert one.key == key and one.say.startswith(say)
    starts = new.split(" = ")[0] if key.startswith("prints") else "shapes"
    assert text.split("\n")[one.line - 1].startswith(f"{starts} = ")


def test_without_the_table_the_usual_measures_hold(tmp_path):
    text = board_path("full").read_text("utf-8")
    begin, end = text.index("[prints]"), text.index("[supply]")
    path = tmp_path / "mine.toml"
    path.write_text(text[:begin] + text[end:], "utf-8")
    found = examine_board(path)
    assert not found.problems and found.board.prints == Prints()
    check = Checker(paths.boards_folder() / "full.toml", {})
    assert take_prints(check, {}) == Prints() and not check.problems
    # The packaged files say the same.
    assert examine_board(board_path("full")).board.prints == Prints()


@pytest.mark.parametrize("leds", [1, 2, 3, 7, 12, 16, 24])
def test_rings_of_any_number_of_leds(leds):
    prints = Prints(ring_mm=70, ring_leds_mm=62)
    plan = bezel_of(prints, "ring", leds)
    assert len(plan.windows) == leds and len(set(plan.screws)) == 2
    for i, (text, at) in enumerate(plan.labels):
        half = len(text) * 0.8 * plan.text / 2
        for other, there in plan.labels[:i]:
            assert math.dist(at, there) > half, (text, other)
        for x, y in plan.screws:
            gap = max(abs(x - at[0]) - half, abs(y - at[1]) - plan.text / 2)
            assert gap > prints.screw_mm / 2, "a screw hole cuts a number"
    solid = solids.to_bed(solids.bezel(prints, "ring", leds))
    assert mesh(stl.stl_bytes(stl.triangles_of(solid), "test")).is_watertight


def test_a_dice_pad_and_two_kinds_of_rings_have_parts_of_their_own(tmp_path):
    path, _ = edited(tmp_path, "full", ("dice_pad = false", "dice_pad = true"),
                     ("pixels = [8, 8, 8, 8, 8]", "pixels = [8, 8, 6, 8, 8]"))
    build = plan_build(path, "track-a")
    assert [(name, count) for name, count, _ in printed_parts(build.board)] == [
        ("dial_bezel_6", 6), ("dial_bezel_8", 12), ("bar_bezel", 12), ("panel", 6), ("dice_pad", 1), ("reader_tray", 1)]
    files = dict(stl.make(build))
    assert mesh(files["stl/dice_pad_x1.stl"]).is_watertight and "previews/dice_pad.png" in files
