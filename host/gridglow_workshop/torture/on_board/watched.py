"""Plays a programme (watched.json) in a device folder, on CPython and a fake clock, and writes every frame that the outputs
get. Each line begins with F (a frame: its time, and after the line the bytes of all outputs) or N (a
note, JSON). Keys are pressed at random, from the programme's own stream.
"""

import json
import random
import sys

from glow.app import App
from hal.virtual import VirtualHal
from shared_rules.chance import Chance
from shared_rules.link_lines import KEYS

#: After this long without progress, a recorded race's answers are abandoned, and random answers go on.
LOST_MS = 9000
PODIUM_MS = 3000
LIKELY_KEYS = ("OK", "OK", "OK", "OK", "NEXT", "PREV", "UNDO", "WHY", "MENU")
ENGINE_VERBS = ("undo", "correct", "leave", "source")
#: Methods of the lights that take no time argument.
TIMELESS = ("set_panels", "set_calm", "set_brightness", "set_speed", "set_cars", "drop_track", "spend", "load_track")


class Nobody:
    """The other end of a pipe where nobody is."""

    def read(self, _ms):
        return b""

    def write(self, data):
        return len(data)


class Picture:
    """A scene in the form that the lights expect."""

    def __init__(self, has):
        self.cars = has.get("cars", [])
        self.marks = has.get("marks", [])
        self.dials = has.get("dials", [])
        self.lines = []


