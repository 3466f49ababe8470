"""The race is put up: cars, obstacles, the deck. Loaded for that alone."""

from shared_rules.games.fast_and_furious import box_once, data, pile_once
from shared_rules.games.fast_and_furious.rules import DRIVERS, RUN, WAIT, Car


def begin(game):
    """Before the first question."""
    players = len(game.setup.players)
    count = 4 if game.tag else players
    none = "0" * len(data.UPGRADES)
    for number in range(1, count + 1):
        status = WAIT if game.tag and number > 2 else RUN
        game.cars_.append(Car().load([number, (number - 1) % players + 1, -1, 0, status, 0, 0, 0, "", -1, 0, 0, -1, 0, 0, 0,
                                      none, none, 0]))
    if game.setup.option("obstacles") != "none":
        game.obstacles = [space for space, word in game.track.marks if word == "obstacle"]
    game.hands = [""] * count
    game.chosen = [none] * count
    if not game.by_table:
        game.deck = pile_once.shuffled(game.deal, pile_once.deck())
    if game.damage:
        game.control = pile_once.shuffled(game.deal, box_once.control(game.box), 1)
    game.begin(DRIVERS)
