"""How the spec's vectors put a race up and look into it; no board loads this in a race."""


def arrange(game, state):
    """See spec/FORMAT.md."""
    raise KeyError(", ".join(sorted(state)))


def look(game, key):
    """See spec/FORMAT.md."""
    raise KeyError(key)
