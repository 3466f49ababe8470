"""Races in which one part after the other fails, vanishes and returns, in a real board's loop.

Reads a job of JSON from its input: ``races``, the set-ups, each raced once without faults and then with faults;
``faults``: how many for each (0: every kind); ``flash``: the folder for the saves; ``pace``; ``seed``; ``wraps``: whether
the clock restarts during the race. Its last line is the result, as JSON.
"""

import json
import os
import sys

import breaking
import busy_board
from busy_board import answer_of, is_asked, run, switched_on

from shared_rules.chance import Chance

NOTICED_MS = 1000
#: This long after a fault is over, everything must be as before; a part that has failed rests for a second.
WELL_MS = 2600
#: What breaks once breaks when it's next needed; the longest wait for that.
WAITS_MS = 60000
TICKS_MOST = 60000
#: During faults people answer once in this many ticks, so that there is a race to break.
THINK_TICKS = 12

found = {"tried": 0, "survived": 0, "slowest_ms": 0, "memory": 0, "stopped": 0, "races": 0, "failures": []}


class Races:
    """One race, first normally and then with faults: directs the board (see busy_board)."""

    def __init__(self, job, setup, seed, pace, faults, start_ms):
        self.seed = seed
        self.faults = faults
        self.fault = None
        self.failed = 0
        self.chance = Chance(seed, "faults")
        self.ticks = 0
        self.app = switched_on(job["flash"], start_ms, pace)
        self.hal = self.app.hal
        self.next_line = 1 + self.chance.below(6)
        self.what = "%s %s on %s, seed %s" % (setup["game"], setup["variant"], setup["track"], seed)
        self.end = ""
        say = self.app.start_race(setup)
        if say:
            self.fail("could not be started: " + say)
        else:
            run(self.app, self)

    def fail(self, what):
        found["failures"].append("%s: %s" % (self.what, what))
        self.failed += 1

    # Once per tick

    def step(self):  # noqa: C901 a step is one of many things that people do
        app = self.app
        now = self.hal.ticks_ms()
        fault = self.fault
        self.ticks += 1
        if fault:
            gone = self.hal.ticks_diff(now, self.begun_ms)
            if fault.optional and not self.over_ms:           # no memory for anything else
                if gone >= fault.lasts_ms:
                    fault.end(app)
                    self.over_ms = now
                return
            if self.waits and fault.fired:
                self.waits = False
                self.begun_ms = now
                gone = busy_board.TICK_MS
            if not self.waits:
                self.watch(fault, now, gone)
            elif app.state == "podium" or gone > WAITS_MS:    # what it would have broken wasn't needed
                fault.end(app)
                self.fault = None
                found["tried"] -= 1
        elif self.faults and app.state == "race" and app.race and app.race.lines >= self.next_line and is_asked(app):
            self.begin(now)
        if self.ticks > TICKS_MOST:
            self.fail("everything has stopped, in state %s: %s" % (app.state, "; ".join(app.faults)))
            self.stop()
        elif app.state == "podium":
            if not self.fault:
                self.end = app.race.digest()
                self.stop()
        elif app.state == "idle":
            if not app.saved_race():
                self.fail("the race is gone: " + "; ".join(app.faults))
                self.stop()
            elif not self.fault or self.over_ms:
                found["stopped"] += 1
                say = app.resume_race()
                if say:
                    self.fail("the saved race couldn't be resumed: " + say)
                    self.stop()
        elif is_asked(app) and (not self.fault or self.waits or self.ticks % THINK_TICKS == 0):
            seat, serial, text = answer_of(app.race, self.seed)
            app.table.answering.offer(seat, serial, text)

    def crashed(self, error):
        """The director itself has failed: for lack of the memory that it took, or this trial is wrong."""
        if not (self.fault and self.fault.optional and isinstance(error, MemoryError)):
            self.fail("the trial failed with %s %s" % (type(error).__name__, error))
            if hasattr(sys, "print_exception"):
                sys.print_exception(error, sys.stderr)
            self.stop()

    def stop(self):
        if self.fault and not self.over_ms:
            self.fault.end(self.app)
        self.hal.host.reads = True
        self.app.stopped = True

    # A fault

    def begin(self, now):
        self.fault = fault = self.faults.pop(0)
        app = self.app
        app.hal.crashes = 0
        try:
            os.remove(app.hal.path("save/crash"))
        except OSError:
            pass
        self.tells = app.faults
        self.hal.host.faults = []
        self.begun_ms = now
        self.over_ms = 0
        self.noticed_ms = self.shown_ms = -1
        self.waits = fault.once
        self.frames = app.lights.frames
        self.place = "line %d" % app.race.lines
        found["tried"] += 1
        fault.begin(app)

    def watch(self, fault, now, gone):
        app = self.app
        say = self.say(fault)
        if say and self.noticed_ms < 0:
            self.noticed_ms = gone
        if say and self.shown_ms < 0 and say.replace(" ", "")[:24] in self.hal.shown():
            self.shown_ms = gone
        if not self.over_ms:
            fault.tick(app)
            if gone >= (NOTICED_MS if fault.once else fault.lasts_ms):
                fault.end(app)
                self.over_ms = now
                self.frames = app.lights.frames
        elif self.hal.ticks_diff(now, self.over_ms) >= WELL_MS:
            before = self.failed
            self.judge(fault, say)
            self.fault = None
            self.next_line = app.race.lines + self.chance.below(4) if app.race else 0
            if self.failed == before:
                found["survived"] += 1

    def say(self, fault):
        """The sentence about the fault, or ""."""
        app = self.app
        if app.faults is self.tells:
            return ""
        for say in app.faults:
            if fault.says and fault.says in say and say not in self.tells:
                return say
        return ""

    def judge(self, fault, say):  # noqa: C901 one thing after the other that must hold
        """The fault is over: did everything happen that had to?"""
        app = self.app
        at = "%s at %s" % (fault.name, self.place)
        if fault.optional:
            if app.faults is not self.tells:
                found["memory"] += 1
                if not say and fault.says not in app.faults[-1]:      # the same sentence may be told a second time
                    self.fail("%s: %s was told, and not that there is not enough memory" % (at, app.faults[-1]))
        elif fault.says:
            if not say:
                self.fail("%s wasn't noticed within a second" % at)
                return
            found["slowest_ms"] = max(found["slowest_ms"], self.noticed_ms)
            if self.noticed_ms > NOTICED_MS:
                self.fail("%s was noticed after %d ms" % (at, self.noticed_ms))
            if not fault.blind and not 0 <= self.shown_ms <= NOTICED_MS:
                self.fail("%s: the display didn't show %r within a second" % (at, say))
            if say not in self.hal.host.faults:
                self.fail("%s: the host didn't get %r" % (at, say))
            if fault.box not in self.box():
                self.fail("%s: the crash box doesn't hold %r" % (at, fault.box))
        elif app.faults is not self.tells:
            self.fail("%s: %s was reported without need" % (at, app.faults[-1]))
        if fault.back and not [1 for said in self.hal.host.faults if fault.back in said]:
            self.fail("%s: its return wasn't reported" % at)
        if app.state == "race" and app.screen is None:
            self.fail("%s: the table didn't come back: %s" % (at, "; ".join(app.faults)))
        if app.lights.frames == self.frames:
            self.fail("%s: no light has moved since" % at)
        if not self.hal.shown():
            self.fail("%s: the display stays empty" % at)
        if app.link.deaf or not self.hal.listened:
            self.fail("%s: the host gets no more messages" % at)

    def box(self):
        try:
            with open(self.hal.path("save/crash")) as file:
                return file.read()
        except OSError:
            return ""


def main():
    job = json.loads(sys.stdin.read())
    chance = Chance(job["seed"], "cases")
    for number in range(len(job["races"])):
        setup = job["races"][number]
        for name in ("race.log", "race.a", "race.b", "crash"):
            try:
                os.remove(job["flash"] + "/save/" + name)
            except OSError:
                pass
        seed = "%s/%d" % (job["seed"], number)
        whole = Races(job, setup, seed, "instant", [], 1000).end
        faults = breaking.kinds(hasattr(sys, "print_exception"))
        chance.shuffle(faults)
        if job["faults"]:
            faults = faults[:job["faults"]]
        for one in faults:
            one.lasts_ms += chance.below(300)
        rounds = 0
        while faults and rounds < 12:
            rounds += 1
            start_ms = busy_board.WRAP_MS - 500 - chance.below(20000) if job["wraps"] else 1000
            race = Races(job, setup, seed, job["pace"], faults, start_ms)
            found["races"] += 1
            if race.end != whole and not race.failed:
                race.fail("the race with faults ended with %s, without with %s" % (race.end or "nothing", whole))
            if race.failed:
                break
    print("\n" + json.dumps(found))


main()
