"""What a set-up needs to know about Ausgebremst, without its rules."""


class About:
    """Variants, options, seats, and what can't be raced."""

    ID = "ausgebremst"
    MENU = 4
    VARIANTS = ("family", "pro")
    #: Who turns the cards of derelict cars; whether such a car stays put if it can't move its card in full, or goes as far
    #: as it can (AB-36a); how cards get to the stacks (AB-45); what happens to the car of a player who leaves.
    OPTIONS = (
        ("derelict_decks", ["device", "table"], "device"),
        ("derelict_partial", ["spent", "move"], "spent"),
        ("stacking", ["value", "card"], "value"),
        ("leaver", ["derelict", "removed"], "derelict"),
    )
    SEATS = (3, 6)
    DICE = False
    DECKS = True
    LAPS = False
    GRID = True
    #: Levels of its tracks, which only the host reads.
    LEVELS = ("easy", "middle", "hard")

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: the shape of the track, the laps, a start order that names other cars."""
        from shared_rules.games.ausgebremst import about_why
        return about_why.problems(setup, track)
