"""The games, each in its own folder; only the one being played is imported."""

#: Ids in menu order. A board's build writes the list itself here, as a board has no folders to search.
NAMES = __import__("shared_rules.games.in_folders", None, None, ("found",)).found()


def load(name):
    """The Game class of an id; KeyError if there is none."""
    if name not in NAMES:
        raise KeyError(name)
    package = __import__("shared_rules.games." + name + ".rules", None, None, ("Game",))
    return package.Game


def about(name):
    """What a set-up needs to know about a game, without loading its rules; KeyError if there is none."""
    if name not in NAMES:
        raise KeyError(name)
    return __import__("shared_rules.games." + name + ".about", None, None, ("About",)).About


def season(name):
    """What a game says about its championship, or None if it has none. Its class ``Season`` has ``POINTS`` by place,
    ``GRID`` (whether the next grid comes from the last finish), ``TIES`` ("wins", "places", "last": how ties are broken, in
    this order) and ``team(car)``, the text key of the team of a row of ``cars()``, or ""."""
    try:
        return __import__("shared_rules.games." + name + ".season", None, None, ("Season",)).Season
    except ImportError:
        return None


def spec_view(name):
    """The module that sets a game up for vectors and looks into it: ``arrange(game, state)``, ``look(game, key)`` and
    ``inventory(game)``. No race on a board loads it."""
    return __import__("shared_rules.games." + name + ".spec_view", None, None, ("look",))


def bots(name):
    """The module with the game's bots: ``choose(game, prompt, chance)`` returns an answer's text, or is a generator that
    yields while it thinks, then returns it."""
    if name not in NAMES:
        raise KeyError(name)
    return __import__("shared_rules.games." + name + ".bots", None, None, ("choose",))
