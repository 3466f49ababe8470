"""Our own firmware on the emulated Pico: built from source, booted without any file, raced on, its power cut."""

import json
import os
import subprocess

import pytest
from own_pico import STOCK_BYTES, TEST_S, OwnPico, flash_of_before, needs_sources, own_uf2
from rp2040py.external.bootsel_button import BootselButton
from settings_file import settings

from gridglow import paths
from gridglow.firmware.compiler import compile_mpy
from gridglow.firmware.uf2 import read_uf2
from gridglow.races.trials import trials
from gridglow.tracks import load_track
from gridglow.virtual.pico.flash import FLASH_BYTES, FlashImage
from shared_rules import games
from shared_rules.race import Race
from shared_rules.setup import Setup

pytestmark = [needs_sources, pytest.mark.timeout(TEST_S)]

#: The track of mini that two bots (or as few as possible) finish soonest, if it isn't the game's short one.
SHORTEST = {"full_throttle": "track-b", "fast_and_furious": "main-event", "ausgebremst": "plattfuss-drom"}
#: `make test-pico` races all of them, other runs only one.
ALL = bool(os.environ.get("GRIDGLOW_ALL_GAMES"))
RACED = games.NAMES if ALL else ("moto_grand_prix",)
CUT_LINE = 12
#: Building and the tests that run everywhere take some 14 minutes of a processor, eleven of them the race.
in_full = pytest.mark.skipif(not ALL, reason="make test-pico tries this too")
INSTANT = settings(["teach", 0], ["pace", "instant"])


def setup_of(game):
    about = games.about(game)
    players = [["bot", f"Bot {number + 1}"] for number in range(max(2, about.SEATS[0]))]
    track = SHORTEST.get(game) or trials(game).SHORT_TRACK
    return {"game": game, "variant": about.VARIANTS[0], "track": track, "laps": 1, "seed": "0123456789",
            "salt": "a", "players": players}


def digest_here(setup):
    """The digest that CPython reaches."""
    track = load_track(setup["track"]).track
    race = Race(Setup.from_plain(setup, track), track)
    while not race.over:
        seat = race.prompts[0].seat
        race.answer(seat, race.bot_answer(seat))
    return race.digest()


def flash_for(game):
    """Formatted flash on which races are quick; if mini has no LED map, the board is full."""
    flash = FlashImage()
    flash.put("save/settings", INSTANT)
    return flash


def test_it_boots_from_erased_flash_lights_gp_ring_and_shows_what_it_says():
    board = OwnPico()
    hello = board.wait("hello", 5)
    assert hello["board"] == "Mini console"
    board.pico.run_s(0.6)
    board.console.settle()
    lit = board.console.output_pixels(0)
    assert any(lit[:180]) and not any(lit[180:]), lit.hex()  # the 60 LEDs of GP Ring
    board.send({"t": "hi", "v": hello["v"]})
    board.send({"t": "mirror", "on": 1})
    shown = board.wait("px", 10, lambda message: message["o"] == 0)
    board.pico.run_s(0.2)
    board.console.settle()
    assert shown["d"] in board.frames and sum(strip.bad for strip in board.console.strips) == 0
    about = board.ask({"t": "info"}, "info")["about"]
    assert (about["fs"], about["changed"], about["left_out"], len(about["frozen"])) == ("ok", [], [], 12)
    assert about["flash_size"] == 786_432
    assert board.run("import sys; print(sys.path)") == "['.frozen', '/lib']"


@in_full
def test_a_mini_of_before_without_its_board_file_shows_lights_and_reads_no_keys():
    """No chain answers where its keys have their own pins, so nothing is driven that a key could short."""
    board = OwnPico(board="mini-direct")
    hello = board.wait("hello", 5)
    board.send({"t": "hi", "v": hello["v"]})
    about = board.ask({"t": "info"}, "info")["about"]
    assert "Key panels: not found. The board goes on without; check the plug." in about["faults"]
    for key in ("PREV", "NEXT", "OK"):             # of the second panel: mini has its chain there
        board.console.press(2, key)
    board.messages.clear()
    board.pico.run_s(0.6)
    board.console.settle()
    assert any(board.console.output_pixels(0)) and not [one for one in board.messages if one["t"] == "ui"]
    assert list(filter(None, board.console.glass.lines()))[:2] == ["Gridglow", "No key panels found."]


@in_full
def test_what_lies_on_the_file_system_hides_nothing_and_modules_that_differ_are_put_in():
    flash = FlashImage()
    loop = b"while True: pass\n"
    idle = (paths.firmware_folder() / "glow" / "board" / "idle.py").read_bytes()
    legend = b"raise ValueError('no legend')\n"
    for name, content in {
        "main.py": loop, "boot.py": loop, "glow/empty": b"", "hal.py": loop, "frozen_data.py": loop,
        "code/glow/board/idle.mpy": compile_mpy("glow/board/idle.py", idle.replace(b'["Gridglow"', b'["Mine"')),
        "code/glow/menu/legend.mpy": compile_mpy("glow/menu/legend.py", legend),
        "code/for.txt": read_uf2(own_uf2()).mark.id.encode(),
    }.items():
        flash.put(name, content)
    board = OwnPico(flash=flash)
    hello = board.wait("hello", 10)
    board.send({"t": "hi", "v": hello["v"]})
    about = board.ask({"t": "info"}, "info")["about"]
    assert about["changed"] == ["glow.board.idle"] and about["left_out"] == [["glow.menu.legend", "ValueError: no legend"]]
    assert "Your module glow.menu.legend was skipped: ValueError: no legend" in about["faults"]
    board.pico.run_s(0.5)
    assert board.console.glass.lines()[0] == "Mine"
    board.prompt()
    board.messages.clear()
    board.pico.write(b"\x04")                       # Ctrl-D
    board.wait("hello", 10)


