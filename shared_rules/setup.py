"""A race's set-up: who plays what, where and with which dice."""

SOURCES = ("device", "table")
KINDS = ("person", "bot")
MOST_LAPS = 99


class Setup:
    """A set-up, checked by ``from_plain``; ``players`` is a list of [kind, name] in seat order, ``options`` a
    list of [key, value] with every option of the game, sorted by key. ``grid`` lists the race's cars in start order ([]: the
    game's own order), ``season`` says which race of which season it is, as "1a2b3c4d/2", or ""."""

    def __init__(self):
        self.game = ""
        self.variant = ""
        self.track = ""
        self.laps = 0
        self.options = []
        self.players = []
        self.dice = "device"
        self.decks = "device"
        self.seed = ""
        self.salt = ""
        self.grid = []
        self.season = ""

    def option(self, key):
        """The value of an option; KeyError if the game has none of that name."""
        for name, value in self.options:
            if name == key:
                return value
        raise KeyError(key)

    def is_bot(self, seat):
        """Whether a bot sits at the seat."""
        return seat > 0 and self.players[seat - 1][0] == "bot"

    def seats(self):
        """The seat numbers, from 1."""
        return list(range(1, len(self.players) + 1))

    def plain(self):
        """The set-up as a dict that ``from_plain`` takes; with grid and season if there are any."""
        plain = {
            "game": self.game,
            "variant": self.variant,
            "track": self.track,
            "laps": self.laps,
            "options": [list(pair) for pair in self.options],
            "players": [list(player) for player in self.players],
            "dice": self.dice,
            "decks": self.decks,
            "seed": self.seed,
            "salt": self.salt,
        }
        if self.grid:
            plain["grid"] = list(self.grid)
        if self.season:
            plain["season"] = self.season
        return plain

    @classmethod
    def from_plain(cls, plain, track, game_class=None):
        """A checked set-up on ``track`` (a Track); raises BadSetup, which lists everything that is wrong.

        ``variant``, ``laps``, ``options``, ``dice`` and ``decks`` may be left out: then the game's first variant, the
        track's laps, the options' defaults and the device are taken. ``grid`` and ``season`` are left out as a rule.
        """
        from shared_rules.setup_check import checked
        return checked(cls(), plain, track, game_class)
