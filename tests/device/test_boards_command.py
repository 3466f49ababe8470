"""`gridglow boards`, and how a command finds the right board."""

import json
import os
import pty
import threading
import tty
from types import SimpleNamespace

import pytest
import serial
from click.testing import CliRunner
from fake_board import FakeBoard
from small_board import small_program

from gridglow.cli.boards import boards as command
from gridglow.cli.main import main
from gridglow.device import connect, ports
from gridglow.device.backup import write_file
from gridglow.device.connect import Found, boards, one
from gridglow.device.port import Port
from gridglow.device.ports import PortInfo
from shared_rules.errors import GridglowError
from shared_rules.link_table import FROM_BOARD, PROTOCOL, TO_BOARD, Decoder, encode

LOOP = b"import time\nwhile True:\n time.sleep(0.01)\n"
ABOUT = {
    "id": "e661", "name": "Kitchen", "board": "full", "fw": "1", "state": "idle", "impl": "micropython",
    "version": [1, 26, 1], "mpy": 2822, "machine": "Raspberry Pi Pico with RP2040", "heap_free": 100_000,
    "frozen": "0123456789ab", "rules": 1, "fs": "ok", "changed": [], "left_out": [],
    "flash_free": 900_000, "parts": [["pixels", "ok", ""], ["reader", "off", ""]], "faults": [], "crash": 0, "race": None,
    "saved": 0, "panels": 6, "lang": "en", "safe": 0,
}
RACE = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 12}


class LinkBoard:
    """A board behind a pseudo-terminal that answers the link as `answer(message)` says, and keeps what it receives."""

    def __init__(self, answer):
        self.answer = answer
        self.sent = b""

    def __enter__(self):
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def run(self):
        decoder = Decoder(TO_BOARD)
        while True:
            try:
                data = os.read(self.master, 4096)
            except OSError:
                return
            self.sent += data
            for message in decoder.feed(data):
                for number, answer in enumerate(self.answer(message)):
                    os.write(self.master, encode(FROM_BOARD, answer, number).encode())

    def __exit__(self, *_):
        os.close(self.slave)
        self.thread.join(5)
        os.close(self.master)


