"""The course as the rules drive it: what lies ahead and beside, the numbers of corners, the way to the finish (FF-22 to
FF-26).

Spaces are those of the track; the start card's come after all others. Lane i leads to lane i; the highest lanes are those
that end and begin.
"""

from array import array


def const(number):
    """The number itself. MicroPython's compiler inserts it wherever a name defined like this is used in the same file."""
    return number


#: Instead of a space ahead: there is none, or the finish line.
NONE = const(0xFFFF)
FINISH = const(0xFFFE)

LEFT = const(1)
RIGHT = const(2)

#: What lies on a space, in ``Road.there``.
TAKEN = const(1)
BLOCK = const(2)


class Course:
    """One track. ``ahead[space]`` is the space ahead in the same lane, NONE or FINISH; ``sides[space]`` says with LEFT and
    RIGHT to which sides lanes may be changed; ``first[space]`` is the first space of its row; ``limits`` are the numbers of
    corners; ``start`` the first space of the start card, ``wide`` its lanes; ``roads`` the side roads, as (space it leaves,
    first space, spaces, space that it leads to); ``lap`` the fewest steps of a round."""

    def __init__(self, track):
        self.track = track
        _fill(self, track)

    def width(self, first):
        """How many spaces are in the row that begins with this one."""
        beyond = first + 1
        while beyond < len(self.first) and self.first[beyond] == first:
            beyond += 1
        return beyond - first

    def beside(self, space, side):
        """The space to the left (-1) or to the right (1) if lanes may be changed there, else -1."""
        return space + side if self.sides[space] & (LEFT if side < 0 else RIGHT) else -1

    def diagonals(self, space):
        """The spaces ahead to the left and right, never corner spaces (FF-39)."""
        straight = self.ahead[space]
        if self.limits[space]:
            return []
        if space < self.track.in_rows:
            there = self.track.ahead(space)
        elif self.start <= space and straight < FINISH:
            low = self.first[straight]
            there = [to for to in (straight - 1, straight + 1) if low <= to < low + self.width(low)]
        else:
            there = []
        return [to for to in there if to != straight and not self.limits[to]]

    def branches(self, space):
        """The first spaces of side roads from here."""
        return [first for leaves, first, _, _ in self.roads if leaves == space]

    def aside(self, space):
        """Where steps lead that don't go ahead in the lane: onto side roads, and to the sides."""
        out = self.branches(space) if self.roads else []
        sides = self.sides[space]
        if sides & LEFT:
            out.append(space - 1)
        if sides & RIGHT:
            out.append(space + 1)
        return out

    def barrier(self, space):
        """The number of the barrier right ahead, 0 for none (FF-43)."""
        if space < self.track.in_rows:
            for row, speed in self.track.barriers:
                if row == self.track.row(space):
                    return speed
        return 0

    def crosses(self, space, to):
        """Whether the step leads over the line of a loop."""
        track = self.track
        if space < track.in_rows:
            return to < space and track.row(to) < track.row(space)
        for leaves, first, spaces, back in self.roads:
            if space == first + spaces - 1 and to == back:
                return track.row(back) <= track.row(leaves)
        return False

    def to_go(self, space, crossings, laps):
        """Steps ahead to the last crossing of the line; before the start, as from the start card."""
        steps = self.to_line[space] if space >= 0 else self.lap + 1
        return steps + ((laps - 1 - crossings) * self.lap if self.track.closed else 0)


class Road:
    """The course as one car finds it: ``there`` says for every space what is in the way, ``sides`` where lanes may be
    changed, as ``Course.sides``."""

    def __init__(self, course):
        self.course = course
        self.there = bytearray(course.track.count)
        self.sides = course.sides


# What a Course has to know about its track


def _fill(course, track):
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
    _count_steps(course)


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
    """Makes ``Course.sides``; ``corners``: as if lanes could be changed on corner spaces, too."""
    out = bytearray(course.track.count)
    for space in range(1, len(out)):
        straight = corners or not (course.limits[space - 1] or course.limits[space])
        if straight and course.first[space] == course.first[space - 1]:
            out[space - 1] |= RIGHT
            out[space] |= LEFT
    return out


def _count_steps(course):
    """For each space the fewest steps ahead over the line; changes of lanes don't count."""
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


def course_of(track):
    """The Course of a track, made only once: a race that goes back makes a new Game."""
    if not hasattr(track, "driven"):
        track.driven = Course(track)
    return track.driven


# Whether a way leads on


def open_way(course, closed, spaces, laps=1, diagonals=0):
    """Whether a way leads over the line for the last time, after this many rounds, from one of these spaces, with at most
    this many diagonal steps in all; ``closed`` are spaces that can't be entered."""
    ways = [list(spaces)] + [[] for _ in range(diagonals)]
    for lap in range(laps):
        ways = _over_the_line(course, _marked(course, closed), ways, lap == laps - 1)
    return any(ways)


def entered(course, closed, space, diagonals):
    """A byte for each space: 1 if a car can get there from one space without crossing the line, and on ``closed`` ones."""
    seen = _marked(course, closed)
    _over_the_line(course, seen, [[space]] + [[] for _ in range(diagonals)], False)
    return seen


def _marked(course, closed):
    """A byte for each space: 1 if it can't be entered."""
    seen = bytearray(course.track.count)
    for space in closed:
        seen[space] = 1
    return seen


def _over_the_line(course, seen, ways, last):
    """What comes behind the line, for each number of diagonal steps: FINISH, or spaces of row 1; ``ways`` are likewise the
    spaces where ways begin. ``seen`` spaces aren't entered; entering a space marks it as seen. In the last round any
    way will do; the straight way ahead is tried first."""
    over = [[] for _ in ways]
    for used, reached in enumerate(ways):
        while reached and not (last and over[used]):
            space = reached.pop()
            if seen[space]:
                continue
            seen[space] = 1
            for to in course.diagonals(space) if used + 1 < len(ways) else ():
                _onto(course, space, to, ways[used + 1], over[used + 1])
            reached += course.aside(space)
            _onto(course, space, course.ahead[space], reached, over[used])
    return over


def _onto(course, space, to, reached, over):
    """Notes where a step ahead leads."""
    if to == FINISH or to < space and course.crosses(space, to):
        over.append(to)
    elif to != NONE:
        reached.append(to)
