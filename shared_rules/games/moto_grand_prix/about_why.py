"""What can't be raced in MotoGrandPrix. Loaded when a set-up is checked."""

from shared_rules.games.moto_grand_prix.data import TEAMS

#: Levels of the circuits for each variant (MG-08); a circuit of your own has no level.
LEVELS = (
    ("basic", ("basic", "")),
    ("standard", ("standard", "basic", "")),
    ("expert", ("expert", "standard", "basic", "pro", "")),
)

#: The longest move is two sixes, three Engine points, downhill and a slipstream: a lap must be longer, or a
#: bike could meet itself.
FEWEST_ROWS = 18


def problems(setup, track):
    """Why this can't be raced: level and size of the circuit (MG-08), bikes per player (MG-06)."""
    out = []
    if track.level not in levels(setup.variant):
        out.append("Expected a circuit of level %s for the %s game, got '%s', which is %s; choose another."
                   % (levels(setup.variant)[0], setup.variant, track.id, track.level))
    if not track.closed or track.rows < FEWEST_ROWS:
        out.append("Expected a closed circuit of at least %d rows, got '%s' with %d."
                   % (FEWEST_ROWS, track.id, track.rows))
    if setup.option("bikes") == "2" and len(setup.players) > len(TEAMS):
        out.append("Expected 2 or 3 players where each runs a team of two bikes, got %d."
                   % len(setup.players))
    return out


def levels(variant):
    """Levels of a variant's circuits."""
    for name, allowed in LEVELS:
        if name == variant:
            return allowed
    return ()
