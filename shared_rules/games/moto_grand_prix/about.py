"""What a set-up needs to know about MotoGrandPrix, without its rules."""


class About:
    """Variants, options, seats, and what can't be raced."""

    ID = "moto_grand_prix"
    MENU = 1
    VARIANTS = ("basic", "standard", "expert")
    #: Bikes per player (MG-06), a qualifying lap (MG-23), and readings of the rulebook where it contradicts itself:
    #: where cornering happens (MG-27), which double six redlines (MG-36), what hills do (MG-46).
    OPTIONS = (
        ("bikes", ["1", "2"], "1"),
        ("qualifying", ["roll", "lap"], "roll"),
        ("cornering", ["last-corner", "first-straight"], "last-corner"),
        ("redline", ["used", "rolled"], "used"),
        ("hills", ["summary", "body"], "summary"),
    )
    SEATS = (2, 6)
    DECKS = False
    LAPS = True
    #: Levels of its tracks, and that every corner of them has a difficulty. Only the host reads what follows.
    LEVELS = ("basic", "standard", "expert", "pro")
    CORNERS_HAVE_DIFFICULTY = True
    #: The options that give a race the most to store and to do: bench reads them.
    FULLEST = ("qualifying=lap",)

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: level and size of the circuit (MG-08), bikes per player (MG-06)."""
        from shared_rules.games.moto_grand_prix import about_why
        return about_why.problems(setup, track)
