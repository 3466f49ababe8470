"""The finish: the ranking with its points, what dials and lines show, and the accounts after a race (AB-10, AB-37 to AB-41,
AB-49)."""

from shared_rules.games.ausgebremst import data, pro
from shared_rules.games.ausgebremst.data import CHOOSE, DONE, OFF, OUT, RACE, RUN


def ranking(game):
    """The numbers of the cars, best first: those that have finished, those on the track by spaces to go, then those taken
    off, likewise (AB-10)."""
    rest = []
    for car in game.cars_:
        if car.status == RUN:
            at = game.order.index(car.number) if car.number in game.order else car.number
            rest.append((0, game.to_go(car), at, car.number))
        elif car.status == OUT:
            rest.append((1, car.to_go, -game.removed.index(car.number), car.number))
        elif car.status == OFF:
            rest.append((2, 0, 0, car.number))
    rest.sort()
    return game.finished + [row[3] for row in rest]


def rows(game):
    """[seat, car, place, points] of all six cars; a car without a driver gets no points but keeps its place (AB-39)."""
    out = []
    for at, number in enumerate(ranking(game)):
        car = game.car(number)
        scores = car.status == DONE and not car.derelict
        out.append([car.seat, number, at + 1, data.POINTS[at] if scores else 0])
    return out


def dials(game, car):
    """A player's dials: cards, points and the pit stop. In the pro game the number of cards left would reveal the chosen
    deck."""
    out = []
    if not game.pro:
        out.append([car.seat, car.number, "ausgebremst.dial_cards", len(game.cards_of(car)), len(data.deck(data.SLOW))])
    out.append([car.seat, car.number, "ausgebremst.dial_points", open_points(game, car), data.DECK_POINTS])
    out.append([car.seat, car.number, "ausgebremst.dial_pit", car.stopped, 1])
    return out


def open_points(game, car):
    """The points that everybody can work out for a player's car: those of a deck minus what was played and what lies beside
    the pit lane."""
    return max(0, data.DECK_POINTS - car.moved - car.void - data.points(game.beside_pit(car)))


def lines(game):
    """The lines of a scene: who leads, what cars without a driver turned, which hands were shown; after the race only the
    accounts (AB-41)."""
    if game.phase == RACE and game.over():
        return [["ausgebremst.line_account", "seat:%d" % car.seat, data.points(game.cards_of(car)), reserve(game, car)]
                for car in game.cars_ if car.seat and car.status == DONE]
    leaders = [number for number in ranking(game) if game.car(number).status == RUN][:1]
    out = [["ausgebremst.line_leader", "car:%d" % number, game.to_go(game.car(number))] for number in leaders]
    for car in game.cars_:
        name = "car:%d" % car.number
        what, _, more = car.last.partition(" ")
        if what == "shows":
            out.append(["ausgebremst.line_shows", name, more or "-"])
        elif not car.derelict or car.status != RUN:
            continue
        elif what == "blocked":
            out.append(["ausgebremst.line_blocked", name])
        elif more:
            out.append(["ausgebremst.line_" + ("spent" if more == "spent" else "drove"), name, what, more])
    return out


def reserve(game, car):
    """The most points that a car may have left: those of the cards that it could use, minus the shortest way from its start
    place, with the pit lane if it stopped there (AB-49)."""
    beside = game.beside_pit(car)
    if game.pro and game.phase == CHOOSE and car.seat:
        beside = pro.deposit_of(game, car)
    cards = data.points(data.deck(data.SLOW) if car.seat else data.complete()) - data.points(beside)
    way = game.setup.laps * game.course.lap
    if car.number in game.order:
        way += game.order.index(car.number) // 2 + 1
    if car.stopped:
        way += game.course.detour()
    return cards - way
