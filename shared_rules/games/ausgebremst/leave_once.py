"""A player leaves: the car goes on without a driver, with the cards that it still has, or is taken off."""

from shared_rules.games.ausgebremst import data


def leave(game, car):
    """See ``Game.leave``; a car that is home or off the track stays so."""
    if car.status != "run":
        return
    at = car.number - 1
    if game.phase in ("draw", "decks"):
        game.decks[at] = data.pile(data.COUNTS[data.SLOW])
    cards = game.cards_of(car)
    if game.setup.option("leaver") == "removed":
        game.take_off(car)
        return
    car.derelict = 1
    game.hands[at] = ""
    if game.stacks:
        game.stacks[at] = [""] * len(game.stacks[at])
    game.decks[at] = game.pile(car, cards)
