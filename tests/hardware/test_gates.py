"""The assembly gates T0, T1 and T2: what a correct board reads, and that each likely fault reads differently.
With -s the tables are printed."""

import re
from pathlib import Path

import pytest

from gridglow.boards.boardfile import load_board
from gridglow.hardware import gates
from gridglow.hardware.dc import GROUND, Diode, Resistor, Source, Switch, solve

PAGE = Path(__file__).resolve().parents[2] / "hardware" / "docs" / "gates.md"
#: What no meter shows at these gates, and so must be inspected: the page says so for each.
EYE = {
    "full": {"F1 bridged", "C1 missing", "R6 bridged", "R7 missing", "A1 with 3V3 on pin 35 (ADC_VREF)"},
    "mini": {"F1 bridged", "C1 missing", "A1 with 3V3 on pin 35 (ADC_VREF)"},
}


@pytest.fixture(scope="module", params=["full", "mini"])
def reckoned(request):
    board = load_board(request.param)
    return board, gates.rows_of(board)


def test_a_right_board_passes_and_each_wrong_one_is_told(reckoned):
    board, rows = reckoned
    print(f"\n{gates.table(board, rows)}")
    assert rows[0].fault == gates.RIGHT and rows[0].told == [], "a gate fails a right board"
    assert {row.fault.name for row in rows[1:] if not row.told} == EYE[board.id]
    assert len(rows) > {"full": 50, "mini": 10}[board.id]


def test_the_page_has_these_tables(reckoned):
    board, rows = reckoned
    text = PAGE.read_text("utf-8")
    part = text.split(f"<!-- {board.id}: made by tools/generate_hardware.py -->\n")[1].split("<!-- ")[0].strip()
    assert part == gates.table(board, rows).strip()
    looked = re.findall(r"\*\*([^*]+)\*\*", text)
    assert EYE[board.id] <= set(looked)


@pytest.mark.parametrize(("ends", "load", "low", "high"), [
    (("R", "V"), 1e3, 4.77, 4.86), (("V", "R"), 1e3, 0.0, 1.0), (("R", "V"), 1e7, 4.98, 5.0), (("V", "R"), 1e7, 4.9, 5.0)])
def test_a_meter_alone_takes_a_diode_that_is_turned_round_for_a_right_one(ends, load, low, high):
    """Without a load a correct Schottky diode drops nearly nothing, and a reversed one shows the whole
    supply; 1 kΩ tells."""
    for amps, leak in gates.SCHOTTKY:
        volts = solve([Source("R", GROUND, 5.0), Diode(*ends, amps, leak), Resistor("V", GROUND, load)])["V"]
        assert low <= round(volts, 3) <= high


def test_currents_add_up_and_switches_settle():
    volts = solve([Source("A", GROUND, 6.0, 1e-6), Resistor("A", "B", 1000), Resistor("B", GROUND, 2000)])
    assert abs(volts["B"] - 4.0) < 1e-6 and volts[GROUND] == 0.0
    on = Switch("A", "C", 1.0, lambda v: v("B") > 3)
    assert solve([Source("A", GROUND, 6.0), Resistor("A", "B", 1000), Resistor("B", GROUND, 2000),
                  Resistor("C", GROUND, 100), on])["C"] > 5.9
    # A circuit that would switch on and off for ever settles in balance at its switching point.
    half = solve([Source("A", GROUND, 6.0, 100), Resistor("A", GROUND, 1000),
                  Switch("A", GROUND, 1.0, lambda v: v("A") > 3)])
    assert abs(half["A"] - 3.0) < 0.1
