"""What a set-up needs to know about Full Throttle!, without its rules."""


class About:
    """Variants, options, seats, and what can't be raced."""

    ID = "full_throttle"
    MENU = 2
    VARIANTS = ("standard",)
    #: Which card of each moped two players take out (FT-04), and whether a moped that can't move its card gets the bonus
    #: of the space it stands on (FT-21).
    OPTIONS = (
        ("removed", ["3", "2", "1"], "3"),
        ("stuck_bonus", ["yes", "no"], "yes"),
    )
    SEATS = (2, 6)
    DICE = False
    DECKS = True
    LAPS = True
    #: Levels of its tracks, which only the host reads.
    LEVELS = ("house",)
    #: The options that give a race the most to store and to do: bench reads them.
    FULLEST = ("removed=1",)

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: the shape of the track (FT-01, FT-02)."""
        from shared_rules.games.full_throttle import about_why
        return about_why.problems(track)
