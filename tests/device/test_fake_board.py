"""The fake board itself: mpremote's own transport finds the same on it as on a Pico."""

import os
import sys
import time

import pytest

pytest.importorskip("termios", reason="only Linux and macOS have pseudo-terminals")
if not sys.platform.startswith("linux"):
    pytest.skip("the fake board reads /proc, which only Linux has", allow_module_level=True)

import serial
from fake_board import FakeBoard
from mpremote.transport_serial import SerialTransport

LOOP = b"import time\nprint('main runs')\nwhile True:\n    time.sleep(0.01)\n"


def wait_for(what, limit_s=10):
    end = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < end, "it hasn't happened"
        time.sleep(0.01)


def test_a_tool_gets_its_raw_prompt_out_of_a_program_that_runs(tmp_path):
    with FakeBoard(tmp_path, files={"main.py": LOOP, "boot.py": b"print('boot runs')", "lib/a.py": b"x = 3\n"}) as board:
        wait_for(lambda: b"main runs" in board.said)
        port = SerialTransport(board.port)
        port.enter_raw_repl(soft_reset=True)
        assert b"KeyboardInterrupt" in board.said
        assert board.said.count(b"boot runs") == 2 and board.said.count(b"main runs") == 1  # as on a Pico
        assert port.exec("import a; print(a.x)").strip() == b"3"
        whole = bytes(range(256)) * 40
        port.fs_writefile("/big.bin", whole)
        assert port.fs_readfile("/big.bin") == whole
        port.exec_raw_no_follow("while True: pass")
        port.serial.write(b"\x03")
        assert b"KeyboardInterrupt" in port.follow(5)[1]
        port.exit_raw_repl()
        port.close()
        assert sorted(board.files()) == ["big.bin", "boot.py", "lib/a.py", "main.py"]
        board.power_cut()
        wait_for(lambda: board.said.count(b"main runs") == 2)


@pytest.mark.parametrize("how", ["reset", "soft_reset", "bootloader"])
def test_resets(tmp_path, how):
    with FakeBoard(tmp_path, files={"main.py": b"print('main runs')"}) as board:
        with serial.Serial(board.port, timeout=2) as port:
            port.read_until(b">>> ")
            port.write(b"import machine; machine.%s()\r" % how.encode())
            if how == "bootloader":
                wait_for(lambda: board.in_bootloader)
                assert not os.path.lexists(board.port)
                board.leave_bootloader()
        wait_for(lambda: board.starts == 2 and board.said.count(b"main runs") == 2)
        assert os.path.exists(board.port)


def test_the_cable_comes_out_after_so_many_bytes(tmp_path):
    with FakeBoard(tmp_path, files={"main.py": LOOP}, unplug_at=5) as board:
        with serial.Serial(board.port, timeout=1) as port:
            port.write(b"0123456789")
            wait_for(lambda: not os.path.lexists(board.port))
            with pytest.raises(OSError):
                for _ in range(100):
                    port.read(10)
                    port.write(b"x")
        assert board.alive
        board.plug()
        with serial.Serial(board.port, timeout=1) as port:
            port.write(b"\x03")
            assert port.read_until(b">>> ").endswith(b">>> ")


def test_a_full_flash_and_another_mpy_version(tmp_path):
    with FakeBoard(tmp_path, files={}, full_at=3, mpy=4869) as board:
        port = SerialTransport(board.port)
        port.enter_raw_repl(soft_reset=False)
        assert port.exec("import sys; print(sys.implementation._mpy, sys.implementation.name)").split() == [
            b"4869", b"micropython"]
        assert b"28" in port.exec("try:\n    f = open('x', 'w')\n    f.write('x' * 9000)\n    f.close()\n"
                                  "except OSError as error:\n    print(error)\n")
        port.close()


def test_silence_garbage_and_floods(tmp_path):
    say = b"import time\nwhile True:\n    print('<hello>')\n    time.sleep(0.002)\n"
    for fault, check in (("silent", lambda data: data == b""), ("garbage", lambda data: b"\x00" in data),
                         ("flood", lambda data: data.count(b"flood") > 50)):
        with FakeBoard(tmp_path / fault, files={"main.py": say}, faults=(fault,)) as board:
            with serial.Serial(board.port, timeout=0.3) as port:
                assert check(port.read(20000)), fault
