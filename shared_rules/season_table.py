"""The standings of a season: points added up, ties broken as the game says; riders (cars) and teams."""


class Line:
    """A line of the table: ``seat``, ``car`` (0 for a team or a seat without a car), ``team`` its text key, ``place``,
    ``points``, ``wins``, and ``each``: [place, points] race by race."""

    def __init__(self, seat, car, team):
        self.seat = seat
        self.car = car
        self.team = team
        self.place = 0
        self.points = 0
        self.counts = []
        self.last = 0
        self.each = []

    @property
    def wins(self):
        """Races won."""
        return self.counts[0] if self.counts else 0

    def take(self, place, points):
        """Adds a race's place and points. A place without points counts in no tie-break: it may be that of somebody who
        is out."""
        self.points += points
        if points > 0:
            while len(self.counts) < place:
                self.counts.append(0)
            self.counts[place - 1] += 1


def riders(season, races=None):
    """The Lines of the cars, best first, after this many races (None: all that are in)."""
    lines = []
    for standings, _ in _results(season, races):
        for seat, car, place, points in standings:
            if not seat:
                continue                           # nobody drives it: it takes a place but no points
            line = _line_of(lines, seat, car)
            line.take(place, points)
            line.last = place
            line.each.append([place, points])
    if not lines:
        for car, seat, _, _ in season.cars or [[0, at + 1, "", ""] for at in range(len(season.players))]:
            if seat:
                _line_of(lines, seat, car)
    for line in lines:
        line.team = _team(season, line.car)
    return _ranked(lines, season.rules.TIES)


def teams(season, races=None):
    """The Lines of the teams, best first: a team has what its cars have. [] if no two cars form a team."""
    keys = []
    driven = [row for row in season.cars if row[1]]
    for row in driven:
        key = season.rules.team(row)
        if key and key not in keys:
            keys.append(key)
    if not keys or len(driven) <= len(keys):
        return []
    lines = [Line(0, at + 1, key) for at, key in enumerate(keys)]
    for standings, _ in _results(season, races):
        for line in lines:
            came = [row for row in standings if row[0] and _team(season, row[1]) == line.team]
            for _, _, place, points in came:
                line.take(place, points)
            line.last = min([row[2] for row in came])
            line.each.append([line.last, sum([row[3] for row in came])])
    lines = _ranked(lines, season.rules.TIES)
    for line in lines:
        line.car = 0
    return lines


def _results(season, races):
    return season.results if races is None else season.results[:races]


def _line_of(lines, seat, car):
    for line in lines:
        if (line.seat, line.car) == (seat, car):
            return line
    lines.append(Line(seat, car, ""))
    return lines[-1]


def _team(season, car):
    for row in season.cars:
        if row[0] == car:
            return season.rules.team(row)
    return ""


def _ranked(lines, ties):
    """The lines sorted by points, then by the tie-breaks; lines equal in all of them share the place."""
    most = max([len(line.counts) for line in lines] + [1])
    keyed = [(_key(line, ties, most), line.seat, line.car, line) for line in lines]
    keyed.sort(key=lambda row: (row[0], row[1], row[2]))  # unique: no two lines have the same seat and car
    before = None
    for at, (key, _, _, line) in enumerate(keyed):
        line.place = at + 1 if key != before else keyed[at - 1][3].place
        before = key
    return [row[3] for row in keyed]


def _key(line, ties, most):
    key = [-line.points]
    for rule in ties:
        if rule == "wins":
            key.append(-line.wins)
        elif rule == "places":
            key += [-(line.counts[at] if at < len(line.counts) else 0) for at in range(most)]
        elif rule == "last":
            key.append(line.last)
    return tuple(key)