def test_a_memory_that_holds_something_else_stays_as_it_is_until_menu_and_undo_are_held():
    flash = FlashImage()
    flash.put("save/journal-of-years", b"kept" * 3000)
    for block in (0, 4096):
        flash.data[block + 8] ^= 1                 # in both superblocks
    board = OwnPico(flash=FlashImage(bytes(flash.data)))
    hello = board.wait("hello", 10)
    board.send({"t": "hi", "v": hello["v"]})
    about = board.ask({"t": "info"}, "info")["about"]
    assert about["fs"] == "foreign" and "Nothing is saved: the memory holds something else." in about["faults"]
    assert board.pico.get_flash().data == flash.data
    board.cut_power()
    for key in ("MENU", "UNDO"):
        board.console.key(1, key, True)
    assert board.pico.run_s(4, lambda: board.pico.get_flash().data != flash.data)
    board.pico.run_s(0.5)
    board.cut_power()
    for key in ("MENU", "UNDO"):
        board.console.key(1, key, False)
    board.wait("hello", 10)
    assert board.ask({"t": "info"}, "info")["about"]["fs"] == "ok"
    assert board.pico.get_flash().names() == ["starts.txt"]


@in_full
def test_a_file_dragged_onto_a_used_stock_pico_formats_nothing_that_is_left():
    board = OwnPico()
    files = {f"file{number}": bytes([number % 256]) * 4000 for number in range(300)}
    board.pico.mcu.flash[FLASH_BYTES - STOCK_BYTES:FLASH_BYTES] = flash_of_before(files)
    board.pico.load(own_uf2())
    before = bytes(board.pico.get_flash().data)
    assert before.count(b"\xff") < len(before) // 2  # they reach far into the area of the new file system
    hello = board.wait("hello", 10)
    board.send({"t": "hi", "v": hello["v"]})
    about = board.ask({"t": "info"}, "info")["about"]
    assert about["fs"] == "foreign" and about["board"] == "mini"
    assert "Nothing is saved: the memory holds something else." in about["faults"]
    board.pico.run_s(0.6)
    board.console.settle()
    assert any(board.console.output_pixels(0)) and board.pico.get_flash().data == before


@in_full
def test_bootsel_held_for_a_second_starts_three_bots_and_held_again_ends_their_race():
    flash = FlashImage()
    flash.put("save/settings", INSTANT)
    board = OwnPico(flash=flash)
    hello = board.wait("hello", 5)
    board.send({"t": "hi", "v": hello["v"]})
    button = BootselButton()
    button.attach(board.pico.mcu)
    for held_s in (0.6, 1.5):                      # the first is too short
        board.messages.clear()
        button.press()
        board.pico.run_s(held_s)
        button.release()
        board.pico.run_s(0.3)
    race = board.wait("race", 30, lambda message: message["state"] == "race")
    assert [kind for kind, _ in race["seats"]] == ["bot"] * 3 and race["track"] == "gp-ring"
    board.messages.clear()
    button.press()
    board.wait("race", 120, lambda message: message["state"] == "idle")
    board.pico.run_s(1.5)                          # still held, it starts no second race
    assert not [message for message in board.messages if message["t"] == "race"]


@pytest.mark.parametrize("game", RACED)
def test_a_race_comes_to_cpythons_digest_though_the_power_is_cut(game, tmp_path):
    setup = setup_of(game)
    board = OwnPico(flash=flash_for(game))
    board.wait("hello", 5)
    board.send({"t": "hi", "v": 1})
    board.ask({"t": "start", "setup": setup}, "ok", 30)
    board.console.press(1, "OK")                   # no start lights
    board.wait("line", 300, lambda message: message["i"] >= CUT_LINE)
    board.cut_power()
    board.wait("hello", 5)
    board.send({"t": "hi", "v": 1})
    board.ask({"t": "resume"}, "ok", 60)
    board.wait("race", 1200, lambda message: message["state"] == "podium")
    assert b"Error" not in board.said, board.said  # such as that of a timer whose call found no stack
    (tmp_path / "race.journal").write_bytes(board.journal())
    from emulated import GRIDGLOW, environment

    done = subprocess.run([*GRIDGLOW, "replay", str(tmp_path / "race.journal"), "--json"], env=environment(tmp_path),
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    replay = json.loads(done.stdout)
    assert replay["over"] and replay["lines"] == replay["checked"]
    assert replay["digest"] == digest_here(setup)