def gridglow(**more):
    """A board that runs Gridglow and reports this about itself."""
    about = {**ABOUT, **more}
    return LinkBoard(lambda message: [{"t": "info", "about": about}] if message["t"] == "info" else [])


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Shorter limits: boards that answer do so at once."""
    monkeypatch.setattr(connect, "LINK_S", 1.0)
    monkeypatch.setattr(connect, "HELLO_S", 1.0)
    monkeypatch.setattr(connect, "PROMPT_S", 0.5)
    monkeypatch.setattr(Port, "open_s", 0.2)


@pytest.fixture
def system(monkeypatch):
    """The serial ports of a system, as pyserial lists them: system(path, vid, pid, serial)."""
    there = []
    monkeypatch.setattr(ports, "_system_ports", lambda: there)

    def plug(path, vid=0x2E8A, pid=5, serial_number=None):
        there.append(SimpleNamespace(device=path, vid=vid, pid=pid, serial_number=serial_number, description=None, hwid=None,
                                     manufacturer=None, product=None))

    return plug


def call(*words):
    return CliRunner().invoke(main, ["boards", *map(str, words)], prog_name="gridglow")


def sentence(text):
    assert "\n" not in text and "Traceback" not in text and "Errno" not in text
    assert text.endswith((".", "flash", "sync"))
    return text


def test_it_is_a_command():
    assert main.get_command(None, "boards") is command


def test_no_board_says_what_to_check(system):
    result = call()
    assert result.exit_code == 1
    assert result.stdout == ""
    said = sentence(result.stderr.strip())
    for word in ("No board found", "cable", "RPI-RP2", "gridglow flash"):
        assert word in said
    assert json.loads(call("--json").stdout)["boards"] == []


def test_a_port_that_is_none_is_a_fault(system, tmp_path):
    for port, said in ((tmp_path / "none", "There is no port"), ("/dev/null", "isn't a serial port")):
        result = call("--port", port)
        assert result.exit_code == 1 and "gone" in result.stdout
        assert said in sentence(result.stderr.strip()) and result.stderr.startswith("gridglow: ")
        result = call("--port", port, "--json")
        told = json.loads(result.stdout)
        assert result.exit_code == 1 and len(told["boards"]) == 1 and said in told["error"]
        assert result.stderr.strip() == f"gridglow: {told['error']}"


def test_a_port_that_says_nothing_is_a_fault(system, monkeypatch):
    monkeypatch.setattr(connect, "LINK_S", 0.2)
    monkeypatch.setattr(connect, "PROMPT_S", 0.2)
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    try:
        result = call("--port", os.ttyname(theirs))
        assert result.exit_code == 1 and "silent" in result.stdout
        assert "said nothing" in sentence(result.stderr.strip())
        with gridglow() as board:                             # one board that answers is enough
            system(os.ttyname(theirs))
            system(board.port)
            result = call()
            assert result.exit_code == 0 and "Kitchen" in result.stdout and "said nothing" in result.stderr
    finally:
        os.close(ours)
        os.close(theirs)


def test_ports_that_are_not_asked_are_told_on_demand(system):
    system("/dev/ttyS9", None, None)
    system("/dev/ttyUSB9", 0x1A86, 0x7523)
    assert "/dev/ttyS9, /dev/ttyUSB9" in call().stderr
    result = call("--all")
    assert "has no USB ids" in result.stderr
    assert "is another device (1a86:7523)" in result.stderr


def test_a_board_with_its_race(system):
    with gridglow(state="race", race=RACE) as board:
        system(board.port, serial_number="E66")
        result = call()
        assert result.exit_code == 0
        head, row = result.stdout.splitlines()
        assert head.split() == ["NAME", "SERIAL", "PORT", "RUNS", "CHIP", "STATE"]
        assert row.split("  ")[0] == "Kitchen"
        assert "race of moto_grand_prix basic on gp-ring" in row
        for word in ("E66", board.port, "Gridglow 1, MicroPython 1.26.1", "rp2040"):
            assert word in row
        assert result.stderr == ""
        # It was asked over the link only: with no character that a prompt or an interrupt needs.
        assert not set(board.sent) & {1, 2, 3, 4}


def test_json(system):
    with gridglow(state="race", race=RACE) as board:
        system(board.port, serial_number="E66")
        (told,) = json.loads(call("--json").stdout)["boards"]
    assert told["name"] == "Kitchen" and told["serial"] == "E66" and told["state"] == "gridglow"
    assert told["race"] == RACE and told["micropython"] == "1.26.1" and told["chip"] == "rp2040"
    assert told["problems"] == []


@pytest.mark.parametrize("more, words", [
    ({"parts": [["display", "missing", "no answer at 60"]]}, "Its part display is missing (no answer at 60)"),
    ({"parts": [["panels", "fault", "panel 2"]]}, "Its part panels has a fault (panel 2)"),
    ({"faults": ["The flash is nearly full."]}, "The flash is nearly full."),
    ({"crash": 1}, "Its crash box holds a fault"),
    ({"safe": 1}, "It is in safe mode"),
    ({"frozen": ""}, "Its Gridglow is installed as files on a stock MicroPython, which is no longer supported"),
    ({"fs": "foreign"}, "its memory doesn't hold a Gridglow file system; back it up with \"gridglow backup --raw"),
    ({"fs": "none"}, "its flash can't be written"),
    ({"left_out": [["glow.board.idle", "SyntaxError: x"]]}, "Its module glow.board.idle was left out (SyntaxError: x)"),
    ({"impl": "circuitpython"}, "runs circuitpython, but no Gridglow"),
])
def test_what_is_wrong_with_it(system, more, words):
    with gridglow(**more) as board:
        system(board.port)
        result = call()
        assert result.exit_code == 0
        (said,) = result.stderr.splitlines()
        assert said.startswith("Kitchen: ") and words in sentence(said)


def test_modules_of_one_s_own_are_told_and_are_no_fault(system):
    with gridglow(changed=["glow.board.idle", "shared_rules.race"]) as board:
        system(board.port)
        result = call()
        assert result.stderr == "Kitchen: Changed here: glow.board.idle, shared_rules.race.\n"
        (told,) = json.loads(call("--json").stdout)["boards"]
    assert told["problems"] == [] and told["changed"] == ["glow.board.idle", "shared_rules.race"]
    assert (told["program"], told["fs"], told["left_out"]) == ("0123456789ab", "ok", [])


def test_a_flash_that_was_interrupted_is_told(system, tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    (tmp_path / "backups").mkdir()
    for name, number in (("Kitchen-1.flash.zip", "E661"), ("Cellar-1.flash.zip", "E662"), ("Kitchen-0.zip", "E661")):
        write_file(tmp_path / "backups" / name, {"save/settings": b"x"}, {"serial": number})
    with gridglow() as board:
        system(board.port, serial_number="E661")
        said = (f"Flashing it was interrupted, and its saves are kept in {tmp_path / 'backups' / 'Kitchen-1.flash.zip'}; "
                "to continue: gridglow flash")
        assert call().stderr == f"Kitchen: {said}\n"


def test_an_older_gridglow_that_does_not_know_the_question(system):
    def answer(message):
        if message["t"] == "hi":
            return [{"t": "hello", "v": PROTOCOL + 1, "fw": "0.9", "board": "Old", "outputs": [], "panels": 2,
                     "display": [21, 6], "impl": "micropython"}]
        return [{"t": "stat", "heap_free": 1, "frames": 1, "dropped": 0, "tick_us": 1}]

    with LinkBoard(answer) as board:
        system(board.port)
        (found,) = boards()
    assert (found.state, found.name) == (connect.GRIDGLOW, "Old")
    assert f"uses version {PROTOCOL + 1} of the link, not {PROTOCOL}" in sentence(found.problems()[0])


# Boards without Gridglow


def test_micropython_at_its_prompt(tmp_path):
    with FakeBoard(tmp_path, files={}) as board:
        (found,) = boards([board.port])
        assert found.state == connect.MICROPYTHON
        assert found.version and bytes.fromhex(found.about["id"])
        assert "install it with: gridglow flash" in sentence(found.problems()[0])
        (again,) = boards([board.port])  # the second call right after the first
        assert again.about == found.about
        assert board.starts == 1


def test_another_mpy_version(tmp_path):
    with FakeBoard(tmp_path, files={}, mpy=0x0205) as board:
        (found,) = boards([board.port])
    assert "install it with: gridglow flash" in sentence(found.problems()[0])


def test_safe_mode(tmp_path):
    files = {"boot.py": b"SAFE_MODE = True", "main.py": b"print('safe')", "glow/app.py": b"",
             "board.json": b'{"id": "mini", "name": "The mini board"}', "save/crash": b"x",
             "save/settings": b'[["language","de"],["name","Kitchen"]] *00000000\n'}
    with FakeBoard(tmp_path, files=files) as board:
        (found,) = boards([board.port])
        assert (found.state, found.name, found.doing) == (connect.SAFE, "Kitchen", "safe mode")
        assert "It is in safe mode" in sentence(found.problems()[0])
        assert "crash box" in sentence(found.problems()[1])
        assert one("kitchen", [board.port]) == found


def test_a_gridglow_that_was_stopped(tmp_path):
    for files in ({"main.py": b"print('x')", "glow/app.py": b""}, {"main.py": b"print('x')", "glow.code": b""}):
        with FakeBoard(tmp_path / str(len(files["main.py"]) + len(files)) / next(reversed(files)), files=files) as board:
            (found,) = boards([board.port])
        assert "It has Gridglow, but somebody has stopped it; reset it" in sentence(found.problems()[0])


def test_a_program_of_ours_that_was_stopped(tmp_path):
    with FakeBoard(tmp_path / "board", {}, program=small_program(tmp_path / "program")) as board:
        boards([board.port])[0].repl(end_race=True).close()
        (found,) = boards([board.port])
        assert (found.state, found.about["board"], found.about["fw"]) == (connect.MICROPYTHON, "mini", "1")
        assert "It has Gridglow, but somebody has stopped it" in sentence(found.problems()[0]) and len(found.problems()) == 1


@pytest.mark.parametrize("files, faults, state, words", [
    ({"main.py": LOOP}, (), connect.SILENT, "said nothing within 1 s"),
    ({}, ("silent",), connect.SILENT, "said nothing within 1 s"),
    ({"main.py": LOOP}, ("flood",), connect.STRANGE, "sends no Gridglow messages"),
])
def test_boards_that_do_not_answer(tmp_path, files, faults, state, words):
    with FakeBoard(tmp_path, files=files, faults=faults) as board:
        (found,) = boards([board.port])
        assert found.state == state
        assert words in sentence(found.problems()[0])
        assert board.starts == 1 and board.alive  # its program is still running
        with pytest.raises(GridglowError) as error:
            one(None, [board.port])
        assert words in sentence(str(error.value))
        with pytest.raises(GridglowError):
            found.talk()


@pytest.mark.parametrize("faults", [("slow",), ("garbage",)])
def test_slow_and_noisy_boards_are_found(tmp_path, faults):
    with FakeBoard(tmp_path, files={}, faults=faults) as board:
        (found,) = boards([board.port])
    assert found.state in (connect.MICROPYTHON, connect.STRANGE)
    assert faults == ("garbage",) or found.state == connect.MICROPYTHON


def test_a_board_that_is_unplugged_while_it_is_asked(tmp_path):
    with FakeBoard(tmp_path, files={}, unplug_at=20) as board:
        (found,) = boards([board.port])
    assert found.state == connect.GONE
    assert "disappeared while in use" in sentence(found.problems()[0])


def test_a_busy_port(system):
    with gridglow() as board:
        system(board.port)
        holder = serial.Serial(board.port, exclusive=True)
        (found,) = boards()
        holder.close()
        assert found.state == connect.BUSY
        assert "is busy" in sentence(found.problems()[0])
        (found,) = boards()
        assert found.state == connect.GRIDGLOW


def test_no_permission(system, monkeypatch):
    def refuse(*_, **__):
        raise serial.SerialException(13, "could not open port")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    system("/dev/null")
    (found,) = boards()
    assert found.state == connect.FORBIDDEN
    assert "You may not open /dev/null" in sentence(found.problems()[0])


# Which one


def test_two_boards_are_listed_and_not_guessed(system):
    with gridglow() as first, gridglow(name="Cellar", id="e662") as second:
        system(first.port, serial_number="E661")
        system(second.port, serial_number="E662")
        with pytest.raises(GridglowError) as error:
            one()
        said = sentence(str(error.value))
        assert "There are 2 boards" in said and "choose one with --board NAME" in said
        for word in ("'Kitchen'", "'Cellar'", first.port, "serial number E662"):
            assert word in said
        assert one("cellar").port.path == second.port
        assert one("E661").port.path == first.port
        assert one("e662").port.path == second.port
        assert one(None, [first.port]).name == "Kitchen"
        with pytest.raises(GridglowError) as error:
            one("Attic")
        assert "There is no board 'Attic'; connected:" in sentence(str(error.value))
        assert "Cellar" in call("--board", "cellar").stdout
        assert call("--board", "attic").exit_code == 1


def test_two_boards_of_one_name(system):
    with gridglow() as first, gridglow() as second:
        system(first.port, serial_number="E661")
        system(second.port, serial_number="E662")
        with pytest.raises(GridglowError) as error:
            one("Kitchen")
        assert "2 boards are called 'Kitchen'" in sentence(str(error.value))


def test_one_that_answers_beside_one_that_does_not(system, tmp_path):
    with gridglow() as board:
        system("/dev/ttyACM77")
        system(board.port)
        assert one().port.path == board.port


def test_the_words_of_a_board():
    found = Found(PortInfo("/dev/ttyACM0", "E66"), connect.GRIDGLOW, {**ABOUT, "state": "podium", "race": RACE})
    assert not found.race_runs
    assert found.doing == "podium of moto_grand_prix basic on gp-ring"
    assert Found(found.port, connect.GRIDGLOW, {**ABOUT, "state": "race", "race": RACE}).race_runs
    assert Found(found.port, connect.GRIDGLOW, ABOUT).doing == "idle"
    assert found.title == "Kitchen at /dev/ttyACM0"
    assert Found(found.port, connect.SILENT).title == "the board at /dev/ttyACM0 (serial number E66)"
    pico2 = Found(found.port, connect.GRIDGLOW, {"machine": "Raspberry Pi Pico2 with RP2350"})
    assert pico2.chip == "rp2350"
