"""What a set-up needs to know of MotoGrandPrix, without its rules."""

from shared_rules.games.moto_grand_prix import data


class About:
    """Variants, options, seats, and what can't be raced."""

    ID = "moto_grand_prix"
    VARIANTS = ("basic", "standard", "expert")
    #: Bikes a player (MG-06), a qualifying lap (MG-23), and readings of the rulebook where it contradicts itself:
    #: where cornering is (MG-27), which double six redlines (MG-36), what hills do (MG-46).
    OPTIONS = (
        ("bikes", ["1", "2"], "1"),
        ("qualifying", ["roll", "lap"], "roll"),
        ("cornering", ["last-corner", "first-straight"], "last-corner"),
        ("redline", ["used", "rolled"], "used"),
        ("hills", ["summary", "body"], "summary"),
    )
    SEATS = (2, 6)
    DECKS = False

    @classmethod
    def problems(cls, setup, track):
        """Why this can't be raced: level and size of the circuit (MG-08), bikes a player (MG-06)."""
        out = []
        if track.level not in data.levels(setup.variant):
            out.append("Expected a circuit of level %s for the %s game, got '%s', which is %s; choose another."
                       % (data.levels(setup.variant)[0], setup.variant, track.id, track.level))
        if not track.closed or track.rows < data.FEWEST_ROWS:
            out.append("Expected a closed circuit of at least %d rows, got '%s' with %d."
                       % (data.FEWEST_ROWS, track.id, track.rows))
        if setup.option("bikes") == "2" and len(setup.players) > len(data.TEAMS):
            out.append("Expected 2 or 3 players where each runs a team of two bikes, got %d."
                       % len(setup.players))
        return out
