"""A Pico's boot loader: its drive, the ways into it, and a copy whose drive vanishes."""

import shutil
from pathlib import Path

import pytest
from fake_loader import found_with, make_drive, sentence
from uf2_blocks import file_of, running_version

from gridglow.device import bootloader, connect
from gridglow.device.bootloader import (
    Drive,
    copy_to_drive,
    drive_at,
    find_drives,
    to_bootloader,
    unmounted,
    wait_for_drive,
)
from gridglow.device.port import GONE, PortError
from gridglow.device.repl import RaceRuns
from gridglow.device.talk import SaysNo
from shared_rules.errors import GridglowError


class FakeClock:
    """Time that moves on when somebody sleeps; `at` calls something once at a given moment."""

    def __init__(self):
        self.seconds = 0.0
        self.events = []

    def now(self):
        return self.seconds

    def at(self, seconds, call):
        self.events.append((seconds, call))

    def rest(self, seconds):
        self.seconds += seconds
        for event in [one for one in self.events if one[0] <= self.seconds]:
            self.events.remove(event)
            event[1]()


@pytest.fixture
def uf2(tmp_path):
    """A UF2 of the MicroPython on the fake board."""
    return file_of(tmp_path / "pico.uf2", running_version())


# Drives


def test_drives_are_found_by_their_file(tmp_path):
    first = make_drive(tmp_path / "RPI-RP2")
    second = make_drive(tmp_path / "RP2350", "rp2350")
    (tmp_path / "stick").mkdir()
    found = find_drives([tmp_path / "stick", second, first, tmp_path / "none", first])
    assert found == [Drive(second, "rp2350", "Raspberry Pi RP2350"), Drive(first, "rp2040", "Raspberry Pi RP2")]
    (first / bootloader.INFO).write_text("Board-ID: SAMD21\r\n")
    assert drive_at(first).chip == ""


def test_a_drive_that_linux_has_not_mounted(tmp_path):
    device = tmp_path / "sdb1"
    device.touch()
    labels = tmp_path / "by-label"
    labels.mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text("")
    assert unmounted(labels, mounts) == ""
    (labels / "RPI-RP2").symlink_to(device)
    assert unmounted(labels, mounts) == str(device)
    mounts.write_text(f"{device} /media/ann/RPI-RP2 vfat rw 0 0\n")
    assert unmounted(labels, mounts) == ""
    assert unmounted(tmp_path / "none", mounts) == ""


def test_an_unmounted_drive_is_told_with_the_command_and_waited_for(tmp_path):
    clock = FakeClock()
    told = []
    drive = Drive(tmp_path, "rp2040")
    found = wait_for_drive(5, lambda: [drive] if clock.seconds > 60 else [], told.append, clock, lambda: "/dev/sdb1")
    assert found == drive
    assert told == ["The Pico's drive is /dev/sdb1, but it isn't mounted; in another terminal, run: "
                    "udisksctl mount -b /dev/sdb1"]


def test_two_drives_are_refused_with_a_list(tmp_path):
    drives = [Drive(tmp_path / "a", "rp2040"), Drive(tmp_path / "b", "rp2040")]
    with pytest.raises(GridglowError) as error:
        wait_for_drive(5, lambda: drives, print, FakeClock(), lambda: "")
    assert "2 Picos are in their boot loader" in sentence(error)
    assert str(tmp_path / "a") in str(error.value) and "--drive DIR" in str(error.value)


# Ways into the boot loader


@pytest.fixture
def touch(monkeypatch):
    """What opening the port with 1200 baud does; set by the test."""
    there = {"call": lambda: None}

    class Touched:
        def __init__(self, port):
            self.port = port

        def touch_1200(self):
            there["call"]()

    monkeypatch.setattr(bootloader, "Port", Touched)
    return there


def bring(found, appears, clock=None, end_race=False):
    """to_bootloader, with a drive that is there once `appears` is set; returns (drive, what was said)."""
    told = []
    clock = clock or FakeClock()
    drive = Drive(Path("/media/RPI-RP2"), "rp2040")
    got = to_bootloader(found, lambda: [drive] if appears else [], told.append, end_race, clock, lambda: "")
    assert got == drive
    return told


