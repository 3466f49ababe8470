"""`gridglow logs`: a board's messages, its crash box, its journal."""

import json
import os
import pty
import threading
import tty

import pytest
from board_on_a_line import RACE, about
from commands import call_alone
from fake_board import FakeBoard
from page_talk import SETUP

from gridglow.cli import logs
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.ports import PortInfo
from gridglow.device.talk import Talk
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, encode


def start_race(line):
    with Talk(line.port) as link:
        link.ask({"t": "start", "setup": SETUP})
        link.ask({"t": "hi", "v": 1}, "prompts")


def test_logs_tell_the_race_and_what_is_wrong(line, found):
    start_race(line)
    result = call_alone(logs.logs)
    assert result.exit_code == 0
    assert "race of ring_game" in result.stdout
    assert "The reader is away." in result.stderr
    told = json.loads(call_alone(logs.logs, "--json").stdout)
    assert told["counts"] == {"dropped": 3} and told["faults"] == ["The reader is away."]
    assert any("race of ring_game" in one for one in told["lines"])
    assert "stop" not in line.kinds


def test_a_start_is_told_once():
    """The board sends the head of its race again for each start light, and in the whole picture."""
    race = {"t": "race", "state": "start", "game": "g", "variant": "v", "track": "t", "lap": 0, "laps": 2}
    roll = {"t": "line", "i": 1, "seat": 1, "text": "go", "say": "Ann goes.", "clause": ""}
    log = logs.Log()
    told = log.lines([*({**race, "lights": lights} for lights in range(6)), roll, roll, race, {"t": "stat"}])
    assert told == ["      start of g v on t, lap 0 of 2", "   1  seat 1  go  Ann goes."]
    assert log.lines([race]) == [] and log.lines([{**race, "state": "race"}]) == ["      race of g v on t, lap 0 of 2"]


def test_logs_write_the_journal(line, found, tmp_path):
    start_race(line)
    file = tmp_path / "race.txt"
    result = call_alone(logs.logs, "--journal", file)
    assert result.exit_code == 0, result.output
    assert file.read_text().strip()
    again = call_alone(logs.logs, "--journal", file)
    assert "never overwrites" in str(again.exception)


def test_logs_follow_over_an_unplugged_cable(line, found, monkeypatch):
    link = Talk(line.port)
    said = []

    def echo(text):
        said.append(text)
        if "is back" in text:
            raise KeyboardInterrupt

    monkeypatch.setattr(logs.click, "echo", echo)
    monkeypatch.setattr(logs, "say", echo)
    threading.Timer(0.2, line.unplug).start()
    threading.Timer(0.6, line.plug).start()
    with pytest.raises(KeyboardInterrupt):
        logs._follow(found, link, logs.Log())
    assert "disappeared while in use" in said[0]
    assert said[-1].endswith("is back.")


@pytest.mark.parametrize("answer, told", [
    ({"t": "file", "name": "crash", "k": 0, "of": 1, "d": "VHJhY2ViYWNr"}, "Traceback"),
    ({"t": "no", "re": 1, "say": "The crash box is empty.", "clause": ""}, None),
])
def test_the_crash_box(monkeypatch, answer, told):
    master, slave = pty.openpty()
    tty.setraw(slave)
    one = Found(PortInfo(os.ttyname(slave)), GRIDGLOW, about())
    monkeypatch.setattr(logs, "chosen", lambda board, port: one)

    def board():
        decoder = Decoder(TO_BOARD)
        while True:
            for message in decoder.feed(os.read(master, 4096)):
                assert message["t"] == "crash"
                of_it = {"re": message["n"]} if "re" in answer else {}
                os.write(master, encode(FROM_BOARD, {**answer, **of_it}, 1).encode())
                return

    thread = threading.Thread(target=board, daemon=True)
    thread.start()
    assert json.loads(call_alone(logs.logs, "--crash", "--json").stdout)["crash"] == told
    thread.join(5)
    os.close(slave)
    os.close(master)


def test_follow_is_no_json(found):
    assert call_alone(logs.logs, "--follow", "--json").exit_code == 2


def test_the_crash_box_of_a_board_that_does_not_run(tmp_path):
    files = {"boot.py": b"SAFE_MODE = True", "save/crash": b"The board stopped: ZeroDivisionError\n"}
    with FakeBoard(tmp_path, files=files) as board:
        told = json.loads(call_alone(logs.logs, "--crash", "--json", "--port", board.port).stdout)
        assert told["crash"] == "The board stopped: ZeroDivisionError\n"
    with FakeBoard(tmp_path / "other", files={}) as board:
        result = call_alone(logs.logs, "--crash", "--port", board.port)
        assert (result.exit_code, result.stdout) == (0, "")
        assert "is empty." in result.stderr


def test_logs_of_a_real_firmware(whole):
    words = ["--port", whole.port, "--json"]
    with Talk(whole.port) as link:
        link.ask({"t": "start", "setup": RACE}, limit_s=30)
    told = json.loads(call_alone(logs.logs, *words).stdout)
    assert any("moto_grand_prix basic on gp-ring" in line for line in told["lines"])
    crash = json.loads(call_alone(logs.logs, "--crash", *words).stdout)["crash"]
    assert "micropython" in crash
