"""Starting and ending a Pico: every way into safe mode, Ctrl-C to a dark board and a prompt, the watchdog."""

import shutil
import subprocess
import sys
import textwrap
import time

import pytest

pytest.importorskip("termios", reason="only Linux and macOS have pseudo-terminals")
if not sys.platform.startswith("linux"):
    pytest.skip("the fake board reads /proc, which only Linux has", allow_module_level=True)

import serial
from fake_board import FakeBoard, gridglow_files
from pico_bench import FIRMWARE, LIB

PROMPT = b"\r\n>>> "
LIMIT_S = 20


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    from gridglow.tracks import load_track

    track = load_track("fabulous-driving-park")
    return gridglow_files(tmp_path_factory.mktemp("image"), tracks=[track], games=["moto_grand_prix"], languages=["en"])


def read_until(port, words, limit_s=LIMIT_S):
    end = time.monotonic() + limit_s
    out = b""
    while words not in out:
        assert time.monotonic() < end, out[-500:]
        out += port.read(4096)
    return out


def ask(port, code, *values):
    """The values, read at the prompt after a line of code."""
    port.reset_input_buffer()
    port.write(f"{code}print({', '.join(values)}, end='=0' + '=')\r".encode())
    return read_until(port, b"=0=").split(b"=0=")[0].split(b"\n")[-1].decode()


def at_prompt(board):
    """The port of a board that has just been started and goes to its prompt by itself, and its output."""
    port = serial.Serial(board.port, timeout=0.05)
    end = time.monotonic() + LIMIT_S
    while not board.said.endswith(PROMPT):
        assert time.monotonic() < end, board.said[-500:]
        time.sleep(0.01)
    return port


def test_ctrl_c_leaves_the_board_dark_and_silent_at_its_prompt(tmp_path, files):
    with FakeBoard(tmp_path, files) as board, serial.Serial(board.port, timeout=0.05) as port:
        read_until(port, b'"t":"hello"')
        end = time.monotonic() + LIMIT_S
        while not any(board.pixels(0)):
            assert time.monotonic() < end
        assert "starts.txt" in board.files()
        port.write(b"\r\x03")
        said = read_until(port, PROMPT)
        assert b"KeyboardInterrupt" in said
        look = "from fake_pico import board as b; "
        light = "sum([sum(wire.words) for wire in b.wires.values()])"
        timers = "len([t for t in b.timers if hasattr(t, 'callback')])"
        letters = "'#' in ''.join(b.i2c[60].rows())"
        assert ask(port, look, light, "b.tone", timers, "b.watchdog", letters) == "0 0 0 None False"
        assert "starts.txt" not in board.files()  # asking for the prompt isn't a failed start


def test_a_program_that_fails_at_the_start_leads_to_safe_mode(tmp_path, files):
    files = {**files, "glow/app.mpy": b"M\x06\x00nonsense of twenty"[:20] + files["glow/app.mpy"][20:]}
    with FakeBoard(tmp_path, files) as board:
        for count in (1, 2, 3):
            at_prompt(board).close()
            assert board.files()["starts.txt"] == b"x" * count and b"safe mode" not in board.said
            board.said = b""
            board.power_cut()
        at_prompt(board).close()
        assert b"Gridglow is in safe mode" in board.said and b"gridglow doctor" in board.said
        assert board.files()["starts.txt"] == b"xx"  # power cycle: one more try
        board.said = b""
        board.power_cut()
        at_prompt(board).close()
        assert b"safe mode" not in board.said


def test_the_host_asks_for_safe_mode_once(tmp_path, files):
    with FakeBoard(tmp_path, {**files, "safe_once": b""}) as board:
        port = at_prompt(board)
        assert b"Gridglow is in safe mode" in board.said
        assert ask(port, "from fake_pico import board as b; ", "'#' in ''.join(b.i2c[60].rows())") == "True"
        assert "safe_once" not in board.files()
        port.close()
        board.power_cut()
        with serial.Serial(board.port, timeout=0.05) as port:
            read_until(port, b'"t":"hello"')


def test_what_is_ready_to_be_installed_cannot_stop_the_start(tmp_path, files):
    files = {**files, "new/ready": b"12345678", "install.py": b"def apply():\n    raise OSError(5)\n"}
    with FakeBoard(tmp_path, files) as board, serial.Serial(board.port, timeout=0.05) as port:
        said = read_until(port, b'"t":"hello"')
        assert b"The installation stopped: OSError" in said + board.said


@pytest.fixture
def boot(micropython, tmp_path):
    """Runs boot.py on the bench in an empty flash, after a script that prepares both; returns its output."""

    def boot(script, then="print(SAFE_MODE)"):
        text = f"import sys, os\nsys.path[:] = [{str(LIB)!r}, '.frozen']\nos.chdir({str(tmp_path)!r})\n"
        text += "from fake_pico import board\nboard.fake_clock()\n" + textwrap.dedent(script)
        text += "\n" + (FIRMWARE / "boot.py").read_text() + "\n" + textwrap.dedent(then)
        (tmp_path / "script.py").write_text(text)
        done = subprocess.run([micropython, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout.split()

    return boot


def test_the_key_for_safe_mode(boot, tmp_path):
    assert boot("") == ["False"]
    (tmp_path / "safe_pin.txt").write_text("22")
    assert boot("") == ["False"]
    assert boot("board.pin(22).drive(0)") == ["True"]
    bounce = """
        pin = board.pin(22)
        pin.drive(0)
        from machine import Timer
        Timer(period=12, callback=lambda timer: pin.drive(1))
    """
    assert boot(bounce) == ["False"]
    (tmp_path / "starts.txt").unlink()
    (tmp_path / "safe_pin.txt").write_text("nonsense")
    assert boot("board.pin(22).drive(0)") == ["False"]


def test_the_watchdog_runs_in_races_only(micropython, tmp_path):
    from gridglow.firmware.image import build
    from gridglow.tracks import load_track

    root = tmp_path / "flash"
    build(root, "full", tracks=[load_track("fabulous-driving-park")], games=["moto_grand_prix"], target="pico")
    shutil.copy(FIRMWARE.parent / "tests/help/children/pico_board.py", tmp_path)
    (tmp_path / "script.py").write_text(textwrap.dedent(f"""
        import sys
        sys.path[:] = [{str(LIB)!r}, {str(root)!r}, {str(tmp_path)!r}, ".frozen"]
        from pico_board import PicoBoard, board
        import os
        here = PicoBoard({str(root)!r})
        here.run(200)
        assert board.watchdog is None
        here.start("Ann", "Bob")
        assert board.watchdog and "lit" in os.listdir("save")
        here.run(20000)
        bites = []
        board.on_reset = bites.append
        here.app.stop_race()
        assert board.watchdog is None and "lit" not in os.listdir("save")
        board.advance(10000000)
        assert not bites
        here.run(100)
        here.start("Ann", "Bob")
        board.advance(9000000)
        assert bites == ["watchdog"] and "lit" in os.listdir("save")
        here.hal.close()
        assert "lit" not in os.listdir("save")
    """))
    done = subprocess.run([micropython, "-X", "heapsize=900k", "script.py"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr + done.stdout[-1500:]
