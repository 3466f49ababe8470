"""The raw REPL, against the real MicroPython behind a pseudo-terminal, with its faults and resets."""

import os
import pty
import threading
import time
import tty

import pytest
from fake_board import FakeBoard

from gridglow.device import repl as repl_module
from gridglow.device.connect import MICROPYTHON, boards
from gridglow.device.port import GONE, Port, PortError, TookTooLong
from gridglow.device.repl import BoardError, DiskFull, RaceRuns, Repl
from shared_rules.errors import GridglowError
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, encode

LOOP = b"import time\nprint('begins')\nwhile True:\n time.sleep(0.01)\n"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A board with nothing but MicroPython."""
    with FakeBoard(tmp_path_factory.mktemp("bare"), files={}) as board:
        yield board


@pytest.fixture
def repl(bare):
    """Its raw REPL, entered."""
    with Repl(bare.port) as one:
        one.enter()
        yield one


def sentence(error):
    text = str(error.value)
    assert "\n" not in text and "Traceback" not in text
    assert text.endswith(".")
    return text


def test_code_values_and_output(repl):
    assert repl.run("print(1+1)\nprint('ä')") == "2\nä\n"
    assert repl.value("[1, b'x', {'a': None}, -3]") == [1, b"x", {"a": None}, -3]
    came = []
    assert repl.run("for i in range(3):print(i)", on_output=came.append) == "0\n1\n2\n"
    assert "".join(came).replace("\r", "") == "0\n1\n2\n"


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 17, b"\x03\x04\x01\r\n" * 300, b"\xff" * 1024])
def test_files_of_any_bytes(repl, data):
    written = []
    repl.make_folder("a/b")
    repl.make_folder("a/b")
    repl.put("a/b/file", data, written.append)
    assert repl.get("a/b/file") == data
    assert repl.listing("a") == {"a/b/file": len(data)}
    assert repl.listing()["a/b/file"] == len(data)
    assert (written[-1] if written else 0) == len(data)
    for path in ("a/b/file", "a/b/file", "a/b", "a"):
        repl.remove(path)
    assert repl.listing("a") == {}


def test_space(repl):
    free, size = repl.space()
    assert size == 1_441_792
    assert 1_000_000 < free < size


@pytest.mark.parametrize("code, words, kind", [
    ("open('nowhere')", "There is no such file", BoardError),
    ("x=", "SyntaxError", BoardError),
    ("1/0", "couldn't do that: ZeroDivisionError: divide by zero.", BoardError),
    ("raise MemoryError('x')", "doesn't have enough memory", BoardError),
    ("raise OSError(28)", "is full", DiskFull),
    ("raise ValueError('incompatible .mpy file')", "incompatible .mpy file", BoardError),
])
def test_what_code_raises_is_a_sentence(repl, code, words, kind):
    with pytest.raises(kind) as error:
        repl.run(code)
    assert words in sentence(error)
    assert repl.run("print(5)") == "5\n"


def test_no_value_is_a_sentence(repl):
    with pytest.raises(GridglowError) as error:
        repl.value("repl", "class C:pass\nrepl=C()")
    assert "which isn't a value" in sentence(error)


def test_the_second_command_right_after_the_first(bare):
    for number in range(3):
        with Repl(bare.port) as one:
            one.enter()
            assert one.value(str(number)) == number


def test_a_raw_prompt_that_was_left_open(bare):
    port = Port(bare.port)
    Repl(port).enter()
    port.close()
    with Repl(bare.port) as one:
        one.enter()
        assert one.value("1") == 1


@pytest.mark.parametrize("half", [b"open('bad','w')\n", b"open('bad','w')\nx=\"\"\"", b"open('bad','w')\nx='" + b"y" * 600])
@pytest.mark.parametrize("whoever", ["boards", "repl"])
def test_a_paste_that_was_left_open(tmp_path, half, whoever):
    """The cable came out in the middle of a raw paste: the board takes whatever comes for code, and says nothing."""
    with FakeBoard(tmp_path, files={}) as board:
        with Repl(board.port) as one:
            one.enter()
            one.port.write(b"\x05A\x01")
            assert one.port.read(5)[:3] == b">R\x01"
            one.port.write(half)
            one.port.flush()
            one._transport.in_raw_repl = False     # nobody says goodbye
        if whoever == "boards":
            (found,) = boards([board.port])
            assert (found.state, found.version != "") == (MICROPYTHON, True), found
        with Repl(board.port) as one:
            one.enter()
            assert one.run("print(6*7)") == "42\n"
        assert board.starts == 1 and board.files() == {}


def test_code_without_an_end(repl):
    with pytest.raises(TookTooLong) as error:
        repl.run("while True:pass", limit_s=0.3)
    assert "has not finished its work within 0.3 s" in sentence(error)
    with pytest.raises(GridglowError) as error:
        repl.run("print(1)")
    assert "call enter() first" in sentence(error)
    repl.enter(interrupt_race=True)
    assert repl.value("1") == 1


def test_soft_reset_forgets_names_and_starts_nothing(tmp_path):
    with FakeBoard(tmp_path, files={"main.py": b"open('started','w').close()", "starts.txt": b"xx"}) as board:
        with Repl(board.port) as one:
            one.enter()
            one.remove("started")
            one.run("x=1")
            one.soft_reset()
            assert one.value("'x' in globals()") is False
            assert one.listing() == {"main.py": 27}  # nothing has started, so no start counts as failed
            one.hard_reset()
            one.enter()
            assert "started" in one.listing()


def until(what, limit_s=10):
    end = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < end, "it hasn't happened"
        time.sleep(0.01)


def test_hard_reset_comes_back_and_the_next_command_finds_it(bare):
    starts = bare.starts
    with Repl(bare.port) as one:
        one.enter()
        one.hard_reset()
    until(lambda: bare.starts == starts + 1)
    with Repl(bare.port) as one:
        one.enter()
        one.hard_reset(wait=False)
    with Repl(bare.port) as one:
        one.enter()
        assert one.value("1") == 1


def test_into_the_boot_loader(tmp_path):
    with FakeBoard(tmp_path, files={}) as board:
        gone = threading.Event()
        board.on_bootloader = lambda _: gone.set()
        one = Repl(board.port)
        one.enter()
        one.bootloader()
        assert gone.wait(20)
        assert board.in_bootloader


# Whether a race may be ended


def test_a_program_that_does_not_answer_is_interrupted_only_when_the_user_agrees(tmp_path):
    with FakeBoard(tmp_path, files={"main.py": LOOP}) as board:
        one = Repl(board.port)
        with pytest.raises(RaceRuns) as error:
            one.enter(limit_s=0.3)
        assert "so it may be running a race; give --yes" in sentence(error)
        starts = board.starts
        one.enter(interrupt_race=True)
        assert one.value("1") == 1
        assert board.starts <= starts + 1  # by the Ctrl-D that it hadn't read yet
        one.close()


@pytest.fixture
def link():
    """A board behind a pseudo-terminal that answers `info` with what the test puts there, and keeps what it receives."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    told = {"about": {}, "sent": b""}
    decoder = Decoder(TO_BOARD)

    def run():
        while True:
            try:
                data = os.read(master, 4096)
            except OSError:
                return
            told["sent"] += data
            for message in decoder.feed(data):
                if message["t"] == "info":
                    os.write(master, encode(FROM_BOARD, {"t": "info", "about": told["about"]}, 1).encode())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield os.ttyname(slave), told
    os.close(slave)
    thread.join(5)
    os.close(master)


