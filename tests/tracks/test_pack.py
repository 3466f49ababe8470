"""Packs: round trips on both interpreters, every kind of damage, the graph's shape."""

import binascii
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from track_texts import LARGEST

from gridglow.tracks import compile_layout, list_tracks, load_track, parse_layout
from gridglow.tracks.layout import write_layout
from gridglow.tracks.pack import Graph, build_graph, join_rows, pack_graph, pack_source
from gridglow.tracks.source import reverse_source
from shared_rules.errors import BadTrack
from shared_rules.track import Track
from shared_rules.track_read import HEAD_BYTES

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = shutil.which("micropython") or str(Path(sys.executable).parent / "micropython")

TELL = """
import sys
sys.path.insert(0, sys.argv[1])
from shared_rules.track import Track
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        track = Track.unpack(file.read())
    print(track.id, track.name, track.game, track.level, track.number, track.laps, track.hash)
    print(track.rows, track.lanes)
    for s in range(track.count):
        print(track.space_name(s), track.named(track.space_name(s)) == s, track.ahead(s), track.beside(s),
              track.branch(s), track.section(s).number, track.section(s).slope, track.marks_on(s))
    for t in track.sections:
        print(t.index, t.kind, t.turn, t.difficulty, t.first_row, t.rows, t.hill, t.slope, t.number)
    corners = [track.next_corner(row) for row in range(1, track.rows + 1)]
    print([corner.number if corner else 0 for corner in corners])
"""

DAMAGE = """
import sys, binascii, struct
sys.path.insert(0, sys.argv[1])
from shared_rules.errors import BadTrack
from shared_rules.track import Track
with open(sys.argv[2], "rb") as file:
    whole = file.read()
caught = 0
for at in range(0, len(whole), 7):
    for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:]):
        for data in (damaged, damaged[:-4] + struct.pack("<I", binascii.crc32(damaged[:-4]) & 0xFFFFFFFF)):
            try:
                Track.unpack(data)
            except BadTrack:
                caught += 1
print(caught)
"""


def run(interpreter, program, *arguments, heap="64m"):
    command = [interpreter]
    if interpreter == MICROPYTHON:
        command += ["-X", "heapsize=" + heap]
    script = Path(arguments[-1]).parent / "program.py"
    script.write_text(program)
    done = subprocess.run(
        [*command, str(script), str(ROOT), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_right_crc(pack):
    return pack[:-4] + struct.pack("<I", binascii.crc32(pack[:-4]))


@pytest.fixture
def packs(tmp_path):
    marked = build_graph(
        parse_layout("S8u L4d2 S6d R3d1 S3cL2 R4s S5f", lanes=2, track_id="counters", name="Übung")
    )
    marked.marks = [[5, "oil"], [5, "gravel"]]
    made = {track.id: load_track(track.id).pack for track in list_tracks()}
    made["largest"] = compile_layout(LARGEST, track_id="largest")
    made["open"] = compile_layout("S5 R4d3 S3", lanes=4, closed=False)
    made["counters"] = pack_graph(marked)
    paths = []
    for name, pack in made.items():
        paths.append(tmp_path / f"{name}.pack")
        paths[-1].write_bytes(pack)
    return paths


def test_both_interpreters_read_the_same(packs):
    told = run(sys.executable, TELL, *packs)
    assert told.count("\n") > 1000
    assert run(MICROPYTHON, TELL, *packs) == told


def test_largest_track_fits_a_small_heap(packs):
    largest = next(path for path in packs if path.stem == "largest")
    assert "140 3\n" in run(MICROPYTHON, TELL, largest, heap="96k")


def test_damage_never_passes_as_anything_but_bad_track(packs):
    """Under MicroPython too; the damaged packs also get a correct checksum, so that the inner checks are
    reached."""
    small = min(packs, key=lambda path: path.stat().st_size)
    tries = 4 * len(range(0, small.stat().st_size, 7))
    for interpreter in (sys.executable, MICROPYTHON):
        caught = int(run(interpreter, DAMAGE, small))
        assert (
            caught >= tries * 0.75
        )  # cuts and wrong checksums are always caught; a changed name may be a correct pack


def test_every_truncation_and_every_flipped_byte_is_refused():
    pack = load_track("fabulous-driving-park").pack
    for end in range(len(pack)):
        with pytest.raises(BadTrack):
            Track.unpack(pack[:end])
    for at in range(len(pack)):
        for bit in (0x01, 0x80):
            with pytest.raises(BadTrack):
                Track.unpack(pack[:at] + bytes([pack[at] ^ bit]) + pack[at + 1 :])
    with pytest.raises(BadTrack):
        Track.unpack(pack + b"\0")


@pytest.mark.parametrize("lists", ["ahead", "beside", "branch"])
def test_a_way_to_nowhere_is_refused_though_the_checksum_is_right(lists):
    graph = build_graph(parse_layout("S5 L4d2 S6"))
    getattr(graph, lists)[3] = [45]
    with pytest.raises(BadTrack, match=lists):
        Track.unpack(pack_graph(graph))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sections", [["straight", "", 0, 9, ""]]),
        ("sections", [["corner", "", 0, 15, ""]]),
        ("sections", [["corner", "left", 4, 15, ""]]),
        ("sections", [["straight", "", 0, 15, "steep"]]),
        ("sections", [["straight", "", 0, "15", ""]]),
        ("sections", "none"),
        ("marks", [[45, "oil"]]),
        ("marks", [[1]]),
        ("name", 7),
        ("laps", "6"),
        ("laps", None),
    ],
)
def test_wrong_meta_is_refused_though_the_checksum_is_right(key, value):
    pack = compile_layout("S5 L4d2 S6")
    size = struct.unpack_from("<H", pack, 6)[0]
    meta = json.loads(pack[HEAD_BYTES : HEAD_BYTES + size])
    if value is None:
        del meta[key]
    else:
        meta[key] = value
    text = json.dumps(meta).encode()
    changed = (
        pack[:6] + struct.pack("<H", len(text)) + pack[8:20] + struct.pack("<I", len(pack) - size + len(text))
    )
    with pytest.raises(BadTrack):
        Track.unpack(with_right_crc(changed + text + pack[HEAD_BYTES + size :]))


