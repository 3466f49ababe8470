"""The parts list: complete, counted from the board and the track, and honest about what nobody has confirmed."""

import csv
import io
import re

import pytest

from gridglow import paths
from gridglow.hardware import bom
from gridglow.hardware.build import plan_build
from gridglow.hardware.nets import circuit_of
from gridglow.tomlfile import FileProblems
from gridglow.tracks.catalogue import list_tracks

# Figures that weren't in any maker's papers when the boards were designed.
NOT_CONFIRMED = {
    "SC0917", "EEU-FR1A102", "GST25A05-P1J", "N2510-6002RB", "89110-0101", "4607X-101-103LF", "MX1A-E1NW", "PS1240P02BT",
    "BC557B", "TL431ACLP",
}
# Parts for which hardware/docs/parts.md has the maker's values.
CONFIRMED = {"SN74AHCT125N", "1N5817", "PEC11R-4220F-S0024", "MF-R300", "MF-R135", "MF-R050", "SN74HC165N", "SUP53P06-20-E3"}


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def rows_of(build):
    files = dict(bom.make(build))
    assert set(files) == {"bom.csv", "bom.md"}
    return list(csv.DictReader(io.StringIO(files["bom.csv"].decode("utf-8"))))


def quantities(build):
    """By part and value; the same part twice is a fault."""
    found = {}
    for row in bom.bom_rows(build):
        assert (row.role, row.value) not in found
        found[(row.role, row.value)] = row.quantity
    return found


def test_quantities_of_the_full_board():
    found = quantities(plan_build("full", "gp-ring"))
    assert {(role, value): count for (role, value), count in found.items() if role == "resistor"} == {
        ("resistor", "10 kΩ"): 2 + 1 + 4 + 6,  # sense, the guard's gates, knob, the end of each panel's chain
        ("resistor", "12 kΩ, 1 %"): 1, ("resistor", "10 kΩ, 1 %"): 1, ("resistor", "2.2 kΩ"): 1, ("resistor", "1 kΩ"): 1,
        ("resistor", "330 Ω"): 2 + 2 + 6,  # data of pixels, CLK and LATCH, each panel's KEYS
        ("resistor", "560 Ω"): 6,  # each panel's LED data out
        ("resistor", "220 Ω"): 1, ("resistor", "4.7 kΩ"): 2,
    }
    counts = {role: count for (role, _), count in found.items()}
    expected = {
        "pico": 1, "pico_socket": 2, "level_shifter": 1, "socket_14": 1, "shift_register": 6, "socket_16": 6,
        "pull_ups": 6, "key": 6 * 6 + 2, "keycap": 38, "ring": 18, "bar": 12, "encoder": 1, "knob": 1, "screen": 1,
        "reader": 1, "buzzer": 1, "ribbon": 6, "ribbon_socket": 12, "ribbon_box": 13, "fuse": 1, "fuse_holder": 1,
        "track_fuse": 1, "dials_fuse": 1, "supply": 1, "supply_cord": 1, "power_switch": 2, "small_pnp": 1, "reference": 1,
        "diode": 1, "track_socket": 1, "track_plug": 1,
        "small_capacitor": 7, "panel_board": 6, "pixel": 171, "track_board": 1,
    }
    assert {role: counts[role] for role in expected} == expected
    assert counts["screw"] == counts["nut"] >= 4 * 8


def test_quantities_of_the_mini_board():
    found = quantities(plan_build("mini", "track-a"))
    counts = {role: count for (role, _), count in found.items()}
    assert (counts["key"], counts["ring"], counts["ribbon"], counts["ribbon_box"], counts["pull_ups"]) == (13, 6, 2, 5, 2)
    assert counts["pixel"] == 27 and ("fuse", "0.5 A") in found and counts["shift_register"] == counts["socket_16"] == 2
    assert not {"supply", "diode", "encoder", "reader", "bar", "fuse_holder", "card"} & set(counts)
    direct = {role: count for (role, _), count in quantities(plan_build("mini-direct", "track-a")).items()}
    assert (direct["key"], direct["ribbon"], direct["ribbon_box"], direct["pull_ups"]) == (12, 2, 4, 2)
    assert "shift_register" not in direct


@pytest.mark.parametrize(("board", "track"), [("full", "grand-prix-of-japan"), ("mini", "gp-ring")])
def test_every_component_is_on_the_list_once(board, track):
    build = plan_build(board, track)
    named = []
    for row in rows_of(build):
        refs = expand(row["reference"])
        named += refs
        assert not refs or len(refs) == int(row["quantity"]), row
        assert int(row["quantity"]) > 0 and row["part"] and row["part number"]
    circuit = circuit_of(build.board, build.led_map.pixels)
    assert sorted(named) == sorted(one.ref for one in circuit.components.values()
                                   if one.role and one.bom and one.role != "pixel")


