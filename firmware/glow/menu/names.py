"""Entering a name letter by letter with PREV, NEXT and OK."""

from shared_rules.names import numbered

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜabcdefghijklmnopqrstuvwxyzäöüß0123456789-. "
LONGEST = 10
#: What follows the letters: delete the last letter, and ready.
BACK = "<"
READY = "*"


class NameEntry:
    """A name being entered; ``done`` is True once READY was chosen.

    ``wheel`` is the letter wheel's position; after a first capital it jumps to the small letters.
    """

    def __init__(self, name=""):
        self.name = name
        self.wheel = len(LETTERS) + 1 if name else 0
        self.done = False

    def symbol(self):
        """What OK would do now: a letter, BACK or READY."""
        return (LETTERS + BACK + READY)[self.wheel]

    def move(self, step):
        """Turns the wheel."""
        self.wheel = (self.wheel + step) % (len(LETTERS) + 2)

    def ok(self):
        """Takes what the wheel shows."""
        symbol = self.symbol()
        if symbol == READY:
            self.done = True
        elif symbol == BACK:
            self.back()
        elif len(self.name) < LONGEST:
            self.name += symbol
            if len(self.name) == 1 and "A" <= symbol <= "Z":
                self.wheel = LETTERS.index("a")
            if len(self.name) == LONGEST:
                self.wheel = len(LETTERS) + 1

    def back(self):
        """Deletes the last letter; False if there is none."""
        if not self.name:
            return False
        self.name = self.name[:-1]
        return True


def default_name(texts, kind, number):
    """"Player 1" or "Bot 2" in the board's language."""
    return texts.format("board.default_" + kind, (number,))


def fill(texts, seats):
    """[kind, name] for a list of [kind, name or ""]: unnamed players get default names, duplicates a number."""
    names = [name.strip() or default_name(texts, kind, at + 1) for at, (kind, name) in enumerate(seats)]
    return [[seat[0], name] for seat, name in zip(seats, numbered(names))]
