"""Races of all games, one after the other on a board that is never switched off: people press random keys, parts
fail, vanish and return, and the clock restarts in every race.

Reads a job of JSON from its input: ``races``, a file with one line [set-up, pace] per race; ``flash``, the folder for the
saves; ``journals``: the folder for each race's journal, and the file ``races``: one line [answers, digest, heap in
use after it] per race. Its last line is the result, as JSON.
"""

import gc
import json
import os
import sys

import breaking
import busy_board
from busy_board import answer_of, is_asked, run, switched_on

from glow.lights.lights import Lights
from shared_rules.chance import Chance
from shared_rules.link_table import TO_BOARD, encode

TICKS_MOST = 60000
#: From then on people only answer, as random keys alone would never end the race.
SOBER_TICKS = 1500
FAULT_EVERY = 250
WELL_TICKS = 90
KEYS = ("OK",) * 11 + ("NEXT",) * 5 + ("PREV",) * 3 + ("UNDO", "UNDO", "WHY", "WHY", "MENU")
MENU_KEYS = ("NEXT", "NEXT", "PREV", "OK", "OK", "UNDO", "MENU")

found = {"faults": 0, "presses": 0, "resumed": 0, "failures": []}


class Evening:
    """One race of a long evening: directs the board (see busy_board)."""

    def __init__(self, app, number, setup, chance, with_memory):
        self.app = app
        self.hal = app.hal
        self.chance = chance
        self.seed = setup["seed"]
        self.ticks = 0
        self.ups = []  # pressed keys: tick, panel, key
        self.fault = None
        self.fault_ends = 0
        self.with_memory = with_memory
        self.digest = ""
        self.answers = 0
        self.quiet = 0
        self.what = "race %d, %s %s on %s" % (number, setup["game"], setup["variant"], setup["track"])
        self.hal.jump_to(busy_board.WRAP_MS - 1 - chance.below(20000))
        say = app.start_race(setup)
        if say:
            self.fail("could not be started: " + say)
        else:
            run(app, self)
        self.end_fault()

    def fail(self, what):
        found["failures"].append("%s: %s" % (self.what, what))

    def crashed(self, error):
        if not (self.fault and self.fault.optional and isinstance(error, MemoryError)):
            self.fail("the trial failed with %s %s" % (type(error).__name__, error))
            if hasattr(sys, "print_exception"):
                sys.print_exception(error, sys.stderr)
            self.app.stopped = True

    # Once a tick

    def step(self):
        app = self.app
        self.ticks += 1
        if self.fault and self.ticks >= self.fault_ends:
            self.end_fault()
        if self.fault and self.fault.optional:        # no memory for anything else
            return
        if self.fault:
            self.fault.tick(app)
        while self.ups and self.ups[0][0] <= self.ticks:
            _, panel, key = self.ups.pop(0)
            self.edge(panel, key, 0)
        if self.hal.errors:
            self.look_at_errors()
        if self.ticks > TICKS_MOST:
            self.fail("everything has stopped, in state %s: %s" % (app.state, "; ".join(app.faults)))
            app.stopped = True
        elif app.state == "podium":
            self.end_fault()
            self.quiet += 1
            if self.quiet > WELL_TICKS and not self.ups:
                self.finish()
        elif app.state == "race" or app.state == "start":
            if not self.fault and self.ticks < SOBER_TICKS and self.chance.below(FAULT_EVERY) == 0:
                self.begin_fault()
            self.act()
        elif self.ticks % 40 == 0:
            self.back()

    def back(self):
        """Resumes a race that somebody has left by the menu, or that couldn't go on."""
        app = self.app
        if not app.saved_race():
            self.fail("the race is gone, in state %s: %s" % (app.state, "; ".join(app.faults)))
            app.stopped = True
        elif app.state == "idle":
            say = app.safely("race", app.resume_race)  # guarded, like the menu's and the link's; retried on failure
            found["resumed"] += 1
            if say:
                self.fail("the saved race couldn't be resumed: " + say)
                app.stopped = True
        else:
            app.stop_race()

    # People

    def edge(self, panel, key, down):
        self.hal.host.says += encode(TO_BOARD, {"t": "key", "p": panel, "k": key, "d": down}, 1).encode()

    def press(self, panel, key, ticks):
        if [1 for _, on, held in self.ups if on == panel and held == key]:
            return
        found["presses"] += 1
        self.edge(panel, key, 1)
        self.ups.append((self.ticks + ticks, panel, key))
        self.ups.sort(key=lambda up: (up[0], up[1], up[2]))  # unique: a key is held once

    def act(self):
        app = self.app
        if self.ticks > SOBER_TICKS or app.panel_count == 0:
            if app.table and app.table.menu:
                app.table.close_menu()
            if is_asked(app):
                seat, serial, text = answer_of(app.race, self.seed)
                app.table.answering.offer(seat, serial, text)
            return
        if self.ticks % 3 or len(self.ups) > 4:
            return
        chance = self.chance
        panel = 1 + chance.below(app.panel_count)
        if app.table and app.table.menu:
            self.press(panel, chance.die(MENU_KEYS), 1 + chance.below(3))
            return
        if app.race and app.race.prompts and chance.below(10):
            asked = chance.die(app.race.prompts).seat
            panel = app.panels.panel_of(asked) or panel
        if chance.below(6) == 0 and is_asked(app):    # from the page
            seat, serial, text = answer_of(app.race, "%s/%d" % (self.seed, self.ticks))
            message = {"t": "answer", "seat": seat, "serial": serial, "text": text}
            self.hal.host.says += encode(TO_BOARD, message, 1).encode()
            return
        key = chance.die(KEYS)
        how = chance.below(12)
        self.press(panel, key, 28 if how == 0 else 1 + chance.below(4))    # held
        if how == 1:                                  # twice, within 150 ms
            self.edge(panel, key, 0)
            self.edge(panel, key, 1)

    # Faults

    def begin_fault(self):
        if not is_asked(self.app):
            return
        self.fault = self.chance.die(breaking.kinds(self.with_memory))
        self.fault_ends = self.ticks + 2 + self.chance.below(90)
        if self.fault.optional:
            self.fault_ends = self.ticks + 1 + self.chance.below(12)
        found["faults"] += 1
        self.fault.begin(self.app)

    def end_fault(self):
        if self.fault:
            self.fault.end(self.app)
            self.fault = None

    def look_at_errors(self):
        """Checks each exception: on purpose, for lack of memory, or a mistake of the firmware."""
        for text, error in self.hal.errors:
            if breaking.PURPOSE not in text and not isinstance(error, MemoryError):
                self.fail("the firmware raised " + text)
                if hasattr(sys, "print_exception"):
                    sys.print_exception(error, sys.stderr)
        self.hal.errors = []

    # The end

    def finish(self):
        race = self.app.race
        self.digest = race.digest()
        self.answers = race.lines
        self.app.stopped = True


