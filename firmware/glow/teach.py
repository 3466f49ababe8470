"""Teach mode: what a question means, in one sentence, the first time that it opens for a person.

Loaded only while it teaches.
"""


class Teacher:
    """Remembers who was told what."""

    def __init__(self):
        self._told = {}                            # text key of a question → a bit for each seat
        self._open = {}                            # seat → serial of the prompt that is explained to it

    def sentence(self, texts, prompt):
        """The sentence for this prompt, as long as it is open; "" where its seat knows this kind of question."""
        key = prompt.ask + "_teach"
        bit = 1 << prompt.seat
        told = self._told.get(prompt.ask, 0)
        if told & bit:
            return texts.get(key) if self._open.get(prompt.seat) == prompt.serial else ""
        if not texts.has(key):
            return ""
        self._told[prompt.ask] = told | bit
        self._open[prompt.seat] = prompt.serial
        return texts.get(key)
