"""Serial ports: which ones are asked, and the one sentence for each that can't be used."""

import errno
import grp
import os
import pty
import threading
import tty
from types import SimpleNamespace

import pytest
import serial

from gridglow.device import port as port_module
from gridglow.device import ports
from gridglow.device.port import BUSY, FORBIDDEN, GONE, STUCK, Port, PortError, TookTooLong, port_error
from shared_rules.errors import GridglowError


def entry(device, vid=None, pid=None, serial_number=None, **more):
    """A port as pyserial lists it: anything not given is None."""
    fields = dict.fromkeys(("description", "hwid", "manufacturer", "product"))
    return SimpleNamespace(device=device, vid=vid, pid=pid, serial_number=serial_number, **{**fields, **more})


PICO = entry("/dev/ttyACM3", 0x2E8A, 5, "E6614103E7", product="Board in FS mode")


@pytest.fixture
def system(monkeypatch):
    """The list of a system's ports; set by the test."""
    there = []
    monkeypatch.setattr(ports, "_system_ports", lambda: list(there))
    return there


@pytest.fixture
def line():
    """A pseudo-terminal: (path, the board's end)."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave), master
    for end in (master, slave):
        try:
            os.close(end)
        except OSError:
            pass


def sentence(text):
    """Checks for one line without a traceback that ends like a sentence."""
    assert "\n" not in text and "Traceback" not in text and "Errno" not in text
    assert text.endswith(".")
    return text


def test_a_pico_is_known_by_its_usb_ids(system):
    system.append(PICO)
    assert ports.list_ports() == [ports.PortInfo("/dev/ttyACM3", "E6614103E7", 0x2E8A, 5, ports.BOARD)]
    assert ports.list_ports()[0].asked
    assert ports.list_ports()[0].title == "/dev/ttyACM3 (serial number E6614103E7)"


@pytest.mark.parametrize("one, what, said", [
    (entry("/dev/ttyS0"), ports.NO_IDS, "has no USB ids"),
    (entry("COM1", hwid="ACPI\\PNP0501\\1"), ports.NO_IDS, "has no USB ids"),
    (entry("/dev/cu.Bluetooth-Incoming-Port"), ports.BLUETOOTH_PORT, "is a Bluetooth port"),
    (entry("COM7", hwid="BTHENUM\\{0000}"), ports.BLUETOOTH_PORT, "is a Bluetooth port"),
    (entry("/dev/rfcomm0"), ports.BLUETOOTH_PORT, "is a Bluetooth port"),
    (entry("/dev/ttyUSB0", 0x1A86, 0x7523, product="USB2.0-Serial"), ports.OTHER, "is 'USB2.0-Serial' (1a86:7523)"),
    (entry("/dev/ttyUSB1", 0x0403, 0x6001, description="n/a"), ports.OTHER, "is another device (0403:6001)"),
    (entry("/dev/ttyACM0", 0x2E8A, 0x000C), ports.OTHER, "is a debug probe"),
])
def test_other_ports_are_not_asked_and_say_why(system, one, what, said):
    system.append(one)
    (found,) = ports.list_ports()
    assert found.what == what
    assert not found.asked
    assert said in sentence(found.problem)


def test_boards_come_first_and_two_may_be_there(system):
    system += [entry("/dev/ttyS0"), entry("/dev/ttyACM4", 0x2E8A, 5, "B"), PICO]
    assert [port.path for port in ports.list_ports()] == ["/dev/ttyACM3", "/dev/ttyACM4", "/dev/ttyS0"]


def test_a_named_port_is_asked_whatever_it_is(system):
    system.append(entry("/dev/ttyS0"))
    assert ports.named_port("/dev/ttyS0").asked
    assert ports.named_port("/dev/pts/77") == ports.PortInfo("/dev/pts/77")


def test_a_link_names_the_port_behind_it(system, tmp_path):
    device = tmp_path / "ttyACM3"
    device.touch()
    (tmp_path / "by-id").symlink_to(device)
    system.append(entry(str(device), 0x2E8A, 5, "E66"))
    found = ports.named_port(str(tmp_path / "by-id"))
    assert (found.path, found.serial, found.what) == (str(device), "E66", ports.NAMED)


def clock():
    """A clock that moves on when somebody sleeps."""
    seconds = [0.0]
    return lambda: seconds[0], lambda s: seconds.__setitem__(0, seconds[0] + s)


def test_a_board_is_found_again_under_another_name(system):
    now, sleep = clock()
    known = ports.PortInfo("COM3", "E66", 0x2E8A, 5, ports.BOARD)

    def later(s):
        sleep(s)
        if now() > 1:
            system[:] = [entry("COM3", 0x2E8A, 5, "other"), entry("COM8", 0x2E8A, 5, "E66")]

    assert ports.find_again(known, 5, now, later).path == "COM8"


def test_a_board_that_does_not_come_back_is_told(system):
    now, sleep = clock()
    with pytest.raises(GridglowError) as error:
        ports.find_again(ports.PortInfo("COM3", "E66", 0x2E8A, 5), 5, now, sleep)
    assert "COM3 (serial number E66) didn't come back within 5 s" in sentence(str(error.value))
    assert now() < 6


# Opening


def test_a_busy_port_names_the_program(line, monkeypatch):
    monkeypatch.setattr(Port, "open_s", 0)
    path, _ = line
    holder = serial.Serial(path, exclusive=True)
    with pytest.raises(PortError) as error:
        Port(path)
    holder.close()
    assert error.value.state == BUSY
    assert f"The port {path} is busy: another program has it open" in sentence(str(error.value))


def test_the_program_that_holds_a_port_is_named(tmp_path):
    device = tmp_path / "ttyACM3"
    device.touch()
    process = tmp_path / "proc" / "812"
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text("thonny\n")
    (process / "fd" / "5").symlink_to(device)
    (tmp_path / "proc" / "self").mkdir()
    assert port_module.holder_of(str(device), tmp_path / "proc") == "thonny (process 812)"
    assert port_module.holder_of(str(tmp_path / "other"), tmp_path / "proc") == ""
    assert port_module.holder_of("COM3", tmp_path / "none") == ""


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EAGAIN])
def test_busy_by_its_error_number(number):
    assert port_error("/dev/ttyACM3", OSError(number, "x")).state == BUSY


def test_busy_on_windows(monkeypatch):
    monkeypatch.setattr(port_module.sys, "platform", "win32")
    refused = serial.SerialException("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)")
    assert port_error("COM3", refused).state == BUSY
    lost = serial.SerialException("could not open port 'COM3': FileNotFoundError(2, 'The system cannot find the file')")
    assert port_error("COM3", lost).state == GONE


@pytest.fixture
def device_of(monkeypatch, tmp_path):
    """A device that belongs to the group "dialout", and a user who is in that group or not, now or since the login."""
    path = tmp_path / "ttyACM3"
    path.touch()

    def make(group="dialout", members=(), now=False):
        import pwd

        monkeypatch.setattr(grp, "getgrgid", lambda gid: SimpleNamespace(gr_name=group, gr_gid=4711, gr_mem=list(members)))
        monkeypatch.setattr(pwd, "getpwuid", lambda uid: SimpleNamespace(pw_name="ann"))
        monkeypatch.setattr(os, "getgroups", lambda: [4711] if now else [])
        return str(path)

    return make


def test_no_permission_names_the_group_and_the_command(device_of):
    path = device_of()
    error = port_error(path, PermissionError(errno.EACCES, "x"))
    assert error.state == FORBIDDEN
    assert sentence(str(error)) == (f"You may not open {path}: it belongs to the group dialout, but you aren't in it; run: "
                                    "sudo usermod -aG dialout ann, then log out and in again.")


def test_no_permission_until_the_next_login(device_of):
    said = str(port_error(device_of(members=["ann"]), PermissionError(errno.EACCES, "x")))
    assert "log out and in again" in sentence(said) and "usermod" not in said


@pytest.mark.parametrize("more", [{"group": "root"}, {"now": True}])
def test_no_permission_without_a_group_that_helps(device_of, more):
    said = str(port_error(device_of(**more), PermissionError(errno.EACCES, "x")))
    assert "sudo chmod a+rw" in sentence(said) and "usermod" not in said


def test_forbidden_is_told_at_once(monkeypatch, system):
    tries = []

    def refuse(*_, **__):
        tries.append(1)
        raise serial.SerialException(errno.EACCES, "could not open port")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    with pytest.raises(PortError) as error:
        Port("/dev/ttyACM3", open_s=60)
    assert error.value.state == FORBIDDEN
    assert len(tries) == 1


def test_a_port_that_is_not_there(system):
    with pytest.raises(PortError) as error:
        Port("/dev/ttyACM77", open_s=0)
    assert error.value.state == GONE
    assert "There is no port /dev/ttyACM77" in sentence(str(error.value))


def test_a_file_is_no_port(system, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(PortError) as error:
        Port(str(tmp_path / "file"), open_s=0)
    assert "isn't a serial port" in sentence(str(error.value))


def test_a_port_that_is_busy_for_a_moment_is_waited_for(line):
    path, _ = line
    holder = serial.Serial(path, exclusive=True)
    timer = threading.Timer(0.05, holder.close)
    timer.start()
    with Port(path, open_s=30) as port:
        assert port.path == path
    timer.join()


# Reading and writing


def test_reading_in_all_its_ways(line):
    path, board = line
    with Port(path) as port:
        os.write(board, b"one\r\ntwo>")
        assert port.read(3) == b"one"
        assert port.take(b"\r\n", 5) == b"\r\n"
        assert port.take(b">", 5) == b"two>"
        assert port.read_some(0) == b""
        assert port.take(b">", 0) == b""
        os.write(board, b"x")
        assert port.read_some(5) == b"x"
        assert port.inWaiting() == 0


def test_an_ending_in_two_pieces_is_found(line):
    path, board = line
    with Port(path) as port:
        os.write(board, b"ab\r")
        assert port.take(b"\r\n", 5) == b"ab"
        assert port.take(b"\r\n", 0) == b""
        os.write(board, b"\ncd")
        assert port.take(b"\r\n", 5) == b"\r\n"


def test_nothing_goes_on_beyond_the_limit(line):
    path, board = line
    with Port(path) as port:
        seconds = [0.0]
        port.now = lambda: seconds[0]
        with port.limit(5, "sent its files"), port.limit(60, "never"):
            os.write(board, b"x")
            assert port.read(1) == b"x"
            seconds[0] = 5.1
            calls = (lambda: port.read(1), lambda: port.inWaiting(), lambda: port.write(b"x"), lambda: port.read_some(9))
            for call in calls:
                with pytest.raises(TookTooLong) as error:
                    call()
                assert f"The board at {path} has not sent its files within 5 s" in sentence(str(error.value))
        assert port.read_some(0) == b""  # the limit has ended with its block


def test_a_board_that_takes_nothing(line, monkeypatch):
    path, _ = line
    monkeypatch.setattr(Port, "write_s", 0.05)
    with Port(path) as port, pytest.raises(PortError) as error:
        port.write(b"x" * 200_000)
    assert error.value.state == STUCK
    assert "accepts no more data" in sentence(str(error.value))


def test_a_port_that_vanishes(line):
    path, board = line
    with Port(path) as port:
        os.close(board)
        with pytest.raises(PortError) as error:
            port.read(1)
            port.read(1)
        assert error.value.state == GONE
        assert "disappeared while in use" in sentence(str(error.value))
        with pytest.raises(PortError):
            port.write(b"x")


def test_reopening_follows_the_serial_number(line, system):
    path, board = line
    system.append(entry(path, 0x2E8A, 5, "E66"))
    port = Port(ports.PortInfo("/dev/ttyACM77", "E66", 0x2E8A, 5, ports.BOARD), open_s=5)
    assert port.path == path
    port.reopen(5)
    os.write(board, b"x")
    assert port.read(1) == b"x"
    port.close()