def test_a_race_is_not_interrupted(link):
    path, told = link
    told["about"] = {"state": "race", "race": {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring"}}
    with Port(path) as port:
        with pytest.raises(RaceRuns) as error:
            Repl(port).enter()
    assert "A race is running on the board" in sentence(error)
    assert "moto_grand_prix basic on gp-ring" in sentence(error)
    assert b"\x03" not in told["sent"]
    assert b"\x01" not in told["sent"]


def test_a_board_in_its_menu_is_interrupted(link):
    path, told = link
    told["about"] = {"state": "menu", "race": None}
    with Port(path) as port:
        with pytest.raises(GridglowError) as error:
            Repl(port).enter(limit_s=0.5)
    assert not isinstance(error.value, RaceRuns)
    assert b"\x03" in told["sent"]
    assert "didn't reach MicroPython's prompt within 0.5 s; nothing came back" in sentence(error)


# Faults


@pytest.mark.parametrize("faults", [("slow",), ("garbage",)])
def test_slow_and_noisy_lines(tmp_path, faults):
    with FakeBoard(tmp_path, files={}, faults=faults) as board, Repl(board.port) as one:
        one.enter(interrupt_race=True, limit_s=30)
        if faults == ("slow",):
            assert one.value("2") == 2


@pytest.mark.parametrize("faults, came_back", [
    (("silent",), "nothing came back"),
    (("flood",), "the last reply was"),
])
def test_boards_that_do_not_come_to_the_prompt(tmp_path, faults, came_back):
    with FakeBoard(tmp_path, files={"main.py": LOOP}, faults=faults) as board:
        with Port(board.port) as port, pytest.raises(GridglowError) as error:
            if faults == ("flood",):
                board.faults = {"flood", "silent"}
            Repl(port).enter(interrupt_race=True, limit_s=0.5)
    assert f"within 0.5 s; {came_back}" in sentence(error)


def test_unplugged_in_the_middle_of_a_file(tmp_path):
    with FakeBoard(tmp_path, files={}) as board, Repl(board.port) as one:
        one.enter()
        board.unplug_at = board.came + 3000
        with pytest.raises(PortError) as error:
            one.put("file", bytes(20_000))
    assert error.value.state == GONE
    assert "disappeared while in use" in sentence(error)


def test_a_full_flash(tmp_path):
    with FakeBoard(tmp_path, files={}, blocks=20) as board, Repl(board.port) as one:
        one.enter()
        with pytest.raises(DiskFull) as error:
            one.put("file", os.urandom(100_000))
        assert "is full" in sentence(error)
        one.remove("file")
        one.put("file", b"small")
        assert one.get("file") == b"small"


def test_a_file_that_comes_broken(repl, monkeypatch):
    repl.put("file", b"hello")
    monkeypatch.setattr(repl_module, "_GET", repl_module._GET.replace("print(c&", "print(1+c&"))
    with pytest.raises(GridglowError) as error:
        repl.get("file")
    assert "file arrived damaged from the board" in sentence(error)
