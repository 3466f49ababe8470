"""Every ribbon in every box that its plug fits, also turned round: nothing gets more than it can take. With
-s the pairs are printed."""

import dataclasses
import re

import pytest

from gridglow.boards import pinouts
from gridglow.boards.boardfile import list_boards, load_board
from gridglow.hardware import plugs
from gridglow.hardware.nets import circuit_of


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


@pytest.fixture
def boards():
    return [load_board(name) for name in list_boards()]


def test_no_pair_of_plugs_harms_anything(boards):
    pairs = list(plugs.pairings(boards))
    found = {pair.name: plugs.faults(pair) for pair in pairs}
    print(f"\n{len(pairs)} ways to plug a ribbon in, of {', '.join(board.id for board in boards)}:")
    for name, faults in found.items():
        print(f"  {name}: {'; '.join(faults) or 'bears it'}")
    assert not {name: faults for name, faults in found.items() if faults}
    assert len(found) == len(pairs) >= 250
    joined = {(pair.one.side, pair.other.side) for pair in pairs}
    assert joined == {(plugs.CONSOLE, plugs.PANEL), (plugs.PANEL, plugs.PANEL)}
    assert sum(pair.turned for pair in pairs) == len(pairs) // 2


def test_each_box_of_each_board_is_in_it(boards):
    for board in boards:
        circuit = circuit_of(board, 1)
        last = f"P{board.panels}."
        boxes = {one.ref for one in circuit.components.values()
                 if one.role == "ribbon_box" and ("." not in one.ref or one.ref.startswith(("P1.", last)))}
        assert {box.ref for box in plugs.boxes_of(board)} == boxes and len(boxes) >= 4


def test_the_first_pin_out_burns_what_its_review_found(boards):
    """The rule works: with the old plugs, 5 V reached the other console's ground and GPIO 21."""
    full, _, direct = [dataclasses.replace(board, pinout=1) for board in boards]
    found = {pair.name: plugs.faults(pair) for pair in plugs.pairings([full, direct])}
    assert sum(bool(faults) for faults in found.values()) > 80
    assert any("ground" in say for say in found["mini-direct J3 to full P1.J1"])
    assert not found["full J3 to full P1.J1"] and not found["mini-direct J3 to mini-direct P1.J1"], "as intended"
    assert found["full J3 to full P1.J1, reversed"]


@pytest.mark.parametrize("swap", [(0, 1), (1, 2), (2, 4), (3, 7), (6, 7), (7, 9)])
def test_other_orders_of_the_wires_would_harm_something(boards, monkeypatch, swap):
    """Two wires of the bus exchanged."""
    labels = list(pinouts._BUS[2])
    one, other = swap
    labels[one], labels[other] = labels[other], labels[one]
    monkeypatch.setitem(pinouts._BUS, 2, tuple(labels))
    assert any(plugs.faults(pair) for pair in plugs.pairings(boards)), labels


@pytest.mark.parametrize(("part", "ohms"), [("BUS_OHMS", {1: "100 Ω", 2: "100 Ω"}), ("KEYS_OHMS", "100 Ω"),
                                            ("LED_OUT_OHMS", "330 Ω")])
def test_smaller_resistors_would_not_do(boards, monkeypatch, part, ohms):
    from gridglow.hardware import panelnets

    monkeypatch.setattr(panelnets, part, ohms)
    assert any(plugs.faults(pair) for pair in plugs.pairings(boards))


def test_ground_lies_beside_the_data_of_the_leds():
    keys = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")
    for box in (pinouts.bus_box(2), pinouts.keys_box(2, keys)):
        labels = [label for _, label in box]
        for at, label in enumerate(labels):
            if label.startswith("LED"):
                assert labels[at - 1] == labels[at + 1] == "GND"
    assert len(pinouts.keys_box(2, keys)) == 14 and len(pinouts.bus_box(2)) == 10


def test_track_modules_plug_into_each_console_the_same_way(boards):
    """These plugs can't be turned round: their housing differs above and below."""
    plugged = {tuple(circuit_of(board, 1).components[ref].pins) for board in boards for ref in ("J2", "T.J1")}
    assert len(plugged) == 1
    for board in boards:
        assert re.search("Pluggable terminal", board.parts["track_plug"].part)
