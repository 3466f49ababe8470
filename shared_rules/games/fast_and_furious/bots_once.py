"""What bots of Fast & Furious answer before a race: drivers, upgrades, places."""

from shared_rules.games.fast_and_furious import data
from shared_rules.games.fast_and_furious.course import FINISH

#: Drivers, the best first.
DRIVERS = ("anchor", "quickshift", "tuner", "launch", "mechanic", "gambler", "apex", "heeltoe", "ghost", "weaver", "ice",
           "brawler")
#: Upgrades in the order in which they are placed.
ORDER = ("transmission", "tires", "transmission", "tires", "nitrous", "power", "tires", "tires", "power", "turbo", "power",
         "turbo")


def prepare(game, prompt, options):
    """One option."""
    ask = prompt.ask[17:]
    if ask == "ask_driver":
        for name in DRIVERS:
            if "pick " + name in options:
                return "pick " + name
    if ask == "ask_upgrade":
        had = game.chosen[prompt.car - 1]
        for at, name in enumerate(ORDER):
            placed = data.DIGITS.index(had[data.UPGRADES.index(name)])
            if placed < ORDER[:at + 1].count(name) and "pick " + name in options:
                return "pick " + name
    if ask == "ask_place":
        return max([(_clear(game, game.track.named(text[3:])), -at, text) for at, text in enumerate(options)])[2]
    return options[0]


def _clear(game, space):
    """How far the lane ahead is free of obstacles."""
    far = 0
    while far < 12 and space < FINISH and space not in game.obstacles:
        far += 1
        space = game.course.ahead[space]
    return far
