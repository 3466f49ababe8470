"""Messages to and from the host: what happens in the race goes out, what the page asks comes in.

The race never waits for any of it. What only one seat may see leaves the board only in the reply to that
seat's `view`; secret answers go out as "sealed" until the podium.
"""

import gc

from glow import step
from glow.link import asked, reports
from hal import ticks_diff

STAT_EVERY_MS = 5000
#: Of files, and of the whole picture; a Pico's queue has room for fewer.
PARTS_PER_TICK = 16
#: More messages than this in a second flood the board. A host that hasn't read for DEAF_MS is sent
#: nothing for now; it may only be busy, so the fault is reported only after DEAF_TOLD_MS.
FLOOD_MESSAGES = 250
DEAF_MS = 550
DEAF_TOLD_MS = 5000
#: The most messages that wait, and the time that handling them takes of a tick at most: race and display go on.
INBOX_MOST = 128
TAKE_US = 4000
#: How many counted messages are remembered with their replies: one that is sent again counts only once.
HEARD_MOST = 4
COUNTS = ("answer", "start", "resume")
DONE = ()
#: After this long a tick leaves files and the whole picture to the next one, but at most this often
#: in a row: after that bots rest, or a host that greets would wait for as long as they think.
LONG_US = 20000
PUT_OFF_MOST = 4


class Heard:
    """A message that counts, its reply, and the number of the table that it was meant for."""

    def __init__(self, message, table):
        self.message = message
        self.table = table
        self.answer = None


