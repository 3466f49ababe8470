"""A board in one process with the mutator of its link's lines, for the trial `link`. Runs in a device folder, on both
interpreters, beside ``link.json``: ``[lines, seed, [set-up of each game]]``. Its last line is ``LINK {json}``.
"""

import gc
import json

from hostile_files import install_lines, keep, restore
from hostile_lines import begin, below, chance, die, framed, mutated
from link_watch import FAILURES_MOST, Pipe, check_out, fail, found, needles, tell, watched

from glow.app import App
from glow.table.answering import Answering
from hal.virtual import VirtualHal
from shared_rules.link_lines import ascii_json, session

PING_EVERY = 30         # batches
LINES_MOST = 24         # per batch
SHOWN = 160             # characters of a line in a failure


def spare_nothing():
    """CPython collects garbage by itself; otherwise everything takes longer."""
    if not hasattr(gc, "mem_free"):
        gc.collect = lambda: 0


class Board:
    """The board with its app, whose exception handlers report what they catch."""

    def __init__(self):
        self.pipe = Pipe()
        self.hal = VirtualHal(".", fake_clock=True, pipe=self.pipe)
        self.first = self.hal._number
        self.hal.trace = self.trace
        self.app = App(self.hal)
        self.last = ""
        self.at_views = []     # secrets when a view was sent: later lines in the same batch may change them
        self.send = self.hal.send
        self.hal.send = self.heard

    def heard(self, fields, droppable=False):
        """Replaces the board's own ``send``."""
        if fields.get("t") == "view":
            self.at_views += needles(self.app)
        return self.send(fields, droppable)

    def trace(self, error):
        tell(error, self.last)

    def ticks(self, count, step_ms=5):
        """Does what `main.run` does, this many times."""
        app = self.app
        for _ in range(count):
            now = self.hal.ticks_ms()
            app.safely("link", self.hal.poll, now)
            app.tick(now)
            self.hal.advance(step_ms)

    def feed(self, lines):
        """Lets these lines arrive, and checks what they did."""
        self.last = shown(lines)
        self.pipe.to_board += lines
        secrets = list(needles(self.app))
        self.at_views = []
        while self.pipe.to_board or self.app.link._inbox:
            self.ticks(1)
        self.ticks(2)
        for one in self.at_views + list(needles(self.app)):
            if one not in secrets:
                secrets.append(one)
        check_out(self.app, self.pipe, secrets, self.last)
        for what in watched["said"]:
            fail("%s after %s" % (what, self.last))
        watched["said"] = []
        for part in list(self.app._failed):
            if " " not in part:
                del self.app._failed[part]       # a failed part rests; here it must go on at once

    def ping(self):
        """Asks what must be answered, as a host that has just come: continuing others' numbers might be taken for them."""
        self.feed([b"\n"])
        before = found["pings"]
        number = session(1000 + before) + 1
        self.pipe.to_board += [b"\n" + framed('{"t":"info","n":%d}' % number)]
        for _ in range(400):
            self.ticks(1)
            check_out(self.app, self.pipe, (), self.last)
            if found["pings"] > before:
                return
        fail("the board didn't answer a valid question, after %s" % self.last)


def shown(lines):
    """The last of these lines, for a failure."""
    text = repr(lines[-1]) if len(lines) == 1 else repr(b"".join(lines[-3:])[-SHOWN:])
    return text[:SHOWN]


real_failed = App.part_failed


def part_failed(self, part, error):
    """Replaces App's own: a caught exception still counts as one."""
    if not hasattr(self.hal, "trace"):
        tell(error, "the start")
    else:
        self.hal.trace(error)
    real_failed(self, part, error)


App.part_failed = part_failed
real_rules_failed = Answering.rules_failed


def rules_failed(self, error):
    """Replaces Answering's own."""
    tell(error, board.last)
    real_rules_failed(self, error)


Answering.rules_failed = rules_failed


