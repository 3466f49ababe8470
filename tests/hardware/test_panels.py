"""laser/: a track module in panels for a laser cutter's bed. They fit it, make up the board, and interlock."""

import io
import itertools
import math

import pytest
from click.testing import CliRunner
from polygons import inside

from gridglow.cli.main import main
from gridglow.hardware import laser_panels
from gridglow.hardware.build import plan_build
from gridglow.hardware.laser_art import CORNER_MM
from gridglow.hardware.string_plan import plan_string
from shared_rules.errors import GridglowError

ezdxf = pytest.importorskip("ezdxf")


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def area(points):
    return sum(a * d - c * b for (a, b), (c, d) in zip(points, points[1:] + points[:1])) / 2


def box(points):
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) - min(xs), max(ys) - min(ys)


@pytest.mark.parametrize(("board", "track_id", "bed"), [
    ("full", "gp-ring", (300, 200)), ("mini", "brasil", (400, 400)), ("full", "track-a", (300, 200)),
    ("full", "house-board", (600, 300))])
def test_panels_fit_the_bed_and_make_up_the_board(board, track_id, bed):
    build = plan_build(board, track_id, bed_mm=bed)
    outlines = laser_panels.panel_outlines(build)
    sizes = [box(outline) for outline in outlines]
    lies = [all(wide <= bed[turn] and high <= bed[1 - turn] for wide, high in sizes) for turn in (0, 1)]
    assert any(lies), sizes
    width, height = build.drawing["width_mm"], build.drawing["height_mm"]
    whole = width * height - (4 - math.pi) * CORNER_MM**2
    assert all(area(outline) > 0 for outline in outlines)
    assert sum(map(area, outlines)) == pytest.approx(whole, abs=4), "no gap, and nothing twice"
    assert len(outlines) <= 2.5 * whole / (bed[0] * bed[1]) + 1
    holes = plan_string(build).holes
    for hole in holes:
        assert sum(inside((hole.x, hole.y), outline) for outline in outlines) == 1
    # True for these tracks: few seams cut a hole.
    ring = [(math.cos(i * 0.2) * 6, math.sin(i * 0.2) * 6) for i in range(32)]
    cut = [hole for hole in holes
           if not any(all(inside((hole.x + x, hole.y + y), outline) for x, y in ring) for outline in outlines)]
    assert len(cut) <= len(holes) * 0.05


def test_dovetails_hold_both_panels_and_spare_the_holes():
    build = plan_build("full", "gp-ring", bed_mm=(300, 200))
    boxes, seams, _ = min((laser_panels._panels(build, bed) for bed in ((300, 200), (200, 300))),
                          key=lambda one: sum(map(len, one[0])))
    keys = {seam: laser_panels._keys(build, seam, seams) for seam in seams}
    for seam, places in keys.items():
        long = math.dist(seam[:2], seam[2:])
        assert all(other - one > laser_panels.HEAD_MM for one, other in itertools.pairwise(places))
        for at in places:
            assert laser_panels.HEAD_MM / 2 < at < long - laser_panels.HEAD_MM / 2
    bare = [seam for seam, places in keys.items() if not places and math.dist(seam[:2], seam[2:]) > 60]
    assert len(bare) <= 1, "where a row of holes runs along a seam there may be no room"
    # Each sticks out of one panel, wider at its head than at its neck, and the other panel has the matching hole.
    outlines = laser_panels.panel_outlines(build)
    sides = [{frozenset(ends) for ends in zip(one, one[1:] + one[:1])} for one in outlines]
    slanted = [{ends for ends in side if len({x for x, _ in ends}) == 2 == len({y for _, y in ends})
                and math.dist(*ends) > 7} for side in sides]
    every = set().union(*slanted)
    assert len(every) == 2 * sum(map(len, keys.values()))
    assert all(sum(ends in side for side in slanted) == 2 for ends in every)


def test_panels_are_read_without_a_fault_and_have_all_holes():
    build = plan_build("mini", "track-a", bed_mm=(300, 200))
    files = dict(laser_panels.make(build))
    assert files == dict(laser_panels.make(build))
    panels = [path for path in files if path.endswith(".dxf")]
    assert len(panels) == 8 and set(files) == {
        "laser/map.svg", *(f"laser/panel_{number}.{kind}" for number in range(1, 9) for kind in ("svg", "dxf"))}
    holes, length = 0, 0.0
    for path in panels:
        doc = ezdxf.read(io.StringIO(files[path].decode("ascii")))
        audit = doc.audit()
        assert (audit.errors, audit.fixes) == ([], [])
        outline, = doc.modelspace().query('POLYLINE[layer=="CUT"]')
        assert outline.is_closed
        holes += len(doc.modelspace().query('CIRCLE[layer=="HOLES"]'))
        for line in doc.modelspace().query('POLYLINE[layer=="HOLES"]'):
            length += sum(math.dist(a, b) for a, b in itertools.pairwise([v.dxf.location.vec2 for v in line.vertices]))
    assert holes + length / (2 * math.pi * 6) == pytest.approx(27, abs=0.05), "holes cut by seams must be there in pieces"
    assert not laser_panels.make(plan_build("mini", "track-a"))


def test_a_bed_is_told_in_millimetres(tmp_path, monkeypatch):
    from gridglow.hardware import build as building

    monkeypatch.setattr(building, "MAKERS", ("laser_panels",))
    words = ["hardware", "build", "mini", "--track", "track-a", "--out", str(tmp_path / "out")]
    told = CliRunner().invoke(main, [*words, "--bed", "300x200"])
    assert told.exit_code == 0 and (tmp_path / "out/laser/panel_1.dxf").exists()
    told = CliRunner().invoke(main, [*words, "--bed", "A3"])
    assert told.exit_code != 0 and "expected width and height in mm, such as 300x200, found 'A3'" in told.output
    with pytest.raises(GridglowError, match="Expected a bed with sides of 150 to 3000 mm, found 100 × 300; give width and"):
        plan_build("mini", "track-a", bed_mm=(100, 300))
