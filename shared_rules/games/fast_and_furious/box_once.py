"""What lies in the box beside the gear cards (HOUSE where the rulebook has pictures only). Loaded before the race, and where
a control token is taken."""

from shared_rules.prompts_cards import Draw

#: The control tokens beside the board (FF-50), and the obstacle, upgrade and block tokens in the box.
CONTROL = "112223334456"
OBSTACLES = 14
UPGRADES_IN_BOX = 42
BLOCKS = 4

#: Most tokens of each upgrade on a console (FF-08), of all together (FF-06), and what the start card gives.
MOST_OF = (1, 99, 99, 4, 99, 99, 99, 99, 99)
MOST_UPGRADES = 10
START_UPGRADES = 4

#: House names of the twelve drivers (FF-02).
DRIVERS = ("anchor", "tuner", "ghost", "quickshift", "heeltoe", "weaver", "apex", "launch", "gambler", "brawler", "mechanic",
           "ice")


class Take(Draw):
    """A driver or a control token is drawn. Who leaves meanwhile takes none: at the table nobody has drawn one."""

    def forced(self):
        return []


def control(box):
    """The control tokens of a race, in letters."""
    return box.control or CONTROL


def drivers(box):
    """The drivers of a race."""
    return box.drivers or DRIVERS


def upgrades(track):
    """What a course gives each car."""
    return min(MOST_UPGRADES, START_UPGRADES + track.upgrades)