def test_packs_of_another_format_are_named():
    pack = compile_layout("S5 L4d2 S6")
    with pytest.raises(BadTrack, match="format 1, the pack says 2"):
        Track.unpack(with_right_crc(pack[:4] + b"\x02" + pack[5:]))


def test_ways_ahead_and_beside():
    track = Track.unpack(compile_layout("S5 L4d2 S6"))
    names = [
        [track.space_name(to) for to in track.ahead(track.named(name))] for name in ("1a", "1b", "1c", "15b")
    ]
    assert names == [["2a", "2b"], ["2b", "2a", "2c"], ["2c", "2b"], ["1b", "1a", "1c"]]
    assert [track.space_name(s) for s in track.beside(track.named("7b"))] == ["7a", "7c"]
    assert [track.space_name(s) for s in track.row_spaces(7)] == ["7a", "7b", "7c"]
    assert track.branch(0) == [] and track.closed and track.count == 45


def test_an_open_road_ends():
    track = Track.unpack(compile_layout("S5 L4d2 S6", closed=False))
    assert track.ahead(track.named("15b")) == [] and not track.closed
    assert track.next_corner(12) is None and track.next_corner(1).number == 1


@pytest.mark.parametrize(
    "name", ["", "1", "a", "0a", "01a", "16a", "1d", "1A", "-1a", "1 a", "²a", "١a", "9999a", "1ab", "99999a"]
)
def test_only_the_one_spelling_names_a_space(name):
    assert Track.unpack(compile_layout("S5 L4d2 S6")).named(name) == -1


def test_counters_change_what_the_rules_see():
    track = Track.unpack(compile_layout("S8 R4s S3cL2u R2d1 S5"))
    assert [(s.kind, s.turn, s.difficulty, s.number, s.slope) for s in track.sections] == [
        ("straight", "", 0, 0, "flat"),
        ("straight", "", 0, 0, "flat"),
        ("corner", "left", 2, 1, "up"),
        ("corner", "right", 1, 2, "flat"),
        ("straight", "", 0, 0, "flat"),
    ]
    assert track.next_corner(9).number == 1


def test_lanes_may_differ_and_spaces_may_lie_beside_the_rows():
    """What later games need: a choke to lanes b and c, and a pit lane that leaves row 3 and comes back in row 5."""
    graph = Graph(
        "choke",
        "Choke",
        "some_game",
        "any",
        1,
        3,
        True,
        False,
        row_lanes=[(1, 4), (1, 4), (2, 2), (1, 4)],
        sections=[["straight", "", 0, 4, ""]],
        extra=[(2, 5), (3, 5)],
    )
    join_rows(graph)
    graph.branch[3] = [14]
    graph.ahead[14], graph.ahead[15] = [15], [13]
    track = Track.unpack(pack_graph(graph))
    assert track.lanes == 4 and track.count == 16
    assert [track.space_name(s) for s in range(8, 16)] == ["3b", "3c", "4a", "4b", "4c", "4d", "2e", "3e"]
    assert track.space(3, 1) == -1 and track.named("3a") == -1 and track.named("3e") == 15
    assert [track.space_name(s) for s in track.ahead(track.named("2a"))] == ["3b"]
    assert [track.space_name(s) for s in track.ahead(track.named("2d"))] == ["3c"]
    assert [track.space_name(s) for s in track.ahead(track.named("2b"))] == ["3b", "3c"]
    assert track.branch(track.named("1d")) == [track.named("2e")]