class Link:
    """Speaks for one App."""

    def __init__(self, app):
        self.app = app
        self.files = []                            # generators of messages, in pieces; they yield None when none is ready
        self._picture = None
        self._stat_ms = self._second_ms = self._read_ms = app.now
        self._inbox = []
        self._come = 0                             # messages so far this second
        self._heard = []
        self._answered = 0                         # the last message answered
        self._unsaid = []                          # replies that didn't fit into the queue
        self._put_off = 0                          # ticks too long for a part of a file
        self.deaf = False                          # the host doesn't read
        self.deaf_told = False

    def send(self, kind, droppable=False, **fields):
        """Sends one message; False if it had to be dropped."""
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
        if self._heard:
            self._see_to_tables()
        while self._inbox:
            message = self._inbox.pop(0)
            try:
                if message["t"] in COUNTS and self._again(message):
                    pass
                elif message["t"] == "answer" and self.app.table:
                    self.app.table.answering.offer(message["seat"], message["serial"], message["text"], message)
                else:
                    asked.take(self, message)
            except Exception as error:             # the sender must not be left waiting, nor other messages be lost
                self.app.part_failed("link", error)
                if self._answered != message.get("n", 0):
                    self.no(message, "board.failed")
            if ticks_diff(hal.ticks_us(), begun) >= TAKE_US:
                break
        if self._come > FLOOD_MESSAGES:
            self._come = 0
            asked.trouble(self, "board.host_floods")
        if hal.lost:
            hal.lost = False
            if hal.listened:
                self.all()

    def _again(self, message):
        """Whether this was heard before, under the same number: it gets its reply again, or once there is one."""
        number = message.get("n", 0)
        if not number:
            return False
        for heard in self._heard:
            if heard.message == message:
                if heard.answer:
                    self._say(heard.answer)
                return True
        self._heard.append(Heard(message, self.app.tables))
        for heard in self._heard[:-HEARD_MOST]:
            if heard.answer:
                self._heard.remove(heard)
        return False

    def _see_to_tables(self):
        """Refuses answers whose table went away before it got to them."""
        for heard in self._heard:
            if heard.answer is None and heard.message["t"] == "answer" and (
                    self.app.table is None or heard.table != self.app.tables):
                self.no(heard.message, "board.not_taken")

    def greeted(self, number):
        """A host greets with message ``number``; a host that has just come restarts the count."""
        self._heard = [heard for heard in self._heard if heard.answer is None or heard.message["n"] < number]

    # Out

    def ok(self, message):
        """Accepts a message of the host."""
        if message is not None:
            self._answer({"t": "ok", "re": message.get("n", 0)})

    def _answer(self, answer):
        """Sends the one reply to a message."""
        number = self._answered = answer["re"]
        for heard in self._heard:
            if heard.message["n"] == number:
                heard.answer = answer
        self._say(answer)

    def _say(self, answer):
        if not self.app.hal.send(answer):          # anything else lost is sent with the next picture
            self._unsaid.append(answer)
            del self._unsaid[:-HEARD_MOST]

    def no(self, message, key, args=(), clause=""):
        """Refuses a message of the host with a sentence of the text files."""
        self.no_text(message, self.app.speech.text(key, args), clause)

    def no_text(self, message, say, clause=""):
        """Refuses a message of the host with a sentence."""
        if message is not None:
            self._answer({"t": "no", "re": message.get("n", 0), "say": say, "clause": clause})

    def hello(self):
        """Who this board is, and what can be played here: this takes a second, and a host that connects asks for it."""
        asked.hello(self)
        if self.app.hal.listened:
            asked.menu(self)

    def all(self):
        """The whole picture, for a host that has just come or has missed something; anything still
        under way of an older one is dropped."""
        self._picture = asked.everything(self)

    def race(self):
        """The board's state and the head of its race."""
        if self.app.hal.listened:
            asked.race(self)

    def done(self):
        """The end of a race driven from outside."""
        asked.done(self)

    def file(self, name, message=None):
        """Sends the race's journal as a file, a part in each tick; ``message`` is the request."""
        self.files.append(asked.parts(self, name, message))

    # Of the race; only hosts that have greeted the board are told.

    def prompts(self):
        """Everything that is asked, in pieces; without the choices of secret prompts."""
        if self.app.hal.listened and self.app.race:
            yield from reports.prompts(self)

    def scene(self, scene, events=()):
        """What can be seen of the race, and what has just happened in it, in pieces."""
        if self.app.hal.listened and self.app.race:
            yield from reports.scene(self, scene, events)

    def standings(self):
        """The ranking, best first."""
        if self.app.hal.listened and self.app.race:
            reports.standings(self)

    def line(self, *args):
        """One line of the journal as everybody may see it: its number, the JournalLine, its sentence, its clause."""
        if self.app.hal.listened and self.app.race:
            reports.line(self, *args)

    def file_waits(self):
        """True while a file is on its way."""
        return len(self.files) > 0 or self._picture is not None

    def put_off(self):
        """Whether what waits here was put off to this tick by the one before."""
        return self._put_off > 0

    def _send_parts(self):
        for count in range(PARTS_PER_TICK):
            if not self.app.hal.room() or count and self.app.took_us() >= LONG_US:
                break
            if self._unsaid:
                self._say(self._unsaid.pop(0))
            elif self.files:                         # a host is waiting; a whole picture takes seconds
                part = step(self.files[0], DONE)
                if part is DONE:
                    self.files.pop(0)
                elif part is not None:
                    self.app.hal.send(part)
            elif self._picture:
                if step(self._picture, DONE) is DONE:
                    self._picture = None
            else:
                break

    def fault(self, one, on):
        """A fault of the board begins or is over: see `glow.board.guarded.Lasting`."""
        self.send("fault", say=one.say, text=None if isinstance(one.parts, str) else one.parts, about=one.about or None,
                  on=on if one.about else None)

    def tick(self, now):
        """Sends the next parts of a file, as many as a tick has room for, and now and then the board's state."""
        if self.file_waits() and self._put_off < PUT_OFF_MOST and self.app.took_us() >= LONG_US:
            self._put_off += 1
        else:
            self._put_off = 0
            self._send_parts()
        if not self.app.hal.behind():
            self._read_ms = now
        deaf = ticks_diff(now, self._read_ms) >= DEAF_MS
        if deaf != self.deaf:
            self.deaf = deaf
            asked.hears(self, not deaf)
        if deaf and not self.deaf_told and ticks_diff(now, self._read_ms) >= DEAF_TOLD_MS:
            self.deaf_told = True
            asked.trouble(self, "board.host_deaf", "host")
        if ticks_diff(now, self._second_ms) >= 1000:
            self._second_ms = now
            self._come = 0
        if ticks_diff(now, self._stat_ms) >= STAT_EVERY_MS:
            self._stat_ms = now
            free = gc.mem_free() if hasattr(gc, "mem_free") else 0
            self.send("stat", True, heap_free=free, frames=self.app.frames,
                      dropped=self.app.hal.counts().get("dropped", 0), tick_us=self.app.tick_us)