REFUSED = SaysNo("No.")
AWAY = PortError(GONE, "It has gone.")


@pytest.mark.parametrize("state, working, tried, words", [
    (connect.GRIDGLOW, "link", ["link"], "over the link"),
    (connect.GRIDGLOW, "repl", ["link", "repl"], "at MicroPython's prompt"),
    (connect.MICROPYTHON, "repl", ["repl"], "at MicroPython's prompt"),
    (connect.GRIDGLOW, "touch", ["link", "repl", "touch"], "by 1200 baud"),
])
def test_the_ways_in_their_order(touch, state, working, tried, words):
    appears = []
    happens = {way: (lambda: appears.append(1)) if way == working else REFUSED for way in ("link", "repl", "touch")}
    found = found_with(state, **happens)
    touch["call"] = lambda: found.way("touch")
    told = bring(found, appears)
    assert found.tried == tried
    assert f"Asking the board {words} to enter its boot loader; waiting up to 12 s for its drive." in told
    assert "BOOTSEL" not in " ".join(told)


def test_by_hand_when_nothing_else_works(touch):
    appears = []
    clock = FakeClock()
    clock.at(100, lambda: appears.append(1))
    found = found_with(link=lambda: None, repl=AWAY)
    touch["call"] = lambda: found.way("touch")
    object.__setattr__(found, "ways", {**found.ways, "touch": AWAY})
    told = bring(found, appears, clock)
    assert "That did not work over the link." in told
    assert "hold its button BOOTSEL" in told[-1] and "up to 3 minutes" in told[-1]


def test_a_bare_pico_is_brought_there_by_hand_only():
    appears = [1]
    assert [text for text in bring(None, appears) if "BOOTSEL" in text]


def test_nothing_comes():
    with pytest.raises(GridglowError) as error:
        to_bootloader(None, list, lambda text: None, False, FakeClock(), lambda: "")
    assert "No Pico's drive appeared within 3 minutes" in sentence(error)
    assert "Nothing was changed" in str(error.value)


def test_a_race_is_not_ended():
    race = {"state": "race", "race": {"game": "moto_grand_prix", "track": "gp-ring"}}
    found = found_with(about=race, link=lambda: None)
    with pytest.raises(RaceRuns) as error:
        bring(found, [1])
    assert found.tried == []
    assert "give --yes" in sentence(error)


# Copying


def test_a_drive_that_vanishes_has_taken_it(tmp_path, uf2, monkeypatch):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")
    clock = FakeClock()
    clock.at(1, lambda: shutil.rmtree(drive.path))
    copied = []
    monkeypatch.setattr(bootloader, "_copy", lambda data, path: copied.append((data, path.name)))
    copy_to_drive(uf2, drive, clock=clock)
    assert copied == [(uf2.data, "firmware.uf2")]


def test_an_error_of_the_system_is_no_failure_when_the_drive_has_vanished(tmp_path, uf2, monkeypatch):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")

    def fails(data, path):
        shutil.rmtree(drive.path)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(bootloader, "_copy", fails)
    copy_to_drive(uf2, drive, clock=FakeClock())


@pytest.mark.parametrize("error, words", [
    (None, "the board did not restart"),
    (OSError(28, "No space left"), "(No space left)"),
])
def test_a_drive_that_stays_has_not_taken_it(tmp_path, uf2, monkeypatch, error, words):
    monkeypatch.setattr(bootloader, "COPIED_S", 5.0)
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")

    def copy(data, path):
        if error:
            raise error

    monkeypatch.setattr(bootloader, "_copy", copy)
    with pytest.raises(GridglowError) as told:
        copy_to_drive(uf2, drive, clock=FakeClock())
    assert "is still there after 5 s" in sentence(told) and words in str(told.value)


def test_all_of_the_file_is_copied(tmp_path):
    data = bytes(range(256)) * 1000
    bootloader._copy(data, tmp_path / "firmware.uf2")
    assert (tmp_path / "firmware.uf2").read_bytes() == data
