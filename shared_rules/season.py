"""A season: several races in order by the same players, whose points add up.

A game describes its championship in ``games/<game>/season.py``, which only a season loads. A season is plain
data, the same on host and board; ``season_table.py`` makes its standings.
"""

from shared_rules import games
from shared_rules.errors import BadSave, BadSetup
from shared_rules.journal import is_hex
from shared_rules.names import numbered, tidied
from shared_rules.setup import KINDS, MOST_LAPS

MOST_RACES = 99
#: Most letters of a name, an id, an option.
LONGEST = 64


class Season:
    """``id`` eight hex digits, ``name`` as people call it, ``game``, ``variant``, ``options`` as in Setup, ``laps`` of
    every race (0: each track's own), ``players`` [kind, name] in seat order, ``tracks`` ids in order, ``cars`` the rows
    [car, seat, name key, colour] of the first race, and ``results``: [standings, digest] of each race so far."""

    fields = ("id", "name", "game", "variant", "options", "laps", "players", "tracks", "cars", "results")

    def __init__(self):
        self.id = self.name = self.game = self.variant = ""
        self.laps = 0
        self.options = []
        self.players = []
        self.tracks = []
        self.cars = []
        self.results = []
        self.rules = None

    # From plain data and back

    @classmethod
    def from_plain(cls, plain, rules=None):
        """The season in a dict; raises BadSave with a sentence. ``rules``: what the game's ``season.py`` says; loaded
        if None."""
        self = cls()
        if not isinstance(plain, dict):
            raise BadSave("Expected a season, got '%s'." % str(plain)[:40])
        for field in cls.fields:
            value = plain.get(field)
            default = getattr(self, field)
            if value is not None:
                if type(value) is not type(default):
                    raise BadSave("The season's %s can't be read; it was cut or edited." % field)
                setattr(self, field, value)
        self.rules = rules or rules_of(self.game)
        wrong = self._wrong()
        if wrong:
            raise BadSave("The season's %s can't be read; it was cut or edited." % wrong)
        # As in every race: a season with two players of the same name would fit no race.
        names = numbered([tidied(name) for _, name in self.players])
        self.players = [[player[0], name] for player, name in zip(self.players, names)]
        return self

    def plain(self):
        """The season as a dict of plain values."""
        return dict([(field, getattr(self, field)) for field in self.fields])

    def _wrong(self):
        """The first invalid field, or ""."""
        if not is_hex(self.id, 8):
            return "id"
        if not _are_texts([self.name]):
            return "name"
        if not 0 <= self.laps <= MOST_LAPS:
            return "laps"
        if not all([_is_pair(pair) for pair in self.options]):
            return "options"
        if not self.players or not all([_is_pair(player) and player[0] in KINDS for player in self.players]):
            return "players"
        if not 0 < len(self.tracks) <= MOST_RACES or not all([is_track_id(track) for track in self.tracks]):
            return "tracks"
        if not all([isinstance(row, list) and len(row) == 4 and _are_counts(row[:2]) and _are_texts(row[2:])
                    and row[1] <= len(self.players) for row in self.cars]):
            return "cars"
        if len(self.results) > len(self.tracks) or not all([self._is_result(result) for result in self.results]):
            return "results"
        return ""

    def _is_result(self, result):
        if not isinstance(result, list) or len(result) != 2 or not isinstance(result[1], str):
            return False
        rows = result[0]
        return isinstance(rows, list) and all([
            isinstance(row, list) and len(row) == 4 and _are_counts(row[:3]) and type(row[3]) is int
            and row[0] <= len(self.players) for row in rows])

    # The next race

    @property
    def over(self):
        """Whether all races are in."""
        return len(self.results) == len(self.tracks)

    @property
    def round(self):
        """The number of the next race, from 1; of the last one if all are in."""
        return min(len(self.results) + 1, len(self.tracks))

    def next_setup(self):
        """The next race as a dict for ``Setup.from_plain``, without dice, decks and seed."""
        plain = {
            "game": self.game, "variant": self.variant, "track": self.tracks[self.round - 1],
            "options": [list(pair) for pair in self.options],
            "players": [list(player) for player in self.players],
            "season": "%s/%d" % (self.id, self.round),
        }
        if self.laps:
            plain["laps"] = self.laps
        grid = self.grid()
        if grid:
            plain["grid"] = grid
        return plain

    def grid(self):
        """The cars of the next race in start order, the best start first; [] if the game finds its own order."""
        if not self.results or not self.rules.GRID:
            return []
        return next_grid(self.cars, self.results[-1][0])

    def problems(self, setup, track):
        """Sentences that say why a race with this Setup on this Track isn't the season's next one; [] if it is."""
        if self.over:
            return ["The season %s has all its %d races already." % (self.called(), len(self.tracks))]
        out = []
        expected = self.next_setup()
        if setup.season and setup.season != expected["season"]:
            out.append(self._other_race(setup.season))
        expected["laps"] = self.laps or track.laps
        for key, what in (("game", "game"), ("variant", "variant"), ("track", "track"), ("laps", "laps")):
            came = getattr(setup, key)
            if came != expected[key]:
                out.append("Expected %s %s, got %s." % (what, expected[key], came))
        # An option that the game gained after the season began stays as it was: not chosen.
        if not out and not all([pair in setup.options for pair in expected["options"]]):
            out.append("Expected the options %s, got %s." % (_pairs(expected["options"]), _pairs(setup.options)))
        if setup.players != expected["players"]:
            out.append("Expected the players %s, got %s." % (_names(expected["players"]), _names(setup.players)))
        if not out and setup.grid != expected.get("grid", []):
            out.append("Expected the grid %s, got %s."
                       % (_cars(expected.get("grid", [])), _cars(setup.grid)))
        return out

    def _other_race(self, named):
        season, _, number = named.partition("/")
        if season != self.id:
            return "It is a race of another season, %s, not of %s." % (season, self.called())
        return "Expected race %d of the season, got race %s." % (self.round, number)

    def called(self):
        """What the season is called."""
        return self.name or self.id

    # A race is over

    def add(self, cars, standings, digest):
        """Takes the result of the next race: ``game.cars()``, ``standings()`` and ``digest()`` of a finished race.
        Raises BadSetup if its cars aren't those of the season."""
        rows = [list(row[:4]) for row in cars]
        if self.cars and rows != self.cars:
            raise BadSetup(["The race's cars aren't those of the season's first race."])
        self.cars = rows
        self.results.append([[list(row) for row in standings], digest])


