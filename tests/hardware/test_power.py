"""power.md: what a board's screens draw, found by its firmware; and the wires and fuses that follow from it."""

import dataclasses

import pytest

from gridglow.boards.building import WIRE_MA
from gridglow.hardware import power
from gridglow.hardware.build import plan_build
from shared_rules.errors import GridglowError


@pytest.fixture(scope="module", params=[("full", "gp-ring"), ("mini", "track-a")], ids=["full", "mini"])
def measured(request):
    build = plan_build(*request.param)
    return build, power.measure(build)


def test_every_screen_is_measured_and_none_draws_more_than_the_limit(measured):
    build, screens = measured
    supply = build.board.supply
    assert [screen.name for screen in screens] == list(power.SCREENS)
    for screen in screens:
        resting = supply.base_ma + build.board.pixels * supply.dark_ma
        assert resting < screen.total_ma <= supply.limit_ma
        assert all(shown <= asked + 1 for shown, asked in zip(screen.shown, screen.asked))
        assert 0 < screen.asked_at_once <= sum(screen.asked)


def test_all_white_asks_for_what_the_model_says_and_is_dimmed(measured):
    build, screens = measured
    board, white = build.board, screens[-1]
    each = board.supply.red_ma + board.supply.green_ma + board.supply.blue_ma
    counts = [output.pixels_max for output in board.outputs if output.pixels_max]
    for count, asked in zip(counts, white.asked):
        assert abs(asked - count * each * board.brightness_max / 255) < 3
    assert white.total_ma > 0.85 * board.supply.limit_ma < white.asked_at_once
    assert max(screen.asked_at_once for screen in screens[:-1]) < white.asked_at_once


def test_the_page_of_both_boards(measured, monkeypatch):
    build, screens = measured
    monkeypatch.setattr(power, "measure", lambda build: screens)
    [(path, content)] = power.make(build)
    text = content.decode("utf-8")
    assert path == "power.md" and f"**{build.board.supply.limit_ma:,} mA**" in text
    for name, words in power.SCREENS.items():
        assert f"| {words} |" in text, name
    assert ("VBUS" in text) and (("in pulses" in text) and text.endswith("\n"))
    rows = [line for line in text.splitlines() if line.count("|") == 6 and "mA |" in line and "AWG" in line]
    assert len(rows) == 3
    for row in rows:
        draws, fuse, bears = (int(cell.replace(",", "").replace("mA", "")) for cell in
                              (row.split("|")[at] for at in (2, 3, 5)))
        assert draws <= fuse <= bears


def test_the_fullest_variant_that_a_track_is_for_is_measured():
    """The Expert game has the most on its dials, and only it is played on a professional circuit."""
    screens = power.measure(plan_build("full", "grand-prix-of-japan"))
    race = next(screen for screen in screens if screen.name == "race")
    assert race.asked[1] > 500, "all six seats' tire and engine points must be lit"
    text = power.make(plan_build("mini", "tag-team"))[0][1].decode("utf-8")
    assert "(fast_and_furious, tag-team, 4 seats)" in text


def test_wires_are_those_of_the_board_file():
    build = plan_build("full", "gp-ring")
    board = dataclasses.replace(build.board, wires=dataclasses.replace(build.board.wires, power_awg=16))
    rows = power._wires(board, False)
    assert rows[0][3:] == ("AWG 16", WIRE_MA[16])
    assert [row[1] for row in rows] == [3200, 2400, 1000]


def test_firmware_that_breaks_off_is_told(monkeypatch):
    monkeypatch.setattr(power, "METER", "raise SystemError('the lamp is out')")
    with pytest.raises(GridglowError, match="the lamp is out"):
        power.measure(plan_build("mini", "track-a"))
