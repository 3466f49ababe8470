"""Messages to and from the host: what happens in the race goes out, what the page asks comes in.

The race never waits for any of it. What a seat may not see leaves only in the answer to `view` for that
seat; secret answers go out as "sealed" until the podium.
"""

import gc

from glow import step
from glow.loading import once
from hal import ticks_diff

STAT_EVERY_MS = 5000
#: Of files, and of the whole picture; a Pico's queue has room for fewer.
PARTS_PER_TICK = 16
#: A host that has sent more in a second floods the board; one that reads nothing for so long has stopped reading.
FLOOD_MESSAGES = 250
DEAF_MS = 550
#: So many messages wait at most, and what they ask for takes no more of a tick: race and display go on.
INBOX_MOST = 128
TAKE_US = 4000
DONE = ()


class Link:
    """Speaks for one App."""

    def __init__(self, app):
        self.app = app
        self.files = []
        self._picture = None
        self._stat_ms = self._second_ms = self._read_ms = app.now
        self._inbox = []
        self._come = 0                             # messages in this second
        self.deaf = False                          # the host doesn't read

    def send(self, kind, droppable=False, **fields):
        """Sends one message; False where it had to be dropped."""
        fields["t"] = kind
        return self.app.hal.send(fields, droppable)

    # In

    def take(self):
        """Handles what has come, as much as a tick has time for."""
        hal = self.app.hal
        come = hal.messages()
        if come:
            self._come += len(come)
            self._inbox.extend(come[:INBOX_MOST - len(self._inbox)])
        begun = hal.ticks_us()
        while self._inbox:
            message = self._inbox.pop(0)
            try:
                if message["t"] == "answer" and self.app.table:
                    self.app.table.offer(message["seat"], message["serial"], message["text"], message)
                else:
                    self._more("take", message)
            except Exception as error:             # who has asked shall not wait, and the other messages not be lost
                self.app.part_failed("link", error)
                self.no(message, "board.failed")
            if ticks_diff(hal.ticks_us(), begun) >= TAKE_US:
                break
        if self._come > FLOOD_MESSAGES:
            self._come = 0
            self._more("trouble", "board.host_floods")
        if hal.lost:
            hal.lost = False
            if hal.listened:
                self.all()

    # Out

    def ok(self, message):
        """Accepts a message of the host."""
        if message is not None:
            self.send("ok", re=message.get("n", 0))

    def no(self, message, key, args=(), clause=""):
        """Refuses a message of the host with a sentence of the text files."""
        self.no_text(message, self.app.speech.text(key, args), clause)

    def no_text(self, message, say, clause=""):
        """Refuses a message of the host with a sentence."""
        if message is not None:
            self.send("no", re=message.get("n", 0), say=say, clause=clause)

    def hello(self):
        """Who this board is, and what can be played here: that takes a second, and a host that comes asks for it."""
        self._more("hello")
        if self.app.hal.listened:
            self._more("menu")

    def all(self):
        """The whole picture, for a host that has just come or has missed something; what is still on its way of an
        older one is left out."""
        self._picture = self._more("everything")

    def race(self):
        """The state of the board and the head of its race."""
        if self.app.hal.listened:
            self._more("race")

    def done(self):
        """The end of a race that was driven from outside."""
        self._more("done")

    def file(self, name):
        """Sends the race's journal as a file, a part in each tick."""
        self.files.append(self._more("parts", name))

    def _more(self, name, *args):
        """What is done once in a while: the code for it is loaded and dropped again."""
        return once("link_more", name, self, *args)

    # Of the race; nobody is told who hasn't greeted the board.

    def prompts(self):
        """Everything that is asked; the choices of secret prompts aren't in it."""
        self._race("prompts")

    def scene(self, scene, events=()):
        """What can be seen of the race, and what has just happened in it."""
        self._race("scene", scene, events)

    def standings(self):
        """The ranking, best first."""
        self._race("standings")

    def line(self, *args):
        """One line of the journal as it may be seen by all: its number, the JournalLine, its sentence, its clause."""
        self._race("line", *args)

    def _race(self, name, *args):
        if self.app.hal.listened and self.app.race:
            from glow import link_race
            getattr(link_race, name)(self, *args)

    def file_waits(self):
        """True while a file is on its way."""
        return len(self.files) > 0 or self._picture is not None

    def fault(self, say):
        """A part of the board has failed."""
        self.send("fault", say=say)

    def tick(self, now):
        """Sends the next part of a file, and now and then how the board is."""
        for _ in range(PARTS_PER_TICK):
            if not self.app.hal.room():
                break
            if self.files:                         # somebody waits for it; a whole picture takes seconds
                part = step(self.files[0])
                if part is None:
                    self.files.pop(0)
                    self.app.forget("shared_rules.journal_file")
                else:
                    self.app.hal.send(part)
            elif self._picture:
                if step(self._picture, DONE) is DONE:
                    self._picture = None
            else:
                break
        if not self.app.hal.behind():
            self._read_ms = now
        deaf = ticks_diff(now, self._read_ms) >= DEAF_MS
        if deaf != self.deaf:
            self.deaf = deaf
            self._more("hears", not deaf)
        if ticks_diff(now, self._second_ms) >= 1000:
            self._second_ms = now
            self._come = 0
        if ticks_diff(now, self._stat_ms) >= STAT_EVERY_MS:
            self._stat_ms = now
            free = gc.mem_free() if hasattr(gc, "mem_free") else 0
            self.send("stat", True, heap_free=free, frames=self.app.frames,
                      dropped=self.app.hal.counts().get("dropped", 0), tick_us=self.app.tick_us)