def rules_of(game):
    """What a game says about its championship (see ``games.season``); raises BadSave if it has none."""
    rules = games.season(game) if game in games.NAMES else None
    if rules is None:
        having = ", ".join([name for name in games.NAMES if games.season(name)])
        raise BadSave("The game '%s' has no championship; take one of %s." % (game[:40], having or "no game yet"))
    return rules


def next_grid(cars, standings):
    """The cars in the order of the next start: those that nobody drives (seat 0) in front, by number, then the
    others in the order of the standings."""
    derelicts = [row[0] for row in cars if row[1] == 0]
    derelicts.sort()
    return derelicts + [row[1] for row in standings if row[0]]


def is_track_id(word):
    """Whether this can be a track's id."""
    return (isinstance(word, str) and 0 < len(word) <= LONGEST
            and all(["a" <= letter <= "z" or "0" <= letter <= "9" or letter == "-" for letter in word]))


def _is_pair(pair):
    return isinstance(pair, list) and len(pair) == 2 and _are_texts(pair)


def _are_texts(values):
    return all([isinstance(value, str) and len(value) <= LONGEST for value in values])


def _are_counts(values):
    return all([type(value) is int and 0 <= value < 1000 for value in values])


def _pairs(pairs):
    return " ".join(["%s=%s" % (key, value) for key, value in pairs]) or "none"


def _names(players):
    return ", ".join(["%s (%s)" % (name, kind) for kind, name in players])


def _cars(grid):
    return " ".join([str(car) for car in grid]) or "that the game finds itself"
