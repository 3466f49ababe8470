"""Teach mode: explains a question in one sentence, the first time that it opens for a person.

Loaded when it is turned on.
"""


class Teacher:
    """Remembers who has been told what."""

    def __init__(self):
        self._told = {}                            # text key of a question → one bit for each seat
        self._open = {}                            # seat → serial of the prompt that is explained to it

    def sentence(self, texts, prompt):
        """The sentence for this prompt; "" if its seat knows this kind of question. Asking for the
        sentence changes nothing: `opened` records what the seat knows."""
        known = self._told.get(prompt.ask, 0) & 1 << prompt.seat
        if known and self._open.get(prompt.seat) != prompt.serial:
            return ""
        key = prompt.ask + "_teach"
        return texts.get(key) if texts.has(key) else ""

    def opened(self, prompt):
        """This prompt is shown to its seat, which knows its kind from the next one on."""
        told = self._told.get(prompt.ask, 0)
        bit = 1 << prompt.seat
        if not told & bit:
            self._told[prompt.ask] = told | bit
            self._open[prompt.seat] = prompt.serial
