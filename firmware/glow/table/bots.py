"""Bots at the table: they think in pieces, and appear to think for a while."""

from glow import step
from hal import ticks_add, ticks_diff

#: How long a bot appears to think.
THINK_MS = {"slow": 1500, "normal": 700, "fast": 200, "instant": 0}


class Bots:
    """``failed`` is called with whatever a bot raises."""

    def __init__(self, app, race, failed):
        self.app = app
        self.race = race
        self.thinking = None                       # a bot's thinking, in pieces: a generator
        self._failed = failed
        self._thought = (0, "")                    # serial of the prompt, answer
        self._due_ms = app.now

    def begin(self, now):
        """The questions have changed."""
        self.thinking = None
        self._due_ms = ticks_add(now, THINK_MS.get(self.app.pace, 700))

    def hurry(self):
        """Ends the appearance of thinking."""
        self._due_ms = self.app.now

    def tick(self, now):
        """(seat, serial, answer) of the bot that is asked, once it has thought long enough; None until then."""
        if self.thinking:
            return None
        for prompt in self.race.prompts:
            if self.race.is_for_bot(prompt):
                if self._thought[0] != prompt.serial:
                    self.thinking = self._think(prompt)
                    if not self.app.instant and ticks_diff(now, self._due_ms) < 0:
                        return None
                    while self.thinking and self.app.instant:
                        self.piece()
                if self._thought[0] == prompt.serial and ticks_diff(now, self._due_ms) >= 0:
                    return prompt.seat, prompt.serial, self._thought[1]
                return None
        return None

    def piece(self):
        """Thinks a piece further; thinking that fails isn't tried again."""
        thinking, self.thinking = self.thinking, None
        if step(thinking, self) is not self:
            self.thinking = thinking

    def _think(self, prompt):
        try:
            text = yield from self.race.bot_thinking(prompt.seat)
            self._thought = (prompt.serial, text)
        except Exception as error:
            self._failed(error)
