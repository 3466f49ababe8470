"""The installation of a set of files: all of it or nothing, whatever is cut off or damaged."""

import binascii
import json
import os
import subprocess
from pathlib import Path

import pytest

import install

CHECKOUT = Path(__file__).resolve().parent.parent
OLD = {"main.py": b"old", "glow/app.mpy": b"old app", "text/en.pack": b"old text", "root.txt": b"old only"}
NEW = {"main.py": b"new", "glow/app.mpy": b"old app", "text/en.pack": b"new text", "tracks/a/b.pack": b"x" * 2000}


def manifest(files):
    lines = ["gridglow manifest 1 fw=1"]
    lines += [f"{binascii.crc32(data):08x} {len(data)} {name}" for name, data in sorted(files.items())]
    return ("\n".join(lines) + "\n").encode()


def put(root, files):
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def stage(root, files, text=None):
    text = manifest(NEW) if text is None else text
    put(root / "new", files)
    put(root, {"new/manifest.txt": text, "new/ready": b"%08x" % binascii.crc32(text)})


def found(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path):
    put(tmp_path, OLD)
    put(tmp_path, {"manifest.txt": manifest(OLD), "save/race.log": b"mine", "own.txt": b"mine"})
    return tmp_path


CHANGED = {name: data for name, data in NEW.items() if OLD.get(name) != data}
KEPT = {"save/race.log": b"mine", "own.txt": b"mine"}


def test_nothing_is_ready(root):
    before = found(root)
    assert install.apply(f"{root}/") == "nothing"
    put(root / "new", CHANGED)  # copying was cut off
    assert install.apply(f"{root}/") == "nothing"
    assert {name: data for name, data in found(root).items() if not name.startswith("new/")} == before


def test_a_set_takes_the_place_of_the_old_one(root):
    put(root, {"glow/app.py": b"twin", "shared_rules/games/x/rules.mpy": b"stray"})
    stage(root, CHANGED)
    assert install.apply(f"{root}/") == "done"
    assert found(root) == {**NEW, **KEPT, "manifest.txt": manifest(NEW)}
    assert not (root / "new").exists() and not (root / "shared_rules").exists()
    assert install.apply(f"{root}/") == "nothing"


@pytest.mark.parametrize("spoil", [
    lambda root: (root / "new/manifest.txt").unlink(),
    lambda root: (root / "new/ready").write_bytes(b""),
    lambda root: (root / "new/ready").write_bytes(b"12345678"),
    lambda root: (root / "new/text/en.pack").write_bytes(b"bad text"),
    lambda root: (root / "new/tracks/a/b.pack").unlink(),
    lambda root: (root / "glow/app.mpy").write_bytes(b"own app"),  # what the set counts on isn't there any more
    lambda root: (root / "new/manifest.txt").write_bytes(manifest(NEW)[:-3]),
])
def test_a_set_that_is_not_whole_is_thrown_away(root, spoil):
    stage(root, CHANGED)
    spoil(root)
    before = {name: data for name, data in found(root).items() if not name.startswith("new/")}
    assert install.apply(f"{root}/") == "broken"
    assert found(root) == before
    assert install.apply(f"{root}/") == "nothing"


def test_a_manifest_can_not_reach_out_of_our_folders(root):
    bad = ["save/race.log", "../x", "glow/../save/race.log", "/etc/passwd", "manifest.txt", "mine/x", "new/x", "glow//x", "",
           "text/..", "a\\b"]
    assert [name for name in bad if install.allowed(name)] == []
    assert all(install.allowed(name) for name in NEW)
    lines = [f"{binascii.crc32(b'evil'):08x} 4 {name}" for name in bad if name]
    stage(root, {}, ("gridglow manifest 1\n" + "\n".join(lines) + "\n").encode())
    put(root, {"new/save/race.log": b"evil"})
    assert install.apply(f"{root}/") == "done"
    assert (root / "save/race.log").read_bytes() == b"mine" and (root / "own.txt").exists()


def test_power_cut_at_every_block_write_of_micropython_s_own_littlefs(micropython):
    ran = subprocess.run(
        [micropython, "-X", "heapsize=32m", str(CHECKOUT / "tests" / "install_power_cut.py")],
        env={"MICROPYPATH": os.pathsep.join(str(CHECKOUT / one) for one in ("tests", "firmware", ""))},
        capture_output=True, text=True, timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = json.loads(ran.stdout)
    assert counts["copying"] > 100 and counts["installing"] > 30
    assert counts["while_copying"]["old"] > 0 < counts["while_copying"]["new"]
    assert counts["while_installing"]["new"] > 2 * counts["installing"] and counts["while_installing"]["old"] == 0
    for name in ("no_manifest", "wrong_crc", "empty_mark", "same_size", "missing"):
        assert counts[name]["old"] > 0 == counts[name]["new"], name
