"""How the spec's vectors put a race up and look into it; no board loads this in a race."""


def arrange(game, state):
    """See spec/FORMAT.md."""
    from shared_rules.games.fast_and_furious import spec_arrange_once
    spec_arrange_once.arrange(game, state)


def look(game, key):
    """See spec/FORMAT.md."""
    from shared_rules.games.fast_and_furious import spec_look_once
    return spec_look_once.look(game, key)


def inventory(game):
    """Cards are somewhere, each once; no two cars on one space; control tokens are beside the board or on consoles."""
    from shared_rules.games.fast_and_furious import data
    cards = game.deck + "".join(game.hands)
    spaces = [car.space for car in game.cars_ if car.space >= 0]
    parts = ["%d cars on the space of another" % (len(spaces) - len(set(spaces)))]
    if not game.by_table:
        parts.append("%d cards twice" % (len(data.cards(cards)) - len(set(data.cards(cards)))))
    if game.damage:
        tokens = len(game.control) + sum([car.damage + (1 if car.control else 0) for car in game.cars_])
        tokens += 1 if game.now and game.now.control and not game.now.moved else 0
        parts.append("%d control tokens" % tokens)
    return ", ".join(parts)
