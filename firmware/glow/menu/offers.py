"""What can be raced on this board, read from the games and from tracks/index.json."""

from hal import data_files


def tracks(app, game):
    """A game's entries in the list of tracks, in menu order; [] if the list can't be read."""
    return data_files.tracks(app.hal, game)


def variant_name(app, game, variant):
    """The name of a variant."""
    return _named(app, game + ".variant_" + variant, variant)


def option_name(app, game, key):
    """The name of an option of the game."""
    return _named(app, game + ".option_" + key, key)


def value_name(app, game, key, value):
    """The name of an option's value."""
    return _named(app, game + ".option_" + key + "_" + value, value)


def _named(app, key, plain):
    key = key.replace("-", "_")                    # text keys have no hyphens
    return app.texts.get(key) if app.texts.has(key) else plain
