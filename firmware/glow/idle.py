"""Nobody plays: the idle show, and what the keys would do."""

from glow.app_screen import Screen
from glow.texts import wrap


class Idle(Screen):
    """OK or MENU sets up a race."""

    def enter(self, now):
        self.app.light("show_idle", now)
        self.app.open_keys()

    def press(self, press):
        if press.kind == "press" and press.key in ("OK", "MENU"):
            self.app.sound("press")
            self.app.go("menu")

    def lines(self):
        texts = self.app.texts
        if not self.app.panel_count:
            return ["Gridglow", ""] + wrap(texts.get("board.idle_no_panels"), 21, 4)
        lines = ["Gridglow", ""] + wrap(texts.get("board.idle_start"), 21, 2)
        if self.app.saved_race():
            lines.append("")
            lines.append(texts.get("board.idle_saved"))
        return lines
