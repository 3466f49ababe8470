"""track.pdf: its scale measured by another program, seams, tabs and crosses, and no empty sheets."""

import dataclasses
import functools
import io
import itertools
import math

import pytest

from gridglow.hardware import making, sheets, tiling
from gridglow.hardware.build import plan_build
from gridglow.hardware.labels import middle_of
from gridglow.tracks import list_tracks

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("reportlab")
PT = 72 / 25.4
#: One track of each game, and the largest.
EXAMPLES = ["bleifuss-drom", "tag-team", "track-a", "gp-ring", "grand-prix-of-japan", "house-board"]


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def pages(build):
    return pypdf.PdfReader(io.BytesIO(dict(sheets.make(build))["track.pdf"]))


@functools.cache
def art_of(board, track_id, paper="A4"):
    return sheets.Art(plan_build(board, track_id, paper))


@functools.cache
def written(track_id):
    """{text: (x, y)} of each sheet of a track."""
    return [words_of(page) for page in pages(plan_build("full", track_id)).pages[1:]]


def words_of(page):
    """{text: (x, y) in mm} of the text on a page."""
    found = {}

    def visit(text, cm, tm, _font, _size):
        if text.strip():
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            found.setdefault(text.strip(), (x / PT, y / PT))

    page.extract_text(visitor_text=visit)
    return found


def boxes_of(page):
    """(width, height) in mm of all rectangles of a page."""
    lines = page.get_contents().get_data().decode("latin-1").split("\n")
    return [_box(line) for line in lines if " re" in line]


def _box(line):
    words = line.split()
    at = words.index("re")
    return float(words[at - 2]) / PT, float(words[at - 1]) / PT


@pytest.mark.parametrize("paper", making.PAPERS)
def test_the_bar_has_100_mm_on_every_page_and_nothing_scales_it(paper):
    reader = pages(plan_build("full", "bleifuss-drom", paper))
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"
    sides = sorted(tiling.PAGES_MM[paper])
    for page in reader.pages:
        box = page.mediabox
        assert sorted(float(side) / PT for side in (box.width, box.height)) == pytest.approx(sides, abs=0.01)
        bars = [wide for wide, high in boxes_of(page) if abs(high - 0.8) < 0.01]
        assert bars == [pytest.approx(100, abs=0.01)], "one bar of 0.8 mm by 100 mm"
        assert "100 mm" in words_of(page)


@pytest.mark.parametrize("track_id", ["gp-ring", "bleifuss-drom"])
def test_names_are_as_far_apart_as_the_spaces(track_id):
    """Measured in the PDF: along a straight, neighbouring names are one pitch apart."""
    build = plan_build("full", track_id)
    shape = build.drawing
    spaces = {space["name"]: space for space in shape["spaces"]}
    measured = 0
    for words in written(track_id):
        for one, other in itertools.pairwise(space["name"] for space in shape["spaces"] if space["lane"] == 1):
            level = spaces[one]["heading_deg"] == spaces[other]["heading_deg"]
            if one in words and other in words and level and len(one) == len(other):
                apart = math.dist(spaces[one]["centre"], spaces[other]["centre"])
                assert math.dist(words[one], words[other]) == pytest.approx(apart, abs=0.3)
                measured += abs(apart - shape["pitch_mm"]) < 0.05
    assert measured >= 2


@pytest.mark.parametrize("track_id", EXAMPLES)
def test_every_space_and_pixel_is_named(track_id):
    build = plan_build("full", track_id)
    words = written(track_id)
    names = {space["name"] for space in build.drawing["spaces"]} | {f"#{pixel + 1}" for pixel in range(build.led_map.pixels)}
    assert names <= set().union(*words)
    art = art_of("full", track_id)
    assert len(words) == len(art.tiling.sheets)
    for sheet, found in zip(art.tiling.sheets, words):
        assert any(f"sheet {sheet.number} of {len(words)}" in text for text in found)


def drawn(art):
    """The outlines of spaces and kerbs."""
    marks = [mark for name, marks in art.layers if name in ("spaces", "kerbs") for mark in marks]
    return [ring for mark in marks for ring in mark.rings]


def middle_and_border(polygon):
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    between = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in zip(polygon, polygon[1:] + polygon[:1])]
    return [*polygon, *between, (sum(xs) / len(xs), sum(ys) / len(ys))]


@pytest.mark.parametrize(("source", "paper"), [(one, making.PAPERS[at % 3 == 0]) for at, one in enumerate(list_tracks())],
                         ids=lambda one: getattr(one, "id", one))
