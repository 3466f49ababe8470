"""The learned tables of the bots, one for each circuit and variant: ``bots_value.py`` says what they hold."""

#: The circuits that have tables.
TRACKS = ("nuerburg-ring", "nuerburg-drom", "nuerburg-circuit")
#: They are used with at most this many players, in the family game and in the pro game; among more, the plan of ``bots.py``
#: gets home more often.
MOST_PLAYERS = (4, 1)


def module(track, variant):
    """The name of the module with the table of a circuit, as ``tools/ausgebremst_learn.py`` writes it, too."""
    return "%s_%s" % (track.replace("-", "_"), variant)


def load(track, variant):
    """The table of a circuit: one of six, by its name, so that a race has no other one."""
    return __import__("shared_rules.games.ausgebremst.values." + module(track, variant), None, None, ("TABLE",)).TABLE