def test_hash_depends_on_the_rules_only():
    source = parse_layout("S5 L4d2@90 S6")
    assert pack_source(source) == pack_source(parse_layout("S5 L4d2@80 S6"))
    assert pack_source(source) != pack_source(parse_layout("S5 L4d1@90 S6"))


def test_reversed_track():
    """Driven backwards, 9c is 36a: the rows from the other end, the lanes from the other side."""
    forward = Track.unpack(pack_source(parse_layout("S8 L4d2u S6 R5d1d S5", track_id="there")))
    back = Track.unpack(pack_source(reverse_source(parse_layout("S8 L4d2u S6 R5d1d S5", track_id="there"))))
    rows = forward.rows
    assert back.id == "there-reversed"
    other = {"up": "down", "down": "up", "flat": "flat", "left": "right", "right": "left", "": ""}
    for s in range(forward.count):
        mirror = back.space(rows + 1 - forward.row(s), 4 - forward.lane(s))
        one, two = forward.section(s), back.section(mirror)
        assert (one.kind, one.difficulty, other[one.turn], other[one.slope]) == (
            two.kind,
            two.difficulty,
            two.turn,
            two.slope,
        )
        for to in forward.ahead(s):
            assert mirror in back.ahead(back.space(rows + 1 - forward.row(to), 4 - forward.lane(to)))
    source = parse_layout("S8u L4d2 S6")
    assert [section.hill for section in reverse_source(source).sections] == ["flat", "", "down"]
    again = reverse_source(reverse_source(parse_layout("S8 L4d2u S6 R5d1d S5")))
    assert [(s.kind, s.turn, s.rows) for s in again.sections] == [
        (s.kind, s.turn, s.rows) for s in parse_layout("S8 L4d2u S6 R5d1d S5").sections
    ]


def test_marks_of_a_reversed_track_lie_where_they_lay():
    """The distance to the end of a lane forwards is the distance to its beginning backwards."""
    source = parse_layout("S3 K1 L4i2 S2 R5i3 S3 +3a +4a +5a +6a +5b +8b +11b +13b +11a +15a", 2, 3, game="full_throttle",
                          level="house")
    back = reverse_source(source)
    track = Track.unpack(pack_source(back))
    assert [s.turn for s in track.sections] == ["", "left", "", "right", "", ""]
    named = [track.space_name(space) for space, word in track.marks if word == "bonus"]
    # Right 11 to 15 becomes left 4 to 8, left 5 to 8 becomes right 11 to 14.
    wanted = {"3a": "16b", "4a": "15a", "5a": "12b", "6a": "11b", "5b": "14a", "8b": "11a", "11b": "6a", "13b": "4a",
              "11a": "8b", "15a": "4b"}
    assert sorted(named) == sorted(wanted.values())
    assert sorted(reverse_source(back).marks) == sorted(source.marks)


# Roads that get narrower, and turns with a shorter inner lane

def test_chokes_and_long_outer_lanes():
    source = parse_layout("S1 K1 S1 L4i2 S1 R3i1 S3 +1a +8b", 2, 3, game="full_throttle", level="house")
    track = Track.unpack(pack_source(source))
    names = [track.space_name(space) for space in range(track.count)]
    assert names == ["1a", "1b", "2a", "3a", "3b", "4a", "4b", "5a", "5b", "6b", "7b", "8a", "8b", "9a", "9b", "10a", "11a",
                     "12a", "12b", "13a", "13b", "14a", "14b"]
    ways = {track.space_name(one): [track.space_name(to) for to in track.ahead(one)] for one in range(track.count)}
    assert ways["1a"] == ways["1b"] == ["2a"] and ways["2a"] == ["3a", "3b"]
    assert ways["3a"] == ["4a", "4b"] and ways["3b"] == ["4b", "4a"]
    assert ways["4a"] == ["5a"] and ways["4b"] == ["5b"] and ways["5a"] == ["8a", "8b"], "a car in a lane must stay in it"
    assert ways["7b"] == ["8b", "8a"] and ways["8a"] == ["9a", "9b"]
    assert ways["9b"] == ["12b", "12a"] and ways["9a"] == ["10a"] and ways["11a"] == ["12a", "12b"]
    assert [track.space_name(space) for space, word in track.marks if word == "bonus"] == ["1a", "8b"]
    assert write_layout(source) == "S1 K1 S1 L4i2 S1 R3i1 S3 +1a +8b"


@pytest.mark.parametrize(("layout", "lanes", "says"), [
    ("S4 L4i4 S3", 2, "found 'L4i4'"),
    ("S4 L4i2 S3", 3, "Expected 2 lanes"),
    ("S4 L4i2 S3 +7a", 2, "no space 7a"),
    ("S4 K1 S3 +5b", 2, "no space 5b"),
])
def test_layouts_that_make_no_such_road(layout, lanes, says):
    with pytest.raises(BadTrack, match=says):
        parse_layout(layout, lanes, 3, game="full_throttle", level="house")
