"""Faults of every kind: how each begins and ends, and what a board must say about it. Runs in a device folder."""

from shared_rules.link_table import TO_BOARD, encode

PURPOSE = "on purpose"
LASTS_MS = 2200
#: Lines per tick from a flooding host: a thousand a second and more.
FLOOD = 40


class DialsError(OSError):
    """A name other than the track's: the same sentence isn't repeated within a minute."""


class Fault:
    """`says`: a part of the sentence that it causes ("" for none), `box`: a part of the crash box's content then, `back`:
    of the sentence when it's over; `blind`: the display can't show it; `once`: it's over after the first call."""

    lasts_ms = LASTS_MS
    box = ""
    back = ""
    blind = False
    once = False
    fired = True
    optional = False  # goes unnoticed if nothing needed what it took

    def begin(self, app):
        """Causes it."""

    def tick(self, app):
        """Called while it lasts."""

    def end(self, app):
        """Repairs it."""


class Raises(Fault):
    """A call of one of the board's objects raises: once, or as long as the fault lasts."""

    def __init__(self, name, part, where, method, error, once=False, blind=False):
        self.name = name
        self.says = "failed"
        self.box = "failed " + part + " " + error.__name__
        self.where = where
        self.method = method
        self.error = error
        self.once = once
        self.blind = blind
        self.target = None

    def begin(self, app):
        self.fired = not self.once
        self.target = self.where(app)
        setattr(self.target, self.method, self.fail)

    def fail(self, *_args):
        self.fired = True
        if self.once:
            self.end(None)
        raise self.error(PURPOSE)

    def end(self, app):
        if self.target is not None:
            delattr(self.target, self.method)
            self.target = None


class Thinks(Raises):
    """The same for calls of a generator."""

    def fail(self, *_args):
        self.end(None)
        yield None
        self.fired = True
        raise self.error(PURPOSE)


class Gone(Fault):
    """A part that is unplugged and plugged in again."""

    def __init__(self, part, name):
        self.name = part + " gone"
        self.part = part
        self.says = name + ": lost"
        self.back = name + ": back again"
        self.box = "part " + part + " missing"
        self.blind = part == "display"

    def begin(self, app):
        app.hal.note(self.part, "missing")

    def end(self, app):
        app.hal.note(self.part, "ok")


class PanelsGone(Gone):
    """All panels but the first."""

    def __init__(self):
        super().__init__("panels", "Key panels")
        self.says = "Panels that answer: 1"

    def begin(self, app):
        self.count = app.hal.panel_count
        app.hal.panel_count = 1
        app.hal.note("panels", "missing", "1/6")

    def end(self, app):
        app.hal.panel_count = self.count
        app.hal.note("panels", "ok", "6/6")
        self.back = "Panels that answer: %d" % self.count


class Reader(Fault):
    """A reader that answers everything with an error."""

    name = "reader raises"
    says = "card reader"
    box = "failed reader OSError"

    def begin(self, app):
        app.hal.reader = self

    def card(self):
        raise OSError(PURPOSE)

    def end(self, app):
        app.hal.reader = None


class Deaf(Fault):
    """A host that stops reading."""

    name = "host reads nothing"
    says = "doesn't read"
    box = "board.host_deaf"

    def begin(self, app):
        app.hal.host.reads = False

    def end(self, app):
        app.hal.host.reads = True


class Flood(Fault):
    """A host that sends more than a thousand messages a second."""

    name = "host floods"
    says = "sends more"
    box = "board.host_floods"
    line = encode(TO_BOARD, {"t": "why", "seat": 9}, 1).encode()

    def tick(self, app):
        app.hal.host.says += self.line * FLOOD

    def end(self, app):
        app.hal.host.says = b""


class Unplugged(Fault):
    """A cable that is unplugged in mid-message and plugged in again, with a host that greets."""

    name = "cable out in mid-message"
    says = ""

    def begin(self, app):
        app.hal.host.says += encode(TO_BOARD, {"t": "answer", "seat": 1, "serial": 1, "text": "roll"}, 1).encode()[:30]
        app.hal.host.reads = False
        self.lasts_ms = 500

    def end(self, app):
        app.hal.host.reads = True
        app.hal.host.says += encode(TO_BOARD, {"t": "hi", "v": 1}, 1).encode()


class Memory(Fault):
    """A heap with only this many bytes left, for this long."""

    says = "not enough memory"
    optional = True
    held = None

    def __init__(self, leave, lasts_ms):
        self.name = "%d bytes of memory left" % leave
        self.leave = leave
        self.lasts_ms = lasts_ms

    def begin(self, app):
        spare = bytearray(self.leave)
        size = 16384
        held = None
        while size >= 16:
            try:
                held = (held, bytearray(size))
            except MemoryError:
                size //= 2
        self.held = held
        del spare

    def end(self, app):
        self.held = None


def lights(app):
    return app.lights


def hal(app):
    return app.hal


def race(app):
    return app.race


def table(app):
    return app.table


def store(app):
    return app.store


def kinds(with_memory):
    """A list of one Fault of each kind."""
    found = [
        Raises("display raises", "display", lambda app: app.hal.display, "lines", OSError, blind=True),
        Raises("track module raises", "lights", lambda app: app.hal.pixels[0], "show", OSError),
        Raises("dials raise", "lights", lambda app: app.hal.pixels[1], "show", DialsError),
        Raises("lights raise", "lights", lights, "tick", ValueError),
        Raises("a light raises", "lights", lights, "scene", KeyError, True),
        Raises("link raises", "link", lambda app: app.link, "tick", ValueError),
        Raises("keys raise", "panels", hal, "keys", OSError, True),
        Raises("input raises", "link", hal, "poll", OSError, True),
        Raises("rules raise", "rules", race, "answer", ZeroDivisionError, True),
        Raises("scene raises", "rules", race, "scene", IndexError, True),
        Thinks("bot raises", "rules", race, "bot_thinking", AttributeError, True),
        Raises("table raises", "rules", table, "sync", KeyError, True),
        Raises("loop of the table raises", "rules", table, "tick", TypeError, True),
        Raises("page raises", "lines", table, "lines", ValueError, True),
        Raises("journal raises", "rules", store, "append", ValueError, True),
        Raises("snapshot raises", "save", store, "snapshot", ValueError, True),
        Reader(), Gone("display", "Display"), Gone("reader", "Card reader"), Gone("console", "Console"),
        Gone("pixels", "Lights"), Gone("supply", "5 V supply"), PanelsGone(), Deaf(), Flood(), Unplugged(),
    ]
    if with_memory:
        found += [Memory(0, 40), Memory(0, 1500), Memory(300, 700), Memory(2000, 1500), Memory(6000, 1500),
                  Memory(12000, 1500)]
    return found
