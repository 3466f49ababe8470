"""The reachability check: whether a course's obstacles and barriers leave a way to the finish, and how long it is."""

from shared_rules.games.fast_and_furious import cards
from shared_rules.games.fast_and_furious.course import Course, open_way

#: Rows of a race per point of the mean speed: more would take an evening and a night.
ROWS_A_POINT = 100


def lacks(track, variants):
    """[[key of the track file, sentence], …] for whatever keeps races from ending; [] if they end."""
    out = []
    course = Course(track)
    box = cards.box(track)
    obstacles = [space for space, word in track.marks if word == "obstacle"]
    laps = track.laps if track.closed else 1
    if not open_way(course, obstacles, list(range(course.start, course.start + course.wide)), laps):
        out.append(["mark", "Expected a way from the start card over the line, the obstacles of '%s' shut every one; take"
                    " one of them away." % track.id])
    top = _top_speed(box)
    for row, speed in track.barriers:
        if speed > top and not _leads_round(track, row):
            out.append(["barrier", "Expected a barrier of at most %d behind row %d of '%s', the highest speed and nitrous,"
                        " got %d; nobody could ever pass it." % (top, row, track.id, speed)])
    speeds = [box.speed(card, gear) for card in cards.parted(cards.deck()) for gear in range(1, cards.GEARS + 1)]
    most = ROWS_A_POINT * sum(speeds) // len(speeds)
    if track.rows * laps > most:
        out.append(["laps" if laps > 1 else "section", "Expected a race of at most %d rows with such cards, '%s' has %d in"
                    " all laps; take some rows or laps off." % (most, track.id, track.rows * laps)])
    return out


def _top_speed(box):
    """The highest speed of any gear with a nitrous card."""
    top = max([max(box.values(gear)[-1], box.minimum(gear)) for gear in range(1, cards.GEARS + 1)])
    return top + box.values(0)[-1]


def _leads_round(track, row):
    """Whether a side road passes the barrier behind a row (FF-43)."""
    for kind, leaves, _, _, back in track.roads:
        if kind == "side" and track.row(leaves) <= row and not track.row(leaves) < track.row(back) <= row:
            return True
    return False
