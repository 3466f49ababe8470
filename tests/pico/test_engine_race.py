"""A whole race on an emulated Pico: keys pressed on its panels, prompts read from its port, lights and
display from its wires.

It runs if GRIDGLOW_UF2 names our own UF2, and takes some twenty minutes. By hand, with words about its progress:

    GRIDGLOW_UF2=build/gridglow-rp2040.uf2 PYTHONPATH=.:host:tests/help:tests/help/emulator \
        python tests/pico/test_engine_race.py
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from emulated import GRIDGLOW, UF2, Emulated, environment, needs_uf2
from settings_file import settings

from gridglow.boards.boardfile import load_board
from gridglow.device.port import Port
from gridglow.device.talk import Talk
from gridglow.tracks import load_track
from gridglow.virtual.pico.fitting import build_fitting
from gridglow.virtual.pico.flash import FlashImage

TRACK = "gp-ring"
RACE = {"game": "moto_grand_prix", "variant": "basic", "track": TRACK, "laps": 1, "dice": "device", "seed": "0123456789",
        "salt": "a", "players": [["person", "Ann"], ["person", "Ben"]]}
SETTINGS = [["teach", 0], ["pace", "instant"]]
RACE_S = 3000
ANSWER_S, FILE_S = 120, 600
SETTLED_S, AGAIN_S = 6, 30  # a press right after the last question isn't taken
FRAMES_KEPT = 400


def flash_of(folder, board="mini"):
    """A flash image with this one track, no teach mode, and no show that takes time; returns its file."""
    build_fitting(folder / "device", load_board(board), [load_track(TRACK)])
    image = FlashImage.from_folder(folder / "device")
    image.put("save/settings", settings(*SETTINGS))
    image.save(folder / "flash.img")
    return folder / "flash.img"


class Watcher:
    """Plays with the panels' keys, and keeps what the link and the wires show."""

    def __init__(self, pico, talk, say=lambda text: None):
        self.pico, self.talk, self.say = pico, talk, say
        self.state, self.panels, self.prompts = "", [], []
        self.lines, self.presses, self.faults = 0, 0, []
        self.mirrored = []                         # frames of output 1 as the mirror reports them
        self.shown = []                            # the display as the mirror reports it
        self.wire_frames = self.wire_known = 0     # frames seen on the wire, and those of them that the mirror reported too
        self.displays = self.displays_equal = 0

    def take(self, message):
        kind = message["t"]
        if kind == "race":
            self.state, self.panels = message["state"], message["panels"]
        elif kind == "prompts":
            self.prompts = message["list"]
        elif kind == "line":
            self.lines = max(self.lines, message["i"])
        elif kind == "px" and message["o"] == 0:
            self.mirrored = [*self.mirrored, message["d"]][-FRAMES_KEPT:]
        elif kind == "show":
            self.shown = [line.strip() for line in message["lines"]]
        elif kind == "fault":
            self.faults.append(message["say"])

    def hear(self, seconds):
        for message in self.talk.messages(seconds):
            self.take(message)

    def compare(self):
        """Compares the wires with the mirror's reports before and after: a car's rhythm has several frames."""
        seen = [self.pico.do(do="pixels", output=0)["pixels"]]
        lines = [line.strip() for line in self.pico.do(do="display")["lines"]]
        for _ in range(4):
            self.hear(1.5)
            seen.append(self.pico.do(do="pixels", output=0)["pixels"])
        self.hear(4)
        self.wire_frames += len(set(seen))
        self.wire_known += len(set(seen) & set(self.mirrored))
        self.displays += 1
        self.displays_equal += lines == self.shown

    def play(self):
        """Plays to the podium. Raises AssertionError if it isn't reached."""
        begun = time.monotonic()
        pressed, pressed_s = None, 0
        opened, opened_s = None, 0
        while self.state != "podium":
            assert time.monotonic() - begun < RACE_S, f"no podium: {self.state}, line {self.lines}, {self.prompts}"
            self.hear(0.5)
            asked = [prompt for prompt in self.prompts if prompt["seat"]]
            if self.state != "race" or not asked:
                continue
            one = asked[0]
            if one["serial"] != opened:
                opened, opened_s = one["serial"], time.monotonic()
            if time.monotonic() - opened_s < SETTLED_S:
                continue
            if one["serial"] == pressed and time.monotonic() - pressed_s < AGAIN_S:
                continue
            if self.presses % 8 == 3:
                self.compare()
            panel = next(at for at, seats in enumerate(self.panels, 1) if one["seat"] in seats)
            self.pico.do(do="press", panel=panel, key="OK")
            self.presses += 1
            pressed, pressed_s = one["serial"], time.monotonic()
            self.say(f"{time.monotonic() - begun:5.0f} s, line {self.lines}: {one['kind']} {one['say']} → panel {panel}")
        return time.monotonic() - begun


def race(folder, say=lambda text: None):
    """The whole race; returns its results."""
    begun = time.monotonic()
    with Emulated(folder, "mini", "--flash", flash_of(folder)) as pico:
        talk = Talk(Port(pico.port))
        one = Watcher(pico, talk, say)
        talk.on_message = one.take
        talk.hello(ANSWER_S)
        one.hear(10)
        talk.ask({"t": "mirror", "on": 1}, "ok", ANSWER_S)
        talk.ask({"t": "start", "setup": RACE}, "ok", ANSWER_S)
        say(f"{time.monotonic() - begun:5.0f} s: the race has started")
        raced_s = one.play()
        one.compare()
        strip = pico.do(do="pixels", output=0)
        emulated_s = pico.do(do="state")["us"] / 1e6
        say(f"podium after {raced_s:.0f} s; frames {one.wire_known} of {one.wire_frames}, displays {one.displays_equal} of "
            f"{one.displays}; {strip['frames']} frames on the wire, {strip['bad']} wrong; {one.presses} presses, faults "
            f"{one.faults}")
        name, journal = talk.ask_file({"t": "journal"}, FILE_S)
        talk.close()
    (folder / "race.journal").write_bytes(journal)
    done = subprocess.run([*GRIDGLOW, "replay", str(folder / "race.journal"), "--json"], env=environment(folder),
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {"replay": json.loads(done.stdout), "journal": journal.decode(), "lines": one.lines, "presses": one.presses,
            "faults": one.faults, "bad_frames": strip["bad"], "frames": strip["frames"],
            "wire": (one.wire_known, one.wire_frames), "displays": (one.displays_equal, one.displays),
            "race_s": round(raced_s), "emulated_s": round(emulated_s, 1), "all_s": round(time.monotonic() - begun)}


@needs_uf2
def test_a_race_from_the_start_to_the_podium(tmp_path):
    done = race(tmp_path)
    assert done["faults"] == [] and done["bad_frames"] == 0
    replay = done["replay"]
    assert replay["over"] and done["lines"] == replay["lines"] == replay["checked"] >= 10, done
    assert done["journal"].splitlines()[-1].endswith(f"| {replay['public_digest']} {replay['digest']}"), done
    known, seen = done["wire"]
    assert known >= seen * 2 // 3 > 3, done["wire"]
    equal, displays = done["displays"]
    assert equal >= displays - 1 > 0, done["displays"]


if __name__ == "__main__":
    assert UF2, "GRIDGLOW_UF2 names no UF2 file."
    result = race(Path(tempfile.mkdtemp(prefix="race-")), lambda text: print(text, flush=True))
    print({key: value for key, value in result.items() if key != "journal"})
    sys.exit(0)
