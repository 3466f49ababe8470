"""The user's cache: its content is made once, whoever else writes to it, and whatever has happened to a file."""

import os
import threading

import pytest

from gridglow import cache, paths
from gridglow.firmware import compiler
from gridglow.races.startup import race_setup, tracks_for
from gridglow.tracks import catalogue, compile_file, drawings, load_track
from gridglow.tracks.drawings import draw, kept_drawing, packed, unpacked


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("GRIDGLOW_CACHE", str(tmp_path / "cache"))
    catalogue._compile.cache_clear()
    yield tmp_path / "cache"
    catalogue._compile.cache_clear()


class Maker:
    """Counts how often something is made."""

    def __init__(self, content=b"made"):
        self.content = content
        self.count = 0

    def __call__(self, *_):
        self.count += 1
        return self.content


def test_what_is_kept_is_made_once(folder):
    make = Maker()
    assert [cache.kept("kind", "ab", make) for _ in range(3)] == [b"made"] * 3
    assert make.count == 1
    assert cache.kept("kind", "ac", make) == cache.kept("other", "ab", make) == b"made" and make.count == 3


@pytest.mark.parametrize("spoil", [
    lambda data: b"", lambda data: data[:-1], lambda data: data[:20], lambda data: data + b"x",
    lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: bytes(len(data)), lambda data: b"made",
])
def test_a_broken_file_is_made_anew(folder, spoil):
    make = Maker()
    cache.kept("kind", "ab", make)
    path = folder / "kind" / "ab"
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.kept("kind", "ab", make) == b"made" and make.count == 2
    assert cache.kept("kind", "ab", make) == b"made" and make.count == 2


def test_a_file_under_another_name_is_not_taken_for_it(folder):
    cache.kept("kind", "ab", Maker(b"one"))
    os.replace(folder / "kind" / "ab", folder / "kind" / "ac")
    assert cache.kept("kind", "ac", Maker(b"other")) == b"other"


def test_something_else_in_its_place_only_costs_time(folder):
    (folder / "kind" / "ab").mkdir(parents=True)
    assert cache.kept("kind", "ab", Maker()) == b"made"
    folder.joinpath("file").write_bytes(b"")
    assert cache.kept("file", "ab", Maker()) == b"made"
    assert list((folder / "kind").iterdir()) == [folder / "kind" / "ab"], "no half-written file is left"


def test_a_cache_that_can_only_be_read_is_read(folder, monkeypatch):
    make = Maker()
    cache.kept("kind", "ab", make)

    def no(*_, **__):
        raise PermissionError(13, "Permission denied")

    for name in ("utime", "replace", "unlink"):
        monkeypatch.setattr(os, name, no)
    monkeypatch.setattr(cache.Path, "write_bytes", no)
    assert cache.kept("kind", "ab", make) == b"made" and make.count == 1
    assert cache.kept("kind", "ac", make) == b"made" and make.count == 2


def test_without_a_place_for_it_nothing_is_kept(monkeypatch):
    def nowhere():
        raise paths.NoHome("nowhere")

    monkeypatch.setattr(paths, "cache_folder", nowhere)
    make = Maker()
    assert [cache.kept("kind", "ab", make) for _ in range(2)] == [b"made"] * 2 and make.count == 2


def test_many_may_write_at_once(folder):
    """Each of them gets a complete file, and the file that stays is complete."""
    content = os.urandom(300_000)
    together = threading.Barrier(8)
    got = []

    def one():
        together.wait()
        got.append(cache.kept("kind", "ab", lambda: content))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [content] * 8
    assert cache.kept("kind", "ab", Maker()) == content
    assert [file.name for file in (folder / "kind").iterdir()] == ["ab"]


