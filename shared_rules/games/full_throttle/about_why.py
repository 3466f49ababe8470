"""What can't be raced in Full Throttle!. Loaded when a set-up is checked."""

from shared_rules.games.full_throttle.road import GRID_ROWS, start_spaces

FEWEST_ROWS = 8


def problems(track):
    """Sentences about a track that doesn't suit mopeds."""
    out = []
    turns = [section.turn for section in track.sections if section.kind == "corner"]
    if not track.closed or track.lanes != 2 or track.rows < FEWEST_ROWS or len(set(turns)) != 1:
        out.append("Expected a loop of two lanes and at least %d rows with turns that all go the same way, got '%s'."
                   % (FEWEST_ROWS, track.id))
    elif len(start_spaces(track)) != 6:
        out.append("Expected 6 start spaces, marked or in the last %d rows, got '%s' with %d."
                   % (GRID_ROWS, track.id, len(start_spaces(track))))
    return out
