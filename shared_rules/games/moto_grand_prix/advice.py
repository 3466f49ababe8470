"""The rulebook's build guidelines (MG-49): hints for people who lay out their own circuit."""

FIRST_CORNER_ROWS = 7
LONG_STRAIGHT_ROWS = 8
LONG_CORNER_ROWS = 8
CLOSE_ROWS = 2
MOST_HARD_CORNERS = 2

#: Fewest and most rows of a circuit by level.
LENGTHS = (("basic", 40, 60), ("standard", 80, 100), ("expert", 0, 120), ("pro", 0, 120))


def advise(track):
    """Hints about a Track, as a list of [id, arg, …]; [] if it follows all guidelines."""
    corners = [section for section in track.sections if section.kind == "corner"]
    hints = []
    for check in (_first_corner, _three_hard, _balance, _long_straight, _series, _long_corner):
        if corners:
            hints += check(track, corners)
    return hints + _length(track)


def _first_corner(track, corners):
    rows = corners[0].first_row - 1
    return [["first-corner", FIRST_CORNER_ROWS, rows]] if rows < FIRST_CORNER_ROWS else []


def _three_hard(track, corners):
    hard = len([corner for corner in corners if corner.difficulty == 3])
    return [["three-hard", MOST_HARD_CORNERS, hard]] if hard > MOST_HARD_CORNERS else []


def _balance(track, corners):
    easy = len([corner for corner in corners if corner.difficulty == 1])
    medium = len([corner for corner in corners if corner.difficulty == 2])
    return [["balance", easy, medium]] if abs(easy - medium) > 1 else []


def _straight_before(track, corner):
    """Straight rows directly before a corner, across the line if need be."""
    rows = 0
    at = corner.index
    sections = track.sections
    for _ in sections:
        at -= 1
        if at < 0 and not track.closed:
            break
        section = sections[at % len(sections)]
        if section.kind == "corner":
            break
        rows += section.rows
    return rows


def _long_straight(track, corners):
    """A corner after a long straight should be a step harder than it would be elsewhere."""
    short = [corner.difficulty for corner in corners if _straight_before(track, corner) < LONG_STRAIGHT_ROWS]
    if not short:
        return []
    hints = []
    for corner in corners:
        rows = _straight_before(track, corner)
        if rows >= LONG_STRAIGHT_ROWS and corner.difficulty <= min(short):
            hints.append(["long-straight", corner.number, rows])
    return hints[:1]


def _series(track, corners):
    """In a series of close corners the first should be the hardest."""
    first = None
    for corner in corners:
        if first is None or _straight_before(track, corner) > CLOSE_ROWS:
            first = corner
        elif corner.difficulty > first.difficulty:
            return [["series", first.number, corner.number]]
    return []


def _long_corner(track, corners):
    for corner in corners:
        if corner.rows > LONG_CORNER_ROWS and corner.difficulty == 3:
            return [["long-corner", corner.number, corner.rows]]
    return []


def _length(track):
    for level, fewest, most in LENGTHS:
        if track.level == level and not fewest <= track.rows <= most:
            return [["length", track.rows, fewest, most]]
    return []
