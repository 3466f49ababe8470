"""Keys outside the panels: the console works for the panel on display, the dice pad enters dice and numbers.

Loaded with the first such key. Neither can answer a secret question: everybody sees their keys.
"""

from hal import CONSOLE, DICE_PAD, ticks_diff

PAD_KEYS = ("1", "2", "3", "4", "5", "6")
_OPEN_KEYS = ("UNDO", "MENU")  # these answer nothing
_TURNING = ("PREV", "NEXT")


class FarKeys:
    """Turns the edges of both into a panel's presses."""

    def __init__(self, app):
        self.app = app
        self._targets = {}  # the panel that a held key works for
        self._edges_ms = [None] * len(PAD_KEYS)

    def feed(self, t_ms, panel, key, down):
        """Take one edge from panel CONSOLE or DICE_PAD."""
        panels = self.app.panels
        target = self._target()
        if not target:
            return
        if panel == DICE_PAD:
            if self._first_edge(t_ms, PAD_KEYS.index(key)) and down and self.app.table and not self._secret(target):
                panels.digit(t_ms, target, key)
        elif panel == CONSOLE and key in _TURNING:
            if down and not self._secret(target):
                panels.turn(t_ms, target, key)
        elif panel == CONSOLE:
            if down:
                if key not in _OPEN_KEYS and self._secret(target):
                    return
                self._targets[key] = target
            panels.feed(t_ms, self._targets.get(key, target), key, down)

    def _first_edge(self, t_ms, place):
        """Whether a key of the dice pad was quiet before this edge."""
        last_ms = self._edges_ms[place]
        self._edges_ms[place] = t_ms
        return last_ms is None or not 0 <= ticks_diff(t_ms, last_ms) < self.app.panels.bounce_ms

    def _target(self):
        """The panel on display, else the first one asked, else the first; 0 if there is none."""
        panels = self.app.panels
        table = self.app.table
        if table and table.menu:
            return min(table.menu.panel, panels.count())
        first = 0
        for panel in range(panels.count(), 0, -1):
            if panels.asking(panel)[0]:
                first = panel
        focus = table.questions.focus if table else 0
        if table and focus < panels.count() and panels.asking(focus + 1)[0]:
            return focus + 1
        return first or min(1, panels.count())

    def _secret(self, target):
        """Whether this panel's question is secret; if so, the display says so."""
        table = self.app.table
        if not table or table.menu or table.answering.moving or target > len(table.questions.places):
            return False
        prompt = table.questions.places[target - 1].prompt
        if prompt is None or not prompt.secret:
            return False
        self.app.tell(self.app.texts.get("board.console_secret"))
        return True
