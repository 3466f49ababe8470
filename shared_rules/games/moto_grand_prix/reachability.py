"""The reachability check: bikes get round every circuit, but a race mustn't last for ever."""

MOST_ROWS = 3000


def lacks(track, variants):
    """[[key of the track file, sentence], …] for whatever keeps races from ending; [] if they end."""
    rows = track.rows * track.laps
    if rows <= MOST_ROWS:
        return []
    return [["laps", "Expected a race of at most %d rows, '%s' has %d in its %d laps; take some laps off."
             % (MOST_ROWS, track.id, rows, track.laps)]]