def put_back():
    """Restores the files, which doesn't count as the board's doing."""
    watched["on"] = False
    restore()
    watched["on"] = True


def set_up_again(board):
    """Restores the files, drops the race, and goes to the next game."""
    board.feed([framed('{"t":"service","n":1,"on":0}'), framed('{"t":"stop","n":2}')])
    board.ticks(4, 100)
    put_back()
    board.app.language = "en"
    board.app.open_texts()
    board.app.texts.fault = ""
    which = found["scenarios"] % (len(SETUPS) + 2)
    found["scenarios"] += 1
    if which == len(SETUPS):
        board.feed([framed('{"t":"service","n":3,"on":1,"force":1}')])
    elif which < len(SETUPS):
        plain = dict(SETUPS[which])
        plain["seed"] = "hidden-seed-%d-%d" % (found["scenarios"], below(65536))
        plain["salt"] = "hidden-salt-%d" % below(65536)
        board.feed([framed('{"t":"start","n":3,"setup":%s}' % ascii_json(plain))])
        while board.app.beginning:                 # on a slow computer each tick does fewer pieces
            board.ticks(1)
        if board.app.race is None:
            fail("the race of %s didn't start: %s" % (plain["game"], board.app.note))
            return
        found["races"] += 1
        for _ in range(120):
            if board.app.state != "start":
                break
            board.ticks(1, 250)
        for _ in range(below(24)):
            answer(board)


def answer(board):
    """A valid answer, so that the race reaches other questions."""
    race = board.app.race
    if race and race.prompts and board.app.state == "race":
        prompt = die(race.prompts)
        text = prompt.sample(chance())
        found["answers"] += 1
        fields = (prompt.seat or 1, prompt.serial, ascii_json(text))
        board.feed([framed('{"t":"answer","n":5,"seat":%d,"serial":%d,"text":%s}' % fields)])
        board.ticks(8, 100)


with open("link.json") as job:
    LINES, SEED, SETUPS = json.load(job)
SCENARIO = min(900, LINES // 8)  # until the next game, the menu, or the service mode
begin(SEED, SETUPS)
keep()
spare_nothing()
board = Board()
if hasattr(gc, "freeze"):
    gc.freeze()
since = SCENARIO
batches = 0
told = 0
try:
    while found["tried"] < LINES and len(found["failures"]) < FAILURES_MOST:
        if since >= SCENARIO:
            set_up_again(board)
            idle = board.app.race is None and board.app.state != "service"
            since = 0
        kind = below(40)
        if idle and kind < 10:
            put_back()
            plain = dict(die(SETUPS))
            lines = install_lines(plain["track"])
            found["installs"] += 1
            board.feed(lines)
            board.ticks(3)
            board.feed([framed('{"t":"start","n":3,"setup":%s}' % ascii_json(plain))])
            found["packs"] += board.app.race is not None
            board.ticks(20, 250)
            for _ in range(3):
                answer(board)
            board.feed([framed('{"t":"stop","n":2}')])
            board.ticks(2)
        elif kind == 0:
            lines = install_lines()
            found["installs"] += 1
        elif kind < 5:
            answer(board)
            continue
        else:
            lines = [mutated(board.app) for _ in range(1 + below(LINES_MOST))]
        if not idle or kind >= 10:
            board.feed(lines)
        if board.app.stopped:
            fail("the board has stopped after %s" % board.last)
            break
        found["tried"] += len(lines)
        since += len(lines)
        batches += 1
        if batches % PING_EVERY == 0:
            board.ping()
            if hasattr(gc, "mem_free"):
                gc.collect()
        if found["tried"] - told >= 50000:
            told = found["tried"]
            print("SAY %d" % told)
    board.ping()
    watched["on"] = False
    found["messages"] = board.hal._number - board.first
except Exception as error:
    watched["on"] = False
    tell(error, board.last)
print("LINK " + json.dumps(found))
