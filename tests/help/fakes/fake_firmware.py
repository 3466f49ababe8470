"""A child that speaks the link like the firmware and plays a canned little race: for tests of host and page only.

It runs on CPython and MicroPython. There are no rules here: bikes run round a real track of 3 lanes, and each
turn asks for a roll, a flip and an end. Arguments make it fail on purpose:

--die N      end with a traceback at the N-th answer                           --mute      never say hello
--noise      mix garbage, half lines and wrong checksums into the output    --flood N   send N log lines at once
--headless   race by itself and say done    --quick    no pauses            --deaf      stop reading after hello
--table      dice come from the table: the prompt asks for faces            --row       light rows, not lanes
--secret     the flip prompt is secret, each seat holds a card (HAND-n), and the display shows it to its seat alone
--german     say hello in German             --dials N   a second dial a car, with the value N of 8
"""

import binascii
import select
import sys
import time

from shared_rules.link_table import FROM_BOARD, PROTOCOL, TO_BOARD, Decoder, encode

ROWS_OF = {"fabulous-driving-park": 44, "gp-ring": 57}
FIRST = "fabulous-driving-park"
LANES = 3
COLOURS = ("blue", "yellow", "red", "green", "white", "orange")
LIGHT = {"blue": (20, 60, 255), "yellow": (255, 190, 0), "red": (255, 20, 10), "green": (0, 220, 60),
         "white": (200, 200, 200), "orange": (255, 90, 0)}  # fmt: skip
MENU = {
    "t": "menu",
    "games": [
        {
            "id": "ring_game", "name": "Ring Game", "variants": [["basic", "Basic"], ["long", "Long"]],
            "options": [["bikes", ["1", "2"], "1", "Bikes a player"], ["reverse", ["no", "yes"], "no", "Run backwards"]],
            "seats": [2, 6], "decks": 0,
            "tracks": [
                {"id": FIRST, "name": "Fabulous Driving Park", "level": "basic", "number": 1, "laps": 3},
                {"id": "gp-ring", "name": "GP Ring", "level": "basic", "number": 2, "laps": 2},
            ],
        }
    ],
}  # fmt: skip


def now_ms():
    return time.ticks_ms() if hasattr(time, "ticks_ms") else int(time.monotonic() * 1000)


