"""From which spaces obstacles leave no way; bots take them as taken. Loaded where obstacles lie anew."""

from shared_rules.games.fast_and_furious.course import FINISH, NONE


def find(ahead, game, count):
    """Finds the spaces from which obstacles leave no way; they are as good as taken."""
    course = game.course
    obstacles = game.obstacles
    open_ = bytearray(count)
    shut = list(obstacles)
    for row in range(course.track.rows, 0, -1):
        spaces = course.track.row_spaces(row)
        for space in spaces:
            to = course.ahead[space]
            if space not in obstacles and (to == FINISH or to < space or to != NONE and open_[to]
                                           or course.branches(space)):
                open_[space] = 1
        for way in (-1, 1):
            for space in spaces if way > 0 else reversed(spaces):
                if open_[space] and course.beside(space, way) >= 0 and space + way not in obstacles:
                    open_[space + way] = 1
        shut += [space for space in spaces if not open_[space]]
    ahead.shut = shut
    ahead.obstacles = list(obstacles)
