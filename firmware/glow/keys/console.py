"""Keys that are no panel's: the console works for the panel that is shown, the dice pad enters dice and numbers.

Loaded with the first such key. Neither answers what is asked in secret: everybody sees their keys.
"""

from hal import CONSOLE, DICE_PAD, ticks_diff

PAD_KEYS = ("1", "2", "3", "4", "5", "6")
_OPEN_KEYS = ("UNDO", "MENU")  # these answer nothing
_TURNING = ("PREV", "NEXT")


class FarKeys:
    """Makes presses of a panel of the edges of both."""

    def __init__(self, app):
        self.app = app
        self._targets = {}  # which panel a key that is down works for
        self._edges_ms = [None] * len(PAD_KEYS)

    def feed(self, t_ms, panel, key, down):
        """Take one edge of panel CONSOLE or DICE_PAD."""
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
        """Whether a key of the dice pad has been quiet before this edge."""
        last_ms = self._edges_ms[place]
        self._edges_ms[place] = t_ms
        return last_ms is None or not 0 <= ticks_diff(t_ms, last_ms) < self.app.panels.bounce_ms

    def _target(self):
        """The panel that the display shows, else the first that is asked, else the first; 0 where there is none."""
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
        """Whether what this panel is asked is secret; then that is told."""
        table = self.app.table
        if not table or table.menu or table.answering.moving or target > len(table.questions.places):
            return False
        prompt = table.questions.places[target - 1].prompt
        if prompt is None or not prompt.secret:
            return False
        self.app.tell(self.app.texts.get("board.console_secret"))
        return True
