"""The installation of a set of files: all of it or nothing, whatever is cut off or damaged."""

import binascii
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest

import install
from gridglow.device import archive

CHECKOUT = Path(__file__).resolve().parents[2]
OLD = {"main.py": b"old", "code/glow/app.mpy": b"old app", "text/en.pack": b"old text", "root.txt": b"old only"}
NEW = {"main.py": b"new", "code/glow/app.mpy": b"old app", "text/en.pack": b"new text", "tracks/a/b.pack": b"x" * 2000}


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
    put(root, {"code/glow/app.py": b"twin", "code/shared_rules/games/x/rules.mpy": b"stray"})
    stage(root, CHANGED)
    assert install.apply(f"{root}/") == "done"
    assert found(root) == {**NEW, **KEPT, "manifest.txt": manifest(NEW)}
    assert not (root / "new").exists() and not (root / "code/shared_rules").exists()
    assert install.apply(f"{root}/") == "nothing"


def test_a_board_file_that_no_manifest_lists_goes_as_well(root):
    put(root, {"board.json": b"another board", "safe_pin.txt": b"3"})
    stage(root, CHANGED)
    assert install.apply(f"{root}/") == "done"
    assert found(root) == {**NEW, **KEPT, "manifest.txt": manifest(NEW)}


@pytest.mark.parametrize("spoil", [
    lambda root: (root / "new/manifest.txt").unlink(),
    lambda root: (root / "new/ready").write_bytes(b""),
    lambda root: (root / "new/ready").write_bytes(b"12345678"),
    lambda root: (root / "new/text/en.pack").write_bytes(b"bad text"),
    lambda root: (root / "new/tracks/a/b.pack").unlink(),
    lambda root: (root / "code/glow/app.mpy").write_bytes(b"own app"),  # a file that the set relies on is gone
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
    bad = ["save/race.log", "../x", "code/../save/race.log", "/etc/passwd", "manifest.txt", "mine/x", "new/x", "code//x", "",
           "text/..", "a\\b"]
    assert [name for name in bad if install.allowed(name)] == []
    assert all(install.allowed(name) for name in NEW)
    lines = [f"{binascii.crc32(b'evil'):08x} 4 {name}" for name in bad if name]
    stage(root, {}, ("gridglow manifest 1\n" + "\n".join(lines) + "\n").encode())
    put(root, {"new/save/race.log": b"evil"})
    assert install.apply(f"{root}/") == "done"
    assert (root / "save/race.log").read_bytes() == b"mine" and (root / "own.txt").exists()


# As one file

class DeflateIO:
    """MicroPython's own, as far as the installer needs it."""

    def __init__(self, stream, form, bits):
        assert form == "raw" and 10 <= bits <= 15
        unpacker = zlib.decompressobj(-bits)
        try:
            self.data = unpacker.decompress(stream.read())
        except zlib.error:
            raise OSError(22) from None
        if not unpacker.eof:
            raise OSError(22)
        self.at = 0

    def readinto(self, part):
        piece = self.data[self.at:self.at + len(part)]
        part[:len(piece)] = piece
        self.at += len(piece)
        return len(piece)

    def readline(self):
        end = self.data.find(b"\n", self.at) + 1
        line, self.at = self.data[self.at:end], end
        return line


@pytest.fixture(params=["deflate", "stored"])
def form(request, monkeypatch):
    monkeypatch.setitem(sys.modules, "deflate", SimpleNamespace(DeflateIO=DeflateIO, RAW="raw"))
    return request.param


def stage_packed(root, names=CHANGED, contents=NEW, form="deflate", text=None):
    data = archive.pack(names, contents, form == "deflate")
    text = manifest(contents) if text is None else text
    put(root, {"new/set": data, "new/manifest.txt": text,
               "new/ready": b"%08x %08x" % (binascii.crc32(text), binascii.crc32(data))})
    return data


def test_an_archive_takes_the_place_of_the_old_set(root, form):
    put(root, {"code/glow/app.py": b"twin", "code/shared_rules/games/x/rules.mpy": b"stray"})
    data = stage_packed(root, form=form)
    assert data.startswith(b"gridglow set 1 " + form.encode()) and data == archive.pack(CHANGED, NEW, form == "deflate")
    assert install.apply(f"{root}/") == "done"
    assert found(root) == {**NEW, **KEPT, "manifest.txt": manifest(NEW)}
    assert not (root / "new").exists() and install.apply(f"{root}/") == "nothing"


@pytest.mark.parametrize("spoil", [
    lambda data: data[:-1], lambda data: data + b"x", lambda data: data[:40] + bytes([data[40] ^ 4]) + data[41:],
    lambda data: b"", lambda data: b"gridglow set 2" + data[14:],
])
@pytest.mark.parametrize("marked", [False, True])
def test_an_archive_that_is_not_whole_is_thrown_away(root, form, spoil, marked):
    data = spoil(stage_packed(root, form=form))
    put(root, {"new/set": data})
    if marked:  # the mark vouches for it, so what it unpacks to must show the damage
        put(root, {"new/ready": b"%08x %08x" % (binascii.crc32(manifest(NEW)), binascii.crc32(data))})
        if data.endswith(b"x") and form == "deflate":
            return  # nothing looks past the end of the stream
    before = {name: data for name, data in found(root).items() if not name.startswith("new/")}
    assert install.apply(f"{root}/") == "broken"
    assert found(root) == before


def test_an_archive_without_a_file_of_the_manifest_is_thrown_away(root, form):
    stage_packed(root, [name for name in CHANGED if name != "main.py"], form=form)
    assert install.apply(f"{root}/") == "broken" and (root / "main.py").read_bytes() == b"old"


def test_what_is_right_already_is_not_written_again_and_nothing_else_comes_out(root, form):
    contents = {**NEW, "save/race.log": b"evil", "code/glow/more.mpy": b"not listed"}
    stage_packed(root, contents, contents, form, manifest(NEW))
    put(root, {"tracks/a/b.pack": NEW["tracks/a/b.pack"]})
    before = (root / "tracks/a/b.pack").stat().st_mtime_ns, (root / "tracks/a/b.pack").stat().st_ino
    assert install.apply(f"{root}/") == "done"
    assert found(root) == {**NEW, **KEPT, "manifest.txt": manifest(NEW)}
    assert ((root / "tracks/a/b.pack").stat().st_mtime_ns, (root / "tracks/a/b.pack").stat().st_ino) == before


@pytest.mark.parametrize("heap_kb", [200, 260, 340, 450])
def test_two_hundred_files_come_out_of_an_archive_in_the_heap_of_a_board(micropython, tmp_path, heap_kb):
    """Deflate's window is a single block, twice; a 64-bit heap holds about half as much as its size says."""
    contents = {f"code/glow/a_module_{number}.mpy": zlib.compress(bytes([number]) * 99) * 40 for number in range(200)}
    stage_packed(tmp_path, contents, contents)
    ran = subprocess.run(
        [micropython, "-X", f"heapsize={heap_kb}k", "-c", f"import install\nprint(install.apply('{tmp_path}/'))"],
        env={"MICROPYPATH": str(CHECKOUT / "firmware")}, capture_output=True, text=True, timeout=120,
    )
    assert ran.stdout == "done\n", ran.stdout + ran.stderr
    assert found(tmp_path) == {**contents, "manifest.txt": manifest(contents)}


@pytest.mark.parametrize("form", ["single", "archive"])
def test_power_cut_at_every_block_write_of_micropython_s_own_littlefs(micropython, form):
    ran = subprocess.run(
        [micropython, "-X", "heapsize=32m", str(CHECKOUT / "tests/help/children/install_power_cut.py"), form],
        env={"MICROPYPATH": os.pathsep.join(str(CHECKOUT / one) for one in ("firmware", ""))},
        capture_output=True, text=True, timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = json.loads(ran.stdout)
    assert counts["copying"] > 100 and counts["installing"] > 30
    assert counts["while_copying"]["old"] > 0 < counts["while_copying"]["new"]
    assert counts["while_installing"]["new"] > 2 * counts["installing"] and counts["while_installing"]["old"] == 0
    for name in ("no_manifest", "wrong_crc", "empty_mark", "same_size", "missing"):
        assert counts[name]["old"] > 0 == counts[name]["new"], name
