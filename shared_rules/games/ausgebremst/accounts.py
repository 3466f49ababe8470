"""The accounts after a race: what a player has left, and the most that may be left (AB-41, AB-49)."""

from shared_rules.games.ausgebremst import data


def reserve(game, car):
    """The most points that may be left to a car: those of the cards that it could use, less the shortest way from its start
    place, with the pit lane if it stopped there."""
    beside = game.beside_pit(car)
    if game.pro and game.phase == "decks" and car.seat:
        from shared_rules.games.ausgebremst import pro
        beside = pro.deposit_of(game, car)
    cards = data.points(data.pile(data.COUNTS[data.SLOW] if car.seat else data.COMPLETE)) - data.points(beside)
    way = game.setup.laps * game.course.lap
    if car.number in game.order:
        way += game.order.index(car.number) // 2 + 1
    if car.stopped:
        way += game.course.detour()
    return cards - way


def tell(game, lines):
    """The lines of a scene after the race."""
    for car in game.cars_:
        if car.seat and car.status == "done":
            lines.append(["ausgebremst.line_account", "car:%d" % car.number, data.points(game.cards_of(car)),
                          reserve(game, car)])
