"""What can't be raced of Full Throttle!. Loaded where a set-up is checked."""

#: Rows whose spaces are the start spaces where none are marked.
GRID_ROWS = 3
FEWEST_ROWS = 8


def problems(track):
    """Sentences about a track that is none for mopeds."""
    out = []
    turns = [section.turn for section in track.sections if section.kind == "corner"]
    if not track.closed or track.lanes != 2 or track.rows < FEWEST_ROWS or len(set(turns)) != 1:
        out.append("Expected a loop of two lanes and at least %d rows with turns that all go the same way, got '%s'."
                   % (FEWEST_ROWS, track.id))
    elif len(start_spaces(track)) != 6:
        out.append("Expected 6 start spaces, marked or in the last %d rows, got '%s' with %d."
                   % (GRID_ROWS, track.id, len(start_spaces(track))))
    return out


def start_spaces(track):
    """The start spaces: those that are marked, else those of the last rows (FT-02)."""
    marked = [space for space, mark in track.marks if mark == "start"]
    if not marked:
        for row in range(track.rows - GRID_ROWS + 1, track.rows + 1):
            marked += track.row_spaces(row)
    return sorted(marked)
