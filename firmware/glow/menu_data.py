"""What can be set up on this board, read from the games and from tracks/index.json."""

import json

from shared_rules import games as all_games


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
    return app.texts.get(key) if app.texts.has(key) else plain


def games(app):
    """The games for the message `menu`."""
    out = []
    for name in all_games.NAMES:
        game = all_games.load(name)
        options = []
        for key, values, default in game.OPTIONS:
            labels = [value_name(app, name, key, value) for value in values]
            options.append([key, list(values), default, option_name(app, name, key), labels])
        out.append({
            "id": name,
            "name": app.texts.get(name + ".name"),
            "variants": [[variant, variant_name(app, name, variant)] for variant in game.VARIANTS],
            "options": options,
            "seats": list(game.SEATS),
            "decks": 1 if game.DECKS else 0,
            "tracks": tracks(app, name),
        })
    return out
