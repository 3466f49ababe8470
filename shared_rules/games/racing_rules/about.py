"""What a set-up needs to know about Racing Rules, without its rules."""


class About:
    """Variants, seats, and what can't be raced."""

    ID = "racing_rules"
    MENU = 3
    VARIANTS = ("race-1", "race-2", "race-3", "race-4", "race-5", "turbocharge", "race-6")
    OPTIONS = ()
    SEATS = (2, 6)
    DECKS = True
    LAPS = False
    #: Levels of its tracks, and what a board may bring: only the host reads these.
    LEVELS = ("house",)
    BOX = ("die", "card")

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: a board that lacks what the rules need."""
        from shared_rules.games.racing_rules import about_why
        return about_why.problems(setup, track)
