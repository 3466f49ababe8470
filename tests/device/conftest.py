"""Boards at a port, for several tests of commands."""

import pytest


@pytest.fixture
def line(tmp_path, monkeypatch):
    """A board that races quickly when told to."""
    from board_on_a_line import BoardOnALine

    from gridglow.virtual.serial import SerialEngine

    monkeypatch.setattr(SerialEngine, "revive_s", 0.05)
    with BoardOnALine(tmp_path, "--quick") as board:
        yield board


@pytest.fixture
def found(line, monkeypatch):
    """The board on the line, as the commands find it."""
    from board_on_a_line import about

    from gridglow.cli import logs, watch
    from gridglow.device.connect import GRIDGLOW, Found
    from gridglow.device.ports import PortInfo

    one = Found(PortInfo(line.port), GRIDGLOW, about(counts={"dropped": 3}, faults=["The reader is away."]))
    for module in (watch, logs):
        monkeypatch.setattr(module, "chosen", lambda board, port: one)
    return one


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A board with everything of Gridglow on it."""
    from fake_board import racing_board

    with racing_board(tmp_path_factory.mktemp("whole"), "mini") as board:
        yield board
