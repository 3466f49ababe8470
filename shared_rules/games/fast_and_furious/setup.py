"""Set-up: cars, drivers, obstacles, upgrades in secret, places on the start card (FF-01 to FF-12)."""

from shared_rules import notation
from shared_rules.games.fast_and_furious import cards
from shared_rules.games.fast_and_furious.car import (
    MOST,
    NONE,
    OFF,
    OUT,
    RUN,
    UPGRADES,
    WAIT,
    Car,
    count,
    more,
    total,
)
from shared_rules.games.fast_and_furious.course import open_way
from shared_rules.prompts import TABLE, Choose, Refusal
from shared_rules.prompts_cards import Number

# Phases: nothing set up yet; drivers, obstacles, upgrades and places on the start card; the race.
START = "start"
TO_DRIVERS = "drivers"
TO_OBSTACLES = "obstacles"
TO_UPGRADES = "upgrades"
TO_PLACES = "places"
RACE = "race"
OVER = "over"

#: Obstacle, upgrade and block tokens in the box.
OBSTACLES = 14
UPGRADES_IN_BOX = 42
BLOCKS = 4
#: Upgrades of a car: the most, what the start card gives, and how many more a tuner has (FF-06).
MOST_UPGRADES = 10
START_UPGRADES = 4
TUNER = 2


def put_up(game):
    """Before the first question: cars, the course's obstacles, the deck, control tokens (FF-01, FF-05, FF-11)."""
    players = len(game.setup.players)
    starting = 4 if game.tag else players
    for number in range(1, starting + 1):
        game.cars_.append(Car(number, (number - 1) % players + 1, WAIT if game.tag and number > 2 else RUN))
    if game.setup.option("obstacles") != "none":
        game.obstacles = [space for space, word in game.track.marks if word == "obstacle"]
    game.hands = [""] * starting
    game.chosen = [NONE] * starting
    if not game.by_table:
        game.deck = cards.shuffled(game.deal, cards.deck())
    if game.damage:
        game.control = cards.shuffled(game.deal, game.box.control, 1)
    _begin(game, TO_DRIVERS)


def _begin(game, phase):
    """Goes on to a phase, skipping those that this race doesn't have."""
    game.step = 0
    if phase == TO_DRIVERS and game.setup.option("drivers") == "no":
        phase = TO_OBSTACLES
    if phase == TO_OBSTACLES and game.setup.option("obstacles") in ("course", "none"):
        phase = TO_UPGRADES
    game.phase = phase


def prepare(game):
    """One step before the race."""
    if game.phase == TO_DRIVERS:
        yield from _driver(game)
    elif game.phase == TO_OBSTACLES:
        if not _no_more(game):
            yield from _obstacle(game)
        if _no_more(game):
            _begin(game, TO_UPGRADES)
    elif game.phase == TO_UPGRADES:
        yield from _upgrade(game)
    else:
        yield from _place(game)
    go_on(game)


def go_on(game):
    """Goes to the next phase once all is done in this one."""
    if game.phase == TO_DRIVERS and game.step >= len(game.cars_):
        _begin(game, TO_OBSTACLES)
    if game.phase == TO_UPGRADES and not _group(game):
        for car, counts in zip(game.cars_, game.chosen):
            car.upgrades = counts
        if not game.first:
            game.first = 1 + game.deal.below(2 if game.tag else len(game.cars_))
        _begin(game, TO_PLACES)
    if game.phase == TO_PLACES and not _to_place(game):
        line_up(game)


def line_up(game):
    """The race begins: hands are dealt, the first car has its turn (FF-11, FF-14)."""
    game.phase = RACE
    game.chosen = []
    for car in game.cars_:
        if races(car):
            game.draw_up(car, car.base())
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
    free = [name for name in game.box.drivers if name not in had]
    args = ("car:%d" % car.number,)
    if game.setup.option("drivers") == "random":
        game.deal.shuffle(free)
        drawn = yield cards.Take(car.seat, free, "fast_and_furious.ask_driver_draw", args, car.number, "FF-02")
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


# Obstacles (FF-05)


def _no_more(game):
    """Whether no more obstacles are placed: none is left, or nobody wants one."""
    wants = [seat for seat in game.setup.seats() if seat not in game.refused]
    return len(game.obstacles) >= OBSTACLES or not wants or TABLE in game.refused


