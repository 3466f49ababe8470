"""What a set-up needs to know about Fast & Furious: Full Throttle, without its rules."""


class About:
    """Variants, options, seats, and what can't be raced."""

    ID = "fast_and_furious"
    MENU = 5
    VARIANTS = ("street", "tag-team")
    #: Whether damage icons cost control tokens (FF-50); who has a driver (FF-02); whose obstacles lie on the course (FF-05);
    #: whether gears may be changed between the speed draw and the choice of a speed (FF-18).
    OPTIONS = (
        ("damage", ["no", "yes"], "no"),
        ("drivers", ["no", "chosen", "random"], "no"),
        ("obstacles", ["course", "none", "agreed", "turns"], "course"),
        ("shift_in_draw", ["yes", "no"], "yes"),
    )
    SEATS = (2, 4)
    DICE = False
    DECKS = True
    LAPS = False
    #: Levels of its tracks, the most cars on the card before the first row, and what a course may bring: only the host reads
    #: these.
    LEVELS = ("street",)
    START_CARD = 4
    BOX = ("card",)
    #: The options that give a race the most to store and to do: bench reads them.
    FULLEST = ("damage=yes", "drivers=random", "obstacles=turns")

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: the shape of the course, three seats in two teams, an owner's cards that say nothing."""
        # A door: the menu reads what it needs for all games, and checks one set-up.
        from shared_rules.games.fast_and_furious import about_why
        return about_why.problems(setup, track)
