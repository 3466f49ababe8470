"""Before the race: drivers, obstacles, upgrades in secret, places on the start card (FF-02 to FF-12)."""

from shared_rules import notation
from shared_rules.games.fast_and_furious import box_once, data
from shared_rules.games.fast_and_furious.rules import DRIVERS, OBSTACLES, OFF, OUT, PLACES, RACE, UPGRADES
from shared_rules.prompts import Choose, Refusal


def prepare(game):
    """One step of what comes before the race."""
    if game.phase == DRIVERS:
        yield from _driver(game)
    elif game.phase == OBSTACLES:
        from shared_rules.games.fast_and_furious import obstacles_once
        yield from obstacles_once.place(game)
    elif game.phase == UPGRADES:
        yield from _upgrade(game)
    else:
        yield from _place(game)
    go_on(game)


def go_on(game):
    """Goes to the next phase once all is done in this one."""
    if game.phase == DRIVERS and game.step >= len(game.cars_):
        game.begin(OBSTACLES)
    if game.phase == UPGRADES and not _asked(game):
        for car, counts in zip(game.cars_, game.chosen):
            car.upgrades = counts
        if not game.first:
            game.first = 1 + game.deal.below(2 if game.tag else len(game.cars_))
        game.begin(PLACES)
    if game.phase == PLACES and not _to_place(game):
        line_up(game)


def line_up(game):
    """The race begins: hands are dealt, the first car has its turn (FF-11, FF-14)."""
    game.phase = RACE
    game.chosen = []
    for car in game.cars_:
        if races(car):
            game.draw_up(car, game.base(car))
    game.at = game.first
    if game.car(game.at) not in game.running():
        game.next_car()


def races(car):
    """Whether a car takes part."""
    return car.status not in (OUT, OFF)


# Drivers (FF-02)


def _driver(game):
    """A driver for the next car."""
    car = game.cars_[game.step]
    if not races(car):
        game.step += 1
        return
    had = [other.driver for other in game.cars_]
    free = [name for name in box_once.drivers(game.box) if name not in had]
    args = ("car:%d" % car.number,)
    if game.setup.option("drivers") == "random":
        game.deal.shuffle(free)
        drawn = yield box_once.Take(car.seat, free, "fast_and_furious.ask_driver_draw", args, car.number, "FF-02")
        if drawn:
            car.driver = drawn[0]
        game.step += 1
        return
    car.driver = yield Choose(car.seat, ["pick " + name for name in free], "fast_and_furious.ask_driver", args, car.number,
                              "FF-02", values=free, explain=lambda text: _has_driver(text, had))
    game.step += 1


def _has_driver(text, had):
    name = text[5:]
    return Refusal(text, "fast_and_furious.driver_taken", "FF-02", (name,)) if text[:5] == "pick " and name in had else None


# Upgrades (FF-06 to FF-08)


def tokens(game, car):
    """How many upgrade tokens a car gets."""
    return box_once.upgrades(game.track) + (2 if game.drives(car, "tuner") else 0)


def _group(game):
    """The cars that place tokens together: with two cars a seat first one of each, then the other."""
    seats = len(game.setup.players)
    for first in range(0, len(game.cars_), seats):
        cars = [car for car in game.cars_[first:first + seats] if races(car)]
        if [car for car in cars if placed(game, car) < tokens(game, car)]:
            return _one_a_seat(game, cars)
    return []


def _one_a_seat(game, cars):
    """Of these cars one for each seat, in seat order; a player whose mate has left places for one after the other."""
    seats = sorted(set([car.seat for car in cars]))
    out = []
    for seat in seats:
        own = [car for car in cars if car.seat == seat]
        still = [car for car in own if placed(game, car) < tokens(game, car)]
        out.append((still or own)[0])
    return out


def placed(game, car):
    """How many tokens lie on a console."""
    return sum([data.DIGITS.index(count) for count in game.chosen[car.number - 1]])


def _asked(game):
    return len(_group(game)) > 0


def _upgrade(game):
    """The next token of everybody, in secret."""
    cars = _group(game)
    answers = yield [_ask_upgrade(game, car) for car in cars]
    for car, answer in zip(cars, answers):
        if answer != "pass":
            put(game, car, answer[5:])


def put(game, car, name):
    """A token is placed."""
    at = car.number - 1
    kind = data.UPGRADES.index(name)
    counts = game.chosen[at]
    game.chosen[at] = counts[:kind] + data.DIGITS[data.DIGITS.index(counts[kind]) + 1] + counts[kind + 1:]


def _ask_upgrade(game, car):
    left = tokens(game, car) - placed(game, car)
    counts = game.chosen[car.number - 1]
    names = [name for kind, name in enumerate(data.UPGRADES) if data.DIGITS.index(counts[kind]) < box_once.MOST_OF[kind]]
    texts = ["pick " + name for name in names] if left else ["pass"]
    ask = "fast_and_furious.ask_upgrade" if left else "fast_and_furious.ask_placed"
    return Choose(car.seat, texts, ask, (left,), car.number, "FF-07", True,
                  near=lambda: ["pick " + name for name in data.UPGRADES if name not in names] if left else [],
                  explain=lambda text: _full(text, left))


def _full(text, left):
    if text[:5] != "pick " or text[5:] not in data.UPGRADES:
        return None
    if not left:
        return Refusal(text, "fast_and_furious.no_tokens", "FF-06")
    return Refusal(text, "fast_and_furious.most_of", "FF-08", ("@fast_and_furious.upgrade_" + text[5:],))


# The start card (FF-12)


def _to_place(game):
    """The cars without a place, the next one first: anticlockwise, the first car last."""
    count = len(game.cars_)
    order = [game.car((game.first - 2 - at) % count + 1) for at in range(count)]
    return [car for car in order if car.space < 0 and races(car)]


def _place(game):
    """A space in the frontmost row of the start card that has a free one."""
    car = _to_place(game)[0]
    taken = [other.space for other in game.cars_]
    course = game.course
    for front in range(course.start, game.track.count, course.wide):
        free = [space for space in range(front, front + course.wide) if space not in taken]
        if free:
            break
    names = [notation.show("go", [game.track.space_name(space)]) for space in free]
    car.space = yield Choose(car.seat, names, "fast_and_furious.ask_place", ("car:%d" % car.number,), car.number, "FF-12",
                             values=free, near=lambda: _near_places(game, free),
                             explain=lambda text: _not_there(game, text, taken))
    game.event("grid", car.number, car.space)


def _near_places(game, free):
    course = game.course
    return ["go " + game.track.space_name(space) for space in range(course.start, game.track.count) if space not in free]


def _not_there(game, text, taken):
    space = game.track.named(text[3:]) if text[:3] == "go " else -1
    if space < 0:
        return None
    reason = "taken" if space in taken else "front_row"
    return Refusal(text, "fast_and_furious." + reason, "FF-12", (text[3:],))
