"""The examples in docs/real-board.md are what the commands print for such a board. What differs from one
board to the next (its port, the program's id, its number of bytes) is masked."""

import dataclasses
import re
import threading
from pathlib import Path

import pytest
import settings_file
from commands import call
from fake_board import FakeBoard, gridglow_files
from fake_loader import Loader, found, quick  # noqa: F401 (quick: shorter limits, no drive of this computer)
from fake_program import frozen
from small_board import small_program

from gridglow.boards.boardfile import load_board
from gridglow.cli import boards as boards_command
from gridglow.device import manifest
from gridglow.device.board_data import board_data
from gridglow.device.connect import SAFE
from gridglow.device.flash import Target, flash
from gridglow.device.ports import PortInfo
from gridglow.device.sync import Result, frozen_list
from gridglow.device.sync_plan import LINK, Seen, plan
from gridglow.firmware.frozen import MICROPYTHON
from gridglow.firmware.uf2 import read_uf2
from gridglow.tracks import load_track
from shared_rules import games

DOCUMENT = (Path(__file__).parents[2] / "docs" / "real-board.md").read_text("utf-8")
TITLE = "Kitchen at /dev/ttyACM0"
#: The games that the examples were made with.
GAMES = {"moto_grand_prix", "full_throttle", "racing_rules", "ausgebremst", "fast_and_furious"}
#: What differs on another board, or another day.
OTHERWISE = ((r"program [0-9a-f]{12}", "program ID"), (r"\d+(?:\.\d+)? kB", "N kB"), (r"\d+ files (?=\(|of)", "N files "),
             (r"MicroPython \d\.\d+\.\d+", "MicroPython V"), (r"up to \d+ s", "up to N s"),
             (r"micropython \d\.\d+\.\S+", "micropython V"), (r"uptime \d+ ms, heap free \d+", "uptime, heap"),
             (r"^\d+ screen", "N screen"))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A program for a fake board."""
    return small_program(tmp_path_factory.mktemp("program"))


def settings(saved=1):
    """Settings of the board Kitchen, with or without a saved race."""
    return settings_file.settings(["name", "Kitchen"], ["track", "gp-ring"], ["open", saved])


def plain(lines, **places):
    """Lines with the differences masked; `places`: what stands for a path."""
    said = []
    for line in lines:
        for name, path in places.items():
            line = line.replace(str(path), {"port": "/dev/ttyACM0", "drive": "/media/ann/RPI-RP2"}[name])
        for pattern, words in OTHERWISE:
            line = re.sub(pattern, words, line)
        said.append(line)
    return said


def example(command, number=0):
    """The lines that the document shows after a command, up to the next one."""
    lines = DOCUMENT.splitlines()
    at = [k for k, line in enumerate(lines) if line == f"$ {command}"][number] + 1
    end = next(k for k in range(at, len(lines)) if lines[k].startswith(("```", "$ ")))
    return plain(lines[at:end])


def counted(text):
    """A text; without its numbers if there is a game that the document doesn't know: each one brings files."""
    return text if set(games.NAMES) == GAMES else re.sub(r"\d[\d.]*", "N", text)


def test_what_sync_says():
    """A new board becomes `full`; its board file is changed; nothing is changed; during a race it gets
    another choice of tracks, and then another board file."""
    rows = frozen_list(frozen().data["modules.txt"].decode())
    full = load_board("full")
    darker = dataclasses.replace(full, brightness_max=100)
    sets = [board_data(full, rows, "1"), board_data(darker, rows, "1"), board_data(darker, rows, "1"),
            board_data(darker, rows, "1", [load_track("gp-ring")]), board_data(full, rows, "1")]
    race = "moto_grand_prix basic on gp-ring"
    there = None
    for number, data in enumerate(sets):
        files = {} if there is None else {**there.manifest.files, manifest.NAME: ("", 1)}
        seen = Seen(files, there and there.manifest, free_bytes=700_000, over_link=True, race=race if number > 2 else "",
                    open_track="gp-ring" if number > 2 else "", frozen=rows)
        made = plan(seen, data, TITLE)
        said = Result(TITLE, made, installed=made.way != LINK, about={"fw": "1", "parts": []}).say
        if number == 4:
            said = f"gridglow: {' '.join(made.agree)} Give --yes to agree. Nothing was sent."
        assert counted(said) in counted(DOCUMENT).splitlines()
        there = data


