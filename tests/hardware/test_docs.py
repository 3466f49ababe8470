"""What hobbyists build from: the tables in hardware/docs compared with the boards' own files, checks and circuits."""

import re
import sys
from pathlib import Path

import pytest

from gridglow.boards.boardfile import board_path, load_board
from gridglow.boards.pinouts import bus_box
from gridglow.hardware.build import examine_build
from gridglow.hardware.nets import circuit_of
from gridglow.tracks import list_tracks, load_track

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "hardware" / "docs"
sys.path.insert(0, str(ROOT / "tools"))
import generate_hardware  # noqa: E402  a script, which lies in no package

#: The games in the tables. A game written since has its own tracks, and is listed when somebody builds for it.
GAMES = {"MotoGrandPrix": "moto_grand_prix", "Full Throttle!": "full_throttle", "Racing Rules": "racing_rules",
         "Ausgebremst": "ausgebremst", "Fast & Furious": "fast_and_furious"}
TRACK_ROW = r"^\| ([^|]+) \| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \|$"


def rows(name, pattern):
    return re.findall(pattern, (DOCS / name).read_text("utf-8"), re.M)


def test_choosing_lists_every_track_of_its_games():
    told = [row[1] for row in rows("choosing.md", TRACK_ROW)]
    assert sorted(told) == sorted(source.id for source in list_tracks() if source.game in GAMES.values())


@pytest.mark.parametrize("place, board", [(2, "mini"), (3, "full")])
def test_choosing_tells_which_tracks_a_board_carries(place, board):
    """By the check that every build begins with."""
    carried = set()
    for row in rows("choosing.md", TRACK_ROW):
        compiled = load_track(row[1])
        assert compiled.source.game == GAMES[row[0]]
        build, problems = examine_build(board_path(board), compiled, "A4", None)
        light = {"lane": "space", "row": "row"}[build.light]
        said = "–" if problems else f"{build.led_map.pixels} by the {light}"
        assert row[place] == said, f"{row[1]} on {board}: {problems[:1]}"
        if not problems:
            carried.add(row[0])
    assert carried == set(GAMES) - ({"Racing Rules"} if board == "mini" else set())


def test_every_game_has_a_generated_module_on_each_board_that_carries_one():
    made = [(board, load_track(track).source.game)
            for board, tracks in generate_hardware.MODULES.items() for track in tracks]
    fits = {(board, GAMES[row[0]]) for row in rows("choosing.md", TRACK_ROW)
            for place, board in ((2, "mini"), (3, "full")) if row[place] != "–"}
    assert {one for one in made if one[0] != "mini-direct"} == fits and len(set(made)) == len(made)


def test_the_tables_of_wiring_are_those_of_the_circuits():
    text = (DOCS / "wiring.md").read_text("utf-8")
    assert generate_hardware.wiring_text(text) == text, "renew them: python tools/generate_hardware.py --wiring"


@pytest.mark.parametrize("board", ["full", "mini", "mini-direct"])
def test_the_tables_of_wiring_have_every_net(board):
    """Those of chained panels, for the first panel."""
    circuit = circuit_of(load_board(board), 1)
    text = (DOCS / "wiring.md").read_text("utf-8")
    part = text.split(f"<!-- {board}: made by")[1].split(f"<!-- {board}: end")[0]
    told = set(re.findall(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \|$", part, re.M))
    others = tuple(f"P{number}." for number in range(2, 7)) if board != "mini-direct" else ()
    wanted = {net for net in circuit.nets() if not net.startswith(others)}
    # Inside the mini's second panel everything is as in the first.
    wanted -= {net for net in wanted if re.match(r"P2\.LED_\d", net)}
    assert wanted <= told, wanted - told
    assert len(wanted) >= 30


def test_the_ribbons_are_told_right():
    found = rows("wiring.md", r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$")
    assert len(found) == 14
    for place, board in ((1, "full"), (1, "mini"), (2, "mini-direct")):
        box = circuit_of(load_board(board), 1).components["P1.J1"]
        told = [row[place].split(" (")[0].strip() for row in found]
        assert [label for label in told if label != "–"] == [label for _, label in box.pins]


def test_fuses_and_limits_are_those_of_the_board_files():
    text = (DOCS / "power-and-safety.md").read_text("utf-8")
    full, mini = load_board("full"), load_board("mini")
    track, dials = full.outputs[0], full.outputs[1]
    assert f"| supply to the rails | {full.supply.fuse_ma / 1000:g} A," in text and f"{full.supply.limit_ma:,} mA" in text
    assert f"| rails to the track | {track.fuse_ma / 1000:g} A," in text
    assert f"| rails to the track | {track.fuse_ma / 1000:g} A, resettable | {track.limit_ma:,} mA |" in text
    assert f"| rails to the panels (the ribbon) | {dials.fuse_ma / 1000:g} A, resettable | {dials.limit_ma:,} mA |" in text
    assert f"Its {full.pixels} dark pixels" in text
    assert f"a resettable fuse of {mini.supply.fuse_ma / 1000:g} A" in text
    assert f"The firmware limits everything together to {mini.supply.limit_ma} mA" in text
    parts = full.parts["rail_capacitor"].value, mini.parts["rail_capacitor"].value, full.parts["panel_capacitor"].value
    assert all(part.partition(" 10 V")[0] in text for part in parts)


@pytest.mark.parametrize("name", ["assembly.md", "test-procedure.md"])
def test_all_ten_tests_are_there(name):
    text = (DOCS / name).read_text("utf-8")
    told = set(re.findall(r"\bT\d\b", text.replace("T5 to T8", "T5 T6 T7 T8")))
    assert told == {f"T{number}" for number in range(10)}


def test_steps_of_the_doctor_that_are_named_exist():
    from gridglow.device.doctor.rounds import all_steps

    known = {step.name for step in all_steps()}
    for path in DOCS.glob("*.md"):
        for names in re.findall(r"--steps ([a-z,]+)", path.read_text("utf-8")):
            assert set(names.split(",")) <= known, f"{path.name}: {names}"


def test_a_right_console_passes_t9_at_its_last_panel():
    """The drops on the way there, each at its worst, with the parts of parts.md and all panels lit alike."""
    board = load_board("full")
    box = [label for _, label in bus_box(board.pinout)]
    hops_a = sum(range(1, board.panels + 1)) / board.panels * board.outputs[1].limit_ma / 1000
    metre_ohm, contact_ohm = 0.23, 0.02  # of AWG 28; of a plug's pin, with the box on its board
    drop = 0.05 * board.supply.limit_ma / 1000  # Q1 and Q2
    drop += 0.01 * board.supply.limit_ma / 1000  # F1
    drop += 0.17 * board.outputs[1].limit_ma / 1000  # F3, once it has tripped
    for net in ("5V", "GND"):
        drop += hops_a * (board.wires.ribbon_mm / 1000 * metre_ohm + 2 * contact_ohm) / box.count(net)
    told = f"{4.9 - drop:.2f} V"
    assert 4.9 - drop >= 4.0, told
    for name in ("assembly.md", "test-procedure.md", "parts.md"):
        assert "at least 4.0 V" in (DOCS / name).read_text("utf-8"), name
    assert told in (DOCS / "parts.md").read_text("utf-8"), told
