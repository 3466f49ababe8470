"""A game written by `gridglow new-game`, raced on the emulated Pico as changed modules: its program doesn't contain it."""

import json
import os

import pytest
from new_game_copy import GAME, copy_with_a_game
from own_pico import TEST_S, OwnPico, needs_sources, own_uf2
from settings_file import settings

from gridglow.firmware.uf2 import read_uf2
from gridglow.virtual.pico.flash import FlashImage

pytestmark = [needs_sources, pytest.mark.timeout(TEST_S),
              pytest.mark.skipif(not os.environ.get("GRIDGLOW_ALL_GAMES"), reason="make test-pico tries this too")]

#: What `gridglow sync` sends of the game, by name on the board, in hex; and the digest that the race reaches here.
FILES = """
import json, sys
from gridglow import texts
from gridglow.boards.boardfile import load_board
from gridglow.firmware.compiler import compile_mpy
from gridglow.firmware.image import source_modules
from gridglow.tracks import device_files, index_file, load_track
from shared_rules.race import Race
from shared_rules.setup import Setup

setup = json.loads(sys.argv[1])
compiled = load_track(setup["track"])
files = {"code/" + name[:-3] + ".mpy": compile_mpy(name, text) for name, text in source_modules().items()
         if name == "shared_rules/games/__init__.py" or "/" + setup["game"] + "/" in name}
files.update(device_files(compiled, load_board("mini")))
files["tracks/index.json"] = index_file([compiled])
files["text/en.pack"] = texts.pack_language("en")
race = Race(Setup.from_plain(setup, compiled.track), compiled.track)
while not race.over:
    race.answer(race.prompts[0].seat, race.bot_answer(race.prompts[0].seat))
print(json.dumps([{name: content.hex() for name, content in files.items()}, race.digest()]))
"""


def test_a_new_game_is_raced_as_changed_modules(tmp_path):
    copy = copy_with_a_game(tmp_path)
    setup = {"game": GAME, "variant": "standard", "track": GAME.replace("_", "-") + "-ring", "laps": 1, "seed": "0123456789",
             "salt": "a", "players": [["bot", "Bot 1"], ["bot", "Bot 2"]]}
    files, digest = json.loads(copy("-c", FILES, json.dumps(setup)))
    flash = FlashImage()
    flash.put("save/settings", settings(["teach", 0], ["pace", "instant"]))
    flash.put("code/for.txt", read_uf2(own_uf2()).mark.id.encode())
    for name, content in files.items():
        flash.put(name, bytes.fromhex(content))
    board = OwnPico(flash=flash)
    board.wait("hello", 10)
    board.send({"t": "hi", "v": 1})
    about = board.ask({"t": "info"}, "info")["about"]
    assert f"shared_rules.games.{GAME}.rules" in about["changed"] and about["left_out"] == []
    board.ask({"t": "start", "setup": setup}, "ok", 30)
    board.console.press(1, "OK")                   # no start lights
    board.wait("race", 1200, lambda message: message["state"] == "podium")
    assert f" {digest}" in board.journal().decode().replace("|", " ")