class Player:
    """The board with its programme, a dict."""

    def __init__(self, job, out):
        self.job = job
        self.out = out
        self.frame_ms = job["frame_ms"]
        self.chance = random.Random(job["seed"])
        self.hal = hal = VirtualHal(".", fake_clock=True, mirror=False, pipe=Nobody(), start_ms=1000)
        hal.ticks_us = lambda: hal.ticks_ms() * 1000
        hal.urandom = lambda count: bytes([self.chance.randrange(256) for _ in range(count)])
        hal.ended = job.get("ended", "")
        self.shown = [bytes(3 * output.count) for output in hal.pixels]
        self.fresh = False
        for place, output in enumerate(hal.pixels):
            self._tap(place, output)
        sound = hal.sound.play

        def play(name):
            if not hal.sound.mute:
                self.note("sound", name)
            sound(name)

        hal.sound.play = play
        self.app = App(hal, pace=job.get("pace") or None)
        self.limits = self.app.lights.limits
        self.given = 0  # answers of a recorded race
        self.lines = -1
        self.lines_ms = 0

    def _tap(self, place, output):
        usual = output.show

        def show(frame):
            self.shown[place] = bytes(frame)
            self.fresh = True
            usual(frame)

        output.show = show

    def note(self, *what):
        """Writes a note."""
        self.out.write(b"N " + json.dumps(what).encode() + b"\n")

    def play(self):
        """Plays all steps."""
        for step in self.job["steps"]:
            getattr(self, "do_" + step[0])(*step[1:])
        self.out.flush()

    def send(self):
        """Writes the frame, if one was shown."""
        if self.fresh:
            self.fresh = False
            self.out.write(b"F %d\n" % self.hal.ticks_ms())
            for frame in self.shown:
                self.out.write(frame)

    def tick(self, ms):
        """Runs one tick of the board and advances the clock by this much."""
        self.app.tick(self.hal.ticks_ms())
        self.hal.poll(self.hal.ticks_ms())
        self.send()
        self.hal.advance(ms)

    # Steps

    def do_note(self, *what):
        """Writes a note."""
        self.note(*what)

    def do_run(self, ms, step_ms=0):
        """Leaves the board alone."""
        gone = 0
        while gone < ms:
            self.tick(step_ms or self.frame_ms)
            gone += step_ms or self.frame_ms

    def do_set(self, key, value):
        """Changes a setting in the menu."""
        self.app.set(key, value)

    def do_go(self, state):
        """Goes to another screen."""
        self.app.go(state)

    def do_panels(self, count):
        """From now on this many panels answer."""
        self.hal.panel_count = count
        self.hal.parts_serial += 1

    def do_press(self, panel, key):
        """Presses a key and releases it."""
        for down in (1, 0):
            self.hal._far_keys.put(self.hal.ticks_ms(), panel, KEYS.index(key), down)
            self.do_run(40, 20)

    def do_lights(self, calls, ms):
        """Calls of the lights alone ([after this many ms, method, arguments]), without the rest of the board."""
        gone = 0
        calls = list(calls)
        while gone < ms or calls:
            now = self.app.now = self.hal.ticks_ms()
            while calls and calls[0][0] <= gone:
                _, method, args = calls.pop(0)
                self.call(method, args, now)
            self.app.lights.tick(now)
            self.send()
            self.hal.advance(self.frame_ms)
            gone += self.frame_ms

    def call(self, method, args, now):
        """One call of the lights, including a few of our own."""
        lights = self.app.lights
        if method == "scene":
            lights.scene(Picture(args[0]), args[0].get("events", ()), now)
        elif method == "load":
            from glow.board import races
            from glow.lights import leds_file
            from shared_rules import finish
            lights.load_track(leds_file.load(self.hal, args[0]), finish(races.loading_track(self.app, args[0])))
        elif method == "marks":                    # the words and colours of marks, as in a game
            lights.mark_colours = dict(args[0])
        elif method == "acting":
            lights.acting(args[0], now, args[1])
        elif method in TIMELESS:
            getattr(lights, method)(*args)
        elif method == "start_sequence":
            lights.start_sequence(now, *args)
        else:
            getattr(lights, method)(*args, now)

    def do_raw(self, ms, kind, outputs):
        """Frames that no effect draws, on some outputs: "white", "noise", "strobe", "colours"."""
        gone = 0
        chance = self.chance
        while gone < ms:
            for place in range(len(self.hal.pixels)):
                frame = self.limits.frame(place)
                if place not in outputs:
                    frame[:] = bytes(len(frame))
                elif kind == "white":
                    frame[:] = b"\xff" * len(frame)
                elif kind == "noise":
                    frame[:] = bytes([chance.randrange(256) for _ in range(len(frame))])
                elif kind == "strobe":
                    frame[:] = bytes([255 * chance.randrange(2)]) * len(frame)
                else:
                    words = (b"\xff\0\0", b"\0\xff\0", b"\0\0\xff", b"\0\0\0")
                    frame[:] = b"".join([chance.choice(words) for _ in range(len(frame) // 3)])
            self.limits.show(self.hal.ticks_ms())
            self.send()
            self.hal.advance(self.frame_ms)
            gone += self.frame_ms

    def do_podium(self, plain, ms):
        """A race of bots at full speed, and what is shown at its end."""
        app = self.app
        app.start_race(plain)
        app.instant = True
        while app.state != "podium":
            app.tick(self.hal.ticks_ms())
            self.hal.poll(self.hal.ticks_ms())
            self.hal.advance(1000)
        app.instant = False
        self.do_run(ms)
        app.stop_race()

    def do_race(self, plain, answers, ms, keys):
        """A race until its podium was shown for a while, or for this long: keys are pressed at random, after ``keys`` of the
        frames, or the ``answers`` of a recorded race are given. Notes whether it reached its end, and its digest."""
        say = self.app.start_race(plain)
        self.note("race", say)
        if say:
            return
        hands = Chance("watched %d" % self.job["seed"], "hands")
        self.given = podium = 0
        self.lines = -1
        while ms > 0 and podium < PODIUM_MS and self.app.state != "idle":
            self.tick(self.frame_ms)
            ms -= self.frame_ms
            if self.app.state == "podium":
                podium += self.frame_ms
            if answers is not None:
                self._answer(answers, hands)
            elif self.chance.random() < keys:
                self.do_press(1 + self.chance.randrange(max(1, self.hal.panel_count)), self.chance.choice(LIKELY_KEYS))
                ms -= 80
        race = self.app.race
        over = race is not None and race.over
        self.note("over", over, self.app.state, race.digest() if over else "")
        self.app.stop_race()

    def _answer(self, answers, hands):
        """Gives the next of the answers (seat, text) as soon as its seat is asked."""
        app = self.app
        table = app.table
        race = app.race
        if table is None or race is None:
            return
        if (table.answering.moving or table.answering.works() or table.answering.offers
                or app.lights.busy(app.now)):
            return
        if self.lines != race.lines:
            self.lines = race.lines
            self.lines_ms = app.now
        lost = app.now - self.lines_ms > LOST_MS
        while self.given < len(answers) and race.setup.is_bot(answers[self.given][0]):
            if race.lines <= self.given and not lost:
                return                             # the bot will give it
            self.given += 1
        if self.given < len(answers):
            seat, text = answers[self.given]
            verb = text.split(" ")[0]
            if verb in ENGINE_VERBS:
                if race.lines >= self.given:
                    self.given += 1
                    table.answering.offer(seat, 0, text)
                return
            for prompt in race.prompts:
                if prompt.seat == seat or not prompt.seat:
                    self.given += 1
                    by_board = prompt.kind == verb and verb in ("roll", "draw") and prompt.source == "device"
                    table.answering.offer(seat, prompt.serial, verb if by_board else text)
                    return
        if lost or self.given >= len(answers):
            for prompt in race.prompts:
                if not race.is_for_bot(prompt):
                    table.answering.offer(prompt.seat or 1, prompt.serial, prompt.sample(hands))
                    return


if __name__ == "__main__":
    with open("watched.json") as file:
        Player(json.load(file), sys.stdout.buffer).play()
