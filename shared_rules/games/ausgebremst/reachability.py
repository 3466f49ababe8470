"""The reachability check: whether cars can get home on a circuit, and whether the pit lane can ever jam for good."""

from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.course import Course

#: Five cars waiting for field A fill up to five rows before the line; a car on field C must have room for a 6 behind them,
#: or it and the cars in the pit lane wait for each other.
FEWEST_BEHIND_EXIT = 12


def lacks(track, variants):
    """[[key of the track file, sentence], …] for whatever keeps races from ending; [] if they end."""
    out = []
    course = Course(track, track.laps)
    behind = course.to_go(course.exit, track.laps)
    if behind < FEWEST_BEHIND_EXIT:
        out.append(["road", "Expected the pit lane of '%s' to end at least %d fields before the line, it ends %d before;"
                    " cars that wait to go in would shut it for ever." % (track.id, FEWEST_BEHIND_EXIT, behind)])
    way = course.to_go(course.grid[0], 0) + (course.detour() if track.laps > 1 else 0)
    points = data.DECK_POINTS
    if way > points:
        out.append(["section", "Expected a race of at most %d fields, as many as a deck has points, '%s' has %d from the"
                    " first start place with a pit stop; take some rows or laps off." % (points, track.id, way)])
    return out