def test_the_program_s_version_is_told_as_it_is():
    told = re.findall(r"[Mm]icro[Pp]ython (\d+\.\d+\.\d+)", DOCUMENT)
    assert told and set(told) == {MICROPYTHON}


def test_what_flash_says(tmp_path, small):
    with FakeBoard(tmp_path / "board", {}, machine="Raspberry Pi Pico with RP2040") as board:
        loader = Loader(board, tmp_path / "RPI-RP2", small)
        said = []
        done = flash(Target(found(board)), read_uf2(small.uf2(tmp_path / "gridglow-rp2040.uf2")), board_file="full",
                     name="Kitchen", say=said.append, look=loader.look, hidden=lambda: "")
        said.append(done.result.say)
        assert plain(said, port=board.port, drive=loader.folder) == example(
            "gridglow flash --board-file full --name Kitchen")


@pytest.mark.parametrize("safe", [False, True])
def test_what_boards_says(tmp_path, small, monkeypatch, safe):
    with FakeBoard(tmp_path / "board", {"save/settings": settings()}, program=small) as board:
        if safe:                                   # it stays at its prompt then
            found(board).repl(end_race=True).close()
        seen = found(board)
    there = dataclasses.replace(seen, port=PortInfo("/dev/ttyACM0", "e661640843123456"))
    if safe:
        there = dataclasses.replace(there, state=SAFE, about={**there.about, "safe": 1})
    monkeypatch.setattr(boards_command, "ask_all", lambda *_: [there])
    told = call("boards")
    assert plain((told.stdout + told.stderr).splitlines()) == example("gridglow boards", int(safe))


def test_what_backup_and_restore_say(tmp_path, small, monkeypatch):
    monkeypatch.chdir(tmp_path)
    race = {"save/race.log": b"x" * 900, "save/race.a": b"y" * 600}
    for command, saves in (("backup", {"save/settings": settings(), **race}), ("restore", {"save/settings": settings(0)})):
        with FakeBoard(tmp_path / command, saves, program=small) as board:
            told = call(command, "kitchen.zip", "--port", board.port)
            assert told.exit_code == 0, told.output
            assert plain((told.stdout + told.stderr).splitlines(), port=board.port) == example(
                f"gridglow {command} kitchen.zip")


def test_what_cards_and_the_crash_box_say(tmp_path):
    files = gridglow_files(tmp_path / "device", "full", tracks=[load_track("gp-ring")], games=["moto_grand_prix"])
    with FakeBoard(tmp_path / "board", {**files, "save/settings": settings(0)}) as board:
        said = call("cards", "name", "04112233445566", "blue 3", "--port", board.port)
        assert said.exit_code == 0, said.output
        put_down = threading.Timer(1.5, lambda: board.do(card="04A1B2C3D4E5F6"))
        put_down.start()
        for command in ("cards learn red 3", "cards list"):
            told = call(*command.split(), "--port", board.port)
            assert plain((told.stderr + told.stdout).splitlines(), port=board.port) == example(f"gridglow {command}")
    mini = gridglow_files(tmp_path / "other", "mini", tracks=[load_track("gp-ring")], games=["moto_grand_prix"])
    with FakeBoard(tmp_path / "mini", mini) as board:
        told = call("logs", "--crash", "--port", board.port)
        assert told.exit_code == 0 and plain(told.stdout.splitlines()) == example("gridglow logs --crash")
