"""How the spec's vectors put a race up and look into it; no board loads this in a race."""

from shared_rules.games.ausgebremst.rules import DECKS, DRAW


def arrange(game, state):
    """See spec/FORMAT.md."""
    from shared_rules.games.ausgebremst import spec_view_arrange_once
    spec_view_arrange_once.arrange(game, state)


def look(game, key):
    """See spec/FORMAT.md."""
    from shared_rules.games.ausgebremst import spec_view_look_once
    return spec_view_look_once.look(game, key)


def inventory(game):
    """The points of every car are somewhere: moved, void, or in cards; no two cars on one space."""
    parts = []
    for car in game.cars_:
        whole = car.moved + car.void + game.points_left(car)
        if car.seat and game.phase in (DRAW, DECKS):
            whole = 84
        parts.append(str(whole))
    taken = game.taken()
    return "%s points, %d cars on the space of another" % (" ".join(parts), len(taken) - len(set(taken)))
