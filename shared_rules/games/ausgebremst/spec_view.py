"""How the spec's vectors set up a race and look into it; no board loads this in a race."""

from shared_rules.games.ausgebremst import data, pro, standings
from shared_rules.games.ausgebremst.data import CHOOSE, DONE, DRAW, OFF, OUT, RACE, RUN


def arrange(game, state):
    """See spec/FORMAT.md."""
    game.order = [int(word) for word in state.get("order", [])]
    if not game.order:
        game.order = [car.number for car in game.cars_ if not car.seat] + [car.number for car in game.cars_ if car.seat]
    if "cars" not in state:
        game.line_up()
        if not game.pro:
            _cards(game, state)
        return
    _put_cars(game, state)
    game.phase = RACE
    if game.pro:
        _pro(game, state)
    _cards(game, state)
    for car in game.cars_:
        start = data.points(data.deck(data.SLOW) if car.seat else data.complete())
        car.moved = max(0, start - game.points_left(car)) if car.status != OFF else 0
    running = [number for number in game.order if game.car(number).status == RUN]
    first = running[0] if running else game.order[0]
    game.at = game.order.index(int(state.get("turn", first)))
    game.stalled = 1 if state.get("stalled") == "yes" else 0
    game.moved = 1 if game.order[game.at] != first else 0


def _put_cars(game, state):
    for car in game.cars_:
        car.status = OFF
        car.space = -1
        car.to_go = game.course.lap * game.setup.laps
        car.begun = 0 if str(car.number) in [str(word) for word in state.get("first", [])] else 1
        car.stopped = 1 if str(car.number) in [str(word) for word in state.get("stopped", [])] else 0
    for text in state["cars"]:
        number, name, crossings = text.split(" ")
        car = game.car(int(number))
        car.space = game.track.named(name)
        if car.space < 0:
            raise KeyError(name)
        car.crossings = int(crossings)
        car.status = RUN
        car.to_go = 0
    for word in state.get("finished", []):
        car = game.car(int(word))
        car.status = DONE
        car.crossings = game.setup.laps + 1
        car.to_go = 0
        game.finished.append(car.number)
    for text in state.get("removed", []):
        number, to_go = text.split(" ")
        car = game.car(int(number))
        car.status = OUT
        car.to_go = int(to_go)
        game.removed.append(car.number)


def _pro(game, state):
    game.stacks = [[""] * data.STACKS for _ in game.hands]
    game.chosen = [""] * len(game.hands)
    chosen = _by_car(state.get("chosen", []))
    deposits = _by_car(state.get("deposits", []))
    for car in game.cars_:
        if car.seat:
            at = car.number - 1
            pro.deal(game, car, chosen[at][0] if chosen[at] else data.SLOW)
            if deposits[at] is not None:
                game.deposits[at] = data.high_first("".join(deposits[at]))
                game.decks[at] = pro.without_deposit(game, car)
            if car.stopped:
                game.deposits[at] = ""


def _cards(game, state):
    hands, decks, stacks = [_by_car(state.get(key, [])) for key in ("hands", "decks", "stacks")]
    for car in game.cars_:
        at = car.number - 1
        if game.on_table(car):
            if decks[at] is not None:
                game.decks[at] = data.ordered("".join(decks[at]))
            continue
        cards = game.decks[at]
        if hands[at] is not None:
            cards = data.ordered(game.cards_of(car))
            game.hands[at] = data.ordered("".join(hands[at]))
            for card in game.hands[at]:
                cards = data.without(cards, card) if card in cards else cards
        if decks[at] is not None:
            game.decks[at] = "".join(decks[at])
        elif game.pro or hands[at] is not None:
            game.decks[at] = game.pile(car, cards)
        if not car.seat:
            continue
        if game.pro:
            _stack(game, at, stacks[at])
            while hands[at] is None and len(game.hands[at]) < data.PRO_HAND and any(game.stacks[at]):
                which = [stack != "" for stack in game.stacks[at]].index(True)
                game.hands[at] = data.ordered(game.hands[at] + game.stacks[at][which][0])
                game.stacks[at][which] = game.stacks[at][which][1:]
        elif hands[at] is None and (decks[at] is not None or not game.hands[at]):
            game.hands[at] = ""
            game.fill_up(car)


def _stack(game, at, words):
    cards = data.ordered(game.decks[at])
    game.decks[at] = ""
    if words is not None:
        piles = " ".join(words).split(" / ")
        game.stacks[at] = ["" if pile == "-" else pile.replace(" ", "") for pile in piles]
        return
    game.stacks[at] = ["".join([card for card in cards if card in values]) for values in ("12", "3", "4", "56")]


def _by_car(texts):
    """The words after each car's number, None for a car that isn't named."""
    out = [None] * data.CARS
    for text in texts:
        words = text.split(" ")
        out[int(words[0]) - 1] = words[1:]
    return out


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
        return str(game.hand_count(car)) if key == "count" else _listed(data.high_first(game.hands[at]))
    if what == "left":
        cards = game.cards_of(car)
        if key == "points":
            return str(data.points(cards))
        return _listed(data.high_first(cards)) if key == "cards" else str(len(cards))
    if what == "deck":
        return _listed(game.decks[at])
    if what == "stacks":
        return " / ".join([" ".join(stack) or "-" for stack in game.stacks[at]])
    if what == "chosen":
        return (game.chosen[at] if game.chosen else "") or "none"
    if what == "deposit":
        return _listed(data.high_first(game.beside_pit(car)))
    if what == "sees":
        return _look_sees(game, car.seat)
    if what == "account":
        left = game.points_left(car)
        return "start %d moved %d void %d left %d" % (car.moved + car.void + left, car.moved, car.void, left)
    if what == "reserve":
        return str(standings.reserve(game, car))
    raise KeyError(what)


def _look_sees(game, seat):
    """What the game's ``private`` says, without its sentences."""
    parts = []
    for line in game.private(seat):
        name = line[0].split("_")[-1]
        told = [word.replace("@ausgebremst.deck_", "") for word in line[1:]]
        parts.append(name + " " + " / ".join(told))
    return "; ".join(parts) or "nothing"


def _look_deck(what, name):
    cards = data.complete() if name == "full" else data.deck(data.SLOW if name == "family" else name)
    if what == "out":
        out = data.complete()
        for card in cards:
            out = data.without(out, card)
        return _listed(data.high_first(out))
    return str(data.points(cards)) if what == "points" else _listed(data.high_first(cards))


def _look_chart(game, which):
    deposits, left = data.chart(game.track.id)
    return str(left or "none") if which == "reserve" else _listed(deposits[int(which) - 1])


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


def inventory(game):
    """Every car's points are somewhere: moved, void or in cards; no two cars are on one space."""
    parts = []
    for car in game.cars_:
        whole = car.moved + car.void + game.points_left(car)
        if car.seat and game.phase in (DRAW, CHOOSE):
            whole = data.DECK_POINTS
        parts.append(str(whole))
    taken = game.taken()
    return "%s points, %d cars on the space of another" % (" ".join(parts), len(taken) - len(set(taken)))