def expand(text):
    """"R1–R3, R5; P1, P2: S1" as [R1, R2, R3, R5, P1.S1, P2.S1]."""
    if text == "-":
        return []
    refs = []
    for group in text.split("; "):
        owners, _, own = group.rpartition(": ")
        refs += [f"{owner}.{one}" if owner else one for owner in (run(owners) if owners else [""]) for one in run(own)]
    return refs


def run(text):
    found = []
    for part in text.split(", "):
        first, _, last = part.partition("–")
        letters = re.match(r"\D+", first)[0]
        numbers = range(int(first[len(letters):]), int(last[len(letters):]) + 1) if last else ()
        found += [f"{letters}{number}" for number in numbers] or [first]
    return found


@pytest.mark.parametrize("refs", [["R1"], ["R1", "R2"], ["R1", "R2", "R3", "R5"], ["S_OK", "S_BACK"],
                                  ["C2", "P1.C1", "P2.C1", "P3.C1"], ["P1.J1", "P1.J2", "P2.J1", "P2.J2"]])
def test_short_references(refs):
    assert expand(bom.short_refs(refs)) == refs
    assert bom.short_refs(["R1", "R2", "R3", "R5"]) == "R1–R3, R5"
    assert bom.short_refs(["C2", "P1.C1", "P2.C1", "P3.C1"]) == "C2; P1–P3: C1"


@pytest.mark.parametrize(("board", "track"), [("full", "gp-ring"), ("mini", "track-a")])
def test_numbers_that_nobody_has_confirmed_are_marked(board, track):
    rows = rows_of(plan_build(board, track))
    marked = {row["part number"] for row in rows if bom.NOT_CONFIRMED in row["note"]}
    numbers = {row["part number"] for row in rows} - {bom.ANY, "printed"}
    assert marked == numbers - CONFIRMED and marked <= NOT_CONFIRMED
    # The text below the table is for people.
    text = dict(bom.make(plan_build(board, track)))["bom.md"].decode("utf-8")
    assert "**not confirmed**: nobody has compared" in text


def test_longer_wires_are_on_the_list():
    rows = [row for row in bom.bom_rows(plan_build("mini", "tag-team")) if row.role == "extension"]
    assert [(row.quantity, row.value) for row in rows] == [(1, "180 mm, AWG 20")]
    assert "extension" not in [row.role for row in bom.bom_rows(plan_build("mini", "track-a"))]


def test_the_part_is_that_of_the_chip(tmp_path):
    text = (paths.boards_folder() / "mini.toml").read_text("utf-8").replace('chip = "rp2040"', 'chip = "rp2350"')
    path = tmp_path / "two.toml"
    path.write_text(text, "utf-8")
    for board, part in (("mini", "Raspberry Pi Pico H, with its headers"), (path, "Raspberry Pi Pico 2, with headers")):
        named = [row["part"] for row in rows_of(plan_build(board, "track-a")) if row["part"].startswith("Raspberry Pi Pico")]
        assert named == [part]
    path.write_text(re.sub(r"^pico_2 = .*", "", text, flags=re.MULTILINE), "utf-8")
    with pytest.raises(FileProblems) as caught:
        plan_build(path, "track-a")
    assert [one.key for one in caught.value.problems] == ["parts pico_2"]


def test_strands_that_cannot_be_cut_are_warned_of():
    for row in rows_of(plan_build("mini", "track-a")):
        if row["part"].startswith("Pixel"):
            assert "Adafruit 4917" in row["note"] and row["value"].startswith("100 mm of wire")


@pytest.mark.parametrize("track", [one.id for one in list_tracks()][::4])
def test_pixels_are_those_of_the_track(track):
    build = plan_build("full", track)
    assert next(row.quantity for row in bom.bom_rows(build) if row.role == "pixel") == build.led_map.pixels


def test_both_lists_say_the_same():
    build = plan_build("full", "gp-ring")
    files = dict(bom.make(build))
    lines = [line for line in files["bom.md"].decode("utf-8").splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    assert [cell[3] for cell in cells] == [row["quantity"] for row in rows_of(build)]
    assert [cell[1] for cell in cells] == [row["part"] for row in rows_of(build)]


def test_an_owners_part_is_on_the_list(tmp_path):
    text = (paths.boards_folder() / "mini.toml").read_text("utf-8")
    mine = 'buzzer = { part = "My | piezo", number = "AB-1", confirmed = true, note = "loud" }'
    text = re.sub(r"^buzzer = .*", mine, text, flags=re.MULTILINE)
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    build = plan_build(path, "track-a")
    row = next(row for row in rows_of(build) if row["part number"] == "AB-1")
    assert (row["part"], row["note"]) == ("My | piezo", "loud")
    assert "My \\| piezo" in dict(bom.make(build))["bom.md"].decode("utf-8")
