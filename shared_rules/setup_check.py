"""Checking a set-up: everything that is wrong with it at once."""

from shared_rules import games
from shared_rules.errors import BadSetup
from shared_rules.names import LONGEST_NAME, can_be_shown, is_name, numbered, tidied
from shared_rules.setup import KINDS, MOST_LAPS, SOURCES

LONGEST_SEED = 64
MOST_CARS = 99


def checked(setup, plain, track, game_class=None):
    """Fills an empty Setup with what ``plain`` (a dict) says, and returns it; see ``Setup.from_plain``."""
    wrong = []
    if not isinstance(plain, dict):
        raise BadSetup(["Expected a set-up with game, track and players, got '%s'." % _shown(plain)])
    setup.game = plain.get("game", "")
    if game_class is None:
        if setup.game not in games.NAMES:
            raise BadSetup(["Expected a game of %s, got '%s'." % (", ".join(games.NAMES), _shown(setup.game))])
        game_class = games.about(setup.game)
    setup.variant = plain.get("variant") or game_class.VARIANTS[0]
    if setup.variant not in game_class.VARIANTS:
        wrong.append("Expected a variant of %s, got '%s'."
                     % (", ".join(game_class.VARIANTS), _shown(setup.variant)))
    setup.track = track.id
    if track.game != setup.game:
        wrong.append("Expected a track of %s, got '%s', which is one of %s; choose another track."
                     % (_shown(setup.game), track.id, track.game))
    _take_laps(setup, plain, track, wrong)
    _take_options(setup, plain, game_class, wrong)
    _take_players(setup, plain, game_class, wrong)
    for key in ("dice", "decks"):
        value = plain.get(key) or "device"
        setattr(setup, key, value)
        if value not in SOURCES:
            wrong.append("Expected %s by device or table, got '%s'." % (key, _shown(value)))
    _take_seed(setup, plain, wrong)
    if plain.get("grid") or plain.get("season"):
        _take_place_in_season(setup, plain, game_class, wrong)
    if setup.decks == "table" and game_class.DECKS and _shared_with_bots(setup.players):
        wrong.append("Bots can't hold real cards: let the device deal, or take the bots out.")
    if not wrong:
        wrong = game_class.problems(setup, track)
    if wrong:
        raise BadSetup(wrong)
    return setup


def _take_laps(setup, plain, track, wrong):
    laps = plain.get("laps")
    setup.laps = track.laps if laps is None else laps
    if type(setup.laps) is not int or not 1 <= setup.laps <= MOST_LAPS:
        wrong.append("Expected 1 to %d laps, got %s." % (MOST_LAPS, _shown(setup.laps)))


def _take_options(setup, plain, game_class, wrong):
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
        setup.options.append([key, value])
    setup.options.sort()


def _take_players(setup, plain, game_class, wrong):
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
        name = tidied(player[1])
        if not is_name(name, LONGEST_NAME):
            wrong.append("Expected a name of 1 to %d visible characters, got '%s'." % (LONGEST_NAME, _shown(name)))
        setup.players.append([player[0], name])
    names = numbered([name for _, name in setup.players])
    setup.players = [[player[0], name] for player, name in zip(setup.players, names)]


def _take_seed(setup, plain, wrong):
    setup.seed = str(plain.get("seed") or "0")
    setup.salt = str(plain.get("salt") or "0")
    for value in (setup.seed, setup.salt):
        plain_word = all(["!" <= letter <= "~" for letter in value])
        if len(value) > LONGEST_SEED or not plain_word:
            wrong.append("Expected a seed of at most %d letters and digits, got '%s'."
                         % (LONGEST_SEED, _shown(value)))


def _take_place_in_season(setup, plain, game_class, wrong):
    """The start order, and which race of a season it is; the game says whether the cars are those of the race."""
    grid = _list_of(plain, "grid", wrong)
    if grid and not getattr(game_class, "GRID", False):
        wrong.append("Expected no start order, as %s finds its own; leave the grid out." % game_class.ID)
    good = all([type(car) is int and 1 <= car <= MOST_CARS for car in grid])
    if not good or len(set(grid)) != len(grid):
        wrong.append("Expected a grid as car numbers, each once, got %s." % _shown(grid))
    else:
        setup.grid = list(grid)
    setup.season = plain.get("season") or ""
    if setup.season and not is_place_in_season(setup.season):
        wrong.append("Expected a season as eight hex digits and the race's number, such as 1a2b3c4d/2, got '%s'."
                     % _shown(setup.season))


def is_place_in_season(word):
    """Whether this is a season's id and the number of one of its races: "1a2b3c4d/2"."""
    if not isinstance(word, str) or len(word) not in (10, 11) or word[8] != "/" or word[9] == "0":
        return False
    return (all([letter in "0123456789abcdef" for letter in word[:8]])
            and all(["0" <= letter <= "9" for letter in word[9:]]))


def _shared_with_bots(players):
    return any([kind == "bot" for kind, _ in players])


def _list_of(plain, key, wrong):
    given = plain.get(key) or []
    if not isinstance(given, (list, tuple)):
        wrong.append("Expected a list of %s, got '%s'." % (key, _shown(given)))
        return []
    return given


def _shown(value):
    """A value from outside, made fit for a sentence."""
    return "".join([letter if can_be_shown(letter) else "?" for letter in str(value)[:60]])