def used(app):
    """The heap in use on an idle board; 0 if that can't be determined."""
    app.stop_race()
    app.light(Lights.drop_track)
    now = app.hal.ticks_ms()
    for panel in range(app.panels.count()):           # each key takes up memory from its first press on
        for key in KEYS:
            app.panels.feed(now, panel + 1, key, 1)
            app.panels.feed(now, panel + 1, key, 0)
    app.panels.take(now)
    assert len(app.events) <= 20 and len(app.faults) <= 10
    app.events = []                                   # ring buffers: they fill up in the first races
    app.faults = []
    gc.collect()
    gc.collect()
    return gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0


def import_all(folder):
    """Imports every module, as each one stays once a race has needed it: so no race takes heap for code."""
    for name in sorted(os.listdir(folder)):
        path = folder + "/" + name
        if "." not in name:
            import_all(path)
        elif name[-4:] == ".mpy" and name[:2] != "__":
            __import__(path[:-4].replace("/", "."), None, None, ("x",))


def keep_journal(app, path):
    with open(path, "w") as file:
        for piece in app.race.journal_lines(True):
            file.write(piece)


def main():
    job = json.loads(sys.stdin.read())
    for folder in ("glow", "shared_rules"):
        import_all(folder)
    app = switched_on(job["flash"], busy_board.WRAP_MS - 5000, "instant")
    number = place = 0
    while True:
        with open(job["races"]) as file:              # a thousand set-ups take a megabyte of heap: one at a time
            file.seek(place)
            line = file.readline()
            place = file.tell()
        if not line or found["failures"]:
            break
        number += 1
        setup, pace = json.loads(line)
        line = None
        chance = Chance(setup["seed"], "evening")     # the same set-up is raced the same way twice
        app.pace = pace
        app.instant = pace == "instant"
        one = Evening(app, number, setup, chance, hasattr(gc, "mem_alloc"))
        if app.race and one.digest:
            keep_journal(app, "%s/%d.journal" % (job["journals"], number))
        row = [one.answers, one.digest]
        one = setup = None
        app.hal.director = None
        app.hal.host.says = b""
        app.hal.host.faults = []
        app.hal.crashes = 0
        row.append(used(app))
        with open(job["journals"] + "/races", "a") as file:    # not kept here, where no heap may be lost
            file.write(json.dumps(row) + "\n")
        row = None
    print("\n" + json.dumps(found))


main()
