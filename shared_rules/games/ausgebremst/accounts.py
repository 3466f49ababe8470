"""What the display and the page tell in lines, and the accounts after a race: what a player has left, and the most that may
be left (AB-41, AB-49).
"""

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
    """The lines of a scene: what cars without a driver turned, which hands were shown, and after the race the accounts
    alone."""
    over = game.phase == "race" and game.over()
    if over:
        del lines[:]                               # nobody leads any more
    for car in game.cars_:
        name = "car:%d" % car.number
        words = car.last.split(" ")
        if over:
            if car.seat and car.status == "done":
                lines.append(["ausgebremst.line_account", "seat:%d" % car.seat, data.points(game.cards_of(car)),
                              reserve(game, car)])
        elif words[0] == "shows":
            lines.append(["ausgebremst.line_shows", name, car.last[6:] or "-"])
        elif car.derelict and car.status == "run" and words[0] == "blocked":
            lines.append(["ausgebremst.line_blocked", name])
        elif car.derelict and car.status == "run" and len(words) == 2:
            key = "spent" if words[1] == "spent" else "drove"
            lines.append(["ausgebremst.line_" + key, name, words[0], words[1]])
