"""Cars without a driver: the top card, moved to their advantage and as straight as possible (AB-34 to AB-36b, AB-48).
Also how a player's car becomes one.
"""

from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.course import FINISH, PIT_OPENS
from shared_rules.games.ausgebremst.data import CHOOSE, DRAW, RUN
from shared_rules.prompts import TABLE, Choose, Refusal


def take_turn(game, car):
    """The turn of such a car: nothing if it is blocked, else the top card is spent, with or without a move."""
    at = car.number - 1
    taken = game.taken()
    if not game.reach(car, 1, taken):
        car.last = "blocked"                                    # (AB-35)
        return
    if game.on_table(car):
        cards = data.different(game.decks[at])
        card = yield Choose(TABLE, ["draw " + one for one in cards], "ausgebremst.ask_derelict", ("car:%d" % car.number,),
                            car.number, "AB-34", values=list(cards), explain=lambda text: _not_left(text, car))
    else:
        card = game.decks[at][0]
    game.decks[at] = data.without(game.decks[at], card)
    game.event("told", ["ausgebremst.told_turns", "car:%d" % car.number, card])
    ways = []
    if card != "6" or game.six_open(car):                       # (AB-36)
        ways = game.reach(car, int(card), taken)
        steps = int(card)
        while not ways and steps > 1 and game.setup.option("derelict_partial") == "move":
            steps -= 1
            ways = game.reach(car, steps, taken)
    if ways:
        game.drive(car, int(card), best(game, car, ways))
        return
    car.void += int(card)                                       # (AB-36a)
    car.last = card + " spent"
    game.event("spent", car.number, "ausgebremst.dial_cards", 1)


def best(game, car, ways):
    """The way that such a car takes (AB-34)."""
    course = game.course
    duty = game.duty(car)
    rated = []
    for way in ways:
        end = way[2][-1]
        if end == FINISH:
            rated.append((0, 0, 0, 0, 0, 0, way))
            continue
        pit = 0 if duty and course.in_pit(end) else 1
        entry = 0 if duty and end == course.entry and way[1] >= PIT_OPENS else 1
        outer = 0 if game.track.lane(end) == game.track.lane(course.entry) else 1
        rated.append((pit, course.to_go(end, way[1]), entry, way[0], outer, -game.track.row(end), way))
    return min(rated)[6]


def lose_driver(game, car):
    """A player leaves: the car goes on with its remaining cards, or is taken off; a car that is home or off the track
    stays that way."""
    if car.status != RUN:
        return
    at = car.number - 1
    if game.phase in (DRAW, CHOOSE):
        game.decks[at] = data.deck(data.SLOW)
    cards = game.cards_of(car)
    if game.setup.option("leaver") == "removed":
        game.take_off(car)
        return
    car.derelict = 1
    game.hands[at] = ""
    if game.stacks:
        game.stacks[at] = [""] * len(game.stacks[at])
    game.decks[at] = game.pile(car, cards)


def _not_left(text, car):
    if text[:5] != "draw ":
        return None
    return Refusal(text, "ausgebremst.not_left", "AB-34", ("car:%d" % car.number, text[5:]))
