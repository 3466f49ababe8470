"""Service mode: no race, no watchdog, and each part of the board tried by itself.

The host tool asks with `try`; without a host PREV and NEXT choose what to try, and OK tries it. The
result goes out as `tried` and appears on the display. Meanwhile `glow.service.lights` draws the
lights; current, brightness and flashes stay within their limits as always.
"""

from glow.board import idle
from glow.board.screen import Screen
from glow.lights.lights import Lights
from glow.texts.texts import fit, wrap
from hal import CONSOLE, ticks_diff

#: Where the tests are: each module has its own ``TRIES``.
OF_LIGHTS = ("dark", "colours", "pixel", "fill", "count", "rate")
OF_KEYS = ("latency", "keys", "encoder", "reader", "card")
OF_PARTS = ("display", "sound", "supply", "memory", "flash", "say", "leds")
#: Those that need no host, in the order of the board's own list.
BY_KEYS = ("colours", "count", "fill", "rate", "keys", "encoder", "latency", "reader", "display", "sound", "supply",
           "memory", "flash")
LEAVE_MS = 3000
READER_MS = 100
#: How many edges are kept until the next request.
EDGES_MOST = 60


class Service(Screen):
    """``edges``: [panel, key, down, time in ms] since the last request; ``page``: lines that replace ours."""

    def __init__(self, app):
        super().__init__(app)
        self.lights = None
        self.hosted = False                        # a host chooses what is tried: the keys only report
        self.at = 0
        self.what = ""
        self.result = ""
        self.page = None
        self.keys_on = False
        self.edges = []
        self.edges_lost = 0
        self.clicks = [0, 0]                       # of the encoder: back, forward
        self.reader_on = False
        self.cards = 0
        self.card = ""
        self.latencies = None                      # [last, sum, most, count] in ms, while presses are measured
        self.rate = False                          # frames are being measured
        self.sounds = 0
        self._reader_ms = 0
        self._menu_ms = 0
        self._menu_panel = 0
        self._usual_lights = app.lights

    def enter(self, now):
        app = self.app
        if app.lights:
            app.light(Lights.drop_track)
            app.light(Lights.show_dark, now)
            from glow.service.lights import ServiceLights  # loaded with service mode
            self.lights = ServiceLights(app.lights.limits, app.hal)
            app.lights = self.lights
        app.open_keys()

    def leave(self):
        app = self.app
        app.hal.sound.mute = app.settings.get("mute", 0) == 1
        if self.lights:
            self.lights.dark()
            app.lights = self._usual_lights
            self.lights = None

    def usual_show(self):
        """The usual lights with the show that runs while nobody plays; None if there is no track to light."""
        app = self.app
        usual = self._usual_lights
        app.lights = usual
        try:
            idle.light_any(app)
        finally:
            app.lights = self.lights
        if not usual.has_track():
            return None
        usual.show_idle(app.now)
        return usual

    def part(self, name):
        """The state of a part: "ok", "missing", "fault", "off"."""
        for row in getattr(self.app.hal, "parts", ()):
            if row[0] == name:
                return row[1]
        return "ok"

    def part_detail(self, name):
        """Details about a part."""
        for row in getattr(self.app.hal, "parts", ()):
            if row[0] == name:
                return row[2]
        return ""

    # Trying parts

    def ask(self, what, a=0, b=0, c=0):
        """Tries something for the host: the first word of ``what`` names it; the rest is its argument."""
        self.hosted = True
        self._try(what, a, b, c)

    def _try(self, what, a, b, c):
        name, _, rest = what.partition(" ")
        self.dirty = True
        tries = _tries(name)
        if tries is None:
            self.tried(name, {"state": "unknown"})
            return
        if name != "say":                          # said words appear beside what is being tried
            self.what = name
            self.result = ""
            self.page = None
        try:
            value = tries[name](self, a, b, c, rest)
        except Exception as error:
            value = {"state": "fault", "why": (type(error).__name__ + " " + str(error)).strip()}
        if value is not None:
            self.tried(name, value)

    def tried(self, what, value):
        """Reports the result."""
        self.app.link.send("tried", what=what, value=value)
        words = [key + " " + str(value[key]) for key in sorted(value) if isinstance(value[key], (int, str))]
        self.result = "" if value.get("state") == "ok" and len(words) == 1 else ", ".join(words)
        self.dirty = True

    # Keys

    def edge(self, t_ms, panel, key, down):
        """A key goes down or up: on any panel, the console or the dice pad."""
        if panel == CONSOLE and down and key in ("PREV", "NEXT"):
            self.clicks[1 if key == "NEXT" else 0] += 1
        if key == "MENU":
            self._menu_ms = t_ms
            self._menu_panel = panel if down else 0
        if len(self.edges) < EDGES_MOST:
            self.edges.append([panel, key, 1 if down else 0, t_ms])
        else:
            self.edges_lost += 1
        if self.keys_on:
            self.app.link.send("edge", p=panel, k=key, d=1 if down else 0)
            self.dirty = True
        if down and self.latencies and self.lights:
            self.lights.flash_for(t_ms)

    def light(self, press):
        """None: the lights belong to what is being tried."""

    def press(self, press):
        if self.hosted or press.kind not in ("press", "repeat"):
            return
        step = 1 if press.key == "NEXT" else -1 if press.key == "PREV" else 0
        if step and not self.keys_on:
            self.at = (self.at + step) % len(BY_KEYS)
            self.dirty = True
        elif press.kind == "press" and press.key == "OK" and not self.keys_on:
            name = BY_KEYS[self.at]
            if name == "fill":
                self._try(name, 255, 128, 0)       # all outputs at half light
            else:
                self._try(name, 1, 0, 0)           # keys, reader and latency start and stop by turns
        elif press.kind == "press" and press.key == "UNDO":
            self.keys_on = False
            self._try("dark", 0, 0, 0)

    # Each tick

    def tick(self, now):
        if self._menu_panel and ticks_diff(now, self._menu_ms) >= LEAVE_MS:
            self.app.go("idle")
            return
        if self.reader_on and ticks_diff(now, self._reader_ms) >= READER_MS:
            self._reader_ms = now
            uid = self.app.hal.reader.card()
            if uid:
                self.cards += 1
                self.card = uid
                self.app.link.send("card", uid=uid)
                self.dirty = True

    def after_frame(self, now):
        lights = self.lights
        if not lights:
            return
        if self.latencies and lights.answered_ms >= 0:
            latency = self.latencies
            latency[0] = lights.answered_ms
            latency[1] += latency[0]
            latency[2] = max(latency[2], latency[0])
            latency[3] += 1
            lights.answered_ms = -1
            self.dirty = True
        if self.rate and lights.measured():
            self.rate = False
            self.tried("rate", lights.measure())

    # Display

    def lines(self):
        if self.page is not None:
            return self.page
        texts = self.app.texts
        shown = [fit(texts.get("board.service"), "")]
        if self.hosted:
            shown.append(texts.get("board.try_" + self.what) if self.what in BY_KEYS else "")
        else:
            shown.append("< " + texts.get("board.try_" + BY_KEYS[self.at]) + " >")
        says = self.result
        if self.keys_on and self.edges:
            says = "%d %s" % (self.edges[-1][0], self.edges[-1][1])
        elif self.latencies:
            says = "%d ms" % self.latencies[0]
        elif self.reader_on and self.card:
            says = self.card
        elif self.what == "encoder":
            says = "- %d  + %d" % (self.clicks[0], self.clicks[1])
        shown.extend(wrap(says, 21, 3))
        while len(shown) < 5:
            shown.append("")
        shown.append(texts.get("board.service_keys"))
        return shown


def _tries(name):
    """The dict of functions that contains this name; None if none does. Each module is loaded when needed."""
    if name in OF_LIGHTS:
        from glow.service.lights import TRIES
    elif name in OF_KEYS:
        from glow.service.keys import TRIES
    elif name in OF_PARTS:
        from glow.service.parts import TRIES
    else:
        return None
    return TRIES
