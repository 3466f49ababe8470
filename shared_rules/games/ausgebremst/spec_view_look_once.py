"""What the spec's vectors can ask of a race. Loaded for vectors alone."""

from shared_rules.games.ausgebremst import accounts, data
from shared_rules.games.ausgebremst.rules import DONE, RACE, RUN

NAMED_DECKS = (("full", data.COMPLETE), ("family", data.COUNTS[data.SLOW])) + tuple(zip(data.DECKS, data.COUNTS))


def look(game, key):
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "car":
        return _look_car(game, game.car(int(words[1])), " ".join(words[2:]))
    if words[0] == "space":
        return _look_space(game, game.track.named(words[1]), " ".join(words[2:]))
    if words[0] in ("cards", "points", "out"):
        return _look_deck(words[0], words[1])
    if words[0] == "chart":
        return _look_chart(game, words[1])
    if len(words) > 1 and words[1] in ("1", "2", "3", "4", "5", "6"):
        return _look_cards(game, words[0], game.car(int(words[1])), " ".join(words[2:]))
    return _look_race(game, key)


def _look_race(game, key):
    due = game.phase == RACE and not game.over()
    simple = (
        ("order", " ".join([str(number) for number in game.order]) or "none"),
        ("turn", str(game.order[game.at]) if due else "none"),
        ("next order", _next_order(game) if game.phase == RACE and game.over() else "none"),
        ("stalled", _yes(game.stalled)),
        ("lap", str(game.lap())),
        ("rows", str(game.track.rows)),
        ("lap fields", str(game.course.lap)),
        ("fields", str(game.setup.laps * game.course.lap + 1 + game.course.detour())),
        ("detour", str(game.course.detour())),
        ("direction", [section.turn for section in game.track.sections if section.turn][0]),
        ("difficulty", game.track.level),
    )
    for name, text in simple:
        if name == key:
            return text
    raise KeyError(key)


def _next_order(game):
    rows = game.standings()
    derelict = sorted([row[1] for row in rows if not row[0]])
    return " ".join([str(number) for number in derelict + [row[1] for row in rows if row[0]]])


def _yes(value):
    return "yes" if value else "no"


def _listed(cards):
    return " ".join(cards) or "none"


def _down(cards):
    return "".join(reversed(data.ordered(cards)))


def _look_car(game, car, key):
    if key == "":
        if car.status == RUN:
            return game.track.space_name(car.space) if car.space >= 0 else "garage"
        return "finished" if car.status == DONE else "removed"
    simple = (
        ("crossings", str(car.crossings)),
        ("to go", str(game.to_go(car))),
        ("leads", _yes(game.leads(car))),
        ("stopped", _yes(car.stopped)),
        ("place", str(game.ranking().index(car.number) + 1)),
        ("driver", "derelict" if car.derelict else "seat %d" % car.seat),
        ("last", car.last),
    )
    for name, text in simple:
        if name == key:
            return text
    raise KeyError(key)


def _look_cards(game, what, car, key):
    at = car.number - 1
    if what == "hand":
        if not car.seat:
            return "none"
        return str(game.hand_count(car)) if key == "count" else _listed(_down(game.hands[at]))
    if what == "left":
        cards = game.cards_of(car)
        if key == "points":
            return str(data.points(cards))
        return _listed(_down(cards)) if key == "cards" else str(len(cards))
    if what == "deck":
        return _listed(game.decks[at])
    if what == "stacks":
        return " / ".join([" ".join(stack) or "-" for stack in game.stacks[at]])
    if what == "chosen":
        return (game.chosen[at] if game.chosen else "") or "none"
    if what == "deposit":
        return _listed(_down(game.beside_pit(car)))
    if what == "sees":
        return _look_sees(game, car.seat)
    if what == "account":
        left = game.points_left(car)
        return "start %d moved %d void %d left %d" % (car.moved + car.void + left, car.moved, car.void, left)
    if what == "reserve":
        return str(accounts.reserve(game, car))
    raise KeyError(what)


def _look_sees(game, seat):
    """What the game's ``private`` tells, without its sentences."""
    parts = []
    for line in game.private(seat):
        name = line[0].split("_")[-1]
        told = [word.replace("@ausgebremst.deck_", "") for word in line[1:]]
        parts.append(name + " " + " / ".join(told))
    return "; ".join(parts) or "nothing"


def _look_deck(what, name):
    counts = dict(NAMED_DECKS)[name]
    if what == "out":
        return _listed(_down(data.pile([full - count for full, count in zip(data.COMPLETE, counts)])))
    cards = data.pile(counts)
    return str(data.points(cards)) if what == "points" else _listed(_down(cards))


def _look_chart(game, which):
    found = data.chart(game.track.id)
    return (found[3] if which == "reserve" else _listed(found[int(which) - 1])) or "none"


def _look_space(game, space, key):
    track, course = game.track, game.course
    ahead = sorted(track.ahead(space)) + track.branch(space)
    if key == "to go":
        return str(course.to_go(space, game.setup.laps))
    if key == "ahead":
        return " ".join([track.space_name(other) for other in ahead])
    if key == "changes":
        changed = [other for other in ahead if course.changes_lane(space, other)]
        return " ".join([track.space_name(other) for other in changed]) or "none"
    return _kind_of(game, space) + _signs(course, space)


def _kind_of(game, space):
    track, course = game.track, game.course
    if course.in_pit(space):
        return "pit %d of %d" % (space - course.pit + 1, course.pit_fields)
    if course.is_chicane(space):
        return "chicane"
    side = "inner" if track.lane(space) == track.lane(course.entry) else "outer"
    curve, lane = course.curve_lane(space)
    if not curve:
        return side
    lanes = [other for other in range(track.in_rows) if course.curve_lane(other) == (curve, lane)]
    return "curve %s %d of %d" % (side, lanes.index(space) + 1, len(lanes))


def _signs(course, space):
    out = " A" if space == course.entry else " C" if space == course.exit else ""
    return out + (" start %d" % (course.grid.index(space) + 1) if space in course.grid else "")
