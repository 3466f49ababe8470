"""The course as the rules drive it: what lies ahead and beside, the numbers of corners, the way to the finish (FF-22 to
FF-26). ``course_once.py`` finds all that out.

Spaces are those of the track; the start card's lie behind all others. Lane i leads to lane i; the highest lanes end and
begin.
"""

#: In the place of a space ahead: there is none, or the finish line.
NONE = 0xFFFF
FINISH = 0xFFFE

LEFT = 1
RIGHT = 2


class Course:
    """One track. ``ahead[space]`` is the space ahead in the same lane, NONE or FINISH; ``sides[space]`` says with LEFT and
    RIGHT to which sides lanes may be changed; ``first[space]`` is the first space of its row; ``limits`` are the numbers of
    corners; ``start`` the first space of the start card, ``wide`` its lanes; ``roads`` the side roads, as (space it leaves,
    first space, spaces, space that it leads to); ``lap`` the fewest steps of a round."""

    def __init__(self, track):
        self.track = track
        from shared_rules.games.fast_and_furious import course_once
        course_once.measure(self, track)

    def width(self, first):
        """How many spaces the row has that begins with this one."""
        beyond = first + 1
        while beyond < len(self.first) and self.first[beyond] == first:
            beyond += 1
        return beyond - first

    def beside(self, space, side):
        """The space to the left (-1) or to the right (1) if lanes may be changed there, else -1."""
        return space + side if self.sides[space] & (LEFT if side < 0 else RIGHT) else -1

    def diagonals(self, space):
        """The spaces ahead to the left and right, none of them of a corner (FF-39)."""
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
        """Steps ahead up to over the line for the last time; before the start as from the start card."""
        steps = self.to_line[space] if space >= 0 else self.lap + 1
        return steps + ((laps - 1 - crossings) * self.lap if self.track.closed else 0)


def course_of(track):
    """The Course of a track, made once: a race that goes back makes its Game anew."""
    if not hasattr(track, "driven"):
        track.driven = Course(track)
    return track.driven
