"""gridglow hardware build: all makers run, the same bytes each time, and a folder that holds only this build."""

import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gridglow.cli.main import main
from gridglow.hardware import build as building
from gridglow.hardware import making
from gridglow.hardware.build import make_files, plan_build, write_files
from shared_rules.errors import GridglowError

ALWAYS = {"bom.csv", "bom.md", "pins.svg", "netlist.csv", "wiring/power.yml", "wiring/lights.yml", "wiring/track.yml",
          "wiring/panels.yml", "wiring/panel_keys.yml", "wiring/panel_dials.yml", "wiring/screen.yml", "wiring/buzzer.yml"}
FULL = {"wiring/console.yml", "wiring/reader.yml"}

QUICK = ("bom", "pins_svg", "netlist", "led_csv", "laser", "wireviz_yaml")


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def files_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("board", "track"), [("full", "plattfuss-circuit"), ("mini", "track-a")])
def test_the_same_bytes_each_time(board, track, tmp_path):
    """Here, and in another process whose sets have another order."""
    files, notes = make_files(plan_build(board, track))
    assert set(files) >= (ALWAYS | FULL if board == "full" else ALWAYS)
    assert not set(files) & FULL or board == "full"
    words = [sys.executable, "-m", "gridglow", "hardware", "build", board, "--track", track, "--out", str(tmp_path / "out")]
    subprocess.run(words, env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}, check=True,
                   capture_output=True)
    assert files_in(tmp_path / "out") == set(files) | {"files.txt"}
    for path, content in files.items():
        assert (tmp_path / "out" / path).read_bytes() == content, path
        assert content, path
        assert not re.search(rb"20[2-9]\d-[01]\d-[0-3]\d", content), f"a date in {path}"
        assert b"/tmp" not in content and b"/home" not in content, f"a path of this computer in {path}"
        assert not path.startswith("/") and ".." not in path and "\\" not in path


def test_the_command_writes_what_was_made(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "MAKERS", QUICK)
    out = tmp_path / "out"
    told = call("hardware", "build", "mini", "--track", "track-a", "--out", out, "--json")
    assert told.exit_code == 0, told.output
    facts = json.loads(told.stdout)
    assert (facts["board"], facts["track"], facts["light"], facts["pixels"]) == ("mini", "track-a", "lane", 27)
    assert {one["path"] for one in facts["files"]} | {"files.txt"} == files_in(out)
    assert (out / "files.txt").read_text().splitlines() == sorted(one["path"] for one in facts["files"])
    told = call("hardware", "build", "mini", "--track", "track-a", "--out", out)
    assert told.exit_code == 0 and re.search(r"\d+ files in .*: the board mini and the track track-a, one pixel per space, "
                                             r"27 pixels\.", told.stdout)
    assert files_in(out) == {one["path"] for one in facts["files"]} | {"files.txt"}


def test_what_an_earlier_build_made_goes_and_all_else_stays(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "my notes.md").write_text("mine")
    (out / "wiring").mkdir()
    (out / "wiring" / "photo.jpg").write_bytes(b"mine")
    write_files({"a.csv": b"1", "wiring/reader.yml": b"2", "stl/panel_x6.stl": b"3"}, out)
    gone = write_files({"a.csv": b"4"}, out)
    assert gone == ["stl/panel_x6.stl", "wiring/reader.yml"]
    assert files_in(out) == {"a.csv", "files.txt", "my notes.md", "wiring/photo.jpg"} and not (out / "stl").exists()
    assert (out / "a.csv").read_bytes() == b"4" and (out / "files.txt").read_text() == "a.csv\n"
    assert not [path for path in tmp_path.iterdir() if path != out], "nothing may be left beside it"


def test_a_file_of_the_owners_is_not_overwritten(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "MAKERS", QUICK)
    out = tmp_path / "out"
    out.mkdir()
    (out / "bom.md").write_text("mine")
    told = call("hardware", "build", "mini", "--track", "track-a", "--out", out)
    assert told.exit_code == 1 and "bom.md already exists, and no build made it" in told.stderr
    assert files_in(out) == {"bom.md"} and (out / "bom.md").read_text() == "mine"


def test_a_list_that_names_other_places_takes_nothing_there(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "dear").write_text("mine")
    (out / "files.txt").write_text(f"../dear\n{tmp_path / 'dear'}\n")
    write_files({"a.csv": b"1"}, out)
    assert (tmp_path / "dear").exists() and (out / "files.txt").read_text() == "a.csv\n"


def test_a_build_that_fails_leaves_the_earlier_one(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_files({"a.csv": b"1", "b.csv": b"1"}, out)

    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(building, "_put", full)
    with pytest.raises(OSError):
        write_files({"a.csv": b"2"}, out)
    assert (out / "a.csv").read_bytes() == b"1" and (out / "b.csv").read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [out]


def test_without_a_package_all_else_is_made(monkeypatch):
    def missing(name):
        if name.split(".")[0] in ("wireviz", "reportlab", "manifold3d", "numpy"):
            raise ImportError(name)
        return real(name)

    real = making.importlib.import_module
    monkeypatch.setattr(making.importlib, "import_module", missing)
    files, notes = make_files(plan_build("mini", "track-a"))
    assert set(files) >= ALWAYS and "wiring/power.svg" not in files
    told = next(note for note in notes if "wiring/*.svg" in note)
    assert told == ("wiring/*.svg was not made, as the package wireviz isn't installed; install it with: "
                    'pip install "gridglow[hardware]"')


def test_light_and_paper():
    assert plan_build("full", "gp-ring", light="row").led_map.pixels == 57
    assert plan_build("mini", "gp-ring").light == "row" and plan_build("full", "gp-ring").light == "lane"
    assert plan_build("full", "gp-ring", "Letter").paper == "Letter"
    with pytest.raises(GridglowError, match="Expected A4 or Letter as the paper, found 'A3'"):
        plan_build("full", "gp-ring", "A3")
    with pytest.raises(GridglowError, match="Expected lane or row as the light"):
        plan_build("full", "gp-ring", light="column")
    told = call("hardware", "build", "mini", "--track", "gp-ring", "--light", "lane", "--out", "nowhere")
    assert told.exit_code == 1 and "output 1 pixels_max: The track gp-ring doesn't fit the board mini" in told.stderr
