"""What can be set up on this board, read from the games and from tracks/index.json."""

import json


def tracks(app, game):
    """The entries of tracks/index.json for a game, in menu order; [] where the file can't be read."""
    try:
        with open(app.hal.path("tracks/index.json")) as file:
            entries = json.load(file)
    except (OSError, ValueError):
        return []
    good = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and entry.get("game") == game and isinstance(entry.get("id"), str):
            good.append(entry)
    return good


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
    key = key.replace("-", "_")                    # keys of texts have no hyphens
    return app.texts.get(key) if app.texts.has(key) else plain
