"""Nobody plays: the idle show, and what the keys would do."""

import os

from glow.board.screen import Screen
from glow.lights import leds_file
from glow.lights.lights import Lights
from glow.texts.texts import wrap
from hal.data_files import open_data, tracks
from shared_rules.errors import GridglowError
from shared_rules.track import Track

#: What the menu needs, and what a host asks first; each module after those that it imports.
AHEAD = "glow.menu.choices glow.menu.names glow.menu.offers glow.menu.setup glow.link.board"


class Idle(Screen):
    """OK or MENU sets up a race."""

    def enter(self, now):
        app = self.app
        app.ahead = AHEAD.split()
        app.safely("link", install_waiting, app)
        if app.lights and not app.lights.has_track():
            app.safely("lights", light_any, app)
        app.light(Lights.show_idle, now)
        self.app.open_keys()

    def after_frame(self, now):
        self.app.load_ahead()

    def press(self, press):
        if press.kind == "press" and press.key in ("OK", "MENU"):
            self.app.sound("press")
            self.app.go("menu")

    def lines(self):
        texts = self.app.texts
        if not self.app.panel_count:
            return ["Gridglow", ""] + wrap(texts.get("board.idle_no_panels"), 21, 4)
        start = wrap(texts.get("board.idle_start"), 21, 2)
        if self.app.hal.file_system != "ok":
            return ["Gridglow"] + start + wrap(texts.get("board.memory_foreign"), 21, 3)
        lines = ["Gridglow", ""] + start
        if self.app.saved_race():
            lines.append("")
            lines.append(texts.get("board.idle_saved"))
        return lines


def install_waiting(app):
    """Installs tracks and texts that came while a race ran."""
    try:
        os.stat(app.hal.path("new/ready"))
    except OSError:
        return
    from glow.link import files  # loaded when something is waiting
    files.install(app)


def light_any(app):
    """Lights the track raced on last, or else the first: a board that nobody has raced on isn't dark."""
    for last in (True, False):
        try:
            name = app.settings.get("track", "") if last else ""
            if not name:
                name = tracks(app.hal)[0]["id"]
            if not leds_file.is_id(name):
                continue
            with open_data(app.hal, "tracks/" + name + ".pack") as file:
                track = Track.read(file)
            app.lights.load_track(leds_file.load(app.hal, name), track)
            return
        except (OSError, ValueError, KeyError, IndexError, TypeError, GridglowError):
            continue                               # the race says what is wrong with its track
