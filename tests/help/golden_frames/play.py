"""Plays a scripted race and prints the lights: for every frame its time and the CRC of each strip.

Runs on CPython and on MicroPython: ``main([ROOT, SCRIPT, TRACK])``. Every ``KEY_EVERY`` frames the whole
frame follows in hex, so that a difference can be examined.
"""

import binascii

#: name: (pace, setup, keys: one every ``every_ms``, run_ms, skip the start lights)
SCRIPTS = {
    "two_bots": {
        "pace": "fast", "every_ms": 0, "keys": (), "run_ms": 45000, "seed": "golden-1",
        "players": [["bot", "Bo"], ["bot", "Cy"]], "laps": 1, "dice": "device",
    },
    "two_people": {
        "pace": "normal", "every_ms": 430, "run_ms": 50000, "seed": "golden-2",
        "keys": ("1 OK", "2 OK", "1 NEXT", "2 NEXT", "1 OK", "2 OK", "1 WHY", "1 OK", "2 WHY", "2 OK", "1 OK", "2 OK",
                 "1 UNDO", "1 PREV", "1 OK", "2 OK"),
        "players": [["person", "Ann"], ["person", "Ben"]], "laps": 1, "dice": "device",
    },
    "dice_of_the_table": {
        "pace": "fast", "every_ms": 230, "run_ms": 40000, "seed": "golden-3",
        "keys": ("1 NEXT", "1 OK", "1 NEXT", "1 OK", "1 OK", "1 OK", "3 OK", "3 NEXT", "3 OK", "3 OK", "3 OK",
                 "2 WHY", "2 PREV"),
        "players": [["person", "Ann"], ["bot", "Bo"], ["person", "Cy"]], "laps": 1, "dice": "table",
    },
    "standard_dials": {
        "pace": "fast", "every_ms": 370, "run_ms": 45000, "seed": "golden-5", "variant": "standard",
        "keys": ("1 OK", "2 OK", "1 NEXT", "2 NEXT", "1 NEXT", "2 PREV", "1 OK", "2 OK", "1 PREV", "2 OK", "1 OK", "2 PREV",
                 "1 OK", "2 OK"),
        "players": [["person", "Ann"], ["person", "Ben"], ["bot", "Cy"]], "laps": 1, "dice": "device",
    },
}

KEY_EVERY = 300


class Player:
    """Runs one script."""

    def __init__(self, root, name, out):
        from script_hal import Script, ScriptHal, clear_save

        from glow.app import App
        from glow.store.store import Settings
        self.script = SCRIPTS[name]
        self.out = out
        clear_save(root)
        Settings(root + "/save").put("teach", 0)
        self.hal = ScriptHal(root, keep_messages=False)
        self.hal.look_us = 1                       # as if work took no time: the frames depend on lights alone
        self.app = App(self.hal, pace=self.script["pace"])
        self.driver = Script(self.app)
        self.driver.on_tick = self.look
        self.shown = 0
        self.frames = 0

    def play(self, track):
        """Plays the whole script."""
        script = self.script
        plain = {"game": "moto_grand_prix", "track": track, "laps": script["laps"], "players": script["players"],
                 "variant": script.get("variant", "basic"), "dice": script["dice"], "seed": script["seed"], "salt": "golden"}
        say = self.app.start_race(plain)
        if say:
            raise ValueError(say)
        every = script["every_ms"]
        keys = script["keys"]
        gone = 0
        at = 0
        while gone < script["run_ms"]:
            if every and gone >= (at + 1) * every:
                panel, key = keys[at % len(keys)].split(" ")
                self.hal.edge(int(panel), key, 1)
                self.driver.run(50)
                self.hal.edge(int(panel), key, 0)
                gone += 50
                at += 1
            self.driver.tick()
            gone += self.driver.tick_ms
        if self.hal.errors:
            raise self.hal.errors[0]
        race = self.app.race
        self.out("# %s, %d frames, race %s after %d answers" % (self.app.state, self.frames,
                                                                 race.digest() if race else "-",
                                                                 race.lines if race else 0))

    def look(self):
        strips = [strip for strip in self.hal.pixels if strip.count]
        count = sum([strip.frames for strip in strips])
        if count == self.shown:
            return
        self.shown = count
        self.frames += 1
        self.out("%d %s" % (self.hal.ticks_ms(), " ".join(["%08x" % strip.crc() for strip in strips])))
        if self.frames % KEY_EVERY == 0:
            for strip in strips:
                for at in range(0, len(strip.frame), 120):
                    self.out("= " + binascii.hexlify(strip.frame[at:at + 120]).decode())


def main(arguments):
    """``ROOT SCRIPT TRACK``"""
    root, name, track = arguments[:3]
    Player(root, name, print).play(track)
