"""What can't be raced in Ausgebremst. Loaded when a set-up is checked."""

from shared_rules.games.ausgebremst.data import CARS

MOST_LAPS = 3
GRID_ROWS = 3


def problems(setup, track):
    """Sentences about a track without a pit lane or a grid, too many laps, or a start order that isn't one."""
    out = []
    if not _is_circuit(track):
        out.append("Expected a loop of two lanes with one side road from row 1, the pit lane, and %d last rows of two"
                   " spaces, got '%s'." % (GRID_ROWS, track.id))
    elif track.row(track.roads[0][4]) == 1:
        out.append("Expected the pit lane of '%s' to lead back to the road behind row 1, as cars on its way out would shut"
                   " the way in; choose another space for it to lead to." % track.id)
    if setup.laps > MOST_LAPS:
        out.append("Expected at most %d laps, as the cards last for no more, got %d." % (MOST_LAPS, setup.laps))
    grid = setup.grid
    if grid:
        seats = len(setup.players)
        derelict = [car > seats for car in grid]
        if sorted(grid) != list(range(1, CARS + 1)) or derelict != sorted(derelict, reverse=True):
            out.append("Expected a grid of the cars 1 to %d, those without a player (from %d on) first, got %s."
                       % (CARS, seats + 1, " ".join([str(car) for car in grid])))
    return out


def _is_circuit(track):
    if not track.closed or track.lanes != 2 or len(track.roads) != 1 or track.rows < 3 * GRID_ROWS:
        return False
    kind, leaves, _, _, _ = track.roads[0]
    grid = [len(track.row_spaces(row)) for row in range(track.rows - GRID_ROWS + 1, track.rows + 1)]
    return kind == "side" and track.row(leaves) == 1 and grid == [2] * GRID_ROWS
