"""The reachability check: bikes come round on every circuit, but nobody rides for ever."""

MOST_ROWS = 3000


def lacks(track, variants):
    """[[key of the track file, sentence], …] of what lacks; [] where races end."""
    rows = track.rows * track.laps
    if rows <= MOST_ROWS:
        return []
    return [["laps", "Expected a race of at most %d rows, '%s' has %d in its %d laps; take laps off."
             % (MOST_ROWS, track.id, rows, track.laps)]]
