"""The cards that this board knows: what each id stands for, in the file `cards` of the save folder.

A line a card, "04A1B2C3D4E5F6 red 3", each with its CRC; a line that isn't whole is passed over. A meaning is what the
rules call the card, with a space for "-": a deck is made of meanings, so several cards may have the same.
"""

from glow.store import files

NAME = "cards"
LONGEST = 40


def plain(card):
    """The meaning that the rules' own name of a card stands for: "red-3" and "Red 3" are "red 3"."""
    return " ".join(str(card).lower().replace("-", " ").replace("_", " ").split())


class Deck:
    """The deck of a save folder."""

    def __init__(self, folder):
        self._folder = folder
        self._path = folder + "/" + NAME

    def cards(self):
        """Generates (id, meaning) of every card, as they were enrolled."""
        try:
            for line in files.lines_of(self._path):
                body = files.opened(line)
                if body:
                    uid, _, meaning = str(body, "utf-8").partition(" ")
                    yield uid, meaning
        except (OSError, ValueError):              # none yet, or what follows can't be read
            return

    def meaning(self, uid):
        """What a card stands for, "" where the board doesn't know it."""
        start = uid.encode() + b" "
        try:
            for line in files.lines_of(self._path):
                if line.startswith(start):
                    body = files.opened(line)
                    if body:
                        return str(body[len(start):], "utf-8")
        except (OSError, ValueError):
            pass
        return ""

    def enrol(self, uid, meaning):
        """Keep what a card stands for from now on. A list [text key, arg, …] that says what is to be told: the card
        meant something else before, another one means the same, or it can't be kept; [] where there is nothing."""
        meaning = plain(meaning)[:LONGEST]
        told = []
        before = self.meaning(uid)
        if before == meaning:
            return told
        if [1 for one, what in self.cards() if what == meaning and one != uid]:
            told = ["board.card_copy", meaning]
        if before:
            told = ["board.card_changed", before]
        return self._write(uid, meaning) or told

    def forget(self, uid):
        """Take a card out; [] or what to tell, as `enrol`."""
        return self._write(uid, "")

    def clear(self):
        """Forget all cards."""
        files.remove(self._path)

    def _write(self, uid, meaning):
        files.make_folder(self._folder)
        try:
            files.write(self._path, self._path + ".new", self._lines(uid, meaning))
        except OSError as error:
            return [files.reason_of(error)]
        return []

    def _lines(self, uid, meaning):
        for one, what in self.cards():
            if one != uid:
                yield files.sealed((one + " " + what).encode())
        if meaning:
            yield files.sealed((uid + " " + meaning).encode())