def _obstacle(game):
    """The next token, by agreement or in turn: its row, then its space; row 0 for no more."""
    seat = TABLE
    if game.setup.option("obstacles") != "agreed":
        wants = [seat for seat in game.setup.seats() if seat not in game.refused]
        seat = ([one for one in wants if one > game.step] or wants)[0]
    left = OBSTACLES - len(game.obstacles)
    row = yield Number(seat, 0, game.track.rows, "fast_and_furious.ask_obstacle_row", (left,), 0, "FF-05")
    game.step = seat
    if not row:
        game.refused.append(seat)
        return
    free = [space for space in range(game.course.start) if game.track.row(space) == row and fits(game, space)]
    names = [notation.show("go", [game.track.space_name(space)]) for space in free]
    space = yield Choose(seat, names + ["pass"], "fast_and_furious.ask_obstacle", (row,), 0, "FF-05", values=free + [-1],
                         near=lambda: _near(game, row, free), explain=lambda text: _why_not(game, text, row))
    if space >= 0:
        game.obstacles.append(space)


def fits(game, space):
    """Whether an obstacle may lie there: there is none yet, and a way from the start card over the line stays open."""
    course = game.course
    front = list(range(course.start, course.start + course.wide))
    laps = game.setup.laps if game.track.closed else 1
    return space not in game.obstacles and open_way(course, game.obstacles + [space], front, laps)


def _near(game, row, free):
    spaces = [space for space in range(game.course.start) if game.track.row(space) == row and space not in free]
    return ["go " + game.track.space_name(space) for space in spaces]


def _why_not(game, text, row):
    space = game.track.named(text[3:]) if text[:3] == "go " else -1
    if space < 0 or space >= game.course.start or game.track.row(space) != row:
        return None
    reason = "obstacle" if space in game.obstacles else "last_way"
    return Refusal(text, "fast_and_furious." + reason, "FF-05", (text[3:],))


# Upgrades (FF-06 to FF-08)


def of_course(track):
    """The tokens that a course gives each car: for the start card and for its indicators."""
    return min(MOST_UPGRADES, START_UPGRADES + track.upgrades)


def tokens(game, car):
    """How many upgrade tokens a car gets."""
    return of_course(game.track) + (TUNER if car.driver == "tuner" else 0)


def _group(game):
    """The cars that place tokens together: with two cars a seat first one of each, then the other."""
    seats = len(game.setup.players)
    for first in range(0, len(game.cars_), seats):
        cars = [car for car in game.cars_[first:first + seats] if races(car)]
        if [car for car in cars if placed(game, car) < tokens(game, car)]:
            return _one_a_seat(game, cars)
    return []


def _one_a_seat(game, cars):
    """One of these cars for each seat, in seat order; a player whose mate has left places for one after the other."""
    seats = sorted(set([car.seat for car in cars]))
    out = []
    for seat in seats:
        own = [car for car in cars if car.seat == seat]
        still = [car for car in own if placed(game, car) < tokens(game, car)]
        out.append((still or own)[0])
    return out


def placed(game, car):
    """How many tokens lie on a console."""
    return total(game.chosen[car.number - 1])


def _upgrade(game):
    """Everybody's next token, in secret."""
    cars = _group(game)
    answers = yield [_ask_upgrade(game, car) for car in cars]
    for car, answer in zip(cars, answers):
        if answer != "pass":
            put(game, car, answer[5:])


def put(game, car, name):
    """Places a token."""
    game.chosen[car.number - 1] = more(game.chosen[car.number - 1], name)


def _ask_upgrade(game, car):
    left = tokens(game, car) - placed(game, car)
    counts = game.chosen[car.number - 1]
    names = [name for name in UPGRADES if name not in MOST or count(counts, name) < MOST[name]]
    texts = ["pick " + name for name in names] if left else ["pass"]
    ask = "fast_and_furious.ask_upgrade" if left else "fast_and_furious.ask_placed"
    return Choose(car.seat, texts, ask, (left,), car.number, "FF-07", True,
                  near=lambda: ["pick " + name for name in UPGRADES if name not in names] if left else [],
                  explain=lambda text: _full(text, left))


def _full(text, left):
    if text[:5] != "pick " or text[5:] not in UPGRADES:
        return None
    if not left:
        return Refusal(text, "fast_and_furious.no_tokens", "FF-06")
    return Refusal(text, "fast_and_furious.most_of", "FF-08", ("@fast_and_furious.upgrade_" + text[5:],))


# The start card (FF-12)


def _to_place(game):
    """The cars without a place, the next one first: anticlockwise, the first car last."""
    every = len(game.cars_)
    order = [game.car((game.first - 2 - at) % every + 1) for at in range(every)]
    return [car for car in order if car.space < 0 and races(car)]


def _place(game):
    """A space in the frontmost row of the start card that still has a free one."""
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
