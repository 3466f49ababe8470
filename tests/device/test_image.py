"""The device folder: what it holds, that it is written once, and what `gridglow firmware folder` says about it."""

import json
import shutil
import subprocess

import pytest
from click.testing import CliRunner

from gridglow import cache
from gridglow.cli import main
from gridglow.firmware import compiler
from gridglow.firmware.compiler import compile_mpy
from gridglow.firmware.image import build, code_lines
from gridglow.tracks import load_track
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.track import Track


def names(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_it_holds_what_a_device_needs_and_no_more(tmp_path):
    image = build(tmp_path, "full")
    found = names(tmp_path)
    assert {"main.py", "boot.py", "board.json", "text/en.pack", "tracks/index.json", "tracks/gp-ring.pack",
            "tracks/gp-ring.leds", "shared_rules/race.mpy", "shared_rules/games/moto_grand_prix/rules.mpy",
            "glow/app.mpy", "hal/virtual.mpy"} <= found
    assert {name for name in found if name.endswith(".py")} == {"main.py", "boot.py", "install.py"}
    assert not [name for name in found if name.endswith((".toml", ".md")) or "proof" in name or "/spec/" in name]
    assert image.files == len(found) == image.written
    assert image.bytes_ == sum((tmp_path / name).stat().st_size for name in found)


def test_cpython_gets_sources_only(tmp_path):
    build(tmp_path, "full", mpy=False)
    found = names(tmp_path)
    assert "glow/app.py" in found and not [name for name in found if name.endswith(".mpy")]


def test_tracks_and_their_index_fit_each_other(tmp_path):
    image = build(tmp_path, "full")
    index = json.loads((tmp_path / "tracks" / "index.json").read_text())
    assert [entry["id"] for entry in index] == image.tracks
    places = [(entry["game"], entry["number"]) for entry in index]
    assert places == sorted(places)
    for entry in index:
        track = Track.unpack((tmp_path / "tracks" / f"{entry['id']}.pack").read_bytes())
        leds = json.loads((tmp_path / "tracks" / f"{entry['id']}.leds").read_text())
        assert (track.id, track.game, track.laps) == (entry["id"], entry["game"], entry["laps"])
        assert leds["hash"] == track.hash and len(leds["leds"]) == track.count


def test_only_what_changed_is_written_and_stale_files_go(tmp_path):
    build(tmp_path, "full")
    saved = tmp_path / "save" / "race.journal"
    saved.parent.mkdir()
    saved.write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    stale = [tmp_path / "glow" / "app.py", tmp_path / "tracks" / "old.pack", tmp_path / "shared_rules" / "x" / "y.mpy"]
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text("old")
    (tmp_path / "glow" / "app.mpy").write_text("changed")
    image = build(tmp_path, "full")
    assert image.written == 1
    assert not [path for path in stale if path.exists()] and not (tmp_path / "shared_rules" / "x").exists()
    assert saved.read_text() == "mine" and (tmp_path / "notes.txt").exists()
    assert build(tmp_path, "full", mpy=False).written > 20
    assert not (tmp_path / "glow" / "app.mpy").exists()


def test_chosen_tracks_languages_and_proofs(tmp_path):
    image = build(tmp_path, "mini", tracks=[load_track("gp-ring")], proof=True)
    assert image.tracks == ["gp-ring"]
    assert (tmp_path / "shared_rules" / "proof.mpy").exists()
    assert not (tmp_path / "tracks" / "supercircus-raceway.pack").exists()
    with pytest.raises(GridglowError, match="no texts in the language 'tlh'"):
        build(tmp_path, "mini", languages=("tlh",))


def test_chosen_games_are_all_that_a_board_offers(tmp_path):
    build(tmp_path, "full", games=[], mpy=False)
    assert "NAMES = ()" in (tmp_path / "shared_rules" / "games" / "__init__.py").read_text()
    assert not (tmp_path / "shared_rules" / "games" / "moto_grand_prix").exists()
    assert json.loads((tmp_path / "tracks" / "index.json").read_text()) == []
    with pytest.raises(GridglowError, match="no game 'moto_gp'"):
        build(tmp_path, "full", games=["moto_gp"])


def test_a_wrong_board_changes_nothing(tmp_path):
    with pytest.raises(GridglowError, match="no board 'ful'"):
        build(tmp_path / "device", "ful")
    assert not (tmp_path / "device").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "device").write_text("a file")
    with pytest.raises(GridglowError, match="can't be written"):
        build(tmp_path / "device", "full")


def test_compiled_modules_are_kept_and_broken_ones_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_CACHE", str(tmp_path))
    text = b"a = 1\n"
    first = compile_mpy("glow/a.py", text)
    (kept,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    monkeypatch.setattr(compiler, "_run_compiler", lambda name, text: pytest.fail("compiled again"))
    assert compile_mpy("glow/a.py", text) == first
    monkeypatch.undo()
    kept.write_bytes(b"")
    monkeypatch.setenv("GRIDGLOW_CACHE", str(tmp_path))
    assert compile_mpy("glow/a.py", text) == first and first == kept.read_bytes()[cache.HASH_BYTES:]
    assert compile_mpy("glow/b.py", text) != first


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRIDGLOW_CACHE", str(tmp_path / "file"))
    assert compile_mpy("glow/a.py", b"a = 1\n")[:1] == b"M"


def test_lines_with_code():
    text = (b'"""Head.\n\nMore.\n"""\n\n# why\na = (1,\n     2)  # because\n\n\n'
            b'def f():\n    """Doc."""\n    return """x\ny"""\n')
    assert code_lines(text) == 5


def test_build_tells_sizes(tmp_path):
    result = CliRunner().invoke(main, ["firmware", "folder", "--out", str(tmp_path / "device"), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["board"], told["mpy"], told["files"]) == ("full", True, len(names(tmp_path / "device")))
    by_name = {module["name"]: module for module in told["modules"]}
    assert by_name["glow/app.py"]["bytes"] == (tmp_path / "device" / "glow" / "app.mpy").stat().st_size
    assert by_name["shared_rules/games/moto_grand_prix/rules.py"]["part"] in games.NAMES
    assert 0 < by_name["glow/app.py"]["code_lines"] < by_name["glow/app.py"]["lines"]
    text = CliRunner().invoke(main, ["firmware", "folder"])
    assert text.exit_code == 0 and "glow/app.py" in text.output and "for the board full" in text.output
    wrong = CliRunner().invoke(main, ["firmware", "folder", "--board-file", "ful"])
    assert wrong.exit_code != 0 and "did you mean 'full'" in wrong.output and "Traceback" not in wrong.output


def test_the_image_runs_on_both_interpreters(build_device, micropython):
    code = "import sys; sys.path[:0] = ['.']\nfrom shared_rules.track import Track\n" \
           "print(Track.unpack(open('tracks/gp-ring.pack', 'rb').read()).name)"
    said = []
    for engine, program in (("micropython", micropython), ("cpython", shutil.which("python3"))):
        result = subprocess.run([program, "-c", code], cwd=build_device(engine), capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        said.append(result.stdout)
    assert said[0] == said[1] and said[0].strip()
