"""A race's set-up: who plays what, where, with which dice."""

from shared_rules import games
from shared_rules.errors import BadSetup

SOURCES = ("device", "table")
KINDS = ("person", "bot")
MOST_LAPS = 99
LONGEST_NAME = 24
LONGEST_SEED = 64


class Setup:
    """Checked by ``from_plain``; ``players`` is a list of [kind, name] in seat order, ``options`` a
    list of [key, value] with every option of the game, sorted by key."""

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
        """The set-up as a dict that ``from_plain`` takes."""
        return {
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

    @classmethod
    def from_plain(cls, plain, track, game_class=None):
        """A checked set-up on ``track`` (a Track); raises BadSetup with everything that is wrong.

        ``variant``, ``laps``, ``options``, ``dice`` and ``decks`` may be left out: then the game's first variant, the
        track's laps, the options' defaults and the device are taken.
        """
        wrong = []
        self = cls()
        if not isinstance(plain, dict):
            raise BadSetup(["Expected a set-up with game, track and players, got '%s'." % _shown(plain)])
        self.game = plain.get("game", "")
        if game_class is None:
            if self.game not in games.NAMES:
                raise BadSetup(["Expected a game of %s, got '%s'." % (", ".join(games.NAMES), _shown(self.game))])
            game_class = games.about(self.game)
        self.variant = plain.get("variant") or game_class.VARIANTS[0]
        if self.variant not in game_class.VARIANTS:
            wrong.append("Expected a variant of %s, got '%s'."
                         % (", ".join(game_class.VARIANTS), _shown(self.variant)))
        self.track = track.id
        if track.game != self.game:
            wrong.append("Expected a track of %s, got '%s', which is one of %s; choose another track."
                         % (_shown(self.game), track.id, track.game))
        self._take_laps(plain, track, wrong)
        self._take_options(plain, game_class, wrong)
        self._take_players(plain, game_class, wrong)
        for key in ("dice", "decks"):
            value = plain.get(key) or "device"
            setattr(self, key, value)
            if value not in SOURCES:
                wrong.append("Expected %s by device or table, got '%s'." % (key, _shown(value)))
        self._take_seed(plain, wrong)
        if self.decks == "table" and game_class.DECKS and _shared_with_bots(self.players):
            wrong.append("Bots can't hold real cards: let the device deal, or take the bots out.")
        if not wrong:
            wrong = game_class.problems(self, track)
        if wrong:
            raise BadSetup(wrong)
        return self

    def _take_laps(self, plain, track, wrong):
        laps = plain.get("laps")
        self.laps = track.laps if laps is None else laps
        if type(self.laps) is not int or not 1 <= self.laps <= MOST_LAPS:
            wrong.append("Expected 1 to %d laps, got %s." % (MOST_LAPS, _shown(self.laps)))

    def _take_options(self, plain, game_class, wrong):
        given = _list_of(plain, "options", wrong)
        known = [key for key, _, _ in game_class.OPTIONS]
        for pair in given:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                wrong.append("Expected options as pairs of key and value, got %s." % _shown(pair))
            elif pair[0] not in known:
                wrong.append("Expected an option of %s, got '%s'."
                             % (", ".join(known) or "none", _shown(pair[0])))
        for key, values, default in game_class.OPTIONS:
            value = default
            for pair in given:
                if isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] == key:
                    value = str(pair[1])
            if value not in values:
                wrong.append("Expected %s to be one of %s, got '%s'." % (key, ", ".join(values), _shown(value)))
            self.options.append([key, value])
        self.options.sort()

    def _take_players(self, plain, game_class, wrong):
        few, most = game_class.SEATS
        players = _list_of(plain, "players", wrong)
        if not few <= len(players) <= most:
            wrong.append("Expected %d to %d seats, got %d." % (few, most, len(players)))
        for player in players:
            good = (isinstance(player, (list, tuple)) and len(player) == 2 and player[0] in KINDS
                    and isinstance(player[1], str))
            if not good:
                wrong.append("Expected a seat as [person or bot, name], got %s." % _shown(player))
                continue
            name = player[1].strip()
            if not 1 <= len(name) <= LONGEST_NAME or not all([_can_be_shown(letter) for letter in name]):
                wrong.append("Expected a name of 1 to %d letters, got '%s'." % (LONGEST_NAME, _shown(name)))
            self.players.append([player[0], name])

    def _take_seed(self, plain, wrong):
        self.seed = str(plain.get("seed") or "0")
        self.salt = str(plain.get("salt") or "0")
        for value in (self.seed, self.salt):
            plain_word = all(["!" <= letter <= "~" for letter in value])
            if len(value) > LONGEST_SEED or not plain_word:
                wrong.append("Expected a seed of at most %d letters and digits, got '%s'."
                             % (LONGEST_SEED, _shown(value)))


def _shared_with_bots(players):
    return any([kind == "bot" for kind, _ in players])


def _list_of(plain, key, wrong):
    given = plain.get(key) or []
    if not isinstance(given, (list, tuple)):
        wrong.append("Expected a list of %s, got '%s'." % (key, _shown(given)))
        return []
    return given


def _can_be_shown(letter):
    """No control character, and no half of a character, which couldn't be written to a file."""
    code = ord(letter)
    return code >= 32 and code != 127 and not 0xD800 <= code <= 0xDFFF


def _shown(value):
    """A value from outside, fit for a sentence."""
    return "".join([letter if _can_be_shown(letter) else "?" for letter in str(value)[:60]])