def space_name(space):
    return str(space // LANES + 1) + "abc"[space % LANES]


class Dice:
    def __init__(self, seed):
        self.state = seed % 65521 or 1

    def roll(self):
        self.state = self.state * 75 % 65537
        return self.state % 6 + 1


class Board:
    """The whole fake: one object, called by `tick`."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.quick = "--quick" in arguments or "--headless" in arguments
        self.table = "--table" in arguments
        self.row_light = "--row" in arguments
        self.die_at = self.number("--die")
        self.decoder = Decoder(TO_BOARD)
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)
        self.n = 0
        self.answers = 0
        self.setup = None
        self.rows = ROWS_OF[FIRST]
        self.state = "menu"
        self.lines = 0
        self.journal = []
        self.prompt = None
        self.serial = 0
        self.frame = [b"", b""]
        self.choice = 0
        self.due_ms = 0
        self.lights = 0
        self.blink = 0
        self.reset()

    def number(self, name):
        return int(self.arguments[self.arguments.index(name) + 1]) if name in self.arguments else 0

    # the pipe

    def send(self, message):
        self.n += 1
        out = sys.stdout.buffer
        line = encode(FROM_BOARD, message, self.n).encode()
        if "--noise" in self.arguments and self.n % 3 == 0:
            line = b"Traceback: noise \xff\n" + line[: len(line) // 2] + b"\n" + line[:-4] + b"0000\n" + line
        out.write(line)
        if hasattr(out, "flush"):
            out.flush()

    def read(self, wait_ms):
        if not self.poll.poll(wait_ms):
            return []
        try:
            if hasattr(time, "ticks_ms"):
                data = sys.stdin.buffer.read(4096)
            else:
                import os

                data = os.read(0, 4096)
        except OSError:
            return []
        if data == b"":
            sys.exit(0)
        return self.decoder.feed(data or b"")

    # the race

    def reset(self):
        self.cars = []
        self.dice = Dice(7)
        self.turn = 0
        self.mover = 0
        self.faces = []
        self.lap = 0

    def hello(self):
        outputs = [[420, "track"], [240, "dials"]]
        dials = []
        for panel in range(6):
            at = panel * 40
            for name, first, size in (("A", 0, 8), ("B", 8, 8), ("C", 16, 8), ("lap", 24, 8), ("value", 32, 8)):
                dials.append([panel + 1, name, 1, at + first, size])
        self.send({"t": "hello", "v": PROTOCOL, "fw": "fake", "board": "full", "outputs": outputs, "panels": 6,
                   "display": [21, 6], "impl": sys.implementation.name, "dials": dials,
                   "lang": "de" if "--german" in self.arguments else "en"})  # fmt: skip
        self.send(MENU)
        self.send_race()
        self.display("GRIDGLOW", "", "Ready. Choose", "New race or press OK")
        self.frame = [b"", b""]
        self.pixels()
        for at in range(self.number("--flood")):
            self.send({"t": "line", "i": at + 1, "seat": 1, "text": "flood", "say": "Line " + str(at + 1) + " of a flood.",
                       "clause": "", "pd": "00000000"})  # fmt: skip

    def send_race(self):
        setup = self.setup or {"game": "", "variant": "", "track": FIRST, "laps": 0, "players": []}
        message = {
            "t": "race", "state": self.state, "game": setup["game"], "variant": setup["variant"], "track": setup["track"],
            "laps": setup["laps"], "lap": self.lap, "seats": setup["players"],
            "cars": [[c["car"], c["seat"], c["label"], c["colour"], c["car"] - 1] for c in self.cars],
            "dice": "table" if self.table else "device", "decks": "device", "seed_hash": "5eed" * 4,
            "panels": [[seat] for seat in range(1, len(setup["players"]) + 1)],
        }  # fmt: skip
        if self.state == "start":
            message["lights"] = self.lights
        self.send(message)

    def start(self, message):
        setup = message["setup"]
        players = setup.get("players") or []
        if not 2 <= len(players) <= 6:
            self.send({"t": "no", "re": message["n"], "clause": "",
                       "say": "Expected 2 to 6 seats, got " + str(len(players)) + "; add or remove players."})  # fmt: skip
            return
        self.reset()
        self.setup = {"game": setup["game"], "variant": setup.get("variant") or "basic", "track": setup["track"],
                      "laps": setup.get("laps") or 3, "players": players}  # fmt: skip
        self.rows = ROWS_OF[self.setup["track"]]
        self.lines = 0
        self.journal = ["gridglow journal 1", "game: ring_game basic", ""]
        for seat in range(1, len(players) + 1):
            colour = COLOURS[seat - 1]
            self.cars.append({"car": seat, "seat": seat, "colour": colour, "label": colour[0].upper() + colour[1:] + " 1",
                              "row": -1 - (seat - 1) // LANES, "lane": (seat - 1) % LANES, "status": "run"})  # fmt: skip
        self.send({"t": "ok", "re": message["n"]})
        self.state = "start"
        self.lights = 0
        self.lap = 1
        self.send_race()
        self.send_scene([["grid", c["car"], space_name(self.space(c))] for c in self.cars])
        self.due_ms = now_ms() + (0 if self.quick else 500)

    def space(self, car):
        return car["row"] % self.rows * LANES + car["lane"]

    def line(self, seat, text, say, clause=""):
        self.lines += 1
        digest = "%08x" % (binascii.crc32((text + str(self.lines)).encode()) & 0xFFFFFFFF)
        self.journal.append(str(self.lines) + " " + text + " | " + digest)
        self.send({"t": "line", "i": self.lines, "seat": seat, "text": text, "say": say, "clause": clause, "pd": digest})

    def send_scene(self, events):
        self.lap = min(self.setup["laps"], max(1, max([c["row"] for c in self.cars]) // self.rows + 1))
        more = self.number("--dials")
        self.send({
            "t": "scene", "cars": [[c["car"], space_name(self.space(c)), c["status"]] for c in self.cars],
            "lap": self.lap, "laps": self.setup["laps"], "lines": ["Turn " + str(self.turn)],
            "dials": [[c["seat"], c["car"], "Lap", max(1, c["row"] // self.rows + 1), self.setup["laps"]]
                      for c in self.cars] + [[c["seat"], c["car"], "Grip", more, 8] for c in self.cars if more],
            "events": events,
        })  # fmt: skip
        self.pixels()

    def ranking(self, final=False):
        order = sorted(self.cars, key=lambda c: (-c["row"], c["car"]))
        points = (25, 20, 16, 13, 11, 10)
        rows = [[c["seat"], c["car"], at + 1, points[at] if final else 0, c["label"]] for at, c in enumerate(order)]
        self.send({"t": "standings", "list": rows, "final": 1 if final else 0})
        return rows

    def open(self, kind, ask, say, choices, labels, dice):
        car = self.cars[self.mover]
        self.serial += 1
        self.choice = 0
        secret = "--secret" in self.arguments and ask == "flip"
        self.prompt = {"serial": self.serial, "seat": car["seat"], "car": car["car"], "kind": kind, "ask": ask, "args": [],
                       "note": None, "secret": secret, "choices": None if secret else choices, "dice": dice,
                       "source": "table" if self.table else "device", "say": say,
                       "labels": [] if secret else labels}  # fmt: skip
        self.options = choices
        self.labels = labels
        self.send({"t": "prompts", "list": [self.prompt]})
        self.show_prompt()
        self.pixels()
        bot = self.setup["players"][car["seat"] - 1][0] == "bot"
        self.due_ms = now_ms() + (0 if self.quick else 700) if bot else 0

    def show_prompt(self):
        car = self.cars[self.mover]
        name = self.setup["players"][car["seat"] - 1][1]
        if self.prompt["secret"]:
            self.display("", "", "HAND-%d" % car["seat"], private=car["seat"])
            return
        pick = self.prompt["labels"][self.choice] if self.prompt["labels"] else "OK to roll"
        lap = "LAP %d/%d" % (self.lap, self.setup["laps"])
        self.display(name, car["label"], "", self.prompt["say"][:21], "> " + pick, lap)

    def display(self, *lines, private=0):
        texts = ["".join([x if ord(x) < 127 else "?" for x in text])[:21] for text in lines]
        while len(texts) < 6:
            texts.append("")
        self.send({"t": "show", "lines": texts, "private": private})

    def ask_roll(self):
        car = self.cars[self.mover]
        faces = [1, 2, 3, 4, 5, 6]
        self.open("roll", "roll", car["label"] + ": roll two dice.", None, [], [faces, faces])

    def ask_flip(self):
        self.open("choose", "flip", "Flip dice or keep the roll?", ["flip none", "flip 1", "flip 2"],
                  ["Keep " + str(sum(self.faces)), "Flip the first: %d" % (sum(self.faces) + 7 - 2 * self.faces[0]),
                   "Flip the second: %d" % (sum(self.faces) + 7 - 2 * self.faces[1])], [])  # fmt: skip

    def ends(self):
        car = self.cars[self.mover]
        row = car["row"] + sum(self.faces)
        taken = [self.space(c) for c in self.cars if c is not car]
        return [s for s in range(row % self.rows * LANES, row % self.rows * LANES + LANES) if s not in taken]

    def ask_go(self):
        names = [space_name(s) for s in self.ends()]
        self.open("choose", "go", "Where does the bike end?", ["go " + n for n in names],
                  ["Row %s, lane %s" % (n[:-1], n[-1]) for n in names], [])  # fmt: skip

    def answer(self, text, seat, re=0):
        prompt = self.prompt
        if text not in (self.options or ["roll"]) and not (self.table and text.startswith("roll ")):
            self.no(re, "Expected one of " + ", ".join(self.options or ["roll"]) + "; got " + text[:30] + ".", "MG-11")
            return
        if re:
            self.send({"t": "ok", "re": re})
        self.answers += 1
        if self.die_at and self.answers >= self.die_at:
            raise RuntimeError("the fake was told to die")
        self.prompt = None
        car = self.cars[self.mover]
        name = self.setup["players"][seat - 1][1]
        if prompt["ask"] == "roll":
            self.faces = [int(f) for f in text.split()[1:]] if self.table else [self.dice.roll(), self.dice.roll()]
            self.line(seat, "roll %d %d" % tuple(self.faces), name + " rolls %d and %d." % tuple(self.faces), "MG-11")
            self.send_scene([["rolled", seat, car["car"], list(self.faces)]])
            self.ask_flip()
        elif prompt["ask"] == "flip":
            events = []
            if text != "flip none":
                at = int(text.split()[1]) - 1
                self.faces[at] = 7 - self.faces[at]
                events = [["flipped", seat, car["car"], list(self.faces)]]
            if prompt["secret"]:
                self.line(seat, "sealed", name + " answers in secret.", "MG-13")
                events = []
            else:
                self.line(seat, text, name + (" keeps the roll." if not events else " flips a die."), "MG-13")
            self.send_scene(events)
            self.ask_go()
        else:
            self.move(car, text, seat, name)

    def move(self, car, text, seat, name):
        end = text.split()[1]
        before, lane, target = car["row"], car["lane"], "abc".index(end[-1])
        path = [self.space(car)]
        for step in range(1, sum(self.faces) + 1):
            path.append((before + step) % self.rows * LANES + (lane if step < sum(self.faces) else target))
        car["row"] += sum(self.faces)
        car["lane"] = target
        self.line(seat, text, "%s runs to %s, %d rows." % (name, end, sum(self.faces)), "MG-15")
        events = [["moved", car["car"], [space_name(s) for s in path]]]
        lap = self.lap
        self.send_scene(events)
        if self.lap != lap:
            self.send_scene([["lap", self.lap, self.setup["laps"]]])
            self.send_race()
        self.ranking()
        if car["row"] >= self.setup["laps"] * self.rows:
            car["status"] = "done"
            self.send_scene([["finished", car["car"], 1]])
            self.finish()
            return
        self.mover = (self.mover + 1) % len(self.cars)
        if self.mover == 0:
            self.turn += 1
        self.ask_roll()

    def finish(self):
        self.state = "podium"
        self.prompt = None
        self.send({"t": "prompts", "list": []})
        self.send_race()
        rows = self.ranking(True)
        self.display("FINISH", "", rows[0][4] + " wins")
        if "--headless" in self.arguments:
            self.send({"t": "done", "digest": "0123abcd", "answers": self.lines, "turns": self.turn,
                       "standings": [row[:4] for row in rows], "seed": "7"})  # fmt: skip

    def no(self, re, say, clause=""):
        self.send({"t": "no", "re": re, "say": say, "clause": clause})

    # lights

    def led(self, space):
        """The LED of a space: row by row, or lane by lane with the wire going back and forth."""
        row, lane = space // LANES, space % LANES
        return row if self.row_light else row * LANES + (LANES - 1 - lane if row % 2 else lane)

    def pixels(self):
        count = 420
        frame = [(0, 0, 0)] * count
        if self.state == "menu":
            frame = [((at * 5 + self.blink * 9) % 60, 0, (at * 3) % 50 + 8) for at in range(count)]
        if self.prompt and self.prompt["ask"] == "go":
            glow = 90 + 60 * (self.blink % 3)
            for space in self.ends():
                frame[self.led(space)] = (0, glow, glow // 2)
        for car in self.cars:
            frame[self.led(self.space(car))] = LIGHT[car["colour"]]
        dials = [(0, 0, 0)] * 240
        for car in self.cars:
            at = (car["seat"] - 1) * 40
            for led in range(8):
                dials[at + led] = LIGHT[car["colour"]] if led < 8 - car["seat"] % 3 else (0, 0, 0)
                dials[at + 8 + led] = (0, 160, 40) if led < 5 else (0, 0, 0)
                dials[at + 16 + led] = (200, 60, 0) if led < 7 - car["seat"] % 4 else (0, 0, 0)
                dials[at + 24 + led] = (120, 120, 120) if led < self.lap else (0, 0, 0)
                dials[at + 32 + led] = (0, 90, 200) if led == self.choice % 8 else (0, 0, 0)
        for output, colours in enumerate((frame, dials)):
            data = b"".join([bytes(c) for c in colours])
            if data != self.frame[output]:
                self.frame[output] = data
                self.send({"t": "px", "o": output, "d": binascii.hexlify(data).decode()})

    # the loop

    def key(self, message):
        prompt = self.prompt
        if not message["d"] or prompt is None or message["p"] != prompt["seat"]:
            return
        key = message["k"]
        many = len(self.options or [0])
        if key in ("PREV", "NEXT"):
            self.choice = (self.choice + (1 if key == "NEXT" else -1)) % many
            self.show_prompt()
            self.pixels()
        elif key == "OK":
            self.answer(self.options[self.choice] if self.options else "roll", prompt["seat"])
        elif key == "WHY":
            self.why(prompt["seat"])
        elif key == "UNDO":
            self.no(0, "Nothing can be taken back here: the dice have been rolled.", "MG-19")

    def why(self, seat):
        self.send({"t": "why", "seat": seat, "items": [
            ["flip 1 2", "Both dice may not be flipped here: the corner allows only the lower one.", "MG-13"],
            ["go 12a", "Another bike stands on 12a.", "MG-07"],
        ]})  # fmt: skip

    def view(self, message):
        seat = message["seat"]
        if not self.setup or not 1 <= seat <= len(self.setup["players"]):
            self.no(message["n"], "There is no such seat.")
            return
        prompt = self.prompt if self.prompt and self.prompt["seat"] == seat else None
        if prompt and prompt["secret"]:
            prompt = dict(prompt)
            prompt["choices"] = self.options
            prompt["labels"] = ["SECRET-%d " % seat + label for label in self.labels]
        held = ["HAND-%d" % seat] if "--secret" in self.arguments else []
        self.send({"t": "view", "seat": seat, "prompt": prompt, "private": held})

    def message(self, message):
        kind = message["t"]
        if kind == "hi":
            if "--mute" not in self.arguments:
                self.hello()
        elif kind == "key":
            self.key(message)
        elif kind == "start":
            self.start(message)
        elif kind == "resume":
            if self.setup:
                self.send({"t": "ok", "re": message["n"]})
            else:
                self.no(message["n"], "There is no saved race on this board; start a new one.")
        elif kind == "why":
            self.why(message["seat"])
        elif kind == "view":
            self.view(message)
        elif kind == "answer":
            prompt = self.prompt
            if message["text"] == "undo":
                self.no(message["n"], "Nothing can be taken back here: the dice have been rolled.", "MG-19")
            elif prompt is None or message["serial"] != prompt["serial"]:
                self.no(message["n"], "That question is closed already.")
            else:
                self.answer(message["text"], message["seat"], message["n"])
        elif kind == "journal":
            data = "\n".join(self.journal).encode()
            parts = [data[at : at + 700] for at in range(0, len(data), 700)] or [b""]
            for k, part in enumerate(parts):
                self.send({"t": "file", "name": "journal-ring.txt", "k": k, "of": len(parts),
                           "d": binascii.b2a_base64(part).decode().strip()})  # fmt: skip
        elif kind == "stop":
            sys.exit(0)

    def tick(self):
        for message in self.read(0 if self.quick else 20):
            self.message(message)
        if "--deaf" in self.arguments and self.n > 2:
            time.sleep(30)
        now = now_ms()
        if self.state == "start" and now >= self.due_ms:
            if self.lights < 5:
                self.lights += 1
                self.send_race()
                self.due_ms = now + (0 if self.quick else 400)
            else:
                self.state = "race"
                self.send_race()
                self.ranking()
                self.ask_roll()
        elif self.prompt and self.due_ms and now >= self.due_ms:
            self.answer(self.options[0] if self.options else "roll", self.prompt["seat"])
        if now // 200 != self.blink:
            self.blink = now // 200
            self.pixels()


def main():
    sys.stderr.write("fake firmware on " + sys.implementation.name + "\n")
    board = Board(sys.argv[1:])
    while True:
        board.tick()


main()