def test_one_that_is_stopped_while_it_writes_leaves_nothing(folder, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        cache.kept("kind", "ab", Maker())
    assert list((folder / "kind").iterdir()) == []


def test_what_was_not_used_for_longest_goes_first(folder, monkeypatch):
    monkeypatch.setattr(cache, "FILES_MOST", 6)
    for number in range(6):
        cache.kept("kind", str(number), Maker())
        os.utime(folder / "kind" / str(number), ns=(number, number))
    cache.kept("kind", "0", Maker())                          # used now
    cache.kept("kind", "new", Maker())
    assert sorted(file.name for file in (folder / "kind").iterdir()) == ["0", "5", "new"]


def test_each_part_of_a_key_counts_by_itself():
    keys = [cache.key_of("ab", "c"), cache.key_of("a", "bc"), cache.key_of("abc"), cache.key_of("ab", "c", "")]
    assert len(set(keys)) == 4
    assert cache.key_of("a", b"b") == cache.key_of(b"a", "b")


# What is kept

def test_a_module_is_compiled_once(folder, monkeypatch):
    make = Maker(b"M\x06")
    monkeypatch.setattr(compiler, "_run_compiler", make)
    for _ in range(2):
        assert compiler.compile_mpy("glow/a.py", b"a = 1\n") == b"M\x06"
    assert make.count == 1
    compiler.compile_mpy("glow/a.py", b"a = 2\n")
    compiler.compile_mpy("glow/b.py", b"a = 1\n")
    assert make.count == 3


@pytest.fixture
def laid_out(monkeypatch):
    """The ids of the tracks laid out, in order."""
    seen = []
    build = drawings.build_geometry
    monkeypatch.setattr(drawings, "build_geometry", lambda source: seen.append(source.id) or build(source))
    return seen


def test_a_drawing_comes_back_as_it_was(folder, laid_out):
    for name in ("gp-ring", "house-board", "tokyo-drift", "bleifuss-drom"):   # with kerbs, roads, indicators, a start card
        source = load_track(name).source
        fresh = draw(source)
        assert kept_drawing(source) == kept_drawing(source) == fresh == unpacked(packed(fresh))
        assert repr(kept_drawing(source)) == repr(fresh), "lists stay lists, tuples stay tuples"
        assert laid_out == [name] * 2
        laid_out.clear()


def test_a_drawing_is_kept_by_all_that_it_is_made_of(folder, laid_out, monkeypatch, tmp_path):
    source = load_track("gp-ring").source
    kept_drawing(source)
    vars(source)  # the fields of a frozen dataclass

    def other(**fields):
        made = object.__new__(type(source))
        vars(made).update(vars(source) | fields)
        return made

    kept_drawing(other(path=tmp_path / "elsewhere.toml"))
    assert laid_out == ["gp-ring"], "the place of its file makes no difference"
    kept_drawing(other(board_cm=(100, 140)))
    assert len(laid_out) == 2
    monkeypatch.setattr(drawings, "start_card", lambda game: 9)
    kept_drawing(source)
    assert len(laid_out) == 3
    monkeypatch.setattr(cache, "code_of", lambda *modules: "another version")
    kept_drawing(source)
    assert len(laid_out) == 4


def test_code_counts_by_its_sources(tmp_path, monkeypatch):
    package = tmp_path / "some_code"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("a = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = cache.code_of.__wrapped__("some_code")
    assert before == cache.code_of.__wrapped__("some_code") != cache.code_of.__wrapped__("some_code.one")
    (package / "one.py").write_text("a = 2\n")
    assert cache.code_of.__wrapped__("some_code") != before


# What a race makes

def test_a_race_lays_no_track_out_and_compiles_the_one_that_it_needs(folder, laid_out, monkeypatch):
    packed_ones = []
    pack = catalogue.compile_undrawn
    monkeypatch.setattr(catalogue, "compile_undrawn",
                        lambda source, draw: packed_ones.append(source.id) or pack(source, draw))
    start = race_setup(bots="all")
    assert packed_ones == [start.track.id] and laid_out == []
    packed_ones.clear()
    catalogue._compile.cache_clear()
    race_setup(track="bleifuss-drom", bots="all")
    assert packed_ones == ["bleifuss-drom"] and laid_out == []


def test_a_page_lays_its_track_out_once_for_all_starts(folder, laid_out):
    for _ in range(3):
        catalogue._compile.cache_clear()                      # like a new process
        assert load_track("gp-ring").geometry.spaces
    assert laid_out == ["gp-ring"]


LOOSE = """
id = "loose"
name = "Loose"
number = 1
game = "moto_grand_prix"
level = "basic"
laps = 1
board_cm = [60, 70]
lanes = 3
""" + 4 * """
[[section]]
kind = "straight"
rows = 8
[[section]]
kind = "corner"
turn = "left"
rows = 4
difficulty = 1
angle = 70
"""


def test_a_track_of_ones_own_is_looked_at_before_a_race(folder, tmp_path, monkeypatch):
    """Its loop doesn't close: that is reported at once, though the race itself draws nothing, and no other
    race is affected."""
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    (tmp_path / "tracks").mkdir()
    path = tmp_path / "tracks" / "loose.toml"
    path.write_text(LOOSE)
    with pytest.raises(Exception, match="loose") as told:
        load_track("loose")
    with pytest.raises(type(told.value)) as told_by_check:
        compile_file(path)
    assert str(told.value) == str(told_by_check.value)
    assert "loose" not in [track.id for track in tracks_for("moto_grand_prix", "basic")]
    assert race_setup(bots="all").track.id == "fabulous-driving-park"