def test_sheets_of_every_track_cover_it_and_fit_the_paper(source, paper):
    art = art_of("full", source.id, paper)
    cut = art.tiling
    most = [side - 2 * tiling.MARGIN_MM for side in cut.page_mm]
    points = [point for polygon in drawn(art) for point in middle_and_border(polygon)]
    for sheet in cut.sheets:
        left, top, right, bottom = sheet.box
        assert sum(left < x < right and top < y < bottom for x, y in points) > 2, "no sheet may be empty"
        wide = sheet.box[2] - sheet.box[0] + (tiling.TAB_MM if sheet.right else 0)
        high = sheet.box[3] - sheet.box[1] + (tiling.TAB_MM if sheet.below else 0)
        assert 0 < wide <= most[0] + 0.01 and 0 < high <= most[1] + 0.01
    for one, other in itertools.combinations(cut.sheets, 2):
        assert not sheets._meets(shrunk(one.box), shrunk(other.box)), "no part of the board may be there twice"
    for hole in art.holes:
        assert any(box[0] <= hole.x <= box[2] and box[1] <= hole.y <= box[3] for box in (one.box for one in cut.sheets))
    # True for these tracks: seams are placed so that hardly any hole is cut.
    assert sum(is_cut(hole, art) for hole in art.holes) <= len(art.holes) * 0.08 + 1


def shrunk(box):
    return box[0] + 0.01, box[1] + 0.01, box[2] - 0.01, box[3] - 0.01


def is_cut(hole, art):
    r = art.radius
    return any(x0 - r < hole.x < x1 + r and y0 - r < hole.y < y1 + r for x0, y0, x1, y1 in art.tiling.seams)


def test_the_same_build_gives_the_same_bytes():
    first = sheets.make(plan_build("full", "track-a"))
    assert first == sheets.make(plan_build("full", "track-a"))
    assert b"/FlateDecode" not in first[0][1] and len(first[0][1]) < 2_000_000


def test_both_sheets_of_a_seam_know_it():
    for track_id in EXAMPLES:
        cut = art_of("full", track_id).tiling
        for x0, y0, x1, _ in cut.seams:
            if x0 == x1:
                here = [one for one in cut.sheets if one.box[1] == y0]
                before = [one for one in here if one.box[2] == x0 and one.right]
                after = [one for one in here if one.box[0] == x0 and one.left]
            else:
                here = [one for one in cut.sheets if one.box[0] <= x0 < x1 <= one.box[2]]
                before = [one for one in here if one.box[3] == y0 and one.below]
                after = [one for one in here if one.box[1] == y0 and one.above]
            assert len(before) == len(after) == 1


@pytest.mark.parametrize(("board", "track_id"), [("full", "gp-ring"), ("mini", "brasil"), ("full", "plattfuss-circuit")])
def test_crosses_lie_on_seams_beside_holes_and_words(board, track_id):
    art = art_of(board, track_id)
    clear = total = 0
    for (x0, y0, x1, y1), places in zip(art.tiling.seams, art.crosses):
        assert 1 <= len(places) <= 2 and len(set(places)) == len(places)
        for x, y in places:
            assert x0 - 0.01 <= x <= x1 + 0.01 and y0 - 0.01 <= y <= y1 + 0.01
            total += 1
            clear += all(math.dist((x, y), (hole.x, hole.y)) > art.radius + sheets.CROSS_MM for hole in art.holes) and all(
                math.dist((x, y), middle_of(label)) > sheets.CROSS_MM for label in art.labels)
    assert clear == total >= 10


def test_few_sheets_and_seams_beside_what_is_drawn():
    """A road of 600 mm with borders every 30 mm: three sheets of A4, cut at borders, and none where there is nothing."""
    spaces = [tiling.Thing((30.0 * i, 0.0, 30.0 * i + 30, 30.0), "space") for i in range(20)]
    holes = [tiling.Thing((30.0 * i + 9, 9.0, 30.0 * i + 21, 21.0), "hole") for i in range(20)]
    cut = tiling.cut(spaces + holes, "A4")
    assert len(cut.sheets) == 3 and cut.page_mm == (297.0, 210.0)
    assert all(seam[0] % 30 == 0 for seam in cut.seams) and len(cut.seams) == 2
    far = [tiling.Thing((2000.0, 0.0, 2030.0, 30.0), "space")]
    assert len(tiling.cut(spaces + holes + far, "A4").sheets) == 4, "not the seven that it would take without a gap"
    one = tiling.cut(spaces[:8], "Letter").sheets
    assert len(one) == 1 and not (one[0].left or one[0].right or one[0].above or one[0].below)


def test_names_of_other_scripts_and_long_wires_are_no_trouble():
    build = plan_build("mini", "tag-team")
    named = dataclasses.replace(build, track=dataclasses.replace(build.track))
    named.__dict__["drawing"] = build.drawing | {"name": "Großer Ring 東京"}
    cover = pages(named).pages[0].extract_text()
    assert "Großer Ring ??" in cover and "Between #1 and #2 insert 180 mm of wire or more." in cover


def test_without_reportlab_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "reportlab", None)
    says = r'^track.pdf was not made, as the package reportlab isn.t installed; install it with: pip install "gridglow'
    with pytest.raises(making.NeedsExtra, match=says):
        sheets.make(plan_build("full", "gp-ring"))
