"""hardware/generated is what the generator makes now, byte by byte; WireViz's pictures are compared by their YAML."""

import re
import sys
from pathlib import Path

import pytest

from gridglow.hardware.build import write_files

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import generate_hardware  # noqa: E402  a script, which lies in no package

OF_A_TRACK = ("bom.md", "track.pdf", "track.svg", "track.dxf", "led_map.csv", "power.md")
RENEW = "renew them with: make hardware"


@pytest.mark.parametrize("board", sorted(generate_hardware.MODULES))
def test_what_is_committed_is_what_is_made(board):
    folder = generate_hardware.GENERATED / board
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for track in generate_hardware.MODULES[board]:
        assert {f"{track}/{name}" for name in OF_A_TRACK} <= paths
    assert {"pins.svg", "netlist.csv"} <= {path.rpartition("/")[2] for path in paths}
    pictures = {path for path in paths if generate_hardware.is_wireviz(path)}
    assert pictures and all(path.removesuffix("svg") + "yml" in paths for path in pictures)
    wrong = generate_hardware.differences(board)
    assert not wrong, f"{RENEW}\n" + "\n".join(wrong[:20])


def test_a_byte_a_file_more_and_a_file_less_are_told(tmp_path, monkeypatch):
    made = {"a.csv": b"1", "x/wiring/p.svg": b"1", "x/b.md": b"2"}
    monkeypatch.setattr(generate_hardware, "generate", lambda board, pictures=True: dict(made))
    write_files(generate_hardware.generate("mini"), tmp_path / "mini")
    assert generate_hardware.differences("mini", tmp_path) == []
    (tmp_path / "mini/x/wiring/p.svg").write_bytes(b"of another Graphviz")
    assert generate_hardware.differences("mini", tmp_path) == []
    (tmp_path / "mini/a.csv").write_bytes(b"3")
    (tmp_path / "mini/x/b.md").unlink()
    (tmp_path / "mini/more.txt").write_text("mine")
    assert generate_hardware.differences("mini", tmp_path) == [
        "mini/x/b.md is missing", "mini/more.txt is not made any more", "mini/a.csv differs"]


def test_without_graphviz_it_is_said_and_nothing_is_compared(monkeypatch):
    monkeypatch.setattr(generate_hardware, "make_files", lambda build, makers: ({}, ["wiring/*.svg was not made."]))
    with pytest.raises(RuntimeError, match=re.escape("wiring/*.svg was not made.")):
        generate_hardware.generate("mini")
