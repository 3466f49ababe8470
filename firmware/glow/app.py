"""The board's main loop: keys and messages in, one screen at work, lights, display and messages out.

`App.tick(now)` never sleeps. When a part fails (lights, display, sound, save, link), the board
notes it, shows it, tells the host, and tries again a second later; the race goes on without it.
"""

import gc
import sys

from glow.board import health
from glow.board.racing import Racing
from glow.board.screen import Screen
from glow.board.screens import screen_of
from glow.keys.panels import Panels
from glow.lights.lights import SPEEDS, Lights
from glow.link.link import Link
from glow.store.store import Settings, Store
from glow.texts.speech import Speech
from glow.texts.texts import Texts, wrap
from hal import DICE_PAD, ticks_diff
from hal.data_files import languages, open_frozen

#: A tick that has taken this long begins nothing that can wait for the next one.
BUSY_US = 9000
#: CPython's heap needs no tidying, and going over all of it takes long.
COLLECTS = sys.implementation.name == "micropython"


class App(Racing):
    """The whole board. ``pace`` "instant" is for races that nobody watches; ``quiet`` leaves the course of
    the race out of the messages."""

    def __init__(self, hal, pace=None, quiet=False):
        super().__init__()
        self.hal = hal
        self.now = hal.ticks_ms()
        self.stopped = False
        self.state = ""
        self.screen = None
        self.bare = Screen(self)                   # in use while no other is open
        self.race = None
        self.beginning = None                      # the race being started or resumed
        self.table = None
        self.tables = 0                            # how many there have been: identifies the current one
        self.start_lights = 0
        self.frames = 0
        self.tick_us = 0
        self.ahead = []                            # modules that the race is going to need
        self._begun_us = 0
        self._lines = None                         # display lines not yet shown
        self._presses = []                         # those whose light is still on
        self._far_keys = None
        self._parts_serial = -1
        self.parts_known = None                    # the last reported state of each part
        self._screen_serial = 0
        self._shown = None
        self.settings = Settings(hal.path("save"))
        hal.sound.mute = self.settings.get("mute", 0) == 1
        left = self.settings.get("left", 0)
        hal.left = left if isinstance(left, int) else 0
        self.instant = pace == "instant"
        self.quiet = quiet
        self.pace = pace or self.settings.get("pace", "normal")
        language = self.settings.get("language", "en")
        self.language = language if isinstance(language, str) and "/" not in language else "en"  # it is part of a path
        self.texts = Texts("")
        self.open_texts()
        self.speech = Speech(self.texts)
        self.store = Store(hal.path("save"))
        self.panel_count = hal.panel_count
        self.panels = Panels(self.panel_count, self.panel_count)
        self.lights = None
        self.safely("lights", self._make_lights)
        self.link = Link(self)
        self.link.hello()
        self.bootsel = None
        if hal.bootsel:
            from glow.board.bootsel import Bootsel  # for a Pico with nothing but a strip
            self.bootsel = Bootsel(self)
        if self.texts.fault:
            self.fault([self.texts.fault], "texts")
        if hal.fault:
            self.fault([hal.fault], "board file")
        self.go("idle")
        self.safely("panels", health.started, self)

    def open_texts(self):
        """Opens the texts again; uses another language if the board's own isn't there."""
        self.open_pack(self.language)
        for language in languages(self.hal) if self.texts.fault else ():
            if self.texts.fault:
                self.language = language
                self.open_pack(language)

    def open_pack(self, language):
        """Opens the texts of a language; the frozen ones if the file system has none, or no complete ones."""
        name = "text/%s.pack" % language
        self.texts.open(self.hal.path(name))
        pack = open_frozen(self.hal, name) if self.texts.fault else None
        if pack:
            self.texts.open(pack)

    def _make_lights(self):
        lights = Lights(self.hal.board, self.hal)
        usual = self.hal.board.get("brightness", 64)
        level = self.settings.get("brightness", usual)
        lights.set_brightness(level if isinstance(level, int) else usual)
        lights.set_calm(self.settings.get("calm", 0) == 1)
        lights.set_speed(SPEEDS.get(self.pace, 100) if isinstance(self.pace, str) else 100)
        self.lights = lights

    # One tick

    def tick(self, now):
        """One pass through everything. ``now`` is `hal.ticks_ms()`; nothing in here waits."""
        self.now = now
        self._begun_us = self.hal.ticks_us()
        if self._untold is not None and ticks_diff(now, self._retell_ms) >= 0:
            self._tell_failed()
        if self.broken is not None or self.screen is None:
            self._mend()
        self.safely("link", self.link.take)
        if self.lasting:
            self.safely("link", self.see_to_faults)
        if self.hal.parts_serial != self._parts_serial:
            serial = self.hal.parts_serial
            if self.safely("panels", health.changed, self):
                self._parts_serial = serial
        self.safely("panels", self._take_keys, now)
        if not self._presses:
            self._tick_screen(now)
            if self.table and self.table.done:     # done here, not by the table itself, which goes away
                self._finish_race()
        if self.lights and self.safely("lights", self.lights.tick, now):
            self.frames += 1
        if self.safely("lights", self.hal.frame_out) is not False:  # else the previous frame is still on the wire
            self._work(now)
        if self.bootsel:
            self.safely("panels", self.bootsel.tick, now)
        self.safely("link", self.link.tick, now)
        self.tick_us = ticks_diff(self.hal.ticks_us(), self._begun_us)

    def _work(self, now):
        """Work that may take long, done once the frame is on its way."""
        while self._presses:
            self._press_screen(self._presses.pop(0))
        self._after_frame(now)
        while self.beginning:
            self.safely("race", self.beginning.piece)
            if self.busy():
                break
        if self.hal.reader and self.state != "service":
            self.safely("reader", self._card)
        if self.broken is None and not self.busy():
            self.safely("display", self._show)

    def busy(self):
        """Whether this tick has taken so long that anything that can wait is left to the next one."""
        return self.took_us() >= BUSY_US

    def took_us(self):
        """How long this tick has taken so far."""
        return ticks_diff(self.hal.ticks_us(), self._begun_us)

    def _take_keys(self, now):
        for t_ms, panel, key, down in self.hal.keys():
            if panel >= DICE_PAD:
                self.safely("panels", self._far_key, t_ms, panel, key, down)
            else:
                self.safely("panels", self.panels.feed, t_ms, panel, key, down)
            if self.state == "service" and self.screen:  # keys of all panels, detected or not, as they are
                self.safely("panels", self.screen.edge, t_ms, panel, key, down)
        for press in self.panels.take(now):        # each gets its light in this frame, before anything that takes long
            self._presses.append(press)
            self._light_screen(press)

    def _far_key(self, t_ms, panel, key, down):
        """Handles a key of the console or the dice pad."""
        if self._far_keys is None:
            from glow.keys.console import FarKeys  # loaded with the first such key: many boards have none
            self._far_keys = FarKeys(self)
        self._far_keys.feed(t_ms, panel, key, down)

    def _card(self):
        uid = self.hal.reader.card()
        why = self.hal.reader.refused()
        if uid:
            from glow.table import card  # loaded with the first card: few boards have a reader
            card.put(self, uid)
        elif why:
            self.tell(self.texts.get(why), False)
            self.sound("refused")

    def _tick_screen(self, now):
        try:
            if self.screen:
                self.screen.tick(now)
        except Exception as error:
            self._screen_failed(error)

    def _after_frame(self, now):
        try:
            if self.screen:
                self.screen.after_frame(now)
        except Exception as error:
            self._screen_failed(error)

    def _press_screen(self, press):
        try:
            if self.screen:
                self.screen.press(press)
        except Exception as error:                 # the fault of a key that people can leave alone: it must not end the race
            self.tries = 0
            self._screen_failed(error)

    def _light_screen(self, press):
        try:
            if self.screen:
                self.screen.light(press)
        except Exception as error:
            self.part_failed("race", error)

    def _screen_failed(self, error):
        if (self.state == "race" or self.state == "start") and self.screen:
            self.race_failed(error)
        else:
            self.part_failed("race", error)

    def collect(self):
        """Tidies the heap; only when a prompt opens, because it takes a Pico up to 31 ms. Later
        allocations then lie low in the heap, and large blocks stay free. CPython needs none of this."""
        if COLLECTS:
            gc.collect()

    def load_ahead(self):
        """Loads a module that the race is going to need, at a moment when nobody waits. False if
        there was nothing to load."""
        return self.hal.rests(self.now) and self.load_next()

    def load_next(self):
        """Loads the next module that the race is going to need; False when there are none left."""
        while self.ahead:
            name = self.ahead.pop(0)
            if name not in sys.modules:
                try:
                    __import__(name)
                except ImportError:                # its user will report it
                    pass
                return True
        return False

    def _show(self):
        """Draws the display if anything is new; False if not."""
        screen = self.screen or self.bare
        if self.note and ticks_diff(self.now, self._note_ms) >= 0:
            self.note = ""
            screen.dirty = True
        if screen.dirty and not self.rests("lines"):
            screen.dirty = False
            self._lines = self.safely("lines", screen.lines) or [""] * 6
            if self.rests("lines"):                # failed: leave nobody's hand on show, and retry a second later
                screen.private_seat = 0
                screen.dirty = True
            if self.busy():
                return False                       # the rest in the next tick
        lines = self._lines
        if not lines:
            return False
        if self.note:
            noted = wrap(self.note, 21, 3)
        if self.note and [row for row in noted if row not in lines]:  # else the screen says it itself
            lines = (list(lines) + [""] * 6)[:6 - len(noted)] + noted
        self.hal.display.lines(lines, screen.private_seat)
        self._lines = None                         # now they are shown
        return True

    # Screens

    def go(self, state):
        """Leaves the current screen and opens another."""
        if self.beginning and not self.beginning.works:
            self.beginning.stop()
        if self.screen:
            self.screen.leave()
        self.state = state
        self.screen = None
        if state != "race":                        # which starts just after the heap was tidied
            self.table = None
            self.collect()
        self._lines = None
        make = screen_of(state)
        self.event("screen " + state)
        races = state == "start" or state == "race"
        self.hal.watchdog(races)
        self.hal.keep_lines(races)
        self.start_lights = 0
        self.safely("link", self.link.race)        # before its content, so that nobody takes that for the previous race
        try:
            self.screen = make(self)
            if state == "race":
                self.table = self.screen
                self.tables += 1
            self.screen.dirty = True
            self.screen.enter(self.now)
        except Exception:
            self.screen = self.table = None        # no half-opened screen: the next tick handles it
            raise

    def open_keys(self):
        """Lets every panel press keys on a screen that isn't a prompt of the race."""
        self._screen_serial += 1
        self.panels.prompts([(0x20000000 + self._screen_serial, 0)], self.now)

    def race_menu(self, table, panel):
        """Opens the race menu for the panel that asked; the table doesn't know about it."""
        from glow.menu.race import RaceMenu  # loaded only when somebody opens it
        return RaceMenu(table, panel)

    # Settings

    def set(self, key, value):
        """Changes a setting and applies it at once: mute, brightness, calm, left, pace, teach, language."""
        from glow.menu import choices  # a board loads it with its menus
        choices.put(self, key, value)

    def teaches(self):
        """Whether questions are explained: in a board's first race, and in every race that this is chosen for."""
        return not self.instant and not self.quiet and self.settings.get("teach", 1) == 1
