"""The cards that this board knows: what each id stands for, in the file `cards` of the save folder.

One line for each card, "04A1B2C3D4E5F6 red 3", with its CRC; incomplete lines are skipped. A meaning is what the
rules call the card, with a space for "-": a deck is made of meanings, so several cards may have the same one.
"""

from glow.store import files

NAME = "cards"
LONGEST = 40


def plain(card):
    """The meaning behind the rules' own name for a card: "red-3" and "Red 3" are "red 3"."""
    return " ".join(str(card).lower().replace("-", " ").replace("_", " ").split())


class Deck:
    """The deck in a save folder."""

    def __init__(self, folder):
        self._folder = folder
        self._path = folder + "/" + NAME

    def cards(self):
        """Yields (id, meaning) of every card, in the order they were enrolled."""
        try:
            for line in files.lines_of(self._path):
                body = files.opened(line)
                if body:
                    uid, _, meaning = str(body, "utf-8").partition(" ")
                    yield uid, meaning
        except (OSError, ValueError):              # none yet, or the rest can't be read
            return

    def meaning(self, uid):
        """What a card stands for, "" if the board doesn't know it."""
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
        """Store what a card stands for from now on. Returns a list [text key, arg, …] to be shown: the card meant
        something else before, another one means the same, or it can't be stored; [] if there is nothing to show."""
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
        """Take a card out; returns [] or what to show, as `enrol` does."""
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
