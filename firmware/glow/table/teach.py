"""Teach mode: what a question means, in one sentence, the first time that it opens for a person.

Loaded once it teaches.
"""


class Teacher:
    """Remembers who was told what."""

    def __init__(self):
        self._told = {}                            # text key of a question → a bit for each seat
        self._open = {}                            # seat → serial of the prompt that is explained to it

    def sentence(self, texts, prompt):
        """The sentence for this prompt; "" where its seat knows this kind of question. Whoever asks for it changes nothing:
        what its seat knows is noted by `opened`."""
        known = self._told.get(prompt.ask, 0) & 1 << prompt.seat
        if known and self._open.get(prompt.seat) != prompt.serial:
            return ""
        key = prompt.ask + "_teach"
        return texts.get(key) if texts.has(key) else ""

    def opened(self, prompt):
        """This prompt lies before its seat, which knows its kind from the next one on."""
        told = self._told.get(prompt.ask, 0)
        bit = 1 << prompt.seat
        if not told & bit:
            self._told[prompt.ask] = told | bit
            self._open[prompt.seat] = prompt.serial
