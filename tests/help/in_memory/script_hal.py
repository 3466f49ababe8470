"""A board in memory with a fake clock, and a script that presses its keys: whole evenings in seconds.

Runs on CPython and on MicroPython; ``board_root`` makes the folder that the board has for its flash.
"""

import binascii
import json
import os

from hal import ticks_add, ticks_diff

#: As in hal.outbox, whose constant has another name on a board.
PARTS = ("pixels", "panels", "console", "dice_pad", "display", "reader", "buzzer", "supply")


class Strip:
    """An LED output that keeps its last frame and the frame's CRC."""

    def __init__(self, count, use):
        self.count = count
        self.use = use
        self.frame = bytearray(3 * count)
        self.frames = 0
        self.broken = False

    def show(self, frame):
        if self.broken:
            raise OSError(5)
        self.frame[:] = frame
        self.frames += 1

    def crc(self):
        return binascii.crc32(self.frame) & 0xFFFFFFFF


class Screen:
    """A display that keeps what it shows."""

    def __init__(self):
        self.shown = [""] * 6
        self.private = 0
        self.broken = False

    def lines(self, lines, private_seat=0):
        if self.broken:
            raise OSError(5)
        self.shown = [line[:21] for line in lines] + [""] * (6 - len(lines))
        self.private = private_seat

    def text(self):
        return "\n".join(self.shown)


class Buzzer:
    """A buzzer that keeps the names of the sounds it played."""

    def __init__(self):
        self.mute = False
        self.played = []

    def play(self, name):
        if not self.mute:
            self.played.append(name)


class ScriptHal:
    """The interface of a board. ``sent`` holds the messages to the host, each checked against the table.

    Work takes time here as on a board: each look at the finer clock counts ``look_us`` since the previous
    one, so that a tick has room for a few pieces of work, and outside events fall between them.
    """

    look_us = 1000

    def __init__(self, root, start_ms=1000, keep_messages=True):
        self.flash = root
        self.fault = ""
        self.file_system = "ok"
        self.frozen_board = True
        self.bootsel = None
        with open(root + "/board.json") as file:
            self.board = json.load(file)
        self.pixels = [Strip(one["pixels"], one["use"]) for one in self.board["outputs"]]
        self.display = Screen()
        self.sound = Buzzer()
        self.lost = False
        self.listened = True
        self.parts = [[name, "off", ""] for name in PARTS]
        self.parts_serial = 0
        self.panel_count = self.board.get("panels", 0)
        self.reader = None
        self.left = 0
        self.sent = []
        self.clock_ms = start_ms
        self._spent_us = 0                         # of this tick
        self.errors = []
        self._keep = keep_messages
        self._keys = []
        self._messages = []
        self._random = 7

    def path(self, name):
        return self.flash + "/" + name

    def ticks_ms(self):
        return self.clock_ms

    def ticks_us(self):
        self._spent_us += self.look_us
        return (self.clock_ms * 1000 + self._spent_us) & 0x3FFFFFFF

    def ticks_diff(self, later, earlier):
        return ticks_diff(later, earlier)

    def advance(self, ms):
        self.clock_ms = ticks_add(self.clock_ms, ms)
        self._spent_us = max(0, self._spent_us - 1000 * ms)

    def urandom(self, count):
        out = []
        for _ in range(count):
            self._random = self._random * 75 % 65537
            out.append(self._random & 255)
        return bytes(out)

    def frame_out(self):
        return True

    def rests(self, now):
        return True

    def poll(self, now):
        return True

    def keys(self):
        found, self._keys = self._keys, []
        return found

    def messages(self):
        found, self._messages = self._messages, []
        return found

    def send(self, message, droppable=False):
        if self._keep:
            from shared_rules.link_lines import Json
            from shared_rules.link_table import FROM_BOARD, encode
            for name in message:
                if isinstance(message[name], Json):
                    message[name] = json.loads("".join(message[name].texts))
            encode(FROM_BOARD, message, 1)
            self.sent.append(message)
        return True

    def trace(self, error):
        self.errors.append(error)

    def refresh(self):
        pass

    def room(self):
        return True

    def behind(self):
        return False

    def watchdog(self, on):
        pass

    def keep_lines(self, in_race):
        pass

    def mirror(self, on):
        pass

    def drain(self, limit_ms=2000):
        return True

    def counts(self):
        return {"dropped": 0}

    # For scripts

    def edge(self, panel, key, down):
        """A key goes down (1) or up (0) now."""
        self._keys.append((self.clock_ms, panel, key, down))

    def say(self, message):
        """The host says something."""
        self._messages.append(message)

    def kinds(self, kind):
        """The sent messages of one type."""
        return [message for message in self.sent if message["t"] == kind]


class Script:
    """Drives an App tick by tick."""

    tick_ms = 10

    def __init__(self, app):
        self.app = app
        self.hal = app.hal
        self.on_tick = None

    def run(self, ms):
        """Lets the board run for `ms`."""
        gone = 0
        while gone < ms:
            self.tick()
            gone += self.tick_ms

    def tick(self):
        """One tick."""
        self.app.tick(self.hal.ticks_ms())
        if self.on_tick:
            self.on_tick()
        self.hal.advance(self.tick_ms)

    def press(self, panel, key, ms=60):
        """Presses a key, holds it for a while, and lets the board react."""
        self.hal.edge(panel, key, 1)
        self.run(ms)
        self.hal.edge(panel, key, 0)
        self.run(200)

    def until(self, reached, limit_ms=60000):
        """Runs until ``reached()``; False if that takes too long."""
        gone = 0
        while not reached():
            self.tick()
            gone += self.tick_ms
            if gone > limit_ms:
                return False
        return True

    def shows(self, words):
        """Whether the display shows these words (anywhere, even over line ends)."""
        return words in " ".join([line.strip() for line in self.hal.display.shown])


def clear_save(root):
    """Removes what an earlier race has left in the folder ``save``."""
    try:
        names = os.listdir(root + "/save")
    except OSError:
        return
    for name in names:
        os.remove(root + "/save/" + name)
