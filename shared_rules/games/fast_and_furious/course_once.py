"""Finds out what a Course has to know of its track. Loaded for that alone, and where WHY asks for the sides of corners."""

from array import array

from shared_rules.games.fast_and_furious.course import FINISH, LEFT, NONE, RIGHT


def measure(course, track):
    """Fills a Course in."""
    course.limits = track.limits or bytes(track.count)
    course.wide = len(track.row_spaces(1))
    course.roads = []
    for kind, leaves, first, spaces, back in track.roads:
        if kind == "start":
            course.start = first
        else:
            course.roads.append((leaves, first, spaces, back))
    course.first = array("H", bytes(2 * track.count))
    course.ahead = array("H", bytes(2 * track.count))
    for space in range(track.count):
        course.first[space] = _first(course, space)
        course.ahead[space] = _ahead(track, space)
    course.sides = sides(course)
    course.to_line = array("H", bytes(2 * track.count))
    _measure(course)


def _first(course, space):
    """The first space of a row; side roads have rows of one space."""
    track = course.track
    if space < track.in_rows:
        return track.row_spaces(track.row(space))[0]
    return space - (space - course.start) % course.wide if space >= course.start else space


def _ahead(track, space):
    if space >= track.in_rows:
        return track.ahead(space)[0]
    if track.row(space) == track.rows and not track.closed:
        return FINISH
    to = track.space(track.row(space) % track.rows + 1, track.lane(space))
    return to if 0 <= to < track.in_rows else NONE


def sides(course, corners=False):
    """``Course.sides``; ``corners``: as if lanes might be changed on the spaces of corners, too."""
    out = bytearray(course.track.count)
    for space in range(1, len(out)):
        straight = corners or not (course.limits[space - 1] or course.limits[space])
        if straight and course.first[space] == course.first[space - 1]:
            out[space - 1] |= RIGHT
            out[space] |= LEFT
    return out


def _measure(course):
    """Of each space the fewest steps ahead over the line; changes of lanes don't count."""
    track = course.track
    best = 0
    for row in range(track.rows, 0, -1):
        best += 1
        for leaves, first, spaces, back in course.roads:
            if track.row(leaves) == row:
                # A road that leads back over the line of a loop isn't shorter for the rows before it.
                after = course.to_line[back] if track.row(back) > row else 0
                for at in range(spaces):
                    course.to_line[first + at] = spaces - at + after
                best = min(best, 1 + course.to_line[first])
        for space in track.row_spaces(row):
            course.to_line[space] = best
    for space in range(course.start, track.count):
        course.to_line[space] = best + 1 + (space - course.start) // course.wide
    course.lap = best
